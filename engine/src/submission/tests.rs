//! Tests the rules of a submission, each with its exact message.

use proptest::prelude::*;

use super::*;
use crate::api::{CallId, CallbackMethod, RecordingSide};
use crate::callback::Template;
use crate::diagnostic::{Diagnostic, Location, Message};
use crate::time;

const RULES: SubmissionRules<'_> = SubmissionRules { token: TokenRule::Required, languages: None, callback_url: None };

/// A body that is valid except for one field with this value.
fn body(field: &str, value: &str) -> String {
    let fields =
        [("call_ids", "[101]"), ("token", "\"secret\""), ("languages", "[\"en\"]"), ("recording_side", "\"both\"")];
    let mut members: Vec<String> = fields
        .iter()
        .map(|(name, default)| format!("\"{name}\":{}", if *name == field { value } else { default }))
        .collect();
    if !fields.iter().any(|(name, _)| *name == field) {
        members.push(format!("\"{field}\":{value}"));
    }
    format!("{{{}}}", members.join(","))
}

fn format_diagnostic(diagnostic: &Diagnostic) -> String {
    let Location::Pointer(pointer) = &diagnostic.location else { panic!("diagnostics of a body have a pointer") };
    let span = diagnostic.span.map(|span| format!(" {}..{}", span.start, span.end)).unwrap_or_default();
    format!("{pointer}{span} {}: {}", diagnostic.code, diagnostic.summary())
}

fn error_lines(text: &str, rules: &SubmissionRules<'_>) -> Vec<String> {
    parse(text, rules).expect_err(text).iter().map(format_diagnostic).collect()
}

#[test]
fn reads_a_full_submission() {
    let text = r#"{"call_ids":[102,101,102],"token":"secret","languages":["en-us","EN-US","de"],"recording_side":"caller",
        "min_duration":30,"from":"2026-05-01 00:00:00","till":"2026-05-01T02:00:00+02:00"}"#;
    let submission = parse(text, &RULES).expect("valid input");
    assert_eq!(submission.call_ids, [CallId(102), CallId(101)]);
    assert_eq!(submission.token, "secret");
    assert_eq!(submission.languages, ["en-US", "de"]);
    assert_eq!(submission.recording_side, RecordingSide::Caller);
    assert_eq!(submission.min_duration, 30);
    assert_eq!(submission.from.map(time::print).as_deref(), Some("2026-05-01T00:00:00Z"));
    assert_eq!(submission.from, submission.till);
    assert!(!format!("{submission:?}").contains("secret"));
}

#[test]
fn optional_fields_have_defaults() {
    let text = r#"{"call_ids":[1],"token":"t","languages":["en"],"recording_side":"callee"}"#;
    let submission = parse(text, &RULES).expect("valid input");
    assert_eq!((submission.min_duration, submission.from, submission.till), (1, None, None));
}

