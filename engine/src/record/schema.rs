//! JSON Schemas of the values that the readers of [`super::value`] accept: one function per reader, with the same name, used in the rule
//! tables.

use serde_json::{Value, json};

use super::MAX_CUSTOM_FIELDS;
use super::value::{
    MAX_EMAIL_CHARS, MAX_ID, MAX_LONG_TEXT_CHARS, MAX_NAME_CHARS, MAX_NEW_ID, MAX_PHONE_CHARS, MAX_STATUS_CHARS,
};
use crate::api::{CallStatus, RecordingState, Weekday};
use crate::filter::fields::MAX_CUSTOM_NAME_CHARS;
use crate::schema::{NO_CONTROL_PATTERN, with_description};

pub(super) use crate::schema::timestamp;

/// Text that may contain tabs and line breaks.
const MULTILINE_PATTERN: &str = r"^[^\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f]*$";

pub fn text(max: usize) -> Value {
    json!({ "type": "string", "maxLength": max, "pattern": NO_CONTROL_PATTERN })
}

pub fn phone() -> Value {
    text(MAX_PHONE_CHARS)
}

pub fn lines(max: usize) -> Value {
    json!({ "type": "string", "maxLength": max, "pattern": MULTILINE_PATTERN })
}

pub fn name() -> Value {
    let pattern = r"^[^\u0000-\u001f\u007f-\u009f]*[^\s\u0000-\u001f\u007f-\u009f][^\u0000-\u001f\u007f-\u009f]*$";
    json!({ "type": "string", "minLength": 1, "maxLength": MAX_NAME_CHARS, "pattern": pattern })
}

pub fn email() -> Value {
    let pattern = r"^[^@\s\u0000-\u001f\u007f-\u009f]+@[^@\s\u0000-\u001f\u007f-\u009f]+$";
    json!({ "type": "string", "maxLength": MAX_EMAIL_CHARS, "pattern": pattern, "examples": ["ada@example.com"] })
}

pub fn e164() -> Value {
    json!({ "type": "string", "pattern": r"^\+[1-9][0-9]{1,14}$", "examples": ["+442079460018"] })
}

pub fn country() -> Value {
    json!({ "type": "string", "maxLength": MAX_NAME_CHARS, "pattern": NO_CONTROL_PATTERN, "examples": ["DE", "Germany"] })
}

pub fn time_zone() -> Value {
    json!({ "type": "string", "examples": ["Europe/Berlin", "America/New_York"] })
}

pub fn status() -> Value {
    json!({ "type": "string", "pattern": format!("^[a-z0-9_]{{1,{MAX_STATUS_CHARS}}}$"), "examples": ["new", "callback"] })
}

pub fn file_name() -> Value {
    text(MAX_NAME_CHARS)
}

pub fn named<T: Copy + 'static>(values: &'static [T], name: fn(T) -> &'static str) -> Value {
    json!({ "type": "string", "enum": values.iter().map(|variant| name(*variant)).collect::<Vec<_>>() })
}

pub fn call_outcome() -> Value {
    named(CallStatus::ALL, CallStatus::as_str)
}

pub fn call_status() -> Value {
    call_outcome()
}

/// In JSON, `ready` is reserved for uploads.
pub fn recording_state() -> Value {
    let states = RecordingState::names().filter(|state| *state != RecordingState::Ready.as_str());
    with_description(
        json!({ "type": "string", "enum": states.collect::<Vec<_>>() }),
        "State of the recording before it is uploaded; `pending` announces an upload. An upload sets `ready`, which can't be changed back.",
    )
}

pub fn new_id<T>(_wrap: fn(i64) -> T) -> Value {
    whole(1, MAX_NEW_ID)
}

pub fn id<T>(_wrap: fn(i64) -> T) -> Value {
    whole(1, MAX_ID)
}

pub fn whole(low: i64, high: i64) -> Value {
    json!({ "type": "integer", "format": "int64", "minimum": low, "maximum": high })
}

pub fn count(low: u32, high: u32) -> Value {
    json!({ "type": "integer", "format": "int32", "minimum": low, "maximum": high })
}

pub fn number(low: f64, high: f64) -> Value {
    json!({ "type": "number", "format": "double", "minimum": low, "maximum": high })
}

pub fn degrees(low: f64, high: f64) -> Value {
    number(low, high)
}

pub fn boolean() -> Value {
    json!({ "type": "boolean" })
}

pub fn date() -> Value {
    json!({ "type": "string", "format": "date", "examples": ["2026-05-01"] })
}

pub fn custom_fields() -> Value {
    json!({
        "type": "object",
        "description": format!("Custom fields by name: text, number (integers up to 64 bits) or boolean. Null removes a field; omitted fields \
            stay unchanged. A lead has at most {MAX_CUSTOM_FIELDS}. Names of card data are rejected."),
        "maxProperties": MAX_CUSTOM_FIELDS,
        "propertyNames": { "minLength": 1, "maxLength": MAX_CUSTOM_NAME_CHARS, "pattern": NO_CONTROL_PATTERN },
        "additionalProperties": { "type": ["string", "number", "boolean", "null"], "maxLength": MAX_LONG_TEXT_CHARS, "pattern": MULTILINE_PATTERN },
        "examples": [{ "segment": "gold", "score": 5 }]
    })
}

pub fn calling_hours() -> Value {
    let time = |example: &str, description: &str| json!({ "type": "string", "pattern": "^([01][0-9]|2[0-3]):[0-5][0-9]$", "examples": [example], "description": description });
    let days: Vec<_> = Weekday::names().collect();
    json!({
        "type": "object",
        "required": ["start", "end", "days"],
        "additionalProperties": false,
        "properties": {
            "start": time("09:00", "Start of calling, inclusive."),
            "end": time("20:00", "End of calling, exclusive. At or before `start`, it is on the next day."),
            "days": {
                "type": "array",
                "description": "Days on which calling starts. Duplicates are ignored.",
                "minItems": 1,
                "items": { "type": "string", "enum": days }
            }
        },
        "examples": [{ "start": "09:00", "end": "20:00", "days": ["mon", "tue", "wed", "thu", "fri"] }]
    })
}
