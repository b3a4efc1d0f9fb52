//! Callback template: its structure is the same after filling in any values.

#![no_main]

use leadscribe_engine::callback::{Template, sample};
use libfuzzer_sys::fuzz_target;
use serde_json::Value;

fuzz_target!(|text: &str| {
    match Template::parse_standalone(text) {
        Ok(template) => {
            let unfilled: Value = serde_json::from_str(text).expect("an accepted template is JSON");
            assert!(has_same_structure(&unfilled, &template.fill(&sample())), "{text}");
            assert_eq!(Template::parse_standalone(template.text()), Ok(template));
        }
        Err(diagnostics) => assert!(!diagnostics.is_empty()),
    }
});

/// True if `filled` has the same members and items as `template`. Any value may replace a string.
fn has_same_structure(template: &Value, filled: &Value) -> bool {
    match (template, filled) {
        (Value::String(_), _) => true,
        (Value::Array(template), Value::Array(filled)) => {
            template.len() == filled.len()
                && template.iter().zip(filled).all(|(template, filled)| has_same_structure(template, filled))
        }
        (Value::Object(template), Value::Object(filled)) => {
            let is_same = |key| filled.get(key).is_some_and(|filled| has_same_structure(&template[key], filled));
            template.len() == filled.len() && template.keys().all(is_same)
        }
        (template, filled) => template == filled,
    }
}
