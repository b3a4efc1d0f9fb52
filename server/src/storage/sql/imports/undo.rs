//! Undoing an import, some things at a time: what it made is deleted and what it changed gets back what it had, unless somebody
//! changed or used it since.

use std::collections::HashMap;

use leadscribe_engine::fault::{Fault, Place};
use leadscribe_engine::message::{Message, stored};
use serde_json::Value;

use super::notes::{Members, members};
use super::*;
use crate::storage::sql::record::{self, Kept};
use crate::storage::sql::references::Source;
use crate::storage::sql::{ids, rows};

/// How many things one transaction undoes: others wait no longer for it than for a batch of the import.
const AT_ONCE: u32 = 500;

/// Notes that an import is to be undone. None when there is no such import.
pub(super) fn begin(session: &dyn Session, id: ImportId, by: &Origin) -> Result<Option<Import>, WriteError> {
    let Some(found) = find(session, id)? else { return Ok(None) };
    let refuse = |code: &str, detail: Message| Err(WriteError::Refused(Fault::new(Place::default(), code, detail)));
    if found.state == ImportState::Running {
        return refuse("running", stored::import_running(id.0));
    }
    match found.undo.as_ref().map(|undo| undo.state) {
        None => refuse(
            "not_kept",
            format!(
                "expected an import whose changes are kept, but those of import {id} are not: they are for {} days, and not of \
                 imports by the command line",
                UNDO_KEPT.num_days()
            )
            .into(),
        ),
        Some(ImportUndoState::Running) => {
            refuse("undone", format!("expected an import that isn't undone yet, but import {id} is being undone").into())
        }
        Some(ImportUndoState::Completed) => {
            refuse("undone", format!("expected an import that isn't undone yet, but import {id} is").into())
        }
        Some(ImportUndoState::Possible | ImportUndoState::Cancelled) => {
            session.execute(
                "UPDATE import_undos SET actor = ?2, started_at = ?3, noted_at = ?3 WHERE import_id = ?1",
                &binds![id.0, by.actor, by.at],
            )?;
            audit::record(session, "import.undo", &id.subject(), by)?;
            reopen_corrected(session, &found)?;
            Ok(find(session, id)?)
        }
    }
}

/// Lists the refused rows again that this import corrected.
fn reopen_corrected(session: &dyn Session, import: &Import) -> Result<(), StoreError> {
    let Some(corrects) = import.corrects else { return Ok(()) };
    let sql = "UPDATE import_rejects SET corrected_by = NULL WHERE import_id = ?1 AND corrected_by = ?2";
    let reopened = session.execute(sql, &binds![corrects.0, import.id.0])?;
    let sql = "UPDATE imports SET rows_corrected = rows_corrected - ?2 WHERE id = ?1";
    session.execute(sql, &binds![corrects.0, reopened])?;
    Ok(())
}

/// Stops an undo that is under way. None when there is no such import.
///
/// It is as if it hadn't begun then, but for the counts of what is undone already; [`step`] finds nothing to do.
pub(super) fn cancel(session: &dyn Session, id: ImportId, by: &Origin) -> Result<Option<Import>, WriteError> {
    let Some(found) = find(session, id)? else { return Ok(None) };
    if found.undo.is_none_or(|undo| undo.state != ImportUndoState::Running) {
        let detail = format!("expected an import that is being undone, but import {id} isn't");
        return Err(WriteError::Refused(Fault::new(Place::default(), "ended", detail)));
    }
    session.execute(
        "UPDATE import_undos SET started_at = NULL,
             actor = CASE WHEN deleted + restored + left_alone > 0 THEN actor END
         WHERE import_id = ?1",
        &binds![id.0],
    )?;
    audit::record(session, "import.cancel_undo", &id.subject(), by)?;
    Ok(find(session, id)?)
}

/// A thing that is to be undone.
struct Change {
    id: i64,
    kind: ImportKind,
    row: i64,
    given: Members,
    former: Option<Members>,
}

/// What became of some things.
#[derive(Default)]
struct Undone {
    deleted: u64,
    restored: u64,
    left: Vec<Left>,
}

/// A thing that was left as it was.
struct Left {
    kind: ImportKind,
    row: i64,
    lead: Option<LeadId>,
    reason: LeftReason,
    detail: String,
}

