//! Reading what is searched.

use super::fold::tokens;
use super::{MAX_SEARCH, MAX_TERMS, Search, Term};
use crate::fault::{CharRange, Fault, Place, Span};
use crate::message::texts::{common, words as texts};
use crate::message::{expected, fault};

impl Search {
    /// Reads words, "phrases in quotes" and beginnings with a star; all of them must be said.
    ///
    /// Quotes may also be „…“, “…” and «…». A word with a hyphen is a phrase. What has no letter or digit is passed
    /// over.
    ///
    /// # Errors
    /// When there is no word in it, a quote isn't closed, a star doesn't stand at the end of a word, or it is longer
    /// than [`MAX_SEARCH`] characters or [`MAX_TERMS`] terms.
    pub fn parse(text: &str, place: Place) -> Result<Self, Fault> {
        parse(text).map_err(|fault| placed(text, fault, place))
    }

    /// Searches the words of `text` one after the other. It has no syntax: quotes and stars are passed over.
    ///
    /// # Errors
    /// When there is no word in it, or it is longer than [`MAX_SEARCH`] characters.
    pub fn phrase(text: &str, place: Place) -> Result<Self, Fault> {
        let phrase = || {
            bounded(text)?;
            let words: Vec<String> = tokens(text).into_iter().map(|token| token.word).collect();
            if words.is_empty() { Err(no_words()) } else { Ok(Self { terms: vec![Term { words, prefix: false }] }) }
        };
        phrase().map_err(|fault| placed(text, fault, place))
    }
}

fn parse(text: &str) -> Result<Search, Fault> {
    bounded(text)?;
    let chars: Vec<char> = text.chars().collect();
    let mut terms = Vec::new();
    let mut at = 0;
    while at < chars.len() {
        if chars[at].is_whitespace() {
            at += 1;
            continue;
        }
        let (inside, next) = piece(&chars, at)?;
        if let Some(term) = term(&chars, inside, next)?
            && !terms.contains(&term)
        {
            terms.push(term);
        }
        at = next;
    }
    match terms.len() {
        0 => Err(no_words()),
        1..=MAX_TERMS => Ok(Search { terms }),
        many => Err(expected("too_many", texts::at_most_words(MAX_TERMS), many)),
    }
}

/// The characters of the phrase or word at `at`, without its quotes, and where it ends with them and a star after them.
fn piece(chars: &[char], at: usize) -> Result<(CharRange, usize), Fault> {
    if let Some(closing) = closing(chars[at]) {
        let length = chars[at + 1..].iter().position(|c| closing.contains(c)).ok_or_else(|| unclosed(chars, at))?;
        let end = at + 1 + length;
        let star = chars.get(end + 1) == Some(&'*');
        return Ok((CharRange { start: at + 1, end }, end + 1 + usize::from(star)));
    }
    let length = chars[at..].iter().position(|c| c.is_whitespace() || closing(*c).is_some());
    let end = length.map_or(chars.len(), |length| at + length);
    Ok((CharRange { start: at, end }, end))
}

/// The term of the characters `inside`; none when there is no word in them. What `next` follows may be its star.
fn term(chars: &[char], inside: CharRange, next: usize) -> Result<Option<Term>, Fault> {
    let text: String = chars[inside.start..inside.end].iter().collect();
    let tokens = tokens(&text);
    let Some(end) = tokens.last().map(|last| inside.start + last.at.end) else { return Ok(None) };
    let misplaced = (inside.start..end).find(|index| chars[*index] == '*');
    if let Some(star) = misplaced {
        let wrong = fault("misplaced_star", texts::misplaced_star()).within(star, star + 1);
        return Err(wrong.hint(texts::star_form()));
    }
    let prefix = chars[end..next].contains(&'*');
    Ok(Some(Term { words: tokens.into_iter().map(|token| token.word).collect(), prefix }))
}

/// What closes a quote; none for a character that opens none.
fn closing(quote: char) -> Option<&'static [char]> {
    match quote {
        '"' => Some(&['"']),
        '„' => Some(&['“', '”', '"']),
        '“' | '”' => Some(&['”', '"']),
        '«' => Some(&['»']),
        '»' => Some(&['«']),
        _ => None,
    }
}

/// The fault at its place, with its bytes; those of the whole text where it is about all of it.
fn placed(text: &str, fault: Fault, place: Place) -> Fault {
    let byte = |index: usize| text.char_indices().nth(index).map_or(text.len(), |(byte, _)| byte);
    let at = fault.span.map_or(Span::new(0, text.len()), |span| Span::new(byte(span.start), byte(span.end)));
    Fault { place, at, ..fault }
}

fn bounded(text: &str) -> Result<(), Fault> {
    let count = text.chars().count();
    if count <= MAX_SEARCH {
        return Ok(());
    }
    Err(expected("too_long", common::at_most_characters(MAX_SEARCH), count).within(MAX_SEARCH, count))
}

fn no_words() -> Fault {
    fault("no_words", texts::no_words())
}

fn unclosed(chars: &[char], quote: usize) -> Fault {
    let open = chars[quote];
    let close = closing(open).and_then(|closing| closing.first()).copied().unwrap_or(open);
    fault("unclosed_quote", texts::unclosed_quote(close))
        .within(quote, chars.len())
        .hint(texts::close_quote(close, open))
}
