//! The form's lines: the engine's flat form of each condition, and, kept as they were written, those it can't show.

use leadscribe_engine::filter::ast::{Condition, Filter};
use leadscribe_engine::filter::fields::{CUSTOM_PREFIX, FieldId, Kind, find};
use leadscribe_engine::filter::{Arity, Operator, form};

use crate::relative::{Anchor, Choice};

/// A line of the form.
#[derive(Clone, Debug, PartialEq)]
pub struct Line {
    /// Tells lines apart while they are edited.
    pub number: usize,
    pub content: Content,
}

/// What a line says.
#[derive(Clone, Debug, PartialEq)]
pub enum Content {
    Test(form::Row),
    /// A relative date; in the filter it stands as it is just now.
    Relative(Choice),
    /// Only to be edited as JSON.
    Kept(Condition),
}

/// Whether a line says something already. An empty text is what an untouched input holds, so it says nothing.
pub fn is_complete(test: &form::Row) -> bool {
    test.key != CUSTOM_PREFIX && test.values.iter().any(|value| !value.is_empty())
}

/// Whether the form has inputs for a line: its field is known, and it has a value.
fn is_shown(test: &form::Row) -> bool {
    is_complete(test) && (find(&test.key).is_some() || test.key.starts_with(CUSTOM_PREFIX))
}

/// What kind of values a key's field takes; of an unknown key, any.
pub fn kind_of(key: &str) -> Kind {
    find(key).map_or(Kind::Custom, |field| field.kind)
}

/// The lines of a filter's conditions.
pub fn lines_of(filter: &Filter) -> Vec<Line> {
    let contents = filter.conditions.iter().flat_map(|condition| {
        let alone = Filter { conditions: vec![condition.clone()], ..Default::default() };
        match form::rows_of(&alone).filter(|rows| rows.iter().all(is_shown)) {
            Some(rows) => rows.into_iter().map(Content::Test).collect(),
            None => vec![Content::Kept(condition.clone())],
        }
    });
    contents.enumerate().map(|(number, content)| Line { number, content }).collect()
}

/// Gives lines that were read anew the numbers of those before that they go on from, so that what is drawn for these
/// stays: the same lines at the beginning and at the end, and between them one after the other.
pub fn keep_numbers(read: &mut [Line], before: &[Line], next: &mut usize) {
    let is_same = |(new, old): &(&Line, &Line)| new.content == old.content;
    let head = read.iter().zip(before).take_while(is_same).count();
    let tail = read[head..].iter().rev().zip(before[head..].iter().rev()).take_while(is_same).count();
    let (changed, rest) = before.split_at(before.len() - tail);
    let place_of_rest = read.len() - tail;
    for (place, line) in read.iter_mut().enumerate() {
        let old = if place < place_of_rest { changed.get(place) } else { rest.get(place - place_of_rest) };
        line.number = old.map_or(*next, |old| old.number);
        *next = (*next).max(line.number + 1);
    }
}

/// Takes the lines that say what a relative date is just now as that relative date.
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
        Content::Test(_) | Content::Kept(_) => None,
    };
    lines.iter().filter_map(choice).collect()
}

/// The filter with these relative dates as they are just now.
pub fn with_dates(filter: &Filter, choices: &[Choice], anchor: &Anchor) -> Filter {
    if choices.is_empty() {
        return filter.clone();
    }
    let mut lines = lines_of(filter);
    lines.extend(choices.iter().map(|choice| Line { number: 0, content: Content::Relative(choice.clone()) }));
    filter_of(&lines, filter, anchor)
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
    (filter_of(&lines, filter, anchor), found)
}

/// The filter that the lines say, with the controls of `keep`.
pub fn filter_of(lines: &[Line], keep: &Filter, anchor: &Anchor) -> Filter {
    let (mut tests, mut kept) = (Vec::new(), Vec::new());
    for line in lines {
        match &line.content {
            Content::Test(test) if is_complete(test) => {
                let mut test = test.clone();
                // Chips leave no empty values behind, but an input that became a list may.
                test.values.retain(|value| !value.is_empty());
                tests.push(test);
            }
            Content::Test(_) => {}
            Content::Relative(choice) => tests.extend(choice.rows(anchor)),
            Content::Kept(condition) => kept.push(condition.clone()),
        }
    }
    let mut filter = form::to_filter(&tests, keep);
    filter.conditions.extend(kept);
    filter
}

/// The line one gets by asking for another: on the field staff filter by most.
pub fn new_test() -> form::Row {
    form::Row { key: FieldId::CampaignId.field().name().to_owned(), operator: Operator::Eq, values: Vec::new() }
}

/// The same line with another operator, and as many of its values as that takes.
pub fn with_operator(old: form::Row, operator: Operator) -> form::Row {
    let values = match (operator.arity(), old.operator.arity()) {
        (Arity::Truth, _) => vec!["true".to_owned()],
        (_, Arity::Truth) => Vec::new(),
        (Arity::One, _) => old.values.into_iter().take(1).collect(),
        _ => old.values,
    };
    form::Row { key: old.key, operator, values }
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
        print(&filter_of(&lines_of(&tree), &tree, &anchor("2026-05-14T12:00:00Z")))
    }

    #[test]
    fn what_the_form_cannot_show_is_kept() {
        for text in [
            r#"{"city":"Berlin","limit":"50;0"}"#,
            r#"{"last_name":{"contains":"smi"},"_or":[{"city":"Berlin"},{"city":"Bonn"}],"_order":"-city"}"#,
            r#"{"first_name":["Ann",null]}"#,
            r#"{"city":""}"#,
            r#"{"frist_name":"Ann"}"#,
        ] {
            assert_eq!(through_the_form(text), text);
        }
    }

    #[test]
    fn lines_that_stay_keep_their_numbers() {
        let mut next = 0;
        let mut before = Vec::new();
        for (text, numbers) in [
            (r#"{"city":"Bonn"}"#, vec![0]),
            (r#"{"city":"Bonn","state":"NW"}"#, vec![0, 1]),
            // Its value is typed.
            (r#"{"city":"Bonn","state":"N"}"#, vec![0, 1]),
            // One is written between them, and one before them.
            (r#"{"city":"Bonn","zip":"53111","state":"N"}"#, vec![0, 2, 1]),
            (r#"{"email":"a@b.de","city":"Bonn","zip":"53111","state":"N"}"#, vec![3, 0, 2, 1]),
            (r#"{"city":"Bonn","state":"N"}"#, vec![3, 1]),
            ("{}", vec![]),
            (r#"{"city":"Bonn"}"#, vec![4]),
        ] {
            let mut read = lines_of(&parse(text).tree);
            keep_numbers(&mut read, &before, &mut next);
            assert_eq!(read.iter().map(|line| line.number).collect::<Vec<_>>(), numbers, "{text}");
            before = read;
        }
    }

    #[test]
    fn an_unfinished_line_says_nothing() {
        let lines = [Line { number: 0, content: Content::Test(new_test()) }];
        let anchor = anchor("2026-05-14T12:00:00Z");
        assert_eq!(filter_of(&lines, &Filter::default(), &anchor), Filter::default());
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
    fn another_operator_keeps_what_it_can_take() {
        let list = form::Row { key: "city".into(), operator: Operator::In, values: vec!["Bonn".into(), "Ulm".into()] };
        assert_eq!(with_operator(list.clone(), Operator::Contains).values, ["Bonn"]);
        assert_eq!(with_operator(list.clone(), Operator::Not).values, ["Bonn", "Ulm"]);
        assert_eq!(with_operator(list, Operator::Null).values, ["true"]);
    }
}
