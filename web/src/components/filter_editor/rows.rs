//! Converts between the lines of the form and the filter.

use leadscribe_engine::filter::ast::{Filter, Junction};
use leadscribe_engine::filter::fields::{FieldId, Kind, find};
use leadscribe_engine::filter::form::Row;
use leadscribe_engine::filter::parts::{self, Part, Written};
use leadscribe_engine::filter::{Arity, Operator};

use super::tree::{Content, Line, visit};
use crate::relative::{Anchor, Choice};

/// Kind of values that a key's field takes; `Custom` for an unknown key.
pub fn kind_of(key: &str) -> Kind {
    find(key).map_or(Kind::Custom, |field| field.kind)
}

/// Lines of a filter's conditions.
pub fn lines_of(filter: &Filter) -> Vec<Line> {
    let mut next = 0;
    lines_of_parts(parts::read(filter), &mut next)
}

fn lines_of_parts(parts: Vec<Part<String>>, next: &mut usize) -> Vec<Line> {
    let line = |Part { mark, says }: Part<String>| {
        let number = *next;
        *next += 1;
        let content = match says {
            parts::Says::Row(row) => Content::Test(row),
            parts::Says::Kept(condition) => Content::Kept(condition),
            parts::Says::Group(junction, inner) => Content::Group(junction, lines_of_parts(inner, next)),
        };
        Line { number, place: Some(mark), content }
    };
    parts.into_iter().map(line).collect()
}

/// Replaces lines that match the current dates of a relative date by that relative date. Each choice is used once. Choices of the form
/// match lines outside of groups; choices of groups prefer lines at their own location.
pub fn recognize(lines: &mut Vec<Line>, choices: &[Choice], anchor: &Anchor) {
    for choice in choices {
        let rows = choice.rows(anchor);
        let says = |line: &Line, row: &Row| matches!(&line.content, Content::Test(test) if test == row);
        if !choice.is_grouped() {
            put(choice, &rows, Junction::All, lines, &says);
        } else if !put_in_groups(choice, &rows, lines, &|line, row| is_at(line, choice) && says(line, row)) {
            put_in_groups(choice, &rows, lines, &says);
        }
    }
}

/// Returns true if a line equals one condition of a relative date.
type Says<'a> = dyn Fn(&Line, &Row) -> bool + 'a;

fn is_at(line: &Line, choice: &Choice) -> bool {
    line.place.as_deref() == Some(choice.place.as_str())
}

/// Replaces the lines that together equal a relative date by that date. Returns true if there were such lines.
fn put(choice: &Choice, rows: &[Row], junction: Junction, lines: &mut Vec<Line>, says: &Says<'_>) -> bool {
    let content = || Content::Relative(Choice::new(choice.key.as_str(), choice.relative));
    if junction == Junction::Any && rows.len() > 1 {
        // In an "any" group, several conditions that must all hold form a nested group.
        let is_all = |line: &&mut Line| match &line.content {
            Content::Group(Junction::All, inner) => {
                inner.len() == rows.len() && rows.iter().all(|row| inner.iter().any(|line| says(line, row)))
            }
            _ => false,
        };
        let group = lines.iter_mut().find(is_all);
        return group.map(|line| line.content = content()).is_some();
    }
    let found: Option<Vec<usize>> = rows.iter().map(|row| lines.iter().position(|line| says(line, row))).collect();
    let Some(first) = found.as_ref().and_then(|found| found.iter().min().copied()) else { return false };
    let mut place = 0;
    lines.retain(|_| {
        place += 1;
        place - 1 == first || !found.iter().flatten().any(|other| *other == place - 1)
    });
    lines[first].content = content();
    true
}

fn put_in_groups(choice: &Choice, rows: &[Row], lines: &mut [Line], says: &Says<'_>) -> bool {
    lines.iter_mut().any(|line| match &mut line.content {
        Content::Group(junction, inner) => {
            put(choice, rows, *junction, inner, says) || put_in_groups(choice, rows, inner, says)
        }
        Content::Test(_) | Content::Relative(_) | Content::Kept(_) => false,
    })
}

/// Relative dates among the lines: first those of the form, then those in groups.
pub fn choices_of(lines: &[Line]) -> Vec<Choice> {
    let mut choices: Vec<_> = lines.iter().filter_map(|line| line.content.relative().cloned()).collect();
    let groups = lines.iter().filter_map(|line| match &line.content {
        Content::Group(_, inner) => Some(inner),
        _ => None,
    });
    groups.for_each(|inner| grouped_choices(inner, &mut choices));
    choices
}

