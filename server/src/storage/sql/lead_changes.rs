//! Changes of leads that the database notes, for the lead index to follow.
//!
//! A session tells the state that it sees, and which leads changed since another state. States are texts that only the
//! database understands.

use std::collections::BTreeSet;

use leadscribe_engine::api::LeadId;

use super::{Session, binds};
use crate::storage::StoreError;

/// Changes that are kept. An index that is further behind is built again, which is quicker by then.
const KEPT: i64 = 200_000;

/// Changes that one transaction deletes, so that others don't wait for it: more than a batch of an import adds.
const FORGOTTEN_AT_ONCE: i64 = 10_000;

/// Leads that changed since a state.
#[derive(Debug, Default)]
pub(in crate::storage) struct LeadChanges {
    /// Leads that changed, were added or deleted, or one of whose campaign leads was.
    pub leads: BTreeSet<LeadId>,
    /// Whether campaigns or statuses changed.
    pub others: bool,
}

/// A state of the leads: a point in one history of the database.
#[derive(Clone, Debug)]
pub(in crate::storage) struct LeadState {
    history: String,
    point: String,
}

impl LeadState {
    /// Whether both states are of one history, so that they can be compared.
    pub fn is_of_history(&self, other: &Self) -> bool {
        self.history == other.history
    }

    /// Another point in the same history.
    #[cfg(test)]
    pub fn at(self, point: &str) -> Self {
        Self { point: point.to_owned(), ..self }
    }
}

/// How the state that a session sees compares with a known state.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::storage) enum Progress {
    /// It has no other changes.
    Unchanged,
    /// It may have more changes, and some of them may have been forgotten: [`since`] tells.
    Changed,
    /// It is of another history, or lacks changes of the known state. The states can't be compared.
    Diverged,
}

/// The state that the session sees.
pub(in crate::storage) fn state(session: &dyn Session) -> Result<LeadState, StoreError> {
    let dialect = session.dialect();
    session.one(&format!("SELECT {}, {}", dialect.history(), dialect.lead_state()), &[], |row| {
        Ok(LeadState { history: row.get(0)?, point: row.get(1)? })
    })
}

/// The state that the session sees, and how it compares with `known`. One statement, for it comes before every look-up.
///
/// `known` must have been read before the session's snapshot was taken: otherwise the snapshot may lack changes of it, and the
/// states seem to be of two histories.
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

/// The changes that the session sees and `known`, a state of the same history, doesn't have; none when some of them may have
/// been forgotten.
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

/// Deletes some of the oldest changes when there are too many; returns how many.
pub(in crate::storage) fn prune(session: &dyn Session) -> Result<u64, StoreError> {
    // Gaps in the numbers only keep fewer.
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
