//! JSON Schema of the filter, generated from the field and operator tables.

use serde_json::{Map, Value, json};

use super::fields::{CUSTOM_PREFIX, FIELDS, Field, Kind, MAX_CUSTOM_NAME_CHARS};
use super::operator::{Arity, Operator, SYMBOLS, operators_for};
use super::value::accepts_expressions;
use super::{MAX_LIST_VALUES, MAX_ORDER_KEYS, MAX_TEXT_CHARS, member_names};
use crate::schema::{DATE_PATTERN, TIMESTAMP_PATTERN, reference, timestamp, with_description};
use crate::wording::Language;

/// A text without U+0000.
const NO_NUL_PATTERN: &str = r"^[^\u0000]*$";

/// Returns the schemas of the filter, of the conditions in its groups, and of the values of each kind.
pub(crate) fn schemas() -> Vec<(&'static str, Value)> {
    let mut schemas = vec![
        (
            "LeadFilter",
            object_schema(
                "A filter. All conditions must hold; conditions on campaign leads must hold for the same campaign lead.",
                true,
            ),
        ),
        ("LeadConditions", object_schema("Conditions, which must all hold.", false)),
    ];
    schemas.extend(Kind::ALL.iter().map(|kind| (schema_name(*kind), condition_schema(*kind, &[]))));
    schemas
}

/// Returns the schema of an object of conditions; at the top level, with the controls.
fn object_schema(description: &str, is_top_level: bool) -> Value {
    let mut properties: Map<_, _> =
        FIELDS.iter().flat_map(|field| field.names.iter().map(|key| property_schema(field, key))).collect();
    let branches = json!({ "type": "array", "minItems": 1, "items": { "$ref": reference("LeadConditions") } });
    properties.insert("_or".to_owned(), with_description(branches.clone(), "At least one of these must hold."));
    properties.insert("_and".to_owned(), with_description(branches, "All of these must hold."));
    if is_top_level {
        properties.extend(control_properties());
    }
    let keys: Vec<_> = properties.keys().cloned().collect();
    let custom_key_pattern =
        format!("^{}[^\\u0000-\\u001f]{{1,{MAX_CUSTOM_NAME_CHARS}}}$", CUSTOM_PREFIX.replace('.', "\\."));
    // No `additionalProperties`: some generators derive the type of all members from it, others forbid custom fields.
    json!({
        "type": "object",
        "description": description,
        "minProperties": 1,
        "properties": properties,
        "propertyNames": { "anyOf": [{ "enum": keys }, { "pattern": custom_key_pattern }] },
        "patternProperties": { custom_key_pattern: {
            "$ref": reference(schema_name(Kind::Custom)),
            "description": format!("Condition on a custom field, as `{CUSTOM_PREFIX}<name>`.")
        } }
    })
}

fn property_schema(field: &Field, key: &str) -> (String, Value) {
    let schema = match field.permitted {
        [] => json!({ "$ref": reference(schema_name(field.kind)) }),
        permitted => condition_schema(field.kind, permitted),
    };
    let doc = if key == field.name() { field.doc.to_owned() } else { format!("The same as `{}`.", field.name()) };
    (key.to_owned(), with_description(schema, &doc))
}

fn control_properties() -> [(String, Value); 5] {
    let order_fields = FIELDS.iter().filter(|field| field.is_orderable()).map(Field::name);
    let order: Vec<_> = order_fields.flat_map(|name| [name.to_owned(), format!("-{name}")]).collect();
    let member_names: Vec<_> = member_names().collect();
    [
        (
            "limit",
            "Page as `<count>` or `<count>;<offset>`; defaults to `200;0`. A count above the maximum is rejected.",
            json!({ "type": "string", "pattern": "^[0-9]+(;[0-9]+)?$", "examples": ["200;0"] }),
        ),
        (
            "_order",
            "Sort order: members of the lead, with `-` for descending. Ties are ordered by id.",
            json!({ "anyOf": [
                { "type": "string", "enum": order },
                { "type": "array", "maxItems": MAX_ORDER_KEYS, "items": { "type": "string", "enum": order } }
            ] }),
        ),
        (
            "_cursor",
            "Cursor of the page: null or empty for the first page, then `next_cursor` of the previous response.",
            json!({ "type": ["string", "null"], "examples": [""] }),
        ),
        (
            "_fields",
            "Members of the returned leads. `id` is always included.",
            json!({ "type": "array", "items": { "type": "string", "enum": member_names }, "examples": [["id", "first_name", "campaigns"]] }),
        ),
        (
            "_campaigns",
            "Campaign leads to return: those that match, or all. `matching` by default.",
            json!({ "type": "string", "enum": ["matching", "all"] }),
        ),
    ]
    .map(|(name, description, schema)| (name.to_owned(), with_description(schema, description)))
}