fn grouped_choices(lines: &[Line], choices: &mut Vec<Choice>) {
    for line in lines {
        match &line.content {
            Content::Group(_, inner) => grouped_choices(inner, choices),
            Content::Relative(choice) => {
                choices.push(Choice { place: line.place.clone().unwrap_or_default(), ..choice.clone() });
            }
            Content::Test(_) | Content::Kept(_) => {}
        }
    }
}

/// Returns the filter with these relative dates converted to current dates.
pub fn with_dates(filter: &Filter, choices: &[Choice], anchor: &Anchor) -> Filter {
    if choices.is_empty() {
        return filter.clone();
    }
    let mut lines = lines_of(filter);
    for choice in choices {
        if choice.is_grouped() {
            // The filter still has the dates of an earlier time, so only the operator is compared.
            let says = |line: &Line, row: &Row| {
                is_at(line, choice) && matches!(&line.content, Content::Test(test) if test.operator == row.operator)
            };
            put_in_groups(choice, &choice.rows(anchor), &mut lines, &says);
        } else {
            lines.push(Line { number: 0, place: None, content: Content::Relative(choice.clone()) });
        }
    }
    filter_of(&lines, filter, anchor).filter
}

/// Removes relative dates from the filter and returns both. Relative dates in groups stay in the filter with their current dates and are
/// identified by their location.
pub fn without_dates(filter: &Filter, choices: &[Choice], anchor: &Anchor) -> (Filter, Vec<Choice>) {
    let mut lines = lines_of(filter);
    recognize(&mut lines, choices, anchor);
    if choices_of(&lines).is_empty() {
        return (filter.clone(), Vec::new());
    }
    let of_form: Vec<_> = lines.iter().filter_map(|line| line.content.relative().cloned()).collect();
    lines.retain(|line| line.content.relative().is_none());
    let written = filter_of(&lines, filter, anchor);
    place(&mut lines, &written);
    (written.filter, of_form.into_iter().chain(choices_of(&lines)).collect())
}

/// Sets the location of each line in the written filter. For a relative date, this is the location of its condition.
pub fn place(lines: &mut [Line], written: &Written<usize>) {
    visit(lines, &mut |line| {
        let place = written.places.iter().rev().find(|(number, _)| *number == line.number);
        line.place = place.map(|(_, place)| place.clone());
    });
}

/// Builds the filter from the lines, with the controls of `keep`. Also returns the location of each line.
pub fn filter_of(lines: &[Line], keep: &Filter, anchor: &Anchor) -> Written<usize> {
    parts::write(&parts_of(lines, Junction::All, anchor), keep)
}

fn parts_of(lines: &[Line], junction: Junction, anchor: &Anchor) -> Vec<Part<usize>> {
    let parts = lines.iter().flat_map(|line| {
        let part = |says| Part { mark: line.number, says };
        let says = match &line.content {
            Content::Test(row) => vec![parts::Says::Row(row.clone())],
            Content::Relative(choice) => {
                let rows: Vec<_> = choice.rows(anchor).into_iter().map(parts::Says::Row).collect();
                match (rows.len(), junction) {
                    (2.., Junction::Any) => {
                        vec![parts::Says::Group(Junction::All, rows.into_iter().map(part).collect())]
                    }
                    _ => rows,
                }
            }
            Content::Kept(condition) => vec![parts::Says::Kept(condition.clone())],
            Content::Group(junction, inner) => {
                vec![parts::Says::Group(*junction, parts_of(inner, *junction, anchor))]
            }
        };
        says.into_iter().map(part).collect::<Vec<_>>()
    });
    parts.collect()
}

/// A new line, on the most frequently used field.
pub fn new_test() -> Row {
    Row { key: FieldId::CampaignId.field().name().to_owned(), operator: Operator::Eq, values: Vec::new() }
}

/// Changes the operator of a line and keeps as many values as the new operator takes.
pub fn with_operator(old: Row, operator: Operator) -> Row {
    let values = match (operator.arity(), old.operator.arity()) {
        (Arity::Truth, _) => vec!["true".to_owned()],
        (_, Arity::Truth) => Vec::new(),
        (Arity::One, _) => old.values.into_iter().take(1).collect(),
        _ => old.values,
    };
    Row { key: old.key, operator, values }
}

#[cfg(test)]
mod tests {
    use leadscribe_engine::filter::{parse, print};

    use super::*;
    use crate::relative;

    fn anchor(now: &str) -> Anchor {
        let now = leadscribe_engine::time::parse(now).unwrap();
        Anchor { now, today: now.date_naive(), ..Anchor::fixed() }
    }

