//! Every place in a body where a text may stand, found in its schema.

use std::collections::BTreeSet;

use serde_json::{Value, json};

use super::document::{Document, Operation};

/// The name of a member that a schema leaves open: one that filters take as well as fields of one's own.
const OPEN: &str = "custom.tier";

/// Groups of conditions, which hold nothing that doesn't stand outside of them too.
const GROUP: &str = "#/components/schemas/LeadConditions";

/// A step on the way from the root of a body.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Step {
    Member(String),
    Item,
    /// To a member whose name is the text.
    Key,
}

/// The way to a place, from the root.
pub type Way = Vec<Step>;

impl Document {
    /// The places for texts in the body of an operation.
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

/// Puts a text where a way leads, and makes what is missing on it.
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
