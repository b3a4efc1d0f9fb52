//! Parses `verbose_json` responses.
//!
//! Servers differ. Some list words beside the segments, some within them, some not at all; some have no segments. Times are
//! in seconds, milliseconds, microseconds or nanoseconds, or strings, or missing. An impossible time is treated as missing;
//! the words are then spread over the known time. Segments may be in any order, and may have only a part of the text or
//! none.

use leadscribe_engine::api::Word;
use serde::de::IgnoredAny;
use serde::{Deserialize, Deserializer};

use super::missing_text;
use crate::speech::Recognized;
use crate::speech::tags::is_tag;

/// Confidence of a response without confidence: neither sure nor unsure.
pub(super) const UNKNOWN: f64 = 0.5;

/// A segment with a higher probability of silence than this, and a lower log probability of its words than [`UNLIKELY`], is
/// silence. Corresponds to `no_speech_threshold` and `logprob_threshold` of whisper/transcribe.py.
const SILENCE: f64 = 0.6;

/// See [`SILENCE`].
const UNLIKELY: f64 = -1.0;

/// Units of time that servers use, in seconds, milliseconds, microseconds and nanoseconds.
const UNITS: [f64; 4] = [1.0, 1e-3, 1e-6, 1e-9];

/// Window of Whisper models, in seconds. Some servers end the last segment of a shorter piece there.
const WHISPER_WINDOW: f64 = 30.0;

/// Tolerance for rounded times, in seconds.
const TIME_TOLERANCE: f64 = 1.0;

/// Minimum share of a piece that its times must cover if their unit is less than a second. A piece begins and ends with
/// speech, so its last word ends near its end.
const SHORTEST_REACH: f64 = 0.1;

/// The used fields of a response.
#[derive(Debug, Deserialize)]
pub(super) struct Answer {
    /// The whole text.
    text: Option<String>,
    /// Name or code of the language.
    pub(super) language: Option<String>,
    segments: Option<Vec<AnsweredSegment>>,
    words: Option<Vec<AnsweredWord>>,
}

#[derive(Debug, Default, Deserialize)]
pub(super) struct AnsweredSegment {
    #[serde(default, deserialize_with = "number")]
    start: Option<f64>,
    #[serde(default, deserialize_with = "number")]
    pub(super) end: Option<f64>,
    pub(super) text: Option<String>,
    #[serde(default, deserialize_with = "number")]
    avg_logprob: Option<f64>,
    #[serde(default, deserialize_with = "number")]
    no_speech_prob: Option<f64>,
    words: Option<Vec<AnsweredWord>>,
}

#[derive(Clone, Debug, Deserialize)]
struct AnsweredWord {
    word: String,
    #[serde(default, deserialize_with = "number")]
    start: Option<f64>,
    #[serde(default, deserialize_with = "number")]
    end: Option<f64>,
    #[serde(default, deserialize_with = "number")]
    probability: Option<f64>,
}

/// Deserializes a number, which may be written as a string. Any other value is `None`.
fn number<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<f64>, D::Error> {
    #[derive(Deserialize)]
    #[serde(untagged)]
    enum Value {
        Number(f64),
        Text(String),
        Other(IgnoredAny),
    }
    let number = match Value::deserialize(deserializer)? {
        Value::Number(number) => Some(number),
        Value::Text(text) => text.trim().parse().ok(),
        Value::Other(_) => None,
    };
    Ok(number.filter(|number: &f64| number.is_finite()))
}

impl Answer {
    /// Returns whether any field has text, which may be empty.
    pub(super) fn has_text(&self) -> bool {
        let has_text = |segment: &AnsweredSegment| segment.text.is_some() || segment.words.is_some();
        let segments = self.segments.as_deref().unwrap_or_default();
        self.text.is_some() || self.words.is_some() || segments.iter().any(has_text)
    }

    /// Returns the mean log probability of the tokens, weighted by the length of the segments. `None` if the server doesn't
    /// send it or nothing was said.
    pub(super) fn mean_logprob(&self) -> Option<f64> {
        let mut sum = (0.0, 0.0);
        for segment in self.segments.iter().flatten().filter(|segment| segment.is_speech()) {
            // A segment without length still has a small weight.
            let seconds = segment.start.zip(segment.end).map_or(0.0, |(start, end)| end - start).max(0.01);
            sum = (sum.0 + segment.avg_logprob? * seconds, sum.1 + seconds);
        }
        (sum.1 > 0.0).then(|| sum.0 / sum.1)
    }

