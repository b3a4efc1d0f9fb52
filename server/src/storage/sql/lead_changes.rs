//! Log of lead changes in the database, which the lead index follows.
//!
//! A session reports the state that it sees and the leads that changed since another state. States are opaque texts that only the database
//! interprets.

use std::collections::BTreeSet;

use leadscribe_engine::api::LeadId;

use super::{Session, binds};
use crate::storage::Result;

/// Maximum number of stored changes. An index that is further behind is rebuilt, which is then faster.
const MAX_STORED_CHANGES: i64 = 200_000;

/// Maximum number of changes that one transaction deletes, to keep it short. More than an import batch adds.
const PRUNE_BATCH_SIZE: i64 = 10_000;

/// Leads that changed since a state.
#[derive(Debug, Default)]
pub(in crate::storage) struct LeadChanges {
    /// Leads that were changed, added or deleted, or that have a changed campaign lead.
    pub leads: BTreeSet<LeadId>,
    /// True if campaigns or statuses changed.
    pub has_other_changes: bool,
}

/// State of the leads: a point in one history of the database.
#[derive(Clone, Debug)]
pub(in crate::storage) struct LeadState {
    history: String,
    point: String,
}

impl LeadState {
    /// True if both states are of the same history and can be compared.
    pub fn has_same_history(&self, other: &Self) -> bool {
        self.history == other.history
    }

    /// Another point in the same history.
    #[cfg(test)]
    pub fn with_point(self, point: &str) -> Self {
        Self { point: point.to_owned(), ..self }
    }
}

/// Result of comparing a session's state with a known state.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::storage) enum StateComparison {
    /// The session sees no other changes.
    Unchanged,
    /// The session may see more changes, some of which may have been pruned; see [`changes_since`].
    Changed,
    /// The session's state is of another history or lacks changes of the known state. They can't be compared.
    Diverged,
}

pub(in crate::storage) fn current_state(session: &dyn Session) -> Result<LeadState> {
    let dialect = session.dialect();
    session.query_one(&format!("SELECT {}, {}", dialect.history(), dialect.lead_state()), &[], |row| {
        Ok(LeadState { history: row.get(0)?, point: row.get(1)? })
    })
}

/// State that the session sees, and how it compares with `known`. A single statement, because it runs before every lookup.
///
/// `known` must be read before the session takes its snapshot. Otherwise the snapshot may lack changes of `known`, and the states would
/// appear to be of different histories.
pub(in crate::storage) fn compare_state(
    session: &dyn Session,
    known: &LeadState,
) -> Result<(LeadState, StateComparison)> {
    let dialect = session.dialect();
    let (history, state, includes_known) = (dialect.history(), dialect.lead_state(), dialect.has_lead_state("?1"));
    let (is_newer, maybe_pruned) = (dialect.lead_changes_since("?1"), dialect.lead_changes_maybe_pruned_since("?1"));
    let sql = format!(
        "SELECT {history}, {state}, {includes_known},
             EXISTS (SELECT 1 FROM lead_changes WHERE {is_newer}) OR (SELECT {maybe_pruned} FROM lead_changes_pruned)"
    );
    session.query_one(&sql, &binds![known.point], |row| {
        let state = LeadState { history: row.get(0)?, point: row.get(1)? };
        let (includes_known, has_changes): (bool, bool) = (row.get(2)?, row.get(3)?);
        let comparison = match (includes_known && state.has_same_history(known), has_changes) {
            (false, _) => StateComparison::Diverged,
            (true, true) => StateComparison::Changed,
            (true, false) => StateComparison::Unchanged,
        };
        Ok((state, comparison))
    })
}

/// Changes that the session sees and `known`, a state of the same history, lacks. `None` if some of them may have been pruned.
pub(in crate::storage) fn changes_since(session: &dyn Session, known: &LeadState) -> Result<Option<LeadChanges>> {
    let dialect = session.dialect();
    let pruned = format!("SELECT {} FROM lead_changes_pruned", dialect.lead_changes_pruned_since("?1"));
    if session.query_value(&pruned, &binds![known.point])? {
        return Ok(None);
    }
    let mut changes = LeadChanges::default();
    let sql = format!("SELECT DISTINCT lead_id FROM lead_changes WHERE {}", dialect.lead_changes_since("?1"));
    session.query_each(&sql, &binds![known.point], &mut |row| {
        match row.get::<Option<i64>>(0)? {
            Some(lead) => _ = changes.leads.insert(LeadId(lead)),
            None => changes.has_other_changes = true,
        }
        Ok(())
    })?;
    Ok(Some(changes))
}

/// Deletes some of the oldest changes if there are too many. Returns their number.
pub(in crate::storage) fn prune(session: &dyn Session) -> Result<u64> {
    // Gaps in the sequence only mean that fewer are kept.
    let last: Option<i64> = session.query_value("SELECT max(id) FROM lead_changes", &[])?;
    let oldest: Option<i64> = session.query_value("SELECT min(id) FROM lead_changes", &[])?;
    let (Some(last), Some(oldest)) = (last, oldest) else { return Ok(0) };
    let max_prunable = last - MAX_STORED_CHANGES;
    if oldest > max_prunable {
        return Ok(0);
    }
    let last_pruned = max_prunable.min(oldest + PRUNE_BATCH_SIZE - 1);
    let [record_sql, delete_sql] = session.dialect().prune_lead_changes();
    session.execute(&record_sql, &binds![last_pruned])?;
    session.execute(&delete_sql, &binds![last_pruned])
}

/// Inserts a lead and returns the columns of leads whose changes are not logged.
#[cfg(test)]
pub(in crate::storage) fn unlogged_columns(session: &dyn Session) -> Result<Vec<&'static str>> {
    use super::{ids, rows};

    let columns: Vec<_> = rows::LEAD_COLUMNS.split(", ").collect();
    ids::insert(session, "leads", &columns, &rows::lead_binds(&Default::default()))?;
    let count_changes = || session.query_value::<i64>("SELECT count(*) FROM lead_changes", &[]);
    let mut unlogged = Vec::new();
    for column in columns {
        let before = count_changes()?;
        session.execute(&format!("UPDATE leads SET {column} = {column}"), &[])?;
        if count_changes()? == before {
            unlogged.push(column);
        }
    }
    Ok(unlogged)
}
