//! Reconciles a recognizer's words with its text.
//!
//! The text takes precedence: the words joined together are the text of the recognizer with all its punctuation and spaces.
//! The words that the recognizer lists separately only provide the times.

use std::ops::Range;

use leadscribe_engine::api::Word;

use super::RecognizedSegment;

/// Punctuation that belongs to the following word.
const OPENING_PUNCTUATION: [char; 12] = ['(', '[', '"', '“', '‘', '«', '¿', '¡', '「', '『', '（', '《'];

/// Maximum number of words of the text that are skipped to find a listed word.
const MAX_SKIPPED_WORDS: usize = 8;

/// A word of one side.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct RecognizedWord {
    /// The word with its punctuation. Times are in seconds from the beginning of the recording.
    pub(super) word: Word,
    /// Spaces before the word.
    pub(super) space: String,
}

struct TimedWord {
    /// Range in the text from the first letter or digit to the last.
    range: Range<usize>,
    start: f64,
    end: f64,
    confidence: f64,
}

/// Returns the words of a segment in a piece that begins at `offset`. Words that aren't listed share the time between their
/// neighbors by their lengths.
pub(super) fn align_words(recognized: RecognizedSegment, offset: f64) -> Vec<RecognizedWord> {
    let RecognizedSegment { start, end, text, confidence, words } = recognized;
    let mut timed_words: Vec<TimedWord> = Vec::new();
    // Time of listed words that are spelled differently in the text, such as a number in digits.
    let mut unmatched_time: Option<(f64, f64)> = None;
    for word in words {
        let from = timed_words.last().map_or(0, |timed| timed.range.end);
        let Some(range) = find_word(&text, from, &word.word) else {
            if word.word.contains(char::is_alphanumeric) {
                unmatched_time = Some((unmatched_time.map_or(word.start, |(start, _)| start), word.end));
            }
            continue;
        };
        let before = timed_words.last().map_or(start, |timed| timed.end);
        let (from_time, to_time) = unmatched_time.take().unwrap_or((before, word.start));
        distribute_time(&text, from..range.start, (from_time, to_time), confidence, &mut timed_words);
        timed_words.push(TimedWord { range, start: word.start, end: word.end, confidence: word.confidence });
    }
    let from = timed_words.last().map_or(0, |timed| timed.range.end);
    let before = timed_words.last().map_or(start, |timed| timed.end);
    distribute_time(&text, from..text.len(), unmatched_time.unwrap_or((before, end)), confidence, &mut timed_words);
    attach_punctuation(&text, timed_words, offset)
}

/// Finds a listed word in a text, at `from` or a few words later.
fn find_word(text: &str, from: usize, word: &str) -> Option<Range<usize>> {
    let word = word.trim_matches(|character: char| !character.is_alphanumeric());
    if word.is_empty() {
        return None;
    }
    let mut ranges = word_ranges(text, from..text.len());
    let first = ranges.next()?;
    if let Some(length) = prefix_length(&text[first.start..], word) {
        return Some(first.start..first.start + length);
    }
    // Later words must match as a whole: "a" is not part of "again".
    ranges.take(MAX_SKIPPED_WORDS).find_map(|range| {
        let length = prefix_length(&text[range.start..], word)?;
        let is_whole = !text[range.start + length..].starts_with(char::is_alphanumeric);
        is_whole.then(|| range.start..range.start + length)
    })
}

/// Returns the length in bytes of `word` at the beginning of a text, ignoring case; `None` if the text begins with something
/// else.
fn prefix_length(text: &str, word: &str) -> Option<usize> {
    let mut rest = text.char_indices();
    for expected in word.chars() {
        let (_, character) = rest.next()?;
        if character != expected && !character.to_lowercase().eq(expected.to_lowercase()) {
            return None;
        }
    }
    Some(rest.next().map_or(text.len(), |(end, _)| end))
}

/// Returns the words of a section of text, separated by whitespace, each from its first letter or digit to its last.
fn word_ranges(text: &str, within: Range<usize>) -> impl Iterator<Item = Range<usize>> {
    let section = &text[within.clone()];
    let base = section.as_ptr() as usize;
    section.split(is_separator).filter_map(move |part| {
        let begin = part.find(char::is_alphanumeric)?;
        let end = part.trim_end_matches(|character: char| !character.is_alphanumeric()).len();
        let start = within.start + (part.as_ptr() as usize - base);
        Some(start + begin..start + end)
    })
}

/// Returns whether a character separates words. A no-break space doesn't.
fn is_separator(character: char) -> bool {
    character.is_whitespace() && !matches!(character, '\u{a0}' | '\u{2007}' | '\u{202f}')
}

