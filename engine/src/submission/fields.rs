//! Readers for the values of a submission, with their bounds.

use super::MAX_MIN_DURATION;
use crate::api::{CallbackMethod, RecordingSide, Timestamp};
use crate::diagnostic::{
    Diagnostic, Message,
    catalog::{common, submission as texts},
    describe_json, expected, format_number, format_text, from_time, is_integer_literal, new_diagnostic, not_an_integer,
    not_permitted, wrong_type,
};
use crate::json::{Node, Value};
use crate::time;

/// Maximum number of characters of a token.
pub const MAX_TOKEN_CHARS: usize = 200;

/// Parses a string.
pub fn parse_string(node: &Node, expected_type: fn() -> Message) -> Result<&str, Diagnostic> {
    match &node.value {
        Value::String(text) => Ok(text),
        other => Err(wrong_type(expected_type(), describe_json(other))),
    }
}

/// Parses the string of an optional field.
pub fn parse_optional_string(node: &Node, expected_type: fn() -> Message) -> Result<&str, Diagnostic> {
    parse_string(node, expected_type).map_err(suggest_omitting(node))
}

/// Parses an integer within bounds, in plain digits.
pub fn parse_integer(node: &Node, low: i64, high: i64) -> Result<i64, Diagnostic> {
    let digits = match &node.value {
        Value::Number(digits) if is_integer_literal(digits) => digits,
        Value::String(text) if is_integer_literal(text) && text.len() <= 20 => {
            return Err(
                wrong_type(common::integer(), common::string()).suggest(common::write_without_quotes(text.as_str()))
            );
        }
        Value::Number(source) => return Err(not_an_integer(source, format_number(source))),
        Value::String(text) => return Err(not_an_integer(text, format_text(text))),
        other => return Err(wrong_type(common::integer(), describe_json(other))),
    };
    digits
        .parse()
        .ok()
        .filter(|value| (low..=high).contains(value))
        .ok_or_else(|| expected("out_of_range", common::integer_within(low, high), format_number(digits)))
}

/// Parses the token. Its diagnostics never contain the value.
pub fn parse_token(node: &Node) -> Result<String, Diagnostic> {
    let text = match &node.value {
        Value::String(text) => text,
        other => return Err(wrong_type(texts::token_in_string(), other.kind())),
    };
    let length = text.chars().count();
    if !(1..=MAX_TOKEN_CHARS).contains(&length) {
        let code = if length == 0 { "too_short" } else { "too_long" };
        return Err(expected(code, texts::token_length(MAX_TOKEN_CHARS), length));
    }
    match text.chars().position(|c| !c.is_ascii_graphic()) {
        None => Ok(text.clone()),
        Some(index) => Err(new_diagnostic("invalid_token", texts::token_characters()).within(index, index + 1)),
    }
}

/// Parses the side to transcribe.
pub fn parse_recording_side(node: &Node) -> Result<RecordingSide, Diagnostic> {
    let text = parse_string(node, common::string)?;
    RecordingSide::from_name(text).ok_or_else(|| not_permitted(text, RecordingSide::names()))
}

/// Parses the HTTP method of a callback.
pub fn parse_callback_method(node: &Node) -> Result<CallbackMethod, Diagnostic> {
    let text = parse_optional_string(node, common::string)?;
    CallbackMethod::from_name(text).ok_or_else(|| not_permitted(text, CallbackMethod::names()))
}

/// Parses the minimum length of a recording, in seconds.
pub fn parse_min_duration(node: &Node) -> Result<u32, Diagnostic> {
    let seconds = parse_integer(node, 1, MAX_MIN_DURATION.into()).map_err(suggest_omitting(node))?;
    Ok(u32::try_from(seconds).expect("at most a day"))
}

/// Parses a bound of the calls' creation time.
pub fn parse_time(node: &Node) -> Result<Timestamp, Diagnostic> {
    let text = parse_optional_string(node, common::date_time)?;
    time::parse(text).map_err(|error| {
        let is_date_only = time::parse_date(text).is_ok();
        let error = from_time(error);
        if is_date_only { error.suggest(common::add_time(text)) } else { error }
    })
}

/// Adds a hint to omit the field instead of sending null.
fn suggest_omitting(node: &Node) -> impl Fn(Diagnostic) -> Diagnostic {
    move |diagnostic| if node.value == Value::Null { diagnostic.suggest(texts::omit_field()) } else { diagnostic }
}
