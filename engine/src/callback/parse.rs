//! Parses templates: the JSON first, then the strings in it.

use serde_json::Value as Json;

use super::{MAX_PLACEHOLDERS, MAX_TEMPLATE_BYTES, Placeholder, TemplateValue, TextPiece};
use crate::diagnostic::{
    self, Diagnostic, Location, Message, Span,
    catalog::{callback as texts, common},
    expected, format_name, new_diagnostic,
};
use crate::json::{self, MAX_DIAGNOSTICS, Member, Node, Value};
use crate::suggest::nearest;

/// Diagnostic code for a placeholder outside a string.
const BARE_PLACEHOLDER: &str = "bare_placeholder";

/// Parses a template. Each diagnostic has a JSON Pointer and a byte range.
pub(super) fn parse(text: &str) -> Result<TemplateValue, Vec<Diagnostic>> {
    if text.len() > MAX_TEMPLATE_BYTES {
        return Err(vec![expected("too_large", common::at_most_bytes(MAX_TEMPLATE_BYTES), text.len())]);
    }
    let document = json::parse(text);
    let mut parser = Parser { pointer: String::new(), placeholder_count: 0, diagnostics: Vec::new() };
    let body = match &document.root {
        Some(root) => parser.parse_root(root),
        None => {
            if document.diagnostics.is_empty() {
                parser.diagnostics.push(expected("empty_body", common::json_object_or_array(), common::empty_text()));
            }
            None
        }
    };
    let mut diagnostics = parser.diagnostics;
    diagnostic::narrow_spans(text, &mut diagnostics);
    let mut diagnostics = diagnostic::merge(merge_bare_placeholders(text, document.diagnostics), diagnostics);
    diagnostics.truncate(MAX_DIAGNOSTICS);
    body.filter(|_| diagnostics.is_empty()).ok_or(diagnostics)
}

/// Replaces the JSON diagnostics around a placeholder outside a string with one diagnostic that names the cause.
fn merge_bare_placeholders(text: &str, diagnostics: Vec<Diagnostic>) -> Vec<Diagnostic> {
    let mut merged: Vec<Diagnostic> = Vec::new();
    for mut current in diagnostics {
        // The missing colon is a consequence of the placeholder before it.
        if merged
            .last()
            .is_some_and(|last| last.code == BARE_PLACEHOLDER && current.byte_range.start < last.byte_range.end)
        {
            continue;
        }
        let braces = Span::new(current.byte_range.start.saturating_sub(1), current.byte_range.end + 1);
        let name_in_braces =
            text.get(braces.start..braces.end).and_then(|word| word.strip_prefix('{')?.strip_suffix('}'));
        if let Some((name_in_braces, suggestion)) = name_in_braces
            .and_then(|name_in_braces| Some((name_in_braces, nearest(name_in_braces, Placeholder::names())?)))
        {
            let error = new_diagnostic(BARE_PLACEHOLDER, texts::bare_placeholder(format!("`{{{name_in_braces}}}`")));
            current = Diagnostic {
                location: current.location,
                ..error.at(braces).suggest(common::write(format!("\"{{{suggestion}}}\"")))
            };
        }
        merged.push(current);
    }
    merged
}

struct Parser {
    /// JSON Pointer to the current value.
    pointer: String,
    placeholder_count: usize,
    diagnostics: Vec<Diagnostic>,
}

impl Parser {
    fn report(&mut self, diagnostic: Diagnostic, span: Span) {
        self.diagnostics.push(Diagnostic { location: Location::Pointer(self.pointer.clone()), ..diagnostic.at(span) });
    }

    fn parse_root(&mut self, node: &Node) -> Option<TemplateValue> {
        match &node.value {
            Value::Array(_) | Value::Object(_) | Value::Invalid => self.parse_value(node),
            value => {
                self.report(
                    diagnostic::wrong_type(common::object_or_array(), diagnostic::describe_json(value)),
                    node.span,
                );
                None
            }
        }
    }

    /// Parses a value; `None` if it or a nested value is invalid.
    fn parse_value(&mut self, node: &Node) -> Option<TemplateValue> {
        Some(match &node.value {
            Value::Null => TemplateValue::Constant(Json::Null),
            Value::Bool(value) => TemplateValue::Constant((*value).into()),
            Value::Number(source) => TemplateValue::Constant(self.parse_number(source, node.span)?),
            Value::String(text) => self.parse_string(text, node.span)?,
            Value::Array(items) => {
                let items: Vec<_> =
                    items.iter().enumerate().map(|(index, item)| self.parse_nested(&index.to_string(), item)).collect();
                TemplateValue::Array(items.into_iter().collect::<Option<_>>()?)
            }
            Value::Object(members) => {
                let members: Vec<_> = members.iter().map(|member| self.parse_member(member)).collect();
                TemplateValue::Object(members.into_iter().collect::<Option<_>>()?)
            }
            Value::Invalid => return None,
        })
    }

