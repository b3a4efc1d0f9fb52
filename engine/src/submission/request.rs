//! A valid submission.

use crate::api::{CallId, RecordingSide, Timestamp};
use crate::callback::CallbackTarget;

/// Maximum number of calls per submission.
pub const MAX_CALL_IDS: usize = 1_000;

/// Maximum number of languages per submission.
pub const MAX_LANGUAGES: usize = 3;

/// Maximum `min_duration`, in seconds: a day.
pub const MAX_MIN_DURATION: u32 = 86_400;

/// A valid submission. Only [`super::parse`] creates it from external input.
#[derive(Clone, PartialEq, Eq)]
pub struct Submission {
    /// The calls without duplicates, in input order; 1 to [`MAX_CALL_IDS`].
    pub call_ids: Vec<CallId>,
    /// The secret of the token; empty for [`super::TokenRule::Absent`].
    pub token: String,
    /// Canonical BCP 47 codes without duplicates, 1 to [`MAX_LANGUAGES`].
    pub languages: Vec<String>,
    /// The side to transcribe.
    pub recording_side: RecordingSide,
    /// Minimum length of a recording, in seconds, inclusive; 1 to [`MAX_MIN_DURATION`].
    pub min_duration: u32,
    /// Only calls created at or after this time.
    pub from: Option<Timestamp>,
    /// Only calls created at or before this time; never before `from`.
    pub till: Option<Timestamp>,
    /// Receives each accepted call when its transcription ends.
    pub callback: Option<CallbackTarget>,
}

impl std::fmt::Debug for Submission {
    /// Omits the token, so that it can't appear in logs.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Submission")
            .field("call_ids", &self.call_ids)
            .field("languages", &self.languages)
            .field("recording_side", &self.recording_side)
            .field("min_duration", &self.min_duration)
            .field("from", &self.from)
            .field("till", &self.till)
            .field("callback", &self.callback)
            .finish_non_exhaustive()
    }
}
