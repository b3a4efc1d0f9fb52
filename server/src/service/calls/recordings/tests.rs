//! Uploads whose commit the database doesn't confirm: the recording must not lose its bytes.

use std::sync::Arc;
use std::sync::atomic::{AtomicU8, Ordering};

use bytes::Bytes;
use futures::{TryStreamExt, stream};
use leadscribe_engine::api::{CallId, CallStatus, Direction};
use leadscribe_engine::record::CallRecord;
use object_store::ObjectStore;
use object_store::memory::InMemory;
use tempfile::TempDir;

use super::{check, find, is_stored, store_file, stream_bytes, upload};
use crate::clock::MockClock;
use crate::config::Config;
use crate::service::app::App;
use crate::service::error::{Result, ServiceError};
use crate::speech::RecognizerProvider;
use crate::storage::sql::{Database, DatabaseWork, SqlStore, WorkError};
use crate::storage::sqlite::Sqlite;
use crate::storage::{ConnectionStats, StoreError};
use crate::worker::testing::audit_context;

/// Eleven seconds of speech.
const SPEECH: &[u8] = include_bytes!(concat!(env!("CARGO_MANIFEST_DIR"), "/demo/recordings/jfk.wav"));

/// Writes are committed and confirmed.
const CONFIRMED: u8 = 0;

/// Writes are committed but not confirmed.
const CONFIRMATION_LOST: u8 = 1;

/// Writes are lost before their commit. The error is the same as for [`CONFIRMATION_LOST`].
const WRITE_LOST: u8 = 2;

/// A database whose connection breaks during a commit.
#[derive(Debug)]
struct UnreliableDatabase {
    database: Sqlite,
    connection: Arc<AtomicU8>,
}

impl UnreliableDatabase {
    /// Runs a change and simulates the state of the connection.
    async fn with_connection_state<T, E: WorkError>(&self, change: impl Future<Output = Result<T, E>>) -> Result<T, E> {
        let unknown = || StoreError::CommitUnknown("the connection was closed".into()).into();
        match self.connection.load(Ordering::SeqCst) {
            WRITE_LOST => Err(unknown()),
            CONFIRMATION_LOST => change.await.and_then(|_| Err(unknown())),
            _ => change.await,
        }
    }
}

impl Database for UnreliableDatabase {
    async fn read<T: Send + 'static>(&self, work: impl DatabaseWork<T>) -> Result<T, StoreError> {
        self.database.read(work).await
    }

    async fn write<T: Send + 'static, E: WorkError>(&self, work: impl DatabaseWork<T, E>) -> Result<T, E> {
        self.with_connection_state(self.database.write(work)).await
    }

    async fn write_locking<T: Send + 'static, E: WorkError>(&self, work: impl DatabaseWork<T, E>) -> Result<T, E> {
        self.with_connection_state(self.database.write_locking(work)).await
    }

    async fn refresh_statistics(&self) -> Result<(), StoreError> {
        self.database.refresh_statistics().await
    }

    fn connection_stats(&self) -> ConnectionStats {
        self.database.connection_stats()
    }
}

/// A server with an unreliable database connection and one call.
struct TestServer {
    app: App,
    connection: Arc<AtomicU8>,
    recordings: Arc<InMemory>,
    call: CallId,
    folder: TempDir,
}

impl TestServer {
    async fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let mut config = Config::default();
        config.storage.data_dir = folder.path().to_owned();
        let (connection, recordings) = (Arc::new(AtomicU8::new(CONFIRMED)), Arc::new(InMemory::new()));
        let database = Sqlite::open(&config.database_file()).unwrap();
        let store = Arc::new(SqlStore::new(UnreliableDatabase { database, connection: connection.clone() }));
        let clock = Arc::new(MockClock::at("2026-05-01T09:30:00Z".parse().unwrap()));
        let app = App::new(store, recordings.clone(), RecognizerProvider::off(), clock, Arc::new(config));
        let call = create_call(&app).await;
        Self { app, connection, recordings, call, folder }
    }

    /// Uploads the recording with the connection in this state.
    async fn upload(&self, connection: u8) -> Result<()> {
        self.connection.store(connection, Ordering::SeqCst);
        let body = stream::iter([Ok::<_, ServiceError>(Bytes::from_static(SPEECH))]);
        upload(&self.app, self.call, body, &audit_context(&self.app)).await.map(drop)
    }

    /// Returns the bytes of the call's recording.
    async fn stored_bytes(&self) -> Vec<u8> {
        let (recording, key) = find(&self.app, self.call).await.unwrap();
        let chunks = stream_bytes(&self.app, &key, 0..recording.bytes.unwrap()).await.unwrap();
        chunks.try_collect::<Vec<_>>().await.unwrap().concat()
    }

    /// Returns the number of stored objects.
    async fn object_count(&self) -> usize {
        self.recordings.list(None).try_collect::<Vec<_>>().await.unwrap().len()
    }
}

async fn create_call(app: &App) -> CallId {
    let (direction, status) = (Some(Direction::Outbound), Some(CallStatus::Answered));
    let record = CallRecord { direction, status, ..CallRecord::default() };
    app.store.create_call(record, &audit_context(app)).await.unwrap().id
}

#[tokio::test]
async fn unconfirmed_commit_keeps_its_bytes() {
    let server = TestServer::new().await;
    let result = server.upload(CONFIRMATION_LOST).await;
    assert!(matches!(result, Err(ServiceError::Write(_))), "{result:?}");
    assert_eq!(server.stored_bytes().await, SPEECH, "the call refers to deleted bytes");
    // A retry succeeds without changing anything.
    server.upload(CONFIRMED).await.unwrap();
    assert_eq!((server.stored_bytes().await.as_slice(), server.object_count().await), (SPEECH, 1));
}

#[tokio::test]
async fn lost_commit_leaves_unreferenced_bytes() {
    let server = TestServer::new().await;
    server.upload(WRITE_LOST).await.unwrap_err();
    assert!(matches!(find(&server.app, server.call).await, Err(ServiceError::NotFound("recording"))));
    assert_eq!(server.object_count().await, 1);
    server.upload(CONFIRMED).await.unwrap();
    assert_eq!((server.stored_bytes().await.as_slice(), server.object_count().await), (SPEECH, 2));
}

#[tokio::test]
async fn retries_store_a_file_once() {
    let server = TestServer::new().await;
    let path = server.folder.path().join("call.wav");
    std::fs::write(&path, SPEECH).unwrap();
    for (failure, is_committed) in [(WRITE_LOST, false), (CONFIRMATION_LOST, true)] {
        let checked = check(&path).await.unwrap();
        let call = create_call(&server.app).await;
        let store = async |connection| {
            server.connection.store(connection, Ordering::SeqCst);
            store_file(&server.app, call, &checked, &path, &audit_context(&server.app)).await
        };
        let object_count = server.object_count().await;
        store(failure).await.unwrap_err();
        assert_eq!(is_stored(&server.app, call, &checked).await.unwrap(), is_committed);
        assert!(store(CONFIRMED).await.unwrap(), "the retry changes the call");
        assert_eq!(server.object_count().await, object_count + 1);
    }
}
