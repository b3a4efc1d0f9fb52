//! Words as a recogniser gave them, made alike whichever it was.

use leadscribe_engine::api::Word;

use super::Recognized;

/// Signs that belong to the word after them, also where no space stands before them.
const OPENING: [char; 12] = ['(', '[', '"', '“', '‘', '«', '¿', '¡', '「', '『', '（', '《'];

/// A word of one side.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Said {
    /// The word, with the punctuation around it; times are seconds from the beginning of the recording.
    pub(super) word: Word,
    /// Whether a space stands before it.
    pub(super) apart: bool,
}

/// The words of a stretch of a piece that begins at `offset`. Recognisers that list words without punctuation give that
/// in the text only; those that list no words have their times spread evenly over the text.
pub(super) fn said(recognized: Recognized, offset: f64) -> Vec<Said> {
    let Recognized { start, end, text, confidence, mut words } = recognized;
    if words.is_empty() {
        words = spread(&text, start, end, confidence);
    }
    let mut rest = text.as_str();
    let mut said: Vec<Said> = Vec::with_capacity(words.len());
    for mut word in words {
        word.start += offset;
        word.end += offset;
        let Some(found) = find(rest, &word.word) else {
            // The text says it otherwise, such as a number in digits: it goes on after its next space.
            rest = rest.trim_start().split_once(char::is_whitespace).map_or("", |(_, rest)| rest);
            word.word = word.word.trim().to_owned();
            said.push(Said { word, apart: true });
            continue;
        };
        if let Some(last) = said.last_mut() {
            last.word.word.push_str(found.before);
        }
        word.word = found.word.to_owned();
        said.push(Said { word, apart: found.apart || said.is_empty() });
        rest = found.rest;
    }
    if let Some(last) = said.last_mut()
        && !rest.contains(char::is_alphanumeric)
    {
        last.word.word.push_str(rest.trim());
    }
    said.retain(|said| !said.word.word.is_empty());
    said
}

/// A word in a text.
struct Found<'a> {
    /// Signs that belong to the word before.
    before: &'a str,
    /// Whether there is a space between them.
    apart: bool,
    /// The word, with the signs before it.
    word: &'a str,
    /// What follows.
    rest: &'a str,
}

/// Finds a word at the beginning of a text, where only signs and spaces may stand before it.
fn find<'a>(text: &'a str, word: &str) -> Option<Found<'a>> {
    let word = word.trim();
    let bare = word.trim_start_matches(|character: char| !character.is_alphanumeric());
    if bare.is_empty() {
        return None;
    }
    let at = text.find(char::is_alphanumeric)?;
    let rest = text[at..].strip_prefix(bare)?;
    let signs = &text[..at];
    let (before, begin, apart) = match signs.find(char::is_whitespace) {
        Some(space) => (&signs[..space], at - signs[space..].trim_start().len(), true),
        None => {
            let opening = signs.trim_end_matches(OPENING).len();
            (&signs[..opening], opening, false)
        }
    };
    Some(Found { before, apart, word: &text[begin..text.len() - rest.len()], rest })
}

/// The words of a text without times: each lasts as long as its share of the letters.
fn spread(text: &str, start: f64, end: f64, confidence: f64) -> Vec<Word> {
    let length = |word: &str| word.chars().count() as f64;
    let all = text.split_whitespace().map(length).sum::<f64>().max(1.0);
    let mut before = 0.0;
    let at = |letters: f64| start + (end - start) * letters / all;
    text.split_whitespace()
        .map(|word| {
            let from = before;
            before += length(word);
            Word { word: word.to_owned(), start: at(from), end: at(before), confidence }
        })
        .collect()
}