/// Undoes some more of an import. False when nothing is left to do. Campaign leads come before the leads that an import made
/// with them.
pub(super) fn step(session: &dyn Session, id: ImportId, now: Timestamp) -> Result<bool, StoreError> {
    let Some(Import { undo: Some(undo), .. }) = find(session, id)? else { return Ok(false) };
    if undo.state != ImportUndoState::Running {
        return Ok(false);
    }
    let sql = "SELECT id, row_id, given, former, kind FROM import_changes WHERE import_id = ?1
               ORDER BY kind, row_id DESC LIMIT ?2";
    let changes = session.query(sql, &binds![id.0, AT_ONCE], |row| {
        let kind = row.named(4, ImportKind::from_name)?;
        Ok(Change { id: row.get(0)?, kind, row: row.get(1)?, given: row.json(2)?, former: row.json_or_null(3)? })
    })?;
    let is_last = changes.len() < AT_ONCE as usize;
    let done = Bind::ids(changes.iter().map(|change| change.id));
    let (campaign_leads, others): (Vec<_>, Vec<_>) =
        changes.into_iter().partition(|change| change.kind == ImportKind::CampaignLeads);
    let mut undone = Undone::default();
    undo_all::<CampaignLead>(session, campaign_leads, &mut undone, now)?;
    match others.first().map(|change| change.kind) {
        Some(ImportKind::Campaigns) => undo_all::<Campaign>(session, others, &mut undone, now)?,
        Some(ImportKind::Leads) => undo_all::<Lead>(session, others, &mut undone, now)?,
        Some(ImportKind::Calls) => undo_all::<Call>(session, others, &mut undone, now)?,
        Some(ImportKind::CampaignLeads) | None => {}
    }
    let Undone { deleted, restored, left } = undone;
    session.execute(
        &format!("DELETE FROM import_changes WHERE {}", session.dialect().is_any_of("id", "?1")),
        std::slice::from_ref(&done),
    )?;
    let finished = is_last.then_some(now);
    session.execute(
        "UPDATE import_undos SET deleted = deleted + ?2, restored = restored + ?3, left_alone = left_alone + ?4,
             noted_at = ?5, finished_at = ?6
         WHERE import_id = ?1",
        &binds![id.0, deleted, restored, left.len() as u64, now, finished],
    )?;
    let left: Vec<_> = left
        .into_iter()
        .map(|Left { kind, row, lead, reason, detail }| {
            binds![Bind::Null, id.0, kind.as_str(), row, lead.map(|lead| lead.0), reason.as_str(), detail].to_vec()
        })
        .collect();
    const LEFT_COLUMNS: [&str; 7] = ["id", "import_id", "kind", "row_id", "lead_id", "reason", "detail"];
    ids::insert_many(session, "import_undo_left", &LEFT_COLUMNS, &left)?;
    Ok(!is_last)
}

fn undo_all<T: Kept>(
    session: &dyn Session,
    changes: Vec<Change>,
    undone: &mut Undone,
    now: Timestamp,
) -> Result<(), StoreError> {
    let stored = record::find_all::<T>(session, changes.iter().map(|change| change.row))?;
    let stored: HashMap<_, _> = stored.into_iter().map(|one| (one.id(), one)).collect();
    let mut standing = Vec::new();
    for change in changes {
        let Some(thing) = stored.get(&change.row) else {
            undone.leave::<T>(change.row, None, LeftReason::Deleted);
            continue;
        };
        let now = members(thing)?;
        let comes_later = |name: &str| change.former.is_none() && T::COMES_LATER.contains(&name);
        if change.given.iter().any(|(name, given)| now.get(name) != Some(given) && !comes_later(name)) {
            undone.leave(change.row, Some(thing), LeftReason::Changed);
        } else {
            standing.push((thing, change.former));
        }
    }
    let (changed, made): (Vec<_>, Vec<_>) = standing.into_iter().partition(|(_, former)| former.is_some());
    // First, for what is to be restored may need what these have.
    undone.delete(session, made.into_iter().map(|(thing, _)| thing).collect())?;
    let mut waiting: Vec<_> = changed.into_iter().filter_map(|(thing, former)| Some((thing, former?))).collect();
    // What one gives up, the next one may get back, such as the name of a campaign.
    loop {
        let (before, mut refused) = (waiting.len(), Vec::new());
        for (thing, former) in waiting {
            match restore(session, thing, &former, now) {
                Ok(()) => undone.restored += 1,
                Err(WriteError::Refused(fault)) => refused.push((thing, former, fault.detail.to_string())),
                Err(WriteError::Store(error)) => return Err(error),
            }
        }
        if refused.len() == before {
            let left = refused.into_iter().map(|(thing, _, detail)| Left {
                kind: T::KIND,
                row: thing.id(),
                lead: thing.lead(),
                reason: LeftReason::Conflict,
                detail,
            });
            undone.left.extend(left);
            return Ok(());
        }
        waiting = refused.into_iter().map(|(thing, former, _)| (thing, former)).collect();
    }
}

