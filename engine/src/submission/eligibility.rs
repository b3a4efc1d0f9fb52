//! Checks whether a recording satisfies a submission.

use crate::api::{Recording, RecordingSide, SkipReason};

/// Returns the reason why a recording can't be transcribed as requested: `side` must be available, and it must have at least `min_duration`
/// seconds. If several reasons apply, returns the first in documented order; `None` if it can be transcribed.
pub fn recording_skip_reason(recording: &Recording, side: RecordingSide, min_duration: u32) -> Option<SkipReason> {
    if recording.duration_seconds.unwrap_or(0.0) < f64::from(min_duration) {
        Some(SkipReason::TooShort)
    } else if side != RecordingSide::Both && recording.channels == Some(1) {
        Some(SkipReason::SideUnavailable)
    } else {
        None
    }
}
