use std::collections::BTreeSet;

use serde_json::Value;

use super::{TAGS, json};
use crate::http::routes;

fn document() -> Value {
    serde_json::from_slice(&json()).expect("JSON")
}

#[test]
fn every_row_of_the_table_is_described() {
    let document = document();
    for route in routes::all() {
        let path = route.path.replace("{*", "{");
        let operation = &document["paths"][&path][route.method.as_str().to_lowercase()];
        let name = format!("{} {path}", route.method);
        assert!(operation["summary"].is_string(), "{name} has no summary");
        let tags = operation["tags"].as_array().unwrap_or_else(|| panic!("{name} has no tags"));
        assert!(tags.iter().all(|tag| TAGS.iter().any(|(known, _)| tag == known)), "{name}: {tags:?}");
        assert!(operation["responses"]["503"].is_object(), "{name}");
        for (status, response) in operation["responses"].as_object().expect("responses") {
            assert!(response["description"].as_str().is_some_and(|text| !text.is_empty()), "{name}: {status}");
        }
        for part in path.split('/').filter(|part| part.starts_with('{')) {
            let parameter = part.trim_matches(['{', '}']);
            let given = operation["parameters"].as_array().into_iter().flatten();
            assert!(
                given.clone().any(|given| given["name"] == parameter && given["in"] == "path"),
                "{name}: {parameter}"
            );
        }
    }
    let described: usize = document["paths"]
        .as_object()
        .expect("paths")
        .values()
        .map(|item| item.as_object().expect("an item").len())
        .sum();
    assert_eq!(described, routes::all().len());
}

#[test]
fn operations_are_named_once_and_all_schemas_are_there() {
    let document = document();
    let mut names = BTreeSet::new();
    let mut references = BTreeSet::new();
    visit(&document, &mut |key, value| match (key, value) {
        ("operationId", Value::String(name)) => assert!(names.insert(name.clone()), "{name} twice"),
        ("$ref", Value::String(reference)) => {
            references.insert(reference.clone());
        }
        _ => {}
    });
    for reference in references {
        let pointer = reference.trim_start_matches('#');
        assert!(document.pointer(pointer).is_some(), "{reference} leads nowhere");
    }
}

fn visit(value: &Value, seen: &mut impl FnMut(&str, &Value)) {
    match value {
        Value::Object(entries) => entries.iter().for_each(|(key, value)| {
            seen(key, value);
            visit(value, seen);
        }),
        Value::Array(items) => items.iter().for_each(|item| visit(item, seen)),
        _ => {}
    }
}
