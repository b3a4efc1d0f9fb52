//! Parses templates: the JSON first, then the strings in it.

use serde_json::Value as Json;

use super::{MAX_PLACEHOLDERS, MAX_TEMPLATE, Part, Piece, Placeholder};
use crate::diagnostic::{
    self, Diagnostic, Message, Place, Span,
    catalog::{callback as texts, common},
    expected, fault, name,
};
use crate::json::{self, MAX_DIAGNOSTICS, Member, Node, Value};
use crate::suggest::nearest;

/// Diagnostic code for a placeholder outside a string.
const BARE: &str = "bare_placeholder";

/// Parses a template. Each fault has a JSON Pointer and a byte range.
pub(super) fn parse(text: &str) -> Result<Part, Vec<Diagnostic>> {
    if text.len() > MAX_TEMPLATE {
        return Err(vec![expected("too_large", common::at_most_bytes(MAX_TEMPLATE), text.len())]);
    }
    let document = json::read(text);
    let mut parser = Parser { pointer: String::new(), placeholders: 0, faults: Vec::new() };
    let body = match &document.root {
        Some(root) => parser.root(root),
        None => {
            if document.faults.is_empty() {
                parser.faults.push(expected("empty_body", common::json_object_or_array(), common::empty_text()));
            }
            None
        }
    };
    let mut faults = parser.faults;
    diagnostic::narrow(text, &mut faults);
    let mut faults = diagnostic::merge(bare_placeholders(text, document.faults), faults);
    faults.truncate(MAX_DIAGNOSTICS);
    body.filter(|_| faults.is_empty()).ok_or(faults)
}

/// Replaces the JSON faults around a placeholder outside a string by a single fault that names the cause.
fn bare_placeholders(text: &str, faults: Vec<Diagnostic>) -> Vec<Diagnostic> {
    let mut kept: Vec<Diagnostic> = Vec::new();
    for mut found in faults {
        // The missing colon follows from the placeholder before it.
        if kept.last().is_some_and(|last| last.code == BARE && found.at.start < last.at.end) {
            continue;
        }
        let braces = Span::new(found.at.start.saturating_sub(1), found.at.end + 1);
        let given = text.get(braces.start..braces.end).and_then(|word| word.strip_prefix('{')?.strip_suffix('}'));
        if let Some((given, meant)) = given.and_then(|given| Some((given, nearest(given, Placeholder::names())?))) {
            let bare = fault(BARE, texts::bare_placeholder(format!("`{{{given}}}`")));
            found =
                Diagnostic { place: found.place, ..bare.at(braces).suggest(common::write(format!("\"{{{meant}}}\""))) };
        }
        kept.push(found);
    }
    kept
}

struct Parser {
    /// JSON Pointer to the current value.
    pointer: String,
    placeholders: usize,
    faults: Vec<Diagnostic>,
}

impl Parser {
    fn report(&mut self, fault: Diagnostic, at: Span) {
        self.faults.push(Diagnostic { place: Place::Pointer(self.pointer.clone()), ..fault.at(at) });
    }

    fn root(&mut self, node: &Node) -> Option<Part> {
        match &node.value {
            Value::Array(_) | Value::Object(_) | Value::Invalid => self.part(node),
            other => {
                self.report(diagnostic::wrong_type(common::object_or_array(), diagnostic::found(other)), node.span);
                None
            }
        }
    }

    /// Reads a value; `None` if it or a nested value has a fault.
    fn part(&mut self, node: &Node) -> Option<Part> {
        Some(match &node.value {
            Value::Null => Part::Fixed(Json::Null),
            Value::Bool(value) => Part::Fixed((*value).into()),
            Value::Number(written) => Part::Fixed(self.number(written, node.span)?),
            Value::String(text) => self.string(text, node.span)?,
            Value::Array(items) => {
                let items: Vec<_> =
                    items.iter().enumerate().map(|(at, item)| self.below(&at.to_string(), item)).collect();
                Part::Array(items.into_iter().collect::<Option<_>>()?)
            }
            Value::Object(members) => {
                let members: Vec<_> = members.iter().map(|member| self.member(member)).collect();
                Part::Object(members.into_iter().collect::<Option<_>>()?)
            }
            Value::Invalid => return None,
        })
    }

