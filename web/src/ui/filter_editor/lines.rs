//! Converts between the lines of the form and the filter.

use std::collections::BTreeSet;

use leadscribe_engine::filter::ast::{Junction, SyntaxTree};
use leadscribe_engine::filter::fields::{FieldId, Kind, find};
use leadscribe_engine::filter::form::FormRow;
use leadscribe_engine::filter::form_tree::{self, BuiltFilter, FormNode, NodeContent};
use leadscribe_engine::filter::{Arity, Operator};

use super::line_tree::{Content, Line, visit};
use crate::i18n::relative_date::{Anchor, RelativeCondition};

/// Kind of values that a key's field takes; `Custom` for an unknown key.
pub fn field_kind(key: &str) -> Kind {
    find(key).map_or(Kind::Custom, |field| field.kind)
}

pub fn lines_from_filter(filter: &SyntaxTree) -> Vec<Line> {
    lines_from_nodes(form_tree::nodes_from_filter(filter), &mut 0)
}

fn lines_from_nodes(nodes: Vec<FormNode<String>>, next_number: &mut usize) -> Vec<Line> {
    let line = |FormNode { id: pointer, content }: FormNode<String>| {
        let number = *next_number;
        *next_number += 1;
        let content = match content {
            NodeContent::Row(row) => Content::Test(row),
            NodeContent::Raw(condition) => Content::Unsupported(condition),
            NodeContent::Group(junction, children) => Content::Group(junction, lines_from_nodes(children, next_number)),
        };
        Line { number, pointer: Some(pointer), content }
    };
    nodes.into_iter().map(line).collect()
}

/// Detects the lines that equal the current dates of a relative condition, and replaces them with that condition. Each
/// condition is used at most once. A top-level condition replaces only top-level lines. A grouped condition prefers the
/// line at its own location.
pub fn detect_relative_dates(lines: &mut Vec<Line>, conditions: &[RelativeCondition], anchor: &Anchor) {
    for condition in conditions {
        let rows = condition.rows(anchor);
        let matches_row = |line: &Line, row: &FormRow| matches!(&line.content, Content::Test(test) if test == row);
        if !condition.is_grouped() {
            replace_lines(condition, &rows, Junction::All, lines, &matches_row);
        } else if !replace_in_groups(condition, &rows, lines, &|line, row| {
            is_at_condition(line, condition) && matches_row(line, row)
        }) {
            replace_in_groups(condition, &rows, lines, &matches_row);
        }
    }
}

/// Returns true if a line equals one row of a relative condition.
type LineMatcher<'a> = dyn Fn(&Line, &FormRow) -> bool + 'a;

fn is_at_condition(line: &Line, condition: &RelativeCondition) -> bool {
    line.pointer.as_deref() == Some(condition.pointer.as_str())
}

/// Replaces the lines that together equal a relative condition with that condition. Returns true if there were such
/// lines.
fn replace_lines(
    condition: &RelativeCondition,
    rows: &[FormRow],
    junction: Junction,
    lines: &mut Vec<Line>,
    matches_row: &LineMatcher<'_>,
) -> bool {
    let content = || Content::Relative(RelativeCondition::new(condition.key.as_str(), condition.relative));
    if junction == Junction::Any && rows.len() > 1 {
        // In an "any" group, several conditions that must all hold form a nested group.
        let is_matching_group = |line: &&mut Line| match &line.content {
            Content::Group(Junction::All, children) => {
                children.len() == rows.len()
                    && rows.iter().all(|row| children.iter().any(|line| matches_row(line, row)))
            }
            _ => false,
        };
        let group = lines.iter_mut().find(is_matching_group);
        return group.map(|line| line.content = content()).is_some();
    }
    let positions = rows.iter().map(|row| lines.iter().position(|line| matches_row(line, row)));
    let Some(mut indexes) = positions.collect::<Option<BTreeSet<_>>>() else { return false };
    let Some(first_index) = indexes.pop_first() else { return false };
    for index in indexes.into_iter().rev() {
        lines.remove(index);
    }
    lines[first_index].content = content();
    true
}

