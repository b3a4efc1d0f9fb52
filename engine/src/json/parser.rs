//! The reader: parses text to a [`Document`].
//!
//! Recursive descent up to [`MAX_DEPTH`]. Every iteration of a loop consumes at least one byte or leaves the loop, so the reader terminates
//! on any text.

use super::string::{self, CharError};
use super::word::{is_number, quote_for_message, suggest_correction};
use super::{Document, MAX_BYTES, MAX_DEPTH, MAX_DIAGNOSTICS, Member, Node, Value, push_pointer};
use crate::diagnostic::{
    self, Arg, Diagnostic, Location, Message, Span,
    catalog::{common, json as texts},
};

const SYNTAX_CODE: &str = "invalid_json";

/// Parses a text strictly and reports all errors, up to [`MAX_DIAGNOSTICS`].
///
/// An empty or blank text has no root and no diagnostic. The caller decides whether it is valid.
pub fn parse(text: &str) -> Document {
    if text.len() > MAX_BYTES {
        let too_large = diagnostic::expected("too_large", common::at_most_bytes(MAX_BYTES), text.len());
        return Document { root: None, diagnostics: vec![too_large] };
    }
    let mut parser =
        Parser { text, offset: 0, diagnostics: Vec::new(), pointer: String::new(), open_arrays: 0, open_objects: 0 };
    parser.skip_blanks();
    let root = (!parser.is_at_end()).then(|| parser.parse_value(1));
    parser.skip_blanks();
    if !parser.is_at_end() {
        let found = parser.describe_next();
        let rest = Span::new(parser.offset, text.trim_end().len().max(parser.offset));
        parser.report(SYNTAX_CODE, common::expected(texts::end_of_text(), found), rest);
    }
    parser.diagnostics.sort_by_key(|diagnostic| diagnostic.byte_range.start);
    Document { root: root.filter(|node| node.value != Value::Invalid), diagnostics: parser.diagnostics }
}

struct Parser<'a> {
    text: &'a str,
    /// Offset of the next byte; always at the start of a character.
    offset: usize,
    diagnostics: Vec<Diagnostic>,
    /// JSON Pointer to the current value.
    pointer: String,
    /// Number of open arrays, to distinguish a missing bracket from a stray one.
    open_arrays: usize,
    /// Number of open objects, for the same purpose.
    open_objects: usize,
}

impl<'a> Parser<'a> {
    /// Returns true if the maximum number of diagnostics is reached. The rest of the text isn't parsed then.
    fn is_full(&self) -> bool {
        self.diagnostics.len() >= MAX_DIAGNOSTICS
    }

    fn is_at_end(&self) -> bool {
        self.offset >= self.text.len()
    }

    fn peek(&self) -> Option<u8> {
        self.text.as_bytes().get(self.offset).copied()
    }

    fn skip_blanks(&mut self) {
        while let Some(b' ' | b'\t' | b'\n' | b'\r') = self.peek() {
            self.offset += 1;
        }
    }

    /// Consumes the byte, which must be ASCII, if it is next.
    fn consume(&mut self, byte: u8) -> bool {
        let is_next = self.peek() == Some(byte);
        self.offset += usize::from(is_next);
        is_next
    }

