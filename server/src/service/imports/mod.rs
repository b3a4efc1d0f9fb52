//! Imports of CSV files. An import is a bulk operation, can be repeated safely, and reports every rejected row.
//!
//! One thread reads the file and turns its rows into records ([`row_reader`]) while the previous batch is written. [`record_kinds`]
//! defines for each kind of file how rows become records and where they are stored. Rows that break a rule or conflict with
//! stored data are rejected with their line and reason; the others are written.
//!
//! Importing the same file again changes nothing, so an interrupted import can simply be repeated. While the store is
//! unavailable, an import waits ([`retry`]). Changes are recorded for some weeks, so that the whole import can be undone
//! ([`undo`]). A running import can be cancelled ([`cancellation`]).

mod call_rows;
pub mod cancellation;
mod corrections;
mod csv_file;
mod duplicates;
mod findings;
pub mod lost_imports;
mod record_kinds;
mod recordings;
mod rejected_rows;
mod retry;
mod row_reader;
#[cfg(test)]
mod tests;
pub mod undo;

use std::io::{Read, Seek};
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use bytes::Bytes;
use futures::Stream;
use leadscribe_engine::api::{FindingCode, Import, ImportCounts, ImportId, ImportKind, ImportState, Page, RejectedRow};
use leadscribe_engine::diagnostic::{Diagnostic, Location, Message, common, conflict, work};
use leadscribe_engine::record::{CallRecord, CampaignLeadRecord, CampaignRecord, ColumnNames, LeadRecord, Mapping};

use tokio::sync::oneshot;

pub use duplicates::SharedKey;
pub use rejected_rows::{PAGE_BYTES as REJECTED_PAGE_BYTES, rejected_csv};
pub use row_reader::FileProperties;

use self::corrections::Corrections;
use self::csv_file::FileError;
use self::findings::RowFinding;
use self::record_kinds::{BatchResult, CompletedRecords, DefaultCountry, ImportMode, Importable, RecordBatch};
use self::recordings::RecordingsFolder;
use self::retry::with_retries;
use self::row_reader::{Batch, ReadSettings, ReaderMessage, Row};
use super::calls::spool::Spool;
use super::error::{Result, ServiceError};
use crate::concurrency_limit::{ConcurrencyLimit, current_credential};
use crate::service::app::App;
use crate::storage::{AuditContext, BatchOutcome, ImportQuery, NewImport, RowOutcome, Slice};

/// Returns a slice of the imports.
///
/// # Errors
/// The store failed.
pub async fn list(app: &App, query: &ImportQuery, slice: Slice) -> Result<Page<Import>> {
    Ok(app.store.imports(query, slice).await?)
}

/// Returns an import.
///
/// # Errors
/// The import doesn't exist; or storage failed.
pub async fn read(app: &App, id: ImportId) -> Result<Import> {
    app.store.import(id).await?.ok_or(ServiceError::NotFound("import"))
}

/// Returns a slice of the rejected rows of an import, by line. Long rows are truncated.
///
/// # Errors
/// The import doesn't exist; its rejected rows have expired; or storage failed.
pub async fn rejected(app: &App, id: ImportId, slice: Slice) -> Result<Page<RejectedRow>> {
    rejected_rows::ensure_not_purged(app, &read(app, id).await?)?;
    Ok(app.store.rejected_rows(id, slice).await?)
}

/// Input settings of an import. By default, the columns of the file have the names of the fields.
#[derive(Debug, Default)]
pub struct ImportOptions {
    /// Assigns columns to fields.
    pub mapping: Mapping,
    /// Folder to take recordings from.
    pub recordings_folder: Option<PathBuf>,
}

/// Maximum number of concurrent imports of this process, counted from the first byte of the file. Each uses up to
/// `max_import_bytes` on disk, up to three batches in memory, and a reader thread.
const MAX_CONCURRENT_IMPORTS: usize = 32;

