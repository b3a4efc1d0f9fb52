//! Imports of CSV files. An import is a bulk operation, can be repeated safely, and reports every rejected row.
//!
//! One thread reads the file and turns its rows into records ([`rows`]) while the previous batch is written. [`kinds`]
//! defines for each kind of file how rows become records and where they are stored. Rows that break a rule or conflict with
//! stored data are rejected with their line and reason; the others are written.
//!
//! Importing the same file again changes nothing, so an interrupted import can simply be repeated. While the store is
//! unavailable, an import waits ([`patience`]). Changes are recorded for some weeks, so that the whole import can be undone
//! ([`undo`]). A running import can be cancelled ([`cancel`]).

mod call_rows;
pub mod cancel;
mod corrections;
mod duplicates;
mod file;
mod findings;
mod kinds;
pub mod lost;
mod patience;
mod recordings;
mod rejected;
mod rows;
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
use leadscribe_engine::diagnostic::{Diagnostic, Message, Place, work};
use leadscribe_engine::record::{CallRecord, CampaignLeadRecord, CampaignRecord, LeadRecord, Mapping, OwnNames};

use tokio::sync::oneshot;

pub use duplicates::SharedKey;
pub use rejected::{PAGE_BYTES as REJECTED_PAGE_BYTES, rejected_csv};
pub use rows::FileFound;

use self::corrections::Corrections;
use self::file::RowsError;
use self::findings::RowFinding;
use self::kinds::{BatchResult, Completed, DefaultCountry, Importable, ToWrite, Writing};
use self::patience::patiently;
use self::recordings::RecordingsFolder;
use self::rows::{Batch, Part, Reading, Row};
use super::error::ServiceError;
use super::spool::Spool;
use crate::app::App;
use crate::quota::Quota;
use crate::storage::{BatchOutcome, ImportQuery, NewImport, Origin, RowOutcome, Slice};

/// Returns a slice of the imports.
///
/// # Errors
/// The store failed.
pub async fn list(app: &App, query: &ImportQuery, slice: Slice) -> Result<Page<Import>, ServiceError> {
    Ok(app.store.imports(query, slice).await?)
}

/// Returns an import.
///
/// # Errors
/// The import doesn't exist; or storage failed.
pub async fn read(app: &App, id: ImportId) -> Result<Import, ServiceError> {
    app.store.import(id).await?.ok_or(ServiceError::NotFound("import"))
}

/// Returns a slice of the rejected rows of an import, by line. Long rows are truncated.
///
/// # Errors
/// The import doesn't exist; its rejected rows have expired; or storage failed.
pub async fn rejected(app: &App, id: ImportId, slice: Slice) -> Result<Page<RejectedRow>, ServiceError> {
    rejected::unless_purged(app, &read(app, id).await?)?;
    Ok(app.store.rejected_rows(id, slice).await?)
}

/// Input settings of an import. By default, the columns of the file have the names of the fields.
#[derive(Debug, Default)]
pub struct Given {
    /// Assigns columns to fields.
    pub mapping: Mapping,
    /// Folder to take recordings from.
    pub recordings: Option<PathBuf>,
}

/// Maximum number of concurrent imports of this process, counted from the first byte of the file. Each uses up to
/// `max_import_bytes` on disk, up to three batches in memory, and a reader thread.
const MAX_IMPORTS: usize = 32;

/// Maximum number of concurrent imports of one credential.
const MAX_OWN_IMPORTS: usize = 16;

/// Maximum wait until another import can start.
const PATIENCE: Duration = Duration::from_secs(10);

/// Creates the quota of concurrent imports.
pub fn quota() -> Quota {
    Quota::new(MAX_IMPORTS, MAX_OWN_IMPORTS)
}

