//! Tests every message of the filter language word for word, including its position in the text.

use super::*;
use crate::diagnostic::{Diagnostic, Location};

/// Formats a diagnostic as `{wrong bytes} @ {location}{[characters]} {code}: {detail} ({hint})`.
fn format_diagnostic(text: &str, diagnostic: &Diagnostic) -> String {
    let location = match &diagnostic.location {
        Location::Pointer(location) | Location::Parameter(location) | Location::Column(location) => location,
    };
    let span = diagnostic.span.map(|span| format!("[{}..{}]", span.start, span.end)).unwrap_or_default();
    format!(
        "{} @ {location}{span} {}: {}",
        &text[diagnostic.byte_range.start..diagnostic.byte_range.end],
        diagnostic.code,
        diagnostic.summary()
    )
}

pub(super) fn error_lines(text: &str) -> Vec<String> {
    match parse_and_check(text, &Limits::default()) {
        Ok(filter) => panic!("{text} is a filter: {filter:?}"),
        Err(diagnostics) => diagnostics.iter().map(|diagnostic| format_diagnostic(text, diagnostic)).collect(),
    }
}

/// Asserts that the text has exactly this diagnostic.
#[track_caller]
pub(super) fn assert_error(text: &str, expected: &str) {
    assert_eq!(error_lines(text), [expected], "{text}");
}

#[track_caller]
pub(super) fn assert_parameter_error(pairs: &[(&str, &str)], expected: &str) {
    let pairs: Vec<(String, String)> = pairs.iter().map(|(key, value)| ((*key).into(), (*value).into())).collect();
    let diagnostics = parse_pairs(&pairs, &Limits::default()).unwrap_err();
    let lines: Vec<String> = diagnostics.iter().map(|diagnostic| format_diagnostic("", diagnostic)).collect();
    assert_eq!(lines, [expected], "{pairs:?}");
    assert!(diagnostics.iter().all(|diagnostic| matches!(diagnostic.location, Location::Parameter(_))));
}

