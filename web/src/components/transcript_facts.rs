//! What is known of a transcript and of the work on it.

use leadscribe_engine::api::{TranscribedSide, Transcript, Transcription};
use leptos::prelude::*;

use super::conversation::speaker;
use super::fact_list::{Fact, FactList};
use super::moment::{MaybeMoment, Moment};
use crate::languages;
use crate::when;

/// The facts of the latest transcription.
#[component]
pub fn WorkFacts(work: Transcription) -> impl IntoView {
    let languages = work.languages.iter().map(|code| languages::name(code)).collect::<Vec<_>>().join(", ");
    let took = work.started_at.zip(work.finished_at).map(|(start, end)| (end - start).num_milliseconds() as f64 / 1e3);
    view! {
        <section class="card" aria-label="The transcription">
            <div class="card-head">
                <h2>"Transcription"</h2>
                <span class="small muted">"#" {work.id.to_string()}</span>
            </div>
            <div class="card-body">
                <FactList>
                    <Fact label="Languages">{languages}</Fact>
                    <Fact label="Side">{speaker(work.recording_side)}</Fact>
                    <Fact label="Sent">
                        <Moment at=work.queued_at />
                    </Fact>
                    <Fact label="Finished">
                        <MaybeMoment at=work.finished_at />
                    </Fact>
                    {took.map(|took| view! { <Fact label="Took">{format!("{took:.1} s")}</Fact> })}
                    <Fact label="Attempts">{work.attempts.to_string()}</Fact>
                    <Fact label="Token">"#" {work.token_id.to_string()}</Fact>
                </FactList>
            </div>
        </section>
    }
}

/// The facts of the text.
#[component]
pub fn TranscriptFacts(transcript: Transcript) -> impl IntoView {
    let words: usize = transcript.segments.iter().map(|segment| segment.words.len()).sum();
    let engine = format!("{} · {}", transcript.engine.name, transcript.engine.model);
    let redactions = match transcript.redactions {
        0 => "none".to_owned(),
        count => when::counted(count.into(), "number", "numbers"),
    };
    let sides = transcript.sides.into_iter().map(|side| view! { <SideFact side /> });
    view! {
        <section class="card" aria-label="The transcript" data-test="transcript-facts">
            <div class="card-head">
                <h2>"Transcript"</h2>
            </div>
            <div class="card-body">
                <FactList>
                    {sides.collect_view()} <Fact label="Words">{when::count(words as u64)}</Fact>
                    <Fact label="Taken out">{redactions}</Fact> <Fact label="Recogniser">{engine}</Fact>
                </FactList>
            </div>
        </section>
    }
}

/// The language of a side, how sure it is, and how long somebody spoke.
#[component]
fn SideFact(side: TranscribedSide) -> impl IntoView {
    let spoken = format!("{} spoken", when::length(side.speech_seconds));
    let language = match (&side.language, side.language_confidence) {
        (None, _) => "nobody spoke".to_owned(),
        (Some(code), Some(confidence)) if confidence < 1.0 => {
            format!("{}, {:.0} % sure", languages::name(code), confidence * 100.0)
        }
        (Some(code), _) => languages::name(code),
    };
    let has_language = side.language.is_some();
    view! {
        <Fact label=speaker(side.side)>
            {language} {has_language.then(|| view! { <div class="cell-sub">{spoken}</div> })}
        </Fact>
    }
}
