//! Splits a phone cell into tokens with a small alphabet: digits become ASCII, each kind of punctuation becomes one
//! character, and invisible characters are removed.

use rlibphonenumber::PHONE_NUMBER_UTIL;

/// A token of a cell.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Token {
    /// Adjacent digits, as ASCII.
    Digits(String),
    /// Adjacent letters, in lower case. Pictographs count as letters.
    Word(String),
    /// One of `+ ( ) - . / # : , ;`, a space or a tab. `;` represents all other punctuation, which acts as a separator.
    Punctuation(char),
}

/// Error for a character that hides, changes or casts doubt on digits: `030 2312****`, `*31#0171…`, `030 23125123?`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct UnreadableCharacter;

/// Offset between full-width characters and ASCII.
const FULL_WIDTH: u32 = 0xFEE0;

/// Splits a cell into tokens.
///
/// # Errors
/// A character has no meaning in a phone cell, or makes its digits uncertain.
pub fn tokenize(cell: &str) -> Result<Vec<Token>, UnreadableCharacter> {
    if cell.contains("://") || cell.contains("www.") {
        return Err(UnreadableCharacter);
    }
    let normalized: String = strip_host(cell).chars().filter_map(normalize_character).collect();
    let normalized = strip_thousands_separators(normalized.trim_matches([' ', '\t', '\'', '=']));
    let mut tokens = Vec::new();
    let mut previous = None;
    for (position, character) in normalized.char_indices() {
        let normalized_character = match character {
            '\'' => normalize_quote(previous, &normalized[position + 1..]),
            '=' => ';',
            '•' => normalize_bullet(previous, &normalized[position + character.len_utf8()..]),
            other => other,
        };
        previous = Some(character);
        match (normalized_character, tokens.last_mut()) {
            ('?', _) => return Err(UnreadableCharacter),
            // An ellipsis stands for omitted digits.
            ('.', Some(Token::Punctuation('.'))) => return Err(UnreadableCharacter),
            ('0'..='9', Some(Token::Digits(digits))) => digits.push(normalized_character),
            ('0'..='9', _) => tokens.push(Token::Digits(normalized_character.into())),
            (' ' | '+', Some(Token::Punctuation(last))) if *last == normalized_character => {}
            ('+' | '(' | ')' | '-' | '.' | '/' | '#' | ';' | ':' | ',' | ' ' | '\t', _) => {
                tokens.push(Token::Punctuation(normalized_character))
            }
            (letter, Some(Token::Word(word))) => word.extend(letter.to_lowercase()),
            (letter, _) => tokens.push(Token::Word(letter.to_lowercase().collect())),
        }
    }
    Ok(tokens)
}

/// Removes the host of a SIP or WhatsApp address. Removes an email address and the text after it.
fn strip_host(cell: &str) -> &str {
    let Some((before, _)) = cell.split_once('@') else { return cell };
    let name = before.rfind([':', '<', ' ']).map_or(0, |at| at + 1);
    if before[name..].contains(char::is_alphabetic) { &before[..name] } else { before }
}

/// Returns the replacement of a quote: `?`, which is rejected, between two digits; otherwise a separator.
fn normalize_quote(previous: Option<char>, following: &str) -> char {
    let is_within = previous.is_some_and(|character| character.is_ascii_digit())
        && following.starts_with(|character: char| character.is_ascii_digit());
    if is_within { '?' } else { ';' }
}

/// Returns the replacement of a bullet: `.` between digits, a separator before text, otherwise `?` for a hidden digit.
fn normalize_bullet(previous: Option<char>, following: &str) -> char {
    let is_after_digit = previous.is_some_and(|character| character.is_ascii_digit());
    if is_after_digit && following.starts_with(|character: char| character.is_ascii_digit()) {
        '.'
    } else if is_after_digit || matches!(following.trim_start().chars().next(), None | Some('•')) {
        '?'
    } else {
        ';'
    }
}