#[test]
fn reads_a_callback() {
    let body = |callback: &str| {
        format!(
            r#"{{"call_ids":[1],"token":"t","languages":["en"],"recording_side":"both","callback_url":"https://a/"{callback}}}"#
        )
    };
    let callback = |text: &str| parse(&body(text), &RULES).expect("valid input").callback.expect("a callback");
    let defaults = callback("");
    assert_eq!((defaults.url.as_str(), defaults.method), ("https://a/", CallbackMethod::Post));
    assert_eq!(defaults.template, Template::submission_default());
    let full = callback(r#","callback_method":"PUT","callback_data":"[\"{error}\"]""#);
    assert_eq!((full.method, full.template.text()), (CallbackMethod::Put, r#"["{error}"]"#));
    assert!(format!("{:?}", parse(&body(""), &RULES)).contains("https://a/"));
}

#[test]
fn reports_all_errors_of_a_callback() {
    let check = |url: &str| vec![Diagnostic::new(Location::default(), "not_public", Message::from(url))];
    let rules = SubmissionRules { callback_url: Some(&check), ..RULES };
    let text = r#"{"callback_url":"https://ü/","call_ids":[1],"callback_method":"post","token":"t","languages":["en"],
        "callback_data":"[\"ü {x}\", \"}\"]","recording_side":"both"}"#;
    let diagnostics = parse(text, &rules).expect_err("four errors");
    let unmatched = "expected `{` and the name of a placeholder before `}`, found none";
    assert_eq!(
        diagnostics.iter().map(format_diagnostic).collect::<Vec<_>>(),
        [
            "/callback_url not_public: https://ü/",
            "/callback_method not_permitted: expected POST or PUT, found \"post\" (did you mean `POST`?)",
            "/callback_data 4..7 unknown_placeholder: expected the name of a placeholder, found `x`",
            &format!("/callback_data 11..12 unmatched_brace: {unmatched} (write `}}}}` for a literal brace)"),
        ]
    );
    let ranges: Vec<_> = diagnostics.iter().map(|diagnostic| diagnostic.byte_range).collect();
    let sources: Vec<_> = ranges.iter().map(|range| &text[range.start..range.end]).collect();
    assert_eq!(sources, ["\"https://ü/\"", "\"post\"", "{x}", "}"]);
}

#[test]
fn callback_options_require_a_url() {
    let text = r#"{"call_ids":[1],"token":"t","languages":["en"],"recording_side":"both","callback_method":"PUT","callback_data":"[]"}"#;
    assert_eq!(
        error_lines(text, &RULES),
        [
            "/callback_method missing_value: requires `callback_url`",
            "/callback_data missing_value: requires `callback_url`",
        ]
    );
}

#[test]
fn rejects_bodies_without_an_object() {
    for (text, expected) in [
        ("", " empty_body: expected a JSON object, found an empty body"),
        (" \n", " empty_body: expected a JSON object, found an empty body"),
        ("null", " wrong_type: expected an object, found null"),
        ("[]", " wrong_type: expected an object, found an array"),
        ("\"secret\"", " wrong_type: expected an object, found a string"),
    ] {
        assert_eq!(error_lines(text, &RULES), [expected], "{text}");
    }
}

#[test]
fn reports_all_missing_fields() {
    assert_eq!(
        error_lines("{}", &RULES),
        [
            "/call_ids required: `call_ids` is required",
            "/token required: `token` is required",
            "/languages required: `languages` is required",
            "/recording_side required: `recording_side` is required",
        ]
    );
}

#[test]
fn each_rule_has_its_message() {
    let many_ids = format!("[{}]", (1..=1001).map(|id| id.to_string()).collect::<Vec<_>>().join(","));
    let cases: &[(&str, &str, &[&str])] = &[
        ("call_ids", "101", &["/call_ids wrong_type: expected an array of integers, found 101"]),
        ("call_ids", "{}", &["/call_ids wrong_type: expected an array of integers, found an object"]),
        ("call_ids", "[]", &["/call_ids too_few: expected 1 to 1000 call ids, found 0"]),
        ("call_ids", &many_ids, &["/call_ids too_many: expected 1 to 1000 call ids, found 1001"]),
        (
            "call_ids",
            r#"[0,-5,1.0,1e2,"7","x",null,true,[1],9223372036854775808,3]"#,
            &[
                "/call_ids/0 out_of_range: expected a whole number from 1 to 9223372036854775807, found 0",
                "/call_ids/1 out_of_range: expected a whole number from 1 to 9223372036854775807, found -5",
                "/call_ids/2 wrong_type: expected an integer, found 1.0",
                "/call_ids/3 wrong_type: expected an integer, found 1e2",
                "/call_ids/4 wrong_type: expected an integer, found a string (write 7 without quotes)",
                "/call_ids/5 wrong_type: \"x\" is not a whole number",
                "/call_ids/6 wrong_type: expected an integer, found null",
                "/call_ids/7 wrong_type: expected an integer, found true",
                "/call_ids/8 wrong_type: expected an integer, found an array",
                "/call_ids/9 out_of_range: expected a whole number from 1 to 9223372036854775807, found 9223372036854775808",
            ],
        ),
        ("token", "7", &["/token wrong_type: expected the token in a string, found a number"]),
        ("token", "\"\"", &["/token too_short: expected a token of 1 to 200 characters, found 0"]),
        (
            "token",
            "\"geheim nis\"",
            &["/token 6..7 invalid_token: the token can only contain visible ASCII characters"],
        ),
        ("token", "\"schlüssel\"", &["/token 4..5 invalid_token: the token can only contain visible ASCII characters"]),
        ("languages", "\"en\"", &["/languages wrong_type: expected an array of language codes, found a string"]),
        ("languages", "[]", &["/languages too_few: expected 1 to 3 languages, found 0"]),
        ("languages", r#"["en","de","fr","en"]"#, &["/languages too_many: expected 1 to 3 languages, found 4"]),
        (
            "languages",
            r#"["en_us","",1]"#,
            &[
                "/languages/0 invalid_language: expected a BCP 47 language code such as `en` or `pt-BR`, found \"en_us\" (did you mean `en-US`?)",
                "/languages/1 invalid_language: expected a BCP 47 language code such as `en` or `pt-BR`, found \"\"",
                "/languages/2 wrong_type: expected a language code in a string, found 1",
            ],
        ),
        (
            "callback_url",
            "null",
            &["/callback_url wrong_type: expected a string, found null (leave the field out instead)"],
        ),
        ("recording_side", "null", &["/recording_side wrong_type: expected a string, found null"]),
        (
            "recording_side",
            "\"Caller\"",
            &[
                "/recording_side not_permitted: expected caller, callee or both, found \"Caller\" (did you mean `caller`?)",
            ],
        ),
        (
            "recording_side",
            "\"left\"",
            &["/recording_side not_permitted: expected caller, callee or both, found \"left\""],
        ),
        ("min_duration", "0", &["/min_duration out_of_range: expected a whole number from 1 to 86400, found 0"]),
        (
            "min_duration",
            "86401",
            &["/min_duration out_of_range: expected a whole number from 1 to 86400, found 86401"],
        ),
        ("min_duration", "1.5", &["/min_duration wrong_type: 1.5 is not a whole number"]),
        (
            "min_duration",
            "null",
            &["/min_duration wrong_type: expected an integer, found null (leave the field out instead)"],
        ),
        (
            "from",
            "null",
            &["/from wrong_type: expected a date-time in a string, found null (leave the field out instead)"],
        ),
        ("from", "1714555800", &["/from wrong_type: expected a date-time in a string, found 1714555800"]),
        (
            "from",
            "\"2026-05-01\"",
            &[
                "/from 10..10 invalid_time: expected a time after the date, found the end (add a time: `2026-05-01 00:00:00`)",
            ],
        ),
        ("till", "\"2024-02-30 00:00:00\"", &["/till 8..10 no_such_time: 30 February 2024 doesn't exist"]),
        (
            "recording_sid",
            "\"both\"",
            &["/recording_sid unknown_key: a submission has no field `recording_sid` (did you mean `recording_side`?)"],
        ),
        ("a/b~c", "1", &["/a~1b~0c unknown_key: a submission has no field `a/b~c`"]),
    ];
    for (field, value, expected) in cases {
        assert_eq!(error_lines(&body(field, value), &RULES), *expected, "{field}: {value:.60}");
    }
}

#[test]
fn rejects_from_after_till() {
    let text = body("from", r#""2026-05-01 09:00:01","till":"2026-05-01 09:00:00""#);
    assert_eq!(error_lines(&text, &RULES), ["/till out_of_order: the end must not be before the start"]);
    assert!(parse(&body("from", r#""2026-05-01 09:00:00","till":"2026-05-01 09:00:00""#), &RULES).is_ok());
}

#[test]
fn reports_all_errors_with_positions() {
    let text = r#"{"languages":["en","d e"],"tokne":"secret","call_ids":[1,0],"from":"2026-05-01 25:00:00"}"#;
    let diagnostics = parse(text, &RULES).expect_err("the submission has many errors");
    let marked: Vec<String> = diagnostics
        .iter()
        .map(|diagnostic| {
            format!("{} `{}`", diagnostic.code, &text[diagnostic.byte_range.start..diagnostic.byte_range.end])
        })
        .collect();
    assert_eq!(
        marked,
        [
            "invalid_language `\"d e\"`",
            "unknown_key `\"tokne\"`",
            "out_of_range `0`",
            "no_such_time `25`",
            "required `{`",
            "required `{`",
        ]
    );
}

#[test]
fn rejects_duplicate_keys_and_broken_json() {
    let text = r#"{"call_ids":[1],"call_ids":[0],"token":"t","languages":["en"],"recording_side":"both",}"#;
    let codes: Vec<String> =
        parse(text, &RULES).expect_err(text).into_iter().map(|diagnostic| diagnostic.code).collect();
    assert!(codes.contains(&"duplicate_key".to_owned()), "{codes:?}");
    assert!(codes.contains(&"out_of_range".to_owned()), "{codes:?}");
    assert!(codes.contains(&"invalid_json".to_owned()), "{codes:?}");
}

#[test]
fn messages_never_contain_the_token() {
    for value in
        [r#""hunter2 hunter2""#, r#"["hunter2"]"#, r#"{"hunter2":1}"#, &format!("\"{}\"", "hunter2".repeat(40))]
    {
        let diagnostics = error_lines(&body("token", value), &RULES).join("\n");
        assert!(!diagnostics.contains("hunter2"), "{diagnostics}");
    }
    for text in [r#"{"token":hunter2}"#, r#"{"token":'hunter2'}"#, r#"{"token:"hunter2"}"#, r#"{"token":"x"hunter2"}"#]
    {
        let details: Vec<String> = parse(text, &RULES)
            .expect_err(text)
            .into_iter()
            .filter(|diagnostic| diagnostic.code == "invalid_json")
            .map(|diagnostic| serde_json::to_string(&(diagnostic.message, diagnostic.suggestion)).unwrap())
            .collect();
        assert!(!details.concat().contains("hunter2"), "{details:?}");
    }
    assert_eq!(
        error_lines(r#"{"call_ids":[1],"token":hunter2,"languages":["en"],"recording_side":"both"}"#, &RULES),
        [
            "/token invalid_json: expected a value, found a word without double quotes (write keys and strings in double quotes)"
        ]
    );
}

#[test]
fn reports_broken_values_once() {
    assert_eq!(
        error_lines(&body("recording_side", r#""bo\u0000th""#), &RULES),
        ["/recording_side nul_character: a string can't contain U+0000 (remove it; databases can't store it)"]
    );
}

#[test]
fn user_submissions_have_no_token() {
    let rules = SubmissionRules { token: TokenRule::Absent, languages: None, callback_url: None };
    let text = r#"{"call_ids":[1],"languages":["en"],"recording_side":"both"}"#;
    assert_eq!(parse(text, &rules).expect("a valid submission").token, "");
    assert_eq!(
        error_lines(&body("token", "\"secret\""), &rules),
        [
            "/token unknown_key: a submission has no field `token` (remove it; the URL of this request already names the token)"
        ]
    );
}

#[test]
fn rejects_unsupported_languages() {
    let available = ["en".to_owned(), "pt-BR".to_owned()];
    let rules = SubmissionRules { token: TokenRule::Required, languages: Some(&available), callback_url: None };
    for code in ["en", "EN", "en-GB", "pt-br"] {
        assert!(parse(&body("languages", &format!("[\"{code}\"]")), &rules).is_ok(), "{code}");
    }
    let diagnostics = parse(&body("languages", r#"["en","pt","xx"]"#), &rules).expect_err("two are unknown");
    assert_eq!(
        diagnostics.iter().map(format_diagnostic).collect::<Vec<_>>(),
        [
            "/languages/1 unsupported_language: the recognizer doesn't support the language `pt` (did you mean `pt-BR`?)",
            "/languages/2 unsupported_language: the recognizer doesn't support the language `xx`",
        ]
    );
    assert_eq!(diagnostics[1].permitted, available);
}

proptest! {
    #[test]
    fn never_panics_and_reports_valid_positions(text in "\\PC{0,60}|\\{\"(call_ids|languages|token|from)\":[\\[\\]0-9a-z\",. -]{0,30}\\}") {
        if let Err(diagnostics) = parse(&text, &RULES) {
            prop_assert!(!diagnostics.is_empty());
            for diagnostic in diagnostics {
                prop_assert!(text.get(diagnostic.byte_range.start..diagnostic.byte_range.end).is_some(), "{:?}", diagnostic);
            }
        }
    }

    #[test]
    fn deduplicates_ids_in_order(ids in prop::collection::vec(1_i64..20, 1..40)) {
        let submission = parse(&body("call_ids", &format!("{ids:?}")), &RULES).expect("the ids are valid");
        let mut expected: Vec<CallId> = Vec::new();
        for id in ids.into_iter().map(CallId) {
            if !expected.contains(&id) {
                expected.push(id);
            }
        }
        prop_assert_eq!(submission.call_ids, expected);
    }
}
