//! Validates bodies of types without custom validation and reports all errors together.

use leadscribe_engine::diagnostic::{Diagnostic, Location, required};
use leadscribe_engine::json::{MAX_DIAGNOSTICS, push_pointer};
use serde::de::DeserializeOwned;
use serde_json::{Map, Value};
use utoipa::ToSchema;
use utoipa::openapi::RefOr;
use utoipa::openapi::schema::{Object, Schema};

use super::typed_json::{self, unknown_member};

/// Parses a JSON object from text that is valid JSON.
///
/// # Errors
/// Unknown, invalid and missing members, at most [`MAX_DIAGNOSTICS`].
pub fn parse<T: DeserializeOwned + ToSchema>(text: &str) -> Result<T, Vec<Diagnostic>> {
    let value: Value = serde_json::from_str(text).unwrap_or_default();
    let first_diagnostic = match typed_json::from_value(value.clone()) {
        Ok(body) => return Ok(body),
        Err(diagnostic) => diagnostic,
    };
    let mut diagnostics = match (value, T::schema()) {
        (Value::Object(members), RefOr::T(Schema::Object(object))) => collect_diagnostics::<T>(members, &object),
        _ => Vec::new(),
    };
    if diagnostics.is_empty() {
        diagnostics.push(first_diagnostic);
    }
    Err(diagnostics)
}

fn collect_diagnostics<T: DeserializeOwned>(mut members: Map<String, Value>, schema: &Object) -> Vec<Diagnostic> {
    let names = || schema.properties.keys().map(String::as_str);
    let missing: Vec<_> = schema.required.iter().filter(|name| !members.contains_key(*name)).collect();
    let unknown: Vec<_> = members.keys().filter(|name| !schema.properties.contains_key(*name)).cloned().collect();
    let describe_unknown =
        |name: &String| Diagnostic { location: member_location(name), ..unknown_member(names(), name) };
    let mut diagnostics: Vec<_> = unknown.iter().take(MAX_DIAGNOSTICS).map(describe_unknown).collect();
    for name in &unknown {
        members.remove(name);
    }
    // The deserializer reports one error at a time. Without the invalid member, it reports the next error.
    while let Err(diagnostic) = typed_json::from_value::<T>(Value::Object(members.clone())) {
        let Location::Pointer(pointer) = &diagnostic.location else { break };
        let Some(name) = members.keys().find(|name| is_inside(pointer, name)).cloned() else { break };
        members.remove(&name);
        diagnostics.push(diagnostic);
    }
    diagnostics
        .extend(missing.into_iter().map(|name| Diagnostic { location: member_location(name), ..required(name) }));
    diagnostics.truncate(MAX_DIAGNOSTICS);
    diagnostics
}

/// Returns true if the pointer leads to the member or into it.
fn is_inside(pointer: &str, member: &str) -> bool {
    let Location::Pointer(member_pointer) = member_location(member) else { return false };
    pointer.strip_prefix(&member_pointer).is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
}

fn member_location(name: &str) -> Location {
    let mut pointer = String::new();
    push_pointer(&mut pointer, name);
    Location::Pointer(pointer)
}

#[cfg(test)]
mod tests {
    use leadscribe_engine::api::{NewUserRequest, ViewRequest};

    use super::*;

    fn describe_errors<T: DeserializeOwned + ToSchema>(body: &str) -> Vec<String> {
        let diagnostics = parse::<T>(body).map(|_| ()).unwrap_err();
        diagnostics.iter().map(|diagnostic| format!("{} {}", diagnostic.code, diagnostic.located())).collect()
    }

    #[test]
    fn reports_all_errors_together() {
        assert_eq!(
            describe_errors::<NewUserRequest>(r#"{"emial":"x","password":7,"role":"boss"}"#),
            [
                "unknown_key /emial: field \"emial\" doesn't exist here (did you mean `email`?)",
                "invalid_value /password: expected a string, found a number",
                "not_permitted /role: expected admin, manager or viewer, found \"boss\"",
                "required /email: `email` is required",
            ]
        );
        assert_eq!(
            describe_errors::<ViewRequest>("{}"),
            ["required /name: `name` is required", "required /filter: `filter` is required"]
        );
    }

    #[test]
    fn reads_valid_bodies_with_optional_members() {
        let view: ViewRequest = parse(r#"{"name":"New","filter":"{}"}"#).unwrap();
        assert_eq!((view.name.as_str(), view.shared), ("New", false));
    }

    #[test]
    fn limits_number_of_errors() {
        let members: Vec<_> = (0..10_000).map(|number| format!("\"m{number}\":1")).collect();
        assert_eq!(describe_errors::<ViewRequest>(&format!("{{{}}}", members.join(","))).len(), MAX_DIAGNOSTICS);
    }
}
