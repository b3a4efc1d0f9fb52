//! Constructors of diagnostics that submissions, records, templates and filters share, so that the same mistake has the same message.

use super::catalog::common;
use super::{Arg, Diagnostic, Location, Message};
use crate::host;
use crate::json::{self, Value};
use crate::time::TimeError;

/// Maximum number of characters of a value in a message.
const MAX_VALUE_CHARS: usize = 40;

/// Creates a diagnostic whose location is set later.
pub(crate) fn new_diagnostic(code: &str, detail: Message) -> Diagnostic {
    Diagnostic::new(Location::default(), code, detail)
}

/// Diagnostic for an unexpected value.
pub(crate) fn expected(code: &str, wanted: impl Into<Arg>, found: impl Into<Arg>) -> Diagnostic {
    new_diagnostic(code, common::expected(wanted, found))
}

/// Diagnostic for a value of the wrong type.
pub(crate) fn wrong_type(wanted: impl Into<Arg>, found: impl Into<Arg>) -> Diagnostic {
    expected("wrong_type", wanted, found)
}

/// Diagnostic for a text that isn't an integer in plain digits; `formatted` is its display form. A value that is an integer in another form
/// (`1.0`, `1e2`) gets a different message.
pub(crate) fn not_an_integer(text: &str, formatted: impl Into<Arg>) -> Diagnostic {
    let is_whole = host::parse_float(text).is_some_and(|number| number.is_infinite() || number.fract() == 0.0);
    if is_whole {
        wrong_type(common::integer(), formatted)
    } else {
        new_diagnostic("wrong_type", common::not_an_integer(formatted))
    }
}

/// Diagnostic for a text that isn't a number in plain digits. A number in another form (`+5`, `1e3`) gets a different message; one with a
/// comma gets a suggestion.
pub(crate) fn not_a_number(text: &str) -> Diagnostic {
    if host::parse_float(text).is_some() {
        return wrong_type(common::number(), format_text(text));
    }
    let diagnostic = new_diagnostic("wrong_type", common::not_a_number(format_text(text)));
    let with_point = text.replace(',', ".");
    if !is_decimal_literal(&with_point) {
        return diagnostic;
    }
    match text.split_once(',') {
        Some((whole, rest)) if rest.len() == 3 => {
            diagnostic.suggest(common::write_number(with_point, [whole, rest].concat()))
        }
        _ => diagnostic.suggest(common::write(with_point)),
    }
}

/// Diagnostic for a missing required field.
pub fn required(name: &str) -> Diagnostic {
    new_diagnostic("required", common::required(name))
}

/// Formats a text for a message: quoted as in JSON, and shortened.
pub fn format_text(text: &str) -> String {
    match text.char_indices().nth(MAX_VALUE_CHARS) {
        None => json::quote(text),
        Some((end, _)) => json::quote(&format!("{}…", &text[..end])),
    }
}

/// Formats a name for a message: in backticks, shortened, and on one line.
pub(crate) fn format_name(text: &str) -> String {
    let quoted = format_text(text);
    format!("`{}`", &quoted[1..quoted.len() - 1])
}

/// Formats a number for a message: as written, and shortened.
pub(crate) fn format_number(written: &str) -> String {
    written.chars().take(MAX_VALUE_CHARS).collect()
}

/// Describes a value in a message. Strings, arrays and objects are named only by their kind, because they may be long or secret.
pub(crate) fn describe_json(value: &Value) -> Arg {
    match value {
        Value::Number(written) => format_number(written).into(),
        Value::Bool(value) => value.to_string().into(),
        other => other.kind(),
    }
}

/// Formats a list as `a, b or c`.
pub(crate) fn or_list<'a>(names: impl IntoIterator<Item = &'a str>) -> Arg {
    let names: Vec<&str> = names.into_iter().collect();
    match names.split_last() {
        Some((last, first)) if !first.is_empty() => common::or(first.join(", "), *last).into(),
        _ => names.concat().into(),
    }
}

/// Diagnostic for a text that isn't among the permitted ones.
pub fn not_permitted<'a>(text: &str, permitted: impl Iterator<Item = &'a str> + Clone) -> Diagnostic {
    let diagnostic = expected("not_permitted", or_list(permitted.clone()), format_text(text));
    diagnostic.suggest_nearest(text, permitted.clone()).permitted(permitted)
}

/// Diagnostic for a U+0000 at this character.
pub(crate) fn nul_character(at: usize) -> Diagnostic {
    new_diagnostic("nul_character", common::nul_character()).suggest(common::remove_nul()).within(at, at + 1)
}

/// Converts an error in a date or time, with its character range.
pub(crate) fn from_time(error: TimeError) -> Diagnostic {
    new_diagnostic(error.code, error.message).within(error.range.start, error.range.end)
}

/// Returns the location one step below the root, as a JSON Pointer.
pub(crate) fn member_location(step: &str) -> Location {
    let mut pointer = String::new();
    json::push_pointer(&mut pointer, step);
    Location::Pointer(pointer)
}

/// Returns true for an integer in JSON syntax: no `+`, no leading zeros, no fraction, no exponent.
pub(crate) fn is_integer_literal(text: &str) -> bool {
    let digits = text.strip_prefix('-').unwrap_or(text);
    !digits.is_empty() && digits.bytes().all(|b| b.is_ascii_digit()) && (digits.len() == 1 || !digits.starts_with('0'))
}

/// Returns true for a number in plain digits: an integer, or a decimal with a point.
pub(crate) fn is_decimal_literal(text: &str) -> bool {
    match text.split_once('.') {
        None => is_integer_literal(text),
        Some((whole, fraction)) => {
            is_integer_literal(whole) && !fraction.is_empty() && fraction.bytes().all(|b| b.is_ascii_digit())
        }
    }
}

/// Narrows the byte range of each diagnostic that concerns only a part of a string.
pub(crate) fn narrow_spans(text: &str, diagnostics: &mut [Diagnostic]) {
    for diagnostic in diagnostics {
        if let Some(part) = diagnostic.span {
            diagnostic.byte_range = json::substring_span(text, diagnostic.byte_range, part);
        }
    }
}

/// Merges the syntax errors of a text and the errors of its values, in the order of the text. An error of a value that contains a syntax
/// error is omitted.
pub(crate) fn merge(syntax_diagnostics: Vec<Diagnostic>, mut value_diagnostics: Vec<Diagnostic>) -> Vec<Diagnostic> {
    value_diagnostics.retain(|value| {
        let is_inside = |syntax: &Diagnostic| {
            value.byte_range.start <= syntax.byte_range.start
                && syntax.byte_range.end <= value.byte_range.end
                && syntax.byte_range.start < value.byte_range.end
        };
        !syntax_diagnostics.iter().any(is_inside)
    });
    value_diagnostics.extend(syntax_diagnostics);
    value_diagnostics.sort_by_key(|diagnostic| diagnostic.byte_range.start);
    value_diagnostics
}
