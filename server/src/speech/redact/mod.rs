//! Redacts payment card numbers in transcripts before anything is stored.
//!
//! A card number has 13 to 19 digits (ISO/IEC 7812). Any sequence of that many digits is redacted: written with any
//! separators, spoken digit by digit or in pairs, mixed, and with fillers in between; across words, segments and pieces of a
//! side. Longer sequences are redacted as well, because the expiry date and the security code are often read out together
//! with the number.
//!
//! The check digit isn't verified, because one misheard digit would then leave the card number in the transcript. Some other
//! numbers are therefore redacted too, such as a long list of numbers. Three kinds of numbers can't be card numbers and are
//! kept: telephone numbers (up to 12 digits, or up to 14 after a `+` or `00`, with which no card number begins), dates, and
//! lists of years.

use leadscribe_engine::api::Word;

use super::word_alignment::RecognizedWord;
use lexicon::{NumberWord, classify};

mod lexicon;

/// Replacement text for a number.
const CARD_NUMBER: &str = "[card number]";
/// Minimum number of digits of a card number.
const MIN_CARD_DIGITS: usize = 13;
/// Maximum number of digits of a telephone number after `+` or `00`. E.164 permits 15, but an American Express card has 15
/// as well, and a speaker may say "plus" before it.
const MAX_PHONE_DIGITS: usize = 14;
/// Maximum number of consecutive fillers between the digits of one number.
const MAX_FILLERS: usize = 4;

/// Redacts the card numbers in the words of a side in this language. Returns their number.
pub(super) fn redact_card_numbers(words: &mut Vec<RecognizedWord>, language: Option<&str>) -> u32 {
    let mut count = 0;
    let mut index = 0;
    while index < words.len() {
        let sequence = DigitSequence::parse(&words[index..], language);
        if sequence.is_card_number() {
            let number = merge_words(&words[index..index + sequence.word_count]);
            words.splice(index..index + sequence.word_count, [number]);
            count += 1;
            index += 1;
        } else {
            index += sequence.word_count.max(1);
        }
    }
    count
}

/// Replaces several words with one.
fn merge_words(words: &[RecognizedWord]) -> RecognizedWord {
    let confidence = words.iter().map(|recognized| recognized.word.confidence).sum::<f64>() / words.len() as f64;
    let (first, last) = (&words[0], &words[words.len() - 1]);
    RecognizedWord {
        word: Word { word: CARD_NUMBER.to_owned(), start: first.word.start, end: last.word.end, confidence },
        // In a text without spaces, both neighbors may be digits.
        space: " ".to_owned(),
    }
}

#[derive(Debug, Default)]
struct DigitSequence {
    /// Number of words from the first digit to the last.
    word_count: usize,
    digits: usize,
    leading_zeros: usize,
    /// True if the sequence begins with a plus.
    has_plus: bool,
    /// True if all words are years written in digits.
    has_only_years: bool,
}

impl DigitSequence {
    /// Reads the sequence at the beginning of these words. It has no words if they begin with something else.
    fn parse(words: &[RecognizedWord], language: Option<&str>) -> Self {
        let mut sequence = Self { has_only_years: true, ..Self::default() };
        let mut tokenizer = DigitTokenizer::default();
        let mut fillers = 0;
        for (index, recognized) in words.iter().enumerate() {
            match tokenizer.tokenize(&recognized.word.word, language) {
                DigitToken::Digits { digits, zeros, plus } => {
                    sequence.has_plus |= plus && sequence.digits == 0;
                    if sequence.leading_zeros == sequence.digits {
                        sequence.leading_zeros += zeros;
                    }
                    sequence.digits += digits;
                    sequence.has_only_years &= is_year(&recognized.word.word);
                    sequence.word_count = index + 1;
                    fillers = 0;
                }
                // Prefixes such as `plus` and `double` begin a sequence if digits follow.
                DigitToken::Prefix { plus } => sequence.has_plus |= plus && sequence.digits == 0,
                DigitToken::Filler if sequence.digits > 0 && fillers < MAX_FILLERS => fillers += 1,
                DigitToken::Filler | DigitToken::Other => break,
            }
        }
        sequence
    }

    fn is_card_number(&self) -> bool {
        let is_international = self.has_plus && self.digits <= MAX_PHONE_DIGITS
            || !self.has_plus && self.leading_zeros == 2 && self.digits - self.leading_zeros <= MAX_PHONE_DIGITS;
        self.digits >= MIN_CARD_DIGITS && !is_international && !self.has_only_years
    }
}

/// Contribution of a word to a sequence.
#[derive(Debug, PartialEq, Eq)]
enum DigitToken {
    Digits { digits: usize, zeros: usize, plus: bool },
    Prefix { plus: bool },
    Filler,
    Other,
}

/// Reads words one by one and keeps context for the next word.
#[derive(Debug, Default)]
struct DigitTokenizer {
    /// Repetitions of the next digit.
    repeat: Option<usize>,
    /// True if a following unit belongs to the tens before it.
    is_after_tens: bool,
    /// True if there were digits before.
    has_digits: bool,
    /// True if the previous word is French for four, which makes eighty of `vingt`.
    is_after_quatre: bool,
}

