//! Schemas of responses: required members, and the variants of leads in look-ups with `_fields`.

use leadscribe_engine::schema;
use serde_json::{Map, Value, json};

use crate::http::problem::Code;

/// Optional members of responses. All other members are always present, with null if there is no value.
const MAY_LACK: [(&str, &[&str]); 15] = [
    ("CallOutcome", &["transcription_id"]),
    ("Callback", &["callback_data", "callback_method"]),
    ("CampaignDetails", &["next_callable_at"]),
    ("ExtendedLeadsResponse", &["next_cursor"]),
    ("Diagnostic", &["permitted", "span", "suggestion"]),
    ("LeadValues", &["assigned_user_id", "campaign_id", "do_not_call", "freeze_until", "status", "weight"]),
    ("LeadsResponse", &["next_cursor"]),
    ("Message", &["message"]),
    ("MessageData", &["args"]),
    ("NotCallableReason", &["until"]),
    ("Place", &["column", "parameter", "pointer"]),
    ("Problem", &["errors", "request_id"]),
    ("SubmissionResponse", &["total_minutes"]),
    ("Suggestion", &["replacement"]),
    (
        "TranscriptSearch",
        &["campaign_id", "from", "language", "lead_id", "max_duration", "min_duration", "phrase", "till", "words"],
    ),
];

/// Completes the derived schemas and adds those of the engine.
pub(super) fn complete(schemas: &mut Map<String, Value>) {
    for (name, schema) in schemas.iter_mut().filter(|(name, _)| !name.ends_with("Request")) {
        let may_lack = MAY_LACK.iter().find(|(known, _)| known == name).map_or(&[][..], |(_, members)| members);
        require(schema, may_lack);
    }
    schema::describe_answers(schemas);
    select(schemas);
    schemas.extend(schema::all().into_iter().map(|(name, schema)| (name.to_owned(), schema)));
    schemas["Problem"]["x-codes"] = codes();
}

/// Returns the problem codes by status. The list is open: a later version may add codes.
fn codes() -> Value {
    let mut codes = Map::new();
    for code in Code::ALL {
        let status = codes.entry(code.status().as_str()).or_insert_with(|| json!([]));
        status.as_array_mut().expect("made as a list").push(json!(code.as_str()));
    }
    Value::Object(codes)
}

/// Removes schemas without references. For example, the entries of a page are inlined in the page.
pub(super) fn drop_unused(document: &mut Value) {
    loop {
        let text = document.to_string();
        let Value::Object(schemas) = &mut document["components"]["schemas"] else { return };
        let before = schemas.len();
        schemas.retain(|name, _| text.contains(&format!("\"#/components/schemas/{name}\"")));
        if schemas.len() == before {
            return;
        }
    }
}

/// Marks the members of a response that are always present as required.
fn require(schema: &mut Value, may_lack: &[&str]) {
    for form in ["allOf", "oneOf"] {
        for part in schema.get_mut(form).and_then(Value::as_array_mut).into_iter().flatten() {
            require(part, may_lack);
        }
    }
    let Some(members) = schema.get("properties").and_then(Value::as_object) else { return };
    let required: Vec<_> = members.keys().filter(|member| !may_lack.contains(&member.as_str())).cloned().collect();
    if !required.is_empty() {
        schema["required"] = json!(required);
    }
}

/// Adds variants of the lead schemas for look-ups, where `_fields` may leave out everything except the id.
fn select(schemas: &mut Map<String, Value>) {
    const NOTE: &str = "With `_fields`, only the members it lists.";
    for (name, selection, answer) in
        [("Lead", "LeadSelection", "LeadsResponse"), ("ExtendedLead", "ExtendedLeadSelection", "ExtendedLeadsResponse")]
    {
        let text = schemas[name].to_string().replace("schemas/Lead\"", "schemas/LeadSelection\"");
        let mut schema: Value = serde_json::from_str(&text).expect("a name was replaced by a name");
        for part in schema.get_mut("allOf").and_then(Value::as_array_mut).into_iter().flatten() {
            part.as_object_mut().and_then(|part| part.remove("required"));
        }
        if schema.get("required").is_some() {
            schema["required"] = json!(["id"]);
        }
        schema["description"] = format!("{} {NOTE}", schema["description"].as_str().unwrap_or_default()).into();
        schemas[answer]["properties"]["leads"]["items"] =
            json!({ "$ref": format!("#/components/schemas/{selection}") });
        schemas.insert(selection.to_owned(), schema);
    }
}
