//! Constraints on values that are defined neither by their type nor by a table of the engine. Those of bodies are
//! listed by schema and member, those of parameters by name, and by path where a name has several meanings.

use leadscribe_engine::api::{
    AuditOrder, CallOrder, CampaignOrder, DeliveryOrder, ImportOrder, Order, TranscriptOrder, TranscriptionState,
};
use leadscribe_engine::filter::fields::{CUSTOM_PREFIX, FIELDS, Kind, MAX_CUSTOM_NAME_CHARS};
use leadscribe_engine::schema::{NO_CONTROL_PATTERN, timestamp};
use leadscribe_engine::submission::MAX_CALL_IDS;
use serde_json::{Map, Value, json};

use crate::http::export::FileFormat;
use crate::http::handlers::{calls, imports};
use crate::service::auth::{credentials, passwords, staff};
use crate::service::leads::{statuses, views};

/// At least one non-blank character, no control characters.
const NAME_PATTERN: &str =
    r"^[^\u0000-\u001f\u007f-\u009f]*[^\s\u0000-\u001f\u007f-\u009f][^\u0000-\u001f\u007f-\u009f]*$";

/// Text, `@` and text, without whitespace.
const EMAIL_PATTERN: &str = r"^[^\s\u0000-\u001f\u007f-\u009f]+@[^@\s\u0000-\u001f\u007f-\u009f]+$";

/// Page of a list, with the default maximum count.
const LIMIT_PATTERN: &str = "^([0-9]{1,3}|1000)(;[0-9]{1,18})?$";

/// Page of lead actions, whose maximum count is always 100.
const ACTION_LIMIT_PATTERN: &str = "^([0-9]{1,2}|100)(;[0-9]{1,18})?$";

/// Adds the constraints to the bodies.
pub(super) fn add_to_bodies(schemas: &mut Map<String, Value>) {
    let name = |max_length: usize| json!({ "minLength": 1, "maxLength": max_length, "pattern": NAME_PATTERN });
    let password =
        json!({ "minLength": passwords::PERMITTED_LENGTH.start(), "maxLength": passwords::PERMITTED_LENGTH.end() });
    let text = |max_length: usize| json!({ "maxLength": max_length, "pattern": NO_CONTROL_PATTERN });
    for (schema, member, bounds) in [
        ("NewUserRequest", "email", json!({ "maxLength": staff::MAX_EMAIL_BYTES, "pattern": EMAIL_PATTERN })),
        ("NewUserRequest", "password", password.clone()),
        ("ChangePasswordRequest", "password", password.clone()),
        ("UpdateUserRequest", "password", password),
        ("NewApiKeyRequest", "name", name(credentials::MAX_NAME_LENGTH)),
        ("NewApiKeyRequest", "scopes", json!({ "minItems": 1 })),
        ("CancelTranscriptionsRequest", "call_ids", json!({ "minItems": 1, "maxItems": MAX_CALL_IDS })),
        ("NewSpeechTokenRequest", "name", name(credentials::MAX_NAME_LENGTH)),
        ("NewWebhookRequest", "events", json!({ "minItems": 1 })),
        ("UpdateWebhookRequest", "events", json!({ "minItems": 1 })),
        ("StatusRequest", "label", name(statuses::MAX_LABEL_LENGTH)),
        ("ViewRequest", "name", name(views::MAX_NAME_LENGTH)),
        ("ViewRequest", "dates", text(views::MAX_DATES_BYTES)),
        ("ViewRequest", "columns", text(views::MAX_COLUMNS_BYTES)),
        ("ViewRequest", "filter", json!({ "maxLength": views::MAX_FILTER_BYTES })),
    ] {
        merge(&mut schemas[schema]["properties"][member], bounds);
    }
    for name in ["SpeechSearchRequest", "TranscriptSearch"] {
        for member in ["from", "till"] {
            let schema = &mut schemas[name]["properties"][member];
            let mut time = timestamp();
            time["anyOf"].as_array_mut().expect("alternatives").push(json!({ "type": "null" }));
            time["description"] = schema["description"].take();
            *schema = time;
        }
    }
    let names = &mut schemas["StatusOrderRequest"]["properties"]["names"]["items"];
    merge(names, json!({ "pattern": "^[a-z0-9_]{1,50}$" }));
}

