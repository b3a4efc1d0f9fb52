//! Reads `verbose_json` answers.
//!
//! Servers differ. Some list words beside the segments, some within them, some not at all; some have no segments. Times come
//! in seconds, milliseconds, microseconds or nanoseconds, as text, or are missing. A time that can't be right is treated as
//! missing: the words are then spread over the time that is known.

use leadscribe_engine::api::Word;
use serde::de::IgnoredAny;
use serde::{Deserialize, Deserializer};

use crate::speech::Recognized;
use crate::speech::tags::is_tag;

/// Confidence of an answer that has none: neither sure nor unsure.
pub(super) const UNKNOWN: f64 = 0.5;

/// A segment with a likelier silence than this, and less likely words than [`UNLIKELY`], is silence: `no_speech_threshold`
/// and `logprob_threshold` of whisper/transcribe.py.
const SILENCE: f64 = 0.6;

/// See [`SILENCE`].
const UNLIKELY: f64 = -1.0;

/// Units of time that servers use, in seconds: seconds, milliseconds, microseconds and nanoseconds.
const UNITS: [f64; 4] = [1.0, 1e-3, 1e-6, 1e-9];

/// Window of Whisper models, in seconds. Some servers let the last segment of a shorter piece end there.
const WHISPER_WINDOW: f64 = 30.0;

/// Times that are off by less than this are rounded, not wrong, in seconds.
const TIME_TOLERANCE: f64 = 1.0;

/// Share of a piece that its times must reach in a unit below the second. A piece begins and ends with speech, so its
/// last word ends near its end.
const SHORTEST_REACH: f64 = 0.1;

/// An answer, as far as it is used.
#[derive(Debug, Deserialize)]
pub(super) struct Answer {
    /// All that is said.
    text: Option<String>,
    /// Name or code of the language.
    pub(super) language: Option<String>,
    segments: Option<Vec<AnsweredSegment>>,
    words: Option<Vec<AnsweredWord>>,
}

#[derive(Debug, Default, Deserialize)]
struct AnsweredSegment {
    #[serde(default, deserialize_with = "number")]
    start: Option<f64>,
    #[serde(default, deserialize_with = "number")]
    end: Option<f64>,
    text: Option<String>,
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

/// Reads a number, also one that is written as text. Anything else is no number.
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
    /// Returns whether it has any of the fields that hold text.
    pub(super) fn has_text(&self) -> bool {
        self.text.is_some() || self.segments.is_some() || self.words.is_some()
    }

    /// The mean over the segments' time of how likely their tokens are, as a natural logarithm. None if the server
    /// doesn't give it, or nothing was said.
    pub(super) fn mean_logprob(&self) -> Option<f64> {
        let mut sum = (0.0, 0.0);
        for segment in self.segments.iter().flatten().filter(|segment| segment.is_speech()) {
            // A segment of no length still counts a little.
            let seconds = segment.start.zip(segment.end).map_or(0.0, |(start, end)| end - start).max(0.01);
            sum = (sum.0 + segment.avg_logprob? * seconds, sum.1 + seconds);
        }
        (sum.1 > 0.0).then(|| sum.0 / sum.1)
    }

    /// What was recognised in a piece of so many seconds.
    pub(super) fn recognized(self, seconds: f64) -> Vec<Recognized> {
        let mut words: Vec<_> = self.words.into_iter().flatten().filter(|word| !word.word.trim().is_empty()).collect();
        let mut segments = self.segments.unwrap_or_default();
        correct_times(&mut segments, &mut words, seconds);
        if segments.is_empty() {
            let text = self.text.or_else(|| Some(join(&words)));
            let (start, end) = (words.first().and_then(|word| word.start), words.last().and_then(|word| word.end));
            segments.push(AnsweredSegment { start, end, text, ..AnsweredSegment::default() });
        }
        for segment in &mut segments {
            let listed = segment.words.as_deref().map(join);
            segment.text = segment.text.take().filter(|text| !text.trim().is_empty()).or(listed);
        }
        let spans = spans(&segments, seconds);
        give_words(&mut segments, &spans, words);
        let segments = segments.into_iter().zip(spans).filter(|(segment, _)| segment.is_speech());
        segments.map(|(segment, span)| segment.recognized(span)).collect()
    }
}

