//! What the database noted of changes, for the lead index to follow.
//!
//! A state of the database is named by a text that only the database understands. Asked on a snapshot, it tells its own
//! state, and which leads changed since another.

use std::collections::BTreeSet;

use leadscribe_engine::api::LeadId;

use super::{Session, binds};
use crate::storage::StoreError;

/// Changes that are kept; an index that is further behind reads all leads anew, which is quicker by then.
const KEPT: i64 = 200_000;

/// How many changes one transaction forgets, so that others don't wait for it: more than a batch of an import adds.
const FORGOTTEN_AT_ONCE: i64 = 10_000;

/// What changed since a state.
#[derive(Debug, Default)]
pub(in crate::storage) struct LeadChanges {
    /// Leads that changed, were added or deleted, or one of whose campaign leads was.
    pub leads: BTreeSet<LeadId>,
    /// Whether campaigns or statuses changed.
    pub others: bool,
}

/// The state that the session sees.
pub(in crate::storage) fn state(session: &dyn Session) -> Result<String, StoreError> {
    session.value(&format!("SELECT {}", session.dialect().lead_state()), &[])
}

/// The state that the session sees, and whether it has changes that `known` didn't have. One statement, for it comes before
/// every look-up.
pub(in crate::storage) fn news(session: &dyn Session, known: &str) -> Result<(String, bool), StoreError> {
    let dialect = session.dialect();
    let (state, since) = (dialect.lead_state(), dialect.lead_changes_since("?1"));
    let sql = format!("SELECT {state}, EXISTS (SELECT 1 FROM lead_changes WHERE {since})");
    session.one(&sql, &binds![known], |row| Ok((row.get(0)?, row.get(1)?)))
}

/// The changes that the session sees and `known` didn't have; none when some of them may have been forgotten.
pub(in crate::storage) fn since(session: &dyn Session, known: &str) -> Result<Option<LeadChanges>, StoreError> {
    let dialect = session.dialect();
    let pruned = format!("SELECT {} FROM lead_changes_pruned", dialect.lead_changes_pruned_since("?1"));
    if session.value(&pruned, &binds![known])? {
        return Ok(None);
    }
    let mut changes = LeadChanges::default();
    let sql = format!("SELECT DISTINCT lead_id FROM lead_changes WHERE {}", dialect.lead_changes_since("?1"));
    session.query_each(&sql, &binds![known], &mut |row| {
        match row.get::<Option<i64>>(0)? {
            Some(lead) => _ = changes.leads.insert(LeadId(lead)),
            None => changes.others = true,
        }
        Ok(())
    })?;
    Ok(Some(changes))
}

/// Forgets some of the oldest changes, when there are too many; gives how many.
pub(in crate::storage) fn prune(session: &dyn Session) -> Result<u64, StoreError> {
    // The numbers are those of the rows in SQLite and PostgreSQL alike; gaps in them only keep fewer.
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
