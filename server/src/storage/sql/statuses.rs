//! The statuses of campaign leads.

use leadscribe_engine::api::LeadStatus;
use leadscribe_engine::fault::{Fault, Place};

use super::{Session, audit, binds};
use crate::storage::{Origin, StoreError, WriteError};

/// All, in the order staff keep them.
pub(super) fn all(session: &dyn Session) -> Result<Vec<LeadStatus>, StoreError> {
    session.query("SELECT name, label, dialable FROM lead_statuses ORDER BY position, name", &[], |row| {
        Ok(LeadStatus { name: row.get(0)?, label: row.get(1)?, dialable: row.get(2)? })
    })
}

/// Adds a status at the end, or changes the one of this name in its place. True when that changed anything.
fn write(session: &dyn Session, status: &LeadStatus) -> Result<bool, StoreError> {
    let changed = session.execute(
        "INSERT INTO lead_statuses (name, label, dialable, position)
         VALUES (?1, ?2, ?3, (SELECT coalesce(max(position), 0) + 1 FROM lead_statuses))
         ON CONFLICT (name) DO UPDATE SET label = excluded.label, dialable = excluded.dialable
         WHERE lead_statuses.label <> excluded.label OR lead_statuses.dialable <> excluded.dialable",
        &binds![status.name, status.label, status.dialable],
    )?;
    Ok(changed > 0)
}

pub(super) fn put(session: &dyn Session, status: &LeadStatus, by: &Origin) -> Result<(), WriteError> {
    if write(session, status)? {
        audit::record(session, "status.put", &format!("status:{}", status.name), by)?;
    }
    Ok(())
}

/// Adds the status of an imported row, dialable, labelled by its name. True when it was not there.
pub(super) fn add_imported(session: &dyn Session, name: &str) -> Result<bool, StoreError> {
    if session.exists("SELECT 1 FROM lead_statuses WHERE name = ?1", &binds![name])? {
        return Ok(false);
    }
    let mut label = name.replace('_', " ");
    if let Some(first) = label.get_mut(0..1) {
        first.make_ascii_uppercase();
    }
    write(session, &LeadStatus { name: name.to_owned(), label, dialable: true })
}

pub(super) fn delete(session: &dyn Session, name: &str, by: &Origin) -> Result<bool, WriteError> {
    if session.exists("SELECT 1 FROM campaign_leads WHERE status = ?1 LIMIT 1", &binds![name])? {
        let users: u64 = session.value("SELECT count(*) FROM campaign_leads WHERE status = ?1", &binds![name])?;
        let detail = format!("expected a status that no campaign lead has, but `{name}` is the status of {users}");
        let fault =
            Fault::new(Place::default(), "in_use", detail).hint("give these campaign leads another status first");
        return Err(WriteError::Refused(fault));
    }
    let deleted = session.execute("DELETE FROM lead_statuses WHERE name = ?1", &binds![name])? > 0;
    if deleted {
        audit::record(session, "status.delete", &format!("status:{name}"), by)?;
    }
    Ok(deleted)
}
