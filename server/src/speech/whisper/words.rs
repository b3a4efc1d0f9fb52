//! Combines Whisper's tokens into words.

use leadscribe_engine::api::Word;

#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Token<'a> {
    /// Bytes, which may be a part of a character.
    pub(super) bytes: &'a [u8],
    /// End time in seconds from the beginning of the piece; the next token begins there.
    pub(super) end: f64,
    /// Probability: 0 to 1.
    pub(super) probability: f64,
}

/// Returns the words of a sequence of tokens. In a language with spaces, a token that begins with a space begins a word. In
/// a language without spaces, each token of whole characters that include a letter begins a word.
pub(super) fn assemble_words(tokens: &[Token<'_>], without_spaces: bool) -> Vec<Word> {
    let mut words: Vec<WordBuilder> = Vec::new();
    let mut end = 0.0_f64;
    for token in tokens {
        let begins_word = match words.last() {
            None => true,
            Some(word) if !word.is_valid_utf8() => false,
            Some(_) if token.bytes.first() == Some(&b' ') => true,
            Some(_) => without_spaces && has_letters(token.bytes),
        };
        if begins_word {
            words.push(WordBuilder { bytes: Vec::new(), start: end, end, probabilities: Vec::new() });
        }
        if let Some(word) = words.last_mut() {
            word.bytes.extend_from_slice(token.bytes);
            // Punctuation takes no time: its apparent time is a pause or the beginning of the next word.
            if has_letters(token.bytes) {
                end = end.max(token.end);
                word.end = end;
            }
            word.probabilities.push((token.probability, has_letters(token.bytes)));
        }
    }
    join_punctuation(words.into_iter().filter_map(WordBuilder::finish).collect())
}

/// A word that is being assembled.
struct WordBuilder {
    bytes: Vec<u8>,
    start: f64,
    end: f64,
    /// Probability of each token, and whether it has letters.
    probabilities: Vec<(f64, bool)>,
}

impl WordBuilder {
    fn is_valid_utf8(&self) -> bool {
        std::str::from_utf8(&self.bytes).is_ok()
    }

    /// Returns the trimmed word, and whether a space precedes it; `None` if the word is empty.
    fn finish(self) -> Option<(bool, Word)> {
        let follows_space = self.bytes.first() == Some(&b' ');
        let word = String::from_utf8_lossy(&self.bytes).trim().to_owned();
        if word.is_empty() {
            return None;
        }
        // The probability of a comma says nothing about the word.
        let has_any_letters = self.probabilities.iter().any(|(_, has_letters)| *has_letters);
        let counted = || self.probabilities.iter().filter(|(_, has_letters)| *has_letters || !has_any_letters);
        let confidence = counted().map(|(probability, _)| probability).sum::<f64>() / counted().count().max(1) as f64;
        Some((follows_space, Word { word, start: self.start, end: self.end, confidence: confidence.clamp(0.0, 1.0) }))
    }
}

/// Appends standalone punctuation, such as a dash, to the previous word, including the space between them. The flag of each
/// word tells whether a space precedes it.
fn join_punctuation(words: Vec<(bool, Word)>) -> Vec<Word> {
    let mut joined: Vec<Word> = Vec::with_capacity(words.len());
    for (follows_space, word) in words {
        match joined.last_mut() {
            Some(last) if !word.word.contains(is_spoken) && !is_part_of_annotation(&word.word) => {
                if follows_space {
                    last.word.push(' ');
                }
                last.word.push_str(&word.word);
            }
            _ => joined.push(word),
        }
    }
    joined
}

/// Returns whether a word is part of an annotation of sounds, such as `[Music]` or a note.
fn is_part_of_annotation(word: &str) -> bool {
    word.contains(['[', ']', '(', ')', '*', '♪', '♫', '♬', '♩'])
}

/// Returns whether a character is spoken. Letters and digits are; punctuation and combining marks aren't.
pub(super) fn is_spoken(character: char) -> bool {
    character.is_alphanumeric()
}

fn has_letters(bytes: &[u8]) -> bool {
    // A part of a character belongs to a letter: punctuation of several bytes is always a single token.
    std::str::from_utf8(bytes).map_or(true, |text| text.contains(is_spoken))
}

/// Returns the text of a sequence of words.
pub(super) fn text(words: &[Word], without_spaces: bool) -> String {
    let mut text = String::new();
    for Word { word, .. } in words {
        // In a language without spaces, foreign words and numbers are still separated.
        let is_foreign = |character: Option<char>| character.is_some_and(|character| character.is_ascii_alphanumeric());
        let needs_space = !without_spaces || is_foreign(text.chars().next_back()) && is_foreign(word.chars().next());
        if needs_space && !text.is_empty() {
            text.push(' ');
        }
        text.push_str(word);
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tokens<'a>(parts: &[&'a [u8]]) -> Vec<Token<'a>> {
        parts.iter().map(|bytes| Token { bytes, end: 0.0, probability: 0.5 }).collect()
    }

    fn texts(parts: &[&[u8]], without_spaces: bool) -> Vec<String> {
        assemble_words(&tokens(parts), without_spaces).into_iter().map(|word| word.word).collect()
    }

    #[test]
    fn space_begins_a_word() {
        assert_eq!(
            texts(&[b" un", b"like", b"ly", b",", b" is", b" -", b" it", b"?"], false),
            ["unlikely,", "is -", "it?"]
        );
    }

    #[test]
    fn joins_split_characters() {
        assert_eq!(texts(&[b" caf", b"\xc3", b"\xa9", b" \xd0", b"\xb4\xd0\xb0"], false), ["café", "да"]);
    }

    #[test]
    fn tokens_are_words_in_languages_without_spaces() {
        let parts = ["今天".as_bytes(), "天气".as_bytes(), "，".as_bytes(), b"\xe5\xbe", b"\x88", "好".as_bytes()];
        assert_eq!(texts(&parts, true), ["今天", "天气，", "很", "好"]);
        assert_eq!(texts(&["ขอ".as_bytes(), "่".as_bytes(), "บ".as_bytes()], true), ["ขอ่", "บ"]);
    }

    #[test]
    fn punctuation_does_not_affect_times_and_confidence() {
        let token = |bytes, end, probability| Token { bytes, end, probability };
        let assembled = assemble_words(
            &[token(b" o", 1.0, 0.9), token(b"k", 2.0, 0.7), token(b".", 3.0, 0.1), token(b" a", 2.5, 1.0)],
            false,
        );
        let times: Vec<_> = assembled.iter().map(|word| (word.start, word.end)).collect();
        assert_eq!(times, [(0.0, 2.0), (2.0, 2.5)]);
        assert!((assembled[0].confidence - 0.8).abs() < 1e-9);
    }
}
