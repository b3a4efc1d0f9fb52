//! Removes hallucinated text: Whisper's annotations of sounds, and loops.

use leadscribe_engine::api::Word;

use super::words::is_spoken;

/// Maximum number of words of a repeated phrase: as many as can be said in a piece.
const MAX_PHRASE_WORDS: usize = 100;
/// Maximum number of consecutive repetitions of a word in real speech; more are a loop.
const MAX_WORD_REPEATS: usize = 6;
/// Maximum number of consecutive repetitions of a phrase in real speech.
const MAX_PHRASE_REPEATS: usize = 3;
/// Minimum number of words of a sentence that is never said twice in a row, word for word. The smallest models repeat such
/// sentences.
const MIN_SENTENCE_WORDS: usize = 7;

/// Removes annotations such as `[BLANK_AUDIO]`, `(applause)`, `*coughs*` and notes of music. An unclosed bracket
/// is kept.
pub(super) fn remove_annotations(words: Vec<Word>) -> Vec<Word> {
    let mut remaining: Vec<Word> = Vec::with_capacity(words.len());
    let mut rest = words.as_slice();
    while let Some((word, after)) = rest.split_first() {
        if let Some(length) = annotation_length(rest) {
            rest = &rest[length..];
        } else {
            if word.word.contains(is_spoken) {
                remaining.push(word.clone());
            }
            rest = after;
        }
    }
    remaining
}

/// Returns the number of words of the annotation at the beginning.
fn annotation_length(words: &[Word]) -> Option<usize> {
    let first = words.first()?.word.as_str();
    let open = first.chars().next()?;
    let close = match open {
        '[' => ']',
        '(' => ')',
        '（' => '）',
        '【' => '】',
        '*' => '*',
        '♪' | '♫' | '♬' | '♩' => open,
        _ => return None,
    };
    let is_closing = |word: &str| word.trim_end_matches(|c: char| !is_spoken(c) && c != close).ends_with(close);
    let rest = &first[open.len_utf8()..];
    if is_closing(rest) || rest.is_empty() && words.len() == 1 {
        return Some(1);
    }
    words[1..].iter().position(|word| is_closing(&word.word)).map(|position| position + 2)
}

/// Reduces each loop to one repetition of its phrase. Returns the number of removed words.
pub(super) fn remove_loops(words: &mut Vec<Word>) -> usize {
    let previous_len = words.len();
    let mut at = 0;
    while at < words.len() {
        if let Some((phrase_len, repeats)) = find_loop(&words[at..]) {
            words.drain(at + phrase_len..at + phrase_len * repeats);
        }
        at += 1;
    }
    previous_len - words.len()
}

/// Returns the length of a phrase at the beginning that is repeated too often, and the number of its repetitions.
fn find_loop(words: &[Word]) -> Option<(usize, usize)> {
    (1..=MAX_PHRASE_WORDS.min(words.len() / 2)).find_map(|length| {
        let phrase = &words[..length];
        let repeats = words.chunks_exact(length).take_while(|chunk| is_same(phrase, chunk)).count();
        let max_repeats = match length {
            1 => MAX_WORD_REPEATS,
            2..MIN_SENTENCE_WORDS => MAX_PHRASE_REPEATS,
            _ => 1,
        };
        // A card number may repeat the same digit or pair many times.
        let has_digits = phrase.iter().any(|word| word.word.contains(|c: char| c.is_ascii_digit()));
        (repeats > max_repeats && !has_digits).then_some((length, repeats))
    })
}

fn is_same(left: &[Word], right: &[Word]) -> bool {
    left.iter().zip(right).all(|(left, right)| normalized_chars(&left.word).eq(normalized_chars(&right.word)))
}

fn normalized_chars(word: &str) -> impl Iterator<Item = char> {
    word.chars().filter(|character| is_spoken(*character)).flat_map(char::to_lowercase)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(text: &str) -> Vec<Word> {
        text.split(' ').map(|word| Word { word: word.to_owned(), start: 0.0, end: 0.0, confidence: 1.0 }).collect()
    }

    fn text(words: &[Word]) -> String {
        words.iter().map(|word| word.word.as_str()).collect::<Vec<_>>().join(" ")
    }

    #[test]
    fn removes_annotations() {
        for (spoken, expected) in [
            ("[BLANK_AUDIO]", ""),
            ("(upbeat music) Good morning.", "Good morning."),
            ("Yes. [Music] [Applause]", "Yes."),
            ("♪", ""),
            ("♪ la la ♪ Hello", "Hello"),
            ("*coughs*, sorry", "sorry"),
            ("... -", ""),
            ("call me (maybe", "call me (maybe"),
        ] {
            assert_eq!(text(&remove_annotations(words(spoken))), expected, "{spoken}");
        }
    }

    #[test]
    fn removes_loops_but_keeps_natural_repetition() {
        for (spoken, expected) in [
            ("no no no no no no", "no no no no no no"),
            ("no no no, No no no. no no", "no"),
            ("so thank you. Thank you. Thank you.", "so thank you. Thank you. Thank you."),
            ("so thank you. Thank you. Thank you. thank you. bye", "so thank you. bye"),
            ("1 1 1 1 1 1 1 1 1 1", "1 1 1 1 1 1 1 1 1 1"),
            (
                "one that nobody says twice in a row. One that nobody says twice in a row",
                "one that nobody says twice in a row.",
            ),
            ("can you hear me now? Can you hear me now?", "can you hear me now? Can you hear me now?"),
        ] {
            let mut filtered = words(spoken);
            let removed = remove_loops(&mut filtered);
            assert_eq!(text(&filtered), expected, "{spoken}");
            assert_eq!(removed, words(spoken).len() - filtered.len());
        }
    }
}