fn replace_in_groups(
    condition: &RelativeCondition,
    rows: &[FormRow],
    lines: &mut [Line],
    matches_row: &LineMatcher<'_>,
) -> bool {
    lines.iter_mut().any(|line| match &mut line.content {
        Content::Group(junction, children) => {
            replace_lines(condition, rows, *junction, children, matches_row)
                || replace_in_groups(condition, rows, children, matches_row)
        }
        Content::Test(_) | Content::Relative(_) | Content::Unsupported(_) => false,
    })
}

/// Relative conditions among the lines: first those outside of groups, then those in groups.
pub fn collect_relative_conditions(lines: &[Line]) -> Vec<RelativeCondition> {
    let top_level_conditions = lines.iter().filter_map(|line| line.content.relative().cloned());
    let grouped_condition = |line: &Line| {
        let pointer = line.pointer.clone().unwrap_or_default();
        Some(RelativeCondition { pointer, ..line.content.relative()?.clone() })
    };
    top_level_conditions.chain(lines.iter().flat_map(Line::descendants).filter_map(grouped_condition)).collect()
}

/// Returns the filter with these relative conditions converted to current dates.
pub fn resolve_relative_dates(filter: &SyntaxTree, conditions: &[RelativeCondition], anchor: &Anchor) -> SyntaxTree {
    if conditions.is_empty() {
        return filter.clone();
    }
    let mut lines = lines_from_filter(filter);
    for condition in conditions {
        if condition.is_grouped() {
            // The filter still has the dates of an earlier time, so only the operator is compared.
            let matches_operator = |line: &Line, row: &FormRow| {
                is_at_condition(line, condition)
                    && matches!(&line.content, Content::Test(test) if test.operator == row.operator)
            };
            replace_in_groups(condition, &condition.rows(anchor), &mut lines, &matches_operator);
        } else {
            lines.push(Line { number: 0, pointer: None, content: Content::Relative(condition.clone()) });
        }
    }
    build_filter(&lines, filter, anchor).filter
}

/// Removes relative conditions from the filter and returns both. Those in groups stay in the filter with their current
/// dates and are identified by their location.
pub fn extract_relative_dates(
    filter: &SyntaxTree,
    conditions: &[RelativeCondition],
    anchor: &Anchor,
) -> (SyntaxTree, Vec<RelativeCondition>) {
    let mut lines = lines_from_filter(filter);
    detect_relative_dates(&mut lines, conditions, anchor);
    if collect_relative_conditions(&lines).is_empty() {
        return (filter.clone(), Vec::new());
    }
    let top_level_conditions: Vec<_> = lines.iter().filter_map(|line| line.content.relative().cloned()).collect();
    lines.retain(|line| line.content.relative().is_none());
    let output = build_filter(&lines, filter, anchor);
    assign_pointers(&mut lines, &output);
    (output.filter, top_level_conditions.into_iter().chain(collect_relative_conditions(&lines)).collect())
}

/// Sets the location of each line in the written filter. For a relative date, this is the location of its condition.
pub fn assign_pointers(lines: &mut [Line], output: &BuiltFilter<usize>) {
    visit(lines, &mut |line| {
        let entry = output.pointers.iter().rev().find(|(number, _)| *number == line.number);
        line.pointer = entry.map(|(_, entry)| entry.clone());
    });
}

/// Builds the filter from the lines, with the controls of `base`. Also returns the location of each line.
pub fn build_filter(lines: &[Line], base: &SyntaxTree, anchor: &Anchor) -> BuiltFilter<usize> {
    form_tree::filter_from_nodes(&nodes_from_lines(lines, Junction::All, anchor), base)
}

