//! Undo: restores the old values of records that weren't changed since.

use std::collections::HashMap;

use leadscribe_engine::api::*;
use leadscribe_engine::diagnostic::{Message, common, conflict};
use serde_json::Value;

use super::entity::Entity;
use super::input_format::InputFormat;
use super::record::{self, WriteBuffer};
use super::references::ReferenceChecker;
use super::undo_journal::{Difference, JournalOwner, Members, members};
use super::{Bind, Session, audit, binds};
use crate::storage::{AuditContext, Result, WriteError};

/// Record that a journal row is about.
#[derive(Clone, Copy, Debug)]
pub(super) struct JournalEntry {
    pub kind: ImportKind,
    pub record_id: i64,
    /// Lead that the record is or belongs to.
    pub lead_id: Option<LeadId>,
}

/// Result of one undo step.
#[derive(Default)]
pub(super) struct UndoResult {
    /// Deleted records, which the change had created.
    pub deleted: Vec<JournalEntry>,
    pub restored: Vec<JournalEntry>,
    /// Records that stay unchanged, each with the reason as a code and as text.
    pub skipped: Vec<(JournalEntry, UndoSkipReason, Message)>,
    /// True if no journal row is left.
    pub is_complete: bool,
}

struct JournalRow {
    id: i64,
    entry: JournalEntry,
    new_values: Members,
    old_values: Option<Members>,
}

/// Undoes and deletes at most `max_rows` journal rows. With `audit`, each record gets an audit entry.
///
/// Campaign leads come before the leads and campaigns that they refer to. Within a kind, the newest records come first: created records may
/// have unique values that older records get back.
pub(super) fn undo(
    session: &dyn Session,
    owner: JournalOwner,
    max_rows: u32,
    now: Timestamp,
    audit: Option<&AuditContext>,
) -> Result<UndoResult> {
    let sql = format!(
        "SELECT id, kind, record_id, lead_id, new_values, old_values FROM undo_journal WHERE {} = ?1
         ORDER BY kind, record_id DESC LIMIT ?2",
        owner.column()
    );
    let rows = session.query(&sql, &binds![owner.id(), max_rows], |row| {
        let kind = row.get_enum(1, ImportKind::from_name)?;
        let entry = JournalEntry { kind, record_id: row.get(2)?, lead_id: row.get::<Option<i64>>(3)?.map(LeadId) };
        Ok(JournalRow { id: row.get(0)?, entry, new_values: row.json(4)?, old_values: row.json_or_null(5)? })
    })?;
    let is_complete = rows.len() < max_rows as usize;
    let mut undo_run = UndoRun { session, now, audit, result: UndoResult { is_complete, ..UndoResult::default() } };
    for rows in rows.chunk_by(|previous, next| previous.entry.kind == next.entry.kind) {
        match rows[0].entry.kind {
            ImportKind::CampaignLeads => undo_run.undo::<CampaignLead>(rows)?,
            ImportKind::Campaigns => undo_run.undo::<Campaign>(rows)?,
            ImportKind::Leads => undo_run.undo::<Lead>(rows)?,
            ImportKind::Calls => undo_run.undo::<Call>(rows)?,
        }
    }
    let has_id = session.dialect().is_any_of("id", "?1");
    let ids = Bind::ids(rows.iter().map(|row| row.id));
    session.execute(&format!("DELETE FROM undo_journal WHERE {has_id}"), &[ids])?;
    Ok(undo_run.result)
}

/// State of one call of [`undo`].
struct UndoRun<'s> {
    session: &'s dyn Session,
    now: Timestamp,
    audit: Option<&'s AuditContext>,
    result: UndoResult,
}