impl DigitTokenizer {
    fn tokenize(&mut self, word: &str, language: Option<&str>) -> DigitToken {
        if is_date(word) {
            return DigitToken::Other;
        }
        if word.contains(|character: char| character.is_ascii_digit() || is_other_digit(character)) {
            return self.tokenize_written(word);
        }
        let word = word.to_lowercase();
        let word = word.trim_matches(|character: char| !character.is_alphanumeric());
        if word.is_empty() {
            return DigitToken::Filler;
        }
        if let Some(meaning) = classify(word, language) {
            return self.tokenize_spoken(meaning, word);
        }
        // Hyphenated numbers: `forty-two`, `4-1-1-1` as words.
        let parts: Vec<&str> = word.split(|character: char| !character.is_alphanumeric()).collect();
        if parts.len() < 2 {
            return DigitToken::Other;
        }
        let mut total = DigitToken::Filler;
        for part in parts.into_iter().filter(|part| !part.is_empty()) {
            let Some(meaning) = classify(part, language) else { return DigitToken::Other };
            if let DigitToken::Digits { digits, zeros, .. } = self.tokenize_spoken(meaning, part) {
                total = match total {
                    DigitToken::Digits { digits: before, zeros: leading, plus } => DigitToken::Digits {
                        digits: before + digits,
                        zeros: if leading == before { leading + zeros } else { leading },
                        plus,
                    },
                    _ => DigitToken::Digits { digits, zeros, plus: false },
                };
            }
        }
        total
    }

    /// Reads a word with digits.
    fn tokenize_written(&mut self, word: &str) -> DigitToken {
        let digits: Vec<bool> = word
            .chars()
            .filter(|character| character.is_ascii_digit() || is_other_digit(*character))
            .map(|character| character == '0')
            .collect();
        let repeats = self.repeat.take().unwrap_or(1);
        self.is_after_tens = false;
        self.has_digits = true;
        let zeros = digits.iter().take_while(|zero| **zero).count();
        let plus = word.trim_start_matches(['(', '"']).starts_with('+');
        DigitToken::Digits {
            digits: digits.len() + repeats - 1,
            zeros: if zeros > 0 { zeros + repeats - 1 } else { 0 },
            plus,
        }
    }

    fn tokenize_spoken(&mut self, meaning: NumberWord, word: &str) -> DigitToken {
        let follows_tens = self.is_after_tens;
        let follows_quatre = std::mem::replace(&mut self.is_after_quatre, word == "quatre");
        match meaning {
            NumberWord::Repeat(times) => {
                self.repeat = Some(times);
                self.has_digits = true;
                return DigitToken::Prefix { plus: false };
            }
            NumberWord::Plus => {
                return if self.has_digits { DigitToken::Filler } else { DigitToken::Prefix { plus: true } };
            }
            // `forty and two`: fillers between tens and unit change nothing.
            NumberWord::Filler => return DigitToken::Filler,
            // "Oh, four of them": `oh` means zero only within a number.
            NumberWord::Zero if !self.has_digits && matches!(word, "oh" | "o") => return DigitToken::Other,
            NumberWord::Zero | NumberWord::Digits(_) | NumberWord::Tens => {}
        }
        self.has_digits = true;
        // soixante-dix-sept: `dix` may follow the tens, and then a unit.
        self.is_after_tens = meaning == NumberWord::Tens || follows_tens && word == "dix";
        let times = self.repeat.take().unwrap_or(1);
        let digits = match meaning {
            // Twenty-one has two digits, like twenty.
            NumberWord::Digits(_) if follows_tens => 0,
            NumberWord::Digits(digits) => digits * times,
            NumberWord::Tens if follows_quatre && word.starts_with("vingt") => 1,
            NumberWord::Tens => 2,
            _ => times,
        };
        let zeros = if meaning == NumberWord::Zero { digits } else { 0 };
        DigitToken::Digits { digits, zeros, plus: false }
    }
}

/// Returns whether a character is a digit of another script, such as Arabic.
fn is_other_digit(character: char) -> bool {
    character.is_numeric() && !character.is_alphabetic() && !character.is_ascii()
}

/// Returns whether a word is a plausible year.
fn is_year(word: &str) -> bool {
    let word = word.trim_matches(|character: char| !character.is_alphanumeric());
    word.len() == 4 && word.parse().is_ok_and(|year: u16| (1900..2100).contains(&year))
}

/// Returns whether a word is a date with a year, such as `2024-08-15`, `15.8.2024` or `8/15/2024`.
fn is_date(word: &str) -> bool {
    let word = word.trim_matches(|character: char| !character.is_alphanumeric());
    let parts: Vec<&str> = word.split(['-', '.', '/']).collect();
    let is_small = |part: &str| part.parse().is_ok_and(|number: u8| (1..=31).contains(&number)) && part.len() <= 2;
    match parts[..] {
        [year, month, day] if is_year(year) => is_small(month) && is_small(day),
        [day, month, year] if is_year(year) => is_small(day) && is_small(month),
        _ => false,
    }
}

#[cfg(test)]
mod tests;
