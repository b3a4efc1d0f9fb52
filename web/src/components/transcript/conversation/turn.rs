//! A line of a conversation: a segment of one side, or a gap.

use leadscribe_engine::api::{RecordingSide, Segment, Word};
use leptos::prelude::*;

use super::gaps::Gap;
use super::spoken::pieces;
use crate::texts::call as texts;
use crate::when;

/// Confidence below which a word is marked: it is as likely wrong as right.
pub const UNSURE: f64 = 0.5;

/// Text with which the server replaces a possible payment card number.
const TAKEN_OUT: &str = "[card number]";

/// Label of a side.
pub fn speaker(side: RecordingSide) -> &'static str {
    match side {
        RecordingSide::Caller => texts::caller(),
        RecordingSide::Callee => texts::callee(),
        RecordingSide::Both => texts::both_sides(),
    }
}

/// A segment; its words are numbered from `first`.
#[component]
pub fn Turn(segment: Segment, first: usize, named: bool, language: Option<String>) -> impl IntoView {
    let side = segment.side.as_str();
    let words = pieces(&segment).into_iter().enumerate().map(|(index, (before, text))| {
        let (class, title) = look(segment.words.get(index), &text);
        let number = (first + index).to_string();
        view! {
            {before}
            <span class=class title=title data-word=number>
                {text}
            </span>
        }
    });
    let time = when::length(segment.start.floor());
    let label = texts::play_from(&time);
    view! {
        <li class=format!("turn side-{side}") data-test="segment" data-side=side>
            <div class="turn-head">
                <span class=if named { "turn-name" } else { "visually-hidden" }>{speaker(segment.side)}</span>
                <button type="button" class="turn-time" aria-label=label data-word=first.to_string()>
                    {time.clone()}
                </button>
            </div>
            <p class="turn-text" lang=language>
                {words.collect_view()}
            </p>
        </li>
    }
}

/// CSS classes of a word, and its title on hover.
fn look(word: Option<&Word>, text: &str) -> (&'static str, Option<String>) {
    if text.starts_with(TAKEN_OUT) {
        return ("word taken-out", Some(texts::taken_out().to_owned()));
    }
    match word {
        Some(word) if word.confidence < UNSURE => {
            let percent = (word.confidence * 100.0).round();
            ("word unsure", Some(texts::confidence(percent)))
        }
        _ => ("word", None),
    }
}

/// A gap.
#[component]
pub fn GapLine(gap: Gap) -> impl IntoView {
    let seconds = gap.end - gap.start;
    let text = match (seconds < 60.0, gap.sounds) {
        (true, true) => texts::seconds_without_words(seconds.round()),
        (true, false) => texts::seconds_without_speech(seconds.round()),
        (false, true) => texts::minutes_without_words(when::length(seconds)),
        (false, false) => texts::minutes_without_speech(when::length(seconds)),
    };
    view! {
        <li class="gap" data-test="gap">
            {text}
        </li>
    }
}
