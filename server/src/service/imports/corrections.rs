//! Rows that correct the rejected rows of another import.

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use leadscribe_engine::api::{ImportId, RejectedRow};
use leadscribe_engine::diagnostic::{Diagnostic, Location, work};
use leadscribe_engine::record::{Delimiter, REASON_COLUMNS};

use super::row_reader::{Batch, ReadRow};
use super::{duplicates, rejected_rows};
use crate::service::app::App;
use crate::service::error::Result;
use crate::service::imports::retry::with_retries;

/// The rejected rows of an import, while another import corrects them.
pub struct Corrections {
    corrected_import: ImportId,
    /// Delimiter of the stored rejected rows.
    delimiter: Delimiter,
    /// Lines of the rejected rows that valid rows have corrected so far.
    lines: HashSet<u64>,
}

impl Corrections {
    /// Starts correcting the rejected rows of an import.
    ///
    /// # Errors
    /// The store failed.
    pub async fn begin(app: &Arc<App>, corrected_import: ImportId) -> Result<Self> {
        let import = with_retries(app, || app.store.import(corrected_import)).await?;
        let delimiter = import.map(|import| import.delimiter).unwrap_or_default();
        Ok(Self { corrected_import, delimiter, lines: HashSet::new() })
    }

    /// Rejects the rows of a batch that correct no rejected row.
    ///
    /// # Errors
    /// The store failed.
    pub async fn check<T>(&mut self, app: &Arc<App>, batch: &mut Batch<T>) -> Result<()> {
        let lines: Vec<u64> = batch.rows.iter().filter_map(|row| row.raw.original_line).collect();
        let uncorrected_rows =
            with_retries(app, || app.store.uncorrected_rejected_rows(self.corrected_import, &lines)).await?;
        let uncorrected_rows: HashMap<u64, RejectedRow> =
            uncorrected_rows.into_iter().map(|row| (row.line, row)).collect();
        for row in &mut batch.rows {
            if let Some(diagnostics) = self.rejection(&uncorrected_rows, row) {
                row.record = Err(diagnostics);
            }
        }
        Ok(())
    }

    /// Returns why a row is not a valid correction. Either no row in `uncorrected_rows` has its line, an earlier row corrects the same
    /// line, or its identifier wasn't changed and is still shared with another row.
    fn rejection<T>(
        &mut self,
        uncorrected_rows: &HashMap<u64, RejectedRow>,
        row: &ReadRow<T>,
    ) -> Option<Vec<Diagnostic>> {
        let line = row.raw.original_line?;
        let Some(rejected_row) = uncorrected_rows.get(&line).filter(|_| !self.lines.contains(&line)) else {
            let location = Location::Column(REASON_COLUMNS[0].to_owned());
            return Some(vec![Diagnostic::new(location, "not_rejected_row", work::not_rejected_row(line))]);
        };
        let is_duplicate =
            rejected_row.diagnostics.iter().any(|diagnostic| diagnostic.code == duplicates::DUPLICATE_CODE);
        if is_duplicate && rejected_rows::parse_rejected_row(rejected_row, self.delimiter).cells().eq(row.raw.cells()) {
            return Some(rejected_row.diagnostics.clone());
        }
        if row.record.is_ok() {
            self.lines.insert(line);
        }
        None
    }
}