#[test]
fn reports_invalid_filters() {
    let empty = "empty_filter: expected a filter with at least one key, found none \
                 (to list all leads, send {\"limit\":\"200;0\"})";
    for text in ["", " \n", "null", "[]", "{}", "{ }", " [ ] "] {
        assert_error(text, &format!("{} @  {empty}", text.trim()));
    }
    assert_error("7", "7 @  wrong_type: expected a filter in an object, found a number");
    assert_error("[7]", "[7] @  wrong_type: expected a filter in an object, found an array");
    assert_error("\"id\"", "\"id\" @  wrong_type: expected a filter in an object, found a string");
    assert_error("{\"id\":7", " @  invalid_json: expected `}`, found the end of the text");
    assert_error("{", " @  invalid_json: expected `}`, found the end of the text");
    let text = r#"{"id":1,"id":2}"#;
    assert_error(text, r#""id" @ /id duplicate_key: the key `id` is repeated (keep only one of them)"#);
    let conditions: Vec<String> = (0..=MAX_CONDITIONS).map(|n| format!("\"custom.f{n}\":1")).collect();
    assert_error(
        &format!("{{{}}}", conditions.join(",")),
        "\"custom.f200\" @ /custom.f200 too_many: expected at most 200 conditions, found more \
         (one array can hold many values of a field)",
    );
}

#[test]
fn reports_invalid_keys() {
    assert_error(
        r#"{"frist_name":"Ann"}"#,
        r#""frist_name" @ /frist_name unknown_key: expected a field of leads or campaign leads, found `frist_name` (did you mean `first_name`?)"#,
    );
    assert_error(
        r#"{"colour":"red"}"#,
        r#""colour" @ /colour unknown_key: expected a field of leads or campaign leads, found `colour` (write a custom field as `custom.colour`)"#,
    );
    assert_error(
        r#"{"Limit":"5;0"}"#,
        r#""Limit" @ /Limit unknown_key: expected a field of leads or campaign leads, found `Limit` (did you mean `limit`?)"#,
    );
    for (key, suggestion) in [("any", "_or"), ("OR", "_or"), ("all", "_and"), ("$and", "_and"), ("order_by", "_order")]
    {
        let diagnostics =
            parse_and_check(&format!(r#"{{"{key}":[{{"city":"Bonn"}}]}}"#), &Limits::default()).unwrap_err();
        let hint = diagnostics[0].suggestion.as_ref().map(ToString::to_string);
        assert_eq!(hint.as_deref(), Some(format!("did you mean `{suggestion}`?").as_str()), "{key}");
    }
    assert_error(
        r#"{"_ordr":"id"}"#,
        r#""_ordr" @ /_ordr unknown_key: expected a control, found `_ordr` (did you mean `_order`?)"#,
    );
    let diagnostics = parse_and_check(r#"{"_ordr":"id"}"#, &Limits::default()).unwrap_err();
    assert_eq!(diagnostics[0].permitted, ["limit", "_order", "_cursor", "_fields", "_campaigns"]);
    assert_error(
        r#"{"custom.":1}"#,
        r#""custom." @ /custom. unknown_key: expected 1 to 100 characters after `custom.`, found 0"#,
    );
    assert_error(
        r#"{"a/~b":1}"#,
        r#""a/~b" @ /a~1~0b unknown_key: expected a field of leads or campaign leads, found `a/~b` (write a custom field as `custom.a/~b`)"#,
    );
}

#[test]
fn never_coerces_values() {
    assert_error(
        r#"{"id":"123"}"#,
        r#""123" @ /id wrong_type: expected an integer, found "123" (write 123 without quotes)"#,
    );
    assert_error(r#"{"id":1.0}"#, "1.0 @ /id wrong_type: expected an integer, found 1.0 (write 1)");
    assert_error(r#"{"id":1e2}"#, "1e2 @ /id wrong_type: expected an integer, found 1e2 (write 100)");
    assert_error(r#"{"id":1.5}"#, "1.5 @ /id wrong_type: 1.5 is not a whole number");
    assert_error(r#"{"id":true}"#, "true @ /id wrong_type: expected an integer, found true");
}

#[test]
fn reports_all_errors_in_text_order() {
    assert_eq!(
        error_lines(r#"{"id":[1,"2",{}],"nope":1,"limit":5,"city":7}"#),
        [
            r#""2" @ /id/1 wrong_type: expected an integer, found "2" (write 2 without quotes)"#,
            "{} @ /id/2 wrong_type: expected a plain value in the array, found an object",
            r#""nope" @ /nope unknown_key: expected a field of leads or campaign leads, found `nope` (write a custom field as `custom.nope`)"#,
            r#"5 @ /limit wrong_type: expected a string "<count>;<offset>", found a number (write "5")"#,
            r#"7 @ /city wrong_type: expected a string, found 7 (write it in double quotes: "7")"#,
        ]
    );
}

#[test]
fn reports_invalid_values() {
    assert_error(
        r#"{"id":9223372036854775808}"#,
        "9223372036854775808 @ /id out_of_range: expected a whole number from -9223372036854775808 to 9223372036854775807, found 9223372036854775808",
    );
    assert_error(
        r#"{"lat":1e999}"#,
        "1e999 @ /lat out_of_range: expected a number that a 64-bit floating-point number can hold, found 1e999",
    );
    assert_error(
        r#"{"city":true}"#,
        r#"true @ /city wrong_type: expected a string, found true (write it in double quotes: "true")"#,
    );
    assert_error(
        r#"{"do_not_call":"yes"}"#,
        r#""yes" @ /do_not_call wrong_type: expected `true` or `false`, found "yes" (write true without quotes)"#,
    );
    assert_error(
        r#"{"do_not_call":0}"#,
        "0 @ /do_not_call wrong_type: expected `true` or `false`, found 0 (write false)",
    );
    assert_error(
        r#"{"lat":"north"}"#,
        r#""north" @ /lat wrong_type: expected a number, found "north" (write a number such as 5, or an expression such as `5;>`)"#,
    );
    assert_error(
        r#"{"created_at":20260501}"#,
        r#"20260501 @ /created_at wrong_type: expected a date-time in a string, found 20260501 (write it like "2026-05-01 09:30:00")"#,
    );
    assert_error(
        r#"{"last_call_status":"no answer"}"#,
        r#""no answer" @ /last_call_status not_permitted: expected answered, no_answer, busy or failed, found "no answer" (did you mean `no_answer`?)"#,
    );
    let long = format!(r#"{{"city":"{}"}}"#, "ü".repeat(MAX_TEXT_CHARS + 1));
    assert!(error_lines(&long)[0].ends_with("@ /city too_long: expected at most 1000 characters, found 1001"));
    assert!(parse_and_check(&long.replacen('ü', "", 1), &Limits::default()).is_ok(), "maximum length");
    let many = format!(r#"{{"id":[{}1]}}"#, "1,".repeat(MAX_LIST_VALUES));
    assert!(error_lines(&many)[0].ends_with("@ /id too_many: expected at most 10000 values in an array, found 10001"));
    assert!(parse_and_check(&many.replacen("1,", "", 1), &Limits::default()).is_ok(), "maximum count");
    assert_error(
        r#"{"city":"a\u0000"}"#,
        r"\u0000 @ /city nul_character: a string can't contain U+0000 (remove it; databases can't store it)",
    );
}

#[test]
fn rejects_blanks_that_no_value_contains() {
    let expected_message =
        |field: &str| format!("space_in_value: expected a value for `{field}` without a space at this position, found");
    for (key, value, field, at) in [
        ("phone_normalized", " 493023125123", "phone_normalized", "[0..1]"),
        ("phone_normalized2[not]", " 49", "phone_normalized2", "[0..1]"),
        ("phone_normalized[starts_with]", " 49", "phone_normalized", "[0..1]"),
        ("phone_normalized[contains]", "30 23", "phone_normalized", "[2..3]"),
        ("phone_normalized[gte]", " 49", "phone_normalized", "[0..1]"),
        ("phone_normalized[in]", " 49", "phone_normalized", "[0..1]"),
        ("email", "ada news@example.com", "email", "[3..4]"),
        ("email[ends_with]", " news@example.com", "email", "[0..1]"),
        ("timezone", "Etc/GMT 5", "timezone", "[7..8]"),
        ("phone", " 493023125123", "phone", "[0..1]"),
        ("phone2[starts_with]", " 49", "phone2", "[0..1]"),
    ] {
        let parameter = if key.ends_with("[in]") { "phone_normalized[in]" } else { key };
        assert_parameter_error(&[(key, value)], &format!(" @ {parameter}{at} {} {value:?}", expected_message(field)));
    }
    let diagnostics = error_lines(r#"{"email":["a@b.c","a b@c.d"]}"#);
    assert_eq!(diagnostics, [format!("  @ /email/1[1..2] {} \"a b@c.d\"", expected_message("email"))]);
    for filter in [r#"{"phone":"030 23125123"}"#, r#"{"phone":{"contains":" 30"}}"#, r#"{"city":" x"}"#] {
        parse_and_check(filter, &Limits::default()).expect("a text that values can contain");
    }
}

#[test]
fn reports_invalid_times() {
    let diagnostics = parse_and_check(r#"{"created_at":"2026-05-01"}"#, &Limits::default()).unwrap_err();
    assert_eq!(diagnostics[0].suggestion.as_ref().unwrap().to_string(), "add a time: `2026-05-01 00:00:00`");
    // The messages come from `time`. This test checks that they point to the right characters.
    for (text, wrong_part) in [
        (r#"{"updated_at":"2026-05-01 00:00:00;>|2026-02-30 00:00:00;<"}"#, "30"),
        (r#"{"updated_at":"2026-05-01 25:00:00"}"#, "25"),
        (r#"{"updated_at":["2026-05-01 25:00:00"]}"#, "25"),
        (r#"{"updated_at":{"gt":"2026-05-01 00:61:00"}}"#, "61"),
        (r#"{"updated_at":"2026\u002d02-30 00:00:00;<"}"#, "30"),
        (r#"{"birthdate":"1990-13-01;<"}"#, "13"),
    ] {
        let diagnostics = parse_and_check(text, &Limits::default()).unwrap_err();
        assert_eq!(diagnostics.len(), 1, "{diagnostics:?}");
        assert_eq!(
            &text[diagnostics[0].byte_range.start..diagnostics[0].byte_range.end],
            wrong_part,
            "{diagnostics:?}"
        );
        assert!(diagnostics[0].code.ends_with("_time"), "{diagnostics:?}");
    }
}

#[test]
fn reports_invalid_expressions() {
    let operators = "expected an operator (>, <, >=, <=, = or !=)";
    for (symbol, suggestion) in
        [("=>", ">="), ("=<", "<="), ("==", "="), ("<>", "!="), ("gt", ">"), (" >", ">"), ("NOT", "!=")]
    {
        assert_error(
            &format!(r#"{{"calls_count":"5;{symbol}"}}"#),
            &format!(
                "{symbol} @ /calls_count[2..{}] invalid_expression: {operators}, found `{symbol}` (did you mean `{suggestion}`?)",
                2 + symbol.len()
            ),
        );
    }
    assert_error(
        r#"{"calls_count":"5;>|3"}"#,
        "3 @ /calls_count[4..5] invalid_expression: expected `<value>;<operator>`, found `3` (add an operator: `;>`, `;<`, `;>=`, `;<=`, `;=` or `;!=`)",
    );
    assert_error(
        r#"{"calls_count":"5;"}"#,
        &format!("; @ /calls_count[1..2] invalid_expression: {operators}, found none"),
    );
    assert_error(
        r#"{"calls_count":";>"}"#,
        ";> @ /calls_count[0..2] invalid_expression: expected a value before `;`, found none",
    );
    assert_error(
        r#"{"calls_count":"5.0;>"}"#,
        "5.0 @ /calls_count[0..3] invalid_expression: expected an integer, found `5.0`",
    );
    assert_error(r#"{"lat":"north;>"}"#, "north @ /lat[0..5] invalid_expression: expected a number, found `north`");
    assert_error(r#"{"lat":"05;>"}"#, "05 @ /lat[0..2] invalid_expression: expected a number, found `05`");
    assert_error(
        r#"{"calls_count":"99999999999999999999;>"}"#,
        "99999999999999999999 @ /calls_count[0..20] out_of_range: expected a whole number from -9223372036854775808 to 9223372036854775807, found 99999999999999999999",
    );
    assert_error(
        r#"{"calls_count":"1;>|9;<|5;!=|6;!="}"#,
        "5;!=|6;!= @ /calls_count[8..17] invalid_expression: expected at most two expressions joined by `|`, found 4 \
         (use operators for more conditions on one field: `gte`, `not`)",
    );
    assert_error(
        r#"{"calls_count":[1,"5;>"]}"#,
        ";> @ /calls_count/1[1..3] invalid_expression: expected plain values in a list, found an expression \
         (a list can't contain expressions; use operators for several conditions on one field)",
    );
    assert_error(
        r#"{"calls_count":{"gt":"5;>"}}"#,
        ";> @ /calls_count/gt[1..3] invalid_expression: expected a plain value for `gt`, found an expression \
         (remove `;` and what follows; the operator comes before the value)",
    );
}

#[test]
fn reports_invalid_operators() {
    let diagnostics = parse_and_check(r#"{"city":{}}"#, &Limits::default()).unwrap_err();
    assert_eq!(diagnostics[0].message, "expected at least one operator in the object, found none");
    assert_eq!(diagnostics[0].permitted.len(), Operator::ALL.len());
    for (operator_name, suggestion) in
        [("contians", "contains"), (">=", "gte"), ("ne", "not"), ("is_null", "null"), ("like", "contains")]
    {
        assert_error(
            &format!(r#"{{"city":{{"{operator_name}":"x"}}}}"#),
            &format!(
                "\"{operator_name}\" @ /city/{operator_name} unknown_operator: expected an operator, found `{operator_name}` (did you mean `{suggestion}`?)"
            ),
        );
    }
    assert_error(
        r#"{"id":{"contains":"7"}}"#,
        r#""contains" @ /id/contains operator_not_applicable: expected an operator for `id` (eq, not, in, gt, gte, lt, lte or null), found `contains`"#,
    );
    assert_error(
        r#"{"do_not_call":{"gt":true}}"#,
        r#""gt" @ /do_not_call/gt operator_not_applicable: expected an operator for `do_not_call` (eq, not, in or null), found `gt`"#,
    );
    assert_error(
        r#"{"city":{"in":"Bonn"}}"#,
        r#""Bonn" @ /city/in wrong_type: expected an array for `in`, found "Bonn" (write ["Bonn"])"#,
    );
    assert_error(r#"{"id":{"gt":[1]}}"#, "[1] @ /id/gt wrong_type: expected a single value for `gt`, found an array");
    assert_error(r#"{"id":{"gt":null}}"#, "null @ /id/gt wrong_type: expected a single value for `gt`, found null");
    assert_error(
        r#"{"id":{"gt":"5"}}"#,
        r#""5" @ /id/gt wrong_type: expected an integer, found "5" (write 5 without quotes)"#,
    );
    assert_error(
        r#"{"email":{"null":"true"}}"#,
        r#""true" @ /email/null wrong_type: expected `true` or `false` for `null`, found "true""#,
    );
    assert_error(
        r#"{"city":{"contains":7}}"#,
        r#"7 @ /city/contains wrong_type: expected a string, found 7 (write it in double quotes: "7")"#,
    );
    assert_error(
        r#"{"custom.score":{"gt":true}}"#,
        "true @ /custom.score/gt wrong_type: expected a string or a number, found true",
    );
    assert_error(
        r#"{"city":{"eq":{"eq":1}}}"#,
        r#"{"eq":1} @ /city/eq wrong_type: expected a value or an array for the operator, found an object"#,
    );
}

#[test]
fn reports_invalid_groups() {
    assert_error(
        r#"{"_or":[]}"#,
        r#"[] @ /_or empty_group: expected at least one branch in `_or`, found none (a group is written {"_or":[{"city":"Bonn"},{"state":"CA"}]})"#,
    );
    assert_error(
        r#"{"_or":[{"id":1},{}]}"#,
        "{} @ /_or/1 empty_group: expected at least one condition in a branch, found none",
    );
    assert_error(r#"{"_or":{"id":1}}"#, r#"{"id":1} @ /_or wrong_type: expected an array of objects, found an object"#);
    assert_error(
        r#"{"_and":[{"id":1},7]}"#,
        "7 @ /_and/1 wrong_type: expected an object of conditions, found a number",
    );
    assert_error(
        r#"{"_or":[{"id":1,"limit":"5;0"}]}"#,
        r#""limit" @ /_or/0/limit misplaced_control: expected conditions in a branch, found the control `limit` (put `limit` at the top of the filter)"#,
    );
    assert_error(
        r#"{"_or":[{"citi":"x"}]}"#,
        r#""citi" @ /_or/0/citi unknown_key: expected a field of leads or campaign leads, found `citi` (did you mean `city`?)"#,
    );
    let nested = (0..=MAX_GROUP_DEPTH).fold(r#"{"id":1}"#.to_owned(), |inner, _| format!(r#"{{"_or":[{inner}]}}"#));
    assert_error(
        &nested,
        r#""_or" @ /_or/0/_or/0/_or/0/_or/0/_or too_deep: expected at most 4 nested groups, found more"#,
    );
}

#[test]
fn reports_invalid_limits() {
    let form = r#"(the first 200 are `200;0`, the next 200 are `200;200`)"#;
    assert_error(
        r#"{"limit":"1;2;3"}"#,
        &format!(
            r#""1;2;3" @ /limit invalid_limit: expected `<count>` or `<count>;<offset>` in plain digits, found "1;2;3" {form}"#
        ),
    );
    assert_error(
        r#"{"limit":"5;-1"}"#,
        "-1 @ /limit[2..4] invalid_limit: expected the offset in plain digits, found `-1`",
    );
    assert_error(r#"{"limit":";0"}"#, " @ /limit[0..0] invalid_limit: expected the count in plain digits, found none");
    assert_error(
        r#"{"limit":"1001;0"}"#,
        "1001 @ /limit[0..4] out_of_range: expected a count from 0 to 1000, found `1001`",
    );
    assert_error(
        r#"{"limit":"5;1000000001"}"#,
        "1000000001 @ /limit[2..12] out_of_range: expected an offset from 0 to 1000000000, found `1000000001` (use `_cursor` to page through many leads)",
    );
    for limit in ["", ";", "10;", "+1;0", "-1;0", " 10;0", "10; 0", "1e2;0", "10,0", "٣;0", "99999999999999999999;0"] {
        let lines = error_lines(&format!(r#"{{"limit":"{limit}"}}"#));
        assert!(lines.iter().all(|line| line.contains(" @ /limit")), "{lines:?}");
    }
    assert_error(
        r#"{"limit":null}"#,
        r#"null @ /limit wrong_type: expected a string "<count>;<offset>", found null (write "200;0")"#,
    );
}

#[test]
fn reports_other_invalid_controls() {
    assert_error(
        r#"{"_order":"-updatd_at"}"#,
        "updatd_at @ /_order[1..10] unknown_field: expected a field of the lead, found `updatd_at` (did you mean `updated_at`?)",
    );
    assert_error(
        r#"{"_order":["id","status"]}"#,
        "status @ /_order/1[0..6] not_orderable: expected a field of the lead, found `status` (leads can't be sorted by campaign fields, because a lead may be in several campaigns)",
    );
    assert_error(r#"{"_order":["city","-city"]}"#, r#""-city" @ /_order/1 duplicate_key: `_order` repeats `city`"#);
    assert_error(
        r#"{"_order":["id","city","zip","state","email","phone"]}"#,
        r#"["id","city","zip","state","email","phone"] @ /_order too_many: expected at most 5 fields in `_order`, found 6"#,
    );
    assert_error(r#"{"_order":7}"#, "7 @ /_order wrong_type: expected a string or an array of strings, found a number");
    assert_error(
        r#"{"_fields":"city"}"#,
        r#""city" @ /_fields wrong_type: expected an array of strings, found a string (write ["first_name","phone"])"#,
    );
    assert_error(
        r#"{"_fields":["id","campaign"]}"#,
        r#""campaign" @ /_fields/1 unknown_field: expected a member of the returned leads, found `campaign` (did you mean `campaigns`?)"#,
    );
    assert_error(
        r#"{"_fields":["custom.a"]}"#,
        r#""custom.a" @ /_fields/0 unknown_field: expected a member of the returned leads, found `custom.a` (custom fields are only returned together: `custom_fields`)"#,
    );
    assert_error(
        r#"{"_campaigns":"any"}"#,
        r#""any" @ /_campaigns not_permitted: expected matching or all, found "any" (did you mean `all`?)"#,
    );
    let hint =
        "(send `next_cursor` of the previous page with the same `_order`, or an empty cursor for the first page)";
    for damaged in ["x", "eyJhIjoxfQ", "WyJpZCJd", "WyJpZCIsIngiXQ", "WyJpZCIsMSwyXQ", "äöü"] {
        assert_error(
            &format!(r#"{{"_cursor":"{damaged}"}}"#),
            &format!("\"{damaged}\" @ /_cursor invalid_cursor: the cursor is invalid {hint}"),
        );
    }
    let order = [predicate::OrderKey { field: fields::FieldId::Id, descending: false }];
    let cursor = cursor::encode(&order, &[Some(predicate::Value::Integer(7))]);
    assert_error(
        &format!(r#"{{"_order":"-id","_cursor":"{cursor}"}}"#),
        &format!("\"{cursor}\" @ /_cursor invalid_cursor: the cursor belongs to another sort order {hint}"),
    );
    // No store has times before the year 1.
    let order =
        [fields::FieldId::CreatedAt, fields::FieldId::Id].map(|field| predicate::OrderKey { field, descending: false });
    let long_ago = crate::api::Timestamp::from_timestamp_micros(-8_000_000_000_000_000_000).map(predicate::Value::Time);
    let cursor = cursor::encode(&order, &[long_ago, Some(predicate::Value::Integer(7))]);
    assert_error(
        &format!(r#"{{"_order":"created_at","_cursor":"{cursor}"}}"#),
        &format!("\"{cursor}\" @ /_cursor invalid_cursor: the cursor is invalid {hint}"),
    );
    assert_error(
        r#"{"_cursor":"","limit":"5;1"}"#,
        r#""5;1" @ /limit cursor_with_offset: `_cursor` requires the offset 0 (the cursor already sets where the page starts)"#,
    );
}

#[test]
fn reports_invalid_parameters() {
    assert_parameter_error(
        &[("id", "x")],
        " @ id wrong_type: \"x\" is not a whole number (write a number such as 5, or an expression such as `5;>`)",
    );
    assert_parameter_error(&[("id", "1"), ("id", "1.0")], " @ id wrong_type: expected an integer, found 1.0 (write 1)");
    assert_parameter_error(
        &[("email[contians]", "x")],
        " @ email[contians] unknown_operator: expected an operator, found `contians` (did you mean `contains`?)",
    );
    assert_parameter_error(
        &[("calls_count", "5;>|3;>>")],
        " @ calls_count[6..8] invalid_expression: expected an operator (>, <, >=, <=, = or !=), found `>>`",
    );
    assert_parameter_error(
        &[("limit", "5;x")],
        " @ limit[2..3] invalid_limit: expected the offset in plain digits, found `x`",
    );
    assert_parameter_error(
        &[("limit", "5;0"), ("limit", "6;0")],
        " @ limit duplicate_key: `limit` is repeated (keep only one of them)",
    );
    assert_parameter_error(
        &[("_or", "[]")],
        " @ _or not_available: expected a field or a control, found the group `_or` (groups need a JSON body: PUT /api/leads/extended-data)",
    );
    assert_parameter_error(
        &[("_order", "city,nme")],
        " @ _order[0..3] unknown_field: expected a field of the lead, found `nme`",
    );
    assert_parameter_error(
        &[("city", "a\0b")],
        " @ city[1..2] nul_character: a string can't contain U+0000 (remove it; databases can't store it)",
    );
}

#[test]
fn bounds_the_cost_of_hostile_input() {
    // These inputs once took minutes, or all memory.
    let keys: Vec<String> = (0..60_000).map(|n| format!("\"fiel{n}\":1")).collect();
    assert_eq!(error_lines(&format!("{{{}}}", keys.join(","))).len(), json::MAX_DIAGNOSTICS);
    assert_eq!(error_lines(&format!("{{\"{}\":1}}", "first_name".repeat(100_000))).len(), 1);
    assert_eq!(error_lines(&format!("{{\"id\":[{}1]}}", "\"x\",".repeat(9_000))).len(), json::MAX_DIAGNOSTICS);
    assert_eq!(
        error_lines(&format!("{{\"city\":{{{}}}}}", vec!["\"x\":1"; 100_000].join(","))).len(),
        json::MAX_DIAGNOSTICS
    );
    assert_eq!(error_lines(&format!("{{\"limit\":\"{}\"}}", "9;".repeat(400_000))).len(), 1);
    let key = "k".repeat(800_000);
    for text in ["x,", "[],"] {
        let diagnostics =
            parse_and_check(&format!("{{\"{key}\":[{}1]}}", text.repeat(200)), &Limits::default()).unwrap_err();
        assert_eq!(diagnostics.len(), json::MAX_DIAGNOSTICS);
        let debug_length: usize = diagnostics.iter().map(|diagnostic| format!("{diagnostic:?}").len()).sum();
        assert!(debug_length < 100_000, "{debug_length}");
    }
}
