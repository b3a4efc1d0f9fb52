//! Describes a schema in words, one level at a time, because schemas can be recursive.

use serde_json::Value;

use super::{Document, string_list, string_member, to_plain_text};
use crate::datetime::format_count;

/// Maximum bound to show. Greater bounds are those of the type itself.
const MAX_EXACT_INTEGER: u64 = (1 << 53) - 1;

/// Placeholder for the names of additional properties.
pub const ADDITIONAL_NAMES_LABEL: &str = "any other name";

/// A schema in words.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct SchemaDescription {
    /// Type, such as `text`, `integer or null` or `list of Call`.
    pub type_name: String,
    pub description: String,
    /// Format, bounds and default.
    pub constraints: Vec<String>,
    /// Values of an enum.
    pub values: Vec<String>,
    pub examples: Vec<String>,
    pub content: SchemaContent,
}

/// Content of a value.
#[derive(Clone, Debug, Default, PartialEq)]
pub enum SchemaContent {
    #[default]
    Empty,
    Members(Vec<Member>),
    /// One of these schemas.
    Variants(Vec<Value>),
}

/// A member of an object.
#[derive(Clone, Debug, PartialEq)]
pub struct Member {
    pub name: String,
    pub is_required: bool,
    pub schema: Value,
}

/// Describes a schema one level deep.
pub fn describe(document: &Document, schema: &Value) -> SchemaDescription {
    let (name, resolved) = document.resolve(schema);
    let mut description = describe_resolved(document, name, resolved);
    // A description next to a reference overrides the one of its target.
    if let Some(text) = schema["description"].as_str() {
        description.description = text.to_owned();
    }
    description
}

fn describe_resolved(document: &Document, name: Option<&str>, schema: &Value) -> SchemaDescription {
    if let Some(parts) = schema["allOf"].as_array() {
        let members = parts.iter().flat_map(|part| match describe(document, part).content {
            SchemaContent::Members(members) => members,
            _ => Vec::new(),
        });
        let type_name = name.unwrap_or("object").to_owned();
        let description = string_member(schema, "description").to_owned();
        return SchemaDescription {
            type_name,
            description,
            content: SchemaContent::Members(members.collect()),
            ..SchemaDescription::default()
        };
    }
    let variants = ["oneOf", "anyOf"].into_iter().find_map(|keyword| schema[keyword].as_array());
    // Next to `properties`, choices only say which members exclude each other.
    match variants.filter(|_| schema["properties"].is_null()) {
        Some(variants) => describe_union(document, schema, variants),
        None => describe_single(document, name, schema),
    }
}

/// Describes a union. Null is not counted as a choice.
fn describe_union(document: &Document, schema: &Value, variants: &[Value]) -> SchemaDescription {
    let non_null: Vec<_> = variants.iter().filter(|variant| variant["type"] != "null").cloned().collect();
    let null_suffix = if non_null.len() < variants.len() { " or null" } else { "" };
    let mut description = match &non_null[..] {
        [only] => describe(document, only),
        several => {
            let mut type_names: Vec<_> = several.iter().map(|variant| describe(document, variant).type_name).collect();
            type_names.dedup();
            let content = SchemaContent::Variants(several.to_vec());
            SchemaDescription {
                type_name: type_names.join(" or "),
                content,
                examples: example_texts(schema),
                ..SchemaDescription::default()
            }
        }
    };
    description.type_name.push_str(null_suffix);
    if let Some(text) = schema["description"].as_str() {
        description.description = text.to_owned();
    }
    description
}

