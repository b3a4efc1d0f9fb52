//! What imports ask of a store, and what becomes of a batch of rows.

use std::sync::{Arc, Mutex, PoisonError};

use async_trait::async_trait;
use chrono::TimeDelta;
use leadscribe_engine::api::*;
use leadscribe_engine::fault::Fault;
use leadscribe_engine::record::{CallRecord, CampaignLeadRecord, CampaignRecord, LeadRecord, Mapping};

use super::{Origin, Slice, StoreError, WriteError};

/// For how many days it is kept what an import changed, so that it can be undone.
pub const UNDO_DAYS: u32 = 30;

/// The same as a span of time.
pub const UNDO_KEPT: TimeDelta = TimeDelta::days(UNDO_DAYS as i64);

/// How long the rows that an import refused are kept, from its start: as long as it can be undone.
pub const REJECTED_KEPT: TimeDelta = UNDO_KEPT;

/// How long dry runs are kept, so that their refused rows can be read and downloaded.
pub const DRY_RUNS_KEPT: TimeDelta = TimeDelta::days(1);

/// How many characters of a refused row a list shows: enough to know it by, and little enough for a thousand of them.
pub const REJECTED_SHOWN: u32 = 2_000;

/// What became of one row of a batch.
#[derive(Clone, Debug, PartialEq)]
pub enum RowOutcome {
    /// It made something new.
    Inserted,
    /// It changed something.
    Updated,
    /// It said what was already so; nothing was touched.
    Unchanged,
    /// It contradicts what is stored; the other rows of the batch went in.
    Rejected(Fault),
}

/// What became of a batch, row by row.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct BatchOutcome {
    /// One per row, in order.
    pub rows: Vec<RowOutcome>,
    /// Names of statuses that were added because rows used them.
    pub new_statuses: Vec<String>,
    /// How many leads were put into the import's campaign.
    pub put_in: u64,
}

/// An import that is to begin.
#[derive(Clone, Debug)]
pub struct NewImport {
    /// The mapping of its columns.
    pub mapping: Mapping,
    /// The campaign that its leads are put into, if any.
    pub campaign: Option<CampaignId>,
    /// The status that they begin with there; the default one if none.
    pub status: Option<String>,
    /// The import whose refused rows it corrects, if any.
    pub corrects: Option<ImportId>,
    /// What the file holds.
    pub kind: ImportKind,
    /// Name of the file, as given.
    pub file_name: String,
    /// Whether nothing is written and only told what would be.
    pub dry_run: bool,
    /// Whether it is kept what it changes, so that it can be undone. Nothing is of a dry run.
    pub undoable: bool,
}

impl NewImport {
    /// An import that writes, can't be undone, reads columns by their names and puts leads into no campaign.
    #[must_use]
    pub fn new(kind: ImportKind, file_name: impl Into<String>) -> Self {
        let (file_name, mapping) = (file_name.into(), Mapping::default());
        Self { kind, file_name, mapping, campaign: None, status: None, corrects: None, dry_run: false, undoable: false }
    }
}

/// Where a refused row stands among all that an import refused. The default is before the first one.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct RejectedAt {
    /// Line of the file where it starts.
    pub line: i64,
    /// Its id, which tells rows of one line apart.
    pub id: i64,
}

/// Rows of a file, of one kind.
#[derive(Clone, Debug)]
pub enum ImportRows {
    /// Campaigns.
    Campaigns(Vec<CampaignRecord>),
    /// Leads, and of which region phone numbers are that say no country, where the lead has none: see
    /// [`LeadStore::update_lead`](super::LeadStore::update_lead).
    Leads(Vec<LeadRecord>, Option<String>),
    /// Leads in campaigns.
    CampaignLeads(Vec<CampaignLeadRecord>),
    /// Calls.
    Calls(Vec<CallRecord>),
}

/// Some rows of an import. They go in once, however often that is tried.
#[derive(Debug)]
pub struct ImportBatch {
    /// The import.
    pub import: ImportId,
    /// How many rows of its file are read with these; with each batch they are more.
    pub rows_read: u64,
    /// Whether what they change is kept, so that the import can be undone.
    pub undoable: bool,
    /// The rows.
    pub rows: ImportRows,
    /// What became of them when they were written last: the store says no more than that they are in.
    outcome: Mutex<Option<BatchOutcome>>,
}

impl ImportBatch {
    /// Rows that were never written.
    #[must_use]
    pub fn new(import: ImportId, rows_read: u64, undoable: bool, rows: ImportRows) -> Self {
        Self { import, rows_read, undoable, rows, outcome: Mutex::default() }
    }

    /// Keeps what became of the rows, should nobody hear whether that was committed.
    pub(super) fn remember(&self, outcome: &BatchOutcome) {
        *self.outcome.lock().unwrap_or_else(PoisonError::into_inner) = Some(outcome.clone());
    }

    /// What became of the rows when they were written last.
    pub(super) fn remembered(&self) -> Option<BatchOutcome> {
        self.outcome.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }
}

