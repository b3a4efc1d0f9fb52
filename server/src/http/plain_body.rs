//! Validates bodies of types without custom validation and reports all faults together.

use leadscribe_engine::diagnostic::{Diagnostic, Place, required};
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
pub fn read<T: DeserializeOwned + ToSchema>(text: &str) -> Result<T, Vec<Diagnostic>> {
    let value: Value = serde_json::from_str(text).unwrap_or_default();
    let first = match typed_json::read(value.clone()) {
        Ok(body) => return Ok(body),
        Err(diagnostic) => diagnostic,
    };
    let mut faults = match (value, T::schema()) {
        (Value::Object(members), RefOr::T(Schema::Object(object))) => faults_of::<T>(members, &object),
        _ => Vec::new(),
    };
    if faults.is_empty() {
        faults.push(first);
    }
    Err(faults)
}

fn faults_of<T: DeserializeOwned>(mut members: Map<String, Value>, known: &Object) -> Vec<Diagnostic> {
    let names = || known.properties.keys().map(String::as_str);
    let missing: Vec<_> = known.required.iter().filter(|name| !members.contains_key(*name)).collect();
    let unknown: Vec<_> = members.keys().filter(|name| !known.properties.contains_key(*name)).cloned().collect();
    let unknown_member = |name: &String| Diagnostic { place: at(name), ..unknown_member(names(), name) };
    let mut faults: Vec<_> = unknown.iter().take(MAX_DIAGNOSTICS).map(unknown_member).collect();
    for name in &unknown {
        members.remove(name);
    }
    // The deserializer reports one error at a time. Without that member, it reports the next one.
    while let Err(diagnostic) = typed_json::read::<T>(Value::Object(members.clone())) {
        let Place::Pointer(pointer) = &diagnostic.place else { break };
        let Some(name) = members.keys().find(|name| is_inside(pointer, name)).cloned() else { break };
        members.remove(&name);
        faults.push(diagnostic);
    }
    faults.extend(missing.into_iter().map(|name| Diagnostic { place: at(name), ..required(name) }));
    faults.truncate(MAX_DIAGNOSTICS);
    faults
}

/// Returns true if the pointer leads to the member or into it.
fn is_inside(pointer: &str, member: &str) -> bool {
    let Place::Pointer(of_member) = at(member) else { return false };
    pointer.strip_prefix(&of_member).is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
}

fn at(name: &str) -> Place {
    let mut pointer = String::new();
    push_pointer(&mut pointer, name);
    Place::Pointer(pointer)
}

#[cfg(test)]
mod tests {
    use leadscribe_engine::api::{NewUserRequest, ViewRequest};

    use super::*;

    fn told<T: DeserializeOwned + ToSchema>(body: &str) -> Vec<String> {
        let faults = read::<T>(body).map(|_| ()).unwrap_err();
        faults.iter().map(|fault| format!("{} {}", fault.code, fault.located())).collect()
    }

    #[test]
    fn reports_all_faults_together() {
        assert_eq!(
            told::<NewUserRequest>(r#"{"emial":"x","password":7,"role":"boss"}"#),
            [
                "unknown_key /emial: there is no such member here (did you mean `email`?)",
                "invalid_value /password: expected a string, found a number",
                "not_permitted /role: expected admin, manager or viewer, found \"boss\"",
                "required /email: `email` is required",
            ]
        );
        assert_eq!(
            told::<ViewRequest>("{}"),
            ["required /name: `name` is required", "required /filter: `filter` is required"]
        );
    }

    #[test]
    fn reads_valid_bodies_with_optional_members() {
        let view: ViewRequest = read(r#"{"name":"New","filter":"{}"}"#).unwrap();
        assert_eq!((view.name.as_str(), view.shared), ("New", false));
    }

    #[test]
    fn limits_number_of_faults() {
        let members: Vec<_> = (0..10_000).map(|number| format!("\"m{number}\":1")).collect();
        assert_eq!(told::<ViewRequest>(&format!("{{{}}}", members.join(","))).len(), MAX_DIAGNOSTICS);
    }
}
