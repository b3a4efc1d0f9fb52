//! Details of a transcript and of its transcription.

use leadscribe_engine::api::{TranscribedSide, Transcript, Transcription};
use leptos::prelude::*;

use super::conversation::speaker;
use crate::components::fact_list::{Fact, FactList};
use crate::components::moment::{MaybeMoment, Moment};
use crate::display_names::Named;
use crate::texts::{call as texts, calls};
use crate::when;

/// Details of the latest transcription.
#[component]
pub fn WorkFacts(
    work: Transcription,
    /// Name of the token that requested it, once known.
    token: Signal<Option<String>>,
) -> impl IntoView {
    let number = format!("#{}", work.token_id);
    let token = move || token.get().unwrap_or_else(|| number.clone());
    let languages = work.languages.iter().map(|code| Named::Language.name(code)).collect::<Vec<_>>().join(", ");
    let took = work.started_at.zip(work.finished_at).map(|(start, end)| (end - start).num_milliseconds() as f64 / 1e3);
    view! {
        <section class="card" aria-label=texts::the_transcription()>
            <div class="card-head">
                <h2>{calls::transcription()}</h2>
                <span class="small muted">"#" {work.id.to_string()}</span>
            </div>
            <div class="card-body">
                <FactList>
                    <Fact label=texts::languages()>{languages}</Fact>
                    <Fact label=texts::side()>{speaker(work.recording_side)}</Fact>
                    <Fact label=texts::sent()>
                        <Moment at=work.queued_at />
                    </Fact>
                    <Fact label=texts::finished()>
                        <MaybeMoment at=work.finished_at />
                    </Fact>
                    {took.map(|took| view! { <Fact label=texts::took()>{texts::seconds(when::tenths(took))}</Fact> })}
                    <Fact label=texts::attempts()>{work.attempts.to_string()}</Fact>
                    <Fact label=texts::token()>
                        <span data-test="sent-by">{token}</span>
                    </Fact>
                </FactList>
            </div>
        </section>
    }
}

/// Details of the text.
#[component]
pub fn TranscriptFacts(transcript: Transcript) -> impl IntoView {
    let words: usize = transcript.segments.iter().map(|segment| segment.words.len()).sum();
    let engine = format!("{} · {}", transcript.engine.name, transcript.engine.model);
    let redactions = match transcript.redactions {
        0 => texts::nothing_taken_out().to_owned(),
        count => texts::numbers(count.into()),
    };
    let sides = transcript.sides.into_iter().map(|side| view! { <SideFact side /> });
    view! {
        <section class="card" aria-label=texts::the_transcript() data-test="transcript-facts">
            <div class="card-head">
                <h2>{calls::transcript()}</h2>
            </div>
            <div class="card-body">
                <FactList>
                    {sides.collect_view()} <Fact label=texts::words()>{when::count(words as u64)}</Fact>
                    <Fact label=texts::taken_out_label()>{redactions}</Fact> <Fact label=texts::recogniser()>{engine}</Fact>
                </FactList>
            </div>
        </section>
    }
}

/// Language of a side with its confidence, and its speaking time.
#[component]
fn SideFact(side: TranscribedSide) -> impl IntoView {
    let spoken = texts::spoken(when::length(side.speech_seconds));
    let language = match (&side.language, side.language_confidence) {
        (None, _) => texts::nobody_spoke().to_owned(),
        (Some(code), Some(confidence)) if confidence < 1.0 => {
            texts::language_sure(Named::Language.name(code), (confidence * 100.0).round())
        }
        (Some(code), _) => Named::Language.name(code),
    };
    let has_language = side.language.is_some();
    view! {
        <Fact label=speaker(side.side)>
            {language} {has_language.then(|| view! { <div class="cell-sub">{spoken}</div> })}
        </Fact>
    }
}
