//! Syntax highlighting of JSON text with marked diagnostics. Pure function from the text to pieces.

use leadscribe_engine::diagnostic::{Diagnostic, Span};
use leadscribe_engine::json::{self, Node, Value};

/// Kind of a piece of text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Token {
    /// Brackets, whitespace and anything that isn't JSON.
    Plain,
    Key,
    Text,
    Number,
    Literal,
}

impl Token {
    pub const fn class(self) -> &'static str {
        match self {
            Self::Plain => "",
            Self::Key => "json-key",
            Self::Text => "json-text",
            Self::Number => "json-number",
            Self::Literal => "json-word",
        }
    }
}

/// Piece of text with one kind, entirely inside or outside of a diagnostic.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Segment {
    pub text: String,
    pub token: Token,
    pub is_faulty: bool,
}

/// Splits the text at token and diagnostic boundaries. The concatenated pieces equal the text, except that a diagnostic
/// in an empty text adds one space.
pub fn highlight_segments(text: &str, diagnostics: &[Diagnostic]) -> Vec<Segment> {
    let ranges: Vec<Span> = diagnostics.iter().map(|diagnostic| marked_range(text, diagnostic.byte_range)).collect();
    let mut tokens = Vec::new();
    if let Some(root) = json::parse(text).root {
        add_tokens(&root, &mut tokens);
    }
    let spans = tokens.iter().map(|(span, _)| *span).chain(ranges.iter().copied());
    let mut boundaries: Vec<usize> = spans.flat_map(|span| [span.start, span.end]).chain([0, text.len()]).collect();
    boundaries.retain(|boundary| *boundary <= text.len());
    boundaries.sort_unstable();
    boundaries.dedup();
    let mut tokens = tokens.into_iter().peekable();
    let mut segments = Vec::new();
    for (start, end) in boundaries.iter().copied().zip(boundaries[1..].iter().copied()) {
        while tokens.next_if(|(span, _)| span.end <= start).is_some() {}
        let token = tokens.peek().filter(|(span, _)| span.start <= start).map_or(Token::Plain, |(_, token)| *token);
        let is_faulty = ranges.iter().any(|range| range.start <= start && end <= range.end);
        segments.push(Segment { text: text[start..end].to_owned(), token, is_faulty });
    }
    if ranges.iter().any(|range| range.end > text.len()) {
        segments.push(Segment { text: " ".to_owned(), token: Token::Plain, is_faulty: true });
    }
    segments
}

/// Byte range of a diagnostic, aligned to character boundaries. An empty range becomes the next character, or the
/// previous one at the end of a line. In an empty text it becomes the position after the end.
fn marked_range(text: &str, span: Span) -> Span {
    let (start, end) = (text.floor_char_boundary(span.start), text.floor_char_boundary(span.end));
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

/// Adds the keys and values, in the order of the text.
fn add_tokens(node: &Node, tokens: &mut Vec<(Span, Token)>) {
    let token = match &node.value {
        Value::Array(items) => return items.iter().for_each(|item| add_tokens(item, tokens)),
        Value::Object(members) => {
            return members.iter().for_each(|member| {
                tokens.push((member.key_span, Token::Key));
                add_tokens(&member.value, tokens);
            });
        }
        Value::String(_) => Token::Text,
        Value::Number(_) => Token::Number,
        Value::Null | Value::Bool(_) => Token::Literal,
        Value::Invalid => return,
    };
    tokens.push((node.span, token));
}

#[cfg(test)]
mod tests {
    use leadscribe_engine::diagnostic::{Location, common};

    use crate::ui::json_editor::highlight::*;

    fn diagnostic(start: usize, end: usize) -> Diagnostic {
        Diagnostic::new(Location::default(), "test", common::none()).at(Span::new(start, end))
    }

    fn concat(segments: &[Segment]) -> String {
        segments.iter().map(|segment| segment.text.as_str()).collect()
    }

    #[test]
    fn classifies_tokens() {
        let text = r#"{"city": "Köln", "weight": [-1.5, true]}"#;
        let segments = highlight_segments(text, &[]);
        let texts_of = |token| {
            segments.iter().filter(|segment| segment.token == token).map(|segment| &*segment.text).collect::<Vec<_>>()
        };
        assert_eq!(texts_of(Token::Key), [r#""city""#, r#""weight""#]);
        assert_eq!(texts_of(Token::Text), [r#""Köln""#]);
        assert_eq!(texts_of(Token::Number), ["-1.5"]);
        assert_eq!(texts_of(Token::Literal), ["true"]);
        assert_eq!(concat(&segments), text);
    }

    #[test]
    fn marks_empty_diagnostic_ranges() {
        for (text, at, marked) in [("{", 1, "{"), ("{\n}", 1, "{"), ("[1 2]", 3, "2"), ("", 0, " ")] {
            let segments = highlight_segments(text, &[diagnostic(at, at)]);
            let marked_text: String =
                segments.iter().filter(|segment| segment.is_faulty).map(|segment| segment.text.as_str()).collect();
            assert_eq!(marked_text, marked, "{text:?}");
        }
    }

    #[test]
    fn splits_at_character_boundaries() {
        for text in ["", "\"", "\"\\", "\"ä\\", "é", "{\"a\": \"ü\n}", "-", "\"\\ü\""] {
            for start in 0..=text.len() + 1 {
                let segments = highlight_segments(text, &[diagnostic(start, start), diagnostic(start, start + 1)]);
                assert!(concat(&segments).starts_with(text), "{text:?} {start}");
            }
        }
    }
}