/// Adds the constraints to the parameters and marks each body as required.
pub(super) fn add_to_operations(paths: &mut Value) {
    for (path, item) in paths.as_object_mut().into_iter().flatten() {
        for operation in item.as_object_mut().into_iter().flat_map(Map::values_mut) {
            for parameter in operation.get_mut("parameters").and_then(Value::as_array_mut).into_iter().flatten() {
                let name = parameter["name"].as_str().unwrap_or_default().to_owned();
                add_to_parameter(path, &name, &mut parameter["schema"]);
            }
            if let Some(body) = operation.get_mut("requestBody") {
                body["required"] = true.into();
            }
        }
    }
}

fn add_to_parameter(path: &str, name: &str, schema: &mut Value) {
    match (path, name) {
        // These parameters are keys of a filter and accept the same values as there.
        ("/api/leads", _) => {}
        ("/api/leads/actions", "limit") => merge(schema, json!({ "pattern": ACTION_LIMIT_PATTERN })),
        (_, "limit") if schema["type"] == "string" => merge(schema, json!({ "pattern": LIMIT_PATTERN })),
        (_, "from" | "till") => *schema = timestamp(),
        (_, "id") => merge(&mut schema["items"], json!({ "minimum": 1 })),
        (_, "order") => merge(schema, json!({ "enum": order_names(path) })),
        (_, "transcription") => {
            let states = std::iter::once(calls::list::NEVER_SUBMITTED).chain(TranscriptionState::names());
            merge(schema, json!({ "enum": states.collect::<Vec<_>>() }));
        }
        (_, "file_name") => {
            let max_length = imports::create::MAX_FILE_NAME_LENGTH;
            merge(schema, json!({ "minLength": 1, "maxLength": max_length, "pattern": NO_CONTROL_PATTERN }));
        }
        (_, "mapping" | "filter") => merge(schema, json!({ "contentMediaType": "application/json" })),
        ("/api/calls" | "/api/calls/export", "search") => {
            merge(schema, json!({ "maxLength": calls::list::MAX_SEARCH_LENGTH }))
        }
        (_, "format") if path.ends_with("/export") => {
            merge(schema, json!({ "enum": FileFormat::names().collect::<Vec<_>>() }));
        }
        ("/api/calls/{call_id}/transcript", "format") => {
            merge(schema, json!({ "enum": ["json", "text", "vtt", "srt"] }));
        }
        (_, "field") => *schema = text_field_schema(),
        _ => {}
    }
}

/// Returns the names of a list's sort orders.
fn order_names(path: &str) -> Vec<String> {
    match path.trim_end_matches("/export") {
        "/api/calls" => Order::<CallOrder>::names().collect(),
        "/api/campaigns" | "/api/campaigns/progress" => Order::<CampaignOrder>::names().collect(),
        "/api/deliveries" | "/api/webhooks/{webhook_id}/deliveries" => Order::<DeliveryOrder>::names().collect(),
        "/api/imports" => Order::<ImportOrder>::names().collect(),
        "/api/audit-log" => Order::<AuditOrder>::names().collect(),
        "/api/transcripts" => Order::<TranscriptOrder>::names().collect(),
        _ => unreachable!("{path} has no orders"),
    }
}

/// Returns the schema for the key of a text field.
fn text_field_schema() -> Value {
    let text_fields = FIELDS.iter().filter(|field| field.kind == Kind::Text).map(|field| field.name());
    let custom_field_pattern =
        format!("^{}[^\\u0000]{{1,{MAX_CUSTOM_NAME_CHARS}}}$", CUSTOM_PREFIX.replace('.', "\\."));
    json!({ "anyOf": [
        { "type": "string", "enum": text_fields.collect::<Vec<_>>() },
        { "type": "string", "pattern": custom_field_pattern }
    ] })
}

fn merge(schema: &mut Value, bounds: Value) {
    if let (Value::Object(schema), Value::Object(bounds)) = (schema, bounds) {
        schema.extend(bounds);
    }
}
