//! Parses transcript searches.

use super::fold::tokenize;
use super::{MAX_SEARCH_CHARS, MAX_TERMS, Search, Term};
use crate::diagnostic::{
    CharRange, Diagnostic, Location, Span,
    catalog::{common, words as texts},
    expected, new_diagnostic,
};

impl Search {
    /// Parses words, "quoted phrases" and prefixes with a star. All of them must match.
    ///
    /// Quotes may also be „…“, “…” and «…». A word with a hyphen is a phrase. Text without letters or digits is ignored.
    ///
    /// # Errors
    /// The text has no word, a quote isn't closed, a star isn't at the end of a word, or the text exceeds [`MAX_SEARCH_CHARS`] characters or
    /// [`MAX_TERMS`] terms.
    pub fn parse(text: &str, location: Location) -> Result<Self, Diagnostic> {
        parse_search(text).map_err(|diagnostic| with_location(text, diagnostic, location))
    }

    /// Searches the words of `text` as a phrase. The text has no syntax: quotes and stars are ignored.
    ///
    /// # Errors
    /// The text has no word, or exceeds [`MAX_SEARCH_CHARS`] characters.
    pub fn phrase(text: &str, location: Location) -> Result<Self, Diagnostic> {
        let phrase = || {
            check_length(text)?;
            let words: Vec<String> = tokenize(text).into_iter().map(|token| token.word).collect();
            if words.is_empty() { Err(no_words()) } else { Ok(Self { terms: vec![Term { words, is_prefix: false }] }) }
        };
        phrase().map_err(|diagnostic| with_location(text, diagnostic, location))
    }
}

fn parse_search(text: &str) -> Result<Search, Diagnostic> {
    check_length(text)?;
    let chars: Vec<char> = text.chars().collect();
    let mut terms = Vec::new();
    let mut offset = 0;
    while offset < chars.len() {
        if chars[offset].is_whitespace() {
            offset += 1;
            continue;
        }
        let (content, next) = next_piece(&chars, offset)?;
        if let Some(term) = parse_term(&chars, content, next)?
            && !terms.contains(&term)
        {
            terms.push(term);
        }
        offset = next;
    }
    match terms.len() {
        0 => Err(no_words()),
        1..=MAX_TERMS => Ok(Search { terms }),
        term_count => Err(expected("too_many", texts::at_most_words(MAX_TERMS), term_count)),
    }
}

/// Returns the characters of the phrase or word at `start` without its quotes, and the end including quotes and star.
fn next_piece(chars: &[char], start: usize) -> Result<(CharRange, usize), Diagnostic> {
    if let Some(closing) = closing_quotes(chars[start]) {
        let length =
            chars[start + 1..].iter().position(|c| closing.contains(c)).ok_or_else(|| unclosed_quote(chars, start))?;
        let end = start + 1 + length;
        let star = chars.get(end + 1) == Some(&'*');
        return Ok((CharRange { start: start + 1, end }, end + 1 + usize::from(star)));
    }
    let length = chars[start..].iter().position(|c| c.is_whitespace() || closing_quotes(*c).is_some());
    let end = length.map_or(chars.len(), |length| start + length);
    Ok((CharRange { start, end }, end))
}

/// Returns the term in the characters `content`; `None` without a word. `piece_end` is the index after the piece and its star.
fn parse_term(chars: &[char], content: CharRange, piece_end: usize) -> Result<Option<Term>, Diagnostic> {
    let text: String = chars[content.start..content.end].iter().collect();
    let tokens = tokenize(&text);
    let Some(end) = tokens.last().map(|last| content.start + last.range.end) else { return Ok(None) };
    let misplaced_star = (content.start..end).find(|index| chars[*index] == '*');
    if let Some(star) = misplaced_star {
        let error = new_diagnostic("misplaced_star", texts::misplaced_star()).within(star, star + 1);
        return Err(error.suggest(texts::star_form()));
    }
    let is_prefix = chars[end..piece_end].contains(&'*');
    Ok(Some(Term { words: tokens.into_iter().map(|token| token.word).collect(), is_prefix }))
}

/// Returns the closing characters for a quote; `None` if the character isn't an opening quote.
fn closing_quotes(quote: char) -> Option<&'static [char]> {
    match quote {
        '"' => Some(&['"']),
        '„' => Some(&['“', '”', '"']),
        '“' | '”' => Some(&['”', '"']),
        '«' => Some(&['»']),
        '»' => Some(&['«']),
        _ => None,
    }
}

/// Sets the location and byte range of a diagnostic; the range of the whole text if it has none.
fn with_location(text: &str, diagnostic: Diagnostic, location: Location) -> Diagnostic {
    let byte_index = |index: usize| text.char_indices().nth(index).map_or(text.len(), |(byte_index, _)| byte_index);
    let byte_range = diagnostic
        .span
        .map_or(Span::new(0, text.len()), |span| Span::new(byte_index(span.start), byte_index(span.end)));
    Diagnostic { location, byte_range, ..diagnostic }
}

fn check_length(text: &str) -> Result<(), Diagnostic> {
    let count = text.chars().count();
    if count <= MAX_SEARCH_CHARS {
        return Ok(());
    }
    Err(expected("too_long", common::at_most_characters(MAX_SEARCH_CHARS), count).within(MAX_SEARCH_CHARS, count))
}

fn no_words() -> Diagnostic {
    new_diagnostic("no_words", texts::no_words())
}

fn unclosed_quote(chars: &[char], quote_index: usize) -> Diagnostic {
    let opening_quote = chars[quote_index];
    let closing_quote =
        closing_quotes(opening_quote).and_then(|closing| closing.first()).copied().unwrap_or(opening_quote);
    new_diagnostic("unclosed_quote", texts::unclosed_phrase(closing_quote))
        .within(quote_index, chars.len())
        .suggest(texts::close_quote(closing_quote, opening_quote))
}