/// Maximum number of concurrent imports of one credential.
const MAX_CONCURRENT_IMPORTS_PER_CREDENTIAL: usize = 16;

/// Maximum wait until another import can start.
const START_TIMEOUT: Duration = Duration::from_secs(10);

/// Creates the quota of concurrent imports.
pub fn concurrency_limit() -> ConcurrencyLimit {
    ConcurrencyLimit::new(MAX_CONCURRENT_IMPORTS, MAX_CONCURRENT_IMPORTS_PER_CREDENTIAL)
}

/// Receives a file and imports it in the background. Returns the import in its initial state. An import that corrects
/// another one uses the mapping and the campaign of that import. Once the file is received, the import runs even if the
/// client disconnects.
///
/// # Errors
/// The client or all clients together have too many imports running; the body fails or is empty; something that `new` refers
/// to doesn't exist; or a store failed.
pub async fn receive<S, E>(
    app: &Arc<App>,
    new: NewImport,
    options: ImportOptions,
    body: S,
    audit: AuditContext,
) -> Result<Import, E>
where
    S: Stream<Item = Result<Bytes, E>>,
    E: From<ServiceError>,
{
    let permit =
        app.import_limit.acquire_timeout(START_TIMEOUT, &audit.actor).await.ok_or(ServiceError::TooManyImports)?;
    let spool = Spool::receive(&app.config.spool_dir(), body).await?;
    if spool.bytes() == 0 {
        let message = common::expected(work::csv_file(), common::empty_body());
        let diagnostic = Diagnostic::new(Location::default(), "empty_body", message);
        return Err(ServiceError::InvalidRequest(vec![diagnostic]).into());
    }
    let file = spool.reopen().map_err(ServiceError::from)?;
    let (new, options) = inherit_corrected_settings(app, new, options).await?;
    let worker = app.clone();
    // Create the row in the task that runs the import. Otherwise a client that disconnects could leave a row that says
    // "running" without an import.
    let result = app.background.spawn_with_result(|sender| async move {
        let import = match start(&worker, &new, &audit).await {
            Ok(import) => import,
            Err(error) => return send_result(sender, Err(error)),
        };
        send_result(sender, Ok(import.clone()));
        if audit.is_replayed() {
            return;
        }
        let (id, bytes) = (import.id, Some(spool.bytes()));
        if let Err(error) = run(&worker, import, file, bytes, options, |_| {}, &audit).await {
            tracing::error!(import = id.0, error = format!("{error:#}"), "import failed");
        }
        // Release the file and the quota only when the import has ended.
        drop((spool, permit));
    });
    Ok(result.await.map_err(ServiceError::from)??)
}

/// Sends the first result of background work to the client, if it is still connected.
fn send_result<T>(sender: oneshot::Sender<T>, result: T) {
    let _disconnected = sender.send(result);
}

/// Applies the mapping and the campaign of the corrected import.
async fn inherit_corrected_settings(
    app: &App,
    new: NewImport,
    options: ImportOptions,
) -> Result<(NewImport, ImportOptions)> {
    let Some(corrected_id) = new.corrected_import else {
        return Ok((NewImport { mapping: options.mapping.clone(), ..new }, options));
    };
    // The store reports the error if the corrected import doesn't exist.
    let Some(Import { mapping, campaign, .. }) = app.store.import(corrected_id).await? else {
        return Ok((new, options));
    };
    // The file of rejected rows may use another delimiter.
    let mapping = Mapping { delimiter: None, ..mapping };
    let (campaign, status) = campaign.map_or((None, None), |campaign| (Some(campaign.id), campaign.status));
    let new = NewImport { mapping: mapping.clone(), campaign, status, ..new };
    Ok((new, ImportOptions { mapping, ..options }))
}

