//! Imports calls together with their recordings, which are files in a folder.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use futures::StreamExt;
use leadscribe_engine::api::CallId;
use leadscribe_engine::diagnostic::{Diagnostic, Location, Message, conflict};
use leadscribe_engine::record::{CallRecord, RecordingIndex};

use super::record_kinds::{BatchResult, ImportMode, RecordBatch, write};
use super::retry::with_retries;
use crate::service::app::App;
use crate::service::calls::recordings::{self, CheckedRecording};
use crate::service::error::{Result, ServiceError};
use crate::storage::{AuditContext, CallQuery, ImportRows, RowOutcome, Slice, WriteError};

/// Number of files checked concurrently.
const MAX_CONCURRENT_CHECKS: usize = 4;

/// A folder to take recordings from. Files outside it are never read, whatever a name or a link points to.
#[derive(Clone, Debug)]
pub struct RecordingsFolder {
    path: PathBuf,
    /// Recordings made by Asterisk, by their paths relative to the folder.
    index: RecordingIndex,
}

impl RecordingsFolder {
    /// Opens the folder at this path.
    ///
    /// # Errors
    /// There is no folder at this path.
    pub fn open(path: &Path) -> std::io::Result<Self> {
        let path = path.canonicalize()?;
        let index = RecordingIndex::default();
        if path.is_dir() { Ok(Self { path, index }) } else { Err(std::io::ErrorKind::NotADirectory.into()) }
    }

    /// Indexes the recordings that Asterisk made. Their names contain the `uniqueid` of their call.
    ///
    /// # Errors
    /// A subfolder can't be read.
    pub fn with_index(mut self) -> std::io::Result<Self> {
        let mut folders = vec![self.path.clone()];
        while let Some(folder) = folders.pop() {
            for entry in std::fs::read_dir(folder)? {
                let entry = entry?;
                // Follow links to files only, so that no folder is visited twice.
                if entry.file_type()?.is_dir() {
                    folders.push(entry.path());
                    continue;
                }
                let path = entry.path();
                let Some(name) = path.strip_prefix(&self.path).ok().and_then(Path::to_str) else { continue };
                self.index.add(name);
            }
        }
        Ok(self)
    }

    fn file(&self, name: &str) -> Result<PathBuf, Diagnostic> {
        match self.path.join(name).canonicalize() {
            Ok(path) if path.starts_with(&self.path) && path.is_file() => Ok(path),
            Ok(_) => Err(recording_diagnostic("not_a_recording", conflict::not_a_recording(format!("{name:?}")))),
            Err(_) => Err(recording_diagnostic("recording_not_found", conflict::no_recording(format!("{name:?}")))),
        }
    }
}

/// Writes a batch of calls and stores their recordings. A call with an unusable recording is written without it.
pub async fn import_calls(
    app: &Arc<App>,
    batch: RecordBatch<'_, CallRecord>,
    audit: &AuditContext,
) -> Result<BatchResult> {
    let RecordBatch { records, recordings_folder: folder, mode, .. } = batch;
    let checked: Vec<_> = futures::stream::iter(records)
        .map(|record| check_recording(folder, record))
        .buffered(MAX_CONCURRENT_CHECKS)
        .collect()
        .await;
    let (mut calls, mut files) = (Vec::new(), Vec::new());
    for result in checked {
        let (call, file) = result?;
        calls.push(call);
        files.push(file);
    }
    let ids: Vec<_> = calls.iter().map(call_identifiers).collect();
    let mut outcome = write(app, ImportRows::Calls(calls), mode, audit).await?;
    let mut skipped_recordings = Vec::new();
    for (index, ((row, id), file)) in outcome.rows.iter_mut().zip(ids).zip(files).enumerate() {
        let stored = match (&row, file) {
            (RowOutcome::Rejected(_), _) | (_, Ok(None)) => Ok(false),
            (_, Err(diagnostic)) => Err(diagnostic),
            (_, Ok(Some(file))) => store_recording(app, id, &file, mode, audit).await?,
        };
        match stored {
            Ok(true) if *row == RowOutcome::Unchanged => *row = RowOutcome::Updated,
            Ok(_) => {}
            Err(diagnostic) if diagnostic.suggestion.is_some() => skipped_recordings.push((index, diagnostic)),
            Err(diagnostic) => skipped_recordings.push((index, diagnostic.suggest(conflict::call_without_recording()))),
        }
    }
    Ok(BatchResult { outcome, skipped_recordings })
}

