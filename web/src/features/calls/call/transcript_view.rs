//! Transcript of a call: playback position, search and keyboard shortcuts.

use leadscribe_engine::api::Transcript;
use leptos::ev;
use leptos::prelude::*;

use crate::browser::dom::listen_on_window;
use crate::i18n::datetime;
use crate::i18n::keyboard::should_handle_key;
use crate::i18n::texts::call as texts;
use crate::ui::recording::playback::{Playback, SEEK_STEP_SECONDS};
use crate::ui::transcript::conversation::{
    Conversation, FindBar, SearchState, TranscriptIndex, TranscriptReader, UNCERTAIN_CONFIDENCE,
};
use crate::ui::{EmptyState, Glyph};

#[component]
pub fn TranscriptView(
    transcript: Transcript,
    playback: Playback,
    start_seconds: Option<f64>,
    search_text: String,
    /// Positions of the search results, for the waveform.
    markers: RwSignal<Vec<f64>>,
) -> impl IntoView {
    if transcript.segments.is_empty() {
        let speech_seconds: f64 = transcript.sides.iter().map(|side| side.speech_seconds).sum();
        let (title, text) = if speech_seconds > 0.0 {
            (texts::no_words(), texts::no_words_recognized(datetime::format_duration(speech_seconds)))
        } else {
            (texts::no_speech(), texts::no_speech_found(datetime::format_duration(transcript.duration)))
        };
        return view! {
            <div class="card">
                <EmptyState glyph=Glyph::Mute title text />
            </div>
        }
        .into_any();
    }
    let has_uncertain = transcript
        .segments
        .iter()
        .flat_map(|segment| &segment.words)
        .any(|word| word.confidence < UNCERTAIN_CONFIDENCE);
    let reader = TranscriptReader::new(TranscriptIndex::new(transcript), playback);
    let search_state = SearchState::new(reader, search_text.clone(), start_seconds.unwrap_or(0.0));
    let marks_uncertain = RwSignal::new(true);
    handle_keys(reader, search_state);
    Effect::new(move |_| markers.set(search_state.match_starts()));
    on_cleanup(move || {
        markers.try_set(Vec::new());
    });
    // Runs once the transcript is rendered.
    Effect::new(move |_| {
        if reader.node.get().is_none() {
            return;
        }
        if !search_text.is_empty() {
            search_state.show();
        } else if start_seconds.is_some() {
            reader.scroll_to_current();
        }
    });
    view! {
        <section class="card transcript" aria-label=texts::conversation() data-test="transcript">
            <div class="transcript-bar">
                <FindBar state=search_state />
                <Show when=move || has_uncertain>
                    <label class="check small">
                        <input
                            class="checkbox"
                            type="checkbox"
                            data-test="mark-uncertain"
                            bind:checked=marks_uncertain
                        />
                        <span>
                            {texts::highlight()} <span class="uncertain-sample">{texts::uncertain()}</span>
                            {texts::uncertain_words_suffix()}
                        </span>
                    </label>
                </Show>
            </div>
            <Conversation reader marks_uncertain />
        </section>
    }
    .into_any()
}

/// Handles the keyboard shortcuts of the page. They are inactive while an input has the focus.
fn handle_keys(reader: TranscriptReader, search_state: SearchState) {
    listen_on_window(ev::keydown, move |event| {
        if !should_handle_key(&event) {
            return;
        }
        match event.key().as_str() {
            " " => reader.playback.toggle(),
            "ArrowLeft" => reader.playback.seek_by(-SEEK_STEP_SECONDS),
            "ArrowRight" => reader.playback.seek_by(SEEK_STEP_SECONDS),
            "ArrowUp" | "k" => reader.step_segment(true),
            "ArrowDown" | "j" => reader.step_segment(false),
            "/" => search_state.focus(),
            _ => return,
        }
        event.prevent_default();
    });
}
