//! A transcript prepared for being read while it is played: which word is spoken when, and where words stand.
//!
//! Words are counted through the whole transcript, in the order in which they are shown. A segment whose words the
//! recogniser didn't time is one word.

use leadscribe_engine::api::{RecordingSide, Segment, Transcript};
use leadscribe_engine::fault::{Fault, Place};
use leadscribe_engine::words::{Position, Search, WordIndex};

/// A word stays marked for so many seconds after its end, so that the mark doesn't flicker between two words.
const LINGER: f64 = 0.25;

/// Who goes to the previous segment within so many seconds of the start of one means the one before it, in seconds.
const GRACE: f64 = 1.0;

/// The words being spoken, one for each of [`RecordingSide::ALL`]: people interrupt each other.
pub type SpokenNow = [Option<usize>; 3];

/// A transcript with its words counted through.
pub struct Spoken {
    pub transcript: Transcript,
    /// The number of each segment's first word, and at the end that of all words.
    firsts: Vec<usize>,
    /// Start and end of each word.
    times: Vec<(f64, f64)>,
    /// The words of each of [`RecordingSide::ALL`] by time.
    sides: [Vec<usize>; 3],
}

impl Spoken {
    pub fn new(transcript: Transcript) -> Self {
        let (mut firsts, mut times) = (vec![0], Vec::new());
        let mut sides = [const { Vec::new() }; 3];
        for segment in &transcript.segments {
            let before = times.len();
            if segment.words.is_empty() {
                times.push((segment.start, segment.end));
            }
            times.extend(segment.words.iter().map(|word| (word.start, word.end)));
            firsts.push(times.len());
            if let Some(side) = RecordingSide::ALL.iter().position(|side| *side == segment.side) {
                sides[side].extend(before..times.len());
            }
        }
        for side in &mut sides {
            side.sort_by(|a, b| times[*a].0.total_cmp(&times[*b].0));
        }
        Self { transcript, firsts, times, sides }
    }

    /// The number of a segment's first word.
    pub fn first_word(&self, segment: usize) -> usize {
        self.firsts[segment]
    }

    /// When a word begins, in seconds.
    pub fn start(&self, word: usize) -> Option<f64> {
        self.times.get(word).map(|(start, _)| *start)
    }

    /// The words spoken at a moment.
    pub fn at(&self, seconds: f64) -> SpokenNow {
        std::array::from_fn(|side| {
            let words = &self.sides[side];
            let begun = words.partition_point(|word| self.times[*word].0 <= seconds);
            let word = *words.get(begun.checked_sub(1)?)?;
            (seconds < self.times[word].1 + LINGER).then_some(word)
        })
    }

    /// The first word of the segment that is spoken at a moment, or was the last to be.
    pub fn near(&self, seconds: f64) -> Option<usize> {
        let words = self.at(seconds).into_iter().flatten().max();
        words.or_else(|| self.segment_at(seconds).map(|segment| self.firsts[segment]))
    }

    /// When the next segment begins, or with `back` the previous one.
    pub fn neighbour(&self, seconds: f64, back: bool) -> Option<f64> {
        let mut starts = self.transcript.segments.iter().map(|segment| segment.start);
        if back {
            starts.rfind(|start| *start < seconds - GRACE).or_else(|| self.start(0))
        } else {
            starts.find(|start| *start > seconds + 0.01)
        }
    }

    /// The places where something is said, each by its words: one after the other, or else wherever each of them is said.
    /// What is typed may be the beginning of a word, as long as nothing is found that is a whole one.
    pub fn find(&self, text: &str) -> Vec<Vec<usize>> {
        let place = || Place::Parameter("q".to_owned());
        let found = |search: Result<Search, Fault>| {
            Some(search.ok()?.positions(&self.transcript)).filter(|found| !found.is_empty())
        };
        let found = found(Search::phrase(text, place()))
            .or_else(|| found(Search::parse(text, place())))
            .or_else(|| found(Search::parse(&format!("{text}*"), place())))
            .unwrap_or_default();
        found.into_iter().map(|position| self.words_of(position)).collect()
    }

    /// The words of a place. A phrase may run over the end of a segment, and what the other side says meanwhile doesn't
    /// belong to it.
    fn words_of(&self, Position { first, last }: Position) -> Vec<usize> {
        let side = |segment: usize| self.transcript.segments.get(segment).map(|segment| segment.side);
        let (start, end) = (self.number(first), self.number(last));
        let segments = (first.segment..=last.segment).filter(|segment| side(*segment) == side(first.segment));
        let words = segments.flat_map(|segment| self.firsts[segment]..self.firsts[segment + 1]);
        words.filter(|word| (start..=end).contains(word)).collect()
    }

    fn number(&self, index: WordIndex) -> usize {
        self.firsts[index.segment] + index.word
    }

    fn segment_at(&self, seconds: f64) -> Option<usize> {
        self.transcript.segments.partition_point(|segment| segment.start <= seconds).checked_sub(1)
    }
}