/// Which imports are listed; of several conditions all must hold. Dry runs are none of them.
#[derive(Clone, Debug, Default)]
pub struct ImportQuery {
    /// Only of files that hold one of these; empty means any.
    pub kinds: Vec<ImportKind>,
    /// Only those that are this far.
    pub state: Option<ImportState>,
    /// Only of files whose name contains this, without regard to case.
    pub name: Option<String>,
    /// In which order.
    pub order: Order<ImportOrder>,
}

/// Imports and the rows they refused.
#[async_trait]
pub trait ImportStore: Send + Sync {
    /// Notes the start of an import. Refused when the campaign or status that it names, or the import that it corrects, can't be
    /// used: places are query parameters.
    async fn create_import(&self, new: &NewImport, by: &Origin) -> Result<Import, WriteError>;
    /// Returns the outcome that these rows of an import would have now. Nothing is written.
    async fn try_import(&self, import: ImportId, rows: ImportRows, by: &Origin) -> Result<BatchOutcome, StoreError>;
    /// Imports rows as the methods of each kind do, and what they change is kept where the import is undoable: one that was
    /// created as such, and isn't undone. After a failure the same batch can be given again: where it was written all
    /// the same, nothing is done, and told what became of it.
    async fn import_batch(&self, batch: Arc<ImportBatch>, by: &Origin) -> Result<BatchOutcome, StoreError>;
    /// Notes how far an import is, and adds refused rows, each of which stands there once.
    async fn update_import(&self, import: &Import, rejected: &[RejectedRow], now: Timestamp) -> Result<(), StoreError>;
    /// The refused rows of an import at these lines, unless they were corrected.
    async fn open_rejected_rows(&self, id: ImportId, lines: &[u64]) -> Result<Vec<RejectedRow>, StoreError>;
    /// Marks refused rows as corrected: those at these lines of the import that this one corrects. They are no longer listed.
    async fn mark_corrected(&self, by: ImportId, lines: &[u64]) -> Result<(), StoreError>;
    /// Notes that an import is to stop before its end: when that was asked for first is its `cancel_requested_at`, which later
    /// notes keep. None when there is no such import; refused when it has ended.
    async fn cancel_import(&self, id: ImportId, by: &Origin) -> Result<Option<Import>, WriteError>;
    /// Marks running imports as failed about which nothing was noted since `silent_since`; gives how many. One that goes
    /// on after all is running again with the next note.
    async fn fail_lost_imports(&self, error: &str, silent_since: Timestamp, now: Timestamp) -> Result<u64, StoreError>;
    /// A slice of the imports, without dry runs.
    async fn imports(&self, query: &ImportQuery, slice: Slice) -> Result<Page<Import>, StoreError>;
    /// One import.
    async fn import(&self, id: ImportId) -> Result<Option<Import>, StoreError>;
    /// A slice of the rows an import refused that aren't corrected, by line: [`REJECTED_SHOWN`] characters of each, and `…` for the others.
    async fn rejected_rows(&self, id: ImportId, slice: Slice) -> Result<Page<RejectedRow>, StoreError>;
    /// The next rows an import refused that aren't corrected, by line, at most `count` and of at most so many `bytes` with their faults, but for one,
    /// which may have more: those after the place `after`, which is the default for the first ones. Each comes whole, and
    /// with its place.
    async fn next_rejected_rows(
        &self,
        id: ImportId,
        after: RejectedAt,
        count: u32,
        bytes: u64,
    ) -> Result<Vec<(RejectedAt, RejectedRow)>, StoreError>;

    /// Notes that an import is to be undone, by [`ImportStore::undo_import_step`]. None when there is no such import; refused
    /// while it runs, when what it changed isn't kept, and when it is undone already or being undone. One that was cancelled
    /// goes on where it was.
    async fn begin_undo(&self, id: ImportId, by: &Origin) -> Result<Option<Import>, WriteError>;
    /// Stops the undo of an import between two steps: what is undone stays so, and the rest can be undone later. None when
    /// there is no such import; refused when it isn't being undone.
    async fn cancel_undo(&self, id: ImportId, by: &Origin) -> Result<Option<Import>, WriteError>;
    /// Undoes some more of an import, in one transaction. False when that was the last of it. Any number of processes may do
    /// this at the same time.
    async fn undo_import_step(&self, id: ImportId, now: Timestamp) -> Result<bool, StoreError>;
    /// The imports whose undo was begun, and of which nothing was noted since `silent_since`.
    async fn stalled_undos(&self, silent_since: Timestamp) -> Result<Vec<ImportId>, StoreError>;
    /// A slice of what the undo of an import left as it was, by id.
    async fn left_rows(&self, id: ImportId, slice: Slice) -> Result<Page<LeftRow>, StoreError>;
    /// Deletes some of what imports that started before `imports_before` and actions on leads from before `actions_before` need to
    /// be undone, and returns the number of rows. Imports whose undo is running keep it. To be called until it returns 0.
    async fn purge_undo_journal(&self, imports_before: Timestamp, actions_before: Timestamp)
    -> Result<u64, StoreError>;
    /// Forgets some of the rows that imports refused that began before `before`, whose counts stay, and after them dry runs
    /// that began before `dry_runs_before`, with their refused rows; gives how many rows and dry runs. To be called until it
    /// gives 0.
    async fn purge_rejected_rows(&self, before: Timestamp, dry_runs_before: Timestamp) -> Result<u64, StoreError>;
}