/// Returns the normalized form of a character; `None` for an invisible one.
fn normalize_character(character: char) -> Option<char> {
    let normalized = match character {
        '0'..='9' | '+' | '(' | ')' | '-' | '.' | '/' | '#' | ';' | ':' | ',' | '\'' | '=' | ' ' | '\t' => character,
        'a'..='z' | 'A'..='Z' => character,
        '\n' | '\r' | '\u{B}' | '\u{C}' | '\u{85}' | '\u{2028}' | '\u{2029}' => ';',
        '！'..='～' => return normalize_character(char::from_u32(u32::from(character) - FULL_WIDTH)?),
        '|' | '&' | '<' | '>' | '!' | '、' | '､' | '،' | '؛' => ';',
        '"' | '`' | '´' | '‘'..='‟' | '′' | '″' | '«' | '»' | '‹' | '›' | '٬' => '\'',
        '[' | '{' | '【' | '〔' => '(',
        ']' | '}' | '】' | '〕' => ')',
        '﹢' | '⁺' => '+',
        '‐'..='―' | '⁃' | '−' | '﹘' | '﹣' | 'ー' | 'ｰ' => '-',
        '。' | '٫' => '.',
        '\\' | '⁄' | '∕' => '/',
        '∶' => ':',
        '·' | '•' | '‧' | '∙' | '・' | '･' => '•',
        '\u{AD}' | '\u{34F}' | '\u{61C}' | '\u{180E}' | '\u{200B}'..='\u{200F}' => return None,
        '\u{202A}'..='\u{202E}' | '\u{2060}'..='\u{2069}' | '\u{FE00}'..='\u{FE0F}' | '\u{FEFF}' => return None,
        space if space.is_whitespace() => ' ',
        '…' | '‥' | '⋯' | '⁇' => '?',
        // An amount of money.
        '¢'..='¥' | '\u{20A0}'..='\u{20CF}' => '?',
        other if other.is_ascii() || other.is_control() => '?',
        other if other.is_numeric() => ascii_digit(other).unwrap_or('?'),
        other => other,
    };
    Some(normalized)
}

/// Returns the ASCII digit for a decimal digit of any script.
fn ascii_digit(character: char) -> Option<char> {
    let mut text = [0; 4];
    PHONE_NUMBER_UTIL.normalize_digits_only(character.encode_utf8(&mut text)).chars().next()
}

/// Removes the thousands separators that a spreadsheet adds to a number: `3,023,125,123`, `3'023'125'123`, `98,76,54,32,100`.
fn strip_thousands_separators(text: &str) -> String {
    let mut result = String::with_capacity(text.len());
    let mut rest = text;
    while !rest.is_empty() {
        let is_numeric = |character: char| matches!(character, '0'..='9' | ',' | '\'' | '.');
        let (run, after) = rest.split_at(rest.find(|character| !is_numeric(character)).unwrap_or(rest.len()));
        let separator = run.chars().find(|character| !character.is_ascii_digit()).unwrap_or('.');
        let is_number = |character: char| character.is_ascii_digit() || character == separator;
        let (number, decimals) = run.split_at(run.find(|character| !is_number(character)).unwrap_or(run.len()));
        if separator != '.' && is_grouped(number, separator) {
            result.extend(number.chars().filter(char::is_ascii_digit));
        } else if separator == '\'' && has_apostrophes(number) {
            result.push_str(&number.replace(separator, " "));
        } else {
            result.push_str(number);
        }
        result.push_str(decimals);
        let text_length = after.find(is_numeric).unwrap_or(after.len());
        result.push_str(&after[..text_length]);
        rest = &after[text_length..];
    }
    result
}

fn is_grouped(number: &str, separator: char) -> bool {
    let groups: Vec<_> = number.split(separator).collect();
    let [first, middle @ .., last] = groups.as_slice() else { return false };
    let is_number = groups.iter().all(|group| group.bytes().all(|byte| byte.is_ascii_digit()));
    let is_valid_start = matches!(first.len(), 1..=3) && !first.starts_with('0');
    let size = middle.first().map_or(0, |group| group.len());
    // Groups of two in India, of three elsewhere.
    let is_consistent = matches!(size, 2 | 3) && middle.iter().all(|group| group.len() == size) && first.len() <= size;
    is_number && is_valid_start && is_consistent && last.len() == 3
}

/// Returns true if apostrophes separate groups of digits, as in Switzerland: `044'668'18'00`.
fn has_apostrophes(number: &str) -> bool {
    number.split('\'').count() > 2 && !number.split('\'').any(str::is_empty)
}
