use std::collections::BTreeSet;

use serde_json::Value;

use super::{TAGS, json};
use crate::http::routes;

fn document() -> Value {
    serde_json::from_slice(&json()).expect("JSON")
}

#[test]
fn describes_every_route() {
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
            let declared = operation["parameters"].as_array().into_iter().flatten();
            assert!(
                declared.clone().any(|declared| declared["name"] == parameter && declared["in"] == "path"),
                "{name}: {parameter}"
            );
        }
    }
    let operation_count: usize = document["paths"]
        .as_object()
        .expect("paths")
        .values()
        .map(|item| item.as_object().expect("an item").len())
        .sum();
    assert_eq!(operation_count, routes::all().len());
}

#[test]
fn operation_ids_are_unique_and_references_resolve() {
    let document = document();
    let mut names = BTreeSet::new();
    let mut references = BTreeSet::new();
    visit(&document, &mut |key, value| match (key, value) {
        ("operationId", Value::String(name)) => assert!(names.insert(name.clone()), "duplicate operation id {name}"),
        ("$ref", Value::String(reference)) => {
            references.insert(reference.clone());
        }
        _ => {}
    });
    for reference in references {
        let pointer = reference.trim_start_matches('#');
        assert!(document.pointer(pointer).is_some(), "{reference} is a dangling reference");
    }
}

#[test]
fn operation_ids_follow_paths() {
    let document = document();
    for (method, path, name) in [
        ("get", "/api/api-keys", "get_api_keys"),
        ("patch", "/api/users/{user_id}", "patch_users_user_id"),
        ("get", "/api/leads/{key}/{rest}", "get_leads_key_rest"),
        ("get", "/healthz", "get_healthz"),
    ] {
        assert_eq!(document["paths"][path][method]["operationId"], name);
    }
}

#[test]
fn every_error_status_has_codes() {
    let document = document();
    let codes = document["components"]["schemas"]["Problem"]["x-codes"].as_object().expect("codes by status");
    assert!(codes["400"].as_array().is_some_and(|codes| codes.contains(&"invalid_filter".into())), "{codes:?}");
    for (path, item) in document["paths"].as_object().expect("paths") {
        for operation in item.as_object().expect("an item").values() {
            let statuses = operation["responses"].as_object().expect("responses").keys();
            for status in statuses.filter(|status| status.starts_with(['4', '5'])) {
                assert!(codes.contains_key(status), "{path}: {status}");
            }
        }
    }
}

/// Code generators ignore or misread these parts of OpenAPI.
#[test]
fn document_suits_generators() {
    let document = document();
    visit(&document["components"]["schemas"], &mut |key, value| {
        assert_ne!(key, "allOf", "some generators don't support it: {value}");
        assert!(key != "default" || value.is_object(), "some generators make members with a default required");
    });
    for (path, item) in document["paths"].as_object().expect("paths") {
        for operation in item.as_object().expect("an item").values() {
            let security = operation["security"].as_array().expect("a list");
            let position = security.iter().position(|requirement| requirement.get("api_key").is_some());
            assert!(position.is_none_or(|position| position == 0), "{path}: clients use the first requirement");
            assert_eq!(operation["x-internal"] == true, path.ends_with("{rest}"), "{path}");
        }
    }
    let diagnostic = &document["components"]["schemas"]["Diagnostic"];
    assert_eq!(diagnostic["required"], serde_json::json!(["detail", "code"]));
    assert!(diagnostic["properties"]["pointer"].is_object(), "{diagnostic}");
}

fn visit(value: &Value, visitor: &mut impl FnMut(&str, &Value)) {
    match value {
        Value::Object(entries) => entries.iter().for_each(|(key, value)| {
            visitor(key, value);
            visit(value, visitor);
        }),
        Value::Array(items) => items.iter().for_each(|item| visit(item, visitor)),
        _ => {}
    }
}

/// Operations whose responses contain a secret must not be compressed. A secret is a member of this name in a response schema.
#[test]
fn routes_with_secrets_are_marked() {
    const SECRET_MEMBERS: [&str; 2] = ["secret", "csrf_token"];
    let document = document();
    let mut marked_count = 0;
    for route in routes::all() {
        let operation = &document["paths"][route.path.replace("{*", "{")][route.method.as_str().to_lowercase()];
        let mut has_secret = false;
        let mut pending = vec![operation["responses"].clone()];
        let mut seen = BTreeSet::new();
        while let Some(value) = pending.pop() {
            visit(&value, &mut |key, value| match value {
                Value::String(reference) if key == "$ref" && seen.insert(reference.clone()) => {
                    pending.push(document.pointer(reference.trim_start_matches('#')).expect("a schema").clone());
                }
                _ => has_secret |= SECRET_MEMBERS.contains(&key),
            });
        }
        assert_eq!(route.returns_secret, has_secret, "{} {}", route.method, route.path);
        marked_count += usize::from(has_secret);
    }
    assert!(marked_count >= 8, "only {marked_count}");
}
