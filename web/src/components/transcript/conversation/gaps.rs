//! Gaps: parts of a call without speech.

use leadscribe_engine::api::{DropReason, Dropped, RecordingSide, Transcript};

/// Minimum length of a gap in seconds. Shorter silence is part of a conversation.
const SHORTEST: f64 = 3.0;

/// Part of a call without text on any side.
#[derive(Clone, Debug, PartialEq)]
pub struct Gap {
    /// Start in seconds.
    pub start: f64,
    /// End in seconds.
    pub end: f64,
    /// True if there are sounds without words.
    pub sounds: bool,
}

/// Gaps of a transcript in order. Silence of one side while the other speaks is not a gap.
pub fn gaps(transcript: &Transcript) -> Vec<Gap> {
    let dropped = |side: RecordingSide| {
        let gap = |dropped: &Dropped| Gap {
            start: dropped.start,
            end: dropped.end,
            sounds: dropped.reason == DropReason::NoWords,
        };
        transcript.dropped.iter().filter(|dropped| dropped.side == side).map(gap).collect::<Vec<_>>()
    };
    let sides = transcript.sides.iter().map(|side| dropped(side.side));
    let mut gaps = sides.reduce(|one, other| common(&joined(one), &joined(other))).map(joined).unwrap_or_default();
    gaps.retain(|gap| gap.end - gap.start >= SHORTEST);
    gaps
}

/// Merges adjacent gaps: a side may be silent, then cough, then be silent again.
fn joined(gaps: Vec<Gap>) -> Vec<Gap> {
    let mut joined: Vec<Gap> = Vec::new();
    for gap in gaps {
        match joined.last_mut() {
            Some(last) if gap.start - last.end < 0.05 => {
                last.end = last.end.max(gap.end);
                last.sounds |= gap.sounds;
            }
            _ => joined.push(gap),
        }
    }
    joined
}

/// Intersection of the gaps of two sides.
fn common(one: &[Gap], other: &[Gap]) -> Vec<Gap> {
    let pairs = one.iter().flat_map(|a| other.iter().map(move |b| (a, b)));
    let both =
        pairs.map(|(a, b)| Gap { start: a.start.max(b.start), end: a.end.min(b.end), sounds: a.sounds || b.sounds });
    both.filter(|gap| gap.end > gap.start).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn gap(start: f64, end: f64, sounds: bool) -> Gap {
        Gap { start, end, sounds }
    }

    #[test]
    fn gap_requires_silence_on_all_sides() {
        let caller = joined(vec![gap(0.0, 4.0, false), gap(4.0, 6.0, true), gap(20.0, 30.0, false)]);
        assert_eq!(caller, [gap(0.0, 6.0, true), gap(20.0, 30.0, false)]);
        let callee = [gap(2.0, 10.0, false), gap(22.0, 24.0, false), gap(26.0, 40.0, true)];
        assert_eq!(common(&caller, &callee), [gap(2.0, 6.0, true), gap(22.0, 24.0, false), gap(26.0, 30.0, true)]);
        assert_eq!(common(&caller, &[]), []);
    }
}
