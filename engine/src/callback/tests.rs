//! Tests template syntax, filling in, and that values can't change the structure.

use proptest::prelude::*;
use serde_json::json;

use super::*;
use crate::diagnostic::format_diagnostic;

fn template(text: &str) -> Template {
    Template::parse_standalone(text).expect(text)
}

/// Formats each diagnostic as `start..end pointer code: detail (hint)`.
fn parse_errors(text: &str) -> Vec<String> {
    Template::parse_standalone(text).expect_err(text).iter().map(format_diagnostic).collect()
}

#[track_caller]
fn assert_fills(text: &str, values: &[(Placeholder, Value)], expected: Value) {
    assert_eq!(template(text).fill(&values.iter().cloned().collect()), expected, "{text}");
}

#[test]
fn lone_placeholder_becomes_the_value() {
    let text = r#"["{call_id}", "{first_name}", "{speech_result}", "{language}"]"#;
    let values = [
        (Placeholder::CallId, json!(9_007_199_254_740_993_i64)),
        (Placeholder::FirstName, json!("Ann \"A\" {call_id}")),
        (Placeholder::SpeechResult, json!({ "segments": [] })),
    ];
    assert_fills(text, &values, json!([9_007_199_254_740_993_i64, "Ann \"A\" {call_id}", { "segments": [] }, null]));
}

#[test]
fn inserts_text_into_other_strings() {
    let text = r#"{"a": " {call_id}", "b": "{first_name} {last_name}!", "c": "{speech_result}{language}."}"#;
    let values = [
        (Placeholder::CallId, json!(7)),
        (Placeholder::FirstName, json!("\"},{")),
        (Placeholder::LastName, Value::Null),
        (Placeholder::SpeechResult, json!({ "b": [1, "ü"] })),
    ];
    assert_fills(text, &values, json!({ "a": " 7", "b": "\"},{ !", "c": "{\"b\":[1,\"ü\"]}." }));
}