    fn below(&mut self, step: &str, node: &Node) -> Option<Part> {
        let length = self.pointer.len();
        json::push_pointer(&mut self.pointer, step);
        let part = self.part(node);
        self.pointer.truncate(length);
        part
    }

    /// Reads an object member. Keys aren't templates, so a key that contains a placeholder is a fault.
    fn member(&mut self, member: &Member) -> Option<(String, Part)> {
        let meant = Placeholder::names().find(|name| member.key.contains(&format!("{{{name}}}")));
        if let Some(meant) = meant {
            let detail = texts::placeholder_in_key(format!("`{{{meant}}}`"));
            self.report(fault("placeholder_in_key", detail), member.key_span);
        }
        Some((member.key.clone(), self.below(&member.key, &member.value)?))
    }

    /// Reads a number. It must be representable without changing it.
    fn number(&mut self, written: &str, at: Span) -> Option<Json> {
        let number: Option<serde_json::Number> = written.parse().ok();
        let fits = |number: &serde_json::Number| !number.is_f64() || !diagnostic::is_whole(written);
        if let Some(number) = number.filter(fits) {
            return Some(Json::Number(number));
        }
        let wrong = expected("number_too_large", common::number_of_64_bits(), diagnostic::number(written));
        self.report(wrong.suggest(texts::write_as_string()), at);
        None
    }

    fn string(&mut self, text: &str, at: Span) -> Option<Part> {
        let chars: Vec<char> = text.chars().collect();
        let (mut pieces, mut literal) = (Vec::new(), String::new());
        let before = self.faults.len();
        let mut next = 0;
        while let Some(c) = chars.get(next) {
            match c {
                '{' | '}' if chars.get(next + 1) == Some(c) => {
                    literal.push(*c);
                    next += 2;
                }
                '{' => {
                    let name: String = chars[next + 1..].iter().take_while(|c| !matches!(c, '{' | '}')).collect();
                    let end = next + 1 + name.chars().count();
                    if chars.get(end) == Some(&'}') {
                        if let Some(placeholder) = self.placeholder(&name, next, end + 1, at) {
                            pieces.extend((!literal.is_empty()).then(|| Piece::Literal(std::mem::take(&mut literal))));
                            pieces.push(Piece::Placeholder(placeholder));
                        }
                        next = end + 1;
                    } else {
                        self.lone_brace('{', texts::unclosed_brace(), next, at);
                        next += 1;
                    }
                }
                '}' => {
                    self.lone_brace('}', texts::unopened_brace(), next, at);
                    next += 1;
                }
                _ => {
                    literal.push(*c);
                    next += 1;
                }
            }
        }
        pieces.extend((!literal.is_empty()).then_some(Piece::Literal(literal)));
        (self.faults.len() == before).then(|| match pieces[..] {
            [Piece::Placeholder(only)] => Part::Whole(only),
            _ => Part::Text(pieces),
        })
    }

    /// Reads the placeholder with this name, at the characters from `start` to `end` of the string at `at`.
    fn placeholder(&mut self, given: &str, start: usize, end: usize, at: Span) -> Option<Placeholder> {
        self.placeholders += 1;
        if self.placeholders == MAX_PLACEHOLDERS + 1 {
            let many = expected("too_many", texts::at_most_placeholders(MAX_PLACEHOLDERS), common::more());
            self.report(many.within(start, end), at);
        }
        let placeholder = Placeholder::from_name(given);
        if placeholder.is_none() {
            let unknown = expected("unknown_placeholder", texts::placeholder_name(), name(given));
            let fault = unknown.suggest_nearest(given, Placeholder::names());
            self.report(fault.permitted(Placeholder::names()).within(start, end), at);
        }
        placeholder
    }

    fn lone_brace(&mut self, brace: char, detail: Message, index: usize, at: Span) {
        let fault = fault("lone_brace", detail).within(index, index + 1);
        self.report(fault.suggest(texts::brace_form(format!("{brace}{brace}"))), at);
    }
}