impl AnsweredSegment {
    fn text(&self) -> &str {
        self.text.as_deref().unwrap_or_default().trim()
    }

    fn is_speech(&self) -> bool {
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

/// The text of words that stand beside no text.
fn join(words: &[AnsweredWord]) -> String {
    words.iter().map(|word| word.word.trim()).collect::<Vec<_>>().join(" ")
}

/// Converts the times of segments and words to seconds. Times that can't be within the piece are removed.
fn correct_times(segments: &mut [AnsweredSegment], words: &mut [AnsweredWord], seconds: f64) {
    let of_segments = segments.iter_mut().map(|segment| (&mut segment.start, &mut segment.end));
    to_seconds(&mut of_segments.collect::<Vec<_>>(), seconds);
    let within = segments.iter_mut().flat_map(|segment| segment.words.iter_mut().flatten());
    let of_words = within.chain(words).map(|word| (&mut word.start, &mut word.end));
    to_seconds(&mut of_words.collect::<Vec<_>>(), seconds);
}

/// Converts pairs of a start and an end, all of one unit, to seconds from 0 to `seconds`.
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
        // A start without an end, or the reverse, still says something.
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

/// Start and end of each segment. Unknown ones follow from the neighbours: segments without times share the time between
/// those with times by the length of their texts.
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

/// Gives the words that stand beside the segments to the segments.
///
/// If they are the words of the segments' texts, the texts say which word belongs to which segment; otherwise the time
/// does.
fn give_words(segments: &mut [AnsweredSegment], spans: &[(f64, f64)], words: Vec<AnsweredWord>) {
    if segments.iter().any(|segment| segment.words.is_some()) {
        return;
    }
    let told = segments.iter().flat_map(|segment| segment.text().split_whitespace());
    let same =
        told.clone().count() == words.len() && told.zip(&words).all(|(told, word)| bare(told) == bare(&word.word));
    let mut words = words.into_iter().peekable();
    let last = segments.len().saturating_sub(1);
    for (index, (segment, span)) in segments.iter_mut().zip(spans).enumerate() {
        let mut own = Vec::new();
        if same {
            own.extend(words.by_ref().take(segment.text().split_whitespace().count()));
        } else {
            let belongs = |word: &AnsweredWord| {
                word.start.zip(word.end).is_none_or(|(start, end)| f64::midpoint(start, end) < span.1)
            };
            while let Some(word) = words.next_if(|word| index == last || belongs(word)) {
                own.push(word);
            }
        }
        segment.words = Some(own);
    }
}

/// A word without punctuation and case.
fn bare(word: &str) -> String {
    word.chars().filter(|c| c.is_alphanumeric()).flat_map(char::to_lowercase).collect()
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::Answer;
    use crate::speech::{Recognized, word_list};

    fn recognized(answer: Value) -> Vec<Recognized> {
        serde_json::from_value::<Answer>(answer).expect("an answer").recognized(10.0)
    }

    /// Each segment of an answer for a piece of 10 s, with its words and their times.
    fn told(answer: Value) -> Vec<String> {
        let tell = |segment: Recognized| {
            let head = format!("{}-{} {}:", segment.start, segment.end, segment.text);
            let words = word_list::words(segment, 0.0);
            let words = words.iter().map(|said| format!(" {}@{}-{}", said.word.word, said.word.start, said.word.end));
            head + &words.collect::<String>()
        };
        recognized(answer).into_iter().map(tell).collect()
    }

    #[test]
    fn words_beside_the_segments_take_their_punctuation_from_the_text() {
        let answer = json!({
            "text": "Hello, you. Bye!",
            "segments": [
                { "start": 0.0, "end": 2.0, "text": " Hello, you.", "avg_logprob": 0.0 },
                { "start": 2.0, "end": 4.0, "text": " Bye!", "avg_logprob": -1.0 },
            ],
            "words": [
                { "word": "Hello", "start": 0.5, "end": 1.0 },
                { "word": "you", "start": 1.0, "end": 2.5 },
                { "word": "Bye", "start": 3.0, "end": 3.5 },
            ],
        });
        assert_eq!(told(answer.clone()), ["0-2 Hello, you.: Hello,@0.5-1 you.@1-2", "2-4 Bye!: Bye!@3-3.5"]);
        let segments = recognized(answer);
        assert_eq!(segments[0].confidence, 1.0);
        assert_eq!(segments[1].words[0].confidence, (-1.0_f64).exp());
    }

    #[test]
    fn words_that_are_not_those_of_the_text_go_by_their_time() {
        let answer = json!({
            "text": "今天 天气 很好",
            "segments": [
                { "start": 0, "end": 2, "text": "今天天气" },
                { "start": 2, "end": 4, "text": "很好" },
            ],
            "words": [
                { "word": " 今天", "start": 0, "end": 1 },
                { "word": "天气", "start": 1, "end": 2 },
                { "word": " ", "start": 2, "end": 2 },
                { "word": "很好", "start": 2, "end": 12 },
            ],
        });
        assert_eq!(told(answer), ["0-2 今天天气: 今天@0-1 天气@1-2", "2-4 很好: 很好@2-4"]);
    }

    #[test]
    fn segments_without_words_and_words_without_segments_are_enough() {
        let segments = json!([{ "start": 1, "end": 3, "text": "abc d" }]);
        assert_eq!(told(json!({ "text": "abc d", "segments": segments })), ["1-3 abc d: abc@1-2.5 d@2.5-3"]);
        let words = json!([{ "word": "abc", "start": 1, "end": 2 }, { "word": "d", "start": 2, "end": 4 }]);
        let answer = json!({ "text": "Abc, d.", "segments": null, "words": words });
        assert_eq!(told(answer), ["1-4 Abc, d.: Abc,@1-2 d.@2-4"]);
        assert_eq!(told(json!({ "text": "abc de" })), ["0-10 abc de: abc@0-6 de@6-10"]);
        assert_eq!(recognized(json!({ "text": "abc" }))[0].confidence, 0.5);
    }

    #[test]
    fn words_within_a_segment_are_taken_with_their_probability() {
        let words = json!([{ "word": " abc", "start": 1, "end": 2, "probability": 0.25 }]);
        let segment = json!({ "start": 1, "end": 3, "text": "abc", "avg_logprob": 0.0, "words": words });
        let segments = recognized(json!({ "text": "abc", "segments": [segment] }));
        assert_eq!((segments[0].words[0].word.as_str(), segments[0].words[0].confidence), ("abc", 0.25));
    }

    #[test]
    fn silence_gives_no_words() {
        let segment = |text: &str, avg_logprob: f64| json!({ "start": 0, "end": 1, "text": text, "avg_logprob": avg_logprob, "no_speech_prob": 0.7 });
        let answer = |segments: Value| json!({ "text": "", "segments": segments });
        assert_eq!(told(answer(json!([]))), [""; 0]);
        assert_eq!(told(answer(json!([segment(" [BLANK_AUDIO]", 0.0), segment("(music)", 0.0)]))), [""; 0]);
        assert_eq!(told(answer(json!([segment("Thank you.", -1.5)]))), [""; 0]);
        assert_eq!(told(answer(json!([segment("Yes.", -0.5)]))), ["0-1 Yes.: Yes.@0-1"]);
    }

    #[test]
    fn times_stay_within_the_piece_and_in_order() {
        let words = json!([{ "word": "a", "start": -0.5, "end": 5 }, { "word": "b", "start": 4, "end": 30 }]);
        let answer =
            json!({ "text": "a b", "segments": [{ "start": -0.5, "end": 30, "text": "a b" }], "words": words });
        assert_eq!(told(answer), ["0-10 a b: a@0-5 b@5-10"]);
    }

    #[test]
    fn impossible_times_count_as_missing() {
        let segment = |start: Value, end: Value| json!({ "text": "a", "segments": [{ "start": start, "end": end, "text": "a" }] });
        for (start, end) in [
            (json!(30), json!(2)),
            (json!(20), json!(25)),
            (json!(-3), json!(1)),
            (json!(0), json!(0)),
            (json!(0), json!(99)),
            (json!(null), json!(null)),
            (json!("soon"), json!({ "seconds": 2 })),
            (json!("NaN"), json!("inf")),
        ] {
            assert_eq!(told(segment(start.clone(), end.clone())), ["0-10 a: a@0-10"], "{start} {end}");
        }
        assert_eq!(told(segment(json!(1), json!(null))), ["1-10 a: a@1-10"]);
        assert_eq!(told(segment(json!(null), json!("4.5"))), ["0-4.5 a: a@0-4.5"]);
        assert_eq!(told(segment(json!("1"), json!(" 2 "))), ["1-2 a: a@1-2"]);
    }

    #[test]
    fn units_of_time_are_told_apart_by_the_duration() {
        for unit in [1.0, 1e3, 1e6, 1e9] {
            let segments = json!([
                { "start": 0, "end": 2.0 * unit, "text": " Good morning." },
                { "start": 2.0 * unit, "end": 5.0 * unit, "text": " Hi.", "words": null },
            ]);
            let words = json!([
                { "word": "Good", "start": 0.5 * unit, "end": unit },
                { "word": "morning", "start": unit, "end": 2.0 * unit },
                { "word": "Hi", "start": 3.0 * unit, "end": 4.0 * unit },
            ]);
            let answer = json!({ "text": "Good morning. Hi.", "segments": segments, "words": words });
            let expected = ["0-2 Good morning.: Good@0.5-1 morning.@1-2", "2-5 Hi.: Hi.@3-4"];
            assert_eq!(told(answer.clone()), expected, "{unit}");
            // Words may come in another unit than segments.
            let mut mixed = answer;
            mixed["segments"] =
                json!([{ "start": 0, "end": 2, "text": "Good morning." }, { "start": 2, "end": 5, "text": "Hi." }]);
            assert_eq!(told(mixed), expected, "{unit}");
        }
    }

    #[test]
    fn segments_without_times_share_the_time_by_length() {
        let segments = json!([
            { "text": "ab", "avg_logprob": "-0.5" },
            { "text": "abcd", "start": "x" },
            { "text": "ab", "start": 6, "end": 8 },
            { "text": "ab", "end": null },
            { "start": 9 },
        ]);
        let answer = json!({ "text": "ab abcd ab ab", "segments": segments });
        assert_eq!(told(answer.clone()), ["0-2 ab: ab@0-2", "2-6 abcd: abcd@2-6", "6-8 ab: ab@6-8", "8-9 ab: ab@8-9"]);
        assert_eq!(recognized(answer)[0].confidence, (-0.5_f64).exp());
    }

    #[test]
    fn a_word_without_times_takes_the_time_that_is_left() {
        let words = json!([{ "word": " Good", "start": 0.0, "end": 0.5 }, { "word": " morning." }]);
        let segment = json!({ "start": 0.0, "end": 1.5, "text": " Good morning.", "words": words });
        let answer = json!({ "text": "Good morning.", "segments": [segment] });
        assert_eq!(told(answer), ["0-1.5 Good morning.: Good@0-0.5 morning.@0.5-1.5"]);
    }

    #[test]
    fn text_is_put_together_where_it_is_missing() {
        let words = json!([{ "word": "Good", "start": 0, "end": 1 }, { "word": "morning.", "start": 1, "end": 2 }]);
        assert_eq!(told(json!({ "words": words })), ["0-2 Good morning.: Good@0-1 morning.@1-2"]);
        let segments = json!([{ "start": 0, "end": 2, "words": words }]);
        assert_eq!(told(json!({ "segments": segments })), ["0-2 Good morning.: Good@0-1 morning.@1-2"]);
    }

    #[test]
    fn the_mean_goes_by_time() {
        let segment = |seconds: f64, avg_logprob: Value| json!({ "start": 0, "end": seconds, "text": "a", "avg_logprob": avg_logprob });
        let mean = |segments: Value| {
            let answer = json!({ "text": "a", "segments": segments });
            serde_json::from_value::<Answer>(answer).expect("an answer").mean_logprob()
        };
        assert_eq!(mean(json!([segment(3.0, json!(-1.0)), segment(1.0, json!(-5.0))])), Some(-2.0));
        assert_eq!(mean(json!([segment(3.0, Value::Null)])), None);
        assert_eq!(mean(json!([])), None);
    }
}
