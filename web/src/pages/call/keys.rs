//! Keyboard shortcuts of the page. They are inactive while an input has the focus.

use leptos::ev;
use leptos::prelude::*;

use crate::components::recording::playback::STEP;
use crate::components::transcript::conversation::{Finding, Reader};
use crate::keys::is_meant;

/// Handles keys while the transcript is shown.
pub fn listen(reader: Reader, finding: Finding) {
    let keys = window_event_listener(ev::keydown, move |event| {
        if is_meant(&event) && act(&event.key(), reader, finding) {
            event.prevent_default();
        }
    });
    on_cleanup(move || keys.remove());
}

/// Runs the action of a key. Returns false if the key has none.
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
