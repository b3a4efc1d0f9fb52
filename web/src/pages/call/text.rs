//! Transcript of a call: playback position, search and keyboard shortcuts.

use leadscribe_engine::api::Transcript;
use leptos::prelude::*;

use super::keys;
use crate::components::empty::Empty;
use crate::components::icon::Glyph;
use crate::components::recording::playback::Playback;
use crate::components::transcript::conversation::{Conversation, FindBar, Finding, Reader, Spoken, UNSURE};
use crate::texts::call as texts;
use crate::when;

#[component]
pub fn Text(
    transcript: Transcript,
    playback: Playback,
    /// Start position in seconds.
    begin: Option<f64>,
    /// Initial search text.
    words: String,
    /// Positions of the search results, for the waveform.
    marks: RwSignal<Vec<f64>>,
) -> impl IntoView {
    if transcript.segments.is_empty() {
        let spoken: f64 = transcript.sides.iter().map(|side| side.speech_seconds).sum();
        let (title, text) = if spoken > 0.0 {
            (texts::no_words(), texts::maybe_other_language(when::length(spoken)))
        } else {
            (texts::nobody_speaks(), texts::no_speech_found(when::length(transcript.duration)))
        };
        return view! {
            <div class="card">
                <Empty glyph=Glyph::Mute title text />
            </div>
        }
        .into_any();
    }
    let has_unsure = transcript.segments.iter().flat_map(|segment| &segment.words).any(|word| word.confidence < UNSURE);
    let reader = Reader::new(Spoken::new(transcript), playback);
    let finding = Finding::new(reader, words.clone(), begin.unwrap_or(0.0));
    let marks_unsure = RwSignal::new(true);
    keys::listen(reader, finding);
    Effect::new(move |_| marks.set(finding.starts()));
    on_cleanup(move || {
        marks.try_set(Vec::new());
    });
    // Runs once the transcript is rendered.
    Effect::new(move |_| {
        if reader.node.get().is_none() {
            return;
        }
        if !words.is_empty() {
            finding.show();
        } else if begin.is_some() {
            reader.show_now();
        }
    });
    view! {
        <section class="card transcript" aria-label=texts::what_was_said() data-test="transcript">
            <div class="transcript-bar">
                <FindBar finding />
                {has_unsure
                    .then(|| {
                        view! {
                            <label class="check small">
                                <input
                                    class="checkbox"
                                    type="checkbox"
                                    data-test="mark-unsure"
                                    prop:checked=marks_unsure
                                    on:change:target=move |event| marks_unsure.set(event.target().checked())
                                />
                                <span>
                                    {texts::mark()} <span class="unsure-sample">{texts::unsure()}</span>
                                    {texts::words_after_mark()}
                                </span>
                            </label>
                        }
                    })}
            </div>
            <Conversation reader marks_unsure />
        </section>
    }
    .into_any()
}
