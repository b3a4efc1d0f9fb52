//! Inspection of the file, in use or not.

use std::path::Path;

use super::session::SqliteSession;
use super::snapshot::{
    integrity_errors, newest_schema_version, open_existing, schema_version, tables_with_broken_references,
};
use crate::storage::inspection::DatabaseInspection;
use crate::storage::snapshot::SnapshotError;
use crate::storage::sql;

/// Inspects the database in a file without changing it. With `is_full`, also checks that indexes match their tables, which takes several
/// times as long. Blocks.
///
/// # Errors
/// The file doesn't exist or can't be read.
pub fn inspect(path: &Path, is_full: bool) -> Result<DatabaseInspection, SnapshotError> {
    let mut connection = open_existing(path)?;
    // One snapshot, independent of concurrent writes.
    let snapshot = connection.transaction()?;
    let mut inspection = DatabaseInspection {
        location: path.display().to_string(),
        schema_version: schema_version(&snapshot)?,
        newest_known_version: newest_schema_version(),
        corruption: integrity_errors(&snapshot, if is_full { "integrity_check" } else { "quick_check" })?,
        ..DatabaseInspection::default()
    };
    // Other data of a corrupt file can't be trusted.
    if inspection.corruption.is_empty() {
        inspection.tables_with_broken_references = tables_with_broken_references(&snapshot)?;
        if inspection.schema_version == inspection.newest_known_version {
            let rows = sql::inspection::row_stats(&SqliteSession(&snapshot));
            inspection.row_stats = Some(rows.map_err(|error| SnapshotError::Failed(Box::new(error)))?);
        }
    }
    Ok(inspection)
}
