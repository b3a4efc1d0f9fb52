//! Search without an index, for conditions on a lead's texts: a full scan.

use serde_json::{Map, Value};

use super::{Columns, QueryResult};
use crate::response::TEXTS;
use crate::workload::{Query, list, text};

/// Searches by a full scan.
pub fn find(columns: &Columns, query: &Query) -> QueryResult {
    let matching = AllConditions::of(&query.keys);
    let all: Vec<_> = (0..columns.len()).filter(|place| matching.holds(columns, *place)).map(|p| p as u32).collect();
    QueryResult::page_of(&all, query)
}

/// Conditions that must all hold, resolved once per query.
struct AllConditions<'a>(Vec<Condition<'a>>);

enum Condition<'a> {
    Is(usize, Vec<&'a str>),
    Contains(usize, &'a str),
    Any(Vec<AllConditions<'a>>),
}

impl<'a> AllConditions<'a> {
    fn of(keys: &'a Map<String, Value>) -> Self {
        let condition = |(key, value): (&'a String, &'a Value)| match (key.as_str(), value) {
            ("_or", _) => {
                let branches = list(value).iter();
                Condition::Any(branches.map(|one| Self::of(one.as_object().expect("a branch is an object"))).collect())
            }
            (_, Value::Object(operators)) => Condition::Contains(column(key), text(&operators["contains"])),
            _ => Condition::Is(column(key), list(value).iter().map(text).collect()),
        };
        Self(keys.iter().map(condition).collect())
    }

    fn holds(&self, columns: &Columns, place: usize) -> bool {
        self.0.iter().all(|condition| match condition {
            Condition::Is(column, texts) => texts.contains(&columns.text(place, *column)),
            Condition::Contains(column, part) => columns.text(place, *column).contains(part),
            Condition::Any(branches) => branches.iter().any(|branch| branch.holds(columns, place)),
        })
    }
}

fn column(key: &str) -> usize {
    TEXTS.iter().position(|name| *name == key).expect("what has no index is a text of the lead")
}
