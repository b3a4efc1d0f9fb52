//! `verbose_json`, and what becomes of it.
//!
//! Servers differ: some give words only beside the segments, some within them, some none, some no segments. Each way
//! there are segments with words at the end.

use leadscribe_engine::api::Word;
use serde::Deserialize;

use crate::speech::Recognized;
use crate::speech::tags::is_tag;

/// How sure a server is taken to be that doesn't say: neither sure nor unsure.
pub(super) const UNKNOWN: f64 = 0.5;

/// A segment with a likelier silence than this, and less likely words than [`UNLIKELY`], is silence: `no_speech_threshold`
/// and `logprob_threshold` of whisper/transcribe.py.
const SILENCE: f64 = 0.6;

/// See [`SILENCE`].
const UNLIKELY: f64 = -1.0;

/// An answer, as far as it is used.
#[derive(Debug, Deserialize)]
pub(super) struct Answer {
    /// All that is said.
    text: String,
    /// Name or code of the language.
    pub(super) language: Option<String>,
    segments: Option<Vec<AnsweredSegment>>,
    words: Option<Vec<AnsweredWord>>,
}

#[derive(Debug, Deserialize)]
struct AnsweredSegment {
    start: f64,
    end: f64,
    text: String,
    avg_logprob: Option<f64>,
    no_speech_prob: Option<f64>,
    words: Option<Vec<AnsweredWord>>,
}

#[derive(Clone, Debug, Deserialize)]
struct AnsweredWord {
    word: String,
    start: f64,
    end: f64,
    probability: Option<f64>,
}

impl Answer {
    /// The mean over the segments' time of how likely their tokens are, as a natural logarithm; none where the server
    /// doesn't say, or nothing was said.
    pub(super) fn mean_logprob(&self) -> Option<f64> {
        let mut sum = (0.0, 0.0);
        for segment in self.segments.iter().flatten().filter(|segment| segment.is_speech()) {
            // A segment of no length still counts a little.
            let seconds = (segment.end - segment.start).max(0.01);
            sum = (sum.0 + segment.avg_logprob? * seconds, sum.1 + seconds);
        }
        (sum.1 > 0.0).then(|| sum.0 / sum.1)
    }

    /// What was recognised in a piece of so many seconds.
    pub(super) fn recognized(self, seconds: f64) -> Vec<Recognized> {
        let words: Vec<_> = self.words.into_iter().flatten().filter(|word| !word.word.trim().is_empty()).collect();
        let mut segments: Vec<_> = self.segments.unwrap_or_default();
        if segments.is_empty() {
            let (start, end) =
                (words.first().map_or(0.0, |word| word.start), words.last().map_or(seconds, |word| word.end));
            let (avg_logprob, no_speech_prob, text) = (None, None, self.text);
            segments.push(AnsweredSegment { start, end, text, avg_logprob, no_speech_prob, words: None });
        }
        give_words(&mut segments, words);
        segments.into_iter().filter(AnsweredSegment::is_speech).map(|segment| segment.recognized(seconds)).collect()
    }
}

impl AnsweredSegment {
    fn is_speech(&self) -> bool {
        let silent = self.no_speech_prob.is_some_and(|probability| probability > SILENCE)
            && self.avg_logprob.is_some_and(|logprob| logprob < UNLIKELY);
        !silent && !is_tag(&self.text)
    }

    fn recognized(self, seconds: f64) -> Recognized {
        let start = self.start.clamp(0.0, seconds);
        let end = self.end.clamp(start, seconds);
        let confidence = self.avg_logprob.map_or(UNKNOWN, f64::exp).clamp(0.0, 1.0);
        let text = self.text.trim().to_owned();
        let words = match self.words {
            Some(words) if !words.is_empty() => {
                let mut earliest = start;
                let word = |word: AnsweredWord| {
                    let begin = word.start.clamp(earliest, end.max(earliest));
                    let finish = word.end.clamp(begin, end.max(begin));
                    earliest = finish;
                    let confidence = word.probability.unwrap_or(confidence).clamp(0.0, 1.0);
                    Word { word: word.word.trim().to_owned(), start: begin, end: finish, confidence }
                };
                words.into_iter().map(word).collect()
            }
            _ => spread(&text, start, end, confidence),
        };
        Recognized { start, end, text, confidence, words }
    }
}

/// Gives the words that stand beside the segments to the segments.
///
/// Where they are the words of the segments' texts, which have the punctuation that `words` lack, the texts say which
/// word is whose; otherwise the time does.
fn give_words(segments: &mut [AnsweredSegment], words: Vec<AnsweredWord>) {
    if segments.iter().any(|segment| segment.words.is_some()) {
        return;
    }
    let told = segments.iter().flat_map(|segment| segment.text.split_whitespace());
    let same =
        told.clone().count() == words.len() && told.zip(&words).all(|(told, word)| bare(told) == bare(&word.word));
    let mut words = words.into_iter().peekable();
    let last = segments.len().saturating_sub(1);
    for (index, segment) in segments.iter_mut().enumerate() {
        let mut own = Vec::new();
        if same {
            for (told, word) in segment.text.split_whitespace().zip(&mut words) {
                own.push(AnsweredWord { word: told.to_owned(), ..word });
            }
        } else {
            let middle = |word: &AnsweredWord| f64::midpoint(word.start, word.end);
            while let Some(word) = words.next_if(|word| index == last || middle(word) < segment.end) {
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

/// The words of a text, each as long as its characters have it in the time of the text.
fn spread(text: &str, start: f64, end: f64, confidence: f64) -> Vec<Word> {
    let length = |word: &str| word.chars().count();
    let all: usize = text.split_whitespace().map(length).sum();
    let at = |characters: usize| start + (end - start) * characters as f64 / all.max(1) as f64;
    let mut before = 0;
    let word = |word: &str| {
        let (from, to) = (before, before + length(word));
        before = to;
        Word { word: word.to_owned(), start: at(from), end: at(to), confidence }
    };
    text.split_whitespace().map(word).collect()
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::Answer;
    use crate::speech::Recognized;

    fn recognized(answer: Value) -> Vec<Recognized> {
        serde_json::from_value::<Answer>(answer).expect("an answer").recognized(10.0)
    }

    /// Each segment with its words and their times.
    fn told(answer: Value) -> Vec<String> {
        let tell = |segment: Recognized| {
            let words = segment.words.iter().map(|word| format!(" {}@{}-{}", word.word, word.start, word.end));
            format!("{}-{} {}:{}", segment.start, segment.end, segment.text, words.collect::<String>())
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
        let words = json!([{ "word": "a", "start": -1, "end": 5 }, { "word": "b", "start": 4, "end": 99 }]);
        let answer = json!({ "text": "a b", "segments": [{ "start": -3, "end": 30, "text": "a b" }], "words": words });
        assert_eq!(told(answer), ["0-10 a b: a@0-5 b@5-10"]);
        let backwards = json!({ "text": "a", "segments": [{ "start": 30, "end": 2, "text": "a" }] });
        assert_eq!(told(backwards), ["10-10 a: a@10-10"]);
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
