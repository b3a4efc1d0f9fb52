//! Rows that correct the refused rows of another import.

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use leadscribe_engine::api::{ImportId, RejectedRow};
use leadscribe_engine::fault::{Fault, Place};
use leadscribe_engine::message::work;
use leadscribe_engine::record::{Delimiter, REASON_COLUMNS};

use super::rows::{Batch, ReadRow};
use super::{duplicates, rejected};
use crate::app::App;
use crate::service::error::ServiceError;
use crate::service::imports::patience::patiently;

/// The refused rows of an import, as another one corrects them.
pub struct Corrections {
    corrected: ImportId,
    /// The delimiter with which its refused rows are kept.
    delimiter: Delimiter,
    /// The lines of those that a valid row corrects.
    lines: HashSet<u64>,
}

impl Corrections {
    /// Begins to correct the refused rows of an import.
    ///
    /// # Errors
    /// The store failed.
    pub async fn begin(app: &Arc<App>, corrected: ImportId) -> Result<Self, ServiceError> {
        let import = patiently(app, || app.store.import(corrected)).await?;
        let delimiter = import.map(|import| import.delimiter).unwrap_or_default();
        Ok(Self { corrected, delimiter, lines: HashSet::new() })
    }

    /// Refuses the rows of a batch that correct no refused row.
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

    /// Why a row corrects none of the refused rows in `open`: none of them is at its line, or an earlier row corrects that; or it
    /// shares its identifier with another row and wasn't changed.
    fn refuse<T>(&mut self, open: &HashMap<u64, RejectedRow>, row: &ReadRow<T>) -> Option<Vec<Fault>> {
        let line = row.raw.corrects?;
        let Some(refused) = open.get(&line).filter(|_| !self.lines.contains(&line)) else {
            let place = Place::Column(REASON_COLUMNS[0].to_owned());
            return Some(vec![Fault::new(place, "not_refused_row", work::not_refused_row(line))]);
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