    /// Returns the segments recognised in a piece of this length.
    pub(super) fn recognized(self, seconds: f64) -> Vec<Recognized> {
        let mut words: Vec<_> = self.words.into_iter().flatten().filter(|word| !word.word.trim().is_empty()).collect();
        let mut segments = self.segments.unwrap_or_default();
        correct_times(&mut segments, &mut words, seconds);
        for segment in &mut segments {
            let own = in_order(segment.words.take().unwrap_or_default(), segment.text());
            if segment.text().is_empty() {
                segment.text = Some(join(&own));
            }
            segment.words = Some(own);
        }
        sort_by_start(&mut segments, |segment| segment.start);
        let mut segments = missing_text::add(segments, &self.text.unwrap_or_default());
        let told: String = segments.iter().map(AnsweredSegment::text).collect();
        let words = in_order(words, &told);
        if told.is_empty() {
            segments = missing_text::add(segments, &join(&words));
        }
        let words = give_words_by_text(&mut segments, words);
        for segment in &mut segments {
            let own = segment.words.as_deref().unwrap_or_default();
            segment.start = segment.start.or_else(|| own.iter().find_map(|word| word.start));
            segment.end = segment.end.or_else(|| own.iter().rev().find_map(|word| word.end));
        }
        let spans = spans(&segments, seconds);
        give_words_by_time(&mut segments, &spans, words);
        let segments = segments.into_iter().zip(spans).filter(|(segment, _)| segment.is_speech());
        segments.map(|(segment, span)| segment.recognized(span)).collect()
    }
}

impl AnsweredSegment {
    pub(super) fn text(&self) -> &str {
        self.text.as_deref().unwrap_or_default().trim()
    }

    pub(super) fn is_speech(&self) -> bool {
        let silent = self.no_speech_prob.is_some_and(|probability| probability > SILENCE)
            && self.avg_logprob.is_some_and(|logprob| logprob < UNLIKELY);
        !silent && !is_tag(self.text())
    }

    fn recognized(self, (start, end): (f64, f64)) -> Recognized {
        let confidence = self.avg_logprob.map_or(UNKNOWN, f64::exp).clamp(0.0, 1.0);
        let text = self.text().to_owned();
        let mut earliest = start;
        let word = |word: AnsweredWord| {
            let begin = word.start?.clamp(earliest, end.max(earliest));
            let finish = word.end?.clamp(begin, end.max(begin));
            earliest = finish;
            let confidence = word.probability.unwrap_or(confidence).clamp(0.0, 1.0);
            Some(Word { word: word.word.trim().to_owned(), start: begin, end: finish, confidence })
        };
        let words = self.words.into_iter().flatten().filter_map(word).collect();
        Recognized { start, end, text, confidence, words }
    }
}

/// Returns the text of words that have no text beside them.
fn join(words: &[AnsweredWord]) -> String {
    words.iter().map(|word| word.word.trim()).collect::<Vec<_>>().join(" ")
}

/// Converts the times of segments and words to seconds. Times outside the piece are removed.
fn correct_times(segments: &mut [AnsweredSegment], words: &mut [AnsweredWord], seconds: f64) {
    let of_segments = segments.iter_mut().map(|segment| (&mut segment.start, &mut segment.end));
    to_seconds(&mut of_segments.collect::<Vec<_>>(), seconds);
    let within = segments.iter_mut().flat_map(|segment| segment.words.iter_mut().flatten());
    let of_words = within.chain(words).map(|word| (&mut word.start, &mut word.end));
    to_seconds(&mut of_words.collect::<Vec<_>>(), seconds);
}

/// Converts pairs of start and end, all in the same unit, to seconds from 0 to `seconds`.
fn to_seconds(times: &mut [(&mut Option<f64>, &mut Option<f64>)], seconds: f64) {
    let latest = times.iter().flat_map(|(start, end)| [**start, **end]).flatten().fold(0.0, f64::max);
    let fits = |unit: &f64| {
        let latest = latest * unit;
        if *unit == 1.0 {
            latest <= seconds.max(WHISPER_WINDOW) + TIME_TOLERANCE
        } else {
            (seconds * SHORTEST_REACH..=seconds + TIME_TOLERANCE).contains(&latest)
        }
    };
    let unit = UNITS.iter().find(|unit| latest > 0.0 && fits(unit));
    for (start, end) in times {
        let within = unit.zip(start.zip(**end)).and_then(|(unit, (start, end))| {
            let (start, end) = (start * unit, end * unit);
            let is_possible = start >= -TIME_TOLERANCE && start < seconds && end >= start;
            is_possible.then(|| (start.clamp(0.0, seconds), end.clamp(0.0, seconds)))
        });
        // A start without an end, or the reverse, is still useful.
        let alone = |time: Option<f64>| {
            let time = time? * unit?;
            (0.0..=seconds).contains(&time).then_some(time)
        };
        let (new_start, new_end) = match (**start, **end) {
            (Some(_), Some(_)) => (within.map(|(start, _)| start), within.map(|(_, end)| end)),
            (start, end) => (alone(start), alone(end)),
        };
        (**start, **end) = (new_start, new_end);
    }
}

