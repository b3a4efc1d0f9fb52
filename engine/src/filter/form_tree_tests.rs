//! Tests the conversion of filters to the form's tree and back.

use super::ast::Junction;
use super::form::FormRow;
use super::form_tree::{FormNode, NodeContent, filter_from_nodes, nodes_from_filter};
use super::*;

/// Formats a tree in short form: rows by key and value, groups in brackets, raw conditions by their id.
fn format_tree(nodes: &[FormNode<String>]) -> String {
    let format_node = |part: &FormNode<String>| match &part.content {
        NodeContent::Row(row) => format!("{}={}", row.key, row.values.join("+")),
        NodeContent::Group(Junction::Any, inner) => format!("any({})", format_tree(inner)),
        NodeContent::Group(Junction::All, inner) => format!("all({})", format_tree(inner)),
        NodeContent::Raw(_) => format!("raw {}", part.id),
    };
    nodes.iter().map(format_node).collect::<Vec<_>>().join(", ")
}

#[track_caller]
fn assert_tree(text: &str, tree: &str, expected_filter: &str) {
    let filter = parse(text).tree;
    let nodes = nodes_from_filter(&filter);
    assert_eq!(format_tree(&nodes), tree, "{text}");
    let round_trip = filter_from_nodes(&nodes, &filter).filter;
    assert_eq!(print(&round_trip), expected_filter, "{text}");
    assert_eq!(
        print(&filter_from_nodes(&nodes_from_filter(&round_trip), &round_trip).filter),
        expected_filter,
        "{text}, twice"
    );
}

#[test]
fn converts_groups_to_a_tree() {
    for (text, tree) in [
        (r#"{"_or":[{"city":"Bonn"},{"city":"Ulm"}],"id":1}"#, "any(city=Bonn, city=Ulm), id=1"),
        (r#"{"_or":[{"city":"Bonn","zip":"5"},{"id":1}]}"#, "any(all(city=Bonn, zip=5), id=1)"),
        (r#"{"_or":[{"_or":[{"id":1},{"id":2}]},{"id":3}]}"#, "any(any(id=1, id=2), id=3)"),
        (r#"{"_or":[{"zip":"5","_or":[{"id":1},{"id":2}]},{"id":3}]}"#, "any(all(zip=5, any(id=1, id=2)), id=3)"),
        (r#"{"_and":[{"city":"Bonn"},{"zip":"5"}]}"#, "all(city=Bonn, zip=5)"),
        // Conditions that are only separate because they share a key don't form a group.
        (r#"{"city":{"contains":"a"},"_and":[{"city":{"contains":"b"}}]}"#, "city=a, city=b"),
        (
            r#"{"_or":[{"id":1},{"id":2}],"_and":[{"_or":[{"zip":"5"},{"zip":"6"}]}]}"#,
            "any(id=1, id=2), any(zip=5, zip=6)",
        ),
        (
            r#"{"_and":[{"_and":[{"id":1},{"zip":"5"}]},{"_and":[{"id":2},{"zip":"6"}]}]}"#,
            "all(id=1, zip=5), all(id=2, zip=6)",
        ),
        (r#"{"_or":[{"city":["x",null]},{"id":1}],"limit":"5;0"}"#, "any(raw /_or/0/city, id=1)"),
    ] {
        assert_tree(text, tree, text);
    }
    // If a filter can be written in two ways, the shorter one is used.
    assert_tree(
        r#"{"_or":[{"_and":[{"id":1},{"zip":"5"}]},{"_and":[{"id":2}]}]}"#,
        "any(all(id=1, zip=5), all(id=2))",
        r#"{"_or":[{"id":1,"zip":"5"},{"id":2}]}"#,
    );
    // Invalid groups stay invalid.
    for text in [r#"{"_or":[]}"#, r#"{"_or":[{"id":1},{}]}"#, r#"{"_and":[],"city":"Bonn"}"#] {
        let tree = parse(text).tree;
        let round_trip = filter_from_nodes(&nodes_from_filter(&tree), &tree).filter;
        assert_eq!(check(&round_trip, &Limits::default()).is_err(), is_rejected(text), "{text}");
    }
}

fn is_rejected(text: &str) -> bool {
    super::parse_and_check(text, &Limits::default()).is_err()
}

#[test]
fn nodes_have_json_pointers() {
    let text = r#"{"city":{"contains":"a"},"_or":[{"id":1},{"zip":"5","city":["x",null]}],"_and":[{"city":{"contains":"b"}}]}"#;
    let nodes = nodes_from_filter(&parse(text).tree);
    let mut pointers = Vec::new();
    collect_pointers(&nodes, &mut pointers);
    let expected_pointers = ["/city", "/_or", "/_or/0/id", "/_or/1", "/_or/1/zip", "/_or/1/city", "/_and/0/city"];
    assert_eq!(pointers, expected_pointers);
    // In the built filter, the nodes have the same pointers.
    let form_filter = filter_from_nodes(&nodes, &Default::default());
    let mut pointers_and_ids: Vec<_> = form_filter.pointers.into_iter().map(|(id, pointer)| (pointer, id)).collect();
    pointers_and_ids.sort();
    let mut expected: Vec<_> =
        expected_pointers.iter().map(|pointer| ((*pointer).to_owned(), (*pointer).to_owned())).collect();
    expected.sort();
    assert_eq!(pointers_and_ids, expected);
}

fn collect_pointers(nodes: &[FormNode<String>], pointers: &mut Vec<String>) {
    for part in nodes {
        pointers.push(part.id.clone());
        if let NodeContent::Group(_, inner) = &part.content {
            collect_pointers(inner, pointers);
        }
    }
}

#[test]
fn omits_incomplete_parts() {
    let row = |key: &str, values: &[&str]| FormNode {
        id: (),
        content: NodeContent::Row(FormRow {
            key: key.to_owned(),
            operator: Operator::Eq,
            values: values.iter().map(|value| (*value).to_owned()).collect(),
        }),
    };
    let group = |junction, nodes| FormNode { id: (), content: NodeContent::Group(junction, nodes) };
    let empty = || group(Junction::All, vec![row("city", &[]), group(Junction::Any, vec![row("city", &[""])])]);
    let nodes = [group(Junction::Any, vec![empty(), row("city", &["Bonn"]), row("zip", &["5"])]), empty()];
    assert_eq!(
        print(&filter_from_nodes(&nodes, &Default::default()).filter),
        r#"{"_or":[{"city":"Bonn"},{"zip":"5"}]}"#
    );
    // A key occurs once per object, so the other row becomes a group, in a branch too.
    let twice = [group(Junction::Any, vec![group(Junction::All, vec![row("id", &["1"]), row("id", &["2"])])])];
    assert_eq!(
        print(&filter_from_nodes(&twice, &Default::default()).filter),
        r#"{"_or":[{"id":1,"_and":[{"id":2}]}]}"#
    );
}
