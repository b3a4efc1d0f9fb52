//! Arranges the words of all sides as a readable conversation.

use leadscribe_engine::api::{RecordingSide, Segment};

use super::word_alignment::{self, RecognizedWord};

/// Minimum silence in seconds that ends a segment.
const MIN_PAUSE_SECONDS: f64 = 1.0;
/// Minimum silence in seconds after which a side starts a new turn.
const MIN_TURN_SILENCE_SECONDS: f64 = 0.5;
/// Minimum length in seconds of a segment that ends at the end of a sentence.
const MIN_SENTENCE_SEGMENT_SECONDS: f64 = 6.0;
/// Maximum length of a segment in seconds, so that it can be read at a glance.
const MAX_SEGMENT_SECONDS: f64 = 15.0;

/// Returns the segments of all sides in order of time. A segment ends at a pause, when another side starts a turn, at the
/// end of a sentence once it is long enough, and at the maximum length.
pub(super) fn segments(sides: &[(RecordingSide, Vec<RecognizedWord>)]) -> Vec<Segment> {
    let mut segments: Vec<Segment> = Vec::new();
    for (index, (side, words)) in sides.iter().enumerate() {
        let others = sides.iter().enumerate().filter(|(other, _)| *other != index);
        let mut turns: Vec<f64> = others.flat_map(|(_, (_, words))| turn_starts(words)).collect();
        turns.sort_by(f64::total_cmp);
        segments.extend(split_into_segments(words, &turns).into_iter().filter_map(|words| segment(*side, words)));
    }
    segments.sort_by(|left, right| left.start.total_cmp(&right.start).then(left.end.total_cmp(&right.end)));
    segments
}

/// Returns the start times of a side's turns.
fn turn_starts(words: &[RecognizedWord]) -> impl Iterator<Item = f64> {
    words.iter().enumerate().filter_map(|(index, recognized)| {
        let previous_end = index.checked_sub(1).map(|previous| words[previous].word.end);
        previous_end
            .is_none_or(|previous_end| recognized.word.start - previous_end >= MIN_TURN_SILENCE_SECONDS)
            .then_some(recognized.word.start)
    })
}

/// Splits a side's words into segments. `turns` are the sorted turns of the other sides.
fn split_into_segments<'a>(words: &'a [RecognizedWord], turns: &[f64]) -> Vec<&'a [RecognizedWord]> {
    let mut segments = Vec::new();
    let mut rest = words;
    while !rest.is_empty() {
        let (segment, after) = rest.split_at(segment_length(rest, turns));
        segments.push(segment);
        rest = after;
    }
    segments
}

/// Returns the number of words in the first segment, at least one.
fn segment_length(words: &[RecognizedWord], turns: &[f64]) -> usize {
    let start = words[0].word.start;
    for (index, pair) in words.windows(2).enumerate() {
        let (current, next) = (&pair[0].word, &pair[1].word);
        let turn = turns.get(turns.partition_point(|turn| *turn <= current.start));
        let is_interrupted = turn.is_some_and(|turn| *turn <= next.start);
        let is_paused = next.start - current.end >= MIN_PAUSE_SECONDS;
        let is_complete = ends_sentence(&current.word) && current.end - start >= MIN_SENTENCE_SEGMENT_SECONDS;
        if is_interrupted || is_paused || is_complete {
            return index + 1;
        }
        if next.end - start > MAX_SEGMENT_SECONDS {
            return best_split(&words[..=index + 1]);
        }
    }
    words.len()
}

/// Returns the best place to split a segment that is too long: in its second half after a sentence or a comma, otherwise at
/// the longest pause.
fn best_split(words: &[RecognizedWord]) -> usize {
    let score = |split: usize| {
        let (before, after) = (&words[split - 1].word, &words[split].word);
        let punctuation_score = if ends_sentence(&before.word) {
            2.0
        } else if before.word.ends_with([',', ';', ':', '，', '、', '،']) {
            1.0
        } else {
            0.0
        };
        punctuation_score + (after.start - before.end)
    };
    let splits = words.len().div_ceil(2).max(1)..words.len();
    splits.max_by(|left, right| score(*left).total_cmp(&score(*right))).unwrap_or(1)
}

