//! Store interface for clients that follow the changes of records.

use std::cmp::Ordering;
use std::collections::BTreeSet;
use std::fmt;

use async_trait::async_trait;
use leadscribe_engine::api::*;

use super::Result;

/// Position in the log of changes, in one history of the database. A text for clients, which don't interpret it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ChangeCursor {
    /// History of the log, of letters and digits.
    pub history: String,
    /// Transaction of the last change, if the database has several writers.
    pub transaction: i64,
    /// Id of the last change.
    pub id: i64,
}

impl ChangeCursor {
    /// Parses a cursor that a client sends back; `None` if this server can't have created it.
    pub fn parse(text: &str) -> Option<Self> {
        let mut parts = text.split('.');
        let history = parts.next().filter(|history| history.bytes().all(|byte| byte.is_ascii_alphanumeric()))?;
        let mut number = || parts.next()?.parse().ok().filter(|number: &i64| *number >= 0);
        let (transaction, id) = (number()?, number()?);
        let cursor = Self { history: history.to_owned(), transaction, id };
        (cursor.to_string() == text).then_some(cursor)
    }
}

impl fmt::Display for ChangeCursor {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}.{}.{}", self.history, self.transaction, self.id)
    }
}

impl PartialOrd for ChangeCursor {
    /// Positions of different histories can't be compared.
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        (self.history == other.history).then(|| (self.transaction, self.id).cmp(&(other.transaction, other.id)))
    }
}

/// Query for a page of changes.
#[derive(Clone, Debug)]
pub struct ChangeQuery {
    /// Last position that the client has read; `None` for all changes that are kept.
    pub after: Option<ChangeCursor>,
    /// Types of records.
    pub types: BTreeSet<ChangeType>,
    /// Maximum number of items.
    pub limit: usize,
}

/// Result of a query for changes.
#[derive(Clone, Debug, PartialEq)]
pub enum ChangeResult {
    /// A page.
    Page(ChangePage),
    /// Changes after the cursor were purged, or the cursor is of another history.
    Expired {
        /// Cursor before the oldest change that is kept.
        oldest: ChangeCursor,
    },
}

/// Log of the changes of records.
#[async_trait]
pub trait ChangeStore: Send + Sync {
    /// Reads a page of changes. Changes that are committed later are never before its `next_cursor`.
    async fn record_changes(&self, query: &ChangeQuery) -> Result<ChangeResult>;
    /// Current end of the log. Changes that are committed later are after it.
    async fn change_log_end(&self) -> Result<ChangeCursor>;
    /// Purges part of the changes before `before`. Returns their number. Call until it returns 0.
    async fn purge_changes(&self, before: Timestamp) -> Result<u64>;
}

#[cfg(test)]
mod tests {
    use super::ChangeCursor;

    #[test]
    fn cursors_are_parsed_strictly() {
        let cursor = ChangeCursor { history: "a1".to_owned(), transaction: 7, id: 12 };
        assert_eq!(ChangeCursor::parse("a1.7.12"), Some(cursor.clone()));
        for invalid in ["", "a1", "a1.7", "a1.7.12.1", "a1.07.12", "a1.-7.12", "a-1.7.12", "a1.7.9223372036854775808"] {
            assert_eq!(ChangeCursor::parse(invalid), None, "{invalid}");
        }
        let other = ChangeCursor { history: "b".to_owned(), ..cursor.clone() };
        assert_eq!(cursor.partial_cmp(&other), None);
    }
}
