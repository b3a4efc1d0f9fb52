//! Undo of an import in steps, and the records that it left unchanged.

use leadscribe_engine::diagnostic::{Diagnostic, Location, Message, conflict};

use super::*;
use crate::storage::sql::{ids, rows, undo};

/// Maximum number of records that one transaction undoes. Other writers wait no longer than for a batch of the import.
const MAX_STEP_ROWS: u32 = 500;

/// Starts the undo of an import. `None` if the import doesn't exist.
pub(super) fn begin(session: &dyn Session, id: ImportId, audit: &AuditContext) -> Result<Option<Import>, WriteError> {
    let Some(found) = find(session, id)? else { return Ok(None) };
    let refuse =
        |code: &str, detail: Message| Err(WriteError::Refused(Diagnostic::new(Location::default(), code, detail)));
    if found.state == ImportState::Running {
        return refuse("running", conflict::import_running(id.0));
    }
    match found.undo.as_ref().map(|undo| undo.state) {
        None => refuse("not_undoable", conflict::import_not_undoable(id.0, UNDO_RETENTION.num_days())),
        Some(ImportUndoState::Running) => refuse("undo_running", conflict::undo_running(id.0)),
        Some(ImportUndoState::Completed) => refuse("already_undone", conflict::import_already_undone(id.0)),
        Some(ImportUndoState::Possible | ImportUndoState::Cancelled) => {
            session.execute(
                "UPDATE import_undos SET actor = ?2, started_at = ?3, progress_at = ?3 WHERE import_id = ?1",
                &binds![id.0, audit.actor, audit.at],
            )?;
            audit::record(session, "import.undo", &id.subject(), audit)?;
            reopen_corrected(session, &found)?;
            Ok(find(session, id)?)
        }
    }
}

/// Reopens the rejected rows that the import corrected.
fn reopen_corrected(session: &dyn Session, import: &Import) -> Result<(), StoreError> {
    let Some(corrected_import) = import.corrects_import_id else { return Ok(()) };
    let sql = "UPDATE rejected_rows SET correction_import_id = NULL WHERE import_id = ?1 AND correction_import_id = ?2";
    let reopened = session.execute(sql, &binds![corrected_import.0, import.id.0])?;
    let sql = "UPDATE imports SET rows_corrected = rows_corrected - ?2 WHERE id = ?1";
    session.execute(sql, &binds![corrected_import.0, reopened])?;
    Ok(())
}

/// Stops a running undo. `None` if the import doesn't exist.
///
/// The counts of undone records stay; [`step`] does nothing until the undo is started again.
pub(super) fn cancel(session: &dyn Session, id: ImportId, audit: &AuditContext) -> Result<Option<Import>, WriteError> {
    let Some(found) = find(session, id)? else { return Ok(None) };
    if found.undo.is_none_or(|undo| undo.state != ImportUndoState::Running) {
        let diagnostic = Diagnostic::new(Location::default(), "not_running", conflict::undo_not_running(id.0));
        return Err(WriteError::Refused(diagnostic));
    }
    session.execute(
        "UPDATE import_undos SET started_at = NULL,
             actor = CASE WHEN records_deleted + records_restored + records_skipped > 0 THEN actor END
         WHERE import_id = ?1",
        &binds![id.0],
    )?;
    audit::record(session, "import.cancel_undo", &id.subject(), audit)?;
    Ok(find(session, id)?)
}

/// Undoes at most [`MAX_STEP_ROWS`] more records of an import. False if nothing is left to do.
pub(super) fn step(session: &dyn Session, id: ImportId, now: Timestamp) -> Result<bool, StoreError> {
    let Some(Import { undo: Some(undo), .. }) = find(session, id)? else { return Ok(false) };
    if undo.state != ImportUndoState::Running {
        return Ok(false);
    }
    let result = undo::undo(session, JournalOwner::Import(id), MAX_STEP_ROWS, now, None)?;
    let finished = result.is_complete.then_some(now);
    let [deleted, restored, skipped] =
        [result.deleted.len(), result.restored.len(), result.skipped.len()].map(|count| count as u64);
    session.execute(
        "UPDATE import_undos SET records_deleted = records_deleted + ?2, records_restored = records_restored + ?3,
             records_skipped = records_skipped + ?4, progress_at = ?5, finished_at = ?6
         WHERE import_id = ?1",
        &binds![id.0, deleted, restored, skipped, now, finished],
    )?;
    let skipped = result.skipped.into_iter().map(|(entry, reason, detail)| {
        let lead = entry.lead_id.filter(|_| reason != UndoSkipReason::Deleted).map(|lead| lead.0);
        binds![Bind::Null, id.0, entry.kind.as_str(), entry.record_id, lead, reason.as_str(), detail].to_vec()
    });
    let columns = ["id", "import_id", "kind", "record_id", "lead_id", "reason", "detail"];
    ids::insert_many(session, "import_undo_skipped_records", &columns, &skipped.collect::<Vec<_>>())?;
    Ok(!result.is_complete)
}

/// Imports whose undo is running without progress since `no_progress_since`.
pub(super) fn find_stalled(session: &dyn Session, no_progress_since: Timestamp) -> Result<Vec<ImportId>, StoreError> {
    let sql = "SELECT import_id FROM import_undos
               WHERE started_at IS NOT NULL AND finished_at IS NULL AND progress_at <= ?1 ORDER BY import_id";
    session.query(sql, &binds![no_progress_since], |row| Ok(ImportId(row.get(0)?)))
}

/// Slice of the records that the undo of an import left unchanged, by id.
pub(super) fn list_skipped(
    session: &dyn Session,
    id: ImportId,
    slice: Slice,
) -> Result<Page<SkippedRecord>, StoreError> {
    let total =
        session.query_value("SELECT count(*) FROM import_undo_skipped_records WHERE import_id = ?1", &binds![id.0])?;
    let [limit, offset] = rows::slice_binds(slice);
    let sql = "SELECT record_id, lead_id, reason, detail, kind FROM import_undo_skipped_records WHERE import_id = ?1
               ORDER BY record_id, id LIMIT ?2 OFFSET ?3";
    let items = session.query(sql, &binds![id.0, limit, offset], |row| {
        Ok(SkippedRecord {
            kind: row.get_enum(4, ImportKind::from_name)?,
            id: row.get(0)?,
            lead_id: row.get::<Option<i64>>(1)?.map(LeadId),
            reason: row.get_enum(2, UndoSkipReason::from_name)?,
            message: row.get(3)?,
        })
    })?;
    Ok(Page { items, total })
}
