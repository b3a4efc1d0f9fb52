//! The form's lines: the engine's flat form of each condition, and, kept as they were written, those it can't show.

use leadscribe_engine::filter::ast::{Condition, Filter};
use leadscribe_engine::filter::fields::{CUSTOM_PREFIX, FieldId, Kind, find};
use leadscribe_engine::filter::{Arity, Operator, form};

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

/// The filter that the lines say, with the controls of `keep`.
pub fn filter_of(lines: &[Line], keep: &Filter) -> Filter {
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

    fn through_the_form(text: &str) -> String {
        let tree = parse(text).tree;
        print(&filter_of(&lines_of(&tree), &tree))
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
    fn an_unfinished_line_says_nothing() {
        let lines = [Line { number: 0, content: Content::Test(new_test()) }];
        assert_eq!(filter_of(&lines, &Filter::default()), Filter::default());
    }

    #[test]
    fn another_operator_keeps_what_it_can_take() {
        let list = form::Row { key: "city".into(), operator: Operator::In, values: vec!["Bonn".into(), "Ulm".into()] };
        assert_eq!(with_operator(list.clone(), Operator::Contains).values, ["Bonn"]);
        assert_eq!(with_operator(list.clone(), Operator::Not).values, ["Bonn", "Ulm"]);
        assert_eq!(with_operator(list, Operator::Null).values, ["true"]);
    }
}
