//! A line of a conversation: a segment of one side, or a gap.

use leadscribe_engine::api::{RecordingSide, Segment, Word};
use leadscribe_engine::transcript_search::display_words;
use leptos::prelude::*;

use super::gaps::Gap;
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
    let seconds = gap.end - gap.start;
    let text = match (seconds < 60.0, gap.has_sounds) {
        (true, true) => texts::seconds_without_words(seconds.round()),
        (true, false) => texts::seconds_without_speech(seconds.round()),
        (false, true) => texts::minutes_without_words(datetime::format_duration(seconds)),
        (false, false) => texts::minutes_without_speech(datetime::format_duration(seconds)),
    };
    view! {
        <li class="gap" data-test="gap">
            {text}
        </li>
    }
}
