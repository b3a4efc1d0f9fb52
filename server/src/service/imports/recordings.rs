//! Calls with their recordings, which stand as files in a folder beside the CSV file.

use std::path::{Path, PathBuf};

use futures::StreamExt;
use leadscribe_engine::fault::{Fault, Place};
use leadscribe_engine::record::CallRecord;

use crate::app::App;
use crate::service::error::ServiceError;
use crate::service::recordings::{self, Checked};
use crate::storage::{BatchOutcome, Origin, RowOutcome};

/// Files looked into at once.
const CONCURRENT: usize = 4;

/// A folder that recordings are taken from. Nothing outside of it is, whatever a name says and links point to.
#[derive(Clone, Debug)]
pub struct RecordingsFolder(PathBuf);

impl RecordingsFolder {
    /// The folder at this path.
    ///
    /// # Errors
    /// When there is none.
    pub fn open(path: &Path) -> std::io::Result<Self> {
        let path = path.canonicalize()?;
        if path.is_dir() { Ok(Self(path)) } else { Err(std::io::ErrorKind::NotADirectory.into()) }
    }

    /// The file of this name.
    fn file(&self, name: &str) -> Result<PathBuf, Fault> {
        match self.0.join(name).canonicalize() {
            Ok(path) if path.starts_with(&self.0) && path.is_file() => Ok(path),
            Ok(_) => Err(fault("not_a_recording", format!("{name:?} is no file of the folder of recordings"))),
            Err(_) => {
                Err(fault("recording_not_found", format!("there is no file {name:?} in the folder of recordings")))
            }
        }
    }
}

/// Writes a batch of calls, and keeps their recordings. A row whose recording can't be used is refused as a whole.
pub async fn import_calls(
    app: &App,
    folder: Option<&RecordingsFolder>,
    records: Vec<CallRecord>,
    by: &Origin,
) -> Result<BatchOutcome, ServiceError> {
    let looked_into: Vec<_> =
        futures::stream::iter(records).map(|record| look_into(folder, record)).buffered(CONCURRENT).collect().await;
    // What a row with a faulty recording comes to is known; the place of the others is kept open.
    let mut outcomes = Vec::with_capacity(looked_into.len());
    let (mut calls, mut files) = (Vec::new(), Vec::new());
    for one in looked_into {
        match one? {
            Ok((call, file)) => {
                outcomes.push(None);
                calls.push(call);
                files.push(file);
            }
            Err(fault) => outcomes.push(Some(RowOutcome::Rejected(fault))),
        }
    }
    let ids: Vec<_> = calls.iter().map(|call| call.id).collect();
    let written = app.store.import_calls(calls, by).await?;
    let mut written_rows = Vec::with_capacity(written.rows.len());
    for ((row, id), file) in written.rows.into_iter().zip(ids).zip(files) {
        let kept = match (&row, id, file) {
            (RowOutcome::Rejected(_), _, _) | (_, None, _) | (_, _, None) => false,
            (_, Some(id), Some((path, checked))) => recordings::keep(app, id, &checked, &path, by).await?,
        };
        written_rows.push(if kept && row == RowOutcome::Unchanged { RowOutcome::Updated } else { row });
    }
    let mut written_rows = written_rows.into_iter();
    let rows = outcomes.into_iter().filter_map(|outcome| outcome.or_else(|| written_rows.next())).collect();
    Ok(BatchOutcome { rows, new_statuses: written.new_statuses })
}

/// Looks into the file that a row names, and takes its name out of the row: what the file holds is what is kept.
async fn look_into(
    folder: Option<&RecordingsFolder>,
    mut record: CallRecord,
) -> Result<Result<(CallRecord, Option<(PathBuf, Checked)>), Fault>, ServiceError> {
    let Some(name) = record.recording.take() else { return Ok(Ok((record, None))) };
    record.recording_state = None;
    let Some(folder) = folder else {
        let detail = format!("the file {name:?} can't be reached from here");
        let hint = "leave the column out and upload to /api/calls/{call_id}/recording, or use \
            `leadscribe import calls FILE --recordings DIR`";
        return Ok(Err(fault("recording_not_found", detail).hint(hint)));
    };
    let path = match folder.file(&name) {
        Ok(path) => path,
        Err(fault) => return Ok(Err(fault)),
    };
    match recordings::check(&path).await {
        Ok(checked) => Ok(Ok((record, Some((path, checked))))),
        Err(ServiceError::UnusableRecording(why)) => Ok(Err(fault("unusable_recording", format!("{name}: {why}")))),
        Err(ServiceError::File(error)) => {
            Ok(Err(fault("recording_not_found", format!("the file {name:?} can't be read: {error}"))))
        }
        Err(error) => Err(error),
    }
}

fn fault(code: &str, detail: String) -> Fault {
    Fault::new(Place::Column("recording".to_owned()), code, detail)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_outside_of_the_folder_is_taken() {
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
        assert_eq!(folder.file("2.wav").unwrap_err().detail, "there is no file \"2.wav\" in the folder of recordings");
        assert!(RecordingsFolder::open(&inside.join("may/1.wav")).is_err());
    }
}
