//! Tests of the suggestions and locations of diagnostics, in bodies and in queries.

use super::message_tests::{assert_error, assert_parameter_error, error_lines};
use super::*;

#[test]
fn last_brackets_of_a_parameter_hold_the_operator() {
    let field = |key: &str| {
        let filter = parse_pairs(&[(key.to_owned(), "7".to_owned())], &Limits::default());
        filter.map(|filter| format!("{:?}", filter.predicate))
    };
    let expected = parse_and_check(r#"{"custom.size[cm]":{"gt":7}}"#, &Limits::default()).unwrap();
    assert_eq!(field("custom.size[cm][gt]"), Ok(format!("{:?}", expected.predicate)));
    let diagnostics = field("custom.size[cm]").unwrap_err();
    assert_eq!((diagnostics.len(), diagnostics[0].code.as_str()), (1, "unknown_operator"));
    assert!(field("custom.size[cm").is_ok());
}

#[test]
fn custom_numbers_beyond_64_bits_become_doubles() {
    let predicate = |number: &str| {
        parse_and_check(&format!(r#"{{"custom.score":{number}}}"#), &Limits::default()).unwrap().predicate
    };
    assert_eq!(predicate("9223372036854775808"), predicate("9223372036854775809"));
    assert_ne!(predicate("9223372036854775806"), predicate("9223372036854775807"));
}

#[test]
fn hints_suggest_an_equal_number() {
    for (number, hint) in [
        ("9007199254740993.0", Some("write 9007199254740993")),
        ("-9007199254740993.000", Some("write -9007199254740993")),
        ("9.223372036854775807e18", Some("write 9223372036854775807")),
        ("9.223372036854775808e18", None),
        ("1.0000000000000000000001", None),
        ("120e-1", Some("write 12")),
        ("125e-1", None),
        ("1e999999999999999999999", None),
        ("-0.0", Some("write 0")),
    ] {
        for (text, suffix) in [(number.to_owned(), ""), (format!("\"{number}\""), " without quotes")] {
            let diagnostics = parse_and_check(&format!(r#"{{"id":{text}}}"#), &Limits::default()).unwrap_err();
            let expected = hint.map(|hint| format!("{hint}{suffix}"));
            assert_eq!(diagnostics[0].suggestion.as_ref().map(ToString::to_string), expected, "{text}");
        }
    }
    let long = "7".repeat(60);
    let hint = |text: &str| {
        parse_and_check(text, &Limits::default()).unwrap_err()[0].suggestion.as_ref().map(ToString::to_string)
    };
    assert_eq!(hint(&format!(r#"{{"custom.a":{{"in":{long}}}}}"#)).as_deref(), Some("put it into [ ]"));
    assert_eq!(hint(&format!(r#"{{"lat":"{long}"}}"#)), None);
}

#[test]
fn query_hints_have_no_quotes() {
    assert_parameter_error(
        &[("do_not_call", "yes")],
        " @ do_not_call wrong_type: expected `true` or `false`, found \"yes\" (write true)",
    );
    assert_parameter_error(
        &[("limit", "5;0;0")],
        " @ limit invalid_limit: expected `<count>` or `<count>;<offset>` in plain digits, found \"5;0;0\" (the first 200 are `200;0`, the next 200 are `200;200`)",
    );
}

#[test]
fn invalid_key_is_reported_once() {
    let nul = "nul_character: a string can't contain U+0000 (remove it; databases can't store it)";
    assert_error(r#"{"custom.a\u0000":1}"#, &format!(r"\u0000 @  {nul}"));
    assert_error(r#"{"a\u0000":1,"city":"Bonn"}"#, &format!(r"\u0000 @  {nul}"));
    assert_error(r#"{"city":{"e\u0000q":"Bonn"}}"#, &format!(r"\u0000 @ /city {nul}"));
    assert_error(r#"{"_or":[{"\u0000":1},{"city":"Bonn"}]}"#, &format!(r"\u0000 @ /_or/0 {nul}"));
    assert_error(r#"{"_or":[{"\u0000":1}]}"#, &format!(r"\u0000 @ /_or/0 {nul}"));
    let diagnostics = error_lines(r#"{"ci\qty":1}"#);
    assert_eq!(diagnostics.len(), 1, "{diagnostics:?}");
    let diagnostics = error_lines(r#"{"a\ud800":1}"#);
    assert_eq!(diagnostics.len(), 1, "{diagnostics:?}");
}

#[test]
fn comparisons_reject_booleans_and_accept_any_text() {
    assert_error(
        r#"{"custom.score":{"gt":true}}"#,
        "true @ /custom.score/gt wrong_type: expected a string or a number, found true",
    );
    for filter in [r#"{"last_call_status":{"gte":"b"}}"#, r#"{"not_callable_reason":{"lt":"m"}}"#] {
        parse_and_check(filter, &Limits::default()).expect("a comparison accepts any text");
    }
}