/// Creates an import.
///
/// # Errors
/// The campaign, status or corrected import can't be used; or storage failed.
pub async fn start(app: &App, new: &NewImport, audit: &AuditContext) -> Result<Import> {
    Ok(app.store.create_import(new, audit).await?)
}

pub enum ImportProgress<'a> {
    /// The file was scanned; nothing is written yet.
    Scanned(&'a FileProperties),
    /// A batch was written, or the import ended.
    BatchWritten(&'a Import),
}

/// Runs an import: reads all rows of `reader` as `options` specifies, and calls `progress` before the first batch and after
/// each batch. `total_bytes` is the size of the file, if known. Waits whenever storage is unavailable.
///
/// Returns the import in its final state; [`ImportState::Failed`] with a reason if the file is unusable. A dry run writes
/// nothing and counts what it would write. In a dry run, a row that refers to a record created by an earlier batch counts as
/// new again.
///
/// # Errors
/// A store failed; the import is then marked as failed.
pub async fn run(
    app: &Arc<App>,
    import: Import,
    reader: impl Read + Seek + Send + 'static,
    total_bytes: Option<u64>,
    options: ImportOptions,
    mut progress: impl FnMut(ImportProgress<'_>) + Send,
    audit: &AuditContext,
) -> anyhow::Result<Import> {
    let ImportOptions { mapping, recordings_folder: recordings } = options;
    let column_names = ColumnNames::default();
    let mut run = ImportRun {
        app,
        import,
        total_bytes,
        recordings_folder: None,
        column_names,
        country: DefaultCountry::default(),
        progress: &mut progress,
        audit,
        target_findings: Vec::new(),
        corrections: None,
    };
    let open = |folder: PathBuf| RecordingsFolder::open(&folder).map_err(unreadable_folder);
    let outcome = match recordings.map(open).transpose() {
        Err(reason) => Err(reason),
        Ok(folder) => {
            run.recordings_folder = folder;
            match run.import.kind {
                ImportKind::Campaigns => run.import_rows::<CampaignRecord>(reader, mapping).await,
                ImportKind::Leads => run.import_rows::<LeadRecord>(reader, mapping).await,
                ImportKind::CampaignLeads => run.import_rows::<CampaignLeadRecord>(reader, mapping).await,
                ImportKind::Calls => run.import_rows::<CallRecord>(reader, mapping).await,
            }
        }
    };
    run.finish(outcome).await
}

fn unreadable_folder(error: std::io::Error) -> StopReason {
    StopReason::InvalidFile(conflict::folder_unreadable(error.to_string()))
}

/// Reason why an import stopped early.
enum StopReason {
    /// The file is unusable, for this reason.
    InvalidFile(Message),
    /// The import was cancelled.
    Cancelled,
    /// The server failed.
    Failed(ServiceError),
}

impl<E: Into<ServiceError>> From<E> for StopReason {
    fn from(error: E) -> Self {
        Self::Failed(error.into())
    }
}

/// A running import.
struct ImportRun<'a> {
    app: &'a Arc<App>,
    import: Import,
    total_bytes: Option<u64>,
    recordings_folder: Option<RecordingsFolder>,
    column_names: ColumnNames,
    /// Default country of phone numbers.
    country: DefaultCountry,
    progress: &'a mut (dyn FnMut(ImportProgress<'_>) + Send),
    audit: &'a AuditContext,
    /// Findings that apply to every lead imported into the campaign.
    target_findings: Vec<FindingCode>,
    /// Rows that this import corrects, if it corrects another import.
    corrections: Option<Corrections>,
}