/// Stores a file as the recording of a call that was written. In a dry run, only determines whether that would change anything.
async fn store_recording(
    app: &Arc<App>,
    identifiers: (Option<CallId>, Option<String>),
    (path, checked): &(PathBuf, CheckedRecording),
    mode: ImportMode,
    audit: &AuditContext,
) -> Result<Result<bool, Diagnostic>> {
    match find_call(app, identifiers).await? {
        None if matches!(mode, ImportMode::DryRun(_)) => Ok(Ok(false)),
        None => Ok(Err(call_deleted())),
        Some(id) if matches!(mode, ImportMode::DryRun(_)) => {
            if with_retries(app, || recordings::is_stored(app, id, checked)).await? {
                return Ok(Ok(false));
            }
            let in_use = with_retries(app, || app.store.recording_replacement_refusal(id)).await?;
            Ok(in_use.map_or(Ok(true), |diagnostic| Err(at_recording_column(diagnostic))))
        }
        Some(id) => store_file(app, id, checked, path, audit).await,
    }
}

/// Stores a file as the recording of a call. Returns true if that changed anything, or the error of this row.
async fn store_file(
    app: &Arc<App>,
    id: CallId,
    checked: &CheckedRecording,
    path: &Path,
    audit: &AuditContext,
) -> Result<Result<bool, Diagnostic>> {
    match with_retries(app, || recordings::store_file(app, id, checked, path, audit)).await {
        Ok(is_changed) => Ok(Ok(is_changed)),
        Err(ServiceError::Write(WriteError::Refused(diagnostic))) => Ok(Err(at_recording_column(diagnostic))),
        Err(ServiceError::NotFound(_)) => Ok(Err(call_deleted())),
        Err(error) => Err(error),
    }
}

/// Returns the ids that identify the call of a row.
fn call_identifiers(record: &CallRecord) -> (Option<CallId>, Option<String>) {
    (record.id, record.original_identifier.clone().flatten())
}

/// Returns the call that a row refers to.
async fn find_call(app: &Arc<App>, identifiers: (Option<CallId>, Option<String>)) -> Result<Option<CallId>> {
    let (None, Some(identifier)) = identifiers else { return Ok(identifiers.0) };
    let query = CallQuery { original_identifier: Some(identifier), ..CallQuery::default() };
    let page = with_retries(app, || app.store.calls(&query, Slice { count: 1, offset: 0 })).await?;
    Ok(page.items.first().map(|call| call.id))
}

/// The checked recording file of a call, if it has one, or its error.
type CheckedFile = Result<Option<(PathBuf, CheckedRecording)>, Diagnostic>;

/// Checks the recording file of a row, and removes its name from the record because the file's content is stored instead.
async fn check_recording(
    folder: Option<&RecordingsFolder>,
    mut record: CallRecord,
) -> Result<(CallRecord, CheckedFile)> {
    let file_name = match (record.recording.take(), folder) {
        (None, Some(folder)) => folder.index.find(&record).map(|name| name.map(str::to_owned)),
        (given_name, _) => Ok(given_name),
    };
    let name = match file_name {
        Ok(Some(name)) => name,
        Ok(None) => return Ok((record, Ok(None))),
        Err(diagnostic) => return Ok((record, Err(diagnostic))),
    };
    record.recording_state = None;
    Ok((record, check_file(folder, &name).await?))
}

async fn check_file(folder: Option<&RecordingsFolder>, name: &str) -> Result<CheckedFile> {
    let Some(folder) = folder else {
        let detail = conflict::out_of_reach(format!("{name:?}"));
        return Ok(Err(recording_diagnostic("recording_not_found", detail).suggest(conflict::upload_instead())));
    };
    let path = match folder.file(name) {
        Ok(path) => path,
        Err(diagnostic) => return Ok(Err(diagnostic)),
    };
    match recordings::check(&path).await {
        Ok(checked) => Ok(Ok(Some((path, checked)))),
        Err(ServiceError::UnusableRecording(reason)) => {
            Ok(Err(recording_diagnostic("unusable_recording", reason.labeled(name))))
        }
        Err(ServiceError::File(error)) => {
            let message = conflict::recording_file_unreadable(format!("{name:?}"), error.to_string());
            Ok(Err(recording_diagnostic("recording_not_found", message)))
        }
        Err(error) => Err(error),
    }
}

/// Changes the location of a store's diagnostic to the `recording` column.
fn at_recording_column(diagnostic: Diagnostic) -> Diagnostic {
    Diagnostic { location: Location::Column("recording".to_owned()), ..diagnostic }
}

fn call_deleted() -> Diagnostic {
    recording_diagnostic("not_found", conflict::call_gone())
}

fn recording_diagnostic(code: &str, message: Message) -> Diagnostic {
    Diagnostic::new(Location::Column("recording".to_owned()), code, message)
}

#[cfg(test)]
mod tests {
    use std::io::Cursor;

    use leadscribe_engine::api::{CallStatus, Import, ImportCounts, ImportKind};
    use leadscribe_engine::record::DetailsOrigin;

