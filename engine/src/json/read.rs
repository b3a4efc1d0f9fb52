//! The reader: parses text to a [`Document`].
//!
//! Recursive descent up to [`MAX_DEPTH`]. Every iteration of a loop consumes at least one byte or leaves the loop, so the reader terminates
//! on any text.

use super::string::{self, Broken};
use super::word::{cure, is_number, quoted};
use super::{Document, MAX_BYTES, MAX_DEPTH, MAX_DIAGNOSTICS, Member, Node, Value, push_pointer};
use crate::diagnostic::{
    self, Arg, Diagnostic, Message, Place, Span,
    catalog::{common, json as texts},
};

const SYNTAX: &str = "invalid_json";

/// Reads a text strictly and reports all faults, up to [`MAX_DIAGNOSTICS`].
///
/// An empty or blank text has no root and no fault. The caller decides whether it is valid.
pub fn read(text: &str) -> Document {
    if text.len() > MAX_BYTES {
        let too_large = diagnostic::expected("too_large", common::at_most_bytes(MAX_BYTES), text.len());
        return Document { root: None, faults: vec![too_large] };
    }
    let mut reader = Reader { text, at: 0, faults: Vec::new(), pointer: String::new(), arrays: 0, objects: 0 };
    reader.skip_blanks();
    let root = (!reader.at_end()).then(|| reader.value(1));
    reader.skip_blanks();
    if !reader.at_end() {
        let found = reader.found();
        let rest = Span::new(reader.at, text.trim_end().len().max(reader.at));
        reader.report(SYNTAX, common::expected(texts::end_of_text(), found), rest);
    }
    reader.faults.sort_by_key(|fault| fault.at.start);
    Document { root: root.filter(|node| node.value != Value::Invalid), faults: reader.faults }
}

struct Reader<'a> {
    text: &'a str,
    /// Offset of the next byte; always at the start of a character.
    at: usize,
    faults: Vec<Diagnostic>,
    /// JSON Pointer to the current value.
    pointer: String,
    /// Number of open arrays and objects, to distinguish a missing bracket from a stray one.
    arrays: usize,
    objects: usize,
}

impl<'a> Reader<'a> {
    /// Returns true if the maximum number of faults is reached. The rest of the text isn't read then.
    fn is_full(&self) -> bool {
        self.faults.len() >= MAX_DIAGNOSTICS
    }

    fn at_end(&self) -> bool {
        self.at >= self.text.len()
    }

    fn peek(&self) -> Option<u8> {
        self.text.as_bytes().get(self.at).copied()
    }

    fn skip_blanks(&mut self) {
        while let Some(b' ' | b'\t' | b'\n' | b'\r') = self.peek() {
            self.at += 1;
        }
    }

    /// Consumes the byte, which must be ASCII, if it is next.
    fn take(&mut self, byte: u8) -> bool {
        let next = self.peek() == Some(byte);
        self.at += usize::from(next);
        next
    }

