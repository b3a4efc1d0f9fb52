//! Global keyboard shortcuts, and the check whether a page may handle a key.

use leptos::ev;
use leptos::prelude::*;
use wasm_bindgen::JsCast;
use web_sys::{Element, KeyboardEvent};

use crate::texts::palette as texts;

/// First key of the shortcuts that open a page; the second is one of [`PLACES`].
pub const GO: &str = "g";

/// Letters after [`GO`] and the pages that they open.
const PLACES: [(&str, &str); 9] = [
    ("h", "/"),
    ("l", "/leads"),
    ("m", "/campaigns"),
    ("c", "/calls"),
    ("t", "/transcripts"),
    ("d", "/deliveries"),
    ("i", "/imports"),
    ("s", "/settings"),
    ("a", "/api-reference"),
];

/// Shortcut that opens a page, as shown to the user; empty if it has none.
pub fn way_to(page: &str) -> String {
    let letter = PLACES.iter().find(|(_, place)| *place == page).map(|(letter, _)| letter.to_ascii_uppercase());
    letter.map(|letter| format!("{} {letter}", GO.to_ascii_uppercase())).unwrap_or_default()
}

/// Page that a letter after [`GO`] opens.
pub fn place_of(letter: &str) -> Option<&'static str> {
    PLACES.iter().find(|(one, _)| *one == letter).map(|(_, place)| *place)
}

/// True if a page may handle the key: no other handler did, no input has the focus, and no dialog is open.
pub fn is_meant(event: &KeyboardEvent) -> bool {
    if event.default_prevented() || event.ctrl_key() || event.alt_key() || event.meta_key() {
        return false;
    }
    let takes =
        if event.key() == " " { "input, select, textarea, button, summary, a" } else { "input, select, textarea" };
    let target = event.target().and_then(|target| target.dyn_into::<Element>().ok());
    let is_taken = target.is_some_and(|target| target.closest(takes).is_ok_and(|found| found.is_some()));
    let in_dialog = document().query_selector("dialog[open]").is_ok_and(|dialog| dialog.is_some());
    !is_taken && !in_dialog
}

/// Calls `act` on Escape for the lifetime of the owner, unless a dialog or menu is open or an input has the focus.
pub fn on_escape(act: impl Fn() + 'static) {
    let listener = window_event_listener(ev::keydown, move |event| {
        let target = event.target().and_then(|target| target.dyn_into::<Element>().ok());
        let writes = "input:not([type=checkbox]), select, textarea";
        let is_taken = target.is_some_and(|target| target.closest(writes).is_ok_and(|found| found.is_some()));
        let is_open = document().query_selector("dialog[open], details[open]").is_ok_and(|found| found.is_some());
        if event.key() == "Escape" && !event.default_prevented() && !is_taken && !is_open {
            act();
        }
    });
    on_cleanup(move || listener.remove());
}

/// Label of the modifier key for shortcuts on this platform.
pub fn modifier() -> &'static str {
    let is_mac = window().navigator().platform().is_ok_and(|platform| platform.contains("Mac"));
    if is_mac { "⌘" } else { texts::control_key() }
}

/// Label of a key on keyboards of the panel's language.
pub fn key_name(key: &str) -> &str {
    match key {
        "Home" => texts::home_key(),
        "End" => texts::end_key(),
        "Shift" => texts::shift_key(),
        "Space" => texts::space_key(),
        other => other,
    }
}