    use super::super::{ImportOptions, run, start};
    use super::*;
    use crate::storage::NewImport;
    use crate::worker::testing::{
        TestInstallation, audit_context, complete_next_transcription, create_recorded_call, create_token, submit_call,
    };

    /// A recording that differs from the one that `create_recorded_call` uploads.
    const OTHER_RECORDING: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/demo/recordings/en_call.wav");

    #[test]
    fn rejects_files_outside_the_folder() {
        let outside = tempfile::tempdir().unwrap();
        std::fs::write(outside.path().join("secret.wav"), "secret").unwrap();
        let inside = outside.path().join("recordings");
        std::fs::create_dir_all(inside.join("may")).unwrap();
        std::fs::write(inside.join("may/1.wav"), "sound").unwrap();
        #[cfg(unix)]
        std::os::unix::fs::symlink(outside.path().join("secret.wav"), inside.join("link.wav")).unwrap();
        let folder = RecordingsFolder::open(&inside).unwrap();

        assert!(folder.file("may/1.wav").is_ok());
        for name in ["../secret.wav", "link.wav", "/etc/passwd", "may", "2.wav"] {
            assert!(folder.file(name).is_err(), "{name} was accepted");
        }
        assert_eq!(folder.file("2.wav").unwrap_err().message, "the recordings folder has no file \"2.wav\"");
        assert!(RecordingsFolder::open(&inside.join("may/1.wav")).is_err());
    }

    #[test]
    fn finds_recordings_in_subfolders() {
        let folder = tempfile::tempdir().unwrap();
        std::fs::create_dir_all(folder.path().join("2026/05")).unwrap();
        let name = "2026/05/out-202-101-1777627800.1.wav";
        for name in [name, "1777627800.1.txt", "x.wav"] {
            std::fs::write(folder.path().join(name), "sound").unwrap();
        }
        let folder = RecordingsFolder::open(folder.path()).unwrap().with_index().unwrap();
        let details = DetailsOrigin { uniqueids: vec!["1777627800.1".to_owned()], ..DetailsOrigin::default() };
        let (status, details) = (Some(CallStatus::Answered), Some(Box::new(details)));
        assert_eq!(folder.index.find(&CallRecord { status, details, ..CallRecord::default() }), Ok(Some(name)));
        assert!(folder.file(name).is_ok());
    }

    /// Imports calls with the recordings of a folder.
    async fn import(app: &Arc<App>, rows: &str, folder: &Path, dry_run: bool) -> Import {
        let new = NewImport { is_dry_run: dry_run, ..NewImport::new(ImportKind::Calls, "") };
        let import = start(app, &new, &audit_context(app)).await.unwrap();
        let file = Cursor::new(format!("id,agent,direction,status,recording\n{rows}"));
        let options = ImportOptions { recordings_folder: Some(folder.to_owned()), ..ImportOptions::default() };
        run(app, import, file, None, options, |_| (), &audit_context(app)).await.unwrap()
    }

    #[tokio::test]
    async fn imports_call_without_unusable_recording() {
        let (_installation, app) = TestInstallation::with_app(|_| {});
        let (transcribed, other) = (create_recorded_call(&app).await, create_recorded_call(&app).await);
        submit_call(&app, create_token(&app).await, transcribed).await;
        complete_next_transcription(&app).await;
        let folder = tempfile::tempdir().unwrap();
        std::fs::copy(OTHER_RECORDING, folder.path().join("other.wav")).unwrap();
        let rows = [transcribed.0, other.0, 90].map(|id| format!("{id},Bo,outbound,answered,other.wav\n"));
        for dry_run in [true, false] {
            let import = import(&app, &rows.concat(), folder.path(), dry_run).await;
            let expected = ImportCounts { read: 3, inserted: 1, updated: 2, rejected: 1, ..ImportCounts::default() };
            assert_eq!(import.counts, expected, "dry run: {dry_run}");
            let rejected = app.store.rejected_rows(import.id, Slice { count: 9, offset: 0 }).await.unwrap().items;
            let Diagnostic { location, code, .. } = &rejected[0].diagnostics[0];
            assert_eq!(
                (rejected[0].line, location, code.as_str()),
                (2, &Location::Column("recording".to_owned()), "in_use")
            );
        }
        assert_eq!(app.store.call(transcribed).await.unwrap().unwrap().agent.as_deref(), Some("Bo"));

        // Errors that only appear after the rows are written, because of a concurrent change.
        let path = folder.path().join("other.wav");
        let checked = recordings::check(&path).await.unwrap();
        for (call, code) in [(transcribed, "in_use"), (CallId(99), "not_found")] {
            let diagnostic =
                store_file(&app, call, &checked.clone(), &path, &audit_context(&app)).await.unwrap().unwrap_err();
            assert_eq!(
                (diagnostic.location, diagnostic.code.as_str()),
                (Location::Column("recording".to_owned()), code)
            );
        }
    }
}