fn describe_single(document: &Document, name: Option<&str>, schema: &Value) -> SchemaDescription {
    let mut kinds: Vec<_> = match &schema["type"] {
        Value::String(kind) => vec![kind.as_str()],
        kinds => kinds.as_array().into_iter().flatten().filter_map(Value::as_str).collect(),
    };
    if kinds.is_empty() {
        kinds.push(if schema["enum"].is_array() { "string" } else { "anything" });
    }
    let mut content = object_members(schema);
    let type_names = kinds.iter().map(|kind| match *kind {
        "string" => "text".to_owned(),
        "object" => name.unwrap_or("object").to_owned(),
        "array" => {
            let items = describe(document, &schema["items"]);
            content = match items.content {
                SchemaContent::Empty if !items.values.is_empty() => {
                    SchemaContent::Variants(vec![schema["items"].clone()])
                }
                content => content,
            };
            format!("list of {}", items.type_name)
        }
        kind => kind.to_owned(),
    });
    let kind = type_names.collect::<Vec<_>>().join(" or ");
    let description = string_member(schema, "description").to_owned();
    let values = schema["enum"].as_array().into_iter().flatten().map(to_plain_text).collect();
    SchemaDescription {
        type_name: kind,
        description,
        constraints: constraints(schema),
        values,
        examples: example_texts(schema),
        content,
    }
}

fn object_members(schema: &Value) -> SchemaContent {
    let required = string_list(&schema["required"]);
    let mut members: Vec<_> = schema["properties"]
        .as_object()
        .into_iter()
        .flatten()
        .map(|(name, schema)| Member {
            name: name.clone(),
            is_required: required.contains(name),
            schema: schema.clone(),
        })
        .collect();
    // Required members come first.
    members.sort_by_key(|member| !member.is_required);
    if schema["additionalProperties"].is_object() {
        let schema = schema["additionalProperties"].clone();
        members.push(Member { name: ADDITIONAL_NAMES_LABEL.to_owned(), is_required: false, schema });
    }
    if members.is_empty() { SchemaContent::Empty } else { SchemaContent::Members(members) }
}

fn constraints(schema: &Value) -> Vec<String> {
    let bounds = |min_keyword: &str, max_keyword: &str, unit: &str| {
        let number = |name: &str| {
            schema[name]
                .as_f64()
                .filter(|number| number.abs() < MAX_EXACT_INTEGER as f64)
                .map(|_| format_bound(&schema[name]))
        };
        let unit = if unit.is_empty() { String::new() } else { format!(" {unit}") };
        match (number(min_keyword), number(max_keyword)) {
            (Some(min_keyword), Some(max_keyword)) if min_keyword == max_keyword => {
                Some(format!("exactly {min_keyword}{unit}"))
            }
            (Some(min_keyword), Some(max_keyword)) => Some(format!("{min_keyword} to {max_keyword}{unit}")),
            (Some(min_keyword), None) => Some(format!("{min_keyword}{unit} or more")),
            (None, Some(max_keyword)) => Some(format!("at most {max_keyword}{unit}")),
            (None, None) => None,
        }
    };
    let mut constraints = Vec::new();
    // The bit width of a number adds nothing to its bounds.
    let format = schema["format"].as_str().filter(|format| !["int32", "int64", "double", "float"].contains(format));
    constraints.extend(format.map(str::to_owned));
    constraints.extend(bounds("minimum", "maximum", ""));
    constraints.extend(bounds("minLength", "maxLength", "characters"));
    constraints.extend(bounds("minItems", "maxItems", "entries"));
    constraints.extend(exclusive_members(schema));
    if schema["uniqueItems"] == true {
        constraints.push("each once".to_owned());
    }
    if !schema["default"].is_null() {
        constraints.push(format!("default {}", to_plain_text(&schema["default"])));
    }
    if schema["writeOnly"] == true {
        constraints.push("never answered".to_owned());
    }
    // A pattern that only excludes control characters is of no use to the reader.
    let pattern = schema["pattern"].as_str().filter(|pattern| !pattern.contains("\\u00"));
    constraints.extend(pattern.map(|pattern| format!("pattern {pattern}")));
    constraints
}

/// Describes members that exclude each other.
fn exclusive_members(schema: &Value) -> Option<String> {
    let names: Vec<_> =
        schema["oneOf"].as_array()?.iter().map(|variant| string_list(&variant["required"]).join(" with ")).collect();
    (!schema["properties"].is_null()).then(|| format!("either {}", names.join(" or ")))
}

