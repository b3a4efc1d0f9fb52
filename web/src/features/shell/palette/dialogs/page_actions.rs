//! Actions of the open page: the palette lists the page's own buttons by their labels and clicks them.

use std::collections::BTreeSet;

use leptos::prelude::*;
use wasm_bindgen::JsCast;
use web_sys::{Element, HtmlElement};

use crate::features::shell::palette::{PaletteAction, PaletteEntry};
use crate::i18n::texts::palette as texts;
use crate::ui::Glyph;

const BUTTON_SELECTOR: &str = "#main .button";

/// Buttons that are about one item of many, or belong to an editor, are excluded.
const EXCLUDED_SELECTOR: &str = "dialog, tr, [data-row], .condition, .filter-form, .pager, .empty-state";

/// A modal dialog other than the palette. While it is open, the buttons behind it aren't available.
const OPEN_MODAL_SELECTOR: &str = "dialog[open]:not(.palette)";

/// Labeled sections that contain buttons.
const SECTION_SELECTOR: &str = "#main [aria-label]";

/// Buttons of the page when the palette was opened.
#[derive(Clone, Copy, Default)]
pub struct PageActions(StoredValue<Vec<HtmlElement>, LocalStorage>);

impl PageActions {
    /// Collects the buttons and returns their entries.
    pub fn collect(self) -> Vec<PaletteEntry> {
        let mut seen_labels = BTreeSet::new();
        let labeled = available_buttons().into_iter().filter_map(|button| {
            let name = button_label(&button)?;
            seen_labels.insert(name.clone()).then(|| ((name, section_label(&button)), button))
        });
        let (names, buttons): (Vec<_>, Vec<_>) = labeled.unzip();
        self.0.set_value(buttons);
        let entry = |(index, (name, about))| {
            PaletteEntry::new(texts::on_this_page(), Glyph::Compass, name, about, PaletteAction::PressButton(index))
        };
        names.into_iter().enumerate().map(entry).collect()
    }

    /// Clicks a button after the palette is closed.
    pub fn press(self, index: usize) {
        let button = self.0.with_value(|buttons| buttons.get(index).cloned());
        request_animation_frame(move || {
            if let Some(button) = button {
                // A dialog opened by the button returns the focus to it. A removed button does nothing.
                _ = button.focus();
                button.click();
            }
        });
    }
}

fn available_buttons() -> Vec<HtmlElement> {
    if document().query_selector(OPEN_MODAL_SELECTOR) != Ok(None) {
        return Vec::new();
    }
    let Ok(matching) = document().query_selector_all(BUTTON_SELECTOR) else { return Vec::new() };
    let all_buttons = (0..matching.length()).filter_map(|index| matching.item(index)?.dyn_into::<HtmlElement>().ok());
    all_buttons
        .filter(|button| {
            let is_enabled = button.matches(":not(:disabled)") == Ok(true) && !button.has_attribute("aria-disabled");
            is_enabled && button.closest(EXCLUDED_SELECTOR) == Ok(None) && button.offset_parent().is_some()
        })
        .collect()
}

/// Label of the section that contains the button.
fn section_label(button: &Element) -> String {
    let section = button.parent_element().and_then(|parent| parent.closest(SECTION_SELECTOR).ok().flatten());
    section.and_then(|section| section.get_attribute("aria-label")).unwrap_or_default()
}

/// Label of a button or of its menu. The name of the open view belongs to another entry.
fn button_label(button: &Element) -> Option<String> {
    let attribute_value = |attribute| button.get_attribute(attribute);
    let label =
        attribute_value("data-name").or_else(|| attribute_value("aria-label")).or_else(|| button.text_content())?;
    let name = label.split_whitespace().collect::<Vec<_>>().join(" ");
    (!name.is_empty()).then_some(name)
}
