//! Splits a text into normalized words for comparison.

use unicode_normalization::char::is_combining_mark;

use crate::diagnostic::CharRange;
use crate::host;

/// A word of a text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Token {
    /// The normalized word; never empty.
    pub word: String,
    /// Its characters in the text.
    pub range: CharRange,
}

/// Endings of English verbs that belong to the word before the apostrophe, as in `don't`. Any other apostrophe separates words, as in
/// `l'homme` and `Ann's`, so that `homme` and `Ann` are found.
const CONTRACTION_ENDINGS: [&str; 6] = ["t", "d", "m", "ll", "re", "ve"];

/// Returns the words of a text, in order.
pub(super) fn tokenize(text: &str) -> Vec<Token> {
    let chars: Vec<char> = text.chars().collect();
    let mut tokens = Vec::new();
    let mut offset = 0;
    while offset < chars.len() {
        let start = offset;
        offset = word_end(&chars, start);
        if offset == start {
            offset += 1;
            continue;
        }
        if !is_unspaced(chars[start])
            && let Some(end) = contraction_end(&chars, offset)
        {
            offset = end;
        }
        tokens.push(Token { word: normalize(&chars[start..offset]), range: CharRange { start, end: offset } });
    }
    tokens
}

/// Returns the end of the word that begins at `start`, or `start` if there is none.
fn word_end(chars: &[char], start: usize) -> usize {
    let Some(first) = chars.get(start).copied().filter(|c| is_letter(*c)) else { return start };
    let mut end = start + 1;
    let continues_word = |c: char| is_combining_mark(c) || (!is_unspaced(first) && is_letter(c) && !is_unspaced(c));
    while chars.get(end).copied().is_some_and(continues_word) {
        end += 1;
    }
    end
}

/// Returns the end of the whole word if one of [`CONTRACTION_ENDINGS`] follows the apostrophe.
fn contraction_end(chars: &[char], apostrophe: usize) -> Option<usize> {
    chars.get(apostrophe).copied().filter(|c| is_apostrophe(*c))?;
    let end = word_end(chars, apostrophe + 1);
    CONTRACTION_ENDINGS.contains(&normalize(&chars[apostrophe + 1..end]).as_str()).then_some(end)
}

/// Normalizes a word for comparison: without accents and apostrophes, in lower case, with `ss` for `ß` and a single form of the Greek
/// sigma.
fn normalize(word: &[char]) -> String {
    let mut folded = String::with_capacity(word.len());
    let letters: String = word.iter().filter(|c| !is_apostrophe(**c)).collect();
    for c in host::decompose(&letters).chars().filter(|c| !is_accent(*c)).flat_map(char::to_lowercase) {
        match c {
            'ß' => folded.push_str("ss"),
            'ς' => folded.push('σ'),
            _ => folded.push(c),
        }
    }
    folded
}

/// Returns true if a character can begin a word. Combining marks can only continue one.
fn is_letter(c: char) -> bool {
    c.is_alphanumeric() && !is_combining_mark(c)
}

/// Returns true for combining accents of Latin, Greek and Cyrillic letters. Marks of other scripts are significant and kept.
fn is_accent(c: char) -> bool {
    matches!(c, '\u{300}'..='\u{36f}')
}

fn is_apostrophe(c: char) -> bool {
    matches!(c, '\'' | '’' | '‘' | 'ʼ' | '＇')
}

/// Returns true for scripts without spaces: Thai, Lao, Myanmar, Khmer, Hiragana, Katakana and Han.
fn is_unspaced(c: char) -> bool {
    matches!(c,
        '\u{e00}'..='\u{eff}' | '\u{1000}'..='\u{109f}' | '\u{1780}'..='\u{17ff}' | '\u{3005}'..='\u{3007}'
        | '\u{3041}'..='\u{30ff}' | '\u{31f0}'..='\u{31ff}' | '\u{3400}'..='\u{4dbf}' | '\u{4e00}'..='\u{9fff}'
        | '\u{a9e0}'..='\u{a9ff}' | '\u{aa60}'..='\u{aa7f}' | '\u{f900}'..='\u{faff}' | '\u{ff66}'..='\u{ff9f}'
        | '\u{20000}'..='\u{3ffff}')
}
