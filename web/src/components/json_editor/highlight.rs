//! Syntax highlighting of JSON text with marked faults. Pure function from the text to pieces.

use leadscribe_engine::diagnostic::{Diagnostic, Span};

/// Kind of a piece of text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Token {
    /// Brackets, whitespace and anything that isn't JSON.
    Plain,
    Key,
    Text,
    Number,
    Word,
}

impl Token {
    pub const fn class(self) -> &'static str {
        match self {
            Self::Plain => "",
            Self::Key => "json-key",
            Self::Text => "json-text",
            Self::Number => "json-number",
            Self::Word => "json-word",
        }
    }
}

/// Piece of text with one kind, entirely inside or outside of a fault.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Piece {
    pub text: String,
    pub token: Token,
    pub faulty: bool,
}

/// Splits the text at token and fault boundaries. The concatenated pieces equal the text, except that a fault in an empty text adds one
/// space.
pub fn pieces(text: &str, faults: &[Diagnostic]) -> Vec<Piece> {
    let marks: Vec<Span> = faults.iter().map(|fault| mark(text, fault.at)).collect();
    let mut pieces = Vec::new();
    let mut start = 0;
    for (end, token) in tokens(text) {
        let mut cuts: Vec<usize> =
            marks.iter().flat_map(|mark| [mark.start, mark.end]).filter(|cut| (start + 1..end).contains(cut)).collect();
        cuts.push(end);
        cuts.sort_unstable();
        cuts.dedup();
        for cut in cuts {
            let faulty = marks.iter().any(|mark| mark.start <= start && cut <= mark.end);
            pieces.push(Piece { text: text[start..cut].to_owned(), token, faulty });
            start = cut;
        }
    }
    if marks.iter().any(|mark| mark.end > text.len()) {
        pieces.push(Piece { text: " ".to_owned(), token: Token::Plain, faulty: true });
    }
    pieces
}

/// Byte range of a fault, aligned to character boundaries. An empty range becomes the next character, or the previous one at the end of a
/// line. In an empty text it becomes the position after the end.
fn mark(text: &str, at: Span) -> Span {
    let (start, end) = (floor(text, at.start), floor(text, at.end));
    if end > start {
        return Span::new(start, end);
    }
    let is_visible = |next: &char| *next != '\n';
    let after = text[start..].chars().next().filter(is_visible);
    let before = text[..start].chars().next_back().filter(is_visible);
    match (after, before) {
        (Some(after), _) => Span::new(start, start + after.len_utf8()),
        (None, Some(before)) => Span::new(start - before.len_utf8(), start),
        (None, None) => Span::new(start, start + 1),
    }
}

/// Largest character boundary at or before `place`.
pub fn floor(text: &str, place: usize) -> usize {
    let mut place = place.min(text.len());
    while !text.is_char_boundary(place) {
        place -= 1;
    }
    place
}

/// Tokens in order: the end of each, and its kind.
fn tokens(text: &str) -> Vec<(usize, Token)> {
    let bytes = text.as_bytes();
    let mut tokens = Vec::new();
    let mut at = 0;
    while at < bytes.len() {
        let (end, token) = match bytes[at] {
            b'"' => {
                let end = string_end(bytes, at);
                let is_key = text[end..].trim_start().starts_with(':');
                (end, if is_key { Token::Key } else { Token::Text })
            }
            b'-' | b'0'..=b'9' => {
                (run(bytes, at, |byte| byte.is_ascii_alphanumeric() || b"+-.".contains(&byte)), Token::Number)
            }
            b'a'..=b'z' | b'A'..=b'Z' => {
                let end = run(bytes, at, |byte| byte.is_ascii_alphanumeric());
                (end, if ["true", "false", "null"].contains(&&text[at..end]) { Token::Word } else { Token::Plain })
            }
            _ => {
                (run(bytes, at + 1, |byte| byte != b'"' && byte != b'-' && !byte.is_ascii_alphanumeric()), Token::Plain)
            }
        };
        tokens.push((end, token));
        at = end;
    }
    tokens
}

/// End of a run of bytes. Always a character boundary, because the predicate accepts only whole characters or ASCII.
fn run(bytes: &[u8], from: usize, belongs: impl Fn(u8) -> bool) -> usize {
    let rest = bytes.get(from..).unwrap_or_default();
    from + rest.iter().position(|byte| !belongs(*byte)).unwrap_or(rest.len())
}

/// Position after the closing quote, or the end of the line if the quote is missing.
fn string_end(bytes: &[u8], start: usize) -> usize {
    let mut at = start + 1;
    while at < bytes.len() {
        match bytes[at] {
            b'\\' if bytes.get(at + 1).is_some_and(|next| next.is_ascii()) => at += 2,
            b'"' => return at + 1,
            b'\n' => return at,
            _ => at += 1,
        }
    }
    bytes.len()
}

#[cfg(test)]
mod tests {
    use leadscribe_engine::diagnostic::Place;

    use super::*;

    fn fault(start: usize, end: usize) -> Diagnostic {
        Diagnostic::new(Place::default(), "test", "wrong").at(Span::new(start, end))
    }

    fn joined(pieces: &[Piece]) -> String {
        pieces.iter().map(|piece| piece.text.as_str()).collect()
    }

    #[test]
    fn classifies_tokens() {
        let text = r#"{"city": "Köln", "weight": [-1.5, true]}"#;
        let pieces = pieces(text, &[]);
        let of =
            |token| pieces.iter().filter(|piece| piece.token == token).map(|piece| &*piece.text).collect::<Vec<_>>();
        assert_eq!(of(Token::Key), [r#""city""#, r#""weight""#]);
        assert_eq!(of(Token::Text), [r#""Köln""#]);
        assert_eq!(of(Token::Number), ["-1.5"]);
        assert_eq!(of(Token::Word), ["true"]);
        assert_eq!(joined(&pieces), text);
    }

    #[test]
    fn marks_fault_ranges() {
        let text = r#"{"ciyt": "ü"}"#;
        let marked: Vec<_> =
            pieces(text, &[fault(1, 7), fault(10, 12)]).into_iter().filter(|piece| piece.faulty).collect();
        assert_eq!(marked.iter().map(|piece| &*piece.text).collect::<Vec<_>>(), [r#""ciyt""#, "ü"]);
    }

    #[test]
    fn marks_empty_fault_ranges() {
        for (text, at, marked) in [("{", 1, "{"), ("{\n}", 1, "{"), ("[1 2]", 3, "2"), ("", 0, " ")] {
            let pieces = pieces(text, &[fault(at, at)]);
            let seen: String = pieces.iter().filter(|piece| piece.faulty).map(|piece| piece.text.as_str()).collect();
            assert_eq!(seen, marked, "{text:?}");
        }
    }

    #[test]
    fn splits_at_character_boundaries() {
        for text in ["", "\"", "\"\\", "\"ä\\", "é", "{\"a\": \"ü\n}", "-", "\"\\ü\""] {
            for start in 0..=text.len() + 1 {
                let with_faults = pieces(text, &[fault(start, start), fault(start, start + 1)]);
                assert!(joined(&with_faults).starts_with(text), "{text:?} {start}");
            }
        }
    }
}
