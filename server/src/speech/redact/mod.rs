//! Redacts payment card numbers in transcripts before anything is stored.
//!
//! A card number has 13 to 19 digits (ISO/IEC 7812). Any sequence of that many digits is redacted: written with any
//! separators, spoken digit by digit or in pairs, mixed, and with fillers in between; across words, segments and pieces of a
//! side. Longer sequences are redacted as well, because the expiry date and the security code are often read out together
//! with the number.
//!
//! The check digit isn't verified, because one misheard digit would then leave the card number in the transcript. Some other
//! numbers are therefore redacted too, such as a long list of numbers. These are kept because they can't be card numbers:
//! telephone numbers, with up to 12 digits within a country and up to 14 after a `+` or `00`, with which no card number
//! begins; dates; and lists of years.

use leadscribe_engine::api::Word;

use super::word_list::RecognizedWord;
use lexicon::{Meaning, meaning};

mod lexicon;

/// Replacement text for a number.
const CARD_NUMBER: &str = "[card number]";
/// Minimum number of digits of a card number.
const SHORTEST: usize = 13;
/// Maximum number of digits of a telephone number after `+` or `00`. E.164 permits 15, but an American Express card has 15
/// as well, and a speaker may say "plus" before it.
const LONGEST_PHONE: usize = 14;
/// Maximum number of consecutive fillers between the digits of one number.
const FILLERS: usize = 4;

/// Redacts the card numbers in the words of a side in this language. Returns their number.
pub(super) fn card_numbers(words: &mut Vec<RecognizedWord>, language: Option<&str>) -> u32 {
    let mut count = 0;
    let mut from = 0;
    while from < words.len() {
        let run = Run::read(&words[from..], language);
        if run.is_card_number() {
            let number = join(&words[from..from + run.words]);
            words.splice(from..from + run.words, [number]);
            count += 1;
            from += 1;
        } else {
            from += run.words.max(1);
        }
    }
    count
}

/// Replaces several words by one.
fn join(words: &[RecognizedWord]) -> RecognizedWord {
    let confidence = words.iter().map(|said| said.word.confidence).sum::<f64>() / words.len() as f64;
    let (first, last) = (&words[0], &words[words.len() - 1]);
    RecognizedWord {
        word: Word { word: CARD_NUMBER.to_owned(), start: first.word.start, end: last.word.end, confidence },
        // In a text without spaces, both neighbours may be digits.
        space: " ".to_owned(),
    }
}

/// A sequence of digits.
#[derive(Debug, Default)]
struct Run {
    /// Number of words from the first digit to the last.
    words: usize,
    digits: usize,
    /// Number of leading zeros.
    zeros: usize,
    /// True if the sequence begins with a plus.
    plus: bool,
    /// True if all words are years written in digits.
    years: bool,
}

impl Run {
    /// Reads the sequence at the beginning of these words. It has no words if they begin with something else.
    fn read(words: &[RecognizedWord], language: Option<&str>) -> Self {
        let mut run = Self { years: true, ..Self::default() };
        let mut reader = Reader::default();
        let mut fillers = 0;
        for (index, said) in words.iter().enumerate() {
            match reader.read(&said.word.word, language) {
                Read::Digits { digits, zeros, plus } => {
                    run.plus |= plus && run.digits == 0;
                    if run.zeros == run.digits {
                        run.zeros += zeros;
                    }
                    run.digits += digits;
                    run.years &= is_year(&said.word.word);
                    run.words = index + 1;
                    fillers = 0;
                }
                // Prefixes such as `plus` and `double` begin a sequence if digits follow.
                Read::Prefix { plus } => run.plus |= plus && run.digits == 0,
                Read::Filler if run.digits > 0 && fillers < FILLERS => fillers += 1,
                Read::Filler | Read::Other => break,
            }
        }
        run
    }

    fn is_card_number(&self) -> bool {
        let international = self.plus && self.digits <= LONGEST_PHONE
            || !self.plus && self.zeros == 2 && self.digits - self.zeros <= LONGEST_PHONE;
        self.digits >= SHORTEST && !international && !self.years
    }
}

