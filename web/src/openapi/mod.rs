//! Reader for the server's OpenAPI document: groups of operations with their parameters, responses and permissions.
//!
//! This module only parses JSON; it sends no requests and renders nothing.

mod example;
mod operation;
mod request_builder;
mod schema;

use leadscribe_engine::host;

use serde_json::Value;

pub use example::example;
pub use operation::{Access, BodySpec, Operation, Parameter, ParameterLocation, ResponseSpec};
pub use request_builder::{OperationInput, build_request};
pub use schema::{ADDITIONAL_NAMES_LABEL, Member, SchemaContent, SchemaDescription, describe};

/// HTTP methods of the API, in display order.
const HTTP_METHODS: [&str; 5] = ["get", "post", "put", "patch", "delete"];

/// OpenAPI document.
#[derive(Debug, PartialEq)]
pub struct Document {
    root: Value,
    groups: Vec<OperationGroup>,
}

/// Group of operations.
#[derive(Clone, Debug, PartialEq)]
pub struct OperationGroup {
    /// Name in the document, such as `campaign-leads`.
    pub name: String,
    pub description: String,
    pub operations: Vec<OperationSummary>,
}

/// Summary of an operation for lists.
#[derive(Clone, Debug, PartialEq)]
pub struct OperationSummary {
    /// Operation id in the document and in the panel's URLs, such as `get_leads`.
    pub id: String,
    /// HTTP method, such as `GET`.
    pub method: String,
    /// Path with parameters in braces.
    pub path: String,
    pub summary: String,
}

impl OperationSummary {
    /// True if the entry contains all words in any order. `words` must be in lower case.
    pub fn matches(&self, words: &str) -> bool {
        let text = host::to_lower(&format!("{} {} {}", self.method, self.path, self.summary));
        words.split_whitespace().all(|word| text.contains(word))
    }
}

impl Document {
    /// Parses the document; `None` if the text isn't one.
    pub fn parse(text: &str) -> Option<Self> {
        let root: Value = serde_json::from_str(text).ok()?;
        let groups = parse_groups(&root)?;
        Some(Self { root, groups })
    }

    /// Groups of operations in display order.
    pub fn groups(&self) -> &[OperationGroup] {
        &self.groups
    }

    /// Description of the API.
    pub fn description(&self) -> &str {
        string_member(&self.root["info"], "description")
    }

    /// Version of the server.
    pub fn version(&self) -> &str {
        string_member(&self.root["info"], "version")
    }

    /// Returns an operation with all details.
    pub fn operation(&self, id: &str) -> Option<Operation> {
        let summary = self.groups.iter().flat_map(|group| &group.operations).find(|summary| summary.id == id)?;
        let spec = &self.root["paths"][&summary.path][summary.method.to_ascii_lowercase()];
        Some(operation::parse_operation(self, summary.clone(), spec))
    }

    /// Resolves a reference. Returns the name and the target, or the schema itself if it isn't a reference.
    fn resolve<'a>(&'a self, schema: &'a Value) -> (Option<&'a str>, &'a Value) {
        let Some(reference) = schema["$ref"].as_str() else { return (None, schema) };
        let target = reference.strip_prefix('#').and_then(|pointer| self.root.pointer(pointer));
        (reference.rsplit('/').next(), target.unwrap_or(schema))
    }

    /// Problem codes of a status.
    fn problem_codes(&self, status: &str) -> Vec<String> {
        string_list(&self.root["components"]["schemas"]["Problem"]["x-codes"][status])
    }
}

fn parse_groups(root: &Value) -> Option<Vec<OperationGroup>> {
    let tags = root["tags"].as_array()?;
    let mut groups: Vec<_> = tags
        .iter()
        .map(|tag| {
            let (name, description) =
                (string_member(tag, "name").to_owned(), string_member(tag, "description").to_owned());
            OperationGroup { name, description, operations: Vec::new() }
        })
        .collect();
    for (path, item) in root["paths"].as_object()? {
        for method in HTTP_METHODS {
            let spec = &item[method];
            let Some(id) = spec["operationId"].as_str() else { continue };
            let tag = spec["tags"][0].as_str().unwrap_or_default();
            let summary = string_member(spec, "summary").trim_end_matches('.').to_owned();
            let operation = OperationSummary {
                id: id.to_owned(),
                method: method.to_ascii_uppercase(),
                path: path.clone(),
                summary,
            };
            if let Some(group) = groups.iter_mut().find(|group| group.name == tag) {
                group.operations.push(operation);
            }
        }
    }
    groups.retain(|group| !group.operations.is_empty());
    Some(groups)
}

/// Text of a member; empty if it is missing or not a text.
fn string_member<'a>(value: &'a Value, member: &str) -> &'a str {
    value[member].as_str().unwrap_or_default()
}

/// Texts in a list; empty if the value isn't a list.
fn string_list(value: &Value) -> Vec<String> {
    value.as_array().into_iter().flatten().filter_map(Value::as_str).map(str::to_owned).collect()
}

/// Text without quotes, or any other value as JSON.
fn to_plain_text(value: &Value) -> String {
    value.as_str().map_or_else(|| value.to_string(), str::to_owned)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Current document of the server.
    pub(super) fn document() -> Document {
        Document::parse(include_str!("../../../docs/openapi.json")).expect("the generated document parses")
    }

    #[test]
    fn every_operation_has_a_group_and_is_found_by_id() {
        let document = document();
        let paths = document.root["paths"].as_object().unwrap();
        let count: usize = paths.values().map(|item| item.as_object().unwrap().len()).sum();
        let entries: Vec<_> = document.groups().iter().flat_map(|group| &group.operations).collect();
        assert_eq!(entries.len(), count);
        for entry in entries {
            assert_eq!(document.operation(&entry.id).expect("found").summary, *entry);
        }
        assert!(document.operation("get_nothing").is_none());
    }

    #[test]
    fn matches_words_in_any_order() {
        let entry = document().operation("put_leads_extended_data").unwrap().summary;
        assert!(entry.matches("extended put"));
        assert!(entry.matches(""));
        assert!(!entry.matches("extended post"));
    }

    #[test]
    fn rejects_other_documents() {
        assert!(Document::parse("{}").is_none());
        assert!(Document::parse("<html>").is_none());
    }
}
