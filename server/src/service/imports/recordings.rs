//! Imports calls together with their recordings, which are files in a folder.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use futures::StreamExt;
use leadscribe_engine::api::CallId;
use leadscribe_engine::diagnostic::{Diagnostic, Message, Place, stored};
use leadscribe_engine::record::{CallRecord, RecordingNames};

use super::kinds::{BatchResult, ToWrite, Writing, write};
use super::patience::patiently;
use crate::app::App;
use crate::service::error::ServiceError;
use crate::service::recordings::{self, Checked};
use crate::storage::{CallQuery, ImportRows, Origin, RowOutcome, Slice, WriteError};

/// Number of files checked concurrently.
const CONCURRENT: usize = 4;

/// A folder to take recordings from. Files outside it are never read, whatever a name or a link points to.
#[derive(Clone, Debug)]
pub struct RecordingsFolder {
    path: PathBuf,
    /// Recordings made by Asterisk, by their paths relative to the folder.
    names: RecordingNames,
}

impl RecordingsFolder {
    /// Opens the folder at this path.
    ///
    /// # Errors
    /// There is no folder at this path.
    pub fn open(path: &Path) -> std::io::Result<Self> {
        let path = path.canonicalize()?;
        let names = RecordingNames::default();
        if path.is_dir() { Ok(Self { path, names }) } else { Err(std::io::ErrorKind::NotADirectory.into()) }
    }

    /// Indexes the recordings that Asterisk made. Their names contain the `uniqueid` of their call.
    ///
    /// # Errors
    /// A subfolder can't be read.
    pub fn looked_through(mut self) -> std::io::Result<Self> {
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
                self.names.add(name);
            }
        }
        Ok(self)
    }

    /// Returns the path of the file with this name.
    fn file(&self, name: &str) -> Result<PathBuf, Diagnostic> {
        match self.path.join(name).canonicalize() {
            Ok(path) if path.starts_with(&self.path) && path.is_file() => Ok(path),
            Ok(_) => Err(fault("not_a_recording", format!("{name:?} is not a file in the folder of recordings"))),
            Err(_) => {
                Err(fault("recording_not_found", format!("there is no file {name:?} in the folder of recordings")))
            }
        }
    }
}

/// Writes a batch of calls and stores their recordings. A call with an unusable recording is written without it.
pub async fn import_calls(
    app: &Arc<App>,
    batch: ToWrite<'_, CallRecord>,
    by: &Origin,
) -> Result<BatchResult, ServiceError> {
    let ToWrite { records, recordings: folder, writing, .. } = batch;
    let looked_into: Vec<_> =
        futures::stream::iter(records).map(|record| look_into(folder, record)).buffered(CONCURRENT).collect().await;
    let (mut calls, mut files) = (Vec::new(), Vec::new());
    for one in looked_into {
        let (call, file) = one?;
        calls.push(call);
        files.push(file);
    }
    let ids: Vec<_> = calls.iter().map(known).collect();
    let mut outcome = write(app, ImportRows::Calls(calls), writing, by).await?;
    let mut left_recordings = Vec::new();
    for (place, ((row, id), file)) in outcome.rows.iter_mut().zip(ids).zip(files).enumerate() {
        let kept = match (&row, file) {
            (RowOutcome::Rejected(_), _) | (_, Ok(None)) => Ok(false),
            (_, Err(fault)) => Err(fault),
            (_, Ok(Some(file))) => take_in(app, id, &file, writing, by).await?,
        };
        match kept {
            Ok(true) if *row == RowOutcome::Unchanged => *row = RowOutcome::Updated,
            Ok(_) => {}
            Err(fault) if fault.suggestion.is_some() => left_recordings.push((place, fault)),
            Err(fault) => left_recordings.push((place, fault.suggest(stored::call_without_recording()))),
        }
    }
    Ok(BatchResult { outcome, left_recordings })
}

