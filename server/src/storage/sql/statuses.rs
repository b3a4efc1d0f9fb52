//! Statuses of campaign leads.

use leadscribe_engine::api::LeadStatus;
use leadscribe_engine::diagnostic::{Diagnostic, Location, Message, account, conflict};

use super::input_format::InputFormat;
use super::{Session, audit, binds};
use crate::storage::{AuditContext, Result, WriteError};

/// All statuses, in the order that staff defined.
pub(super) fn list(session: &dyn Session) -> Result<Vec<LeadStatus>> {
    session.query("SELECT name, label, dialable FROM lead_statuses ORDER BY position, name", &[], |row| {
        Ok(LeadStatus { name: row.get(0)?, label: row.get(1)?, dialable: row.get(2)? })
    })
}

/// Adds a status at the end, or changes the status with this name without moving it. True if that changed anything.
fn upsert(session: &dyn Session, status: &LeadStatus) -> Result<bool> {
    let changed = session.execute(
        "INSERT INTO lead_statuses (name, label, dialable, position)
         VALUES (?1, ?2, ?3, (SELECT coalesce(max(position), 0) + 1 FROM lead_statuses))
         ON CONFLICT (name) DO UPDATE SET label = excluded.label, dialable = excluded.dialable
         WHERE lead_statuses.label <> excluded.label OR lead_statuses.dialable <> excluded.dialable",
        &binds![status.name, status.label, status.dialable],
    )?;
    Ok(changed > 0)
}

pub(super) fn put(session: &dyn Session, status: &LeadStatus, audit: &AuditContext) -> Result<(), WriteError> {
    if upsert(session, status)? {
        audit::record(session, "status.save", &format!("status:{}", status.name), audit)?;
    }
    Ok(())
}

/// Adds the status of an imported row as dialable, with its name as the label. True if it didn't exist.
pub(super) fn add_imported(session: &dyn Session, name: &str) -> Result<bool> {
    if session.exists("SELECT 1 FROM lead_statuses WHERE name = ?1", &binds![name])? {
        return Ok(false);
    }
    let mut label = name.replace('_', " ");
    if let Some(first) = label.get_mut(0..1) {
        first.make_ascii_uppercase();
    }
    upsert(session, &LeadStatus { name: name.to_owned(), label, dialable: true })
}

/// Reorders the statuses.
pub(super) fn reorder(session: &dyn Session, names: &[String], audit: &AuditContext) -> Result<(), WriteError> {
    let refuse = |code: &str, message: Message| Err(InputFormat::Body.refuse("names", code, message));
    let existing: Vec<_> = list(session)?.into_iter().map(|status| status.name).collect();
    if let Some(name) = names.iter().find(|name| !existing.contains(name)) {
        return refuse("unknown_status", conflict::no_status(name.as_str()));
    }
    if let Some(name) = existing.iter().find(|name| names.iter().filter(|other| other == name).count() != 1) {
        return refuse("invalid_order", account::status_listed_once(name.as_str()));
    }
    if existing == names {
        return Ok(());
    }
    for (position, name) in (1_i64..).zip(names) {
        let sql = "UPDATE lead_statuses SET position = ?2 WHERE name = ?1 AND position <> ?2";
        session.execute(sql, &binds![name.as_str(), position])?;
    }
    audit::record(session, "status.reorder", "status", audit)?;
    Ok(())
}

pub(super) fn delete(session: &dyn Session, name: &str, audit: &AuditContext) -> Result<bool, WriteError> {
    if session.exists("SELECT 1 FROM campaign_leads WHERE status = ?1 LIMIT 1", &binds![name])? {
        let lead_count: u64 =
            session.query_value("SELECT count(*) FROM campaign_leads WHERE status = ?1", &binds![name])?;
        let diagnostic = Diagnostic::new(Location::default(), "in_use", conflict::status_in_use(name, lead_count));
        return Err(WriteError::Refused(diagnostic.suggest(conflict::change_status_first())));
    }
    let deleted = session.execute("DELETE FROM lead_statuses WHERE name = ?1", &binds![name])? > 0;
    if deleted {
        audit::record(session, "status.delete", &format!("status:{name}"), audit)?;
    }
    Ok(deleted)
}