    fn through_the_form(text: &str) -> String {
        let tree = parse(text).tree;
        print(&filter_of(&lines_of(&tree), &tree, &anchor("2026-05-14T12:00:00Z")).filter)
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
            assert_eq!(through_the_form(text), text);
        }
    }

    #[test]
    fn ignores_incomplete_lines() {
        let lines = [Line { number: 0, place: None, content: Content::Test(new_test()) }];
        let anchor = anchor("2026-05-14T12:00:00Z");
        assert_eq!(filter_of(&lines, &Filter::default(), &anchor).filter, Filter::default());
    }

    #[test]
    fn relative_dates_round_trip_through_the_filter() {
        let (today, tomorrow) = (anchor("2026-05-14T12:00:00Z"), anchor("2026-05-15T12:00:00Z"));
        let choices = relative::from_text("created_at:last-7-days,updated_at:before-3-days");
        for text in [r#"{"limit":"50;0"}"#, r#"{"city":"Bonn","created_at":"2026-01-01 00:00:00;<","_order":"-city"}"#]
        {
            let tree = parse(text).tree;
            let exact = with_dates(&tree, &choices, &today);
            let shown = print(&exact);
            assert!(shown.contains("2026-05-08 00:00:00;>=") && shown.contains("2026-05-11 00:00:00;<"), "{shown}");
            let (rest, found) = without_dates(&exact, &choices, &today);
            assert_eq!((print(&rest).as_str(), &found), (text, &choices));
            // These are ordinary dates on another day.
            assert_eq!(without_dates(&exact, &choices, &tomorrow), (exact.clone(), Vec::new()));
        }
    }

    #[test]
    fn edited_dates_are_no_longer_relative() {
        let today = anchor("2026-05-14T12:00:00Z");
        let choices = relative::from_text("created_at:today");
        let tree = parse(r#"{"created_at":"2026-05-14 00:00:00;>=|2026-05-14 18:00:00;<"}"#).tree;
        assert_eq!(without_dates(&tree, &choices, &today), (tree.clone(), Vec::new()));
    }

    #[test]
    fn form_dates_do_not_match_groups() {
        let today = anchor("2026-05-14T12:00:00Z");
        let choices = relative::from_text("created_at:today");
        let text = r#"{"_or":[{"created_at":"2026-05-14 00:00:00;>=|2026-05-15 00:00:00;<"},{"city":"Bonn"}]}"#;
        let tree = parse(text).tree;
        assert_eq!(without_dates(&tree, &choices, &today), (tree.clone(), Vec::new()));
        // Outside of the group the relative date is recognized.
        let (rest, found) = without_dates(&with_dates(&tree, &choices, &today), &choices, &today);
        assert_eq!((print(&rest).as_str(), found), (text, choices));
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
            let (tree, choices) = (parse(text).tree, relative::from_text(dates));
            let shown = with_dates(&tree, &choices, &today);
            let (rest, found) = without_dates(&shown, &choices, &today);
            assert_eq!((print(&rest).as_str(), relative::to_text(&found).as_str()), (text, dates));
            let next = with_dates(&tree, &choices, &later);
            assert_eq!(print(&next), expected, "{dates}");
            // A date edited as JSON becomes exact.
            let (_, none) = without_dates(&next, &choices[choices.len() - 1..], &today);
            assert_eq!(none, []);
        }
    }

    #[test]
    fn grouped_relative_date_is_one_line() {
        let today = anchor("2026-05-14T12:00:00Z");
        let choices = relative::from_text("/_or/1/created_at:last-7-days");
        let text = r#"{"_or":[{"created_at":"2026-05-08 00:00:00;>=|2026-05-15 00:00:00;<"},{"city":"Bonn"}]}"#;
        let tree = parse(text).tree;
        let mut lines = lines_of(&tree);
        recognize(&mut lines, &choices, &today);
        let Content::Group(Junction::Any, inner) = &lines[0].content else { panic!("{lines:?}") };
        assert_eq!((inner.len(), inner[0].content.relative().is_some()), (2, true));
        let written = filter_of(&lines, &tree, &today);
        assert_eq!(print(&written.filter), text);
        place(&mut lines, &written);
        assert_eq!(relative::to_text(&choices_of(&lines)), "/_or/0/created_at:last-7-days");
    }

    #[test]
    fn changing_the_operator_keeps_fitting_values() {
        let list = Row { key: "city".into(), operator: Operator::In, values: vec!["Bonn".into(), "Ulm".into()] };
        assert_eq!(with_operator(list.clone(), Operator::Contains).values, ["Bonn"]);
        assert_eq!(with_operator(list.clone(), Operator::Not).values, ["Bonn", "Ulm"]);
        assert_eq!(with_operator(list, Operator::Null).values, ["true"]);
    }
}
