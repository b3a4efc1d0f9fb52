//! Recording bytes when the database doesn't confirm whether it committed their key.

use std::sync::Arc;
use std::sync::atomic::{AtomicU8, Ordering};

use bytes::Bytes;
use futures::{TryStreamExt, stream};
use leadscribe_engine::api::{CallId, CallStatus, Direction};
use leadscribe_engine::record::CallRecord;
use object_store::ObjectStore;
use object_store::memory::InMemory;
use tempfile::TempDir;

use super::{check, find, is_kept, keep, play, upload};
use crate::app::App;
use crate::clock::MockClock;
use crate::config::Config;
use crate::service::error::ServiceError;
use crate::speech::Provider;
use crate::storage::sql::{Database, Session, SqlStore, WorkError};
use crate::storage::sqlite::Sqlite;
use crate::storage::{Connections, Origin, StoreError};

/// Eleven seconds of speech.
const SPEECH: &[u8] = include_bytes!(concat!(env!("CARGO_MANIFEST_DIR"), "/demo/recordings/jfk.wav"));

/// Writes are committed and confirmed.
const ANSWERED: u8 = 0;

/// Writes are committed but not confirmed.
const ANSWER_LOST: u8 = 1;

/// Writes are lost before their commit. The error is the same.
const WRITE_LOST: u8 = 2;

/// A database whose connection breaks during a commit.
#[derive(Debug)]
struct Breaking {
    database: Sqlite,
    line: Arc<AtomicU8>,
}

impl Breaking {
    /// Runs a change and simulates the state of the connection.
    async fn over_line<T, E: WorkError>(&self, change: impl Future<Output = Result<T, E>>) -> Result<T, E> {
        let lost = || StoreError::CommitUnknown("the connection was closed".into()).into();
        match self.line.load(Ordering::SeqCst) {
            WRITE_LOST => Err(lost()),
            ANSWER_LOST => change.await.and_then(|_| Err(lost())),
            _ => change.await,
        }
    }
}

impl Database for Breaking {
    async fn read<T: Send + 'static>(
        &self,
        work: impl Fn(&dyn Session) -> Result<T, StoreError> + Send + 'static,
    ) -> Result<T, StoreError> {
        self.database.read(work).await
    }

    async fn write<T: Send + 'static, E: WorkError>(
        &self,
        work: impl Fn(&dyn Session) -> Result<T, E> + Send + 'static,
    ) -> Result<T, E> {
        self.over_line(self.database.write(work)).await
    }

    async fn claim<T: Send + 'static, E: WorkError>(
        &self,
        work: impl Fn(&dyn Session) -> Result<T, E> + Send + 'static,
    ) -> Result<T, E> {
        self.over_line(self.database.claim(work)).await
    }

    async fn refresh_statistics(&self) -> Result<(), StoreError> {
        self.database.refresh_statistics().await
    }

    fn connections(&self) -> Connections {
        self.database.connections()
    }
}

/// A server with a breaking database connection, and one call.
struct Stage {
    app: App,
    line: Arc<AtomicU8>,
    recordings: Arc<InMemory>,
    call: CallId,
    folder: TempDir,
}

impl Stage {
    async fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let mut config = Config::default();
        config.storage.data_dir = folder.path().to_owned();
        let (line, recordings) = (Arc::new(AtomicU8::new(ANSWERED)), Arc::new(InMemory::new()));
        let database = Sqlite::open(&config.database_file()).unwrap();
        let store = Arc::new(SqlStore::new(Breaking { database, line: line.clone() }));
        let clock = Arc::new(MockClock::at("2026-05-01T09:30:00Z".parse().unwrap()));
        let app = App::new(store, recordings.clone(), Provider::off(), clock, Arc::new(config));
        let call = new_call(&app).await;
        Self { app, line, recordings, call, folder }
    }

    /// Uploads the recording with the connection in this state.
    async fn upload(&self, line: u8) -> Result<(), ServiceError> {
        self.line.store(line, Ordering::SeqCst);
        let body = stream::iter([Ok::<_, ServiceError>(Bytes::from_static(SPEECH))]);
        upload(&self.app, self.call, body, &by(&self.app)).await.map(drop)
    }

    /// Returns the bytes of the call's recording.
    async fn played(&self) -> Vec<u8> {
        let (recording, key) = find(&self.app, self.call).await.unwrap();
        let chunks = play(&self.app, &key, 0..recording.bytes.unwrap()).await.unwrap();
        chunks.try_collect::<Vec<_>>().await.unwrap().concat()
    }

    /// Returns the number of stored objects.
    async fn stored(&self) -> usize {
        self.recordings.list(None).try_collect::<Vec<_>>().await.unwrap().len()
    }
}

fn by(app: &App) -> Origin {
    Origin { actor: "test".to_owned(), request_id: None, at: app.now() }
}

async fn new_call(app: &App) -> CallId {
    let (direction, status) = (Some(Direction::Outbound), Some(CallStatus::Answered));
    let record = CallRecord { direction, status, ..CallRecord::default() };
    app.store.create_call(record, &by(app)).await.unwrap().id
}

#[tokio::test]
async fn unconfirmed_commit_keeps_its_bytes() {
    let stage = Stage::new().await;
    let answer = stage.upload(ANSWER_LOST).await;
    assert!(matches!(answer, Err(ServiceError::Write(_))), "{answer:?}");
    assert_eq!(stage.played().await, SPEECH, "the call names bytes that were taken away");
    // A retry succeeds without changing anything.
    stage.upload(ANSWERED).await.unwrap();
    assert_eq!((stage.played().await.as_slice(), stage.stored().await), (SPEECH, 1));
}

#[tokio::test]
async fn lost_commit_leaves_bytes_to_the_sweep() {
    let stage = Stage::new().await;
    stage.upload(WRITE_LOST).await.unwrap_err();
    assert!(matches!(find(&stage.app, stage.call).await, Err(ServiceError::NotFound("recording"))));
    assert_eq!(stage.stored().await, 1);
    stage.upload(ANSWERED).await.unwrap();
    assert_eq!((stage.played().await.as_slice(), stage.stored().await), (SPEECH, 2));
}

#[tokio::test]
async fn retries_store_a_file_once() {
    let stage = Stage::new().await;
    let path = stage.folder.path().join("call.wav");
    std::fs::write(&path, SPEECH).unwrap();
    for (lost, is_there) in [(WRITE_LOST, false), (ANSWER_LOST, true)] {
        let checked = check(&path).await.unwrap();
        let call = new_call(&stage.app).await;
        let keep = async |line| {
            stage.line.store(line, Ordering::SeqCst);
            keep(&stage.app, call, &checked, &path, &by(&stage.app)).await
        };
        let stored = stage.stored().await;
        keep(lost).await.unwrap_err();
        assert_eq!(is_kept(&stage.app, call, &checked).await.unwrap(), is_there);
        assert!(keep(ANSWERED).await.unwrap(), "it changed the call, though the answer came late");
        assert_eq!(stage.stored().await, stored + 1);
    }
}