/// Stores a file as the recording of a call that was written. In a dry run, only determines whether that would change anything.
async fn take_in(
    app: &Arc<App>,
    known: (Option<CallId>, Option<String>),
    (path, checked): &(PathBuf, Checked),
    writing: Writing,
    by: &Origin,
) -> Result<Result<bool, Diagnostic>, ServiceError> {
    match call_of(app, known).await? {
        None if matches!(writing, Writing::Dry(_)) => Ok(Ok(false)),
        None => Ok(Err(gone())),
        Some(id) if matches!(writing, Writing::Dry(_)) => {
            if patiently(app, || recordings::is_kept(app, id, checked)).await? {
                return Ok(Ok(false));
            }
            let in_use = patiently(app, || app.store.recording_in_use(id)).await?;
            Ok(in_use.map_or(Ok(true), |fault| Err(of_recording(fault))))
        }
        Some(id) => keep(app, id, checked, path, by).await,
    }
}

/// Stores a file as the recording of a call. Returns true if that changed anything, or the fault of this row.
async fn keep(
    app: &Arc<App>,
    id: CallId,
    checked: &Checked,
    path: &Path,
    by: &Origin,
) -> Result<Result<bool, Diagnostic>, ServiceError> {
    match patiently(app, || recordings::keep(app, id, checked, path, by)).await {
        Ok(kept) => Ok(Ok(kept)),
        Err(ServiceError::Write(WriteError::Refused(fault))) => Ok(Err(of_recording(fault))),
        Err(ServiceError::NotFound(_)) => Ok(Err(gone())),
        Err(error) => Err(error),
    }
}

/// Returns the ids that identify the call of a row.
fn known(record: &CallRecord) -> (Option<CallId>, Option<String>) {
    (record.id, record.original_identifier.clone().flatten())
}

/// Returns the call that a row refers to.
async fn call_of(app: &Arc<App>, known: (Option<CallId>, Option<String>)) -> Result<Option<CallId>, ServiceError> {
    let (None, Some(identifier)) = known else { return Ok(known.0) };
    let query = CallQuery { original_identifier: Some(identifier), ..CallQuery::default() };
    let found = patiently(app, || app.store.calls(&query, Slice { count: 1, offset: 0 })).await?;
    Ok(found.items.first().map(|call| call.id))
}

/// The checked recording file of a call, if it has one, or its fault.
type LookedInto = Result<Option<(PathBuf, Checked)>, Diagnostic>;

/// Checks the recording file of a row, and removes its name from the record because the file's content is stored instead.
async fn look_into(
    folder: Option<&RecordingsFolder>,
    mut record: CallRecord,
) -> Result<(CallRecord, LookedInto), ServiceError> {
    let found = match (record.recording.take(), folder) {
        (None, Some(folder)) => folder.names.find(&record).map(|name| name.map(str::to_owned)),
        (named, _) => Ok(named),
    };
    let name = match found {
        Ok(Some(name)) => name,
        Ok(None) => return Ok((record, Ok(None))),
        Err(fault) => return Ok((record, Err(fault))),
    };
    record.recording_state = None;
    Ok((record, look_into_file(folder, &name).await?))
}

async fn look_into_file(folder: Option<&RecordingsFolder>, name: &str) -> Result<LookedInto, ServiceError> {
    let Some(folder) = folder else {
        let detail = stored::out_of_reach(format!("{name:?}"));
        return Ok(Err(fault("recording_not_found", detail).suggest(stored::upload_instead())));
    };
    let path = match folder.file(name) {
        Ok(path) => path,
        Err(fault) => return Ok(Err(fault)),
    };
    match recordings::check(&path).await {
        Ok(checked) => Ok(Ok(Some((path, checked)))),
        Err(ServiceError::UnusableRecording(why)) => Ok(Err(fault("unusable_recording", why.labelled(name)))),
        Err(ServiceError::File(error)) => {
            Ok(Err(fault("recording_not_found", format!("the file {name:?} can't be read: {error}"))))
        }
        Err(error) => Err(error),
    }
}

/// Changes the place of a store's fault to the `recording` column.
fn of_recording(fault: Diagnostic) -> Diagnostic {
    Diagnostic { place: Place::Column("recording".to_owned()), ..fault }
}

