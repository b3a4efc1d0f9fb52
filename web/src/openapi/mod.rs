//! The server's OpenAPI document as the panel reads it: groups of operations, and of each what can be filled in, what it
//! answers and who may call it.
//!
//! Pure reading of JSON: nothing here asks the server or draws.

mod example;
mod fill;
mod operation;
mod schema;

use leadscribe_engine::host;

use serde_json::Value;

pub use example::example;
pub use fill::{Filled, fill};
pub use operation::{Access, Answer, BodyForm, Operation, Parameter, Place};
pub use schema::{Inside, Member, REST, Shape, shape};

/// The methods of OpenAPI that the API has, in the order of a first reading.
const METHODS: [&str; 5] = ["get", "post", "put", "patch", "delete"];

/// The document.
#[derive(Debug, PartialEq)]
pub struct Document {
    root: Value,
    groups: Vec<Group>,
}

/// Operations about one thing.
#[derive(Clone, Debug, PartialEq)]
pub struct Group {
    /// As in the document: `campaign-leads`.
    pub name: String,
    pub about: String,
    pub entries: Vec<Entry>,
}

/// An operation as a list shows it.
#[derive(Clone, Debug, PartialEq)]
pub struct Entry {
    /// Its name in the document and in the panel's addresses: `get_leads`.
    pub id: String,
    /// `GET`, `POST` …
    pub method: String,
    /// With its parameters in braces.
    pub path: String,
    pub summary: String,
}

impl Entry {
    /// Whether it has all words, in lower case, in any order.
    pub fn matches(&self, words: &str) -> bool {
        let text = host::lower(&format!("{} {} {}", self.method, self.path, self.summary));
        words.split_whitespace().all(|word| text.contains(word))
    }
}

impl Document {
    /// Reads the document; none when the text is something else.
    pub fn parse(text: &str) -> Option<Self> {
        let root: Value = serde_json::from_str(text).ok()?;
        let groups = groups(&root)?;
        Some(Self { root, groups })
    }

    /// The operations, in the order of a first reading.
    pub fn groups(&self) -> &[Group] {
        &self.groups
    }

    /// What the document says of the API as a whole.
    pub fn about(&self) -> &str {
        text(&self.root["info"], "description")
    }

    /// The version of the server.
    pub fn version(&self) -> &str {
        text(&self.root["info"], "version")
    }

    /// An operation with all that is said of it.
    pub fn operation(&self, id: &str) -> Option<Operation> {
        let entry = self.groups.iter().flat_map(|group| &group.entries).find(|entry| entry.id == id)?;
        let said = &self.root["paths"][&entry.path][entry.method.to_ascii_lowercase()];
        Some(operation::read(self, entry.clone(), said))
    }

    /// What a schema refers to, with the name it has there; the schema itself when it refers to nothing.
    fn resolve<'a>(&'a self, schema: &'a Value) -> (Option<&'a str>, &'a Value) {
        let Some(reference) = schema["$ref"].as_str() else { return (None, schema) };
        let target = reference.strip_prefix('#').and_then(|pointer| self.root.pointer(pointer));
        (reference.rsplit('/').next(), target.unwrap_or(schema))
    }

    /// The codes of the problems that are answered with a status.
    fn codes(&self, status: &str) -> Vec<String> {
        texts(&self.root["components"]["schemas"]["Problem"]["x-codes"][status])
    }
}

fn groups(root: &Value) -> Option<Vec<Group>> {
    let tags = root["tags"].as_array()?;
    let mut groups: Vec<_> = tags
        .iter()
        .map(|tag| {
            let (name, about) = (text(tag, "name").to_owned(), text(tag, "description").to_owned());
            Group { name, about, entries: Vec::new() }
        })
        .collect();
    for (path, item) in root["paths"].as_object()? {
        for method in METHODS {
            let said = &item[method];
            let Some(id) = said["operationId"].as_str() else { continue };
            let tag = said["tags"][0].as_str().unwrap_or_default();
            let summary = text(said, "summary").trim_end_matches('.').to_owned();
            let entry = Entry { id: id.to_owned(), method: method.to_ascii_uppercase(), path: path.clone(), summary };
            if let Some(group) = groups.iter_mut().find(|group| group.name == tag) {
                group.entries.push(entry);
            }
        }
    }
    groups.retain(|group| !group.entries.is_empty());
    Some(groups)
}

/// A member that is text; empty when there is none.
fn text<'a>(value: &'a Value, member: &str) -> &'a str {
    value[member].as_str().unwrap_or_default()
}

/// A list of texts; of anything else, none.
fn texts(value: &Value) -> Vec<String> {
    value.as_array().into_iter().flatten().filter_map(Value::as_str).map(str::to_owned).collect()
}

/// A value as a person writes it: a text without its quotes.
fn plain(value: &Value) -> String {
    value.as_str().map_or_else(|| value.to_string(), str::to_owned)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The document that the server has now.
    pub(super) fn document() -> Document {
        Document::parse(include_str!("../../../docs/openapi.json")).expect("the generated document is read")
    }

    #[test]
    fn every_operation_stands_in_a_group_and_is_found_by_its_id() {
        let document = document();
        let paths = document.root["paths"].as_object().unwrap();
        let count: usize = paths.values().map(|item| item.as_object().unwrap().len()).sum();
        let entries: Vec<_> = document.groups().iter().flat_map(|group| &group.entries).collect();
        assert_eq!(entries.len(), count);
        for entry in entries {
            assert_eq!(document.operation(&entry.id).expect("found").entry, *entry);
        }
        assert!(document.operation("get_nothing").is_none());
    }

    #[test]
    fn operations_are_searched_by_words_in_any_order() {
        let entry = document().operation("put_leads_extended_data").unwrap().entry;
        assert!(entry.matches("extended put"));
        assert!(entry.matches(""));
        assert!(!entry.matches("extended post"));
    }

    #[test]
    fn what_is_no_such_document_is_refused() {
        assert!(Document::parse("{}").is_none());
        assert!(Document::parse("<html>").is_none());
    }
}