/// Returns the start and end of each segment. Unknown times are interpolated: segments without times share the time between
/// their neighbours by the length of their texts.
fn spans(segments: &[AnsweredSegment], seconds: f64) -> Vec<(f64, f64)> {
    let length = |segment: &AnsweredSegment| segment.text().chars().count().max(1) as f64;
    let mut earliest = 0.0;
    let mut spans = Vec::with_capacity(segments.len());
    for (index, segment) in segments.iter().enumerate() {
        let start = segment.start.unwrap_or(earliest);
        let end = segment.end.unwrap_or_else(|| {
            let after = &segments[index + 1..];
            let untimed = after.iter().take_while(|segment| segment.start.is_none());
            let limit = after.iter().find_map(|segment| segment.start).unwrap_or(seconds);
            let letters = length(segment) + untimed.map(length).sum::<f64>();
            start + (limit - start).max(0.0) * length(segment) / letters
        });
        spans.push((start, end.max(start)));
        earliest = end.max(start);
    }
    spans
}

/// Sorts entries by time. An entry without a start stays after the previous one.
fn sort_by_start<T>(list: &mut Vec<T>, start: impl Fn(&T) -> Option<f64>) {
    let mut latest = 0.0;
    let mut timed: Vec<(f64, T)> = Vec::with_capacity(list.len());
    for entry in list.drain(..) {
        latest = start(&entry).unwrap_or(latest);
        timed.push((latest, entry));
    }
    timed.sort_by(|one, other| one.0.total_cmp(&other.0));
    list.extend(timed.into_iter().map(|(_, entry)| entry));
}

/// Sorts words by time, unless they are already in the order of the text.
fn in_order(mut words: Vec<AnsweredWord>, text: &str) -> Vec<AnsweredWord> {
    if bare(&join(&words)) != bare(text) {
        sort_by_start(&mut words, |word| word.start);
    }
    words
}

/// Moves the listed words into the segments if they match the segments' texts. Returns the remaining words. If segments have
/// words of their own, listed words are dropped.
fn give_words_by_text(segments: &mut [AnsweredSegment], words: Vec<AnsweredWord>) -> Vec<AnsweredWord> {
    if segments.iter().any(|segment| segment.words.as_ref().is_some_and(|words| !words.is_empty())) {
        return Vec::new();
    }
    if let [only] = segments {
        only.words = Some(words);
        return Vec::new();
    }
    let told = segments.iter().flat_map(|segment| segment.text().split_whitespace());
    let same =
        told.clone().count() == words.len() && told.zip(&words).all(|(told, word)| bare(told) == bare(&word.word));
    if !same {
        return words;
    }
    let mut words = words.into_iter();
    for segment in segments {
        segment.words = Some(words.by_ref().take(segment.text().split_whitespace().count()).collect());
    }
    Vec::new()
}

/// Moves words into the segments by their times.
fn give_words_by_time(segments: &mut [AnsweredSegment], spans: &[(f64, f64)], words: Vec<AnsweredWord>) {
    let mut words = words.into_iter().peekable();
    let last = segments.len().saturating_sub(1);
    for (index, (segment, span)) in segments.iter_mut().zip(spans).enumerate() {
        let belongs = |word: &AnsweredWord| {
            word.start.zip(word.end).is_none_or(|(start, end)| f64::midpoint(start, end) < span.1)
        };
        while let Some(word) = words.next_if(|word| index == last || belongs(word)) {
            segment.words.get_or_insert_default().push(word);
        }
    }
}

/// Returns the letters and digits of a text in lower case.
fn bare(text: &str) -> String {
    text.chars().filter(|c| c.is_alphanumeric()).flat_map(char::to_lowercase).collect()
}

#[cfg(test)]
mod tests;
