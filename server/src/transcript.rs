//! A transcript before it is stored: the result of speech recognition.

use leadscribe_engine::api::{DroppedSpan, Segment, SpeechEngine, TranscribedSide};

/// A worker's result: a transcript without the data that the store already has.
#[derive(Clone, Debug, PartialEq)]
pub struct NewTranscript {
    /// Predominant language.
    pub language: Option<String>,
    /// Length of the recording, in seconds.
    pub duration: f64,
    /// Spoken segments, by time.
    pub segments: Vec<Segment>,
    /// Sides of the call.
    pub sides: Vec<TranscribedSide>,
    /// Parts that were dropped.
    pub dropped: Vec<DroppedSpan>,
    /// Number of redacted card numbers.
    pub redactions: u32,
    /// Engine that recognized the speech.
    pub engine: SpeechEngine,
}
