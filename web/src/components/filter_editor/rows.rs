//! Between the form's lines and the filter they say.

use leadscribe_engine::filter::ast::Filter;
use leadscribe_engine::filter::fields::{FieldId, Kind, find};
use leadscribe_engine::filter::form::Row;
use leadscribe_engine::filter::parts::{self, Part, Says, Written};
use leadscribe_engine::filter::{Arity, Operator};

use super::tree::{Content, Line};
use crate::relative::{Anchor, Choice};

/// What kind of values a key's field takes; of an unknown key, any.
pub fn kind_of(key: &str) -> Kind {
    find(key).map_or(Kind::Custom, |field| field.kind)
}

/// The lines of a filter's conditions.
pub fn lines_of(filter: &Filter) -> Vec<Line> {
    let mut next = 0;
    lines_of_parts(parts::read(filter), &mut next)
}

fn lines_of_parts(parts: Vec<Part<String>>, next: &mut usize) -> Vec<Line> {
    let line = |Part { mark, says }: Part<String>| {
        let number = *next;
        *next += 1;
        let content = match says {
            Says::Row(row) => Content::Test(row),
            Says::Kept(condition) => Content::Kept(condition),
            Says::Group(junction, inner) => Content::Group(junction, lines_of_parts(inner, next)),
        };
        Line { number, place: Some(mark), content }
    };
    parts.into_iter().map(line).collect()
}

/// Takes the lines that say what a relative date is just now as that relative date. Within groups dates are exact: an
/// address has relative ones only for all of the filter.
pub fn recognize(lines: &mut Vec<Line>, choices: &[Choice], anchor: &Anchor) {
    for choice in choices {
        let exact: Vec<Content> = choice.rows(anchor).into_iter().map(Content::Test).collect();
        let places: Option<Vec<usize>> =
            exact.iter().map(|content| lines.iter().position(|line| line.content == *content)).collect();
        let Some(first) = places.as_ref().and_then(|places| places.iter().min().copied()) else { continue };
        let number = lines[first].number;
        lines[first].content = Content::Relative(choice.clone());
        lines.retain(|line| line.number == number || !exact.contains(&line.content));
    }
}

/// The relative dates among lines.
pub fn choices_of(lines: &[Line]) -> Vec<Choice> {
    let choice = |line: &Line| match &line.content {
        Content::Relative(choice) => Some(choice.clone()),
        Content::Test(_) | Content::Kept(_) | Content::Group(..) => None,
    };
    lines.iter().filter_map(choice).collect()
}

/// The filter with these relative dates as they are just now.
pub fn with_dates(filter: &Filter, choices: &[Choice], anchor: &Anchor) -> Filter {
    if choices.is_empty() {
        return filter.clone();
    }
    let mut lines = lines_of(filter);
    lines.extend(choices.iter().map(|choice| Line {
        number: 0,
        place: None,
        content: Content::Relative(choice.clone()),
    }));
    filter_of(&lines, filter, anchor).filter
}

/// The filter without what stands there for relative dates, and those that stand there.
pub fn without_dates(filter: &Filter, choices: &[Choice], anchor: &Anchor) -> (Filter, Vec<Choice>) {
    let mut lines = lines_of(filter);
    recognize(&mut lines, choices, anchor);
    let found = choices_of(&lines);
    if found.is_empty() {
        return (filter.clone(), found);
    }
    lines.retain(|line| !matches!(line.content, Content::Relative(_)));
    (filter_of(&lines, filter, anchor).filter, found)
}

/// The filter that the lines say, with the controls of `keep`, and where each of them stands in it.
pub fn filter_of(lines: &[Line], keep: &Filter, anchor: &Anchor) -> Written<usize> {
    parts::write(&parts_of(lines, anchor), keep)
}

fn parts_of(lines: &[Line], anchor: &Anchor) -> Vec<Part<usize>> {
    let parts = lines.iter().flat_map(|line| {
        let says = match &line.content {
            Content::Test(row) => vec![Says::Row(row.clone())],
            Content::Relative(choice) => choice.rows(anchor).into_iter().map(Says::Row).collect(),
            Content::Kept(condition) => vec![Says::Kept(condition.clone())],
            Content::Group(junction, inner) => vec![Says::Group(*junction, parts_of(inner, anchor))],
        };
        says.into_iter().map(|says| Part { mark: line.number, says })
    });
    parts.collect()
}

/// The line one gets by asking for another: on the field staff filter by most.
pub fn new_test() -> Row {
    Row { key: FieldId::CampaignId.field().name().to_owned(), operator: Operator::Eq, values: Vec::new() }
}

/// The same line with another operator, and as many of its values as that takes.
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
        let first_moment = |date: chrono::NaiveDate| Some(date.and_time(chrono::NaiveTime::MIN).and_utc());
        Anchor { now, today: now.date_naive(), zone: "UTC".to_owned(), first_moment }
    }

    fn through_the_form(text: &str) -> String {
        let tree = parse(text).tree;
        print(&filter_of(&lines_of(&tree), &tree, &anchor("2026-05-14T12:00:00Z")).filter)
    }

    #[test]
    fn what_goes_through_the_form_stays_as_it_is() {
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
    fn an_unfinished_line_says_nothing() {
        let lines = [Line { number: 0, place: None, content: Content::Test(new_test()) }];
        let anchor = anchor("2026-05-14T12:00:00Z");
        assert_eq!(filter_of(&lines, &Filter::default(), &anchor).filter, Filter::default());
    }

    #[test]
    fn a_relative_date_stands_in_the_filter_as_it_is_and_is_taken_out_again() {
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
            // On another day these are just dates.
            assert_eq!(without_dates(&exact, &choices, &tomorrow), (exact.clone(), Vec::new()));
        }
    }

    #[test]
    fn a_relative_date_that_was_edited_as_json_is_one_no_more() {
        let today = anchor("2026-05-14T12:00:00Z");
        let choices = relative::from_text("created_at:today");
        let tree = parse(r#"{"created_at":"2026-05-14 00:00:00;>=|2026-05-14 18:00:00;<"}"#).tree;
        assert_eq!(without_dates(&tree, &choices, &today), (tree.clone(), Vec::new()));
    }

    #[test]
    fn within_a_group_dates_are_exact() {
        let today = anchor("2026-05-14T12:00:00Z");
        let choices = relative::from_text("created_at:today");
        let text = r#"{"_or":[{"created_at":"2026-05-14 00:00:00;>=|2026-05-15 00:00:00;<"},{"city":"Bonn"}]}"#;
        let tree = parse(text).tree;
        assert_eq!(without_dates(&tree, &choices, &today), (tree.clone(), Vec::new()));
        // Beside the group a relative date is one.
        let (rest, found) = without_dates(&with_dates(&tree, &choices, &today), &choices, &today);
        assert_eq!((print(&rest).as_str(), found), (text, choices));
    }

    #[test]
    fn another_operator_keeps_what_it_can_take() {
        let list = Row { key: "city".into(), operator: Operator::In, values: vec!["Bonn".into(), "Ulm".into()] };
        assert_eq!(with_operator(list.clone(), Operator::Contains).values, ["Bonn"]);
        assert_eq!(with_operator(list.clone(), Operator::Not).values, ["Bonn", "Ulm"]);
        assert_eq!(with_operator(list, Operator::Null).values, ["true"]);
    }
}