    fn parse_nested(&mut self, token: &str, node: &Node) -> Option<TemplateValue> {
        let pointer_len = self.pointer.len();
        json::push_pointer(&mut self.pointer, token);
        let part = self.parse_value(node);
        self.pointer.truncate(pointer_len);
        part
    }

    /// Parses an object member. Keys aren't templates, so a placeholder in a key is an error.
    fn parse_member(&mut self, member: &Member) -> Option<(String, TemplateValue)> {
        let placeholder_name = Placeholder::names().find(|name| member.key.contains(&format!("{{{name}}}")));
        if let Some(placeholder_name) = placeholder_name {
            let detail = texts::placeholder_in_key(format!("`{{{placeholder_name}}}`"));
            self.report(new_diagnostic("placeholder_in_key", detail), member.key_span);
        }
        Some((member.key.clone(), self.parse_nested(&member.key, &member.value)?))
    }

    /// Parses a number. Reports an error if it can't be represented exactly.
    fn parse_number(&mut self, source: &str, span: Span) -> Option<Json> {
        let number: Option<serde_json::Number> = source.parse().ok();
        let fits = |number: &serde_json::Number| !number.is_f64() || !diagnostic::is_integer_literal(source);
        if let Some(number) = number.filter(fits) {
            return Some(Json::Number(number));
        }
        let too_large = expected("number_too_large", common::number_of_64_bits(), diagnostic::format_number(source));
        self.report(too_large.suggest(texts::write_as_string()), span);
        None
    }

    fn parse_string(&mut self, text: &str, span: Span) -> Option<TemplateValue> {
        let chars: Vec<char> = text.chars().collect();
        let (mut pieces, mut literal) = (Vec::new(), String::new());
        let diagnostic_count = self.diagnostics.len();
        let mut index = 0;
        while let Some(c) = chars.get(index) {
            match c {
                '{' | '}' if chars.get(index + 1) == Some(c) => {
                    literal.push(*c);
                    index += 2;
                }
                '{' => {
                    let name: String = chars[index + 1..].iter().take_while(|c| !matches!(c, '{' | '}')).collect();
                    let end = index + 1 + name.chars().count();
                    if chars.get(end) == Some(&'}') {
                        if let Some(placeholder) = self.parse_placeholder(&name, index, end + 1, span) {
                            pieces.extend(
                                (!literal.is_empty()).then(|| TextPiece::Literal(std::mem::take(&mut literal))),
                            );
                            pieces.push(TextPiece::Placeholder(placeholder));
                        }
                        index = end + 1;
                    } else {
                        self.report_unpaired_brace('{', texts::unclosed_brace(), index, span);
                        index += 1;
                    }
                }
                '}' => {
                    self.report_unpaired_brace('}', texts::unopened_brace(), index, span);
                    index += 1;
                }
                _ => {
                    literal.push(*c);
                    index += 1;
                }
            }
        }
        pieces.extend((!literal.is_empty()).then_some(TextPiece::Literal(literal)));
        (self.diagnostics.len() == diagnostic_count).then(|| match pieces[..] {
            [TextPiece::Placeholder(placeholder)] => TemplateValue::Placeholder(placeholder),
            _ => TemplateValue::Text(pieces),
        })
    }

    /// Parses a placeholder, which is at the characters `start..end` of the string at `span`.
    fn parse_placeholder(
        &mut self,
        placeholder_name: &str,
        start: usize,
        end: usize,
        span: Span,
    ) -> Option<Placeholder> {
        self.placeholder_count += 1;
        if self.placeholder_count == MAX_PLACEHOLDERS + 1 {
            let too_many = expected("too_many", texts::at_most_placeholders(MAX_PLACEHOLDERS), common::more());
            self.report(too_many.within(start, end), span);
        }
        let placeholder = Placeholder::from_name(placeholder_name);
        if placeholder.is_none() {
            let error = expected("unknown_placeholder", texts::placeholder_name(), format_name(placeholder_name));
            let diagnostic = error.suggest_nearest(placeholder_name, Placeholder::names());
            self.report(diagnostic.permitted(Placeholder::names()).within(start, end), span);
        }
        placeholder
    }

    fn report_unpaired_brace(&mut self, brace: char, detail: Message, index: usize, span: Span) {
        let diagnostic = new_diagnostic("unmatched_brace", detail).within(index, index + 1);
        self.report(diagnostic.suggest(texts::brace_form(format!("{brace}{brace}"))), span);
    }
}