/// Adds the words of a section of text. Their times are proportional to their lengths.
fn distribute_time(
    text: &str,
    within: Range<usize>,
    (start, end): (f64, f64),
    confidence: f64,
    timed_words: &mut Vec<TimedWord>,
) {
    let length = |range: &Range<usize>| text[range.clone()].chars().count() as f64;
    let total_chars = word_ranges(text, within.clone()).map(|range| length(&range)).sum::<f64>().max(1.0);
    let time_at = |count: f64| start + (end - start).max(0.0) * count / total_chars;
    let mut before = 0.0;
    for range in word_ranges(text, within) {
        let from = before;
        before += length(&range);
        timed_words.push(TimedWord { range, start: time_at(from), end: time_at(before), confidence });
    }
}

/// Assigns the punctuation between two words to one of them.
fn attach_punctuation(text: &str, timed_words: Vec<TimedWord>, offset: f64) -> Vec<RecognizedWord> {
    let mut words: Vec<RecognizedWord> = Vec::with_capacity(timed_words.len());
    let mut from = 0;
    for TimedWord { range, start, end, confidence } in timed_words {
        let between = &text[from..range.start];
        let (space, own) = match words.last_mut() {
            None => (" ", between.trim_start()),
            Some(last) => {
                let (before, space, own) = split_punctuation(between);
                last.word.word.push_str(&collapse_line_breaks(before));
                (space, own)
            }
        };
        let word = collapse_line_breaks(own) + &text[range.clone()];
        let word = Word { word, start: start + offset, end: end + offset, confidence };
        words.push(RecognizedWord { word, space: collapse_line_breaks(space) });
        from = range.end;
    }
    if let Some(last) = words.last_mut() {
        last.word.word.push_str(&collapse_line_breaks(text[from..].trim_end()));
    }
    words
}

/// Splits the text between two words: the punctuation of the previous word including spaces, the spaces after it, and the
/// punctuation of the next word.
fn split_punctuation(between: &str) -> (&str, &str, &str) {
    let opens = |character: char| OPENING_PUNCTUATION.contains(&character);
    // Punctuation that touches the previous word belongs to it if a space follows.
    let touching = between.find(is_separator).unwrap_or(0);
    let trimmed = between[touching..].trim_end_matches(|character| opens(character) || is_separator(character));
    let previous_end = touching + trimmed.len();
    let next = between[previous_end..].trim_start_matches(is_separator);
    (&between[..previous_end], &between[previous_end..between.len() - next.len()], next)
}

/// Replaces whitespace with spaces. A line break and the whitespace around it become one space.
fn collapse_line_breaks(part: &str) -> String {
    let mut line = String::with_capacity(part.len());
    let mut follows_break = false;
    for character in part.chars() {
        if matches!(character, '\n' | '\r' | '\u{85}' | '\u{2028}' | '\u{2029}') {
            line.truncate(line.trim_end_matches(' ').len());
            line.push(' ');
            follows_break = true;
        } else if !is_separator(character) {
            line.push(character);
            follows_break = false;
        } else if !follows_break {
            line.push(' ');
        }
    }
    line
}

/// Makes the times of a side's words increasing, without overlaps, within a recording of `seconds`, and in whole milliseconds.
pub(super) fn normalize_times(words: &mut [RecognizedWord], seconds: f64) {
    let mut earliest = 0.0_f64;
    for index in 0..words.len() {
        let word = &mut words[index].word;
        word.start = round_to_thousandths(word.start.clamp(earliest, seconds.max(earliest)));
        word.end = round_to_thousandths(word.end.clamp(word.start, seconds.max(word.start)));
        word.confidence = round_to_thousandths(word.confidence.clamp(0.0, 1.0));
        earliest = word.start;
        let start = word.start;
        if let Some(previous) = index.checked_sub(1).and_then(|previous| words.get_mut(previous)) {
            previous.word.end = previous.word.end.min(start);
        }
    }
}

/// Rounds to thousandths: seconds to milliseconds, and probabilities to a tenth of a percent.
pub(super) fn round_to_thousandths(value: f64) -> f64 {
    (value * 1_000.0).round() / 1_000.0
}

