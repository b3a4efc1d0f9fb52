//! Tests the conversion of filters to form rows and back.

use super::ast::Filter;
use super::form::Row;
use super::parts::{Part, Says};
use super::*;

/// Returns the rows of a filter that consists of rows only.
fn rows_of(filter: &Filter) -> Option<Vec<Row>> {
    let row = |part: Part<String>| match part.says {
        Says::Row(row) => Some(row),
        Says::Group(..) | Says::Kept(_) => None,
    };
    parts::read(filter).into_iter().map(row).collect()
}

fn to_filter(rows: &[Row], keep: &Filter) -> Filter {
    let parts: Vec<_> = rows.iter().map(|row| Part { mark: (), says: Says::Row(row.clone()) }).collect();
    parts::write(&parts, keep).filter
}

#[track_caller]
fn form_says(text: &str, rows: &[(&str, Operator, &[&str])]) {
    let tree = parse(text).tree;
    let found = rows_of(&tree).unwrap();
    let shown: Vec<(&str, Operator, Vec<&str>)> = found
        .iter()
        .map(|row| (row.key.as_str(), row.operator, row.values.iter().map(String::as_str).collect()))
        .collect();
    let expected: Vec<_> = rows.iter().map(|(key, operator, values)| (*key, *operator, values.to_vec())).collect();
    assert_eq!(shown, expected, "{text}");
    let back = to_filter(&found, &tree);
    assert_eq!(check(&back, &Limits::default()), read(text, &Limits::default()), "{}", print(&back));
    assert_eq!(rows_of(&back).unwrap(), found);
}

#[test]
fn text_typed_as_expression_stays_a_value() {
    let row = Row { key: "calls_count".to_owned(), operator: Operator::Gt, values: vec!["2;<".to_owned()] };
    let written = print(&to_filter(&[row], &Filter::default()));
    assert_eq!(written, r#"{"calls_count":{"gt":"2;<"}}"#);
}

#[test]
fn form_is_equivalent_to_the_text() {
    use Operator::{Contains, Eq, Gt, Gte, In, Lt, Not, Null};
    form_says(r#"{"id":7,"limit":"5;0"}"#, &[("id", Eq, &["7"])]);
    form_says(r#"{"status":["new","busy"]}"#, &[("status", In, &["new", "busy"])]);
    form_says(r#"{"email":null,"city":{"null":false}}"#, &[("email", Null, &["true"]), ("city", Null, &["false"])]);
    form_says(r#"{"calls_count":"2;>=|5;<"}"#, &[("calls_count", Gte, &["2"]), ("calls_count", Lt, &["5"])]);
    form_says(
        r#"{"calls_count":{"gt":2,"lt":5,"not":[3,4]}}"#,
        &[("calls_count", Gt, &["2"]), ("calls_count", Lt, &["5"]), ("calls_count", Not, &["3", "4"])],
    );
    form_says(
        r#"{"custom.a":7,"custom.b":"7","custom.c":"x","custom.d":"\"x\""}"#,
        &[
            ("custom.a", Eq, &["7"]),
            ("custom.b", Eq, &["\"7\""]),
            ("custom.c", Eq, &["x"]),
            ("custom.d", Eq, &[r#""\"x\"""#]),
        ],
    );
    form_says(
        r#"{"city":{"contains":"a"},"_and":[{"city":{"contains":"b"}}]}"#,
        &[("city", Contains, &["a"]), ("city", Contains, &["b"])],
    );
    for beyond in [
        r#"{"_or":[{"id":1}]}"#,
        r#"{"status":[]}"#,
        r#"{"city":["x",null]}"#,
        r#"{"city":["x",""]}"#,
        r#"{"calls_count":"2;>|5;>"}"#,
        r#"{"ctiy":"x"}"#,
        r#"{"city":{"like":"x"}}"#,
        r#"{"city":"#,
    ] {
        assert_eq!(rows_of(&parse(beyond).tree), None, "{beyond}");
    }
}

#[test]
fn form_writes_the_documented_syntax() {
    let row = |key: &str, operator, values: &[&str]| form::Row {
        key: key.to_owned(),
        operator,
        values: values.iter().map(|value| (*value).to_owned()).collect(),
    };
    let keep = parse(r#"{"limit":"5;0"}"#).tree;
    let rows = [
        row("created_at", Operator::Gt, &["2026-05-01 00:00:00"]),
        row("zip", Operator::Eq, &["01234"]),
        row("created_at", Operator::Lte, &["2026-06-01 00:00:00"]),
        row("id", Operator::Eq, &["x"]),
        row("city", Operator::Contains, &[]),
    ];
    let filter = to_filter(&rows, &keep);
    assert_eq!(
        print(&filter),
        r#"{"created_at":"2026-05-01 00:00:00;>|2026-06-01 00:00:00;<=","zip":"01234","id":"x","limit":"5;0"}"#
    );
    assert_eq!(
        print_pretty(&parse(r#"{"id":[1,2],"_or":[{"city":{"not":"x"}}]}"#).tree),
        "{\n  \"id\": [1, 2],\n  \"_or\": [\n    {\n      \"city\": {\"not\": \"x\"}\n    }\n  ]\n}"
    );
}
