//! Inspection of the file, in use or not.

use std::path::Path;

use super::session::SqliteSession;
use super::snapshot::{faults, known_schema, open_existing, schema, strays};
use crate::storage::snapshot::SnapshotError;
use crate::storage::sql;
use crate::storage::survey::Survey;

/// Inspects the database in a file without changing it. With `full`, also checks that indexes match their tables, which takes several times
/// as long. Blocks.
///
/// # Errors
/// The file doesn't exist or can't be read.
pub fn survey(path: &Path, full: bool) -> Result<Survey, SnapshotError> {
    let mut connection = open_existing(path)?;
    // One snapshot, independent of concurrent writes.
    let snapshot = connection.transaction()?;
    let mut survey = Survey {
        place: path.display().to_string(),
        schema: schema(&snapshot)?,
        known: known_schema(),
        faults: faults(&snapshot, if full { "integrity_check" } else { "quick_check" })?,
        ..Survey::default()
    };
    // Other data of a corrupt file can't be trusted.
    if survey.faults.is_empty() {
        survey.strays = strays(&snapshot)?;
        if survey.schema == survey.known {
            let rows = sql::survey::rows(&SqliteSession(&snapshot));
            survey.rows = Some(rows.map_err(|error| SnapshotError::Failed(Box::new(error)))?);
        }
    }
    Ok(survey)
}
