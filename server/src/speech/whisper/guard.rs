//! Keeps out of the text what nobody said: Whisper's remarks about sounds, and the loops it can fall into.

use leadscribe_engine::api::Word;

use super::words::is_speech;

/// Words of the longest phrase that is looked at for loops: as many as somebody can say in a piece.
const LONGEST_PHRASE: usize = 100;
/// How often people say the same word in a row; more often, it is a loop.
const REPEATS_OF_A_WORD: usize = 6;
/// How often people say the same phrase in a row.
const REPEATS_OF_A_PHRASE: usize = 3;
/// Words of a sentence that nobody says twice in a row, word by word. The smallest models do, where somebody said it once.
const SENTENCE: usize = 7;

/// Takes out remarks such as `[BLANK_AUDIO]`, `(applause)`, `*coughs*` and notes of music. A bracket that doesn't close
/// is left alone.
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

/// How many words the remark has that begins here.
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

/// Cuts each loop down to its phrase, said once. Gives how many words were cut.
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

/// The length of a phrase that is repeated here too often, and how often it stands in a row.
fn looped(words: &[Word]) -> Option<(usize, usize)> {
    (1..=LONGEST_PHRASE.min(words.len() / 2)).find_map(|length| {
        let phrase = &words[..length];
        let repeats = words.chunks_exact(length).take_while(|chunk| is_same(phrase, chunk)).count();
        let usual = match length {
            1 => REPEATS_OF_A_WORD,
            2..SENTENCE => REPEATS_OF_A_PHRASE,
            _ => 1,
        };
        // A card number may hold the same digit or pair many times.
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
    fn remarks_are_taken_out() {
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
    fn loops_are_cut_and_what_people_say_is_not() {
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
