//! A sample call, for previews and test deliveries.

use chrono::{DateTime, TimeDelta};
use serde_json::{Value, json};

use super::{Placeholder, Values};
use crate::api::{
    CallId, RecordingSide, Segment, SpeechEngine, Timestamp, TranscribedSide, Transcript, TranscriptionId, Word,
};
use crate::{formats, time};

/// Creation time of the call: 1 May 2026, 09:30 UTC.
const CREATED_AT_SECONDS: i64 = 1_777_627_800;

/// Returns the values of the sample call.
pub fn sample() -> Values {
    let transcript = transcript();
    Placeholder::ALL.iter().map(|placeholder| (*placeholder, value(*placeholder, &transcript))).collect()
}

fn value(placeholder: Placeholder, transcript: &Transcript) -> Value {
    match placeholder {
        Placeholder::CallId => transcript.call_id.0.into(),
        Placeholder::TranscriptionId => transcript.transcription_id.0.into(),
        Placeholder::SpeechRequestId => 31.into(),
        Placeholder::LeadId => 204.into(),
        Placeholder::FirstName => "Ann".into(),
        Placeholder::LastName => "O'Neill".into(),
        Placeholder::Email => "ann.oneill@example.com".into(),
        Placeholder::Phone => "+1 555 0100".into(),
        Placeholder::OriginalIdentifier => "CRM-204".into(),
        Placeholder::CampaignId => 7.into(),
        Placeholder::CampaignName => "Spring offers".into(),
        Placeholder::Agent => "Jordan Reyes".into(),
        Placeholder::Direction => "outbound".into(),
        Placeholder::CallStatus => "answered".into(),
        Placeholder::CallCreatedAt => time::print(timestamp(0)).into(),
        Placeholder::StartedAt => time::print(timestamp(5)).into(),
        Placeholder::EndedAt => time::print(timestamp(13)).into(),
        Placeholder::TranscriptionStatus => "completed".into(),
        Placeholder::Error => Value::Null,
        Placeholder::Duration => json!(transcript.duration),
        Placeholder::Language => json!(transcript.language),
        Placeholder::TranscriptText => formats::text(transcript).into(),
        Placeholder::SpeechResult => json!(transcript),
        // The call is delivered by a callback, which has no event.
        Placeholder::EventId
        | Placeholder::EventType
        | Placeholder::EventTime
        | Placeholder::EventSubject
        | Placeholder::EventData => Value::Null,
    }
}

fn transcript() -> Transcript {
    let side = |side, speech_seconds| TranscribedSide {
        side,
        language: Some("en".to_owned()),
        language_confidence: Some(1.0),
        speech_seconds,
    };
    let words = |words: &[(&str, f64, f64)]| {
        let word = |(word, start, end): &(&str, f64, f64)| Word {
            word: (*word).to_owned(),
            start: *start,
            end: *end,
            confidence: 0.97,
        };
        words.iter().map(word).collect()
    };
    let segment = |side, text: &str, words: Vec<Word>| Segment {
        start: words.first().map_or(0.0, |word| word.start),
        end: words.last().map_or(0.0, |word| word.end),
        side,
        text: text.to_owned(),
        confidence: 0.97,
        words,
    };
    Transcript {
        call_id: CallId(5012),
        transcription_id: TranscriptionId(88),
        language: Some("en".to_owned()),
        duration: 8.0,
        segments: vec![
            segment(
                RecordingSide::Caller,
                "Hello, how can I help?",
                words(&[
                    ("Hello,", 0.5, 0.9),
                    ("how", 1.1, 1.3),
                    ("can", 1.3, 1.5),
                    ("I", 1.5, 1.6),
                    ("help?", 1.6, 2.0),
                ]),
            ),
            segment(
                RecordingSide::Callee,
                "When is my delivery?",
                words(&[("When", 2.8, 3.1), ("is", 3.1, 3.3), ("my", 3.3, 3.5), ("delivery?", 3.5, 4.2)]),
            ),
        ],
        sides: vec![side(RecordingSide::Caller, 1.5), side(RecordingSide::Callee, 1.4)],
        dropped: Vec::new(),
        redactions: 0,
        engine: SpeechEngine { name: "sample".to_owned(), model: "none".to_owned() },
        created_at: timestamp(60),
    }
}

/// Returns the time this many seconds after the creation of the call.
fn timestamp(seconds: i64) -> Timestamp {
    DateTime::UNIX_EPOCH + TimeDelta::seconds(CREATED_AT_SECONDS + seconds)
}
