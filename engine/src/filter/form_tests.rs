//! Tests the conversion of filters to form rows and back.

use super::ast::SyntaxTree;
use super::form::FormRow;
use super::form_tree::{FormNode, NodeContent};
use super::*;

/// Returns the rows of a filter that consists of rows only.
fn rows_of(filter: &SyntaxTree) -> Option<Vec<FormRow>> {
    let to_row = |part: FormNode<String>| match part.content {
        NodeContent::Row(row) => Some(row),
        NodeContent::Group(..) | NodeContent::Raw(_) => None,
    };
    form_tree::nodes_from_filter(filter).into_iter().map(to_row).collect()
}

fn to_filter(rows: &[FormRow], keep: &SyntaxTree) -> SyntaxTree {
    let parts: Vec<_> = rows.iter().map(|row| FormNode { id: (), content: NodeContent::Row(row.clone()) }).collect();
    form_tree::filter_from_nodes(&parts, keep).filter
}

#[track_caller]
fn assert_rows(text: &str, rows: &[(&str, Operator, &[&str])]) {
    let tree = parse(text).tree;
    let form_rows = rows_of(&tree).unwrap();
    let found_rows: Vec<(&str, Operator, Vec<&str>)> = form_rows
        .iter()
        .map(|row| (row.key.as_str(), row.operator, row.values.iter().map(String::as_str).collect()))
        .collect();
    let expected: Vec<_> = rows.iter().map(|(key, operator, values)| (*key, *operator, values.to_vec())).collect();
    assert_eq!(found_rows, expected, "{text}");
    let round_trip = to_filter(&form_rows, &tree);
    assert_eq!(
        check(&round_trip, &Limits::default()),
        parse_and_check(text, &Limits::default()),
        "{}",
        print(&round_trip)
    );
    assert_eq!(rows_of(&round_trip).unwrap(), form_rows);
}

#[test]
fn expression_in_form_value_stays_text() {
    let row = FormRow { key: "calls_count".to_owned(), operator: Operator::Gt, values: vec!["2;<".to_owned()] };
    let printed = print(&to_filter(&[row], &SyntaxTree::default()));
    assert_eq!(printed, r#"{"calls_count":{"gt":"2;<"}}"#);
}

#[test]
fn form_is_equivalent_to_the_text() {
    use Operator::{Contains, Eq, Gt, Gte, In, Lt, Not, Null};
    assert_rows(r#"{"id":7,"limit":"5;0"}"#, &[("id", Eq, &["7"])]);
    assert_rows(r#"{"status":["new","busy"]}"#, &[("status", In, &["new", "busy"])]);
    assert_rows(r#"{"email":null,"city":{"null":false}}"#, &[("email", Null, &["true"]), ("city", Null, &["false"])]);
    assert_rows(r#"{"calls_count":"2;>=|5;<"}"#, &[("calls_count", Gte, &["2"]), ("calls_count", Lt, &["5"])]);
    assert_rows(
        r#"{"calls_count":{"gt":2,"lt":5,"not":[3,4]}}"#,
        &[("calls_count", Gt, &["2"]), ("calls_count", Lt, &["5"]), ("calls_count", Not, &["3", "4"])],
    );
    assert_rows(
        r#"{"custom.a":7,"custom.b":"7","custom.c":"x","custom.d":"\"x\""}"#,
        &[
            ("custom.a", Eq, &["7"]),
            ("custom.b", Eq, &["\"7\""]),
            ("custom.c", Eq, &["x"]),
            ("custom.d", Eq, &[r#""\"x\"""#]),
        ],
    );
    assert_rows(
        r#"{"city":{"contains":"a"},"_and":[{"city":{"contains":"b"}}]}"#,
        &[("city", Contains, &["a"]), ("city", Contains, &["b"])],
    );
    for inexpressible in [
        r#"{"_or":[{"id":1}]}"#,
        r#"{"status":[]}"#,
        r#"{"city":["x",null]}"#,
        r#"{"city":["x",""]}"#,
        r#"{"calls_count":"2;>|5;>"}"#,
        r#"{"ctiy":"x"}"#,
        r#"{"city":{"like":"x"}}"#,
        r#"{"city":"#,
    ] {
        assert_eq!(rows_of(&parse(inexpressible).tree), None, "{inexpressible}");
    }
}

#[test]
fn form_writes_the_documented_syntax() {
    let row = |key: &str, operator, values: &[&str]| form::FormRow {
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
