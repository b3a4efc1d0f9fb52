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
use crate::service::imports;
use crate::service::spool::Spool;
use crate::speech::Provider;
use crate::storage::{AuditQuery, NewImport, RecordingKey, Slice};
use crate::worker::testing::{Data, by, complete, recorded_call, send, token};

/// Returns the modification time of a file.
fn written(path: &Path) -> Timestamp {
    fs::metadata(path).unwrap().modified().unwrap().into()
}

#[test]
fn only_old_uploads_are_removed() {
    let folder = tempfile::tempdir().unwrap();
    let (left_behind, arriving) = (folder.path().join("left-behind"), folder.path().join("arriving"));
    fs::write(&left_behind, "half").unwrap();
    fs::write(&arriving, "half").unwrap();
    let written = written(&arriving);
    let an_hour_ago = written - TimeDelta::hours(1);
    fs::File::options().write(true).open(&left_behind).unwrap().set_modified(an_hour_ago.into()).unwrap();

    assert_eq!(remove_old_files(folder.path(), written - TimeDelta::minutes(1)), 1);
    assert!(!left_behind.exists() && arriving.exists());
    assert_eq!(remove_old_files(&folder.path().join("none"), written), 0);
}

#[tokio::test]
async fn locked_uploads_are_kept_despite_clock_changes() {
    let folder = tempfile::tempdir().unwrap();
    let body = stream::iter([Ok::<_, ServiceError>(Bytes::from_static(b"sound"))]);
    let spool = Spool::receive(folder.path(), body).await.unwrap();
    let in_a_day = written(&spool.path()) + TimeDelta::days(1);
    assert_eq!(remove_old_files(folder.path(), in_a_day), 0);
    assert!(spool.reopen().is_ok());
    // Leave a file behind like a killed process.
    let left = folder.path().join("left");
    fs::hard_link(spool.path(), &left).unwrap();
    drop(spool);
    assert_eq!(remove_old_files(folder.path(), in_a_day), 1);
    assert!(!left.exists());
}

/// Returns the number of stored recording objects, without the owner file.
async fn stored(app: &App) -> usize {
    let names = app.recordings.list(None).map(|found| String::from(found.unwrap().location));
    names.filter(|name| ready(name != owner::NOTE)).count().await
}

#[tokio::test]
async fn purges_expired_recordings_after_transcription() {
    let data = Data::empty(|config| config.retention.recording_days = 30);
    let app = data.process(Provider::off());
    let (waits, old) = (recorded_call(&app).await, recorded_call(&app).await);
    send(&app, token(&app).await, waits).await;
    data.clock.advance(TimeDelta::days(29));
    let new = recorded_call(&app).await;
    assert_eq!(purge(&app).await.unwrap().recordings, 0);
    data.clock.advance(TimeDelta::days(2));
    assert_eq!(purge(&app).await.unwrap().recordings, 1);
    assert_eq!(app.store.call(old).await.unwrap().unwrap().recording.state, RecordingState::None);
    for kept in [waits, new] {
        let (recording, key) = app.store.recording_key(kept).await.unwrap().expect("a recording");
        let range = 0..recording.bytes.unwrap();
        assert!(RecordingFiles::new(app.recordings.clone()).read(&key, range).await.is_ok());
    }
    assert_eq!(stored(&app).await, 2);
    let entries = app.store.audit_log(&AuditQuery::default(), Slice { count: 1, offset: 0 }).await.unwrap().items;
    assert_eq!((entries[0].actor.as_str(), entries[0].action.as_str()), ("retention", "recording.purge"));
}

#[tokio::test]
async fn purges_expired_transcripts() {
    let data = Data::empty(|config| config.retention.transcript_days = 7);
    let app = data.process(Provider::off());
    let call = recorded_call(&app).await;
    send(&app, token(&app).await, call).await;
    complete(&app).await;
    data.clock.advance(TimeDelta::days(6));
    assert_eq!(purge(&app).await.unwrap().transcripts, 0);
    data.clock.advance(TimeDelta::days(2));
    let purged = purge(&app).await.unwrap();
    assert_eq!((purged.transcripts, purged.recordings), (1, 0));
    assert_eq!(app.store.transcript(call).await.unwrap(), None);
    assert_eq!(purge(&app).await.unwrap().transcripts, 0, "twice is harmless");
}