impl ImportRun<'_> {
    async fn import_rows<T: Importable>(
        &mut self,
        reader: impl Read + Seek + Send + 'static,
        mapping: Mapping,
    ) -> Result<(), StopReason> {
        let configured_region = || self.app.config.default_country().map(str::to_owned);
        let is_explicit = mapping.default_country.is_some();
        self.country = DefaultCountry { code: mapping.default_country.clone().or_else(configured_region), is_explicit };
        let country = self.country.clone();
        self.target_findings = findings::target_findings(self.app, self.import.campaign.as_ref()).await?;
        if let Some(corrected_id) = self.import.corrects_import_id {
            self.corrections = Some(Corrections::begin(self.app, corrected_id).await?);
        }
        // Batches with recordings take longer, because the files are checked.
        let batch_rows = if self.recordings_folder.is_some() { 50 } else { row_reader::BATCH_ROWS };
        let mut messages = row_reader::read::<T>(
            reader,
            ReadSettings { mapping, country, batch_rows, batch_bytes: row_reader::BATCH_BYTES },
        );
        while let Some(message) = messages.recv().await {
            match message {
                Ok(ReaderMessage::FileProperties(properties)) => {
                    (self.progress)(ImportProgress::Scanned(&properties));
                    self.import.columns = properties.columns;
                    self.import.delimiter = properties.delimiter;
                    if self.import.has_call_details() {
                        let folder = self.recordings_folder.take().map(RecordingsFolder::with_index).transpose();
                        self.recordings_folder = folder.map_err(unreadable_folder)?;
                    }
                    self.column_names = properties.column_names;
                }
                Ok(ReaderMessage::Rows(batch)) => {
                    if cancellation::is_requested(self.app, self.import.id).await? {
                        return Err(StopReason::Cancelled);
                    }
                    self.write_batch(batch).await?;
                }
                Err(FileError(reason)) => return Err(StopReason::InvalidFile(reason)),
            }
        }
        Ok(())
    }

    /// Writes one batch and records the progress.
    async fn write_batch<T: Importable>(&mut self, mut batch: Batch<T>) -> Result<(), StopReason> {
        let mut rejected = Vec::new();
        let mut valid_rows = Vec::new();
        self.import.counts.read += batch.rows.iter().map(|row| 1 + row.other_rows.len() as u64).sum::<u64>();
        let delimiter = self.import.delimiter;
        if self.import.corrects_import_id.is_some() && batch.rows.iter().any(|row| row.raw.original_line.is_none()) {
            return Err(StopReason::InvalidFile(work::not_rejected_rows()));
        }
        if let Some(corrections) = &mut self.corrections {
            corrections.check(self.app, &mut batch).await?;
        }
        for row in batch.rows {
            match row.record {
                Ok(record) => valid_rows.push(Row { record, raw: row.raw, other_rows: row.other_rows }),
                Err(diagnostics) => rejected.push(rejected_rows::to_rejected_row(&row.raw, diagnostics, delimiter)),
            }
        }
        let records = valid_rows.iter_mut().map(|row| std::mem::take(&mut row.record)).collect();
        let audit = AuditContext { at: self.app.now(), ..self.audit.clone() };
        let mode = match &self.import {
            Import { id, dry_run: true, .. } => ImportMode::DryRun(*id),
            Import { id, counts, undo, .. } => {
                ImportMode::Commit { import: *id, rows_read: counts.read, undoable: undo.is_some() }
            }
        };
        let country = self.country.code.as_deref();
        let CompletedRecords { records, assessments } = T::complete(self.app, records, country, &audit).await?;
        let recordings = self.recordings_folder.as_ref();
        let permit = self.app.bulk_writes.acquire(&current_credential()).await;
        let result =
            T::import(self.app, RecordBatch { records, country, recordings_folder: recordings, mode }, &audit).await?;
        drop(permit);
        let BatchResult { outcome, skipped_recordings } = result;
        self.add_counts(&outcome);
        for (index, diagnostic) in skipped_recordings {
            rejected.push(rejected_rows::to_rejected_row(
                &valid_rows[index].raw,
                vec![self.column_names.with_file_column(diagnostic)],
                delimiter,
            ));
        }
        let mut corrected = Vec::new();
        for ((row, assessment), outcome) in valid_rows.into_iter().zip(assessments).zip(outcome.rows) {
            let rows = || std::iter::once(&row.raw).chain(&row.other_rows);
            if let RowOutcome::Rejected(diagnostic) = outcome {
                let diagnostics = vec![self.column_names.with_file_column(*diagnostic)];
                // All rows of a call are needed to correct it.
                rejected.extend(rows().map(|raw| rejected_rows::to_rejected_row(raw, diagnostics.clone(), delimiter)));
                continue;
            }
            corrected.extend(rows().filter_map(|raw| raw.original_line));
            self.import.counts.undialable += u64::from(assessment.is_undialable);
            let target_findings = self.target_findings.iter().map(|code| RowFinding::for_row(*code, false));
            for finding in assessment.findings.into_iter().chain(target_findings) {
                let is_new = outcome == RowOutcome::Inserted;
                finding.add_to(&mut self.import.findings, row.raw.line, is_new, &self.column_names);
            }
        }
        if self.import.corrects_import_id.is_some() && !self.import.dry_run && !corrected.is_empty() {
            let (app, id) = (self.app, self.import.id);
            with_retries(app, || app.store.mark_corrected(id, &corrected)).await?;
        }
        findings::suggest_countries(&mut self.import.findings);
        rejected.sort_by_key(|row| row.line);
        self.import.counts.rejected += rejected.len() as u64;
        if let Some(total) = self.total_bytes.filter(|total| *total > 0) {
            self.import.progress = (batch.bytes_read as f64 / total as f64).min(1.0);
        }
        self.save_progress(&rejected).await?;
        (self.progress)(ImportProgress::BatchWritten(&self.import));
        Ok(())
    }

    /// Records the progress of the import and the newly rejected rows.
    async fn save_progress(&mut self, rejected: &[RejectedRow]) -> Result<()> {
        let (app, import) = (self.app, &self.import);
        with_retries(app, || app.store.update_import(import, rejected, app.now())).await
    }

    fn add_counts(&mut self, outcome: &BatchOutcome) {
        let ImportCounts { inserted, updated, unchanged, .. } = &mut self.import.counts;
        for row in &outcome.rows {
            match row {
                RowOutcome::Inserted => *inserted += 1,
                RowOutcome::Updated => *updated += 1,
                RowOutcome::Unchanged => *unchanged += 1,
                RowOutcome::Rejected(_) => {}
            }
        }
        if let Some(campaign) = &mut self.import.campaign {
            campaign.leads_added += outcome.leads_added;
        }
        for status in &outcome.new_statuses {
            if !self.import.new_statuses.contains(status) {
                self.import.new_statuses.push(status.clone());
            }
        }
    }

    /// Records the final state of the import.
    async fn finish(mut self, outcome: Result<(), StopReason>) -> anyhow::Result<Import> {
        self.import.finished_at = Some(self.app.now());
        let failure = match outcome {
            Ok(()) => {
                self.import.state = ImportState::Completed;
                self.import.progress = 1.0;
                None
            }
            Err(StopReason::InvalidFile(reason)) => {
                self.import.state = ImportState::Failed;
                self.import.error = Some(reason);
                None
            }
            Err(StopReason::Cancelled) => {
                self.import.state = ImportState::Cancelled;
                None
            }
            Err(StopReason::Failed(error)) => {
                self.import.state = ImportState::Failed;
                self.import.error = Some(work::import_failed());
                Some(error)
            }
        };
        let saved = self.save_progress(&[]).await;
        (self.progress)(ImportProgress::BatchWritten(&self.import));
        if let Some(error) = failure {
            return Err(error.into());
        }
        saved?;
        Ok(self.import)
    }
}

/// Joins the errors of a row or header.
fn join_diagnostics(diagnostics: &[Diagnostic]) -> Message {
    Message::join(&diagnostics.iter().map(Diagnostic::located).collect::<Vec<_>>())
}
