//! Finds every position in a body that accepts a string, from its schema.

use std::collections::BTreeSet;

use serde_json::{Map, Value, json};

use super::document::{OpenApiDocument, Operation};

/// Name for a member that the schema leaves open. Filters accept it, and so do custom fields.
const OPEN_MEMBER_NAME: &str = "custom.tier";

/// Schema of groups of conditions. Skipped, because the same conditions exist outside of groups.
const GROUP_SCHEMA: &str = "#/components/schemas/LeadConditions";

/// Step on the path from the root of a body.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum PathStep {
    Member(String),
    Item,
    /// A member whose name is the string under test.
    Key,
}

/// Path from the root to a position.
pub type BodyPath = Vec<PathStep>;

impl OpenApiDocument {
    /// Returns the positions of strings in an operation's body.
    pub fn string_positions(&self, operation: &Operation) -> Vec<BodyPath> {
        let mut positions = BTreeSet::new();
        if let Some((_, content)) = operation.body().filter(|_| operation.has_json_body()) {
            self.collect_positions(&content["schema"], &mut Vec::new(), &mut positions);
        }
        positions.into_iter().collect()
    }

    fn collect_positions(&self, schema: &Value, path: &mut BodyPath, positions: &mut BTreeSet<BodyPath>) {
        if let Some(reference) = schema["$ref"].as_str() {
            if reference != GROUP_SCHEMA {
                self.collect_positions(self.0.pointer(&reference[1..]).unwrap(), path, positions);
            }
            return;
        }
        let types = [&schema["type"]].into_iter().chain(schema["type"].as_array().into_iter().flatten());
        if types.into_iter().any(|schema_type| schema_type == "string") || schema["enum"].is_array() {
            positions.insert(path.clone());
        }
        let mut descend = |step: PathStep, schema: &Value| {
            path.push(step);
            self.collect_positions(schema, path, positions);
            path.pop();
        };
        for (name, schema) in schema["properties"].as_object().into_iter().flatten() {
            descend(PathStep::Member(name.clone()), schema);
        }
        let patterns = schema["patternProperties"].as_object().into_iter().flat_map(Map::values);
        let open_members = [&schema["additionalProperties"]].into_iter().chain(patterns);
        for schema in open_members.filter(|schema| schema.is_object()) {
            descend(PathStep::Member(OPEN_MEMBER_NAME.to_owned()), schema);
            descend(PathStep::Key, &json!({ "type": "string" }));
        }
        if schema["items"].is_object() {
            descend(PathStep::Item, &schema["items"]);
        }
        for keyword in ["anyOf", "oneOf", "allOf"] {
            for schema in schema[keyword].as_array().into_iter().flatten() {
                self.collect_positions(schema, path, positions);
            }
        }
    }
}

/// Puts a string at a path, and creates missing members on the way.
pub fn put_string(value: &mut Value, path: &[PathStep], text: &str) {
    let Some((step, remaining)) = path.split_first() else {
        *value = json!(text);
        return;
    };
    if *step == PathStep::Item {
        *value = json!([null]);
    } else if !value.is_object() {
        *value = json!({});
    }
    match step {
        PathStep::Member(name) => put_string(&mut value[name.as_str()], remaining, text),
        PathStep::Item => put_string(&mut value[0], remaining, text),
        PathStep::Key => value[text] = json!("x"),
    }
}