    /// Returns the next run of characters without a meaning in JSON syntax: a number, a word, or invalid text.
    fn word(&self) -> &'a str {
        let rest = &self.text[self.at..];
        let end = rest.find([' ', '\t', '\n', '\r', '{', '}', '[', ']', ':', ',', '"']).unwrap_or(rest.len());
        &rest[..end]
    }

    /// Describes the next token for a message.
    fn found(&self) -> Message {
        match self.text[self.at..].chars().next() {
            None => texts::end_of_text(),
            Some('"') => common::string(),
            Some(next) => match self.word() {
                "" => format!("`{next}`").into(),
                word => quoted(word).into(),
            },
        }
    }

    /// Returns the byte range of the next token.
    fn next_span(&self) -> Span {
        let length = match self.word() {
            "" => usize::from(!self.at_end()),
            word => word.len(),
        };
        Span::new(self.at, self.at + length)
    }

    /// Adds a fault. Of several faults with the same start, only the first is kept, because the others follow from it.
    fn report(&mut self, code: &str, message: Message, at: Span) -> Option<&mut Diagnostic> {
        let follows = self.faults.last().is_some_and(|last| last.at.start == at.start && code == SYNTAX);
        if follows || self.is_full() {
            return None;
        }
        self.faults.push(Diagnostic::new(Place::Pointer(self.pointer.clone()), code, message).at(at));
        self.faults.last_mut()
    }

    fn report_with_suggestion(&mut self, code: &str, message: Message, at: Span, suggestion: Message) {
        if let Some(fault) = self.report(code, message, at) {
            fault.suggestion = Some(suggestion.into());
        }
    }

    fn expected(&mut self, what: impl Into<Arg>) {
        let (found, at) = (self.found(), self.next_span());
        self.report(SYNTAX, common::expected(what, found), at);
    }

    /// Reads the required value. `depth` is the depth of an array or object at this position.
    fn value(&mut self, depth: usize) -> Node {
        self.skip_blanks();
        let start = self.at;
        while self.peek() == Some(b':') {
            self.expected(texts::value());
            self.at += 1;
            self.skip_blanks();
        }
        let value = match self.peek() {
            Some(b'{' | b'[') if depth > MAX_DEPTH => self.skip_nested(),
            Some(b'{') => self.object(depth),
            Some(b'[') => self.array(depth),
            Some(b'"') => Value::String(self.string().0),
            None | Some(b'}' | b']' | b',') => {
                self.expected(texts::value());
                return Node { value: Value::Invalid, span: Span::point(start) };
            }
            Some(b'\'') => {
                let text = self.single_quoted();
                let at = Span::new(start, self.at);
                let hint = common::write(string::quote(text));
                self.report_with_suggestion(SYNTAX, common::expected(texts::value(), texts::single_quotes()), at, hint);
                Value::Invalid
            }
            Some(_) => self.literal(),
        };
        Node { value, span: Span::new(start, self.at) }
    }

    fn literal(&mut self) -> Value {
        let (word, at) = (self.word(), self.next_span());
        self.at = at.end;
        match word {
            "null" => Value::Null,
            "true" => Value::Bool(true),
            "false" => Value::Bool(false),
            number if is_number(number) => Value::Number(number.to_owned()),
            other => {
                self.report_with_suggestion(SYNTAX, common::expected(texts::value(), quoted(other)), at, cure(other));
                Value::Invalid
            }
        }
    }

    fn array(&mut self, depth: usize) -> Value {
        self.at += 1;
        self.arrays += 1;
        let mut items = Vec::new();
        let mut comma = None;
        while !self.is_full() {
            self.skip_blanks();
            match self.peek() {
                Some(b']') => {
                    self.trailing_comma(comma);
                    self.at += 1;
                    break;
                }
                None => {
                    self.expected("`]`");
                    break;
                }
                Some(b'}') if self.objects > 0 => {
                    self.expected("`]`");
                    break;
                }
                Some(b',' | b'}') => {
                    self.expected(texts::value());
                    self.at += 1;
                    continue;
                }
                Some(_) => {}
            }
            let outer = self.pointer.len();
            push_pointer(&mut self.pointer, &items.len().to_string());
            items.push(self.value(depth + 1));
            self.pointer.truncate(outer);
            comma = self.separator(b']', "`]`");
        }
        self.arrays -= 1;
        Value::Array(items)
    }

    fn object(&mut self, depth: usize) -> Value {
        self.at += 1;
        self.objects += 1;
        let (mut members, mut left_out) = (Vec::new(), false);
        let mut comma = None;
        while !self.is_full() {
            self.skip_blanks();
            match self.peek() {
                Some(b'}') => {
                    self.trailing_comma(comma);
                    self.at += 1;
                    break;
                }
                None => {
                    self.expected("`}`");
                    break;
                }
                Some(b']') if self.arrays > 0 => {
                    self.expected("`}`");
                    break;
                }
                Some(b',' | b']') => {
                    self.expected(texts::key());
                    self.at += 1;
                    continue;
                }
                Some(b'{' | b'[' | b':') => {
                    self.expected(texts::key());
                    self.value(depth + 1);
                }
                Some(_) => {
                    let member = self.member(depth);
                    left_out |= member.is_none();
                    members.extend(member);
                }
            }
            comma = self.separator(b'}', "`}`");
        }
        self.objects -= 1;
        self.report_duplicates(&members);
        // If nothing in an object could be read, the object is invalid as a whole.
        if members.is_empty() && left_out { Value::Invalid } else { Value::Object(members) }
    }

    /// Reads a key and its value. `None` if the key is cut off by the end of its line, or its string has a fault, which is reported.
    fn member(&mut self, depth: usize) -> Option<Member> {
        let (start, faults) = (self.at, self.faults.len());
        let (key, closed) = match self.peek() {
            Some(b'"') => self.string(),
            Some(b'\'') => (self.single_quoted().to_owned(), true),
            _ => {
                let word = self.word();
                self.at += word.len();
                (word.to_owned(), true)
            }
        };
        let key_span = Span::new(start, self.at);
        let has_fault = self.faults.len() > faults;
        if !self.text[start..].starts_with('"') {
            let detail = common::expected(texts::key_in_quotes(), quoted(&self.text[start..self.at]));
            self.report_with_suggestion(SYNTAX, detail, key_span, common::write(string::quote(&key)));
        }
        let outer = self.pointer.len();
        push_pointer(&mut self.pointer, &key);
        self.skip_blanks();
        let value = if self.take(b':') {
            Some(self.value(depth + 1))
        } else if !closed {
            None
        } else {
            self.expected(texts::colon());
            match self.peek() {
                None | Some(b',' | b'}' | b']') => Some(Node { value: Value::Invalid, span: Span::point(self.at) }),
                Some(_) => Some(self.value(depth + 1)),
            }
        };
        self.pointer.truncate(outer);
        value.filter(|_| !has_fault).map(|value| Member { key, key_span, value })
    }

    /// Consumes the comma after an entry and returns its position. If neither a comma nor a closing bracket follows, reports it and
    /// continues with the next entry at the same position.
    fn separator(&mut self, close: u8, closing: &str) -> Option<Span> {
        self.skip_blanks();
        let at = Span::new(self.at, self.at + 1);
        match self.peek() {
            Some(b',') => {
                self.at += 1;
                Some(at)
            }
            Some(next) if next != close && !matches!(next, b'}' | b']') => {
                self.expected(common::or("`,`", closing));
                None
            }
            _ => None,
        }
    }

    fn trailing_comma(&mut self, comma: Option<Span>) {
        if let Some(at) = comma {
            self.report_with_suggestion(SYNTAX, texts::trailing_comma(), at, texts::remove_comma());
        }
    }

    fn report_duplicates(&mut self, members: &[Member]) {
        let mut by_key: Vec<&Member> = members.iter().collect();
        by_key.sort_by(|a, b| a.key.cmp(&b.key).then(a.key_span.start.cmp(&b.key_span.start)));
        for pair in by_key.windows(2).filter(|pair| pair[0].key == pair[1].key) {
            if self.is_full() {
                return;
            }
            let outer = self.pointer.len();
            push_pointer(&mut self.pointer, &pair[1].key);
            let detail = texts::repeated_key(quoted(&pair[1].key));
            self.report_with_suggestion("duplicate_key", detail, pair[1].key_span, common::keep_one());
            self.pointer.truncate(outer);
        }
    }

    /// Reads a string. Returns the unescaped text, and true if it is closed. It ends at the end of the line at the latest.
    fn string(&mut self) -> (String, bool) {
        let start = self.at;
        self.at += 1;
        let mut value = String::new();
        loop {
            // Fast path: copies the text up to the next special character.
            let rest = &self.text[self.at..];
            let plain =
                rest.bytes().position(|byte| byte < 0x20 || byte == b'"' || byte == b'\\').unwrap_or(rest.len());
            value.push_str(&rest[..plain]);
            self.at += plain;
            match self.peek() {
                Some(b'"') => {
                    self.at += 1;
                    return (value, true);
                }
                None | Some(b'\n' | b'\r') => {
                    let at = Span::new(start, self.at);
                    self.report_with_suggestion(SYNTAX, texts::unclosed_string(), at, texts::close_string());
                    return (value, false);
                }
                Some(_) => {
                    let unit = string::unit(&self.text[self.at..]);
                    let at = Span::new(self.at, self.at + unit.length);
                    if let Some(broken) = unit.broken {
                        self.report_broken(broken, at);
                    }
                    value.push(unit.value);
                    self.at = at.end;
                }
            }
        }
    }

    fn report_broken(&mut self, broken: Broken, at: Span) {
        let written = quoted(&self.text[at.start..at.end]);
        match broken {
            Broken::Nul => {
                self.report_with_suggestion("nul_character", common::nul_character(), at, common::without_nul());
            }
            Broken::LoneSurrogate => {
                self.report("lone_surrogate", texts::lone_surrogate(written), at);
            }
            Broken::Escape => {
                self.report_with_suggestion(SYNTAX, texts::escape(written), at, texts::backslash());
            }
            Broken::Control(code) => {
                let detail = texts::control_character(format!("U+{code:04X}"));
                self.report_with_suggestion(SYNTAX, detail, at, texts::write_code(format!("\\u{code:04x}")));
            }
        }
    }

    /// Reads text in single quotes, which is invalid in JSON, up to the end of the line at most.
    fn single_quoted(&mut self) -> &'a str {
        let rest = &self.text[self.at + 1..];
        let line = rest.find(['\n', '\r']).unwrap_or(rest.len());
        let (length, closing) = match rest[..line].find('\'') {
            Some(end) => (end, 1),
            // Without a closing quote, the quote is part of a word.
            None => (self.word().len() - 1, 0),
        };
        self.at += 1 + length + closing;
        &rest[..length]
    }

    /// Skips an array or object that is nested too deeply, without recursion.
    fn skip_nested(&mut self) -> Value {
        let at = Span::new(self.at, self.at + 1);
        self.report("too_deep", texts::too_deep(MAX_DEPTH), at);
        let mut open = 0_usize;
        while let Some(byte) = self.peek() {
            match byte {
                b'"' => {
                    self.skip_string();
                    continue;
                }
                b'{' | b'[' => open += 1,
                b'}' | b']' => open -= 1,
                _ => {}
            }
            self.at += 1;
            if open == 0 {
                break;
            }
        }
        Value::Invalid
    }

    fn skip_string(&mut self) {
        self.at += 1;
        while let Some(byte) = self.peek() {
            self.at += 1;
            match byte {
                b'"' => return,
                b'\\' if matches!(self.peek(), Some(b'"' | b'\\')) => self.at += 1,
                _ => {}
            }
        }
    }
}
