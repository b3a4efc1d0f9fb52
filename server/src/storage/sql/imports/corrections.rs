//! Imports that correct the rows that another import refused.

use leadscribe_engine::record::Format;

use super::*;

/// Checks that the new import can correct the refused rows of this one.
pub(super) fn check(session: &dyn Session, corrected: ImportId, new: &NewImport) -> Result<(), WriteError> {
    let refuse = |code: &str, detail: String| {
        Err(WriteError::Refused(Fault::new(Place::Parameter("corrects".to_owned()), code, detail)))
    };
    match find(session, corrected)? {
        None => refuse("unknown_import", format!("there is no import {corrected}")),
        Some(import) if import.kind != new.kind => {
            refuse("other_kind", format!("import {corrected} is of {}, not of {}", import.kind, new.kind))
        }
        Some(import) if import.dry_run => {
            refuse("dry_run", format!("import {corrected} is a dry run; correct its file and import that"))
        }
        Some(import) if import.state == ImportState::Running => {
            refuse("running", format!("import {corrected} is still running; wait until it ends"))
        }
        Some(import) if import.mapping.format != Format::Fields => refuse(
            "call_details",
            format!("import {corrected} is of call detail records, whose rows can't be corrected one by one"),
        ),
        Some(Import { corrects: Some(first), .. }) => refuse(
            "is_correction",
            format!("import {corrected} corrects import {first}; correct the rows of import {first}"),
        ),
        Some(_) => Ok(()),
    }
}

/// Marks refused rows as corrected: those at these lines of the import that this one corrects.
pub(super) fn mark(session: &dyn Session, by: ImportId, lines: &[u64]) -> Result<(), StoreError> {
    let Some(corrected) = find(session, by)?.and_then(|import| import.corrects) else { return Ok(()) };
    let of_lines = session.dialect().is_any_of("line", "?3");
    let sql = format!(
        "UPDATE import_rejects SET corrected_by = ?2 WHERE import_id = ?1 AND corrected_by IS NULL AND {of_lines}"
    );
    let lines = Bind::List(lines.iter().map(Bind::from).collect());
    let count = session.execute(&sql, &[Bind::Integer(corrected.0), Bind::Integer(by.0), lines])?;
    let sql = "UPDATE imports SET rows_corrected = rows_corrected + ?2 WHERE id = ?1";
    session.execute(sql, &binds![corrected.0, count])?;
    Ok(())
}
