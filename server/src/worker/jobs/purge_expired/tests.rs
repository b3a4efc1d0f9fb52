//! Purging with a real store and recordings in memory.

use std::fs;
use std::io::Cursor;

use bytes::Bytes;
use futures::future::ready;
use futures::{StreamExt, stream};
use leadscribe_engine::api::{CallId, ImportId, ImportKind, Recording, RecordingState};
use object_store::ObjectStoreExt;

use super::*;
use crate::recording::{RecordingFiles, files, owner};
use crate::service::calls::spool::Spool;
use crate::service::imports;
use crate::speech::RecognizerProvider;
use crate::storage::{AuditQuery, NewImport, RecordingKey, Slice};
use crate::worker::testing::{
    TestInstallation, audit_context, complete_next_transcription, create_recorded_call, create_token, submit_call,
};

/// Returns the modification time of a file.
fn modified_at(path: &Path) -> Timestamp {
    fs::metadata(path).unwrap().modified().unwrap().into()
}

#[test]
fn only_old_uploads_are_removed() {
    let folder = tempfile::tempdir().unwrap();
    let (leftover, in_progress) = (folder.path().join("left-behind"), folder.path().join("arriving"));
    fs::write(&leftover, "half").unwrap();
    fs::write(&in_progress, "half").unwrap();
    let modified = modified_at(&in_progress);
    let hour_before = modified - TimeDelta::hours(1);
    fs::File::options().write(true).open(&leftover).unwrap().set_modified(hour_before.into()).unwrap();

    assert_eq!(remove_old_files(folder.path(), modified - TimeDelta::minutes(1)), 1);
    assert!(!leftover.exists() && in_progress.exists());
    assert_eq!(remove_old_files(&folder.path().join("none"), modified), 0);
}

#[tokio::test]
async fn locked_uploads_are_kept_despite_clock_changes() {
    let folder = tempfile::tempdir().unwrap();
    let body = stream::iter([Ok::<_, ServiceError>(Bytes::from_static(b"sound"))]);
    let spool = Spool::receive(folder.path(), body).await.unwrap();
    let tomorrow = modified_at(&spool.path()) + TimeDelta::days(1);
    assert_eq!(remove_old_files(folder.path(), tomorrow), 0);
    assert!(spool.reopen().is_ok());
    // Leave a file behind like a killed process.
    let leftover = folder.path().join("left");
    fs::hard_link(spool.path(), &leftover).unwrap();
    drop(spool);
    assert_eq!(remove_old_files(folder.path(), tomorrow), 1);
    assert!(!leftover.exists());
}

/// Returns the number of stored recording objects, without the owner file.
async fn object_count(app: &App) -> usize {
    let names = app.recordings.list(None).map(|object| String::from(object.unwrap().location));
    names.filter(|name| ready(name != owner::OWNER_FILE_NAME)).count().await
}

#[tokio::test]
async fn purges_expired_recordings_after_transcription() {
    let (installation, app) = TestInstallation::with_app(|config| config.retention.recording_days = 30);
    let (waiting, expired) = (create_recorded_call(&app).await, create_recorded_call(&app).await);
    submit_call(&app, create_token(&app).await, waiting).await;
    installation.clock.advance(TimeDelta::days(29));
    let new = create_recorded_call(&app).await;
    assert_eq!(purge(&app).await.unwrap().recordings, 0);
    installation.clock.advance(TimeDelta::days(2));
    assert_eq!(purge(&app).await.unwrap().recordings, 1);
    assert_eq!(app.store.call(expired).await.unwrap().unwrap().recording.state, RecordingState::None);
    for call in [waiting, new] {
        let (recording, key) = app.store.recording_key(call).await.unwrap().expect("a recording");
        let range = 0..recording.bytes.unwrap();
        assert!(RecordingFiles::new(app.recordings.clone()).read(&key, range).await.is_ok());
    }
    assert_eq!(object_count(&app).await, 2);
    let entries = app.store.audit_log(&AuditQuery::default(), Slice { count: 1, offset: 0 }).await.unwrap().items;
    assert_eq!((entries[0].actor.as_str(), entries[0].action.as_str()), ("retention", "recording.purge"));
}

#[tokio::test]
async fn purges_expired_transcripts() {
    let (installation, app) = TestInstallation::with_app(|config| config.retention.transcript_days = 7);
    let call = create_recorded_call(&app).await;
    submit_call(&app, create_token(&app).await, call).await;
    complete_next_transcription(&app).await;
    installation.clock.advance(TimeDelta::days(6));
    assert_eq!(purge(&app).await.unwrap().transcripts, 0);
    installation.clock.advance(TimeDelta::days(2));
    let purged = purge(&app).await.unwrap();
    assert_eq!((purged.transcripts, purged.recordings), (1, 0));
    assert_eq!(app.store.transcript(call).await.unwrap(), None);
    assert_eq!(purge(&app).await.unwrap().transcripts, 0, "a second purge finds nothing");
}