#[test]
fn keeps_values_without_placeholders() {
    let text = r#"{"{x}": [null, true, -1.5e3, 18446744073709551615, "plain", "", "{{call_id}} }}{{"], "": {}}"#;
    assert_fills(text, &[], json!({ "{x}": [null, true, -1500.0, u64::MAX, "plain", "", "{call_id} }{"], "": {} }));
    assert_eq!(template(text).text(), text);
    assert_fills(r#"["{{{call_id}}}"]"#, &[(Placeholder::CallId, json!(7))], json!(["{7}"]));
}

#[test]
fn limits_the_body_size() {
    let values: Values = [(Placeholder::CallId, json!(7)), (Placeholder::SpeechResult, json!(["ü\n"]))].into();
    let template = template(r#"{"a": "{speech_result}", "of": ["{call_id}{speech_result}", 1]}"#);
    let expected = template.fill(&values).to_string().into_bytes();
    assert_eq!(template.body(&values), Some(expected.clone()));
    let body = FilledValue { part: &template.body, values: &values };
    assert_eq!(body.to_json(expected.len()), Some(expected.clone()));
    assert!((0..expected.len()).all(|max_bytes| body.to_json(max_bytes).is_none()));
}

#[test]
fn default_templates_are_valid() {
    let (default, of_submission) = (Template::default(), Template::submission_default());
    assert_eq!(default.text(), r#"{"call_id":"{call_id}","speech_result":"{speech_result}"}"#);
    let status = r#""transcription_status":"{transcription_status}","error":"{error}""#;
    let expected = default.text().replace(r#","speech"#, &format!(r#",{status},"speech"#));
    assert_eq!(of_submission.text(), expected);
    for template in [default, of_submission] {
        assert_eq!(Template::parse_standalone(template.text()), Ok(template));
    }
}

#[test]
fn reports_invalid_placeholders() {
    assert_eq!(
        parse_errors(r#"{"a": ["ü {frist_name} {}"]}"#),
        [
            "11..23 /a/0 unknown_placeholder: expected the name of a placeholder, found `frist_name` (did you mean `first_name`?)",
            "24..26 /a/0 unknown_placeholder: expected the name of a placeholder, found ``"
        ]
    );
    assert_eq!(
        parse_errors(r#"["{ call_id }"]"#),
        [
            "2..13 /0 unknown_placeholder: expected the name of a placeholder, found ` call_id ` (did you mean `call_id`?)"
        ]
    );
    let all = Template::parse_standalone(r#"["{zzzzzzzz}"]"#).unwrap_err();
    assert_eq!((all.len(), &all[0].suggestion, all[0].permitted.len()), (1, &None, Placeholder::ALL.len()));
    assert_eq!(
        parse_errors(r#"{"{call_id}": 1}"#),
        ["1..12  placeholder_in_key: expected placeholders in values only, found `{call_id}` in a key"]
    );
}

#[test]
fn reports_unescaped_braces() {
    let open =
        "unmatched_brace: expected `}` after the name of a placeholder, found none (write `{{` for a literal brace)";
    let close = "unmatched_brace: expected `{` and the name of a placeholder before `}`, found none (write `}}` for a literal brace)";
    assert_eq!(parse_errors(r#"["{call_id"]"#), [format!("2..3 /0 {open}")]);
    assert_eq!(parse_errors(r#"["a } b"]"#), [format!("4..5 /0 {close}")]);
    assert_eq!(parse_errors(r#"["{call_id {agent}"]"#), [format!("2..3 /0 {open}")]);
    assert_eq!(parse_errors(r#"["{{call_id}"]"#), [format!("11..12 /0 {close}")]);
    assert_eq!(parse_errors(r#"["\u007bcall_id"]"#), [format!("2..8 /0 {open}")]);
}

#[test]
fn reports_invalid_json() {
    assert_eq!(parse_errors(" "), ["0..0  empty_body: expected a JSON object or array, found an empty string"]);
    assert_eq!(parse_errors(r#""{call_id}""#), ["0..11  wrong_type: expected an object or an array, found a string"]);
    assert_eq!(
        parse_errors(r#"{"a": {call_id}, "b": {frist_name}}"#),
        [
            "6..15 /a bare_placeholder: expected a placeholder inside a string, found `{call_id}` outside (write \"{call_id}\")",
            "22..34 /b bare_placeholder: expected a placeholder inside a string, found `{frist_name}` outside (write \"{first_name}\")"
        ]
    );
    assert_eq!(parse_errors(r#"{"a": 1, "a": "{x}"}"#).len(), 2);
    assert_eq!(
        parse_errors(r#"["\u0000"]"#),
        ["2..8 /0 nul_character: a string can't contain U+0000 (remove it; databases can't store it)"]
    );
    let number = "number_too_large: expected a number that a 64-bit floating-point number can hold, found";
    assert_eq!(
        parse_errors("[18446744073709551616, 1e999]"),
        [
            format!("1..21 /0 {number} 18446744073709551616 (write it as a string)"),
            format!("23..28 /1 {number} 1e999 (write it as a string)")
        ]
    );
}

#[test]
fn limits_template_size_and_placeholders() {
    let template_of_size = |bytes: usize| format!("[\"{}\"]", "a".repeat(bytes - 4));
    assert!(Template::parse_standalone(&template_of_size(MAX_TEMPLATE_BYTES)).is_ok());
    assert_eq!(
        parse_errors(&template_of_size(MAX_TEMPLATE_BYTES + 1)),
        ["0..0  too_large: expected at most 16384 bytes, found 16385"]
    );
    let template_with_placeholders = |count: usize| format!("[\"{}\"]", "{agent}".repeat(count));
    assert!(Template::parse_standalone(&template_with_placeholders(MAX_PLACEHOLDERS)).is_ok());
    assert_eq!(
        parse_errors(&template_with_placeholders(MAX_PLACEHOLDERS + 9)),
        ["450..457 /0 too_many: expected at most 64 placeholders, found more"]
    );
    assert_eq!(parse_errors(&format!("[\"{}\"]", "} ".repeat(500))).len(), crate::json::MAX_DIAGNOSTICS);
}

#[test]
fn errors_have_the_location_of_the_template() {
    let location = Location::Pointer("/callback/callback_data".to_owned());
    let text = r#"{"ü": "{frist_name}"}"#;
    let diagnostic = &Template::parse(text, location.clone()).unwrap_err()[0];
    assert_eq!((&diagnostic.location, diagnostic.span), (&location, Some(CharRange { start: 7, end: 19 })));
}

#[test]
fn sample_has_every_placeholder_of_a_call() {
    let sample = sample();
    let is_null = |placeholder: &&Placeholder| sample.get(placeholder).is_none_or(Value::is_null);
    let missing: Vec<_> = Placeholder::ALL.iter().filter(is_null).map(|placeholder| placeholder.as_str()).collect();
    // The sample call was transcribed, and it is no event.
    assert_eq!(missing, ["error", "event_id", "event_type", "event_time", "event_subject", "event_data"]);
    let transcript: crate::api::Transcript =
        serde_json::from_value(sample[&Placeholder::SpeechResult].clone()).expect("a transcript");
    assert_eq!(sample[&Placeholder::TranscriptText], crate::formats::text(&transcript));
    assert_eq!(sample[&Placeholder::CallCreatedAt], "2026-05-01T09:30:00Z");
}

fn any_value() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        any::<i64>().prop_map(Value::from),
        r#"([{}\[\]:,"\\]|call_id|\PC){0,12}"#.prop_map(Value::from),
    ];
    leaf.prop_recursive(2, 8, 3, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..3).prop_map(Value::from),
            prop::collection::btree_map("\\PC{0,4}", inner, 0..3).prop_map(|members| json!(members)),
        ]
    })
}

/// Returns true if `body` has the members and items of `template`, and differs only where the template has strings.
fn has_same_structure(template: &Value, body: &Value) -> bool {
    match (template, body) {
        (Value::String(text), body) => body.is_string() || (text.starts_with('{') && text.ends_with('}')),
        (Value::Array(a), Value::Array(b)) => {
            a.len() == b.len() && a.iter().zip(b).all(|(a, b)| has_same_structure(a, b))
        }
        (Value::Object(a), Value::Object(b)) => {
            a.keys().eq(b.keys()) && a.values().zip(b.values()).all(|(a, b)| has_same_structure(a, b))
        }
        (a, b) => a == b,
    }
}

#[test]
fn documentation_lists_all_placeholders() {
    let document = include_str!("../../../docs/WEBHOOKS.md");
    for placeholder in Placeholder::ALL {
        assert!(document.contains(&format!("`{placeholder}`")), "{placeholder}");
    }
}

proptest! {
    #[test]
    fn values_never_change_the_structure(values in prop::collection::vec(any_value(), Placeholder::ALL.len())) {
        let text = r#"{"a": ["{call_id}", "{first_name}, {agent}", 1], "b": {"{{": "{transcript_text}"}, "c": " {speech_result}"}"#;
        let values: Values = Placeholder::ALL.iter().copied().zip(values).collect();
        let sent = template(text).fill(&values).to_string();
        let body: Value = serde_json::from_str(&sent).expect("JSON");
        prop_assert!(has_same_structure(&serde_json::from_str(text).expect("JSON"), &body), "{}", sent);
        prop_assert_eq!(&body["a"][0], &values[&Placeholder::CallId]);
        prop_assert_eq!(&body["b"]["{{"], &values[&Placeholder::TranscriptText]);
    }

    #[test]
    fn parser_never_panics(text in r#"([{}\[\]:,"\\]|call_id|agent|[ 0-9]|\PC){0,30}"#, strings: bool) {
        let text = if strings { json!([text]).to_string() } else { text };
        match Template::parse_standalone(&text) {
            Ok(template) => prop_assert!(serde_json::from_str::<Value>(template.text()).is_ok()),
            Err(diagnostics) => {
                prop_assert!(!diagnostics.is_empty());
                let has_valid_range = |diagnostic: &Diagnostic| text.get(diagnostic.byte_range.start..diagnostic.byte_range.end).is_some();
                prop_assert!(diagnostics.iter().all(has_valid_range));
            }
        }
    }

    #[test]
    fn escaped_braces_are_literal(text in "([{}]|\\PC){0,20}") {
        let escaped = text.replace('{', "{{").replace('}', "}}");
        prop_assert_eq!(template(&json!([escaped]).to_string()).fill(&sample()), json!([text]));
    }
}
