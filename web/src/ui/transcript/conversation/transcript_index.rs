//! Index of a transcript for playback: the times and positions of its words.
//!
//! Words are numbered across the whole transcript, in display order. A segment without word times counts as one word.

use leadscribe_engine::api::{RecordingSide, Transcript};
use leadscribe_engine::diagnostic::{Diagnostic, Location};
use leadscribe_engine::transcript_search::{MatchPosition, Search, WordIndex};

/// Time in seconds for which a word stays highlighted after its end, so that the highlight doesn't flicker between
/// words.
const HIGHLIGHT_LINGER_SECONDS: f64 = 0.25;

/// Within this time after the start of a segment, in seconds, "previous" goes to the segment before it.
const PREVIOUS_GRACE_SECONDS: f64 = 1.0;

/// Currently spoken words, one for each of [`RecordingSide::ALL`], because both sides may speak at once.
pub type CurrentWords = [Option<usize>; 3];

/// A transcript with numbered words.
pub struct TranscriptIndex {
    pub transcript: Transcript,
    /// Number of the first word of each segment, followed by the total number of words.
    first_words: Vec<usize>,
    /// Start and end of each word.
    times: Vec<(f64, f64)>,
    /// Words of each of [`RecordingSide::ALL`], in order of time.
    sides: [Vec<usize>; 3],
}

impl TranscriptIndex {
    pub fn new(transcript: Transcript) -> Self {
        let (mut first_words, mut times) = (vec![0], Vec::new());
        let mut sides = [const { Vec::new() }; 3];
        for segment in &transcript.segments {
            let first_word = times.len();
            if segment.words.is_empty() {
                times.push((segment.start, segment.end));
            }
            times.extend(segment.words.iter().map(|word| (word.start, word.end)));
            first_words.push(times.len());
            if let Some(side) = RecordingSide::ALL.iter().position(|side| *side == segment.side) {
                sides[side].extend(first_word..times.len());
            }
        }
        for side in &mut sides {
            side.sort_by(|a, b| times[*a].0.total_cmp(&times[*b].0));
        }
        Self { transcript, first_words, times, sides }
    }

    /// Number of the first word of a segment.
    pub fn first_word(&self, segment: usize) -> usize {
        self.first_words[segment]
    }

    /// Start of a word in seconds.
    pub fn word_start(&self, word: usize) -> Option<f64> {
        self.times.get(word).map(|(start, _)| *start)
    }

    /// Words spoken at this time.
    pub fn words_at(&self, seconds: f64) -> CurrentWords {
        std::array::from_fn(|side| {
            let words = &self.sides[side];
            let started = words.partition_point(|word| self.times[*word].0 <= seconds);
            let word = *words.get(started.checked_sub(1)?)?;
            (seconds < self.times[word].1 + HIGHLIGHT_LINGER_SECONDS).then_some(word)
        })
    }

    /// First word of the current segment, or of the last one before this time.
    pub fn word_near(&self, seconds: f64) -> Option<usize> {
        let words = self.words_at(seconds).into_iter().flatten().max();
        words.or_else(|| self.segment_at(seconds).map(|segment| self.first_words[segment]))
    }

    /// Start of the next segment, or with `backwards` of the previous one.
    pub fn adjacent_segment_start(&self, seconds: f64, backwards: bool) -> Option<f64> {
        let mut starts = self.transcript.segments.iter().map(|segment| segment.start);
        if backwards {
            starts.rfind(|start| *start < seconds - PREVIOUS_GRACE_SECONDS).or_else(|| self.word_start(0))
        } else {
            starts.find(|start| *start > seconds + 0.01)
        }
    }

