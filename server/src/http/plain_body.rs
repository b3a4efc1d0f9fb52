//! Validates bodies of types without custom validation and reports all faults together.

use leadscribe_engine::fault::{Fault, Place};
use leadscribe_engine::json::{MAX_FAULTS, push_pointer};
use leadscribe_engine::suggest;
use serde::de::DeserializeOwned;
use serde_json::{Map, Value};
use serde_path_to_error::Segment;
use utoipa::ToSchema;
use utoipa::openapi::RefOr;
use utoipa::openapi::schema::{Object, Schema};

use super::misfit;

/// Parses a JSON object from text that is valid JSON.
///
/// # Errors
/// Unknown, invalid and missing members, at most [`MAX_FAULTS`].
pub fn read<T: DeserializeOwned + ToSchema>(text: &str) -> Result<T, Vec<Fault>> {
    let first = match from_text(text) {
        Ok(body) => return Ok(body),
        Err(error) => misfit::fault(&error),
    };
    let members: Map<String, Value> = serde_json::from_str(text).unwrap_or_default();
    let mut faults = match T::schema() {
        RefOr::T(Schema::Object(object)) => faults_of::<T>(members, &object),
        _ => Vec::new(),
    };
    if faults.is_empty() {
        faults.push(first);
    }
    Err(faults)
}

fn from_text<T: DeserializeOwned>(text: &str) -> Result<T, serde_path_to_error::Error<serde_json::Error>> {
    serde_path_to_error::deserialize(&mut serde_json::Deserializer::from_str(text))
}

fn faults_of<T: DeserializeOwned>(mut members: Map<String, Value>, known: &Object) -> Vec<Fault> {
    let names = || known.properties.keys().map(String::as_str);
    let lacking: Vec<_> = known.required.iter().filter(|name| !members.contains_key(*name)).collect();
    let unknown: Vec<_> = members.keys().filter(|name| !known.properties.contains_key(*name)).cloned().collect();
    let mut faults: Vec<_> = unknown.iter().take(MAX_FAULTS).map(|name| unknown_member(name, names)).collect();
    for name in &unknown {
        members.remove(name);
    }
    // Serde reports one fault at a time. Without that member, it reports the next one.
    while let Err(error) = from_text::<T>(&Value::Object(members.clone()).to_string()) {
        let Some(Segment::Map { key }) = error.path().iter().next() else { break };
        if members.remove(key).is_none() {
            break;
        }
        faults.push(misfit::fault(&error));
    }
    faults.extend(lacking.into_iter().map(|name| Fault::new(at(name), "required", format!("`{name}` is required"))));
    faults.truncate(MAX_FAULTS);
    faults
}

fn unknown_member<'a, I: Iterator<Item = &'a str>>(name: &str, known: impl Fn() -> I) -> Fault {
    let fault = Fault::new(at(name), "unknown_key", "there is no such member here").permitted(known());
    match suggest::nearest(name, known()) {
        Some(near) => fault.hint(format!("did you mean `{near}`?")),
        None => fault,
    }
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
        let hint = |fault: &Fault| fault.hint.as_ref().map(|hint| format!(" {hint}")).unwrap_or_default();
        let pointer = |fault: &Fault| match &fault.place {
            Place::Pointer(pointer) => pointer.clone(),
            other => format!("{other:?}"),
        };
        faults
            .iter()
            .map(|fault| format!("{} {}: {}{}", pointer(fault), fault.code, fault.detail, hint(fault)))
            .collect()
    }

    #[test]
    fn reports_all_faults_together() {
        assert_eq!(
            told::<NewUserRequest>(r#"{"emial":"x","password":7,"role":"boss"}"#),
            [
                "/emial unknown_key: there is no such member here did you mean `email`?",
                "/password invalid_value: expected a string, found a number",
                "/role invalid_value: unknown variant `boss`, expected one of `admin`, `manager`, `viewer`",
                "/email required: `email` is required",
            ]
        );
        assert_eq!(
            told::<ViewRequest>("{}"),
            ["/name required: `name` is required", "/filter required: `filter` is required"]
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
        assert_eq!(told::<ViewRequest>(&format!("{{{}}}", members.join(","))).len(), MAX_FAULTS);
    }
}
