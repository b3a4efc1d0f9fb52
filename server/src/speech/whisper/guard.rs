//! Removes hallucinated text: Whisper's remarks about sounds, and loops.

use leadscribe_engine::api::Word;

use super::words::is_speech;

/// Maximum number of words of a repeated phrase: as many as can be said in a piece.
const LONGEST_PHRASE: usize = 100;
/// Maximum number of consecutive repetitions of a word in real speech; more are a loop.
const REPEATS_OF_A_WORD: usize = 6;
/// Maximum number of consecutive repetitions of a phrase in real speech.
const REPEATS_OF_A_PHRASE: usize = 3;
/// Minimum number of words of a sentence that is never said twice in a row, word for word. The smallest models repeat such
/// sentences.
const SENTENCE: usize = 7;

/// Removes remarks such as `[BLANK_AUDIO]`, `(applause)`, `*coughs*` and notes of music. An unclosed bracket is kept.
pub(super) fn without_remarks(words: Vec<Word>) -> Vec<Word> {
    let mut kept: Vec<Word> = Vec::with_capacity(words.len());
    let mut rest = words.as_slice();
    while let Some((word, after)) = rest.split_first() {
        if let Some(length) = remark(rest) {
            rest = &rest[length..];
        } else {
            if word.word.contains(is_speech) {
                kept.push(word.clone());
            }
            rest = after;
        }
    }
    kept
}

/// Returns the number of words of the remark at the beginning.
fn remark(words: &[Word]) -> Option<usize> {
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
    let closes = |word: &str| word.trim_end_matches(|c: char| !is_speech(c) && c != close).ends_with(close);
    let rest = &first[open.len_utf8()..];
    if closes(rest) || rest.is_empty() && words.len() == 1 {
        return Some(1);
    }
    words[1..].iter().position(|word| closes(&word.word)).map(|position| position + 2)
}

/// Reduces each loop to one repetition of its phrase. Returns the number of removed words.
pub(super) fn without_loops(words: &mut Vec<Word>) -> usize {
    let before = words.len();
    let mut at = 0;
    while at < words.len() {
        if let Some((phrase, repeats)) = looped(&words[at..]) {
            words.drain(at + phrase..at + phrase * repeats);
        }
        at += 1;
    }
    before - words.len()
}

/// Returns the length of a phrase that is repeated too often here, and the number of its repetitions.
fn looped(words: &[Word]) -> Option<(usize, usize)> {
    (1..=LONGEST_PHRASE.min(words.len() / 2)).find_map(|length| {
        let phrase = &words[..length];
        let repeats = words.chunks_exact(length).take_while(|chunk| is_same(phrase, chunk)).count();
        let usual = match length {
            1 => REPEATS_OF_A_WORD,
            2..SENTENCE => REPEATS_OF_A_PHRASE,
            _ => 1,
        };
        // A card number may repeat the same digit or pair many times.
        let digits = phrase.iter().any(|word| word.word.contains(|c: char| c.is_ascii_digit()));
        (repeats > usual && !digits).then_some((length, repeats))
    })
}

fn is_same(left: &[Word], right: &[Word]) -> bool {
    left.iter().zip(right).all(|(left, right)| plain(&left.word).eq(plain(&right.word)))
}

fn plain(word: &str) -> impl Iterator<Item = char> {
    word.chars().filter(|character| is_speech(*character)).flat_map(char::to_lowercase)
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
    fn removes_remarks() {
        for (said, kept) in [
            ("[BLANK_AUDIO]", ""),
            ("(upbeat music) Good morning.", "Good morning."),
            ("Yes. [Music] [Applause]", "Yes."),
            ("♪", ""),
            ("♪ la la ♪ Hello", "Hello"),
            ("*coughs*, sorry", "sorry"),
            ("... -", ""),
            ("call me (maybe", "call me (maybe"),
        ] {
            assert_eq!(text(&without_remarks(words(said))), kept, "{said}");
        }
    }

    #[test]
    fn removes_loops_but_keeps_natural_repetition() {
        for (said, kept) in [
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
            let mut found = words(said);
            let cut = without_loops(&mut found);
            assert_eq!(text(&found), kept, "{said}");
            assert_eq!(cut, words(said).len() - found.len());
        }
    }
}
