//! From the words of each side to a conversation that reads well.

use leadscribe_engine::api::{RecordingSide, Segment};

use super::word_list::{self, RecognizedWord};

/// Seconds of silence after which a segment ends.
const PAUSE: f64 = 1.0;
/// Seconds of silence after which a side that speaks again takes its turn, rather than going on.
const TURN: f64 = 0.5;
/// A segment that has lasted for so many seconds ends with its sentence.
const ENOUGH: f64 = 6.0;
/// No segment lasts longer, in seconds: what is read at a glance.
const LONGEST: f64 = 15.0;

/// The segments of all sides by time. A segment ends where its side pauses, where another begins to speak, with a
/// sentence when it has lasted for a while, and where it would become too long.
pub(super) fn segments(sides: &[(RecordingSide, Vec<RecognizedWord>)]) -> Vec<Segment> {
    let mut segments: Vec<Segment> = Vec::new();
    for (index, (side, words)) in sides.iter().enumerate() {
        let others = sides.iter().enumerate().filter(|(other, _)| *other != index);
        let mut turns: Vec<f64> = others.flat_map(|(_, (_, words))| turns(words)).collect();
        turns.sort_by(f64::total_cmp);
        segments.extend(stretches(words, &turns).into_iter().filter_map(|words| segment(*side, words)));
    }
    segments.sort_by(|left, right| left.start.total_cmp(&right.start).then(left.end.total_cmp(&right.end)));
    segments
}

/// When a side begins to speak.
fn turns(words: &[RecognizedWord]) -> impl Iterator<Item = f64> {
    words.iter().enumerate().filter_map(|(index, said)| {
        let before = index.checked_sub(1).map(|before| words[before].word.end);
        before.is_none_or(|before| said.word.start - before >= TURN).then_some(said.word.start)
    })
}

/// Divides a side's words. The turns of the others are in order.
fn stretches<'a>(words: &'a [RecognizedWord], turns: &[f64]) -> Vec<&'a [RecognizedWord]> {
    let mut stretches = Vec::new();
    let mut rest = words;
    while !rest.is_empty() {
        let (stretch, after) = rest.split_at(length(rest, turns));
        stretches.push(stretch);
        rest = after;
    }
    stretches
}

/// How many of these words the first segment has, at least one.
fn length(words: &[RecognizedWord], turns: &[f64]) -> usize {
    let start = words[0].word.start;
    for (index, pair) in words.windows(2).enumerate() {
        let (this, next) = (&pair[0].word, &pair[1].word);
        let turn = turns.get(turns.partition_point(|turn| *turn <= this.start));
        let interrupted = turn.is_some_and(|turn| *turn <= next.start);
        let paused = next.start - this.end >= PAUSE;
        let complete = ends_sentence(&this.word) && this.end - start >= ENOUGH;
        if interrupted || paused || complete {
            return index + 1;
        }
        if next.end - start > LONGEST {
            return best_cut(&words[..=index + 1]);
        }
    }
    words.len()
}

/// Where a stretch that is too long is cut best: in its later half after a sentence or a comma, else at the longest
/// pause.
fn best_cut(words: &[RecognizedWord]) -> usize {
    let weight = |cut: usize| {
        let (before, after) = (&words[cut - 1].word, &words[cut].word);
        let sign = if ends_sentence(&before.word) {
            2.0
        } else if before.word.ends_with([',', ';', ':', '，', '、', '،']) {
            1.0
        } else {
            0.0
        };
        sign + (after.start - before.end)
    };
    let cuts = words.len().div_ceil(2).max(1)..words.len();
    cuts.max_by(|left, right| weight(*left).total_cmp(&weight(*right))).unwrap_or(1)
}

fn ends_sentence(word: &str) -> bool {
    let word = word.trim_end_matches(['"', '\'', '”', '’', '»', ')', ']']);
    word.ends_with(['.', '?', '!', '…', '。', '？', '！', '؟', '।'])
}

fn segment(side: RecordingSide, words: &[RecognizedWord]) -> Option<Segment> {
    let (first, last) = (words.first()?, words.last()?);
    let confidence = words.iter().map(|said| said.word.confidence).sum::<f64>() / words.len() as f64;
    Some(Segment {
        start: first.word.start,
        end: last.word.end,
        side,
        text: word_list::text(words),
        confidence: word_list::to_thousandths(confidence),
        words: words.iter().map(|said| said.word.clone()).collect(),
    })
}

#[cfg(test)]
mod tests {
    use leadscribe_engine::api::Word;

    use super::*;

    /// Words of half a second each, without pauses; `|` is a second of silence.
    fn side(side: RecordingSide, start: f64, text: &str) -> (RecordingSide, Vec<RecognizedWord>) {
        let mut at = start;
        let mut words = Vec::new();
        for word in text.split(' ') {
            if word == "|" {
                at += 1.0;
                continue;
            }
            let word = Word { word: word.to_owned(), start: at, end: at + 0.5, confidence: 0.5 };
            words.push(RecognizedWord { word, space: " ".to_owned() });
            at += 0.5;
        }
        (side, words)
    }

    fn read(sides: &[(RecordingSide, Vec<RecognizedWord>)]) -> Vec<String> {
        segments(sides)
            .iter()
            .map(|segment| format!("{} {}-{} {}", segment.side.as_str(), segment.start, segment.end, segment.text))
            .collect()
    }

    #[test]
    fn what_is_said_in_between_divides_the_other_side() {
        let caller = side(RecordingSide::Caller, 0.0, "I bought it in May and it broke.");
        let callee = side(RecordingSide::Callee, 2.2, "Yes.");
        assert_eq!(
            read(&[caller, callee]),
            ["caller 0-2.5 I bought it in May", "callee 2.2-2.7 Yes.", "caller 2.5-4 and it broke."]
        );
    }

    #[test]
    fn sides_take_turns() {
        let caller = side(RecordingSide::Caller, 0.0, "Hello. | | | Good. | And you?");
        let callee = side(RecordingSide::Callee, 1.0, "How are you?");
        assert_eq!(
            read(&[caller, callee]),
            ["caller 0-0.5 Hello.", "callee 1-2.5 How are you?", "caller 3.5-4 Good.", "caller 5-6 And you?"]
        );
    }

    #[test]
    fn a_long_segment_ends_with_a_sentence() {
        let text = "One two. Three four five six seven eight nine ten eleven twelve. Thirteen. Fourteen.";
        assert_eq!(
            read(&[side(RecordingSide::Both, 0.0, text)]),
            [
                "both 0-6 One two. Three four five six seven eight nine ten eleven twelve.",
                "both 6-7 Thirteen. Fourteen."
            ]
        );
    }

    #[test]
    fn a_sentence_without_end_is_cut_at_a_comma() {
        let words: Vec<String> = (1..=40).map(|n| if n == 20 { format!("{n},") } else { n.to_string() }).collect();
        let segments = segments(&[side(RecordingSide::Both, 0.0, &words.join(" "))]);
        let lengths: Vec<_> = segments.iter().map(|segment| segment.words.len()).collect();
        assert_eq!(lengths, [20, 20]);
        assert!(segments[0].text.ends_with(" 19 20,"));
    }

    #[test]
    fn nothing_said_is_no_segment() {
        assert_eq!(segments(&[(RecordingSide::Both, Vec::new())]), []);
    }
}