fn format_bound(number: &Value) -> String {
    let whole = number.as_f64().filter(|number| number.fract() == 0.0);
    whole.map_or_else(
        || number.to_string(),
        |whole| format!("{}{}", if whole < 0.0 { "-" } else { "" }, format_count(whole.abs() as u64)),
    )
}

fn example_texts(schema: &Value) -> Vec<String> {
    let listed = schema["examples"].as_array().into_iter().flatten();
    listed.chain((!schema["example"].is_null()).then_some(&schema["example"])).map(to_plain_text).collect()
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::super::tests::document;
    use super::*;

    fn describe_schema(schema: Value) -> SchemaDescription {
        describe(&document(), &schema)
    }

    fn describe_component(name: &str) -> SchemaDescription {
        describe_schema(json!({ "$ref": format!("#/components/schemas/{name}") }))
    }

    #[test]
    fn describes_type_and_bounds() {
        let id = describe_schema(
            json!({ "type": "integer", "format": "int64", "minimum": 1, "maximum": 9_223_372_036_854_775_807_i64 }),
        );
        assert_eq!((id.type_name.as_str(), id.constraints), ("integer", vec!["1 or more".to_owned()]));
        let name =
            describe_schema(json!({ "type": ["string", "null"], "minLength": 1, "maxLength": 2000, "default": "x" }));
        assert_eq!(name.type_name, "text or null");
        assert_eq!(name.constraints, ["1 to 2,000 characters", "default x"]);
        let amount = describe_schema(json!({ "type": "number", "minimum": -1_000_000_000_000.0, "maximum": 0.5 }));
        assert_eq!(amount.constraints, ["-1,000,000,000,000 to 0.5"]);
        assert_eq!(describe_schema(json!({ "enum": ["a", "b"] })).values, ["a", "b"]);
        assert_eq!(describe_schema(json!({ "type": "string", "pattern": "^[^\\u0000]*$" })).constraints, [""; 0]);
        assert_eq!(describe_schema(json!({ "type": "string", "pattern": "^[a-z]$" })).constraints, ["pattern ^[a-z]$"]);
    }

    #[test]
    fn lists_required_members_first() {
        let submission = describe_component("Submission");
        let SchemaContent::Members(members) = submission.content else { panic!("{submission:?}") };
        let names: Vec<_> = members.iter().map(|member| (member.name.as_str(), member.is_required)).collect();
        assert_eq!(names[0], ("call_ids", true));
        assert_eq!(names.last(), Some(&("till", false)));
        let lead = describe_component("ExtendedLead");
        let SchemaContent::Members(members) = lead.content else { panic!("{lead:?}") };
        assert!(members.iter().any(|member| member.name == "first_name"), "members of all parts are merged");
        assert!(members.iter().any(|member| member.name == "campaigns"));
    }

    #[test]
    fn describes_exclusive_members() {
        let action = describe_component("LeadAction");
        assert_eq!(action.type_name, "LeadAction");
        assert_eq!(action.constraints, ["either lead_ids or filter"]);
        assert!(matches!(action.content, SchemaContent::Members(_)), "{action:?}");
    }

    #[test]
    fn describes_lists_and_unions() {
        let list = describe_schema(json!({ "type": "array", "items": { "$ref": "#/components/schemas/Call" } }));
        assert_eq!(list.type_name, "list of Call");
        assert!(matches!(list.content, SchemaContent::Members(_)));
        let union = describe_component("TextCondition");
        let SchemaContent::Variants(choices) = &union.content else { panic!("{union:?}") };
        assert!(choices.len() > 1);
        assert!(union.type_name.ends_with(" or null"), "{}", union.type_name);
        let nullable =
            describe_schema(json!({ "oneOf": [{ "type": "null" }, { "$ref": "#/components/schemas/Recording" }] }));
        assert_eq!(nullable.type_name, "Recording or null");
    }

    #[test]
    fn describes_every_schema_of_the_document() {
        let document = document();
        let schemas = document.root["components"]["schemas"].as_object().unwrap();
        for (name, schema) in schemas {
            let shape = describe(&document, schema);
            assert!(!shape.type_name.is_empty() && !shape.type_name.contains("anything"), "{name}: {shape:?}");
        }
    }
}