fn gone() -> Diagnostic {
    fault("not_found", stored::call_gone())
}

fn fault(code: &str, detail: impl Into<Message>) -> Diagnostic {
    Diagnostic::new(Place::Column("recording".to_owned()), code, detail)
}

#[cfg(test)]
mod tests {
    use std::io::Cursor;

    use leadscribe_engine::api::{CallStatus, Import, ImportCounts, ImportKind};
    use leadscribe_engine::record::DetailsOrigin;

    use super::super::{Given, run, start};
    use super::*;
    use crate::speech::Provider;
    use crate::storage::NewImport;
    use crate::worker::testing::{Data, by, complete, recorded_call, send, token};

    /// A recording that differs from the one of `recorded_call`.
    const OTHER: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/demo/recordings/en_call.wav");

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
            assert!(folder.file(name).is_err(), "{name} was taken");
        }
        assert_eq!(folder.file("2.wav").unwrap_err().message, "there is no file \"2.wav\" in the folder of recordings");
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
        let folder = RecordingsFolder::open(folder.path()).unwrap().looked_through().unwrap();
        let details = DetailsOrigin { uniqueids: vec!["1777627800.1".to_owned()], ..DetailsOrigin::default() };
        let (status, details) = (Some(CallStatus::Answered), Some(Box::new(details)));
        assert_eq!(folder.names.find(&CallRecord { status, details, ..CallRecord::default() }), Ok(Some(name)));
        assert!(folder.file(name).is_ok());
    }

    /// Imports calls with the recordings of a folder.
    async fn import(app: &Arc<App>, rows: &str, folder: &Path, dry_run: bool) -> Import {
        let new = NewImport { dry_run, ..NewImport::new(ImportKind::Calls, "") };
        let import = start(app, &new, &by(app)).await.unwrap();
        let file = Cursor::new(format!("id,agent,direction,status,recording\n{rows}"));
        let given = Given { recordings: Some(folder.to_owned()), ..Given::default() };
        run(app, import, file, None, given, |_| (), &by(app)).await.unwrap()
    }

    #[tokio::test]
    async fn imports_call_without_unusable_recording() {
        let data = Data::empty(|_| {});
        let app = data.process(Provider::off());
        let (transcribed, other) = (recorded_call(&app).await, recorded_call(&app).await);
        send(&app, token(&app).await, transcribed).await;
        complete(&app).await;
        let folder = tempfile::tempdir().unwrap();
        std::fs::copy(OTHER, folder.path().join("other.wav")).unwrap();
        let of_calls = [transcribed.0, other.0, 90].map(|id| format!("{id},Bo,outbound,answered,other.wav\n"));
        for dry_run in [true, false] {
            let import = import(&app, &of_calls.concat(), folder.path(), dry_run).await;
            let expected = ImportCounts { read: 3, inserted: 1, updated: 2, rejected: 1, ..ImportCounts::default() };
            assert_eq!(import.counts, expected, "dry run: {dry_run}");
            let rejected = app.store.rejected_rows(import.id, Slice { count: 9, offset: 0 }).await.unwrap().items;
            let Diagnostic { place, code, .. } = &rejected[0].faults[0];
            assert_eq!((rejected[0].line, place, code.as_str()), (2, &Place::Column("recording".to_owned()), "in_use"));
        }
        assert_eq!(app.store.call(transcribed).await.unwrap().unwrap().agent.as_deref(), Some("Bo"));

        // Faults that only appear after the rows are written, because of a concurrent change.
        let path = folder.path().join("other.wav");
        let checked = recordings::check(&path).await.unwrap();
        for (call, code) in [(transcribed, "in_use"), (CallId(99), "not_found")] {
            let fault = keep(&app, call, &checked.clone(), &path, &by(&app)).await.unwrap().unwrap_err();
            assert_eq!((fault.place, fault.code.as_str()), (Place::Column("recording".to_owned()), code));
        }
    }
}