/// Receives a file and imports it in the background. Returns the import in its initial state. An import that corrects
/// another one uses the mapping and the campaign of that import. Once the file is received, the import runs even if the
/// client disconnects.
///
/// # Errors
/// The client or all clients together have too many imports running; the body fails or is empty; something that `new` refers
/// to doesn't exist; or a store failed.
pub async fn receive<S, E>(app: &Arc<App>, new: NewImport, given: Given, body: S, by: Origin) -> Result<Import, E>
where
    S: Stream<Item = Result<Bytes, E>>,
    E: From<ServiceError>,
{
    let place = app.imports.take_within(PATIENCE, &by.actor).await.ok_or(ServiceError::TooManyImports)?;
    let spool = Spool::receive(&app.config.spool_dir(), body).await?;
    if spool.bytes() == 0 {
        let fault = Diagnostic::new(Place::default(), "empty_body", "expected a CSV file, found an empty body");
        return Err(ServiceError::InvalidRequest(vec![fault]).into());
    }
    let file = spool.reopen().map_err(ServiceError::from)?;
    let (new, given) = as_corrected(app, new, given).await?;
    let worker = app.clone();
    // Create the row in the task that runs the import. Otherwise a client that disconnects could leave a row that says
    // "running" without an import.
    let begun = app.background.begin(|first| async move {
        let import = match start(&worker, &new, &by).await {
            Ok(import) => import,
            Err(error) => return tell(first, Err(error)),
        };
        tell(first, Ok(import.clone()));
        let (id, bytes) = (import.id, Some(spool.bytes()));
        if let Err(error) = run(&worker, import, file, bytes, given, |_| {}, &by).await {
            tracing::error!(import = id.0, error = format!("{error:#}"), "import failed");
        }
        // Release the file and the quota only when the import has ended.
        drop((spool, place));
    });
    Ok(begun.await.map_err(ServiceError::from)??)
}

/// Sends the first result of background work to the client, if it is still connected.
fn tell<T>(client: oneshot::Sender<T>, result: T) {
    let _gone = client.send(result);
}

/// Applies the mapping and the campaign of the corrected import.
async fn as_corrected(app: &App, new: NewImport, given: Given) -> Result<(NewImport, Given), ServiceError> {
    let Some(corrected) = new.corrects else { return Ok((NewImport { mapping: given.mapping.clone(), ..new }, given)) };
    // The store reports the error if the corrected import doesn't exist.
    let Some(Import { mapping, campaign, .. }) = app.store.import(corrected).await? else {
        return Ok((new, given));
    };
    // The file of rejected rows may use another delimiter.
    let mapping = Mapping { delimiter: None, ..mapping };
    let (campaign, status) = campaign.map_or((None, None), |campaign| (Some(campaign.id), campaign.status));
    let new = NewImport { mapping: mapping.clone(), campaign, status, ..new };
    Ok((new, Given { mapping, ..given }))
}

/// Creates an import.
///
/// # Errors
/// The campaign, status or corrected import can't be used; or storage failed.
pub async fn start(app: &App, new: &NewImport, by: &Origin) -> Result<Import, ServiceError> {
    Ok(app.store.create_import(new, by).await?)
}

/// Progress of an import.
pub enum Progress<'a> {
    /// The file was surveyed; nothing is written yet.
    Found(&'a FileFound),
    /// A batch was written, or the import ended.
    Rows(&'a Import),
}

/// Runs an import: reads all rows of `reader` as `given` specifies, and calls `progress` before the first batch and after
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
    given: Given,
    mut progress: impl FnMut(Progress<'_>) + Send,
    by: &Origin,
) -> anyhow::Result<Import> {
    let Given { mapping, recordings } = given;
    let own_names = OwnNames::default();
    let mut run = Run {
        app,
        import,
        total_bytes,
        recordings: None,
        own_names,
        country: DefaultCountry::default(),
        progress: &mut progress,
        by,
        target_findings: Vec::new(),
        corrections: None,
    };
    let open = |folder: PathBuf| RecordingsFolder::open(&folder).map_err(folder_unreadable);
    let outcome = match recordings.map(open).transpose() {
        Err(stop) => Err(stop),
        Ok(folder) => {
            run.recordings = folder;
            match run.import.kind {
                ImportKind::Campaigns => run.all::<CampaignRecord>(reader, mapping).await,
                ImportKind::Leads => run.all::<LeadRecord>(reader, mapping).await,
                ImportKind::CampaignLeads => run.all::<CampaignLeadRecord>(reader, mapping).await,
                ImportKind::Calls => run.all::<CallRecord>(reader, mapping).await,
            }
        }
    };
    run.end(outcome).await
}

fn folder_unreadable(error: std::io::Error) -> Stop {
    Stop::File(format!("the folder of recordings can't be opened: {error}").into())
}

/// Reason why an import stopped early.
enum Stop {
    /// The file is unusable, for this reason.
    File(Message),
    /// The import was cancelled.
    Cancelled,
    /// The server failed.
    Service(ServiceError),
}

impl<E: Into<ServiceError>> From<E> for Stop {
    fn from(error: E) -> Self {
        Self::Service(error.into())
    }
}

/// A running import.
struct Run<'a> {
    app: &'a Arc<App>,
    import: Import,
    total_bytes: Option<u64>,
    recordings: Option<RecordingsFolder>,
    own_names: OwnNames,
    /// Default country of phone numbers.
    country: DefaultCountry,
    progress: &'a mut (dyn FnMut(Progress<'_>) + Send),
    by: &'a Origin,
    /// Findings that apply to every lead imported into the campaign.
    target_findings: Vec<FindingCode>,
    /// Rows that this import corrects, if it corrects another import.
    corrections: Option<Corrections>,
}

