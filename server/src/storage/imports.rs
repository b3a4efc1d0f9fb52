//! Store interface for imports, and the outcome of a batch of rows.

use std::sync::{Arc, Mutex, PoisonError};

use async_trait::async_trait;
use chrono::TimeDelta;
use leadscribe_engine::api::*;
use leadscribe_engine::diagnostic::{Diagnostic, Message};
use leadscribe_engine::record::{CallRecord, CampaignLeadRecord, CampaignRecord, LeadRecord, Mapping};

use super::{AuditContext, Result, Slice, WriteError};

/// Number of days for which an import can be undone.
pub const UNDO_RETENTION_DAYS: u32 = 30;

/// [`UNDO_RETENTION_DAYS`] as a duration.
pub const UNDO_RETENTION: TimeDelta = TimeDelta::days(UNDO_RETENTION_DAYS as i64);

/// Retention of rejected rows, from the start of the import: as long as the import can be undone.
pub const REJECTED_ROW_RETENTION: TimeDelta = UNDO_RETENTION;

/// Retention of dry runs, whose rejected rows can be read and downloaded.
pub const DRY_RUN_RETENTION: TimeDelta = TimeDelta::days(1);

/// Number of characters of a rejected row that a list shows: enough to recognize it, and small enough for a page of a thousand rows.
pub const REJECTED_ROW_PREVIEW_CHARS: u32 = 2_000;

/// Outcome of one row of a batch.
#[derive(Clone, Debug, PartialEq)]
pub enum RowOutcome {
    /// The row created a record.
    Inserted,
    /// The row changed a record.
    Updated,
    /// The row matched the stored record; nothing was written.
    Unchanged,
    /// The row contradicts stored data; the other rows of the batch were written.
    Rejected(Box<Diagnostic>),
}

/// Outcome of a batch, row by row.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct BatchOutcome {
    /// One outcome per row, in order.
    pub rows: Vec<RowOutcome>,
    /// Names of statuses that were created because rows used them.
    pub new_statuses: Vec<String>,
    /// Number of leads that were added to the import's campaign.
    pub leads_added: u64,
}

/// An import to start.
#[derive(Clone, Debug)]
pub struct NewImport {
    /// Mapping of its columns.
    pub mapping: Mapping,
    /// Campaign that its leads are added to, if any.
    pub campaign: Option<CampaignId>,
    /// Initial status of its leads in the campaign; the default status if `None`.
    pub status: Option<String>,
    /// Import whose rejected rows this import corrects, if any.
    pub corrected_import: Option<ImportId>,
    /// Kind of records in the file.
    pub kind: ImportKind,
    /// Name of the file, as given by the client.
    pub file_name: String,
    /// True if nothing is written and only the outcome is reported.
    pub is_dry_run: bool,
    /// True if the changes are recorded so that they can be undone. Always false for a dry run.
    pub is_undoable: bool,
}

impl NewImport {
    /// Creates an import that writes, can't be undone, maps columns by name and adds leads to no campaign.
    #[must_use]
    pub fn new(kind: ImportKind, file_name: impl Into<String>) -> Self {
        let (file_name, mapping) = (file_name.into(), Mapping::default());
        Self {
            kind,
            file_name,
            mapping,
            campaign: None,
            status: None,
            corrected_import: None,
            is_dry_run: false,
            is_undoable: false,
        }
    }
}

/// Position of a rejected row in its import. The default precedes the first row.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct RejectedRowPosition {
    /// Line of the file where the row starts.
    pub line: i64,
    /// Id, which distinguishes rows of one line.
    pub id: i64,
}

/// Rows of a file, of one kind.
#[derive(Clone, Debug)]
pub enum ImportRows {
    /// Campaigns.
    Campaigns(Vec<CampaignRecord>),
    /// Leads, and the region of their phone numbers if neither the row nor the lead has a country; see
    /// [`LeadStore::update_lead`](super::LeadStore::update_lead).
    Leads(Vec<LeadRecord>, Option<String>),
    /// Leads in campaigns.
    CampaignLeads(Vec<CampaignLeadRecord>),
    /// Calls.
    Calls(Vec<CallRecord>),
}

/// A batch of rows of an import. It is written once, however often it is retried.
#[derive(Debug)]
pub struct ImportBatch {
    /// Import of the batch.
    pub import: ImportId,
    /// Number of rows of the file that are read after this batch. Increases with each batch.
    pub rows_read: u64,
    /// True if the changes are recorded so that the import can be undone.
    pub is_undoable: bool,
    /// Rows of the batch.
    pub rows: ImportRows,
    /// Outcome of the last write. The store only knows that the batch was written.
    outcome: Mutex<Option<BatchOutcome>>,
}

impl ImportBatch {
    /// Creates a batch that hasn't been written yet.
    #[must_use]
    pub fn new(import: ImportId, rows_read: u64, undoable: bool, rows: ImportRows) -> Self {
        Self { import, rows_read, is_undoable: undoable, rows, outcome: Mutex::default() }
    }

    /// Remembers the outcome of the rows, in case the result of the commit is lost.
    pub(super) fn set_last_outcome(&self, outcome: &BatchOutcome) {
        *self.outcome.lock().unwrap_or_else(PoisonError::into_inner) = Some(outcome.clone());
    }

    /// Outcome of the rows when they were last written.
    pub(super) fn last_outcome(&self) -> Option<BatchOutcome> {
        self.outcome.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }
}

