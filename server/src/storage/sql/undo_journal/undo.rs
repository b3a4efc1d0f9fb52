//! Undo: restores the former values of records that weren't changed since.

use std::collections::HashMap;

use leadscribe_engine::api::*;
use leadscribe_engine::diagnostic::Message;
use serde_json::Value;

use super::{Difference, Members, Owner, members};
use crate::storage::sql::record::{self, Kept, Writes};
use crate::storage::sql::references::{Lookup, Source};
use crate::storage::sql::{Bind, Session, audit, binds};
use crate::storage::{Origin, StoreError, WriteError};

/// Record of a journal entry.
#[derive(Clone, Copy, Debug)]
pub(in crate::storage::sql) struct Entry {
    pub kind: ImportKind,
    /// Id of the record.
    pub row: i64,
    /// Lead that the record is or belongs to.
    pub lead: Option<LeadId>,
}

/// Result of one undo step.
#[derive(Default)]
pub(in crate::storage::sql) struct Undone {
    /// Deleted records, which the change had created.
    pub deleted: Vec<Entry>,
    pub restored: Vec<Entry>,
    /// Records that stay unchanged, each with the reason as a code and as text.
    pub left: Vec<(Entry, LeftReason, Message)>,
    /// True if no journal row is left.
    pub is_complete: bool,
}

struct JournalRow {
    id: i64,
    entry: Entry,
    given: Members,
    former: Option<Members>,
}

/// Undoes and deletes at most `max_rows` journal rows. With `log`, each record gets an audit entry.
///
/// Campaign leads come before the leads and campaigns that they refer to. Within a kind, the newest records come first: created records may
/// have unique values that older records get back.
pub(in crate::storage::sql) fn undo(
    session: &dyn Session,
    owner: Owner,
    max_rows: u32,
    now: Timestamp,
    log: Option<&Origin>,
) -> Result<Undone, StoreError> {
    let sql = format!(
        "SELECT id, kind, row_id, lead_id, given, former FROM undo_journal WHERE {} = ?1
         ORDER BY kind, row_id DESC LIMIT ?2",
        owner.column()
    );
    let rows = session.query(&sql, &binds![owner.id(), max_rows], |row| {
        let kind = row.named(1, ImportKind::from_name)?;
        let entry = Entry { kind, row: row.get(2)?, lead: row.get::<Option<i64>>(3)?.map(LeadId) };
        Ok(JournalRow { id: row.get(0)?, entry, given: row.json(4)?, former: row.json_or_null(5)? })
    })?;
    let is_complete = rows.len() < max_rows as usize;
    let mut run = Run { session, now, log, undone: Undone { is_complete, ..Undone::default() } };
    for rows in rows.chunk_by(|one, next| one.entry.kind == next.entry.kind) {
        match rows[0].entry.kind {
            ImportKind::CampaignLeads => run.undo::<CampaignLead>(rows)?,
            ImportKind::Campaigns => run.undo::<Campaign>(rows)?,
            ImportKind::Leads => run.undo::<Lead>(rows)?,
            ImportKind::Calls => run.undo::<Call>(rows)?,
        }
    }
    let of_rows = session.dialect().is_any_of("id", "?1");
    let ids = Bind::ids(rows.iter().map(|row| row.id));
    session.execute(&format!("DELETE FROM undo_journal WHERE {of_rows}"), &[ids])?;
    Ok(run.undone)
}

/// State of one call of [`undo`].
struct Run<'s> {
    session: &'s dyn Session,
    now: Timestamp,
    log: Option<&'s Origin>,
    undone: Undone,
}