    /// Matches of a search, each as a list of words. Tries the text as one phrase, then with the rules of the search
    /// over all transcripts, then with its last word as a prefix.
    pub fn find(&self, text: &str) -> Vec<Vec<usize>> {
        let location = || Location::Parameter("q".to_owned());
        let positions_of = |search: Result<Search, Diagnostic>| {
            Some(search.ok()?.positions(&self.transcript)).filter(|positions| !positions.is_empty())
        };
        let positions = positions_of(Search::phrase(text, location()))
            .or_else(|| positions_of(Search::parse(text, location())))
            .or_else(|| positions_of(Search::parse(&format!("{text}*"), location())))
            .unwrap_or_default();
        positions.into_iter().map(|position| self.match_words(position)).collect()
    }

    /// Words of a match. A phrase may continue in the next segment of the same side; words of the other side in between
    /// don't belong to it.
    fn match_words(&self, MatchPosition { first, last }: MatchPosition) -> Vec<usize> {
        let side = |segment: usize| self.transcript.segments.get(segment).map(|segment| segment.side);
        let (start, end) = (self.word_number(first), self.word_number(last));
        let segments = (first.segment..=last.segment).filter(|segment| side(*segment) == side(first.segment));
        let words = segments.flat_map(|segment| self.first_words[segment]..self.first_words[segment + 1]);
        words.filter(|word| (start..=end).contains(word)).collect()
    }

    fn word_number(&self, index: WordIndex) -> usize {
        self.first_words[index.segment] + index.word
    }

    fn segment_at(&self, seconds: f64) -> Option<usize> {
        self.transcript.segments.partition_point(|segment| segment.start <= seconds).checked_sub(1)
    }
}

#[cfg(test)]
mod tests {
    use leadscribe_engine::api::{CallId, Segment, SpeechEngine, TranscriptionId, Word};

    use crate::ui::transcript::conversation::transcript_index::*;

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

    fn transcript_index() -> TranscriptIndex {
        use RecordingSide::{Callee, Caller};
        let segments = vec![
            segment(Caller, 1.0, "Good morning,", &[("Good", 1.0, 1.4), ("morning,", 1.4, 2.0)]),
            segment(Callee, 1.5, "Yes?", &[("Yes?", 1.5, 1.9)]),
            segment(Caller, 4.0, "morning to you.", &[("morning", 4.0, 4.5), ("to", 4.5, 4.6), ("you.", 4.6, 5.0)]),
            segment(Callee, 7.0, "Good.", &[]),
        ];
        TranscriptIndex::new(Transcript {
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
    fn finds_the_current_word_of_each_side() {
        let transcript_index = transcript_index();
        assert_eq!(transcript_index.times.len(), 7);
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
            assert_eq!(transcript_index.words_at(seconds), expected, "at {seconds} s");
        }
        assert_eq!(
            (transcript_index.word_near(0.5), transcript_index.word_near(3.0), transcript_index.word_near(8.9)),
            (None, Some(2), Some(6))
        );
    }

    #[test]
    fn finds_neighboring_segments() {
        let transcript_index = transcript_index();
        assert_eq!(
            [0.0, 1.0, 1.6, 4.0].map(|at| transcript_index.adjacent_segment_start(at, false)),
            [1.0, 1.5, 4.0, 7.0].map(Some)
        );
        assert_eq!(transcript_index.adjacent_segment_start(7.0, false), None);
        assert_eq!(
            [7.5, 8.2, 4.5, 0.5].map(|at| transcript_index.adjacent_segment_start(at, true)),
            [4.0, 7.0, 1.5, 1.0].map(Some)
        );
    }

    #[test]
    fn matches_contain_words_of_one_side() {
        let transcript_index = transcript_index();
        assert_eq!(transcript_index.find("morning"), [vec![1], vec![3]]);
        assert_eq!(transcript_index.find("\"good morning morning to\""), [vec![0, 1, 3, 4]]);
        assert_eq!(transcript_index.find("mor"), [vec![1], vec![3]], "the beginning of a word");
        assert_eq!(transcript_index.find("good"), [vec![0], vec![6]], "matches words without times");
        assert_eq!(transcript_index.find("\"good"), [vec![0], vec![6]], "matches an incomplete phrase");
        assert_eq!(transcript_index.find(""), Vec::<Vec<usize>>::new());
    }
}
