//! Example values for schemas: from the document, or else the simplest value that fits.

use serde_json::{Map, Value, json};

use super::Document;

/// Maximum nesting depth of an example; ends recursive schemas.
const MAX_DEPTH: usize = 6;

/// Returns a value that fits a schema. An object with required members has only those.
pub fn example(document: &Document, schema: &Value) -> Value {
    build(document, schema, MAX_DEPTH)
}

fn build(document: &Document, schema: &Value, depth: usize) -> Value {
    let (_, schema) = document.resolve(schema);
    let explicit_values = [&schema["example"], &schema["examples"][0], &schema["default"], &schema["enum"][0]];
    if let Some(explicit_values) = explicit_values.into_iter().find(|explicit_values| !explicit_values.is_null()) {
        return explicit_values.clone();
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
    for keyword in ["oneOf", "anyOf"].into_iter().filter(|_| schema["properties"].is_null()) {
        let variants = schema[keyword].as_array().into_iter().flatten();
        if let Some(variant) = variants.into_iter().find(|variant| variant["type"] != "null") {
            return build(document, variant, depth - 1);
        }
    }
    match primary_type(schema) {
        "object" => build_object(document, schema, depth),
        "array" => json!([build(document, &schema["items"], depth - 1)]),
        "integer" | "number" => match &schema["minimum"] {
            Value::Null => json!(1),
            minimum => minimum.clone(),
        },
        "boolean" => json!(true),
        "string" => Value::String(example_text(schema)),
        _ => Value::Null,
    }
}

fn build_object(document: &Document, schema: &Value, depth: usize) -> Value {
    let mut required = super::string_list(&schema["required"]);
    required.extend(super::string_list(&schema["oneOf"][0]["required"]));
    let members = schema["properties"].as_object().into_iter().flatten();
    let included = members.filter(|(name, _)| required.is_empty() || required.contains(name));
    let values: Map<_, _> = included.map(|(name, member)| (name.clone(), build(document, member, depth - 1))).collect();
    Value::Object(values)
}

/// First type other than null.
fn primary_type(schema: &Value) -> &str {
    let is_not_null = |kind: &Value| kind.as_str().filter(|kind| *kind != "null").is_some();
    let kinds = [&schema["type"]].into_iter().chain(schema["type"].as_array().into_iter().flatten());
    let first = kinds.filter(|kind| is_not_null(kind)).find_map(Value::as_str);
    first.unwrap_or(if schema["properties"].is_object() { "object" } else { "" })
}

fn example_text(schema: &Value) -> String {
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
        let schema = json!({
            "properties": { "ids": { "type": "array", "items": { "type": "integer" } }, "set": { "type": "boolean" }, "filter": {} },
            "required": ["set"],
            "oneOf": [{ "required": ["ids"] }, { "required": ["filter"] }],
        });
        assert_eq!(example(&document(), &schema), json!({ "ids": [1], "set": true }));
    }

    #[test]
    fn example_has_required_members() {
        let document = document();
        let schema = json!({ "$ref": "#/components/schemas/NewApiKeyRequest" });
        let value = example(&document, &schema);
        let required = &document.resolve(&schema).1["required"];
        assert!(!super::super::string_list(required).is_empty());
        for member in super::super::string_list(required) {
            assert!(!value[&member].is_null(), "{member} is missing in {value}");
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
