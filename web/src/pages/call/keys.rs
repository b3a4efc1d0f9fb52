//! The keys of the page, wherever the focus is but in what one writes into.

use leptos::ev;
use leptos::prelude::*;

use crate::components::recording::playback::STEP;
use crate::components::transcript::conversation::{Finding, Reader};
use crate::keys::is_meant;

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