fn ends_sentence(word: &str) -> bool {
    let word = word.trim_end_matches(['"', '\'', '”', '’', '»', ')', ']']);
    word.ends_with(['.', '?', '!', '…', '。', '？', '！', '؟', '।'])
}

fn segment(side: RecordingSide, words: &[RecognizedWord]) -> Option<Segment> {
    let (first, last) = (words.first()?, words.last()?);
    let confidence = words.iter().map(|recognized| recognized.word.confidence).sum::<f64>() / words.len() as f64;
    Some(Segment {
        start: first.word.start,
        end: last.word.end,
        side,
        text: word_alignment::text(words),
        confidence: word_alignment::round_to_thousandths(confidence),
        words: words.iter().map(|recognized| recognized.word.clone()).collect(),
    })
}

#[cfg(test)]
mod tests {
    use leadscribe_engine::api::Word;

    use super::*;

    /// Creates words of half a second each, without pauses; `|` is a second of silence.
    fn spoken_side(side: RecordingSide, start: f64, text: &str) -> (RecordingSide, Vec<RecognizedWord>) {
        let mut time = start;
        let mut words = Vec::new();
        for word in text.split(' ') {
            if word == "|" {
                time += 1.0;
                continue;
            }
            let word = Word { word: word.to_owned(), start: time, end: time + 0.5, confidence: 0.5 };
            words.push(RecognizedWord { word, space: " ".to_owned() });
            time += 0.5;
        }
        (side, words)
    }

    fn format_segments(sides: &[(RecordingSide, Vec<RecognizedWord>)]) -> Vec<String> {
        segments(sides)
            .iter()
            .map(|segment| format!("{} {}-{} {}", segment.side.as_str(), segment.start, segment.end, segment.text))
            .collect()
    }

    #[test]
    fn interjection_splits_the_other_side() {
        let caller = spoken_side(RecordingSide::Caller, 0.0, "I bought it in May and it broke.");
        let callee = spoken_side(RecordingSide::Callee, 2.2, "Yes.");
        assert_eq!(
            format_segments(&[caller, callee]),
            ["caller 0-2.5 I bought it in May", "callee 2.2-2.7 Yes.", "caller 2.5-4 and it broke."]
        );
    }

    #[test]
    fn sides_take_turns() {
        let caller = spoken_side(RecordingSide::Caller, 0.0, "Hello. | | | Good. | And you?");
        let callee = spoken_side(RecordingSide::Callee, 1.0, "How are you?");
        assert_eq!(
            format_segments(&[caller, callee]),
            ["caller 0-0.5 Hello.", "callee 1-2.5 How are you?", "caller 3.5-4 Good.", "caller 5-6 And you?"]
        );
    }

    #[test]
    fn long_segment_ends_with_sentence() {
        let text = "One two. Three four five six seven eight nine ten eleven twelve. Thirteen. Fourteen.";
        assert_eq!(
            format_segments(&[spoken_side(RecordingSide::Both, 0.0, text)]),
            [
                "both 0-6 One two. Three four five six seven eight nine ten eleven twelve.",
                "both 6-7 Thirteen. Fourteen."
            ]
        );
    }

    #[test]
    fn endless_sentence_is_split_at_comma() {
        let words: Vec<String> = (1..=40).map(|n| if n == 20 { format!("{n},") } else { n.to_string() }).collect();
        let segments = segments(&[spoken_side(RecordingSide::Both, 0.0, &words.join(" "))]);
        let lengths: Vec<_> = segments.iter().map(|segment| segment.words.len()).collect();
        assert_eq!(lengths, [20, 20]);
        assert!(segments[0].text.ends_with(" 19 20,"));
    }

    #[test]
    fn channel_without_words_has_no_segments() {
        assert_eq!(segments(&[(RecordingSide::Both, Vec::new())]), []);
    }
}
