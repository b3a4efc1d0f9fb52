//! Details of transcriptions, and transcripts as conversations.

pub mod conversation;

use leadscribe_engine::api::{TranscribedSide, Transcript, Transcription};
use leptos::prelude::*;

use crate::i18n::datetime;
use crate::i18n::texts::{call as texts, common};
use crate::ui::transcript::conversation::side_label;
use crate::ui::{Card, CodeKind, DescriptionItem, DescriptionList, LocalTime, OptionalLocalTime};

#[component]
pub fn TranscriptionDetails(
    transcription: Transcription,
    /// Name of the token that requested it, once known.
    token: Signal<Option<String>>,
) -> impl IntoView {
    let id = transcription.id;
    let number = format!("#{}", transcription.token_id);
    let token = move || token.get().unwrap_or_else(|| number.clone());
    let languages =
        transcription.languages.iter().map(|code| CodeKind::Language.display_name(code)).collect::<Vec<_>>().join(", ");
    let duration_seconds = transcription
        .started_at
        .zip(transcription.finished_at)
        .map(|(start, end)| (end - start).num_milliseconds() as f64 / 1e3);
    view! {
        <Card title=common::transcription() header=move || view! { <span class="small muted">"#" {id.to_string()}</span> }>
            <DescriptionList>
                <DescriptionItem label=texts::languages()>{languages}</DescriptionItem>
                <DescriptionItem label=texts::side()>{side_label(transcription.recording_side)}</DescriptionItem>
                <DescriptionItem label=texts::sent()>
                    <LocalTime at=transcription.queued_at />
                </DescriptionItem>
                <DescriptionItem label=texts::finished()>
                    <OptionalLocalTime at=transcription.finished_at />
                </DescriptionItem>
                {duration_seconds.map(|duration_seconds| {
                    let text = common::seconds(datetime::format_tenths(duration_seconds));
                    view! { <DescriptionItem label=common::duration()>{text}</DescriptionItem> }
                })}
                <DescriptionItem label=common::attempts()>{transcription.attempts.to_string()}</DescriptionItem>
                <DescriptionItem label=common::token()>
                    <span data-test="sent-by">{token}</span>
                </DescriptionItem>
            </DescriptionList>
        </Card>
    }
}

#[component]
pub fn TranscriptDetails(transcript: Transcript) -> impl IntoView {
    let words: usize = transcript.segments.iter().map(|segment| segment.words.len()).sum();
    let engine = format!("{} · {}", transcript.engine.name, transcript.engine.model);
    let redactions = match transcript.redactions {
        0 => texts::none_redacted().to_owned(),
        count => texts::numbers(count.into()),
    };
    let sides = transcript.sides.into_iter().map(side_details);
    view! {
        <Card title=common::transcript() test_id="transcript-details">
            <DescriptionList>
                {sides.collect_view()}
                <DescriptionItem label=texts::words()>{datetime::format_count(words as u64)}</DescriptionItem>
                <DescriptionItem label=texts::redacted_numbers()>{redactions}</DescriptionItem>
                <DescriptionItem label=texts::recognizer()>{engine}</DescriptionItem>
            </DescriptionList>
        </Card>
    }
}

/// Language of a side with its confidence, and its speaking time.
fn side_details(side: TranscribedSide) -> impl IntoView {
    let speech_time = texts::length_of_speech(datetime::format_duration(side.speech_seconds));
    let language = match (&side.language, side.language_confidence) {
        (None, _) => texts::no_speech_label().to_owned(),
        (Some(code), Some(confidence)) if confidence < 1.0 => {
            texts::language_with_confidence(CodeKind::Language.display_name(code), (confidence * 100.0).round())
        }
        (Some(code), _) => CodeKind::Language.display_name(code),
    };
    let has_language = side.language.is_some();
    view! {
        <DescriptionItem label=side_label(side.side)>
            {language} {has_language.then(|| view! { <div class="cell-detail">{speech_time}</div> })}
        </DescriptionItem>
    }
}
