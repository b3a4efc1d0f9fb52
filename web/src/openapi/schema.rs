//! Describes a schema in words, one level at a time, because schemas can be recursive.

use serde_json::Value;

use super::{Document, plain, text, texts};
use crate::when::count;

/// Maximum bound to show. Greater bounds are those of the type itself.
const EXACT: u64 = (1 << 53) - 1;

/// Placeholder for the names of additional properties.
pub const REST: &str = "any other name";

/// A schema in words.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Shape {
    /// Type, such as `text`, `integer or null` or `list of Call`.
    pub kind: String,
    pub about: String,
    /// Format, bounds and default.
    pub facts: Vec<String>,
    /// Values of an enum.
    pub values: Vec<String>,
    pub examples: Vec<String>,
    pub inside: Inside,
}

/// Content of a value.
#[derive(Clone, Debug, Default, PartialEq)]
pub enum Inside {
    #[default]
    Nothing,
    Members(Vec<Member>),
    /// One of these schemas.
    Choices(Vec<Value>),
}

/// A member of an object.
#[derive(Clone, Debug, PartialEq)]
pub struct Member {
    pub name: String,
    pub required: bool,
    pub schema: Value,
}

/// Describes a schema one level deep.
pub fn shape(document: &Document, schema: &Value) -> Shape {
    let (name, resolved) = document.resolve(schema);
    let mut shape = read(document, name, resolved);
    // A description next to a reference overrides the one of its target.
    if let Some(about) = schema["description"].as_str() {
        shape.about = about.to_owned();
    }
    shape
}

fn read(document: &Document, name: Option<&str>, schema: &Value) -> Shape {
    if let Some(parts) = schema["allOf"].as_array() {
        let members = parts.iter().flat_map(|part| match shape(document, part).inside {
            Inside::Members(members) => members,
            _ => Vec::new(),
        });
        let kind = name.unwrap_or("object").to_owned();
        let about = text(schema, "description").to_owned();
        return Shape { kind, about, inside: Inside::Members(members.collect()), ..Shape::default() };
    }
    let choices = ["oneOf", "anyOf"].into_iter().find_map(|form| schema[form].as_array());
    // Next to `properties`, choices only say which members exclude each other.
    match choices.filter(|_| schema["properties"].is_null()) {
        Some(choices) => one_of(document, schema, choices),
        None => one(document, name, schema),
    }
}

/// Describes a union. Null is not counted as a choice.
fn one_of(document: &Document, schema: &Value, choices: &[Value]) -> Shape {
    let real: Vec<_> = choices.iter().filter(|choice| choice["type"] != "null").cloned().collect();
    let or_null = if real.len() < choices.len() { " or null" } else { "" };
    let mut whole = match &real[..] {
        [only] => shape(document, only),
        several => {
            let mut kinds: Vec<_> = several.iter().map(|choice| shape(document, choice).kind).collect();
            kinds.dedup();
            let inside = Inside::Choices(several.to_vec());
            Shape { kind: kinds.join(" or "), inside, examples: examples(schema), ..Shape::default() }
        }
    };
    whole.kind.push_str(or_null);
    if let Some(about) = schema["description"].as_str() {
        whole.about = about.to_owned();
    }
    whole
}

fn one(document: &Document, name: Option<&str>, schema: &Value) -> Shape {
    let mut kinds: Vec<_> = match &schema["type"] {
        Value::String(kind) => vec![kind.as_str()],
        kinds => kinds.as_array().into_iter().flatten().filter_map(Value::as_str).collect(),
    };
    if kinds.is_empty() {
        kinds.push(if schema["enum"].is_array() { "string" } else { "anything" });
    }
    let mut inside = members(schema);
    let words = kinds.iter().map(|kind| match *kind {
        "string" => "text".to_owned(),
        "object" => name.unwrap_or("object").to_owned(),
        "array" => {
            let items = shape(document, &schema["items"]);
            inside = match items.inside {
                Inside::Nothing if !items.values.is_empty() => Inside::Choices(vec![schema["items"].clone()]),
                inside => inside,
            };
            format!("list of {}", items.kind)
        }
        kind => kind.to_owned(),
    });
    let kind = words.collect::<Vec<_>>().join(" or ");
    let about = text(schema, "description").to_owned();
    let values = schema["enum"].as_array().into_iter().flatten().map(plain).collect();
    Shape { kind, about, facts: facts(schema), values, examples: examples(schema), inside }
}

fn members(schema: &Value) -> Inside {
    let required = texts(&schema["required"]);
    let mut members: Vec<_> = schema["properties"]
        .as_object()
        .into_iter()
        .flatten()
        .map(|(name, schema)| Member { name: name.clone(), required: required.contains(name), schema: schema.clone() })
        .collect();
    // Required members come first.
    members.sort_by_key(|member| !member.required);
    if schema["additionalProperties"].is_object() {
        let schema = schema["additionalProperties"].clone();
        members.push(Member { name: REST.to_owned(), required: false, schema });
    }
    if members.is_empty() { Inside::Nothing } else { Inside::Members(members) }
}