#[tokio::test]
async fn purges_nothing_without_retention_options() {
    let (installation, app) = TestInstallation::with_app(|config| config.retention.delivery_days = 0);
    create_recorded_call(&app).await;
    installation.clock.advance(TimeDelta::days(10_000));
    let purged = purge(&app).await.unwrap();
    assert_eq!((purged.transcripts, purged.recordings, purged.deliveries), (0, 0, 0));
    assert_eq!(object_count(&app).await, 1);
}

/// Returns the line of the first rejected row of an import, or the error.
async fn first_rejected_line(app: &App, id: ImportId) -> Result<Option<u64>, String> {
    let rejected = imports::rejected(app, id, Slice { count: 1, offset: 0 }).await;
    rejected.map(|page| page.items.first().map(|row| row.line)).map_err(|error| error.to_string())
}

#[tokio::test]
async fn purges_expired_rejected_rows() {
    let (installation, app) = TestInstallation::with_app(|_| ());
    let started = app.now();
    let import = async |dry_run| {
        let new = NewImport { is_dry_run: dry_run, is_undoable: true, ..NewImport::new(ImportKind::Leads, "") };
        let import = imports::start(&app, &new, &audit_context(&app)).await.unwrap();
        let file = Cursor::new("email\nada\n");
        imports::run(&app, import, file, None, imports::ImportOptions::default(), |_| (), &audit_context(&app))
            .await
            .unwrap()
            .id
    };
    let (dry_run_id, import_id) = (import(true).await, import(false).await);
    installation.clock.advance(TimeDelta::hours(23));
    assert_eq!(purge(&app).await.unwrap().rejected_rows, 0);
    installation.clock.advance(TimeDelta::hours(2));
    assert_eq!(purge(&app).await.unwrap().rejected_rows, 2, "the dry run and its row");
    assert_eq!(first_rejected_line(&app, dry_run_id).await.unwrap_err(), "there is no such import");
    assert_eq!(first_rejected_line(&app, import_id).await, Ok(Some(2)));

    installation.clock.advance(started + REJECTED_ROW_RETENTION - app.now());
    assert_eq!(purge(&app).await.unwrap().rejected_rows, 0);
    assert_eq!(first_rejected_line(&app, import_id).await, Ok(Some(2)));
    // From then on they are unavailable, even before they are purged.
    installation.clock.advance(TimeDelta::seconds(1));
    let purged = "the rejected rows of an import are kept for 30 days";
    assert_eq!(first_rejected_line(&app, import_id).await.unwrap_err(), purged);
    assert_eq!(purge(&app).await.unwrap().rejected_rows, 1);
    assert_eq!(first_rejected_line(&app, import_id).await.unwrap_err(), purged);
    assert!(imports::rejected_csv(app.clone(), import_id, None).await.is_err());
    assert_eq!(app.store.import(import_id).await.unwrap().unwrap().counts.rejected, 1);
}

#[tokio::test]
async fn sweeps_old_unreferenced_recordings() {
    let (installation, app) = TestInstallation::with_app(|_| ());
    let call = create_recorded_call(&app).await;
    assert_eq!(retention::sweep_recordings(&app).await.unwrap(), 0);
    let recordings = RecordingFiles::new(app.recordings.clone());
    let file = tempfile::NamedTempFile::new().unwrap();
    let content = files::Digest::new([7; 32]);
    let unreferenced = files::new_key(call, &content, "wav");
    recordings.put(&unreferenced, file.path()).await.unwrap();
    let without_call = files::new_key(CallId(4_711), &content, "wav");
    recordings.put(&without_call, file.path()).await.unwrap();
    let (_, referenced) = app.store.recording_key(call).await.unwrap().unwrap();
    let waveform_only = files::new_key(call, &content, "wav");
    for key in [&referenced, &unreferenced, &waveform_only] {
        recordings.store_waveform(key, vec![1]).await.unwrap();
    }
    recordings.put(&RecordingKey("notes/of-the-operator.txt".to_owned()), file.path()).await.unwrap();

    // Object stores use the machine's clock. The test's clock is first earlier than that, and then far later.
    assert_eq!(retention::sweep_recordings(&app).await.unwrap(), 0);
    installation.clock.advance(TimeDelta::days(30_000));
    assert_eq!(retention::sweep_recordings(&app).await.unwrap(), 3);
    assert_eq!(object_count(&app).await, 3, "the recording, its waveform and the owner file");
    let (recording, _) = app.store.recording_key(call).await.unwrap().expect("a recording");
    // Older versions could mark an existing recording as failed.
    let failed_recording = Recording { state: RecordingState::Failed, ..recording };
    app.store.set_recording(call, &failed_recording, Some(&referenced), &audit_context(&app)).await.unwrap().unwrap();
    assert_eq!(retention::sweep_recordings(&app).await.unwrap(), 0);
    assert_eq!(object_count(&app).await, 3);
}

