//! Display names of languages and countries, from the browser.

use wasm_bindgen::{JsCast, JsValue};

use crate::i18n::language;
use crate::i18n::text_normalization::normalize;
use crate::i18n::texts::common as texts;
use crate::ui::input::Choice;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CodeKind {
    Language,
    Country,
}

impl CodeKind {
    /// Returns `English` for `en`, or the code itself if it has no name.
    pub fn display_name(self, code: &str) -> String {
        self.find_name(self.browser_names().as_ref(), code).unwrap_or_else(|| code.to_owned())
    }

    /// Returns the codes with their names, sorted by name.
    pub fn sorted_choices(self, codes: impl IntoIterator<Item = String>) -> Vec<Choice> {
        let names = self.browser_names();
        let label = |code: String| match self.find_name(names.as_ref(), &code) {
            Some(name) => (code.clone(), format!("{name} ({code})")),
            None => (code.clone(), code),
        };
        let mut choices: Vec<Choice> = codes.into_iter().map(label).collect();
        choices.sort_by_cached_key(|(_, name)| normalize(name));
        choices
    }

    fn find_name(self, browser_names: Option<&impl Fn(&str) -> Option<String>>, code: &str) -> Option<String> {
        browser_names
            .and_then(|lookup| lookup(code))
            .filter(|name| name != code)
            .or_else(|| self.fallback_name(code).map(str::to_owned))
    }

    /// Names that common browsers lack.
    fn fallback_name(self, code: &str) -> Option<&'static str> {
        match (self, code) {
            (Self::Language, "ba") => Some(texts::bashkir()),
            (Self::Language, "bo") => Some(texts::tibetan()),
            _ => None,
        }
    }

    /// `Intl.DisplayNames` in the panel's language; `None` if the browser lacks it.
    fn browser_names(self) -> Option<impl Fn(&str) -> Option<String>> {
        let get = |object: &JsValue, name: &str| js_sys::Reflect::get(object, &name.into()).ok();
        let kind = match self {
            Self::Language => "language",
            Self::Country => "region",
        };
        let class: js_sys::Function = get(&get(&js_sys::global(), "Intl")?, "DisplayNames")?.dyn_into().ok()?;
        let options = js_sys::Object::new();
        js_sys::Reflect::set(&options, &"type".into(), &kind.into()).ok()?;
        let arguments = js_sys::Array::of2(&language().tag().into(), &options);
        let names = js_sys::Reflect::construct(&class, &arguments).ok()?;
        let lookup: js_sys::Function = get(&names, "of")?.dyn_into().ok()?;
        Some(move |code: &str| lookup.call1(&names, &code.into()).ok()?.as_string())
    }
}
