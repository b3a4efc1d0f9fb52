//! Whether a recording is one that a submission asks for.

use crate::api::{Recording, RecordingSide, SkipReason};

/// Why a recording can't be transcribed as it was asked for, `side` of it and `min_duration` seconds long at least; none when it
/// can. The first reason that applies, in the documented order.
pub fn misfit(recording: &Recording, side: RecordingSide, min_duration: u32) -> Option<SkipReason> {
    if recording.duration_seconds.unwrap_or(0.0) < f64::from(min_duration) {
        Some(SkipReason::TooShort)
    } else if side != RecordingSide::Both && recording.channels == Some(1) {
        Some(SkipReason::SideUnavailable)
    } else {
        None
    }
}
