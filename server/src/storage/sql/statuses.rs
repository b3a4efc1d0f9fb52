//! The statuses of campaign leads.

use leadscribe_engine::api::LeadStatus;
use leadscribe_engine::fault::{Fault, Place};
use rusqlite::{Connection, Transaction, params};

use super::audit;
use super::references::exists;
use super::rows::count;
use crate::storage::{Origin, WriteError};

/// All, in the order staff keep them.
pub(super) fn all(connection: &Connection) -> rusqlite::Result<Vec<LeadStatus>> {
    connection
        .prepare_cached("SELECT name, label, dialable FROM lead_statuses ORDER BY position, name")?
        .query_map([], |row| Ok(LeadStatus { name: row.get(0)?, label: row.get(1)?, dialable: row.get(2)? }))?
        .collect()
}

/// Adds a status at the end, or changes the one of this name in its place. True when that changed anything.
fn write(transaction: &Transaction<'_>, status: &LeadStatus) -> rusqlite::Result<bool> {
    let changed = transaction
        .prepare_cached(
            "INSERT INTO lead_statuses (name, label, dialable, position)
             VALUES (?1, ?2, ?3, (SELECT coalesce(max(position), 0) + 1 FROM lead_statuses))
             ON CONFLICT (name) DO UPDATE SET label = excluded.label, dialable = excluded.dialable
             WHERE label <> excluded.label OR dialable <> excluded.dialable",
        )?
        .execute(params![status.name, status.label, status.dialable])?;
    Ok(changed > 0)
}

pub(super) fn put(transaction: &Transaction<'_>, status: &LeadStatus, by: &Origin) -> Result<(), WriteError> {
    if write(transaction, status)? {
        audit::record(transaction, "status.put", &format!("status:{}", status.name), by)?;
    }
    Ok(())
}

/// Adds the status of an imported row, dialable, labelled by its name. True when it was not there.
pub(super) fn add_imported(transaction: &Transaction<'_>, name: &str) -> rusqlite::Result<bool> {
    if exists(transaction, "SELECT 1 FROM lead_statuses WHERE name = ?1", [name])? {
        return Ok(false);
    }
    let mut label = name.replace('_', " ");
    if let Some(first) = label.get_mut(0..1) {
        first.make_ascii_uppercase();
    }
    write(transaction, &LeadStatus { name: name.to_owned(), label, dialable: true })
}

pub(super) fn delete(transaction: &Transaction<'_>, name: &str, by: &Origin) -> Result<bool, WriteError> {
    if exists(transaction, "SELECT 1 FROM campaign_leads WHERE status = ?1", [name])? {
        let users = count(transaction, "SELECT count(*) FROM campaign_leads WHERE status = ?1", [name])?;
        let detail = format!("expected a status that no campaign lead has, but `{name}` is the status of {users}");
        let fault =
            Fault::new(Place::default(), "in_use", detail).hint("give these campaign leads another status first");
        return Err(WriteError::Refused(fault));
    }
    let deleted = transaction.execute("DELETE FROM lead_statuses WHERE name = ?1", [name])? > 0;
    if deleted {
        audit::record(transaction, "status.delete", &format!("status:{name}"), by)?;
    }
    Ok(deleted)
}