/// Returns the text of a sequence of words.
pub(super) fn text(words: &[RecognizedWord]) -> String {
    let mut text = String::new();
    for RecognizedWord { word, space } in words {
        if !text.is_empty() {
            text.push_str(space);
        }
        text.push_str(&word.word);
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    fn recognized(text: &str, listed: &[&str]) -> RecognizedSegment {
        let word = |(index, word): (usize, &&str)| Word {
            word: (*word).to_owned(),
            start: index as f64,
            end: index as f64 + 1.0,
            confidence: 0.5,
        };
        let words = listed.iter().enumerate().map(word).collect();
        RecognizedSegment { start: 0.0, end: 4.0, text: text.to_owned(), confidence: 0.5, words }
    }

    fn parts(text: &str, listed: &[&str]) -> Vec<String> {
        align_words(recognized(text, listed), 0.0).into_iter().map(|word| word.word.word).collect()
    }

    #[test]
    fn words_take_punctuation_from_the_text() {
        let aligned =
            align_words(recognized("Well, \"I\" don't - know. ¿Qué?", &["Well", "I", "don't", "know", "Qué"]), 10.0);
        assert_eq!(text(&aligned), "Well, \"I\" don't - know. ¿Qué?");
        let words: Vec<_> = aligned.iter().map(|word| word.word.word.as_str()).collect();
        assert_eq!(words, ["Well,", "\"I\"", "don't -", "know.", "¿Qué?"]);
        assert_eq!((aligned[1].word.start, aligned[1].word.end), (11.0, 12.0));
    }

    #[test]
    fn keeps_spaces_around_punctuation() {
        for (spoken, listed) in [
            ("Comment allez-vous ? Très bien ! Oui – non. 50 % de 20 €, R & D.", &[][..]),
            ("Vous ?", &["Vous"]),
            ("Vous ?", &["Vous", "?"]),
            ("It is 50 % of all – or less.", &["It", "is", "50", "%", "of", "all", "–", "or", "less."]),
            ("It is 50 % of all – or less.", &["It", "is", "50", "of", "all", "or", "less"]),
            ("– Oui. « Bonjour » ( a ) …", &["Oui", "Bonjour", "a"]),
            ("R & D, a / b, C# + C++ = 1", &["R", "&", "D", "a", "/", "b", "C#", "+", "C++", "=", "1"]),
            ("R&D costs 50% -- or 20€.", &["R", "&", "D", "costs", "50", "%", "or", "20", "€"]),
            ("vous\u{a0}? Très\u{202f}!", &["vous", "Très"]),
            ("he said: \"go\" (now) — 'fine'", &["he", "said", "go", "now", "fine"]),
            ("Go 10 – metres, big world", &["Go", "ten", "metres", "world"]),
        ] {
            assert_eq!(text(&align_words(recognized(spoken, listed), 0.0)), spoken, "{listed:?}");
        }
    }

    #[test]
    fn keeps_repeated_spaces_but_no_line_breaks() {
        for (spoken, expected) in [
            ("  50  %  of   all  ", "50  %  of   all"),
            ("One \n two\r\n\r\n ?\t three\n", "One two ?  three"),
            ("a -\n- b", "a - - b"),
        ] {
            assert_eq!(text(&align_words(recognized(spoken, &[]), 0.0)), expected, "{spoken:?}");
        }
    }

    #[test]
    fn assigns_punctuation_to_words() {
        assert_eq!(parts("Vous ? 50 % – « Oui »", &[]), ["Vous ?", "50 % –", "« Oui »"]);
        assert_eq!(parts("And so, my fellow.", &["And", "so,", "my", "fellow."]), ["And", "so,", "my", "fellow."]);
        assert_eq!(parts("- Yes.", &["Yes"]), ["- Yes."]);
    }

    #[test]
    fn text_without_spaces_stays_together() {
        let aligned = align_words(recognized("今天天气，很好", &["今天", "天气", "很", "好"]), 0.0);
        assert_eq!(text(&aligned), "今天天气，很好");
        assert_eq!(aligned[1].word.word, "天气，");
    }

    #[test]
    fn text_takes_precedence_over_listed_words() {
        let aligned = align_words(recognized("Go 10 metres, please.", &["go", "ten", "metres", "please"]), 0.0);
        let times: Vec<_> = aligned.iter().map(|word| (word.word.word.as_str(), word.word.start)).collect();
        assert_eq!(times, [("Go", 0.0), ("10", 1.0), ("metres,", 2.0), ("please.", 3.0)]);
    }

    #[test]
    fn unlisted_words_share_the_time_between_neighbors() {
        let times = |text: &str, listed: &[&str]| -> Vec<(f64, f64)> {
            align_words(recognized(text, listed), 1.0).iter().map(|word| (word.word.start, word.word.end)).collect()
        };
        assert_eq!(times("ab cdef gh", &[]), [(1.0, 2.0), (2.0, 4.0), (4.0, 5.0)]);
        assert_eq!(times("ab cdef gh", &["ab"]), [(1.0, 2.0), (2.0, 4.0), (4.0, 5.0)]);
        assert_eq!(times("ab cd gh", &["ab", "gh"]), [(1.0, 2.0), (2.0, 2.0), (2.0, 3.0)]);
    }

    #[test]
    fn word_times_are_increasing_milliseconds() {
        let mut aligned = align_words(recognized("a b c", &["a", "b", "c"]), 0.0);
        for (word, (start, end)) in aligned.iter_mut().zip([(0.123_44, 2.0), (1.0, 0.5), (9.0, 12.0)]) {
            (word.word.start, word.word.end) = (start, end);
        }
        normalize_times(&mut aligned, 10.0);
        let times: Vec<_> = aligned.iter().map(|word| (word.word.start, word.word.end)).collect();
        assert_eq!(times, [(0.123, 1.0), (1.0, 1.0), (9.0, 10.0)]);
    }
}