/// Contribution of a word to a sequence.
#[derive(Debug, PartialEq, Eq)]
enum Read {
    Digits { digits: usize, zeros: usize, plus: bool },
    Prefix { plus: bool },
    Filler,
    Other,
}

/// Reads words one by one and keeps context for the next word.
#[derive(Debug, Default)]
struct Reader {
    /// Repetitions of the next digit.
    repeat: Option<usize>,
    /// True if a following unit belongs to the tens before it.
    after_tens: bool,
    /// True if there were digits before.
    begun: bool,
    /// True if the previous word is French for four, which makes eighty of `vingt`.
    quatre: bool,
}

impl Reader {
    fn read(&mut self, word: &str, language: Option<&str>) -> Read {
        if is_date(word) {
            return Read::Other;
        }
        if word.contains(|character: char| character.is_ascii_digit() || is_other_digit(character)) {
            return self.written(word);
        }
        let word = word.to_lowercase();
        let word = word.trim_matches(|character: char| !character.is_alphanumeric());
        if word.is_empty() {
            return Read::Filler;
        }
        if let Some(meaning) = meaning(word, language) {
            return self.spoken(meaning, word);
        }
        // Hyphenated numbers: `forty-two`, `4-1-1-1` as words.
        let parts: Vec<&str> = word.split(|character: char| !character.is_alphanumeric()).collect();
        if parts.len() < 2 {
            return Read::Other;
        }
        let mut sum = Read::Filler;
        for part in parts.into_iter().filter(|part| !part.is_empty()) {
            let Some(meaning) = meaning(part, language) else { return Read::Other };
            if let Read::Digits { digits, zeros, .. } = self.spoken(meaning, part) {
                sum = match sum {
                    Read::Digits { digits: before, zeros: leading, plus } => Read::Digits {
                        digits: before + digits,
                        zeros: if leading == before { leading + zeros } else { leading },
                        plus,
                    },
                    _ => Read::Digits { digits, zeros, plus: false },
                };
            }
        }
        sum
    }

    /// Reads a word with digits.
    fn written(&mut self, word: &str) -> Read {
        let digits: Vec<bool> = word
            .chars()
            .filter(|character| character.is_ascii_digit() || is_other_digit(*character))
            .map(|character| character == '0')
            .collect();
        let repeats = self.repeat.take().unwrap_or(1);
        self.after_tens = false;
        self.begun = true;
        let zeros = digits.iter().take_while(|zero| **zero).count();
        let plus = word.trim_start_matches(['(', '"']).starts_with('+');
        Read::Digits {
            digits: digits.len() + repeats - 1,
            zeros: if zeros > 0 { zeros + repeats - 1 } else { 0 },
            plus,
        }
    }

    fn spoken(&mut self, meaning: Meaning, word: &str) -> Read {
        let belongs = self.after_tens;
        let quatre = std::mem::replace(&mut self.quatre, word == "quatre");
        match meaning {
            Meaning::Repeat(times) => {
                self.repeat = Some(times);
                self.begun = true;
                return Read::Prefix { plus: false };
            }
            Meaning::Plus => return if self.begun { Read::Filler } else { Read::Prefix { plus: true } },
            // `forty and two`: fillers between tens and unit change nothing.
            Meaning::Filler => return Read::Filler,
            // "Oh, four of them": `oh` means zero only within a number.
            Meaning::Zero if !self.begun && matches!(word, "oh" | "o") => return Read::Other,
            Meaning::Zero | Meaning::Digits(_) | Meaning::Tens => {}
        }
        self.begun = true;
        // soixante-dix-sept: `dix` may follow the tens, and then a unit.
        self.after_tens = meaning == Meaning::Tens || belongs && word == "dix";
        let times = self.repeat.take().unwrap_or(1);
        let digits = match meaning {
            // Twenty-one has two digits, like twenty.
            Meaning::Digits(_) if belongs => 0,
            Meaning::Digits(digits) => digits * times,
            Meaning::Tens if quatre && word.starts_with("vingt") => 1,
            Meaning::Tens => 2,
            _ => times,
        };
        let zeros = if meaning == Meaning::Zero { digits } else { 0 };
        Read::Digits { digits, zeros, plus: false }
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
