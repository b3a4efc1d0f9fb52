//! The keys of the page, wherever the focus is but in what one writes into.

use leptos::ev;
use leptos::prelude::*;
use wasm_bindgen::JsCast;
use web_sys::{Element, KeyboardEvent};

use crate::components::conversation::{Finding, Reader};
use crate::components::playback::STEP;

/// Listens as long as the text is shown.
pub fn listen(reader: Reader, finding: Finding) {
    let keys = window_event_listener(ev::keydown, move |event| {
        if is_meant(&event) && act(&event.key(), reader, finding) {
            event.prevent_default();
        }
    });
    on_cleanup(move || keys.remove());
}

/// Does what a key stands for; false when it stands for nothing.
fn act(key: &str, reader: Reader, finding: Finding) -> bool {
    match key {
        " " => reader.playback.toggle(),
        "ArrowLeft" => reader.playback.step(-STEP),
        "ArrowRight" => reader.playback.step(STEP),
        "ArrowUp" | "k" => reader.go(true),
        "ArrowDown" | "j" => reader.go(false),
        "/" => finding.focus(),
        _ => return false,
    }
    true
}

/// Whether the page may take it: nothing else did, nobody writes, and no dialog is open.
fn is_meant(event: &KeyboardEvent) -> bool {
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