/// Gives a thing back what it was.
fn restore<T: Kept>(session: &dyn Session, thing: &T, former: &Members, now: Timestamp) -> Result<(), WriteError> {
    let mut restored = members(thing)?;
    restored.extend(former.clone());
    let mut restored: T = serde_json::from_value(Value::Object(restored)).map_err(StoreError::from)?;
    restored.stamp(&T::Record::default(), now);
    thing.may_become(&restored, Source::Body)?;
    restored.check(session, Source::Body)?;
    Ok(record::update(session, &restored)?)
}

impl Undone {
    /// Deletes those that nothing refers to.
    fn delete<T: Kept>(&mut self, session: &dyn Session, mut made: Vec<&T>) -> Result<(), StoreError> {
        for (table, column, reason) in T::REFERRERS {
            if made.is_empty() {
                return Ok(());
            }
            let used = record::referred_to(session, table, column, made.iter().map(|one| one.id()))?;
            made.retain(|one| {
                let is_used = used.contains(&one.id());
                if is_used {
                    self.leave(one.id(), Some(*one), *reason);
                }
                !is_used
            });
        }
        let made: Vec<_> = made.into_iter().map(Kept::id).collect();
        self.deleted += record::delete_all::<T>(session, &made)?;
        Ok(())
    }

    fn leave<T: Kept>(&mut self, row: i64, thing: Option<&T>, reason: LeftReason) {
        let detail = in_words(reason).to_owned();
        self.left.push(Left { kind: T::KIND, row, lead: thing.and_then(Kept::lead), reason, detail });
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

/// The imports whose undo is under way and silent since `silent_since`.
pub(super) fn stalled(session: &dyn Session, silent_since: Timestamp) -> Result<Vec<ImportId>, StoreError> {
    let sql = "SELECT import_id FROM import_undos
               WHERE started_at IS NOT NULL AND finished_at IS NULL AND noted_at <= ?1 ORDER BY import_id";
    session.query(sql, &binds![silent_since], |row| Ok(ImportId(row.get(0)?)))
}

/// A slice of what the undo of an import left, by id.
pub(super) fn left(session: &dyn Session, id: ImportId, slice: Slice) -> Result<Page<LeftRow>, StoreError> {
    let total = session.value("SELECT count(*) FROM import_undo_left WHERE import_id = ?1", &binds![id.0])?;
    let [limit, offset] = rows::slice_binds(slice);
    let sql = "SELECT row_id, lead_id, reason, detail, kind FROM import_undo_left WHERE import_id = ?1
               ORDER BY row_id, id LIMIT ?2 OFFSET ?3";
    let items = session.query(sql, &binds![id.0, limit, offset], |row| {
        Ok(LeftRow {
            kind: row.named(4, ImportKind::from_name)?,
            id: row.get(0)?,
            lead_id: row.get::<Option<i64>>(1)?.map(LeadId),
            reason: row.named(2, LeftReason::from_name)?,
            detail: row.get(3)?,
        })
    })?;
    Ok(Page { items, total })
}

/// Forgets some of what imports changed that began before `before`, unless they are being undone; gives how many things.
pub(super) fn forget(session: &dyn Session, before: Timestamp) -> Result<u64, StoreError> {
    session.execute(
        "DELETE FROM import_undos
         WHERE started_at IS NULL AND import_id IN (SELECT id FROM imports WHERE started_at < ?1)",
        &binds![before],
    )?;
    session.execute(
        "DELETE FROM import_changes WHERE id IN (
             SELECT c.id FROM imports i
             JOIN import_changes c ON c.import_id = i.id
             LEFT JOIN import_undos u ON u.import_id = i.id
             WHERE i.started_at < ?1 AND u.import_id IS NULL
             LIMIT ?2)",
        &binds![before, FORGOTTEN_AT_ONCE],
    )
}