/// The words of a segment as they are shown, each with what stands before it in the text. In scripts without spaces
/// there is nothing between them.
pub fn pieces(segment: &Segment) -> Vec<(String, String)> {
    if segment.words.is_empty() {
        return vec![(String::new(), segment.text.clone())];
    }
    placed(segment).unwrap_or_else(|| {
        let before = |index: usize| if index == 0 { String::new() } else { " ".to_owned() };
        segment.words.iter().enumerate().map(|(index, word)| (before(index), word.word.trim().to_owned())).collect()
    })
}

/// The words as they stand in the text; none when one of them doesn't.
fn placed(segment: &Segment) -> Option<Vec<(String, String)>> {
    let mut rest = segment.text.as_str();
    let mut place = |word: &str| {
        let (before, after) = rest.split_once(word)?;
        rest = after;
        Some((before.to_owned(), word.to_owned()))
    };
    segment.words.iter().map(|word| place(word.word.trim())).collect()
}

#[cfg(test)]
mod tests {
    use leadscribe_engine::api::{CallId, SpeechEngine, TranscriptionId, Word};

    use super::*;

    fn segment(side: RecordingSide, start: f64, text: &str, words: &[(&str, f64, f64)]) -> Segment {
        let word = |(word, start, end): &(&str, f64, f64)| Word {
            word: (*word).to_owned(),
            start: *start,
            end: *end,
            confidence: 0.9,
        };
        let words: Vec<_> = words.iter().map(word).collect();
        let end = words.last().map_or(start + 1.0, |word| word.end);
        Segment { start, end, side, text: text.to_owned(), confidence: 0.9, words }
    }

    fn spoken() -> Spoken {
        use RecordingSide::{Callee, Caller};
        let segments = vec![
            segment(Caller, 1.0, "Good morning,", &[("Good", 1.0, 1.4), ("morning,", 1.4, 2.0)]),
            segment(Callee, 1.5, "Yes?", &[("Yes?", 1.5, 1.9)]),
            segment(Caller, 4.0, "morning to you.", &[("morning", 4.0, 4.5), ("to", 4.5, 4.6), ("you.", 4.6, 5.0)]),
            segment(Callee, 7.0, "Good.", &[]),
        ];
        Spoken::new(Transcript {
            call_id: CallId(1),
            transcription_id: TranscriptionId(1),
            language: None,
            duration: 9.0,
            segments,
            sides: Vec::new(),
            dropped: Vec::new(),
            redactions: 0,
            engine: SpeechEngine { name: "test".to_owned(), model: "none".to_owned() },
            created_at: chrono::DateTime::UNIX_EPOCH,
        })
    }

    #[test]
    fn each_side_has_its_word() {
        let spoken = spoken();
        assert_eq!(spoken.times.len(), 7);
        let cases = [
            (0.9, [None, None, None]),
            (1.0, [Some(0), None, None]),
            (1.6, [Some(1), Some(2), None]),
            (2.2, [Some(1), None, None]),
            (3.0, [None, None, None]),
            (4.55, [Some(4), None, None]),
            (7.9, [None, Some(6), None]),
        ];
        for (seconds, expected) in cases {
            assert_eq!(spoken.at(seconds), expected, "at {seconds} s");
        }
        assert_eq!((spoken.near(0.5), spoken.near(3.0), spoken.near(8.9)), (None, Some(2), Some(6)));
    }

    #[test]
    fn one_goes_from_segment_to_segment() {
        let spoken = spoken();
        assert_eq!([0.0, 1.0, 1.6, 4.0].map(|at| spoken.neighbour(at, false)), [1.0, 1.5, 4.0, 7.0].map(Some));
        assert_eq!(spoken.neighbour(7.0, false), None);
        assert_eq!([7.5, 8.2, 4.5, 0.5].map(|at| spoken.neighbour(at, true)), [4.0, 7.0, 1.5, 1.0].map(Some));
    }

    #[test]
    fn what_is_found_is_the_words_of_one_side() {
        let spoken = spoken();
        assert_eq!(spoken.find("morning"), [vec![1], vec![3]]);
        assert_eq!(spoken.find("\"good morning morning to\""), [vec![0, 1, 3, 4]]);
        assert_eq!(spoken.find("mor"), [vec![1], vec![3]], "the beginning of a word");
        assert_eq!(spoken.find("good"), [vec![0], vec![6]], "also where no word is timed");
        assert_eq!(spoken.find("\"good"), [vec![0], vec![6]], "a phrase that is still being typed");
        assert_eq!(spoken.find(""), Vec::<Vec<usize>>::new());
    }

    #[test]
    fn words_keep_what_stands_between_them() {
        let words = [("もし", 0.0, 0.5), ("もし。", 0.5, 1.0)];
        let text = |segment: &Segment| pieces(segment).into_iter().flat_map(|(a, b)| [a, b]).collect::<String>();
        assert_eq!(text(&segment(RecordingSide::Both, 0.0, "もしもし。", &words)), "もしもし。");
        assert_eq!(text(&segment(RecordingSide::Both, 0.0, "hello", &words)), "もし もし。", "not made of its words");
        assert_eq!(text(&segment(RecordingSide::Both, 0.0, "Hello.", &[])), "Hello.");
    }
}