#[tokio::test]
async fn sweeps_incomplete_recordings() {
    let (installation, app) = TestInstallation::with_app(|_| ());
    let call_folder = app.config.recordings_dir().join("12");
    fs::create_dir_all(&call_folder).unwrap();
    let incomplete = call_folder.join(format!("{}-0123abcd.wav#1", "7".repeat(64)));
    fs::write(&incomplete, "half").unwrap();
    assert_eq!(retention::sweep_recordings(&app).await.unwrap(), 0, "the upload may still be running");
    installation.clock.advance(TimeDelta::days(30_000));
    assert_eq!(retention::sweep_recordings(&app).await.unwrap(), 1);
    assert!(!call_folder.exists());
}

#[tokio::test]
async fn keeps_recordings_of_another_installation() {
    let (installation, app) = TestInstallation::with_app(|_| ());
    create_recorded_call(&app).await;
    // A second database uses the same recording store because of a mistyped option, and has stored recordings there.
    let other = TestInstallation::with_recordings_of(&installation, |config| config.retention.recording_days = 30);
    let other_app = other.create_app(RecognizerProvider::off());
    create_recorded_call(&other_app).await;
    for (app, clock) in [(&app, &installation.clock), (&other_app, &other.clock)] {
        clock.advance(TimeDelta::days(30_000));
        assert!(
            !retention::owns_recordings(app).await.unwrap(),
            "half of the recordings are referenced, and there is no owner file"
        );
        assert_eq!(retention::sweep_recordings(app).await.unwrap(), 0);
    }
    assert_eq!(purge(&other_app).await.unwrap().recordings, 1, "the reference is removed; the sweep deletes the bytes");
    assert_eq!(object_count(&app).await, 2);

    create_recorded_call(&app).await;
    assert_eq!(owner::read(&app.recordings).await.unwrap(), None);
    assert_eq!(retention::sweep_recordings(&app).await.unwrap(), 1, "most recordings are referenced");
    assert_eq!(owner::read(&app.recordings).await.unwrap(), Some(app.store.installation_id().await.unwrap()));
    for _ in 0..5 {
        create_recorded_call(&other_app).await;
    }
    assert_eq!(retention::sweep_recordings(&other_app).await.unwrap(), 0, "the owner file takes precedence");
    assert_eq!(object_count(&app).await, 7);
    // The operator assigns the recordings to the second installation by writing the owner file.
    let id = other_app.store.installation_id().await.unwrap();
    let note = format!("{}\r\n", id.0).into_bytes();
    app.recordings.put(&object_store::path::Path::from(owner::OWNER_FILE_NAME), note.into()).await.unwrap();
    assert_eq!(retention::sweep_recordings(&other_app).await.unwrap(), 2);
    assert_eq!(retention::sweep_recordings(&app).await.unwrap(), 0);
}

#[tokio::test]
async fn empty_recording_store_belongs_to_first_installation() {
    let installation = TestInstallation::empty(|_| ());
    let other = TestInstallation::with_recordings_of(&installation, |_| ());
    assert!(retention::owns_recordings(&installation.create_app(RecognizerProvider::off())).await.unwrap());
    assert!(!retention::owns_recordings(&other.create_app(RecognizerProvider::off())).await.unwrap());
}

#[tokio::test]
async fn purges_old_changes_in_batches() {
    let (_installation, app) = TestInstallation::with_app(|config| config.retention.change_days = 90);
    let connection = rusqlite::Connection::open(app.config.database_file()).unwrap();
    let insert = "WITH RECURSIVE n (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM n WHERE n < ?2)
                 INSERT INTO changes (type, record_id, lead_id, change, created_at) SELECT 'lead', n, n, 'update', ?1 FROM n";
    let add = |days, count: i64| {
        let created_at = (app.now() - chrono::TimeDelta::days(days)).timestamp_micros();
        connection.execute(insert, [created_at, count]).unwrap();
    };
    add(91, 25_000);
    add(89, 2);
    assert_eq!(app.store.purge_changes(app.now() - chrono::TimeDelta::days(90)).await.unwrap(), 10_000);
    assert_eq!(purge(&app).await.unwrap().changes, 15_000);
    assert_eq!(purge(&app).await.unwrap().changes, 0);
}
