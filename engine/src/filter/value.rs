//! Typed values: converts literals and expressions to the kind of their field. Values are never coerced.

use super::MAX_TEXT_CHARS;
use super::ast::LiteralValue;
use super::error;
use super::expression::Expression;
use super::fields::{FieldId, Kind};
use super::predicate::{FieldRef, Value};
use crate::api::Timestamp;
use crate::diagnostic::Diagnostic;
use crate::host;
use crate::json;
use crate::time::{self, TimeError};

/// Returns the typed value of a literal other than null.
pub(super) fn parse_literal(
    kind: Kind,
    permitted: &'static [&'static str],
    value: &LiteralValue,
) -> Result<Value, Diagnostic> {
    match (kind, value) {
        (Kind::Integer, LiteralValue::Number(number)) if is_integer(number) => parse_integer(number),
        (Kind::Number, LiteralValue::Number(number)) => parse_number(number),
        (Kind::Custom, LiteralValue::Number(number)) => match is_integer(number).then(|| number.parse()) {
            Some(Ok(integer)) => Ok(Value::Integer(integer)),
            _ => parse_number(number),
        },
        (Kind::Boolean | Kind::Custom, LiteralValue::Boolean(value)) => Ok(Value::Boolean(*value)),
        (Kind::Text | Kind::Custom, LiteralValue::Text(text)) => {
            check_text(text)?;
            match permitted.is_empty() || permitted.contains(&text.as_str()) {
                true => Ok(Value::Text(text.clone())),
                false => Err(error::not_permitted(text, permitted)),
            }
        }
        (Kind::DateTime | Kind::Date, LiteralValue::Text(text)) => {
            parse_time(kind, text).map(Value::Time).map_err(|error| error::invalid_time(error, kind, text, 0))
        }
        _ => Err(error::wrong_value(kind, value)),
    }
}

/// Returns the typed value of an expression on a date or number field.
pub(super) fn parse_expression_value(kind: Kind, part: &Expression<'_>) -> Result<Value, Diagnostic> {
    let text = part.value;
    let add_range = |diagnostic: Diagnostic| {
        let range = part.value_range();
        diagnostic.within(range.start, range.end)
    };
    match kind {
        Kind::DateTime | Kind::Date => parse_time(kind, text)
            .map(Value::Time)
            .map_err(|error| error::invalid_time(error, kind, text, part.start_char)),
        Kind::Integer if is_integer(text) => parse_integer(text).map_err(add_range),
        Kind::Number if json::is_number(text) => parse_number(text).map_err(add_range),
        _ => Err(error::wrong_expression_value(kind, text, part.value_range())),
    }
}

/// Returns true if fields of this kind accept expressions.
pub(super) fn accepts_expressions(kind: Kind) -> bool {
    matches!(kind, Kind::Integer | Kind::Number | Kind::DateTime | Kind::Date)
}

/// Returns true if a JSON number is written as an integer.
pub(super) fn is_integer(number: &str) -> bool {
    json::is_number(number) && !number.contains(['.', 'e', 'E'])
}

/// Rejects a blank that values of the text field can't contain. The comparison would match nothing or, if negated, everything. The usual
/// cause is a `+` in a query, which decodes to a blank.
///
/// `is_start` is true if the text is compared with the beginning of values.
///
/// # Errors
/// The first invalid blank.
pub fn check_blanks(field: &FieldRef, text: &str, is_start: bool) -> Result<(), Diagnostic> {
    let FieldRef::Builtin(field) = field else { return Ok(()) };
    let index = match field {
        FieldId::PhoneNormalized | FieldId::PhoneNormalized2 | FieldId::Email | FieldId::Timezone => {
            text.chars().position(char::is_whitespace)
        }
        FieldId::Phone | FieldId::Phone2 if is_start && text.starts_with(char::is_whitespace) => Some(0),
        _ => None,
    };
    index.map_or(Ok(()), |index| Err(error::space_in_value(field.field().name(), text, index)))
}

/// Rejects a text that no filter may contain: one that is too long, or contains U+0000.
pub(super) fn check_text(text: &str) -> Result<(), Diagnostic> {
    if let Some(index) = text.chars().position(|c| c == '\0') {
        return Err(error::nul_character(index));
    }
    match text.chars().count() {
        characters if characters > MAX_TEXT_CHARS => Err(error::text_too_long(characters)),
        _ => Ok(()),
    }
}

fn parse_integer(number: &str) -> Result<Value, Diagnostic> {
    number.parse().map(Value::Integer).map_err(|_| error::integer_out_of_range(number))
}

fn parse_number(number: &str) -> Result<Value, Diagnostic> {
    match host::parse_float(number) {
        // Adding zero removes the sign of -0, which no database distinguishes from 0.
        Some(value) if value.is_finite() => Ok(Value::Number(value + 0.0)),
        _ => Err(error::number_out_of_range(number)),
    }
}

/// Parses a date-time. For date fields, also a date, as its midnight in UTC.
fn parse_time(kind: Kind, text: &str) -> Result<Timestamp, TimeError> {
    match kind {
        Kind::Date if !text.contains(':') => time::parse_date(text).map(time::start_of_day),
        _ => time::parse(text),
    }
}
