//! Example values for schemas: from the document, or else the simplest value that fits.

use serde_json::{Map, Value, json};

use super::Document;

/// Maximum nesting depth of an example; ends recursive schemas.
const DEPTH: usize = 6;

/// Returns a value that fits a schema. An object with required members has only those.
pub fn example(document: &Document, schema: &Value) -> Value {
    build(document, schema, DEPTH)
}

fn build(document: &Document, schema: &Value, depth: usize) -> Value {
    let (_, schema) = document.resolve(schema);
    let given = [&schema["example"], &schema["examples"][0], &schema["default"], &schema["enum"][0]];
    if let Some(given) = given.into_iter().find(|given| !given.is_null()) {
        return given.clone();
    }
    if depth == 0 {
        return Value::Null;
    }
    if let Some(parts) = schema["allOf"].as_array() {
        let members = parts.iter().filter_map(|part| match build(document, part, depth - 1) {
            Value::Object(members) => Some(members),
            _ => None,
        });
        return Value::Object(members.flatten().collect());
    }
    // Next to `properties`, variants only say which members exclude each other.
    for form in ["oneOf", "anyOf"].into_iter().filter(|_| schema["properties"].is_null()) {
        let variants = schema[form].as_array().into_iter().flatten();
        if let Some(variant) = variants.into_iter().find(|variant| variant["type"] != "null") {
            return build(document, variant, depth - 1);
        }
    }
    match kind(schema) {
        "object" => object(document, schema, depth),
        "array" => json!([build(document, &schema["items"], depth - 1)]),
        "integer" | "number" => match &schema["minimum"] {
            Value::Null => json!(1),
            least => least.clone(),
        },
        "boolean" => json!(true),
        "string" => Value::String(text(schema)),
        _ => Value::Null,
    }
}

fn object(document: &Document, schema: &Value, depth: usize) -> Value {
    let mut required = super::texts(&schema["required"]);
    required.extend(super::texts(&schema["oneOf"][0]["required"]));
    let members = schema["properties"].as_object().into_iter().flatten();
    let shown = members.filter(|(name, _)| required.is_empty() || required.contains(name));
    let built: Map<_, _> = shown.map(|(name, member)| (name.clone(), build(document, member, depth - 1))).collect();
    Value::Object(built)
}

/// First type other than null.
fn kind(schema: &Value) -> &str {
    let one = |kind: &Value| kind.as_str().filter(|kind| *kind != "null").is_some();
    let kinds = [&schema["type"]].into_iter().chain(schema["type"].as_array().into_iter().flatten());
    let first = kinds.filter(|kind| one(kind)).find_map(Value::as_str);
    first.unwrap_or(if schema["properties"].is_object() { "object" } else { "" })
}

fn text(schema: &Value) -> String {
    match schema["format"].as_str() {
        Some("date-time") => "2026-05-01T09:30:00Z".to_owned(),
        Some("date") => "2026-05-01".to_owned(),
        Some("email") => "ann@example.com".to_owned(),
        _ => "text".to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::super::tests::document;
    use super::*;

    #[test]
    fn example_has_the_first_of_exclusive_members() {
        let of_ids = json!({
            "properties": { "ids": { "type": "array", "items": { "type": "integer" } }, "set": { "type": "boolean" }, "filter": {} },
            "required": ["set"],
            "oneOf": [{ "required": ["ids"] }, { "required": ["filter"] }],
        });
        assert_eq!(example(&document(), &of_ids), json!({ "ids": [1], "set": true }));
    }

    #[test]
    fn example_has_required_members() {
        let document = document();
        let schema = json!({ "$ref": "#/components/schemas/NewApiKeyRequest" });
        let built = example(&document, &schema);
        let required = &document.resolve(&schema).1["required"];
        assert!(!super::super::texts(required).is_empty());
        for member in super::super::texts(required) {
            assert!(!built[&member].is_null(), "{member} is missing in {built}");
        }
    }

    #[test]
    fn recursive_schemas_terminate() {
        let document = document();
        let schema = json!({ "$ref": "#/components/schemas/LeadConditions" });
        assert!(example(&document, &schema).is_object());
    }

    #[test]
    fn nullable_schemas_have_a_value() {
        let schema = json!({ "type": ["null", "integer"], "minimum": 3 });
        assert_eq!(example(&document(), &schema), json!(3));
        let schema = json!({ "oneOf": [{ "type": "null" }, { "type": "string", "format": "date" }] });
        assert_eq!(example(&document(), &schema), json!("2026-05-01"));
    }
}
