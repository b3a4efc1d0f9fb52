//! Log of lead changes in the database, which the lead index follows.
//!
//! A session reports the state that it sees and the leads that changed since another state. States are opaque texts that only the database
//! interprets.

use std::collections::BTreeSet;

use leadscribe_engine::api::LeadId;

use super::{Session, binds};
use crate::storage::StoreError;

/// Number of changes that are kept. An index further behind is rebuilt, which is faster then.
const KEPT: i64 = 200_000;

/// Maximum number of changes that one transaction deletes, to keep it short. More than an import batch adds.
const FORGOTTEN_AT_ONCE: i64 = 10_000;

/// Leads that changed since a state.
#[derive(Debug, Default)]
pub(in crate::storage) struct LeadChanges {
    /// Leads that were changed, added or deleted, or that have a changed campaign lead.
    pub leads: BTreeSet<LeadId>,
    /// True if campaigns or statuses changed.
    pub others: bool,
}

/// State of the leads: a point in one history of the database.
#[derive(Clone, Debug)]
pub(in crate::storage) struct LeadState {
    history: String,
    point: String,
}

impl LeadState {
    /// True if both states are of the same history and can be compared.
    pub fn is_of_history(&self, other: &Self) -> bool {
        self.history == other.history
    }

    /// Another point in the same history.
    #[cfg(test)]
    pub fn at(self, point: &str) -> Self {
        Self { point: point.to_owned(), ..self }
    }
}

/// Result of comparing a session's state with a known state.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::storage) enum Progress {
    /// The session sees no other changes.
    Unchanged,
    /// The session may see more changes, some of which may have been pruned; see [`since`].
    Changed,
    /// The session's state is of another history or lacks changes of the known state. They can't be compared.
    Diverged,
}

/// State that the session sees.
pub(in crate::storage) fn state(session: &dyn Session) -> Result<LeadState, StoreError> {
    let dialect = session.dialect();
    session.one(&format!("SELECT {}, {}", dialect.history(), dialect.lead_state()), &[], |row| {
        Ok(LeadState { history: row.get(0)?, point: row.get(1)? })
    })
}

/// State that the session sees, and how it compares with `known`. A single statement, because it runs before every look-up.
///
/// `known` must be read before the session takes its snapshot. Otherwise the snapshot may lack changes of `known`, and the states would
/// appear to be of different histories.
pub(in crate::storage) fn progress(
    session: &dyn Session,
    known: &LeadState,
) -> Result<(LeadState, Progress), StoreError> {
    let dialect = session.dialect();
    let (history, state, has_known) = (dialect.history(), dialect.lead_state(), dialect.has_lead_state("?1"));
    let (since, pruned) = (dialect.lead_changes_since("?1"), dialect.lead_changes_maybe_pruned_since("?1"));
    let sql = format!(
        "SELECT {history}, {state}, {has_known},
             EXISTS (SELECT 1 FROM lead_changes WHERE {since}) OR (SELECT {pruned} FROM lead_changes_pruned)"
    );
    session.one(&sql, &binds![known.point], |row| {
        let state = LeadState { history: row.get(0)?, point: row.get(1)? };
        let (has_known, has_changes): (bool, bool) = (row.get(2)?, row.get(3)?);
        let progress = match (has_known && state.is_of_history(known), has_changes) {
            (false, _) => Progress::Diverged,
            (true, true) => Progress::Changed,
            (true, false) => Progress::Unchanged,
        };
        Ok((state, progress))
    })
}

/// Changes that the session sees and `known`, a state of the same history, lacks. `None` if some of them may have been pruned.
pub(in crate::storage) fn since(session: &dyn Session, known: &LeadState) -> Result<Option<LeadChanges>, StoreError> {
    let dialect = session.dialect();
    let pruned = format!("SELECT {} FROM lead_changes_pruned", dialect.lead_changes_pruned_since("?1"));
    if session.value(&pruned, &binds![known.point])? {
        return Ok(None);
    }
    let mut changes = LeadChanges::default();
    let sql = format!("SELECT DISTINCT lead_id FROM lead_changes WHERE {}", dialect.lead_changes_since("?1"));
    session.query_each(&sql, &binds![known.point], &mut |row| {
        match row.get::<Option<i64>>(0)? {
            Some(lead) => _ = changes.leads.insert(LeadId(lead)),
            None => changes.others = true,
        }
        Ok(())
    })?;
    Ok(Some(changes))
}

/// Deletes some of the oldest changes if there are too many. Returns their number.
pub(in crate::storage) fn prune(session: &dyn Session) -> Result<u64, StoreError> {
    // Gaps in the sequence only mean that fewer are kept.
    let last: Option<i64> = session.value("SELECT max(seq) FROM lead_changes", &[])?;
    let oldest: Option<i64> = session.value("SELECT min(seq) FROM lead_changes", &[])?;
    let (Some(last), Some(oldest)) = (last, oldest) else { return Ok(0) };
    let needless = last - KEPT;
    if oldest > needless {
        return Ok(0);
    }
    let upto = needless.min(oldest + FORGOTTEN_AT_ONCE - 1);
    let [note, forget] = session.dialect().forget_lead_changes();
    session.execute(&note, &binds![upto])?;
    session.execute(&forget, &binds![upto])
}
