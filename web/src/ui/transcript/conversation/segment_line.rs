//! A line of a conversation: a segment of one side, or a gap.

use leadscribe_engine::api::{DropReason, DroppedSpan, RecordingSide, Segment, Transcript, Word};
use leadscribe_engine::transcript_search::display_words;
use leptos::prelude::*;

use crate::i18n::datetime;
use crate::i18n::texts::call as texts;

/// Confidence below which a word is marked: it is as likely wrong as right.
pub const UNCERTAIN_CONFIDENCE: f64 = 0.5;

/// Text with which the server replaces a possible payment card number.
const REDACTED_CARD_NUMBER: &str = "[card number]";

pub fn side_label(side: RecordingSide) -> &'static str {
    match side {
        RecordingSide::Caller => texts::caller(),
        RecordingSide::Callee => texts::callee(),
        RecordingSide::Both => texts::both_sides(),
    }
}

/// A segment; its words are numbered from `first_word`.
#[component]
pub fn SegmentLine(
    segment: Segment,
    first_word: usize,
    shows_speaker: bool,
    language: Option<String>,
) -> impl IntoView {
    let side = segment.side.as_str();
    let words = display_words(&segment).into_iter().enumerate().map(|(index, (preceding, text))| {
        let (class, title) = word_style(segment.words.get(index), &text);
        let number = (first_word + index).to_string();
        view! {
            {preceding}
            <span class=class title=title data-word=number>
                {text}
            </span>
        }
    });
    let time = datetime::format_duration(segment.start.floor());
    let label = texts::play_from(&time);
    view! {
        <li class=format!("segment-line side-{side}") data-test="segment" data-side=side>
            <div class="segment-header">
                <span class=if shows_speaker { "segment-speaker" } else { "visually-hidden" }>{side_label(segment.side)}</span>
                <button type="button" class="segment-time" aria-label=label data-word=first_word.to_string()>
                    {time.clone()}
                </button>
            </div>
            <p class="segment-text" lang=language>
                {words.collect_view()}
            </p>
        </li>
    }
}

/// CSS classes of a word, and its title on hover.
fn word_style(word: Option<&Word>, text: &str) -> (&'static str, Option<String>) {
    if text.starts_with(REDACTED_CARD_NUMBER) {
        return ("word redacted", Some(texts::redacted_title().to_owned()));
    }
    match word {
        Some(word) if word.confidence < UNCERTAIN_CONFIDENCE => {
            let percent = (word.confidence * 100.0).round();
            ("word uncertain", Some(texts::confidence(percent)))
        }
        _ => ("word", None),
    }
}

#[component]
pub fn GapLine(gap: Gap) -> impl IntoView {
    let length = datetime::format_duration_in_words(gap.end - gap.start);
    let text = if gap.has_sounds { texts::time_without_words(length) } else { texts::time_without_speech(length) };
    view! {
        <li class="gap" data-test="gap">
            {text}
        </li>
    }
}

/// Minimum length of a gap in seconds. Shorter silence is part of a conversation.
const MIN_GAP_SECONDS: f64 = 3.0;

/// Part of a call without text on any side.
#[derive(Clone, Debug, PartialEq)]
pub struct Gap {
    /// Start in seconds.
    pub start: f64,
    /// End in seconds.
    pub end: f64,
    /// True if there are sounds without words.
    pub has_sounds: bool,
}

/// Gaps of a transcript in order. Silence of one side while the other speaks is not a gap.
pub fn find_gaps(transcript: &Transcript) -> Vec<Gap> {
    let side_gaps = |side: RecordingSide| {
        let gap = |span: &DroppedSpan| Gap {
            start: span.start,
            end: span.end,
            has_sounds: span.reason == DropReason::NoWords,
        };
        transcript.dropped.iter().filter(|span| span.side == side).map(gap).collect::<Vec<_>>()
    };
    let sides = transcript.sides.iter().map(|side| side_gaps(side.side));
    let mut gaps = sides
        .reduce(|first, second| intersect(&merge_adjacent(first), &merge_adjacent(second)))
        .map(merge_adjacent)
        .unwrap_or_default();
    gaps.retain(|gap| gap.end - gap.start >= MIN_GAP_SECONDS);
    gaps
}

/// Merges adjacent gaps: a side may be silent, then cough, then be silent again.
fn merge_adjacent(gaps: Vec<Gap>) -> Vec<Gap> {
    let merge = |gaps: &[Gap]| Gap {
        start: gaps[0].start,
        end: gaps[gaps.len() - 1].end,
        has_sounds: gaps.iter().any(|gap| gap.has_sounds),
    };
    gaps.chunk_by(|gap, next| next.start - gap.end < 0.05).map(merge).collect()
}

/// Intersection of the gaps of two sides.
fn intersect(first: &[Gap], second: &[Gap]) -> Vec<Gap> {
    let pairs = first.iter().flat_map(|a| second.iter().map(move |b| (a, b)));
    let overlaps = pairs.map(|(a, b)| Gap {
        start: a.start.max(b.start),
        end: a.end.min(b.end),
        has_sounds: a.has_sounds || b.has_sounds,
    });
    overlaps.filter(|gap| gap.end > gap.start).collect()
}

#[cfg(test)]
mod tests {
    use crate::ui::transcript::conversation::segment_line::*;

    fn gap(start: f64, end: f64, has_sounds: bool) -> Gap {
        Gap { start, end, has_sounds }
    }

    #[test]
    fn gap_requires_silence_on_all_sides() {
        let caller = merge_adjacent(vec![gap(0.0, 4.0, false), gap(4.0, 6.0, true), gap(20.0, 30.0, false)]);
        assert_eq!(caller, [gap(0.0, 6.0, true), gap(20.0, 30.0, false)]);
        let callee = [gap(2.0, 10.0, false), gap(22.0, 24.0, false), gap(26.0, 40.0, true)];
        assert_eq!(intersect(&caller, &callee), [gap(2.0, 6.0, true), gap(22.0, 24.0, false), gap(26.0, 30.0, true)]);
        assert_eq!(intersect(&caller, &[]), []);
    }
}