#[tokio::test]
async fn purges_nothing_without_retention_options() {
    let data = Data::empty(|config| config.retention.delivery_days = 0);
    let app = data.process(Provider::off());
    recorded_call(&app).await;
    data.clock.advance(TimeDelta::days(10_000));
    let purged = purge(&app).await.unwrap();
    assert_eq!((purged.transcripts, purged.recordings, purged.deliveries), (0, 0, 0));
    assert_eq!(stored(&app).await, 1);
}

/// Returns the line of the first rejected row of an import, or the error.
async fn first_refused(app: &App, id: ImportId) -> Result<Option<u64>, String> {
    let rejected = imports::rejected(app, id, Slice { count: 1, offset: 0 }).await;
    rejected.map(|page| page.items.first().map(|row| row.line)).map_err(|error| error.to_string())
}

#[tokio::test]
async fn purges_expired_rejected_rows() {
    let data = Data::empty(|_| ());
    let app = data.process(Provider::off());
    let begun = app.now();
    let import = async |dry_run| {
        let new = NewImport { dry_run, undoable: true, ..NewImport::new(ImportKind::Leads, "") };
        let import = imports::start(&app, &new, &by(&app)).await.unwrap();
        let file = Cursor::new("email\nada\n");
        imports::run(&app, import, file, None, imports::Given::default(), |_| (), &by(&app)).await.unwrap().id
    };
    let (tried, written) = (import(true).await, import(false).await);
    data.clock.advance(TimeDelta::hours(23));
    assert_eq!(purge(&app).await.unwrap().rejected_rows, 0);
    data.clock.advance(TimeDelta::hours(2));
    assert_eq!(purge(&app).await.unwrap().rejected_rows, 2, "the dry run and its row");
    assert_eq!(first_refused(&app, tried).await.unwrap_err(), "there is no such import");
    assert_eq!(first_refused(&app, written).await, Ok(Some(2)));

    data.clock.advance(begun + REJECTED_KEPT - app.now());
    assert_eq!(purge(&app).await.unwrap().rejected_rows, 0);
    assert_eq!(first_refused(&app, written).await, Ok(Some(2)));
    // From then on they are unavailable, even before they are purged.
    data.clock.advance(TimeDelta::seconds(1));
    let purged = "the rejected rows of an import are kept for 30 days";
    assert_eq!(first_refused(&app, written).await.unwrap_err(), purged);
    assert_eq!(purge(&app).await.unwrap().rejected_rows, 1);
    assert_eq!(first_refused(&app, written).await.unwrap_err(), purged);
    assert!(imports::rejected_csv(app.clone(), written, None).await.is_err());
    assert_eq!(app.store.import(written).await.unwrap().unwrap().counts.rejected, 1);
}

#[tokio::test]
async fn sweeps_old_unreferenced_recordings() {
    let data = Data::empty(|_| ());
    let app = data.process(Provider::off());
    let call = recorded_call(&app).await;
    assert_eq!(retention::sweep_recordings(&app).await.unwrap(), 0);
    let recordings = RecordingFiles::new(app.recordings.clone());
    let file = tempfile::NamedTempFile::new().unwrap();
    let content = files::Digest::new([7; 32]);
    let left_behind = files::fresh_key(call, &content, "wav");
    recordings.put(&left_behind, file.path()).await.unwrap();
    let of_nobody = files::fresh_key(CallId(4_711), &content, "wav");
    recordings.put(&of_nobody, file.path()).await.unwrap();
    let (_, named) = app.store.recording_key(call).await.unwrap().unwrap();
    let without_sound = files::fresh_key(call, &content, "wav");
    for key in [&named, &left_behind, &without_sound] {
        recordings.keep_outline(key, vec![1]).await.unwrap();
    }
    recordings.put(&RecordingKey("notes/of-the-operator.txt".to_owned()), file.path()).await.unwrap();

    // Stores use the machine's clock. The test's clock is set earlier first, and then far later.
    assert_eq!(retention::sweep_recordings(&app).await.unwrap(), 0);
    data.clock.advance(TimeDelta::days(30_000));
    assert_eq!(retention::sweep_recordings(&app).await.unwrap(), 3);
    assert_eq!(stored(&app).await, 3, "the recording, its outline and the notes");
    let (recording, _) = app.store.recording_key(call).await.unwrap().expect("a recording");
    // Older versions could mark an existing recording as failed.
    let failed = Recording { state: RecordingState::Failed, ..recording };
    app.store.set_recording(call, &failed, Some(&named), &by(&app)).await.unwrap().unwrap();
    assert_eq!(retention::sweep_recordings(&app).await.unwrap(), 0);
    assert_eq!(stored(&app).await, 3);
}