/// Filter and order of the list of imports. All given conditions must hold. Dry runs are never listed.
#[derive(Clone, Debug, Default)]
pub struct ImportQuery {
    /// Kinds of records in the file; empty for any.
    pub kinds: Vec<ImportKind>,
    /// State of the import.
    pub state: Option<ImportState>,
    /// Text in the file name, ignoring case.
    pub name: Option<String>,
    /// Order of the list.
    pub order: Order<ImportOrder>,
}

/// Imports and their rejected rows.
#[async_trait]
pub trait ImportStore: Send + Sync {
    /// Starts an import. Refused if the campaign or status that it names, or the import that it corrects, can't be used; locations are
    /// query parameters.
    async fn create_import(&self, new: &NewImport, audit: &AuditContext) -> Result<Import, WriteError>;
    /// Returns the outcome that these rows of an import would have now. Nothing is written.
    async fn preview_import(&self, import: ImportId, rows: ImportRows, audit: &AuditContext) -> Result<BatchOutcome>;
    /// Imports rows like the methods of each kind. Records the changes if the import was created as undoable and isn't undone. After a
    /// failure, the same batch can be sent again: if it was written after all, nothing is done and its outcome is returned.
    async fn import_batch(&self, batch: Arc<ImportBatch>, audit: &AuditContext) -> Result<BatchOutcome>;
    /// Updates the progress of an import and adds rejected rows, each at most once.
    async fn update_import(&self, import: &Import, rejected: &[RejectedRow], now: Timestamp) -> Result<()>;
    /// Rejected rows of an import at these lines that aren't corrected yet.
    async fn uncorrected_rejected_rows(&self, id: ImportId, lines: &[u64]) -> Result<Vec<RejectedRow>>;
    /// Marks the rejected rows at these lines as corrected, in the import that `correction` corrects. They are no longer listed.
    async fn mark_corrected(&self, correction: ImportId, lines: &[u64]) -> Result<()>;
    /// Requests that an import stop. The time of the first request becomes its `cancel_requested_at`, which later updates keep. `None` if
    /// the import doesn't exist; refused if it has ended.
    async fn cancel_import(&self, id: ImportId, audit: &AuditContext) -> Result<Option<Import>, WriteError>;
    /// Marks running imports without progress since `no_progress_since` as failed. Returns their number. If such an import
    /// continues, its next update marks it as running again.
    async fn fail_lost_imports(&self, error: &Message, no_progress_since: Timestamp, now: Timestamp) -> Result<u64>;
    /// Slice of the imports, without dry runs.
    async fn imports(&self, query: &ImportQuery, slice: Slice) -> Result<Page<Import>>;
    /// A single import.
    async fn import(&self, id: ImportId) -> Result<Option<Import>>;
    /// Slice of the rejected rows of an import that aren't corrected, by line. Shows [`REJECTED_ROW_PREVIEW_CHARS`] characters of each,
    /// and `…` for the rest.
    async fn rejected_rows(&self, id: ImportId, slice: Slice) -> Result<Page<RejectedRow>>;
    /// Next rejected rows of an import that aren't corrected, by line, after `after`; the default is the start. Returns at most `max_rows`
    /// rows and at most `max_bytes` bytes with their diagnostics, but at least one row. Rows are complete, each with its position.
    async fn next_rejected_rows(
        &self,
        id: ImportId,
        after: RejectedRowPosition,
        max_rows: u32,
        max_bytes: u64,
    ) -> Result<Vec<(RejectedRowPosition, RejectedRow)>>;

    /// Starts the undo of an import, which [`ImportStore::undo_import_step`] carries out. A cancelled undo continues. `None` if the import
    /// doesn't exist; refused while it runs, if its changes weren't recorded, and if it is undone or being undone.
    async fn begin_undo(&self, id: ImportId, audit: &AuditContext) -> Result<Option<Import>, WriteError>;
    /// Stops the undo of an import between two steps. Undone records stay undone, and the rest can be undone later. `None` if the import
    /// doesn't exist; refused if it isn't being undone.
    async fn cancel_undo(&self, id: ImportId, audit: &AuditContext) -> Result<Option<Import>, WriteError>;
    /// Undoes the next changes of an import, in one transaction. False if nothing is left. Several processes may do this concurrently.
    async fn undo_import_step(&self, id: ImportId, now: Timestamp) -> Result<bool>;
    /// Imports whose undo is running without progress since `no_progress_since`.
    async fn stalled_undos(&self, no_progress_since: Timestamp) -> Result<Vec<ImportId>>;
    /// Slice of the records that the undo of an import left unchanged, by id.
    async fn rows_skipped_by_undo(&self, id: ImportId, slice: Slice) -> Result<Page<SkippedRecord>>;
    /// Deletes some of the undo data of imports that started before `imports_before` and of lead actions from before `actions_before`.
    /// Returns the number of rows. Keeps the data of imports whose undo is running. Call until it returns 0.
    async fn purge_undo_journal(&self, imports_before: Timestamp, actions_before: Timestamp) -> Result<u64>;
    /// Deletes some of the rejected rows of imports that started before `before`, then dry runs that started before `dry_runs_before` with
    /// their rejected rows. The counts of imports stay. Returns the number of rows and dry runs. Call until it returns 0.
    async fn purge_rejected_rows(&self, before: Timestamp, dry_runs_before: Timestamp) -> Result<u64>;
}
