//! Callback template: its structure is the same after filling in any values.

#![no_main]

use leadscribe_engine::callback::{Template, sample};
use libfuzzer_sys::fuzz_target;
use serde_json::Value;

fuzz_target!(|text: &str| {
    match Template::check(text) {
        Ok(template) => {
            let plain: Value = serde_json::from_str(text).expect("a template is JSON");
            assert!(alike(&plain, &template.fill(&sample())), "{text}");
            assert_eq!(Template::check(template.text()), Ok(template));
        }
        Err(faults) => assert!(!faults.is_empty()),
    }
});

/// True if `filled` has the members and items of `plain`; a string may be replaced by any value.
fn alike(plain: &Value, filled: &Value) -> bool {
    match (plain, filled) {
        (Value::String(_), _) => true,
        (Value::Array(plain), Value::Array(filled)) => {
            plain.len() == filled.len() && plain.iter().zip(filled).all(|(plain, filled)| alike(plain, filled))
        }
        (Value::Object(plain), Value::Object(filled)) => {
            let equal = |key| filled.get(key).is_some_and(|filled| alike(&plain[key], filled));
            plain.len() == filled.len() && plain.keys().all(equal)
        }
        (plain, filled) => plain == filled,
    }
}
