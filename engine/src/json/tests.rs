//! Tests of values and errors. The parser never panics.

use proptest::prelude::*;

use super::*;
use crate::diagnostic::{CharRange, format_diagnostic};

/// Formats each diagnostic as `start..end pointer code: detail (hint)`.
fn format_diagnostics(text: &str) -> Vec<String> {
    parse(text).diagnostics.iter().map(format_diagnostic).collect()
}

#[track_caller]
fn assert_diagnostic(text: &str, expected: &str) {
    assert_eq!(format_diagnostics(text), [expected], "{text}");
}

#[test]
fn reads_every_kind_of_value_with_its_position() {
    let document = parse(r#" {"a": [1, -0.5e+3, "ü\u0041\uD83D\ude00\n", true, false, null], "b": {}} "#);
    assert_eq!(document.diagnostics, []);
    let root = document.root.unwrap();
    assert_eq!(root.span, Span::new(1, 74));
    let Value::Object(members) = root.value else { panic!("an object") };
    assert_eq!((members[0].key.as_str(), members[0].key_span), ("a", Span::new(2, 5)));
    let Value::Array(items) = &members[0].value.value else { panic!("an array") };
    let values: Vec<Value> = items.iter().map(|item| item.value.clone()).collect();
    assert_eq!(
        values,
        [
            Value::Number("1".into()),
            Value::Number("-0.5e+3".into()),
            Value::String("üA😀\n".into()),
            Value::Bool(true),
            Value::Bool(false),
            Value::Null
        ]
    );
    assert_eq!(members[1].value.value, Value::Object(Vec::new()));
}

#[test]
fn empty_text_is_not_an_error() {
    for text in ["", " ", "\n\t\r "] {
        assert_eq!(parse(text), Document::default());
    }
}

#[test]
fn reports_invalid_values() {
    assert_diagnostic(
        "tru",
        "0..3  invalid_json: expected a value, found `tru` (write strings in double quotes: \"tru\")",
    );
    assert_diagnostic("True", "0..4  invalid_json: expected a value, found `True` (write `true`)");
    assert_diagnostic("undefined", "0..9  invalid_json: expected a value, found `undefined` (write `null`)");
    let numbers = "numbers are written like `7`, `-0.5` or `1e3`; everything else needs double quotes";
    for number in ["01", "1.", ".5", "0x1F", "-", "1e", "1e+", "--1", "2026-05-01", "1_000"] {
        assert_diagnostic(
            number,
            &format!("0..{}  invalid_json: expected a value, found `{number}` ({numbers})", number.len()),
        );
    }
    assert_diagnostic("+1", "0..2  invalid_json: expected a value, found `+1` (a number can't start with `+`)");
    assert_diagnostic("{\"a\":'b c'}", "5..10 /a invalid_json: expected a value, found single quotes (write \"b c\")");
    assert_diagnostic(
        "\u{feff}1",
        "0..4  invalid_json: expected a value, found `\u{feff}1` (remove the invisible byte order mark U+FEFF)",
    );
    assert_diagnostic("1 2", "2..3  invalid_json: expected the end of the text, found `2`");
}

#[test]
fn continues_after_missing_tokens() {
    assert_diagnostic(r#"{"a":1 "b":2}"#, "7..8  invalid_json: expected `,` or `}`, found a string");
    assert_diagnostic("[1 2]", "3..4  invalid_json: expected `,` or `]`, found `2`");
    assert_diagnostic(r#"{"a" 1}"#, "5..6 /a invalid_json: expected `:` after the key, found `1`");
    assert_diagnostic(r#"{"a"}"#, "4..5 /a invalid_json: expected `:` after the key, found `}`");
    assert_diagnostic(r#"{"a":}"#, "5..6 /a invalid_json: expected a value, found `}`");
    assert_diagnostic(r#"{"a":,"b":2}"#, "5..6 /a invalid_json: expected a value, found `,`");
    assert_diagnostic(
        r#"{"a":1,}"#,
        "6..7  invalid_json: expected another entry after `,`, found none (remove the comma)",
    );
    assert_diagnostic("[1,]", "2..3  invalid_json: expected another entry after `,`, found none (remove the comma)");
    assert_diagnostic("[,1]", "1..2  invalid_json: expected a value, found `,`");
    assert_diagnostic(r#"{a:1}"#, "1..2  invalid_json: expected a key in double quotes, found `a` (write \"a\")");
    assert_diagnostic(
        r#"{'a b':1}"#,
        "1..6  invalid_json: expected a key in double quotes, found `'a b'` (write \"a b\")",
    );
    assert_diagnostic("[1", "2..2  invalid_json: expected `]`, found the end of the text");
    assert_diagnostic(r#"{"a":[1}"#, "7..8 /a invalid_json: expected `]`, found `}`");
    assert_diagnostic(r#"[{"a":1]"#, "7..8 /0 invalid_json: expected `}`, found `]`");
    let Some(Node { value: Value::Object(members), .. }) = parse(r#"{"a" 1 "b":[2 3,], "c":"#).root else { panic!() };
    let keys: Vec<&str> = members.iter().map(|member| member.key.as_str()).collect();
    assert_eq!(keys, ["a", "b", "c"]);
    assert_eq!(members[0].value.value, Value::Number("1".into()));
    assert_eq!(members[2].value.value, Value::Invalid);
}

#[test]
fn reports_invalid_strings() {
    let open = "expected `\"` at the end of the string, found none (close it with `\"`)";
    assert_eq!(
        format_diagnostics(r#"{"limit":"200;0"#),
        [
            format!("9..15 /limit invalid_json: {open}"),
            "15..15  invalid_json: expected `}`, found the end of the text".to_owned()
        ]
    );
    assert_eq!(format_diagnostics("{\"a\": \"b\n}"), [format!("6..8 /a invalid_json: {open}")]);
    assert_diagnostic(
        r#""a\qb""#,
        "2..4  invalid_json: expected a JSON escape sequence, found `\\q` (write `\\\\` for a backslash)",
    );
    assert_diagnostic(
        "\"a\tb\"",
        "2..3  invalid_json: a string can't contain the control character U+0009 (write `\\u0009`)",
    );
    let nul = "nul_character: a string can't contain U+0000 (remove it; databases can't store it)";
    assert_diagnostic(r#"{"a":"b\u0000"}"#, &format!("7..13 /a {nul}"));
    assert_diagnostic("\"\0\"", &format!("1..2  {nul}"));
    for lone in [r"\ud800", r"\udc00"] {
        let expected = format!("1..7  lone_surrogate: expected both halves of a surrogate pair, found `{lone}` alone");
        assert_diagnostic(&format!("\"{lone}\""), &expected);
    }
    assert_eq!(format_diagnostics(r#""\ud800\ud800""#).len(), 2);
}

#[test]
fn keeps_and_reports_duplicate_keys() {
    let text = r#"{"a/b":1,"c":2,"a/b":3,"a\/b":4}"#;
    let duplicate_error = "duplicate_key: the key `a/b` is repeated (keep only one of them)";
    assert_eq!(
        format_diagnostics(text),
        [format!("15..20 /a~1b {duplicate_error}"), format!("23..29 /a~1b {duplicate_error}")]
    );
    let Some(Node { value: Value::Object(members), .. }) = parse(text).root else { panic!("an object") };
    assert_eq!(members.len(), 4);
}

#[test]
fn limits_depth_size_and_number_of_errors() {
    let nested = |depth: usize| format!("{}{}", "[".repeat(depth), "]".repeat(depth));
    assert_eq!(format_diagnostics(&nested(MAX_DEPTH)), [""; 0]);
    let too_deep = parse(&nested(MAX_DEPTH + 1)).diagnostics;
    assert_eq!((too_deep.len(), too_deep[0].code.as_str(), too_deep[0].byte_range), (1, "too_deep", Span::new(16, 17)));
    assert_eq!(format_diagnostics(&nested(100_000)).len(), 1);
    assert!(!format_diagnostics(&"[{\"a\":".repeat(100_000)).is_empty());
    let long = format!("\"{}\"", "a".repeat(MAX_BYTES));
    assert_eq!(
        format_diagnostics(&long),
        [format!("0..0  too_large: expected at most {MAX_BYTES} bytes, found {}", long.len())]
    );
    assert_eq!(format_diagnostics(&format!("[{}]", "x,".repeat(10_000))).len(), MAX_DIAGNOSTICS);
}

#[test]
fn finds_the_position_of_a_substring() {
    let text = r#"["aü\u00e9\ud83d\ude00\"b"]"#;
    let literal = Span::new(1, text.len() - 1);
    let substring = |start, end| {
        let span = substring_span(text, literal, CharRange { start, end });
        &text[span.start..span.end]
    };
    assert_eq!(substring(0, 1), "a");
    assert_eq!(substring(1, 3), r"ü\u00e9");
    assert_eq!(substring(3, 5), r#"\ud83d\ude00\""#);
    assert_eq!(substring(5, 6), "b");
    assert_eq!(substring(6, 9), "");
    assert_eq!(substring_span("[1]", Span::new(1, 2), CharRange { start: 0, end: 1 }), Span::new(1, 2));
}

#[test]
fn agrees_with_serde_json_on_numbers() {
    for text in ["0", "-0", "10", "-1.5", "1e5", "1E-5", "0.0", "00", "1.e5", "e5", "-", "", "1e5.0", "0e0", "٣"] {
        assert_eq!(is_number(text), serde_json::from_str::<serde_json::Number>(text).is_ok(), "{text}");
    }
}

fn json() -> impl Strategy<Value = serde_json::Value> {
    let leaf = prop_oneof![
        Just(serde_json::Value::Null),
        any::<bool>().prop_map(Into::into),
        any::<i64>().prop_map(Into::into),
        "[^\0]{0,8}".prop_map(Into::into),
    ];
    leaf.prop_recursive(4, 32, 5, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..5).prop_map(Into::into),
            prop::collection::btree_map("[^\0]{0,5}", inner, 0..5)
                .prop_map(|members| serde_json::Value::Object(members.into_iter().collect())),
        ]
    })
}

fn to_serde(value: &Value) -> serde_json::Value {
    match value {
        Value::Null => serde_json::Value::Null,
        Value::Bool(value) => (*value).into(),
        Value::Number(number) => serde_json::from_str(number).unwrap(),
        Value::String(text) => text.clone().into(),
        Value::Array(items) => items.iter().map(|item| to_serde(&item.value)).collect(),
        Value::Object(members) => serde_json::Value::Object(
            members.iter().map(|member| (member.key.clone(), to_serde(&member.value.value))).collect(),
        ),
        Value::Invalid => panic!("an invalid value without a diagnostic"),
    }
}

/// Checks properties that must hold for any text.
fn check_invariants(text: &str) -> Result<(), TestCaseError> {
    let document = parse(text);
    for diagnostic in &document.diagnostics {
        prop_assert!(
            text.get(diagnostic.byte_range.start..diagnostic.byte_range.end).is_some(),
            "{diagnostic:?} in {text:?}"
        );
        prop_assert!(!diagnostic.message.to_string().contains('\n'));
        let narrowed = substring_span(text, diagnostic.byte_range, CharRange { start: 1, end: 3 });
        prop_assert!(text.get(narrowed.start..narrowed.end).is_some());
    }
    prop_assert!(document.diagnostics.is_sorted_by_key(|diagnostic| diagnostic.byte_range.start));
    let valid = serde_json::from_str::<serde::de::IgnoredAny>(text).is_ok();
    if document.diagnostics.is_empty() && document.root.is_some() {
        prop_assert!(valid, "accepts invalid JSON: {text:?}");
    }
    Ok(())
}

proptest! {
    #[test]
    fn accepts_output_of_serde_json(value in json(), pretty: bool) {
        let text = if pretty { serde_json::to_string_pretty(&value) } else { serde_json::to_string(&value) }.unwrap();
        let document = parse(&text);
        prop_assert_eq!(&document.diagnostics, &[]);
        prop_assert_eq!(to_serde(&document.root.unwrap().value), value);
    }

    #[test]
    fn any_text_keeps_the_invariants(text in "\\PC*") {
        check_invariants(&text)?;
    }

    #[test]
    fn json_like_text_keeps_the_invariants(text in r#"([{}\[\]:,"'\\]|\\u|d8|true|null|[0-9a-f.\-]|[ \n\t\x00ü😀])*"#) {
        check_invariants(&text)?;
    }

    #[test]
    fn mutated_json_keeps_the_invariants(value in json(), position: prop::sample::Index, removed in 0usize..4, inserted in "[{}\\[\\]:,\"\\\\a0 ]{0,2}") {
        let mut text: Vec<char> = value.to_string().chars().collect();
        let start = position.index(text.len());
        let end = (start + removed).min(text.len());
        text.splice(start..end, inserted.chars());
        check_invariants(&text.into_iter().collect::<String>())?;
    }

    #[test]
    fn quoted_text_round_trips(text in any::<String>()) {
        let document = parse(&quote(&text));
        prop_assert_eq!(document.diagnostics.is_empty(), !text.contains('\0'));
        if let (false, Some(Node { value: Value::String(read), .. })) = (text.contains('\0'), document.root) {
            prop_assert_eq!(read, text);
        }
    }
}
