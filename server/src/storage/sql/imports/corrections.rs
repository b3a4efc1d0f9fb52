//! Imports that correct the rejected rows of another import.

use leadscribe_engine::diagnostic::{Message, conflict};

use super::*;

/// Checks that the new import can correct the rejected rows of this import.
pub(super) fn check(session: &dyn Session, corrected: ImportId, new: &NewImport) -> Result<(), WriteError> {
    let refuse = |code: &str, detail: Message| {
        Err(WriteError::Refused(Diagnostic::new(Location::Parameter("corrects_import_id".to_owned()), code, detail)))
    };
    let id = corrected.0;
    match find(session, corrected)? {
        None => refuse("unknown_import", conflict::no_import(id)),
        Some(import) if import.kind != new.kind => {
            let (existing_kind, new_kind) = (import.kind.to_string(), new.kind.to_string());
            refuse("wrong_kind", conflict::import_kind_mismatch(id, existing_kind, new_kind))
        }
        Some(import) if import.dry_run => refuse("dry_run", conflict::import_is_dry_run(id)),
        Some(import) if import.state == ImportState::Running => refuse("running", conflict::import_still_running(id)),
        Some(import) if import.has_call_details() => {
            refuse("call_detail_records", conflict::import_has_call_details(id))
        }
        Some(Import { corrects_import_id: Some(original), .. }) => {
            refuse("is_correction", conflict::import_is_correction(id, original.0))
        }
        Some(_) => Ok(()),
    }
}

/// Rejected rows of an import at these lines that aren't corrected yet.
pub(super) fn find_uncorrected(
    session: &dyn Session,
    id: ImportId,
    lines: &[u64],
) -> Result<Vec<RejectedRow>, StoreError> {
    let has_line = session.dialect().is_any_of("line", "?2");
    let sql = format!(
        "SELECT line, diagnostics, text FROM rejected_rows WHERE import_id = ?1 AND correction_import_id IS NULL AND {has_line}"
    );
    session.query(&sql, &[Bind::Integer(id.0), Bind::List(lines.iter().map(Bind::from).collect())], read_rejected_row)
}

/// Marks the rejected rows at these lines of the corrected import as corrected.
pub(super) fn mark_corrected(session: &dyn Session, correction: ImportId, lines: &[u64]) -> Result<(), StoreError> {
    let Some(corrected) = find(session, correction)?.and_then(|import| import.corrects_import_id) else {
        return Ok(());
    };
    let has_line = session.dialect().is_any_of("line", "?3");
    let sql = format!(
        "UPDATE rejected_rows SET correction_import_id = ?2 WHERE import_id = ?1 AND correction_import_id IS NULL AND {has_line}"
    );
    let lines = Bind::List(lines.iter().map(Bind::from).collect());
    let count = session.execute(&sql, &[Bind::Integer(corrected.0), Bind::Integer(correction.0), lines])?;
    let sql = "UPDATE imports SET rows_corrected = rows_corrected + ?2 WHERE id = ?1";
    session.execute(sql, &binds![corrected.0, count])?;
    Ok(())
}