impl Run<'_> {
    async fn all<T: Importable>(
        &mut self,
        reader: impl Read + Seek + Send + 'static,
        mapping: Mapping,
    ) -> Result<(), Stop> {
        let own = || self.app.config.phone_region().map(str::to_owned);
        let is_chosen = mapping.default_country.is_some();
        self.country = DefaultCountry { code: mapping.default_country.clone().or_else(own), is_chosen };
        let country = self.country.clone();
        self.target_findings = findings::of_target(self.app, self.import.campaign.as_ref()).await?;
        if let Some(corrected) = self.import.corrects {
            self.corrections = Some(Corrections::begin(self.app, corrected).await?);
        }
        // Batches with recordings take longer, because the files are checked.
        let batch_rows = if self.recordings.is_some() { 50 } else { rows::BATCH_ROWS };
        let mut parts =
            rows::read::<T>(reader, Reading { mapping, country, batch_rows, batch_bytes: rows::BATCH_BYTES });
        while let Some(part) = parts.recv().await {
            match part {
                Ok(Part::File(found)) => {
                    (self.progress)(Progress::Found(&found));
                    self.import.columns = found.columns;
                    self.import.delimiter = found.delimiter;
                    if self.import.has_call_details() {
                        let folder = self.recordings.take().map(RecordingsFolder::looked_through).transpose();
                        self.recordings = folder.map_err(folder_unreadable)?;
                    }
                    self.own_names = found.own_names;
                }
                Ok(Part::Rows(batch)) => {
                    if cancel::is_asked(self.app, self.import.id).await? {
                        return Err(Stop::Cancelled);
                    }
                    self.batch(batch).await?;
                }
                Err(RowsError(why)) => return Err(Stop::File(why)),
            }
        }
        Ok(())
    }

    /// Writes one batch and records the progress.
    async fn batch<T: Importable>(&mut self, mut batch: Batch<T>) -> Result<(), Stop> {
        let mut rejected = Vec::new();
        let mut good = Vec::new();
        self.import.counts.read += batch.rows.iter().map(|row| 1 + row.joined.len() as u64).sum::<u64>();
        let delimiter = self.import.delimiter;
        if self.import.corrects.is_some() && batch.rows.iter().any(|row| row.raw.corrects.is_none()) {
            return Err(Stop::File(work::not_refused_rows()));
        }
        if let Some(corrections) = &mut self.corrections {
            corrections.check(self.app, &mut batch).await?;
        }
        for row in batch.rows {
            match row.record {
                Ok(record) => good.push(Row { record, raw: row.raw, joined: row.joined }),
                Err(faults) => rejected.push(rejected::kept(&row.raw, faults, delimiter)),
            }
        }
        let records = good.iter_mut().map(|row| std::mem::take(&mut row.record)).collect();
        let by = Origin { at: self.app.now(), ..self.by.clone() };
        let writing = match &self.import {
            Import { id, dry_run: true, .. } => Writing::Dry(*id),
            Import { id, counts, undo, .. } => {
                Writing::ForGood { import: *id, rows_read: counts.read, undoable: undo.is_some() }
            }
        };
        let country = self.country.code.as_deref();
        let Completed { records, assessments } = T::completed(self.app, records, country, &by).await?;
        let recordings = self.recordings.as_ref();
        let turn = self.app.bulk_writes.turn().await;
        let written = T::import(self.app, ToWrite { records, country, recordings, writing }, &by).await?;
        drop(turn);
        let BatchResult { outcome, left_recordings } = written;
        self.count(&outcome);
        for (place, fault) in left_recordings {
            rejected.push(rejected::kept(&good[place].raw, vec![self.own_names.restore(fault)], delimiter));
        }
        let mut corrected = Vec::new();
        for ((row, assessment), outcome) in good.into_iter().zip(assessments).zip(outcome.rows) {
            let rows = || std::iter::once(&row.raw).chain(&row.joined);
            if let RowOutcome::Rejected(fault) = outcome {
                let faults = vec![self.own_names.restore(fault)];
                // All rows of a call are needed to correct it.
                rejected.extend(rows().map(|raw| rejected::kept(raw, faults.clone(), delimiter)));
                continue;
            }
            corrected.extend(rows().filter_map(|raw| raw.corrects));
            self.import.counts.undialable += u64::from(assessment.is_undialable);
            let of_target = self.target_findings.iter().map(|code| RowFinding::of_row(*code, false));
            for finding in assessment.findings.into_iter().chain(of_target) {
                let is_new = outcome == RowOutcome::Inserted;
                finding.add_to(&mut self.import.findings, row.raw.line, is_new, &self.own_names);
            }
        }
        if self.import.corrects.is_some() && !self.import.dry_run && !corrected.is_empty() {
            let (app, id) = (self.app, self.import.id);
            patiently(app, || app.store.mark_corrected(id, &corrected)).await?;
        }
        findings::suggest_countries(&mut self.import.findings);
        rejected.sort_by_key(|row| row.line);
        self.import.counts.rejected += rejected.len() as u64;
        if let Some(total) = self.total_bytes.filter(|total| *total > 0) {
            self.import.progress = (batch.bytes_read as f64 / total as f64).min(1.0);
        }
        self.note(&rejected).await?;
        (self.progress)(Progress::Rows(&self.import));
        Ok(())
    }

    /// Records the progress of the import and the newly rejected rows.
    async fn note(&mut self, rejected: &[RejectedRow]) -> Result<(), ServiceError> {
        let (app, import) = (self.app, &self.import);
        patiently(app, || app.store.update_import(import, rejected, app.now())).await
    }

    fn count(&mut self, outcome: &BatchOutcome) {
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
            campaign.leads_added += outcome.put_in;
        }
        for status in &outcome.new_statuses {
            if !self.import.new_statuses.contains(status) {
                self.import.new_statuses.push(status.clone());
            }
        }
    }

    /// Records the final state of the import.
    async fn end(mut self, outcome: Result<(), Stop>) -> anyhow::Result<Import> {
        self.import.finished_at = Some(self.app.now());
        let failure = match outcome {
            Ok(()) => {
                self.import.state = ImportState::Completed;
                self.import.progress = 1.0;
                None
            }
            Err(Stop::File(why)) => {
                self.import.state = ImportState::Failed;
                self.import.error = Some(why);
                None
            }
            Err(Stop::Cancelled) => {
                self.import.state = ImportState::Cancelled;
                None
            }
            Err(Stop::Service(error)) => {
                self.import.state = ImportState::Failed;
                self.import.error = Some(work::import_failed());
                Some(error)
            }
        };
        let noted = self.note(&[]).await;
        (self.progress)(Progress::Rows(&self.import));
        if let Some(error) = failure {
            return Err(error.into());
        }
        noted?;
        Ok(self.import)
    }
}

/// Joins the errors of a row or header.
fn joined(faults: &[Diagnostic]) -> Message {
    Message::join(&faults.iter().map(Diagnostic::located).collect::<Vec<_>>())
}
