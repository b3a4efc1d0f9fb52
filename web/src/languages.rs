//! Names of languages, as the browser has them.

use wasm_bindgen::{JsCast, JsValue};

use crate::components::chip_picker::Choice;
use crate::language::language;
use crate::texts::common as texts;

/// `English` for `en`; the code itself where the browser has no name for it.
pub fn name(code: &str) -> String {
    display_names()
        .and_then(|of| of(code))
        .filter(|name| name != code)
        .unwrap_or_else(|| own_name(code).unwrap_or(code).to_owned())
}

/// The codes with their names, in the order of the names.
pub fn named(codes: Vec<String>) -> Vec<Choice> {
    let names = display_names();
    let label = |code: &String| {
        let by_browser = names.as_ref().and_then(|of| of(code)).filter(|name| name != code);
        match by_browser.or_else(|| own_name(code).map(str::to_owned)) {
            Some(name) => format!("{name} ({code})"),
            None => code.clone(),
        }
    };
    let mut languages: Vec<Choice> = codes.iter().map(|code| (code.clone(), label(code))).collect();
    languages.sort_by(|a, b| a.1.cmp(&b.1));
    languages
}

/// Names that common browsers lack.
fn own_name(code: &str) -> Option<&'static str> {
    match code {
        "ba" => Some(texts::bashkir()),
        "bo" => Some(texts::tibetan()),
        _ => None,
    }
}

/// `Intl.DisplayNames` in the panel's language; none where the browser lacks it.
fn display_names() -> Option<impl Fn(&str) -> Option<String>> {
    let get = |object: &JsValue, name: &str| js_sys::Reflect::get(object, &name.into()).ok();
    let class: js_sys::Function = get(&get(&js_sys::global(), "Intl")?, "DisplayNames")?.dyn_into().ok()?;
    let options = js_sys::Object::new();
    js_sys::Reflect::set(&options, &"type".into(), &"language".into()).ok()?;
    let arguments = js_sys::Array::of2(&language().tag().into(), &options);
    let names = js_sys::Reflect::construct(&class, &arguments).ok()?;
    let of: js_sys::Function = get(&names, "of")?.dyn_into().ok()?;
    Some(move |code: &str| of.call1(&names, &code.into()).ok()?.as_string())
}
