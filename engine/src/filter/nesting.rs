//! Tests the conversion of filters to the form's tree and back.

use super::ast::Junction;
use super::form::Row;
use super::parts::{Part, Says, read, write};
use super::*;

/// Formats a tree in short form: rows by key and value, groups in brackets, kept conditions by their place.
fn short(parts: &[Part<String>]) -> String {
    let one = |part: &Part<String>| match &part.says {
        Says::Row(row) => format!("{}={}", row.key, row.values.join("+")),
        Says::Group(Junction::Any, inner) => format!("any({})", short(inner)),
        Says::Group(Junction::All, inner) => format!("all({})", short(inner)),
        Says::Kept(_) => format!("kept {}", part.mark),
    };
    parts.iter().map(one).collect::<Vec<_>>().join(", ")
}

#[track_caller]
fn nests(text: &str, tree: &str, written: &str) {
    let filter = parse(text).tree;
    let parts = read(&filter);
    assert_eq!(short(&parts), tree, "{text}");
    let back = write(&parts, &filter).filter;
    assert_eq!(print(&back), written, "{text}");
    assert_eq!(print(&write(&read(&back), &back).filter), written, "{text}, twice");
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
        (r#"{"_or":[{"city":["x",null]},{"id":1}],"limit":"5;0"}"#, "any(kept /_or/0/city, id=1)"),
    ] {
        nests(text, tree, text);
    }
    // If a filter can be written in two ways, the shorter one is used.
    nests(
        r#"{"_or":[{"_and":[{"id":1},{"zip":"5"}]},{"_and":[{"id":2}]}]}"#,
        "any(all(id=1, zip=5), all(id=2))",
        r#"{"_or":[{"id":1,"zip":"5"},{"id":2}]}"#,
    );
    // Invalid groups stay invalid.
    for text in [r#"{"_or":[]}"#, r#"{"_or":[{"id":1},{}]}"#, r#"{"_and":[],"city":"Bonn"}"#] {
        let tree = parse(text).tree;
        let back = write(&read(&tree), &tree).filter;
        assert_eq!(check(&back, &Limits::default()).is_err(), read_fails(text), "{text}");
    }
}

fn read_fails(text: &str) -> bool {
    super::read(text, &Limits::default()).is_err()
}

#[test]
fn parts_have_json_pointers() {
    let text = r#"{"city":{"contains":"a"},"_or":[{"id":1},{"zip":"5","city":["x",null]}],"_and":[{"city":{"contains":"b"}}]}"#;
    let parts = read(&parse(text).tree);
    let mut read_places = Vec::new();
    collect(&parts, &mut read_places);
    let places = ["/city", "/_or", "/_or/0/id", "/_or/1", "/_or/1/zip", "/_or/1/city", "/_and/0/city"];
    assert_eq!(read_places, places);
    // After writing, the parts have the same places.
    let written = write(&parts, &Default::default());
    let mut stand: Vec<_> = written.places.into_iter().map(|(mark, place)| (place, mark)).collect();
    stand.sort();
    let mut expected: Vec<_> = places.iter().map(|place| ((*place).to_owned(), (*place).to_owned())).collect();
    expected.sort();
    assert_eq!(stand, expected);
}

fn collect(parts: &[Part<String>], places: &mut Vec<String>) {
    for part in parts {
        places.push(part.mark.clone());
        if let Says::Group(_, inner) = &part.says {
            collect(inner, places);
        }
    }
}

#[test]
fn omits_incomplete_parts() {
    let row = |key: &str, values: &[&str]| Part {
        mark: (),
        says: Says::Row(Row {
            key: key.to_owned(),
            operator: Operator::Eq,
            values: values.iter().map(|value| (*value).to_owned()).collect(),
        }),
    };
    let group = |junction, parts| Part { mark: (), says: Says::Group(junction, parts) };
    let empty = || group(Junction::All, vec![row("city", &[]), group(Junction::Any, vec![row("city", &[""])])]);
    let parts = [group(Junction::Any, vec![empty(), row("city", &["Bonn"]), row("zip", &["5"])]), empty()];
    assert_eq!(print(&write(&parts, &Default::default()).filter), r#"{"_or":[{"city":"Bonn"},{"zip":"5"}]}"#);
    // A key occurs once per object, so the other row becomes a group, in a branch too.
    let twice = [group(Junction::Any, vec![group(Junction::All, vec![row("id", &["1"]), row("id", &["2"])])])];
    assert_eq!(print(&write(&twice, &Default::default()).filter), r#"{"_or":[{"id":1,"_and":[{"id":2}]}]}"#);
}
