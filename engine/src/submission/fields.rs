//! Readers for the values of a submission, with their bounds.

use super::MAX_MIN_DURATION;
use crate::api::{RecordingSide, Timestamp};
use crate::diagnostic::{
    Diagnostic, Message,
    catalog::{common, submission as texts},
    expected, fault, found, from_time, is_whole, not_permitted, not_whole, number, shown, wrong_type,
};
use crate::json::{Node, Value};
use crate::time;

/// Maximum number of characters of a token.
pub const MAX_TOKEN: usize = 200;

/// Reads a string.
pub fn string(node: &Node, wanted: fn() -> Message) -> Result<&str, Diagnostic> {
    match &node.value {
        Value::String(text) => Ok(text),
        other => Err(wrong_type(wanted(), found(other))),
    }
}

/// Reads an integer within bounds, in plain digits.
pub fn integer(node: &Node, low: i64, high: i64) -> Result<i64, Diagnostic> {
    let digits = match &node.value {
        Value::Number(digits) if is_whole(digits) => digits,
        Value::String(text) if is_whole(text) && text.len() <= 20 => {
            return Err(
                wrong_type(common::integer(), common::string()).suggest(common::write_without_quotes(text.as_str()))
            );
        }
        Value::Number(written) => return Err(not_whole(written, number(written))),
        Value::String(text) => return Err(not_whole(text, shown(text))),
        other => return Err(wrong_type(common::integer(), found(other))),
    };
    digits
        .parse()
        .ok()
        .filter(|value| (low..=high).contains(value))
        .ok_or_else(|| expected("out_of_range", common::integer_within(low, high), number(digits)))
}

/// Reads the token. Its faults never contain the value.
pub fn token(node: &Node) -> Result<String, Diagnostic> {
    let text = match &node.value {
        Value::String(text) => text,
        other => return Err(wrong_type(texts::token_in_string(), other.kind())),
    };
    let length = text.chars().count();
    if !(1..=MAX_TOKEN).contains(&length) {
        let code = if length == 0 { "too_short" } else { "too_long" };
        return Err(expected(code, texts::token_length(MAX_TOKEN), length));
    }
    match text.chars().position(|c| !c.is_ascii_graphic()) {
        None => Ok(text.clone()),
        Some(at) => Err(fault("invalid_token", texts::token_characters()).within(at, at + 1)),
    }
}

/// Reads the side to transcribe.
pub fn recording_side(node: &Node) -> Result<RecordingSide, Diagnostic> {
    let text = string(node, common::string)?;
    RecordingSide::from_name(text).ok_or_else(|| not_permitted(text, RecordingSide::names()))
}

/// Reads the minimum length of a recording, in seconds.
pub fn min_duration(node: &Node) -> Result<u32, Diagnostic> {
    let seconds = integer(node, 1, MAX_MIN_DURATION.into()).map_err(or_left_out(node))?;
    Ok(u32::try_from(seconds).expect("at most a day"))
}

/// Reads a bound of the calls' creation time.
pub fn moment(node: &Node) -> Result<Timestamp, Diagnostic> {
    let text = string(node, common::date_time).map_err(or_left_out(node))?;
    time::parse(text).map_err(|error| {
        let date_alone = time::parse_date(text).is_ok();
        let wrong = from_time(error);
        if date_alone { wrong.suggest(common::add_time(text)) } else { wrong }
    })
}

/// Adds a hint to omit the field instead of sending null.
fn or_left_out(node: &Node) -> impl Fn(Diagnostic) -> Diagnostic {
    move |fault| if node.value == Value::Null { fault.suggest(texts::leave_out()) } else { fault }
}
