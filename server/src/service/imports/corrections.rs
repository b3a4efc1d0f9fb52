//! Rows that correct the rejected rows of another import.

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use leadscribe_engine::api::{ImportId, RejectedRow};
use leadscribe_engine::diagnostic::{Diagnostic, Place, work};
use leadscribe_engine::record::{Delimiter, REASON_COLUMNS};

use super::rows::{Batch, ReadRow};
use super::{duplicates, rejected};
use crate::app::App;
use crate::service::error::ServiceError;
use crate::service::imports::patience::patiently;

/// The rejected rows of an import, while another import corrects them.
pub struct Corrections {
    corrected: ImportId,
    /// Delimiter of the stored rejected rows.
    delimiter: Delimiter,
    /// Lines of the rejected rows that a valid row corrects.
    lines: HashSet<u64>,
}

impl Corrections {
    /// Starts correcting the rejected rows of an import.
    ///
    /// # Errors
    /// The store failed.
    pub async fn begin(app: &Arc<App>, corrected: ImportId) -> Result<Self, ServiceError> {
        let import = patiently(app, || app.store.import(corrected)).await?;
        let delimiter = import.map(|import| import.delimiter).unwrap_or_default();
        Ok(Self { corrected, delimiter, lines: HashSet::new() })
    }

    /// Rejects the rows of a batch that correct no rejected row.
    ///
    /// # Errors
    /// The store failed.
    pub async fn check<T>(&mut self, app: &Arc<App>, batch: &mut Batch<T>) -> Result<(), ServiceError> {
        let lines: Vec<u64> = batch.rows.iter().filter_map(|row| row.raw.corrects).collect();
        let open = patiently(app, || app.store.open_rejected_rows(self.corrected, &lines)).await?;
        let open: HashMap<u64, RejectedRow> = open.into_iter().map(|row| (row.line, row)).collect();
        for row in &mut batch.rows {
            if let Some(faults) = self.refuse(&open, row) {
                row.record = Err(faults);
            }
        }
        Ok(())
    }

    /// Returns why a row is not a valid correction: no rejected row in `open` has its line, an earlier row corrects the same
    /// line, or it still shares its identifier with another row because it wasn't changed.
    fn refuse<T>(&mut self, open: &HashMap<u64, RejectedRow>, row: &ReadRow<T>) -> Option<Vec<Diagnostic>> {
        let line = row.raw.corrects?;
        let Some(refused) = open.get(&line).filter(|_| !self.lines.contains(&line)) else {
            let place = Place::Column(REASON_COLUMNS[0].to_owned());
            return Some(vec![Diagnostic::new(place, "not_refused_row", work::not_refused_row(line))]);
        };
        let is_duplicate = refused.faults.iter().any(|fault| fault.code == duplicates::CODE);
        if is_duplicate && rejected::row_of(refused, self.delimiter).cells().eq(row.raw.cells()) {
            return Some(refused.faults.clone());
        }
        if row.record.is_ok() {
            self.lines.insert(line);
        }
        None
    }
}
