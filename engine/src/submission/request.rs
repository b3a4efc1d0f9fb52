//! A submission that keeps all rules.

use crate::api::{CallId, RecordingSide, Timestamp};

/// Most calls of one submission.
pub const MAX_CALL_IDS: usize = 1_000;

/// Most languages of one submission.
pub const MAX_LANGUAGES: usize = 3;

/// Largest `min_duration`, in seconds: a day.
pub const MAX_MIN_DURATION: u32 = 86_400;

/// A checked submission. Only [`super::read`] makes one from outside input.
#[derive(Clone, PartialEq, Eq)]
pub struct Submission {
    /// The calls, each once, in the order they were given; 1 to [`MAX_CALL_IDS`].
    pub call_ids: Vec<CallId>,
    /// The secret of the token; empty where [`super::TokenRule::Absent`] was asked for.
    pub token: String,
    /// Canonical BCP 47 codes, each once, 1 to [`MAX_LANGUAGES`].
    pub languages: Vec<String>,
    /// Which side is transcribed.
    pub recording_side: RecordingSide,
    /// Shortest recording that is taken, in seconds, inclusive; 1 to [`MAX_MIN_DURATION`].
    pub min_duration: u32,
    /// Only calls created at this moment or later.
    pub from: Option<Timestamp>,
    /// Only calls created at this moment or before; never before `from`.
    pub till: Option<Timestamp>,
}

impl std::fmt::Debug for Submission {
    /// Leaves the token out, so that no log can hold it.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Submission")
            .field("call_ids", &self.call_ids)
            .field("languages", &self.languages)
            .field("recording_side", &self.recording_side)
            .field("min_duration", &self.min_duration)
            .field("from", &self.from)
            .field("till", &self.till)
            .finish_non_exhaustive()
    }
}