impl Run<'_> {
    /// Undoes the rows of one kind.
    fn undo<T: Kept>(&mut self, rows: &[JournalRow]) -> Result<(), StoreError> {
        let stored: Vec<T> = record::find_all(self.session, rows.iter().map(|row| row.entry.row))?;
        let stored: HashMap<_, _> = stored.into_iter().map(|record| (record.id(), record)).collect();
        let (mut created, mut updated) = (Vec::new(), Vec::new());
        for JournalRow { entry, given, former, .. } in rows.iter().rev() {
            let Some(record) = stored.get(&entry.row) else {
                self.leave(*entry, LeftReason::Deleted);
                continue;
            };
            let entry = Entry { lead: record.lead(), ..*entry };
            let now = members(record)?;
            let may_differ = |name: &str| former.is_none() && T::COMES_LATER.contains(&name);
            if given.iter().any(|(name, given)| now.get(name) != Some(given) && !may_differ(name)) {
                self.leave(entry, LeftReason::Changed);
            } else if let Some(former) = former {
                updated.push(Restoration::new(entry, record, now, former, self.now)?);
            } else {
                created.push(entry);
            }
        }
        // Deletes first: created records may have unique values that other records get back.
        self.delete::<T>(created)?;
        self.restore(updated)
    }

    /// Deletes created records without references.
    fn delete<T: Kept>(&mut self, mut created: Vec<Entry>) -> Result<(), StoreError> {
        if created.is_empty() {
            return Ok(());
        }
        for (from, column, reason) in T::REFERRERS {
            let used = record::referred_to(self.session, from, column, created.iter().map(|entry| entry.row))?;
            created.retain(|entry| {
                let is_used = used.contains(&entry.row);
                if is_used {
                    self.leave(*entry, *reason);
                }
                !is_used
            });
        }
        let ids: Vec<_> = created.iter().map(|entry| entry.row).collect();
        record::delete_all::<T>(self.session, &ids)?;
        if let Some(by) = self.log {
            record::log_all::<T>(self.session, "delete", &ids, by)?;
        }
        self.undone.deleted.extend(created);
        Ok(())
    }

    /// Restores updated records. A unique value such as a name may become free only when another record is restored, so failed restorations
    /// are retried as long as there is progress.
    fn restore<T: Kept>(&mut self, mut waiting: Vec<Restoration<'_, T>>) -> Result<(), StoreError> {
        let (mut writes, mut logged) = (Writes::new(self.session), Vec::new());
        let lookup = Lookup::new(self.session);
        loop {
            let (count, mut refused) = (waiting.len(), Vec::new());
            for one in waiting {
                match one.write(&lookup, &mut writes) {
                    Ok(()) => {
                        self.undone.restored.push(one.entry);
                        logged.push(one.logged);
                    }
                    Err(WriteError::Refused(fault)) => refused.push((one, fault.message)),
                    Err(WriteError::Store(error)) => return Err(error),
                }
            }
            if refused.len() == count {
                let left = refused.into_iter();
                self.undone.left.extend(left.map(|(one, why)| (one.entry, LeftReason::Conflict, why)));
                break;
            }
            waiting = refused.into_iter().map(|(one, _)| one).collect();
        }
        writes.flush()?;
        self.log.map_or(Ok(()), |by| record::log_updates::<T>(self.session, &logged, by))
    }

    fn leave(&mut self, entry: Entry, reason: LeftReason) {
        self.undone.left.push((entry, reason, in_words(reason).into()));
    }
}

/// Record whose former values are to be restored.
struct Restoration<'r, T> {
    entry: Entry,
    stored: &'r T,
    restored: T,
    has_unique: bool,
    logged: audit::Changed,
}

impl<'r, T: Kept> Restoration<'r, T> {
    /// Prepares the restored record: its current members with the `former` values of some.
    fn new(entry: Entry, stored: &'r T, mut now: Members, former: &Members, at: Timestamp) -> Result<Self, StoreError> {
        let mut difference = Difference { former: Members::new(), given: former.clone() };
        for (name, value) in former {
            if let Some(replaced) = now.insert(name.clone(), value.clone()) {
                difference.former.insert(name.clone(), replaced);
            }
        }
        let mut restored: T = serde_json::from_value(Value::Object(now))?;
        restored.stamp(&T::Record::default(), at);
        let has_unique = T::UNIQUE.iter().any(|name| former.contains_key(*name));
        let logged = record::change_of::<T>(entry.row, &difference);
        Ok(Self { entry, stored, restored, has_unique, logged })
    }

    /// Buffers the write, unless the record would be invalid.
    fn write(&self, lookup: &Lookup<'_>, writes: &mut Writes<'_, T>) -> Result<(), WriteError> {
        if self.has_unique {
            // The check must see the unique values that other records released.
            writes.flush()?;
        }
        self.stored.may_become(&self.restored, Source::Body)?;
        self.restored.check(Some(self.stored), lookup, Source::Body)?;
        Ok(writes.update(&self.restored)?)
    }
}

fn in_words(reason: LeftReason) -> &'static str {
    match reason {
        LeftReason::Changed => "somebody changed it since",
        LeftReason::Deleted => "somebody deleted it since",
        LeftReason::InCampaign => "the lead is in a campaign by now",
        LeftReason::HasLeads => "leads are in the campaign by now",
        LeftReason::HasCalls => "there are calls of it by now",
        LeftReason::Transcribed => "the call was sent to speech recognition",
        LeftReason::Conflict => "what it was contradicts what is stored by now",
    }
}
