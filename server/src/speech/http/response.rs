//! Parses `verbose_json` responses.
//!
//! Servers differ. Some list words next to the segments, some within them, some not at all; some have no segments. Times are
//! in seconds, milliseconds, microseconds or nanoseconds, or strings, or missing. An impossible time is treated as missing;
//! the words are then spread over the known time. Segments may be in any order, and may have only a part of the text or
//! none.

use leadscribe_engine::api::Word;
use serde::de::IgnoredAny;
use serde::{Deserialize, Deserializer};

use super::missing_text;
use crate::speech::RecognizedSegment;
use crate::speech::annotations::is_annotation;

/// Confidence of a response without confidence: neither sure nor unsure.
pub(super) const UNKNOWN_CONFIDENCE: f64 = 0.5;

/// A segment with a higher probability of silence than this, and a lower log probability of its words than [`LOGPROB_THRESHOLD`], is
/// silence. Corresponds to `no_speech_threshold` and `logprob_threshold` of whisper/transcribe.py.
const NO_SPEECH_THRESHOLD: f64 = 0.6;

/// See [`NO_SPEECH_THRESHOLD`].
const LOGPROB_THRESHOLD: f64 = -1.0;

/// Units of time that servers use, in seconds, milliseconds, microseconds and nanoseconds.
const TIME_UNITS: [f64; 4] = [1.0, 1e-3, 1e-6, 1e-9];

/// Window of Whisper models, in seconds. Some servers end the last segment of a shorter piece there.
const WHISPER_WINDOW_SECONDS: f64 = 30.0;

/// Tolerance for rounded times, in seconds.
const TIME_TOLERANCE_SECONDS: f64 = 1.0;

/// Minimum share of a piece that its times must cover if their unit is less than a second. A piece begins and ends with
/// speech, so its last word ends near its end.
const MIN_COVERED_SHARE: f64 = 0.1;

/// The used fields of a response.
#[derive(Debug, Deserialize)]
pub(super) struct TranscriptionResponse {
    text: Option<String>,
    /// Name or code of the language.
    pub(super) language: Option<String>,
    segments: Option<Vec<ResponseSegment>>,
    words: Option<Vec<ResponseWord>>,
}

#[derive(Debug, Default, Deserialize)]
pub(super) struct ResponseSegment {
    #[serde(default, deserialize_with = "number")]
    start: Option<f64>,
    #[serde(default, deserialize_with = "number")]
    pub(super) end: Option<f64>,
    pub(super) text: Option<String>,
    #[serde(default, deserialize_with = "number")]
    avg_logprob: Option<f64>,
    #[serde(default, deserialize_with = "number")]
    no_speech_prob: Option<f64>,
    words: Option<Vec<ResponseWord>>,
}

#[derive(Clone, Debug, Deserialize)]
struct ResponseWord {
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

impl TranscriptionResponse {
    /// Returns whether any field has text, which may be empty.
    pub(super) fn has_text(&self) -> bool {
        let has_text = |segment: &ResponseSegment| segment.text.is_some() || segment.words.is_some();
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

    /// Returns the segments recognized in a piece of this length.
    pub(super) fn into_segments(self, seconds: f64) -> Vec<RecognizedSegment> {
        let mut words: Vec<_> = self.words.into_iter().flatten().filter(|word| !word.word.trim().is_empty()).collect();
        let mut segments = self.segments.unwrap_or_default();
        convert_times(&mut segments, &mut words, seconds);
        for segment in &mut segments {
            let segment_words = sort_words(segment.words.take().unwrap_or_default(), segment.text());
            if segment.text().is_empty() {
                segment.text = Some(join_words(&segment_words));
            }
            segment.words = Some(segment_words);
        }
        sort_by_start(&mut segments, |segment| segment.start);
        let mut segments = missing_text::add_missing_segments(segments, &self.text.unwrap_or_default());
        let segment_text: String = segments.iter().map(ResponseSegment::text).collect();
        let words = sort_words(words, &segment_text);
        if segment_text.is_empty() {
            segments = missing_text::add_missing_segments(segments, &join_words(&words));
        }
        let words = assign_words_by_text(&mut segments, words);
        for segment in &mut segments {
            let segment_words = segment.words.as_deref().unwrap_or_default();
            segment.start = segment.start.or_else(|| segment_words.iter().find_map(|word| word.start));
            segment.end = segment.end.or_else(|| segment_words.iter().rev().find_map(|word| word.end));
        }
        let spans = spans(&segments, seconds);
        assign_words_by_time(&mut segments, &spans, words);
        let segments = segments.into_iter().zip(spans).filter(|(segment, _)| segment.is_speech());
        segments.map(|(segment, span)| segment.into_segment(span)).collect()
    }
}

impl ResponseSegment {
    pub(super) fn text(&self) -> &str {
        self.text.as_deref().unwrap_or_default().trim()
    }

    pub(super) fn is_speech(&self) -> bool {
        let is_silent = self.no_speech_prob.is_some_and(|probability| probability > NO_SPEECH_THRESHOLD)
            && self.avg_logprob.is_some_and(|logprob| logprob < LOGPROB_THRESHOLD);
        !is_silent && !is_annotation(self.text())
    }