fn nodes_from_lines(lines: &[Line], junction: Junction, anchor: &Anchor) -> Vec<FormNode<usize>> {
    let nodes = lines.iter().flat_map(|line| {
        let node = |content| FormNode { id: line.number, content };
        let contents = match &line.content {
            Content::Test(row) => vec![NodeContent::Row(row.clone())],
            Content::Relative(condition) => {
                let rows: Vec<_> = condition.rows(anchor).into_iter().map(NodeContent::Row).collect();
                match junction {
                    Junction::Any if rows.len() > 1 => {
                        vec![NodeContent::Group(Junction::All, rows.into_iter().map(node).collect())]
                    }
                    _ => rows,
                }
            }
            Content::Unsupported(condition) => vec![NodeContent::Raw(condition.clone())],
            Content::Group(junction, children) => {
                vec![NodeContent::Group(*junction, nodes_from_lines(children, *junction, anchor))]
            }
        };
        contents.into_iter().map(node).collect::<Vec<_>>()
    });
    nodes.collect()
}

/// Content of a new line: a condition on the campaign, without a value.
pub fn default_test() -> FormRow {
    FormRow { key: FieldId::CampaignId.field().name().to_owned(), operator: Operator::Eq, values: Vec::new() }
}

/// Changes the operator of a line and keeps as many values as the new operator takes.
pub fn with_operator(row: FormRow, operator: Operator) -> FormRow {
    let values = match (operator.arity(), row.operator.arity()) {
        (Arity::Boolean, _) => vec!["true".to_owned()],
        (_, Arity::Boolean) => Vec::new(),
        (Arity::One, _) => row.values.into_iter().take(1).collect(),
        _ => row.values,
    };
    FormRow { key: row.key, operator, values }
}

#[cfg(test)]
mod tests {
    use leadscribe_engine::filter::{parse, print};

    use crate::i18n::relative_date;
    use crate::ui::filter_editor::lines::*;

    fn anchor(now: &str) -> Anchor {
        let now = leadscribe_engine::time::parse(now).unwrap();
        Anchor { now, today: now.date_naive(), ..Anchor::fixed() }
    }

    fn round_trip(text: &str) -> String {
        let tree = parse(text).tree;
        print(&build_filter(&lines_from_filter(&tree), &tree, &anchor("2026-05-14T12:00:00Z")).filter)
    }

    #[test]
    fn form_round_trip_preserves_the_filter() {
        for text in [
            r#"{"city":"Berlin","limit":"50;0"}"#,
            r#"{"last_name":{"contains":"smi"},"_or":[{"city":"Berlin"},{"city":"Bonn"}],"_order":"-city"}"#,
            r#"{"first_name":["Ann",null],"city":"Bonn"}"#,
            r#"{"_or":[{"city":"Berlin","zip":["10115",null]},{"_or":[{"id":1},{"id":2}]}]}"#,
            r#"{"city":""}"#,
            r#"{"city":["","Bonn"]}"#,
            r#"{"frist_name":"Ann"}"#,
        ] {
            assert_eq!(round_trip(text), text);
        }
    }

    #[test]
    fn ignores_incomplete_lines() {
        let lines = [Line { number: 0, pointer: None, content: Content::Test(default_test()) }];
        let anchor = anchor("2026-05-14T12:00:00Z");
        assert_eq!(build_filter(&lines, &SyntaxTree::default(), &anchor).filter, SyntaxTree::default());
    }