fn facts(schema: &Value) -> Vec<String> {
    let bounds = |least: &str, most: &str, what: &str| {
        let number = |name: &str| {
            schema[name].as_f64().filter(|number| number.abs() < EXACT as f64).map(|_| shown(&schema[name]))
        };
        let what = if what.is_empty() { String::new() } else { format!(" {what}") };
        match (number(least), number(most)) {
            (Some(least), Some(most)) if least == most => Some(format!("exactly {least}{what}")),
            (Some(least), Some(most)) => Some(format!("{least} to {most}{what}")),
            (Some(least), None) => Some(format!("{least}{what} or more")),
            (None, Some(most)) => Some(format!("at most {most}{what}")),
            (None, None) => None,
        }
    };
    let mut facts = Vec::new();
    // The bit width of a number adds nothing to its bounds.
    let format = schema["format"].as_str().filter(|format| !["int32", "int64", "double", "float"].contains(format));
    facts.extend(format.map(str::to_owned));
    facts.extend(bounds("minimum", "maximum", ""));
    facts.extend(bounds("minLength", "maxLength", "characters"));
    facts.extend(bounds("minItems", "maxItems", "entries"));
    facts.extend(alternatives(schema));
    if schema["uniqueItems"] == true {
        facts.push("each once".to_owned());
    }
    if !schema["default"].is_null() {
        facts.push(format!("default {}", plain(&schema["default"])));
    }
    if schema["writeOnly"] == true {
        facts.push("never answered".to_owned());
    }
    // A pattern that only excludes control characters is of no use to the reader.
    let pattern = schema["pattern"].as_str().filter(|pattern| !pattern.contains("\\u00"));
    facts.extend(pattern.map(|pattern| format!("pattern {pattern}")));
    facts
}

/// Describes members that exclude each other.
fn alternatives(schema: &Value) -> Option<String> {
    let names: Vec<_> =
        schema["oneOf"].as_array()?.iter().map(|choice| texts(&choice["required"]).join(" with ")).collect();
    (!schema["properties"].is_null()).then(|| format!("either {}", names.join(" or ")))
}

fn shown(number: &Value) -> String {
    let whole = number.as_f64().filter(|number| number.fract() == 0.0);
    whole.map_or_else(
        || number.to_string(),
        |whole| format!("{}{}", if whole < 0.0 { "-" } else { "" }, count(whole.abs() as u64)),
    )
}

fn examples(schema: &Value) -> Vec<String> {
    let several = schema["examples"].as_array().into_iter().flatten();
    several.chain((!schema["example"].is_null()).then_some(&schema["example"])).map(plain).collect()
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::super::tests::document;
    use super::*;

    fn of(schema: Value) -> Shape {
        shape(&document(), &schema)
    }

    fn named(name: &str) -> Shape {
        of(json!({ "$ref": format!("#/components/schemas/{name}") }))
    }

    #[test]
    fn describes_type_and_bounds() {
        let id =
            of(json!({ "type": "integer", "format": "int64", "minimum": 1, "maximum": 9_223_372_036_854_775_807_i64 }));
        assert_eq!((id.kind.as_str(), id.facts), ("integer", vec!["1 or more".to_owned()]));
        let name = of(json!({ "type": ["string", "null"], "minLength": 1, "maxLength": 2000, "default": "x" }));
        assert_eq!(name.kind, "text or null");
        assert_eq!(name.facts, ["1 to 2,000 characters", "default x"]);
        let amount = of(json!({ "type": "number", "minimum": -1_000_000_000_000.0, "maximum": 0.5 }));
        assert_eq!(amount.facts, ["-1,000,000,000,000 to 0.5"]);
        assert_eq!(of(json!({ "enum": ["a", "b"] })).values, ["a", "b"]);
        assert_eq!(of(json!({ "type": "string", "pattern": "^[^\\u0000]*$" })).facts, [""; 0]);
        assert_eq!(of(json!({ "type": "string", "pattern": "^[a-z]$" })).facts, ["pattern ^[a-z]$"]);
    }

    #[test]
    fn lists_required_members_first() {
        let submission = named("Submission");
        let Inside::Members(members) = submission.inside else { panic!("{submission:?}") };
        let names: Vec<_> = members.iter().map(|member| (member.name.as_str(), member.required)).collect();
        assert_eq!(names[0], ("call_ids", true));
        assert_eq!(names.last(), Some(&("till", false)));
        let lead = named("ExtendedLead");
        let Inside::Members(members) = lead.inside else { panic!("{lead:?}") };
        assert!(members.iter().any(|member| member.name == "first_name"), "those of all parts stand together");
        assert!(members.iter().any(|member| member.name == "campaigns"));
    }

    #[test]
    fn describes_exclusive_members() {
        let action = named("LeadAction");
        assert_eq!(action.kind, "LeadAction");
        assert_eq!(action.facts, ["either lead_ids or filter"]);
        assert!(matches!(action.inside, Inside::Members(_)), "{action:?}");
    }

    #[test]
    fn describes_lists_and_unions() {
        let list = of(json!({ "type": "array", "items": { "$ref": "#/components/schemas/Call" } }));
        assert_eq!(list.kind, "list of Call");
        assert!(matches!(list.inside, Inside::Members(_)));
        let either = named("TextCondition");
        let Inside::Choices(choices) = &either.inside else { panic!("{either:?}") };
        assert!(choices.len() > 1);
        assert!(either.kind.ends_with(" or null"), "{}", either.kind);
        let maybe = of(json!({ "oneOf": [{ "type": "null" }, { "$ref": "#/components/schemas/Recording" }] }));
        assert_eq!(maybe.kind, "Recording or null");
    }

    #[test]
    fn describes_every_schema_of_the_document() {
        let document = document();
        let schemas = document.root["components"]["schemas"].as_object().unwrap();
        for (name, schema) in schemas {
            let shape = shape(&document, schema);
            assert!(!shape.kind.is_empty() && !shape.kind.contains("anything"), "{name}: {shape:?}");
        }
    }
}
