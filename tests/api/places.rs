//! Finds every position in a body that accepts a string, from its schema.

use std::collections::BTreeSet;

use serde_json::{Value, json};

use super::document::{Document, Operation};

/// Name for a member that the schema leaves open. Filters accept it, and so do custom fields.
const OPEN: &str = "custom.tier";

/// Schema of groups of conditions. Skipped, because the same conditions exist outside of groups.
const GROUP: &str = "#/components/schemas/LeadConditions";

/// Step on the path from the root of a body.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Step {
    Member(String),
    Item,
    /// A member whose name is the string under test.
    Key,
}

/// Path from the root to a position.
pub type Way = Vec<Step>;

impl Document {
    /// Returns the positions of strings in an operation's body.
    pub fn places(&self, operation: &Operation) -> Vec<Way> {
        let mut found = BTreeSet::new();
        if let Some((_, content)) = operation.body().filter(|_| operation.takes_json()) {
            self.find_places(&content["schema"], &mut Vec::new(), &mut found);
        }
        found.into_iter().collect()
    }

    fn find_places(&self, schema: &Value, way: &mut Way, found: &mut BTreeSet<Way>) {
        if let Some(reference) = schema["$ref"].as_str() {
            if reference != GROUP {
                self.find_places(self.0.pointer(&reference[1..]).unwrap(), way, found);
            }
            return;
        }
        let kinds = [&schema["type"]].into_iter().chain(schema["type"].as_array().into_iter().flatten());
        if kinds.into_iter().any(|kind| kind == "string") || schema["enum"].is_array() {
            found.insert(way.clone());
        }
        let mut follow = |step: Step, schema: &Value| {
            way.push(step);
            self.find_places(schema, way, found);
            way.pop();
        };
        for (name, schema) in schema["properties"].as_object().into_iter().flatten() {
            follow(Step::Member(name.clone()), schema);
        }
        if schema["additionalProperties"].is_object() {
            follow(Step::Member(OPEN.to_owned()), &schema["additionalProperties"]);
            follow(Step::Key, &json!({ "type": "string" }));
        }
        if schema["items"].is_object() {
            follow(Step::Item, &schema["items"]);
        }
        for form in ["anyOf", "oneOf", "allOf"] {
            for schema in schema[form].as_array().into_iter().flatten() {
                self.find_places(schema, way, found);
            }
        }
    }
}

/// Puts a string at a path, and creates missing members on the way.
pub fn put(value: &mut Value, way: &[Step], text: &str) {
    let Some((step, rest)) = way.split_first() else {
        *value = json!(text);
        return;
    };
    if *step == Step::Item {
        *value = json!([null]);
    } else if !value.is_object() {
        *value = json!({});
    }
    match step {
        Step::Member(name) => put(&mut value[name.as_str()], rest, text),
        Step::Item => put(&mut value[0], rest, text),
        Step::Key => value[text] = json!("x"),
    }
}