impl UndoRun<'_> {
    fn undo<T: Entity>(&mut self, rows: &[JournalRow]) -> Result<()> {
        let current_records: Vec<T> = record::find_all(self.session, rows.iter().map(|row| row.entry.record_id))?;
        let current_records: HashMap<_, _> = current_records.into_iter().map(|record| (record.id(), record)).collect();
        let (mut created, mut updated) = (Vec::new(), Vec::new());
        for JournalRow { entry, new_values, old_values, .. } in rows.iter().rev() {
            let Some(record) = current_records.get(&entry.record_id) else {
                self.skip(*entry, UndoSkipReason::Deleted);
                continue;
            };
            let entry = JournalEntry { lead_id: record.related_lead(), ..*entry };
            let current_members = members(record)?;
            let is_post_import = |name: &str| old_values.is_none() && T::POST_IMPORT_MEMBERS.contains(&name);
            if new_values
                .iter()
                .any(|(name, new_value)| current_members.get(name) != Some(new_value) && !is_post_import(name))
            {
                self.skip(entry, UndoSkipReason::Changed);
            } else if let Some(old_values) = old_values {
                updated.push(Restoration::new(entry, record, current_members, old_values, self.now)?);
            } else {
                created.push(entry);
            }
        }
        // Deletes first: created records may have unique values that other records get back.
        self.delete::<T>(created)?;
        self.restore(updated)
    }

    /// Deletes created records without references.
    fn delete<T: Entity>(&mut self, mut created: Vec<JournalEntry>) -> Result<()> {
        if created.is_empty() {
            return Ok(());
        }
        for (from, column, reason) in T::REFERRERS {
            let referenced =
                record::find_referenced(self.session, from, column, created.iter().map(|entry| entry.record_id))?;
            created.retain(|entry| {
                let is_referenced = referenced.contains(&entry.record_id);
                if is_referenced {
                    self.skip(*entry, *reason);
                }
                !is_referenced
            });
        }
        let ids: Vec<_> = created.iter().map(|entry| entry.record_id).collect();
        record::delete_all::<T>(self.session, &ids, self.now)?;
        if let Some(audit) = self.audit {
            record::log_changes::<T>(self.session, "delete", &ids, audit)?;
        }
        self.result.deleted.extend(created);
        Ok(())
    }

    /// Restores updated records. A unique value such as a name may become free only when another record is restored, so failed restorations
    /// are retried as long as there is progress.
    fn restore<T: Entity>(&mut self, mut pending: Vec<Restoration<'_, T>>) -> Result<()> {
        let (mut writes, mut audited_changes) = (WriteBuffer::new(self.session), Vec::new());
        let checker = ReferenceChecker::new(self.session);
        loop {
            let (count, mut failed) = (pending.len(), Vec::new());
            for restoration in pending {
                match restoration.write(&checker, &mut writes) {
                    Ok(()) => {
                        self.result.restored.push(restoration.entry);
                        audited_changes.push(restoration.audited_change);
                    }
                    Err(WriteError::Refused(diagnostic)) => failed.push((restoration, diagnostic.message)),
                    Err(WriteError::Store(error)) => return Err(error),
                }
            }
            if failed.len() == count {
                let reason = UndoSkipReason::Conflict;
                self.result.skipped.extend(failed.into_iter().map(|(restoration, message)| {
                    (restoration.entry, reason, common::labeled(reason_message(reason), message))
                }));
                break;
            }
            pending = failed.into_iter().map(|(restoration, _)| restoration).collect();
        }
        writes.flush()?;
        self.audit.map_or(Ok(()), |audit| record::log_updates::<T>(self.session, &audited_changes, audit))
    }

    fn skip(&mut self, entry: JournalEntry, reason: UndoSkipReason) {
        self.result.skipped.push((entry, reason, reason_message(reason)));
    }
}

/// Record whose old values are to be restored.
struct Restoration<'r, T> {
    entry: JournalEntry,
    current: &'r T,
    restored: T,
    changes_unique_member: bool,
    audited_change: audit::AuditedChange,
}

impl<'r, T: Entity> Restoration<'r, T> {
    /// Prepares the restored record: its current members, some of them replaced by `old_values`.
    fn new(
        entry: JournalEntry,
        current: &'r T,
        mut members: Members,
        old_values: &Members,
        changed_at: Timestamp,
    ) -> Result<Self> {
        let mut difference = Difference { old_values: Members::new(), new_values: old_values.clone() };
        for (name, value) in old_values {
            if let Some(replaced) = members.insert(name.clone(), value.clone()) {
                difference.old_values.insert(name.clone(), replaced);
            }
        }
        let mut restored: T = serde_json::from_value(Value::Object(members))?;
        restored.set_changed_at(&T::Record::default(), changed_at);
        let changes_unique_member = T::UNIQUE_MEMBERS.iter().any(|name| old_values.contains_key(*name));
        let audited_change = record::audited_change::<T>(entry.record_id, &difference);
        Ok(Self { entry, current, restored, changes_unique_member, audited_change })
    }

    /// Buffers the write, unless the record would be invalid.
    fn write(&self, checker: &ReferenceChecker<'_>, writes: &mut WriteBuffer<'_, T>) -> Result<(), WriteError> {
        if self.changes_unique_member {
            // The check must see the unique values that other records released.
            writes.flush()?;
        }
        self.current.check_transition(&self.restored, InputFormat::Body)?;
        self.restored.check(Some(self.current), checker, InputFormat::Body)?;
        Ok(writes.update(&self.restored)?)
    }
}

fn reason_message(reason: UndoSkipReason) -> Message {
    match reason {
        UndoSkipReason::Changed => conflict::changed_since(),
        UndoSkipReason::Deleted => conflict::deleted_since(),
        UndoSkipReason::InCampaign => conflict::now_in_campaign(),
        UndoSkipReason::HasLeads => conflict::has_leads_now(),
        UndoSkipReason::HasCalls => conflict::has_calls_now(),
        UndoSkipReason::Transcribed => conflict::transcribed_since(),
        UndoSkipReason::Conflict => conflict::values_conflict(),
    }
}
