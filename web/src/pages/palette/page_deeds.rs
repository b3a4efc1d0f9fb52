//! Actions of the open page: the palette lists the page's own buttons by their labels and clicks them.

use std::collections::BTreeSet;

use leptos::prelude::*;
use wasm_bindgen::JsCast;
use web_sys::{Element, HtmlElement};

use crate::components::icon::Glyph;
use crate::components::shell::palette::{Deed, Entry};
use crate::texts::palette as texts;

const BUTTONS: &str = "#main .button";

/// Buttons that are about one item of many, or belong to an editor, are excluded.
const ELSEWHERE: &str = "dialog, tr, [data-row], .condition, .filter-form, .pager, .empty";

/// A modal dialog other than the palette. While it is open, the buttons behind it aren't available.
const BEFORE: &str = "dialog[open]:not(.palette)";

/// Labelled sections that contain buttons.
const PART: &str = "#main [aria-label]";

/// Buttons of the page when the palette was opened.
#[derive(Clone, Copy)]
pub struct PageDeeds(StoredValue<Vec<HtmlElement>, LocalStorage>);

impl PageDeeds {
    pub fn new() -> Self {
        Self(StoredValue::new_local(Vec::new()))
    }

    /// Collects the buttons and returns their entries.
    pub fn look(self) -> Vec<Entry> {
        let mut said = BTreeSet::new();
        let named = buttons().into_iter().filter_map(|button| {
            let name = name(&button)?;
            said.insert(name.clone()).then(|| ((name, about(&button)), button))
        });
        let (names, buttons): (Vec<_>, Vec<_>) = named.unzip();
        self.0.set_value(buttons);
        let entry =
            |(place, (name, about))| Entry::new(texts::on_this_page(), Glyph::Compass, name, about, Deed::Press(place));
        names.into_iter().enumerate().map(entry).collect()
    }

    /// Clicks a button after the palette is closed.
    pub fn press(self, place: usize) {
        let button = self.0.with_value(|buttons| buttons.get(place).cloned());
        request_animation_frame(move || {
            if let Some(button) = button {
                // A dialog opened by the button returns the focus to it. A removed button does nothing.
                _ = button.focus();
                button.click();
            }
        });
    }
}

fn buttons() -> Vec<HtmlElement> {
    if document().query_selector(BEFORE) != Ok(None) {
        return Vec::new();
    }
    let Ok(found) = document().query_selector_all(BUTTONS) else { return Vec::new() };
    let all = (0..found.length()).filter_map(|place| found.item(place)?.dyn_into::<HtmlElement>().ok());
    all.filter(|button| {
        let is_on = button.matches(":not(:disabled)") == Ok(true) && !button.has_attribute("aria-disabled");
        is_on && button.closest(ELSEWHERE) == Ok(None) && button.offset_parent().is_some()
    })
    .collect()
}

/// Label of the section that contains the button.
fn about(button: &Element) -> String {
    let part = button.parent_element().and_then(|parent| parent.closest(PART).ok().flatten());
    part.and_then(|part| part.get_attribute("aria-label")).unwrap_or_default()
}

/// Label of a button or of its menu. The name of the open view belongs to another entry.
fn name(button: &Element) -> Option<String> {
    let of = |attribute| button.get_attribute(attribute);
    let said = of("data-name").or_else(|| of("aria-label")).or_else(|| button.text_content())?;
    let name = said.split_whitespace().collect::<Vec<_>>().join(" ");
    (!name.is_empty()).then_some(name)
}