    #[test]
    fn relative_dates_round_trip_through_the_filter() {
        let (today, tomorrow) = (anchor("2026-05-14T12:00:00Z"), anchor("2026-05-15T12:00:00Z"));
        let conditions = relative_date::decode("created_at:last-7-days,updated_at:before-3-days");
        for text in [r#"{"limit":"50;0"}"#, r#"{"city":"Bonn","created_at":"2026-01-01 00:00:00;<","_order":"-city"}"#]
        {
            let tree = parse(text).tree;
            let exact = resolve_relative_dates(&tree, &conditions, &today);
            let printed = print(&exact);
            assert!(
                printed.contains("2026-05-08 00:00:00;>=") && printed.contains("2026-05-11 00:00:00;<"),
                "{printed}"
            );
            let (remaining, extracted) = extract_relative_dates(&exact, &conditions, &today);
            assert_eq!((print(&remaining).as_str(), &extracted), (text, &conditions));
            // These are ordinary dates on another day.
            assert_eq!(extract_relative_dates(&exact, &conditions, &tomorrow), (exact.clone(), Vec::new()));
        }
    }

    #[test]
    fn form_dates_do_not_match_groups() {
        let today = anchor("2026-05-14T12:00:00Z");
        let conditions = relative_date::decode("created_at:today");
        let text = r#"{"_or":[{"created_at":"2026-05-14 00:00:00;>=|2026-05-15 00:00:00;<"},{"city":"Bonn"}]}"#;
        let tree = parse(text).tree;
        assert_eq!(extract_relative_dates(&tree, &conditions, &today), (tree.clone(), Vec::new()));
        // Outside of the group the relative date is recognized.
        let (remaining, extracted) =
            extract_relative_dates(&resolve_relative_dates(&tree, &conditions, &today), &conditions, &today);
        assert_eq!((print(&remaining).as_str(), extracted), (text, conditions));
    }

    #[test]
    fn grouped_relative_dates_follow_the_clock() {
        let (today, later) = (anchor("2026-05-14T12:00:00Z"), anchor("2026-06-01T12:00:00Z"));
        for (text, dates, expected) in [
            (
                r#"{"_or":[{"city":"Bonn"},{"created_at":"2026-05-14 00:00:00;>=|2026-05-15 00:00:00;<"}]}"#,
                "/_or/1/created_at:today",
                r#"{"_or":[{"city":"Bonn"},{"created_at":"2026-06-01 00:00:00;>=|2026-06-02 00:00:00;<"}]}"#,
            ),
            (
                r#"{"zip":"1","_or":[{"city":"Bonn"},{"city":"Ulm","created_at":"2026-05-14 00:00:00;>=|2026-05-15 00:00:00;<"}]}"#,
                "/_or/1/created_at:today",
                r#"{"zip":"1","_or":[{"city":"Bonn"},{"city":"Ulm","created_at":"2026-06-01 00:00:00;>=|2026-06-02 00:00:00;<"}]}"#,
            ),
            (
                r#"{"_or":[{"city":"Bonn"},{"callback_at":"2026-05-11 00:00:00;<"}]}"#,
                "created_at:this-month,/_or/1/callback_at:before-3-days",
                r#"{"_or":[{"city":"Bonn"},{"callback_at":"2026-05-29 00:00:00;<"}],"created_at":"2026-06-01 00:00:00;>=|2026-07-01 00:00:00;<"}"#,
            ),
        ] {
            let (tree, conditions) = (parse(text).tree, relative_date::decode(dates));
            let resolved = resolve_relative_dates(&tree, &conditions, &today);
            let (remaining, extracted) = extract_relative_dates(&resolved, &conditions, &today);
            assert_eq!((print(&remaining).as_str(), relative_date::encode(&extracted).as_str()), (text, dates));
            let next = resolve_relative_dates(&tree, &conditions, &later);
            assert_eq!(print(&next), expected, "{dates}");
            // A date edited as JSON becomes exact.
            let (_, stale) = extract_relative_dates(&next, &conditions[conditions.len() - 1..], &today);
            assert_eq!(stale, []);
        }
    }

    #[test]
    fn changing_the_operator_keeps_fitting_values() {
        let list = FormRow { key: "city".into(), operator: Operator::In, values: vec!["Bonn".into(), "Ulm".into()] };
        assert_eq!(with_operator(list.clone(), Operator::Contains).values, ["Bonn"]);
        assert_eq!(with_operator(list.clone(), Operator::Not).values, ["Bonn", "Ulm"]);
        assert_eq!(with_operator(list, Operator::Null).values, ["true"]);
    }
}