/// Makes the times of a side's words rise without overlaps within a recording of `seconds`, in whole milliseconds.
pub(super) fn put_in_order(said: &mut [Said], seconds: f64) {
    let mut earliest = 0.0_f64;
    for index in 0..said.len() {
        let word = &mut said[index].word;
        word.start = to_thousandths(word.start.clamp(earliest, seconds.max(earliest)));
        word.end = to_thousandths(word.end.clamp(word.start, seconds.max(word.start)));
        word.confidence = to_thousandths(word.confidence.clamp(0.0, 1.0));
        earliest = word.start;
        let start = word.start;
        if let Some(before) = index.checked_sub(1).and_then(|before| said.get_mut(before)) {
            before.word.end = before.word.end.min(start);
        }
    }
}

/// Rounds to whole thousandths: seconds to milliseconds, and probabilities to a tenth of a percent.
pub(super) fn to_thousandths(value: f64) -> f64 {
    (value * 1_000.0).round() / 1_000.0
}

/// The text of some words.
pub(super) fn text(said: &[Said]) -> String {
    let mut text = String::new();
    for Said { word, apart } in said {
        if *apart && !text.is_empty() {
            text.push(' ');
        }
        text.push_str(&word.word);
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    fn recognized(text: &str, words: &[&str]) -> Recognized {
        let word = |(index, word): (usize, &&str)| Word {
            word: (*word).to_owned(),
            start: index as f64,
            end: index as f64 + 1.0,
            confidence: 0.5,
        };
        let words = words.iter().enumerate().map(word).collect();
        Recognized { start: 0.0, end: 4.0, text: text.to_owned(), confidence: 0.5, words }
    }

    fn parts(recognized: Recognized) -> Vec<String> {
        said(recognized, 0.0).into_iter().map(|said| said.word.word).collect()
    }

    #[test]
    fn words_get_the_punctuation_of_the_text() {
        let found = said(recognized("Well, \"I\" don't - know. ¿Qué?", &["Well", "I", "don't", "know", "Qué"]), 10.0);
        assert_eq!(text(&found), "Well, \"I\" don't - know. ¿Qué?");
        let words: Vec<_> = found.iter().map(|said| said.word.word.as_str()).collect();
        assert_eq!(words, ["Well,", "\"I\"", "don't", "- know.", "¿Qué?"]);
        assert_eq!((found[1].word.start, found[1].word.end), (11.0, 12.0));
    }

    #[test]
    fn words_with_punctuation_stay_as_they_are() {
        assert_eq!(
            parts(recognized("And so, my fellow.", &["And", "so,", "my", "fellow."])),
            ["And", "so,", "my", "fellow."]
        );
    }

    #[test]
    fn text_without_spaces_stays_together() {
        let found = said(recognized("今天天气，很好", &["今天", "天气", "很", "好"]), 0.0);
        assert_eq!(text(&found), "今天天气，很好");
        assert_eq!(found[1].word.word, "天气，");
    }

    #[test]
    fn where_words_and_text_differ_the_words_count() {
        assert_eq!(
            parts(recognized("Go 10 metres, please.", &["Go", "ten", "metres", "please"])),
            ["Go", "ten", "metres,", "please."]
        );
    }

    #[test]
    fn a_text_without_words_is_spread_over_its_time() {
        let found = said(recognized("ab cdef gh", &[]), 1.0);
        let times: Vec<_> = found.iter().map(|said| (said.word.start, said.word.end)).collect();
        assert_eq!(times, [(1.0, 2.0), (2.0, 4.0), (4.0, 5.0)]);
    }

    #[test]
    fn times_rise_in_milliseconds_within_the_recording() {
        let mut said = said(recognized("a b c", &["a", "b", "c"]), 0.0);
        for (said, (start, end)) in said.iter_mut().zip([(0.123_44, 2.0), (1.0, 0.5), (9.0, 12.0)]) {
            (said.word.start, said.word.end) = (start, end);
        }
        put_in_order(&mut said, 10.0);
        let times: Vec<_> = said.iter().map(|said| (said.word.start, said.word.end)).collect();
        assert_eq!(times, [(0.123, 1.0), (1.0, 1.0), (9.0, 10.0)]);
    }
}
