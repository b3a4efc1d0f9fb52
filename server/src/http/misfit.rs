//! Converts serde errors into faults for members with a value of the wrong type.

use leadscribe_engine::fault::{Fault, Place};
use leadscribe_engine::json::push_pointer;
use serde_path_to_error::Segment;

/// Returns the fault. It leaves out the value, which may be a password.
pub fn fault(error: &serde_path_to_error::Error<serde_json::Error>) -> Fault {
    let mut pointer = String::new();
    for segment in error.path() {
        match segment {
            Segment::Seq { index } => push_pointer(&mut pointer, &index.to_string()),
            Segment::Map { key } => push_pointer(&mut pointer, key),
            Segment::Enum { .. } | Segment::Unknown => {}
        }
    }
    let told = error.inner().to_string();
    // The last match, because the value may contain the same words.
    let told = told.rsplit_once(" at line ").map_or(told.as_str(), |(told, _)| told);
    let unexpected = told.strip_prefix("invalid type: ").or_else(|| told.strip_prefix("invalid value: "));
    let detail = match unexpected.and_then(|told| told.rsplit_once(", expected ")) {
        Some((found, expected)) => match (in_json(expected), kind(found)) {
            (wanted, "a number") if wanted.contains("number") => {
                format!("expected {wanted}, found one out of its range")
            }
            (wanted, found) => format!("expected {wanted}, found {found}"),
        },
        // Occurs for a value other than a name where an enum is expected.
        None if told == "expected value" => "expected a name, found something else".to_owned(),
        None => told.to_owned(),
    };
    Fault::new(Place::Pointer(pointer), "invalid_value", detail)
}

/// Translates serde's name of the expected type to JSON's.
fn in_json(expected: &str) -> &str {
    match expected {
        "i8" | "i16" | "i32" | "i64" => "a whole number",
        "u8" | "u16" | "u32" | "u64" | "usize" => "a whole number of 0 or more",
        "f32" | "f64" => "a number",
        "a sequence" => "an array",
        "a map" => "an object",
        _ if ["struct ", "internally tagged enum "].iter().any(|kind| expected.starts_with(kind)) => "an object",
        _ if expected.starts_with("a tuple ") => "an array",
        _ => expected,
    }
}

/// Returns the type of the value that serde found, without the value.
fn kind(found: &str) -> &'static str {
    match found.split(' ').next().unwrap_or_default() {
        "string" => "a string",
        "integer" => "a number",
        "floating" => "a number with a fraction",
        "boolean" => "a boolean",
        "null" | "unit" => "null",
        "sequence" => "an array",
        "map" => "an object",
        _ => "something else",
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use leadscribe_engine::fault::Place;
    use serde::Deserialize;

    #[derive(Debug, Deserialize)]
    #[serde(deny_unknown_fields)]
    #[expect(dead_code, reason = "what is read is never good")]
    struct Body {
        id: Option<i64>,
        count: Option<u32>,
        share: Option<f64>,
        name: Option<String>,
        active: Option<bool>,
        ids: Option<Vec<i64>>,
        texts: Option<BTreeMap<String, String>>,
        inner: Option<Inner>,
        pair: Option<(i64, i64)>,
        role: Option<Role>,
        target: Option<Target>,
    }

    #[derive(Debug, Deserialize)]
    #[expect(dead_code, reason = "what is read is never good")]
    struct Inner {
        at: i64,
    }

    #[derive(Debug, Deserialize)]
    #[serde(rename_all = "snake_case")]
    enum Role {
        Admin,
        Viewer,
    }

    #[derive(Debug, Deserialize)]
    #[serde(tag = "kind", rename_all = "snake_case")]
    enum Target {
        Lead,
    }

    fn told(body: &str) -> String {
        let error = serde_path_to_error::deserialize::<_, Body>(&mut serde_json::Deserializer::from_str(body));
        let fault = super::fault(&error.expect_err(body));
        let Place::Pointer(pointer) = fault.place else { panic!("{body}: {fault:?}") };
        format!("{pointer} {}", fault.detail)
    }

    #[test]
    fn uses_json_type_names_and_omits_values() {
        for (body, expected) in [
            (r#"{"id":"secret"}"#, "/id expected a whole number, found a string"),
            (r#"{"id":"secret, expected 2 at line 3"}"#, "/id expected a whole number, found a string"),
            (r#"{"id":1.5}"#, "/id expected a whole number, found a number with a fraction"),
            (r#"{"id":9223372036854775808}"#, "/id expected a whole number, found one out of its range"),
            (r#"{"count":-1}"#, "/count expected a whole number of 0 or more, found one out of its range"),
            (r#"{"share":true}"#, "/share expected a number, found a boolean"),
            (r#"{"name":5}"#, "/name expected a string, found a number"),
            (r#"{"name":[]}"#, "/name expected a string, found an array"),
            (r#"{"active":"secret"}"#, "/active expected a boolean, found a string"),
            (r#"{"ids":{}}"#, "/ids expected an array, found an object"),
            (r#"{"ids":[null]}"#, "/ids/0 expected a whole number, found null"),
            (r#"{"texts":[]}"#, "/texts expected an object, found an array"),
            (r#"{"inner":5}"#, "/inner expected an object, found a number"),
            (r#"{"pair":5}"#, "/pair expected an array, found a number"),
            (r#"{"role":5}"#, "/role expected a name, found something else"),
            (r#"{"target":5}"#, "/target expected an object, found a number"),
            (r#"{"role":"boss"}"#, "/role unknown variant `boss`, expected `admin` or `viewer`"),
            (r#"{"inner":{}}"#, "/inner missing field `at`"),
        ] {
            assert_eq!(told(body), expected, "{body}");
        }
    }
}