const fn schema_name(kind: Kind) -> &'static str {
    match kind {
        Kind::Integer => "IntegerCondition",
        Kind::Number => "NumberCondition",
        Kind::Text => "TextCondition",
        Kind::Boolean => "BooleanCondition",
        Kind::DateTime => "DateTimeCondition",
        Kind::Date => "DateCondition",
        Kind::Custom => "CustomCondition",
    }
}

/// Returns the schema of the value for a field of this kind.
fn condition_schema(kind: Kind, permitted: &[&str]) -> Value {
    let value = value_schema(kind, permitted);
    let or_null = json!({ "anyOf": [value, { "type": "null" }] });
    let list = json!({ "type": "array", "maxItems": MAX_LIST_VALUES, "items": or_null });
    let mut alternatives = vec![
        with_description(value.clone(), "The field equals this value."),
        with_description(json!({ "type": "null" }), "The field has no value."),
        with_description(list.clone(), "The field equals one of these values. An empty array matches nothing."),
    ];
    if accepts_expressions(kind) {
        alternatives.push(with_description(
            json!({ "type": "string", "pattern": expression_pattern(kind), "examples": [expression_example(kind)] }),
            "`<value>;<operator>`, or two of these joined by `|`; both must hold.",
        ));
    }
    let operators = operators_for(kind).iter().map(|operator| {
        let operand = match operator.arity() {
            Arity::One if operator.needs_text() => text_schema(),
            Arity::One => comparison_operand_schema(kind),
            Arity::OneOrMore => json!({ "anyOf": [or_null, list] }),
            Arity::Many => list.clone(),
            Arity::Boolean => json!({ "type": "boolean" }),
        };
        (operator.as_str().to_owned(), with_description(operand, operator_description(*operator, kind)))
    });
    alternatives.push(json!({
        "type": "object",
        "description": "Operators with their values; all must hold.",
        "minProperties": 1,
        "additionalProperties": false,
        "properties": operators.collect::<Map<_, _>>()
    }));
    json!({ "anyOf": alternatives })
}

fn operator_description(operator: Operator, kind: Kind) -> &'static str {
    match operator {
        Operator::Null => "True if the field must have no value, false if it must have one.",
        _ => operator.label(kind, Language::English),
    }
}

fn value_schema(kind: Kind, permitted: &[&str]) -> Value {
    match kind {
        Kind::Integer => json!({ "type": "integer", "format": "int64", "minimum": i64::MIN, "maximum": i64::MAX }),
        Kind::Number => json!({ "type": "number", "format": "double" }),
        Kind::Text if !permitted.is_empty() => json!({ "type": "string", "enum": permitted }),
        Kind::Text => text_schema(),
        Kind::Boolean => json!({ "type": "boolean" }),
        Kind::DateTime => timestamp(),
        Kind::Date => json!({ "anyOf": [{ "type": "string", "format": "date" }, timestamp()] }),
        Kind::Custom => json!({ "anyOf": [text_schema(), { "type": "number" }, { "type": "boolean" }] }),
    }
}

/// Operand of an order comparison. Booleans have no order; text fields with a closed list can be compared with any text.
fn comparison_operand_schema(kind: Kind) -> Value {
    match kind {
        Kind::Custom => json!({ "anyOf": [text_schema(), { "type": "number" }] }),
        kind => value_schema(kind, &[]),
    }
}

fn text_schema() -> Value {
    json!({ "type": "string", "maxLength": MAX_TEXT_CHARS, "pattern": NO_NUL_PATTERN })
}

/// Returns a regular expression for one or two expressions.
fn expression_pattern(kind: Kind) -> String {
    let value = match kind {
        Kind::Integer => "-?(0|[1-9][0-9]*)".to_owned(),
        Kind::Number => r"-?(0|[1-9][0-9]*)(\.[0-9]+)?([eE][+-]?[0-9]+)?".to_owned(),
        Kind::Date => format!("({TIMESTAMP_PATTERN}|{DATE_PATTERN})"),
        _ => TIMESTAMP_PATTERN.to_owned(),
    };
    let expression = format!("{value};({})", SYMBOLS.join("|"));
    format!(r"^{expression}(\|{expression})?$")
}

const fn expression_example(kind: Kind) -> &'static str {
    match kind {
        Kind::Integer | Kind::Number => "2;>=|5;<",
        _ => "2026-05-01 09:30:00;>|2026-06-01 00:00:00;<",
    }
}