#[tokio::test]
async fn sweeps_incomplete_recordings() {
    let data = Data::empty(|_| ());
    let app = data.process(Provider::off());
    let call = app.config.recordings_dir().join("12");
    fs::create_dir_all(&call).unwrap();
    let half = call.join(format!("{}-0123abcd.wav#1", "7".repeat(64)));
    fs::write(&half, "half").unwrap();
    assert_eq!(retention::sweep_recordings(&app).await.unwrap(), 0, "it may be being stored");
    data.clock.advance(TimeDelta::days(30_000));
    assert_eq!(retention::sweep_recordings(&app).await.unwrap(), 1);
    assert!(!call.exists());
}

#[tokio::test]
async fn keeps_recordings_of_another_installation() {
    let data = Data::empty(|_| ());
    let app = data.process(Provider::off());
    recorded_call(&app).await;
    // A second database uses the same recording store because of a mistyped option, and has stored recordings there.
    let other = Data::with_recordings_of(&data, |config| config.retention.recording_days = 30);
    let beside = other.process(Provider::off());
    recorded_call(&beside).await;
    for (app, clock) in [(&app, &data.clock), (&beside, &other.clock)] {
        clock.advance(TimeDelta::days(30_000));
        assert!(!retention::owns_recordings(app).await.unwrap(), "one is named and one not, and no note tells more");
        assert_eq!(retention::sweep_recordings(app).await.unwrap(), 0);
    }
    assert_eq!(purge(&beside).await.unwrap().recordings, 1, "it is forgotten, and its bytes left to the sweep");
    assert_eq!(stored(&app).await, 2);

    recorded_call(&app).await;
    assert_eq!(owner::read(&app.recordings).await.unwrap(), None);
    assert_eq!(retention::sweep_recordings(&app).await.unwrap(), 1, "most are named");
    assert_eq!(owner::read(&app.recordings).await.unwrap(), Some(app.store.installation().await.unwrap()));
    for _ in 0..5 {
        recorded_call(&beside).await;
    }
    assert_eq!(retention::sweep_recordings(&beside).await.unwrap(), 0, "the note tells more than what is named");
    assert_eq!(stored(&app).await, 7);
    // The operator assigns the recordings to the second installation by writing the owner file.
    let id = beside.store.installation().await.unwrap();
    let note = format!("{}\r\n", id.0).into_bytes();
    app.recordings.put(&object_store::path::Path::from(owner::NOTE), note.into()).await.unwrap();
    assert_eq!(retention::sweep_recordings(&beside).await.unwrap(), 2);
    assert_eq!(retention::sweep_recordings(&app).await.unwrap(), 0);
}

#[tokio::test]
async fn empty_recording_store_belongs_to_first_installation() {
    let data = Data::empty(|_| ());
    let other = Data::with_recordings_of(&data, |_| ());
    assert!(retention::owns_recordings(&data.process(Provider::off())).await.unwrap());
    assert!(!retention::owns_recordings(&other.process(Provider::off())).await.unwrap());
}

#[tokio::test]
async fn purges_excess_lead_changes() {
    let data = Data::empty(|_| ());
    let app = data.process(Provider::off());
    // The number of changes that a telephone system makes in a few days.
    let beside = rusqlite::Connection::open(app.config.database_file()).unwrap();
    let noted = "WITH RECURSIVE n (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM n WHERE n < 225000)
                 INSERT INTO lead_changes (lead_id) SELECT n FROM n";
    beside.execute(noted, []).unwrap();
    assert!(app.store.purge_lead_changes().await.unwrap() <= 10_000, "others don't wait for all of them");
    assert!(purge(&app).await.unwrap().lead_changes >= 15_000);
    let left = beside.query_row("SELECT count(*) FROM lead_changes", [], |row| row.get::<_, i64>(0));
    assert_eq!(left.unwrap(), 200_000);
    assert_eq!(purge(&app).await.unwrap().lead_changes, 0);
}
