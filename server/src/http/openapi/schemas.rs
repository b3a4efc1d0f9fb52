//! Schemas of responses: required members, and the variants of leads in lookups with `_fields`.

use leadscribe_engine::schema;
use serde_json::{Map, Value, json};

use crate::http::problem::Code;

/// Optional members of responses. All other members are always present, with null if there is no value.
const OPTIONAL_MEMBERS: [(&str, &[&str]); 15] = [
    ("CallOutcome", &["transcription_id"]),
    ("Callback", &["callback_data", "callback_method"]),
    ("CampaignDetails", &["next_callable_at"]),
    ("ExtendedLeadsResponse", &["next_cursor"]),
    ("Diagnostic", &["permitted", "span", "suggestion"]),
    ("LeadValues", &["assigned_user_id", "campaign_id", "do_not_call", "freeze_until", "status", "weight"]),
    ("LeadsResponse", &["next_cursor"]),
    ("Location", &["column", "parameter", "pointer"]),
    ("Message", &["message"]),
    ("MessageData", &["args"]),
    ("NotCallableReason", &["until"]),
    ("Problem", &["errors", "request_id"]),
    ("SubmissionResponse", &["speech_request_id", "total_minutes"]),
    ("Suggestion", &["replacement"]),
    (
        "TranscriptSearch",
        &["campaign_id", "from", "language", "lead_id", "max_duration", "min_duration", "phrase", "search", "till"],
    ),
];

/// Completes the derived schemas and adds those of the engine.
pub(super) fn complete(schemas: &mut Map<String, Value>) {
    for (name, schema) in schemas.iter_mut().filter(|(name, _)| !name.ends_with("Request")) {
        let optional = OPTIONAL_MEMBERS
            .iter()
            .find(|(schema_name, _)| schema_name == name)
            .map_or(&[][..], |(_, members)| members);
        mark_required(schema, optional);
    }
    schema::describe_response_types(schemas);
    add_selections(schemas);
    schemas.extend(schema::all_schemas().into_iter().map(|(name, schema)| (name.to_owned(), schema)));
    flatten_all(schemas);
    schemas["Problem"]["x-codes"] = codes_by_status();
}

/// Returns the problem codes by status. The list is open: a later version may add codes.
fn codes_by_status() -> Value {
    let mut codes = Map::new();
    for code in Code::ALL {
        let status = codes.entry(code.status().as_str()).or_insert_with(|| json!([]));
        status.as_array_mut().expect("a list").push(json!(code.as_str()));
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

/// Marks all members of a response as required except the `optional` ones.
fn mark_required(schema: &mut Value, optional: &[&str]) {
    for keyword in ["allOf", "oneOf"] {
        for part in schema.get_mut(keyword).and_then(Value::as_array_mut).into_iter().flatten() {
            mark_required(part, optional);
        }
    }
    let Some(members) = schema.get("properties").and_then(Value::as_object) else { return };
    let required: Vec<_> = members.keys().filter(|member| !optional.contains(&member.as_str())).cloned().collect();
    if !required.is_empty() {
        schema["required"] = json!(required);
    }
}

/// Replaces each `allOf`, which describes a type with flattened members, with one object. Some generators don't
/// support `allOf`. The members of alternatives become optional.
fn flatten_all(schemas: &mut Map<String, Value>) {
    let names: Vec<_> = schemas.keys().cloned().collect();
    for name in names {
        let mut schema = schemas[&name].clone();
        flatten(&mut schema, schemas);
        schemas[&name] = schema;
    }
}

fn flatten(schema: &mut Value, schemas: &Map<String, Value>) {
    match schema {
        Value::Object(members) => {
            members.values_mut().for_each(|member| flatten(member, schemas));
            let Some(Value::Array(parts)) = members.remove("allOf") else { return };
            members.insert("type".to_owned(), "object".into());
            for mut part in parts {
                if let Some(name) = part["$ref"].as_str().and_then(|pointer| pointer.rsplit('/').next()) {
                    part = schemas[name].clone();
                    flatten(&mut part, schemas);
                }
                let alternatives = part["oneOf"].as_array().into_iter().flatten();
                let objects = alternatives.chain([&part]).filter_map(|object| object["properties"].as_object());
                let mut properties: Map<_, _> =
                    objects.flatten().map(|(name, schema)| (name.clone(), schema.clone())).collect();
                if let Some(Value::Object(earlier)) = members.get_mut("properties") {
                    earlier.append(&mut properties);
                } else {
                    members.insert("properties".to_owned(), properties.into());
                }
                if let Value::Array(required) = part["required"].take() {
                    let all = members.entry("required").or_insert_with(|| json!([]));
                    all.as_array_mut().expect("a list").extend(required);
                }
            }
        }
        Value::Array(items) => items.iter_mut().for_each(|item| flatten(item, schemas)),
        _ => {}
    }
}

/// Adds variants of the lead schemas for lookups, where `_fields` may leave out everything except the id.
fn add_selections(schemas: &mut Map<String, Value>) {
    const NOTE: &str = "With `_fields`, only the members it lists.";
    for (name, selection, response) in
        [("Lead", "LeadSelection", "LeadsResponse"), ("ExtendedLead", "ExtendedLeadSelection", "ExtendedLeadsResponse")]
    {
        let text = schemas[name].to_string().replace("schemas/Lead\"", "schemas/LeadSelection\"");
        let mut schema: Value = serde_json::from_str(&text).expect("the text is still JSON");
        for part in schema.get_mut("allOf").and_then(Value::as_array_mut).into_iter().flatten() {
            part.as_object_mut().and_then(|part| part.remove("required"));
        }
        if schema.get("required").is_some() {
            schema["required"] = json!(["id"]);
        }
        schema["description"] = format!("{} {NOTE}", schema["description"].as_str().unwrap_or_default()).into();
        schemas[response]["properties"]["leads"]["items"] =
            json!({ "$ref": format!("#/components/schemas/{selection}") });
        schemas.insert(selection.to_owned(), schema);
    }
}
