//! Typed values: converts literals and expressions to the kind of their field. Values are never coerced.

use chrono::{NaiveDate, NaiveTime};

use super::MAX_TEXT;
use super::ast::LiteralValue;
use super::error;
use super::expression::Part;
use super::fields::{FieldId, Kind};
use super::predicate::{FieldRef, Value};
use crate::api::Timestamp;
use crate::diagnostic::Diagnostic;
use crate::host;
use crate::json;
use crate::time::{self, TimeError};

/// Returns the typed value of a literal other than null.
pub(super) fn of_literal(
    kind: Kind,
    permitted: &'static [&'static str],
    value: &LiteralValue,
) -> Result<Value, Diagnostic> {
    match (kind, value) {
        (Kind::Integer, LiteralValue::Number(number)) if is_integer(number) => integer(number),
        (Kind::Number, LiteralValue::Number(number)) => self::number(number),
        (Kind::Custom, LiteralValue::Number(number)) => match is_integer(number).then(|| number.parse()) {
            Some(Ok(integer)) => Ok(Value::Integer(integer)),
            _ => self::number(number),
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
            moment(kind, text).map(Value::Time).map_err(|error| error::invalid_time(error, kind, text, 0))
        }
        _ => Err(error::wrong_value(kind, value)),
    }
}

/// Returns the typed value of an expression on a date or number field.
pub(super) fn of_expression(kind: Kind, part: &Part<'_>) -> Result<Value, Diagnostic> {
    let text = part.value;
    let within = |fault: Diagnostic| {
        let at = part.value_at();
        fault.within(at.start, at.end)
    };
    match kind {
        Kind::DateTime | Kind::Date => {
            moment(kind, text).map(Value::Time).map_err(|error| error::invalid_time(error, kind, text, part.start))
        }
        Kind::Integer if is_integer(text) => integer(text).map_err(within),
        Kind::Number if json::is_number(text) => number(text).map_err(within),
        _ => Err(error::wrong_expression_value(kind, text, part.value_at())),
    }
}

/// Returns true if fields of this kind accept expressions.
pub(super) fn takes_expressions(kind: Kind) -> bool {
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
    let FieldRef::Known(field) = field else { return Ok(()) };
    let at = match field {
        FieldId::PhoneNormalized | FieldId::PhoneNormalized2 | FieldId::Email | FieldId::Timezone => {
            text.chars().position(char::is_whitespace)
        }
        FieldId::Phone | FieldId::Phone2 if is_start && text.starts_with(char::is_whitespace) => Some(0),
        _ => None,
    };
    at.map_or(Ok(()), |at| Err(error::blank_in_value(field.field().name(), text, at)))
}

/// Checks the bounds of all texts in filters.
pub(super) fn check_text(text: &str) -> Result<(), Diagnostic> {
    if let Some(at) = text.chars().position(|c| c == '\0') {
        return Err(error::nul_character(at));
    }
    match text.chars().count() {
        characters if characters > MAX_TEXT => Err(error::text_too_long(characters)),
        _ => Ok(()),
    }
}

fn integer(number: &str) -> Result<Value, Diagnostic> {
    number.parse().map(Value::Integer).map_err(|_| error::integer_out_of_range(number))
}

fn number(number: &str) -> Result<Value, Diagnostic> {
    match host::float(number) {
        // Adding zero removes the sign of -0, which no database distinguishes from 0.
        Some(value) if value.is_finite() => Ok(Value::Number(value + 0.0)),
        _ => Err(error::number_out_of_range(number)),
    }
}

/// Parses a date-time. For date fields, also a date, as its midnight in UTC.
fn moment(kind: Kind, text: &str) -> Result<Timestamp, TimeError> {
    match kind {
        Kind::Date if !text.contains(':') => time::parse_date(text).map(midnight),
        _ => time::parse(text),
    }
}

/// Returns the start of a date in UTC.
pub(super) fn midnight(date: NaiveDate) -> Timestamp {
    date.and_time(NaiveTime::MIN).and_utc()
}
