//! Keyboard shortcuts of the page. They are inactive while an input has the focus.

use leptos::ev;
use leptos::prelude::*;

use crate::i18n::keyboard::should_handle_key;
use crate::ui::recording::playback::SEEK_STEP_SECONDS;
use crate::ui::transcript::conversation::{SearchState, TranscriptReader};

/// Handles keys while the transcript is shown.
pub fn listen(reader: TranscriptReader, search_state: SearchState) {
    let keys = window_event_listener(ev::keydown, move |event| {
        if should_handle_key(&event) && handle_key(&event.key(), reader, search_state) {
            event.prevent_default();
        }
    });
    on_cleanup(move || keys.remove());
}

/// Runs the action of a key. Returns false if the key has none.
fn handle_key(key: &str, reader: TranscriptReader, search_state: SearchState) -> bool {
    match key {
        " " => reader.playback.toggle(),
        "ArrowLeft" => reader.playback.seek_by(-SEEK_STEP_SECONDS),
        "ArrowRight" => reader.playback.seek_by(SEEK_STEP_SECONDS),
        "ArrowUp" | "k" => reader.step_segment(true),
        "ArrowDown" | "j" => reader.step_segment(false),
        "/" => search_state.focus(),
        _ => return false,
    }
    true
}
