//! Query as a request body.

use std::ops::RangeInclusive;

use serde_json::{Map, Value, json};

use super::{Condition, Query};
use crate::bench::data::{SOURCES, STATUSES};
use crate::bench::time::UnixTime;

/// Names of the fields.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Dialect {
    /// Names of Leadscribe.
    Leadscribe,
    /// Names of the peers' tables.
    Peers,
}

impl Query {
    /// Returns the filter.
    pub fn body(&self, dialect: Dialect) -> Value {
        let mut body: Map<_, _> = self.conditions.iter().map(|condition| condition.entry(dialect)).collect();
        if let Some((count, offset)) = self.limit {
            body.insert("limit".into(), format!("{count};{offset}").into());
        }
        body.into()
    }
}

impl Condition {
    /// Returns the key and its value.
    fn entry(&self, dialect: Dialect) -> (String, Value) {
        let is_leadscribe = dialect == Dialect::Leadscribe;
        let (key, value) = match self {
            Self::Ids(ids) => ("id", json!(ids)),
            Self::FirstNames(names) => ("first_name", json!(names)),
            Self::Updated(range) => ("updated_at", expression(range).into()),
            Self::GlobalUpdated(range) => ("global_updated_at", expression(range).into()),
            Self::City(number) => ("city", format!("City{number}").into()),
            Self::Zip(number) => (if is_leadscribe { "zip" } else { "postal_code" }, format!("{number:05}").into()),
            Self::EmailContains(part) => ("email", json!({ "contains": part })),
            Self::Source(index) => {
                (if is_leadscribe { "custom.source" } else { "source" }, SOURCES[usize::from(*index)].into())
            }
            Self::Campaign(id) => ("campaign_id", json!(id)),
            Self::Status(index) => ("campaign_status", STATUSES[usize::from(*index)].into()),
            Self::CampaignUpdated(range) => ("campaign_updated_at", expression(range).into()),
            Self::Any(branches) => {
                let branch = |condition: &Condition| Map::from_iter([condition.entry(dialect)]);
                ("_or", branches.iter().map(branch).collect())
            }
        };
        (key.into(), value)
    }
}

/// Formats `<value>;>` or `<value>;>|<value>;<`.
fn expression(range: &RangeInclusive<u32>) -> String {
    let after = format!("{};>", UnixTime(u64::from(range.start() - 1)));
    if *range.end() == u32::MAX { after } else { format!("{after}|{};<", UnixTime(u64::from(range.end() + 1))) }
}