    fn into_segment(self, (start, end): (f64, f64)) -> RecognizedSegment {
        let confidence = self.avg_logprob.map_or(UNKNOWN_CONFIDENCE, f64::exp).clamp(0.0, 1.0);
        let text = self.text().to_owned();
        let mut earliest = start;
        let word = |word: ResponseWord| {
            let word_start = word.start?.clamp(earliest, end.max(earliest));
            let word_end = word.end?.clamp(word_start, end.max(word_start));
            earliest = word_end;
            let confidence = word.probability.unwrap_or(confidence).clamp(0.0, 1.0);
            Some(Word { word: word.word.trim().to_owned(), start: word_start, end: word_end, confidence })
        };
        let words = self.words.into_iter().flatten().filter_map(word).collect();
        RecognizedSegment { start, end, text, confidence, words }
    }
}

/// Returns the words as one text, for a segment without its own text.
fn join_words(words: &[ResponseWord]) -> String {
    words.iter().map(|word| word.word.trim()).collect::<Vec<_>>().join(" ")
}

/// Converts the times of segments and words to seconds. Times outside the piece are removed.
fn convert_times(segments: &mut [ResponseSegment], words: &mut [ResponseWord], seconds: f64) {
    let segment_times = segments.iter_mut().map(|segment| (&mut segment.start, &mut segment.end));
    to_seconds(&mut segment_times.collect::<Vec<_>>(), seconds);
    let nested_words = segments.iter_mut().flat_map(|segment| segment.words.iter_mut().flatten());
    let word_times = nested_words.chain(words).map(|word| (&mut word.start, &mut word.end));
    to_seconds(&mut word_times.collect::<Vec<_>>(), seconds);
}

/// Converts pairs of start and end, all in the same unit, to seconds from 0 to `seconds`.
fn to_seconds(times: &mut [(&mut Option<f64>, &mut Option<f64>)], seconds: f64) {
    let latest = times.iter().flat_map(|(start, end)| [**start, **end]).flatten().fold(0.0, f64::max);
    let fits = |unit: &f64| {
        let latest = latest * unit;
        if *unit == 1.0 {
            latest <= seconds.max(WHISPER_WINDOW_SECONDS) + TIME_TOLERANCE_SECONDS
        } else {
            (seconds * MIN_COVERED_SHARE..=seconds + TIME_TOLERANCE_SECONDS).contains(&latest)
        }
    };
    let unit = TIME_UNITS.iter().find(|unit| latest > 0.0 && fits(unit));
    for (start, end) in times {
        let clamped = unit.zip(start.zip(**end)).and_then(|(unit, (start, end))| {
            let (start, end) = (start * unit, end * unit);
            let is_possible = start >= -TIME_TOLERANCE_SECONDS && start < seconds && end >= start;
            is_possible.then(|| (start.clamp(0.0, seconds), end.clamp(0.0, seconds)))
        });
        // A start without an end, or the reverse, is still useful.
        let convert_single = |time: Option<f64>| {
            let time = time? * unit?;
            (0.0..=seconds).contains(&time).then_some(time)
        };
        let (new_start, new_end) = match (**start, **end) {
            (Some(_), Some(_)) => (clamped.map(|(start, _)| start), clamped.map(|(_, end)| end)),
            (start, end) => (convert_single(start), convert_single(end)),
        };
        (**start, **end) = (new_start, new_end);
    }
}

/// Returns the start and end of each segment. Unknown times are interpolated: segments without times share the time between
/// their neighbors by the length of their texts.
fn spans(segments: &[ResponseSegment], seconds: f64) -> Vec<(f64, f64)> {
    let length = |segment: &ResponseSegment| segment.text().chars().count().max(1) as f64;
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
fn sort_words(mut words: Vec<ResponseWord>, text: &str) -> Vec<ResponseWord> {
    if normalize(&join_words(&words)) != normalize(text) {
        sort_by_start(&mut words, |word| word.start);
    }
    words
}

/// Moves the listed words into the segments if they match the segments' texts. Returns the remaining words. If segments
/// have their own words, listed words are dropped.
fn assign_words_by_text(segments: &mut [ResponseSegment], words: Vec<ResponseWord>) -> Vec<ResponseWord> {
    if segments.iter().any(|segment| segment.words.as_ref().is_some_and(|words| !words.is_empty())) {
        return Vec::new();
    }
    if let [only] = segments {
        only.words = Some(words);
        return Vec::new();
    }
    let text_words = segments.iter().flat_map(|segment| segment.text().split_whitespace());
    let is_match = text_words.clone().count() == words.len()
        && text_words.zip(&words).all(|(text_word, word)| normalize(text_word) == normalize(&word.word));
    if !is_match {
        return words;
    }
    let mut words = words.into_iter();
    for segment in segments {
        segment.words = Some(words.by_ref().take(segment.text().split_whitespace().count()).collect());
    }
    Vec::new()
}

/// Moves words into the segments by their times.
fn assign_words_by_time(segments: &mut [ResponseSegment], spans: &[(f64, f64)], words: Vec<ResponseWord>) {
    let mut words = words.into_iter().peekable();
    let last = segments.len().saturating_sub(1);
    for (index, (segment, span)) in segments.iter_mut().zip(spans).enumerate() {
        let belongs = |word: &ResponseWord| {
            word.start.zip(word.end).is_none_or(|(start, end)| f64::midpoint(start, end) < span.1)
        };
        while let Some(word) = words.next_if(|word| index == last || belongs(word)) {
            segment.words.get_or_insert_default().push(word);
        }
    }
}

/// Returns the letters and digits of a text in lower case.
fn normalize(text: &str) -> String {
    text.chars().filter(|c| c.is_alphanumeric()).flat_map(char::to_lowercase).collect()
}

#[cfg(test)]
mod tests;
