//! Parses transcript searches.

use super::fold::tokens;
use super::{MAX_SEARCH, MAX_TERMS, Search, Term};
use crate::diagnostic::{
    CharRange, Diagnostic, Place, Span,
    catalog::{common, words as texts},
    expected, fault,
};

impl Search {
    /// Parses words, "quoted phrases" and prefixes with a star. All of them must match.
    ///
    /// Quotes may also be „…“, “…” and «…». A word with a hyphen is a phrase. Text without letters or digits is ignored.
    ///
    /// # Errors
    /// The text has no word, a quote isn't closed, a star isn't at the end of a word, or the text exceeds [`MAX_SEARCH`] characters or
    /// [`MAX_TERMS`] terms.
    pub fn parse(text: &str, place: Place) -> Result<Self, Diagnostic> {
        parse(text).map_err(|fault| placed(text, fault, place))
    }

    /// Searches the words of `text` as a phrase. The text has no syntax: quotes and stars are ignored.
    ///
    /// # Errors
    /// The text has no word, or exceeds [`MAX_SEARCH`] characters.
    pub fn phrase(text: &str, place: Place) -> Result<Self, Diagnostic> {
        let phrase = || {
            bounded(text)?;
            let words: Vec<String> = tokens(text).into_iter().map(|token| token.word).collect();
            if words.is_empty() { Err(no_words()) } else { Ok(Self { terms: vec![Term { words, prefix: false }] }) }
        };
        phrase().map_err(|fault| placed(text, fault, place))
    }
}

fn parse(text: &str) -> Result<Search, Diagnostic> {
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

/// Returns the characters of the phrase or word at `at` without its quotes, and the end including quotes and star.
fn piece(chars: &[char], at: usize) -> Result<(CharRange, usize), Diagnostic> {
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

/// Returns the term in the characters `inside`; `None` without a word. `next` is the index after the piece and its star.
fn term(chars: &[char], inside: CharRange, next: usize) -> Result<Option<Term>, Diagnostic> {
    let text: String = chars[inside.start..inside.end].iter().collect();
    let tokens = tokens(&text);
    let Some(end) = tokens.last().map(|last| inside.start + last.at.end) else { return Ok(None) };
    let misplaced = (inside.start..end).find(|index| chars[*index] == '*');
    if let Some(star) = misplaced {
        let wrong = fault("misplaced_star", texts::misplaced_star()).within(star, star + 1);
        return Err(wrong.suggest(texts::star_form()));
    }
    let prefix = chars[end..next].contains(&'*');
    Ok(Some(Term { words: tokens.into_iter().map(|token| token.word).collect(), prefix }))
}

/// Returns the closing characters for a quote; `None` if the character isn't an opening quote.
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

/// Sets the place and byte range of a fault; the range of the whole text if the fault has none.
fn placed(text: &str, fault: Diagnostic, place: Place) -> Diagnostic {
    let byte = |index: usize| text.char_indices().nth(index).map_or(text.len(), |(byte, _)| byte);
    let at = fault.span.map_or(Span::new(0, text.len()), |span| Span::new(byte(span.start), byte(span.end)));
    Diagnostic { place, at, ..fault }
}

fn bounded(text: &str) -> Result<(), Diagnostic> {
    let count = text.chars().count();
    if count <= MAX_SEARCH {
        return Ok(());
    }
    Err(expected("too_long", common::at_most_characters(MAX_SEARCH), count).within(MAX_SEARCH, count))
}

fn no_words() -> Diagnostic {
    fault("no_words", texts::no_words())
}

fn unclosed(chars: &[char], quote: usize) -> Diagnostic {
    let open = chars[quote];
    let close = closing(open).and_then(|closing| closing.first()).copied().unwrap_or(open);
    fault("unclosed_quote", texts::unclosed_phrase(close))
        .within(quote, chars.len())
        .suggest(texts::close_quote(close, open))
}
