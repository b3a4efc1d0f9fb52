//! JSON Schema of the submission.

use serde_json::{Value, json};

use super::fields::MAX_TOKEN_CHARS;
use super::{MAX_CALL_IDS, MAX_LANGUAGES, MAX_MIN_DURATION};
use crate::api::{CallbackMethod, RecordingSide};
use crate::callback::MAX_TEMPLATE_BYTES;
use crate::schema::{timestamp, with_description};

/// Returns the schemas of the body with the token, and of the body without it, as sent by users.
pub(crate) fn schemas() -> [(&'static str, Value); 2] {
    let mut submission = json!({
        "type": "object",
        "description": "Calls to transcribe.",
        "required": ["call_ids", "languages", "recording_side"],
        "additionalProperties": false,
        "properties": {
            "call_ids": {
                "type": "array",
                "description": "IDs of the calls. Duplicates are ignored.",
                "minItems": 1,
                "maxItems": MAX_CALL_IDS,
                "items": { "type": "integer", "format": "int64", "minimum": 1, "maximum": i64::MAX }
            },
            "languages": {
                "type": "array",
                "description": "Spoken languages: BCP 47 codes that the recognizer supports.",
                "minItems": 1,
                "maxItems": MAX_LANGUAGES,
                "items": { "type": "string", "pattern": "^[A-Za-z]{2,8}(-[A-Za-z0-9]{1,8})*$", "examples": ["en"] }
            },
            "recording_side": {
                "type": "string",
                "description": "Side to transcribe: `caller` is the left channel, `callee` the right one.",
                "enum": RecordingSide::names().collect::<Vec<_>>()
            },
            "min_duration": {
                "type": "integer",
                "format": "int32",
                "description": "Minimum length of a recording in seconds, inclusive; 1 by default.",
                "minimum": 1,
                "maximum": MAX_MIN_DURATION
            },
            "from": with_description(timestamp(), "Only calls created at or after this time."),
            "till": with_description(timestamp(), "Only calls created at or before this time, which must not be before `from`."),
            "callback_url": {
                "type": "string",
                "format": "uri",
                "description": "URL that receives each accepted call once, when its transcription is completed, failed or \
                    cancelled: https with a public address.",
                "examples": ["https://example.com/calls"]
            },
            "callback_method": {
                "type": "string",
                "description": "Method of the deliveries; `POST` by default. Requires `callback_url`.",
                "enum": CallbackMethod::names().collect::<Vec<_>>()
            },
            "callback_data": {
                "type": "string",
                "description": "Body of the deliveries: JSON text with placeholders such as `{call_id}` inside its strings. By \
                    default `call_id`, `transcription_status`, `error` and `speech_result`. Requires `callback_url`.",
                "maxLength": MAX_TEMPLATE_BYTES
            }
        },
        "dependentRequired": { "callback_method": ["callback_url"], "callback_data": ["callback_url"] }
    });
    let without_token = submission.clone();
    submission["required"] = json!(["call_ids", "token", "languages", "recording_side"]);
    submission["properties"]["token"] = json!({
        "type": "string",
        "description": "Secret of the speech token that owns the transcriptions.",
        "minLength": 1,
        "maxLength": MAX_TOKEN_CHARS,
        "pattern": "^[!-~]*$",
        "writeOnly": true
    });
    [("Submission", submission), ("SubmissionForToken", without_token)]
}