    /// Returns the next run of characters without a meaning in JSON syntax: a number, a word, or invalid text.
    fn next_word(&self) -> &'a str {
        let rest = &self.text[self.offset..];
        let end = rest.find([' ', '\t', '\n', '\r', '{', '}', '[', ']', ':', ',', '"']).unwrap_or(rest.len());
        &rest[..end]
    }

    /// Describes the next token for a message.
    fn describe_next(&self) -> Arg {
        match self.text[self.offset..].chars().next() {
            None => texts::end_of_text().into(),
            Some('"') => common::string().into(),
            Some(next) => match self.next_word() {
                "" => format!("`{next}`").into(),
                word => quote_for_message(word).into(),
            },
        }
    }

    /// Returns the byte range of the next token.
    fn next_span(&self) -> Span {
        let length = match self.next_word() {
            "" => usize::from(!self.is_at_end()),
            word => word.len(),
        };
        Span::new(self.offset, self.offset + length)
    }

    /// Adds a diagnostic. A syntax error with the same start as the previous diagnostic is a consequence of it and is
    /// dropped.
    fn report(&mut self, code: &str, message: Message, span: Span) -> Option<&mut Diagnostic> {
        let is_consequence =
            self.diagnostics.last().is_some_and(|last| last.byte_range.start == span.start && code == SYNTAX_CODE);
        if is_consequence || self.is_full() {
            return None;
        }
        self.diagnostics.push(Diagnostic::new(Location::Pointer(self.pointer.clone()), code, message).at(span));
        self.diagnostics.last_mut()
    }

    fn report_with_suggestion(&mut self, code: &str, message: Message, span: Span, suggestion: Message) {
        if let Some(diagnostic) = self.report(code, message, span) {
            diagnostic.suggestion = Some(suggestion.into());
        }
    }

    fn report_expected(&mut self, expected_item: impl Into<Arg>) {
        let (found, span) = (self.describe_next(), self.next_span());
        self.report(SYNTAX_CODE, common::expected(expected_item, found), span);
    }

    /// Parses a value, and reports a missing one. `depth` is the depth of an array or object at this position.
    fn parse_value(&mut self, depth: usize) -> Node {
        self.skip_blanks();
        let start = self.offset;
        while self.peek() == Some(b':') {
            self.report_expected(texts::value());
            self.offset += 1;
            self.skip_blanks();
        }
        let value = match self.peek() {
            Some(b'{' | b'[') if depth > MAX_DEPTH => self.skip_nested(),
            Some(b'{') => self.parse_object(depth),
            Some(b'[') => self.parse_array(depth),
            Some(b'"') => Value::String(self.parse_string().0),
            None | Some(b'}' | b']' | b',') => {
                self.report_expected(texts::value());
                return Node { value: Value::Invalid, span: Span::point(start) };
            }
            Some(b'\'') => {
                let text = self.parse_single_quoted();
                let span = Span::new(start, self.offset);
                let hint = common::write(string::quote(text));
                self.report_with_suggestion(
                    SYNTAX_CODE,
                    common::expected(texts::value(), texts::single_quotes()),
                    span,
                    hint,
                );
                Value::Invalid
            }
            Some(_) => self.parse_literal(),
        };
        Node { value, span: Span::new(start, self.offset) }
    }

    fn parse_literal(&mut self) -> Value {
        let (word, span) = (self.next_word(), self.next_span());
        self.offset = span.end;
        match word {
            "null" => Value::Null,
            "true" => Value::Bool(true),
            "false" => Value::Bool(false),
            number if is_number(number) => Value::Number(number.to_owned()),
            other => {
                self.report_with_suggestion(
                    SYNTAX_CODE,
                    common::expected(texts::value(), quote_for_message(other)),
                    span,
                    suggest_correction(other),
                );
                Value::Invalid
            }
        }
    }

    fn parse_array(&mut self, depth: usize) -> Value {
        self.offset += 1;
        self.open_arrays += 1;
        let mut items = Vec::new();
        let mut comma = None;
        while !self.is_full() {
            self.skip_blanks();
            match self.peek() {
                Some(b']') => {
                    self.report_trailing_comma(comma);
                    self.offset += 1;
                    break;
                }
                None => {
                    self.report_expected("`]`");
                    break;
                }
                Some(b'}') if self.open_objects > 0 => {
                    self.report_expected("`]`");
                    break;
                }
                Some(b',' | b'}') => {
                    self.report_expected(texts::value());
                    self.offset += 1;
                    continue;
                }
                Some(_) => {}
            }
            let parent_len = self.pointer.len();
            push_pointer(&mut self.pointer, &items.len().to_string());
            items.push(self.parse_value(depth + 1));
            self.pointer.truncate(parent_len);
            comma = self.consume_comma(b']', "`]`");
        }
        self.open_arrays -= 1;
        Value::Array(items)
    }

    fn parse_object(&mut self, depth: usize) -> Value {
        self.offset += 1;
        self.open_objects += 1;
        let (mut members, mut has_skipped_member) = (Vec::new(), false);
        let mut comma = None;
        while !self.is_full() {
            self.skip_blanks();
            match self.peek() {
                Some(b'}') => {
                    self.report_trailing_comma(comma);
                    self.offset += 1;
                    break;
                }
                None => {
                    self.report_expected("`}`");
                    break;
                }
                Some(b']') if self.open_arrays > 0 => {
                    self.report_expected("`}`");
                    break;
                }
                Some(b',' | b']') => {
                    self.report_expected(texts::key());
                    self.offset += 1;
                    continue;
                }
                Some(b'{' | b'[' | b':') => {
                    self.report_expected(texts::key());
                    self.parse_value(depth + 1);
                }
                Some(_) => {
                    let member = self.parse_member(depth);
                    has_skipped_member |= member.is_none();
                    members.extend(member);
                }
            }
            comma = self.consume_comma(b'}', "`}`");
        }
        self.open_objects -= 1;
        self.report_duplicates(&members);
        // If nothing in an object could be read, the object is invalid as a whole.
        if members.is_empty() && has_skipped_member { Value::Invalid } else { Value::Object(members) }
    }

    /// Parses a key and its value. Returns `None` if the line ends within the key, or if its string is invalid, which is reported.
    fn parse_member(&mut self, depth: usize) -> Option<Member> {
        let (start, diagnostic_count) = (self.offset, self.diagnostics.len());
        let (key, is_closed) = match self.peek() {
            Some(b'"') => self.parse_string(),
            Some(b'\'') => (self.parse_single_quoted().to_owned(), true),
            _ => {
                let word = self.next_word();
                self.offset += word.len();
                (word.to_owned(), true)
            }
        };
        let key_span = Span::new(start, self.offset);
        let has_diagnostics = self.diagnostics.len() > diagnostic_count;
        if !self.text[start..].starts_with('"') {
            let detail = common::expected(texts::key_in_quotes(), quote_for_message(&self.text[start..self.offset]));
            self.report_with_suggestion(SYNTAX_CODE, detail, key_span, common::write(string::quote(&key)));
        }
        let parent_len = self.pointer.len();
        push_pointer(&mut self.pointer, &key);
        self.skip_blanks();
        let value = if self.consume(b':') {
            Some(self.parse_value(depth + 1))
        } else if !is_closed {
            None
        } else {
            self.report_expected(texts::colon());
            match self.peek() {
                None | Some(b',' | b'}' | b']') => Some(Node { value: Value::Invalid, span: Span::point(self.offset) }),
                Some(_) => Some(self.parse_value(depth + 1)),
            }
        };
        self.pointer.truncate(parent_len);
        value.filter(|_| !has_diagnostics).map(|value| Member { key, key_span, value })
    }

    /// Consumes the comma after an entry and returns its position. If neither a comma nor a closing bracket follows, reports it and
    /// continues with the next entry at the same position.
    fn consume_comma(&mut self, closing_byte: u8, closing: &str) -> Option<Span> {
        self.skip_blanks();
        let span = Span::new(self.offset, self.offset + 1);
        match self.peek() {
            Some(b',') => {
                self.offset += 1;
                Some(span)
            }
            Some(next) if next != closing_byte && !matches!(next, b'}' | b']') => {
                self.report_expected(common::or("`,`", closing));
                None
            }
            _ => None,
        }
    }

    fn report_trailing_comma(&mut self, comma: Option<Span>) {
        if let Some(span) = comma {
            self.report_with_suggestion(SYNTAX_CODE, texts::trailing_comma(), span, texts::remove_comma());
        }
    }

    fn report_duplicates(&mut self, members: &[Member]) {
        let mut by_key: Vec<&Member> = members.iter().collect();
        by_key.sort_by(|a, b| a.key.cmp(&b.key).then(a.key_span.start.cmp(&b.key_span.start)));
        for pair in by_key.windows(2).filter(|pair| pair[0].key == pair[1].key) {
            if self.is_full() {
                return;
            }
            let parent_len = self.pointer.len();
            push_pointer(&mut self.pointer, &pair[1].key);
            let detail = texts::repeated_key(quote_for_message(&pair[1].key));
            self.report_with_suggestion("duplicate_key", detail, pair[1].key_span, common::keep_one());
            self.pointer.truncate(parent_len);
        }
    }

    /// Parses a string. Returns the unescaped text, and true if it is closed. It ends at the end of the line at the latest.
    fn parse_string(&mut self) -> (String, bool) {
        let start = self.offset;
        self.offset += 1;
        let mut value = String::new();
        loop {
            // Fast path: copies the text up to the next special character.
            let rest = &self.text[self.offset..];
            let plain_len =
                rest.bytes().position(|byte| byte < 0x20 || byte == b'"' || byte == b'\\').unwrap_or(rest.len());
            value.push_str(&rest[..plain_len]);
            self.offset += plain_len;
            match self.peek() {
                Some(b'"') => {
                    self.offset += 1;
                    return (value, true);
                }
                None | Some(b'\n' | b'\r') => {
                    let span = Span::new(start, self.offset);
                    self.report_with_suggestion(SYNTAX_CODE, texts::unclosed_string(), span, texts::close_string());
                    return (value, false);
                }
                Some(_) => {
                    let next = string::next_char(&self.text[self.offset..]);
                    let span = Span::new(self.offset, self.offset + next.byte_len);
                    if let Some(error) = next.error {
                        self.report_char_error(error, span);
                    }
                    value.push(next.value);
                    self.offset = span.end;
                }
            }
        }
    }

    fn report_char_error(&mut self, error: CharError, span: Span) {
        let source = quote_for_message(&self.text[span.start..span.end]);
        match error {
            CharError::Nul => {
                self.report_with_suggestion("nul_character", common::nul_character(), span, common::remove_nul());
            }
            CharError::LoneSurrogate => {
                self.report("lone_surrogate", texts::lone_surrogate(source), span);
            }
            CharError::Escape => {
                self.report_with_suggestion(SYNTAX_CODE, texts::escape(source), span, texts::backslash());
            }
            CharError::Control(code) => {
                let detail = texts::control_character(format!("U+{code:04X}"));
                self.report_with_suggestion(SYNTAX_CODE, detail, span, texts::write_code(format!("\\u{code:04x}")));
            }
        }
    }

    /// Parses text in single quotes, which is invalid in JSON, up to the end of the line at most.
    fn parse_single_quoted(&mut self) -> &'a str {
        let rest = &self.text[self.offset + 1..];
        let line_len = rest.find(['\n', '\r']).unwrap_or(rest.len());
        let (length, quote_len) = match rest[..line_len].find('\'') {
            Some(end) => (end, 1),
            // Without a closing quote, the quote is part of a word.
            None => (self.next_word().len() - 1, 0),
        };
        self.offset += 1 + length + quote_len;
        &rest[..length]
    }

    /// Skips an array or object that is nested too deeply, without recursion.
    fn skip_nested(&mut self) -> Value {
        let span = Span::new(self.offset, self.offset + 1);
        self.report("too_deep", texts::too_deep(MAX_DEPTH), span);
        let mut depth = 0_usize;
        while let Some(byte) = self.peek() {
            match byte {
                b'"' => {
                    self.skip_string();
                    continue;
                }
                b'{' | b'[' => depth += 1,
                b'}' | b']' => depth -= 1,
                _ => {}
            }
            self.offset += 1;
            if depth == 0 {
                break;
            }
        }
        Value::Invalid
    }

    fn skip_string(&mut self) {
        self.offset += 1;
        while let Some(byte) = self.peek() {
            self.offset += 1;
            match byte {
                b'"' => return,
                b'\\' if matches!(self.peek(), Some(b'"' | b'\\')) => self.offset += 1,
                _ => {}
            }
        }
    }
}
