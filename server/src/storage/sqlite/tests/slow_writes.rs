//! Tests of a slow disk: writes wait a bounded time for their turn, and requests don't wait to record the use of credentials.

use std::sync::{Arc, Mutex, mpsc};

use leadscribe_engine::api::{NewApiKeyRequest, Scope};
use tokio::task::{JoinHandle, yield_now};
use tokio::time::advance;

use super::{
    AccessStore, Session, Slice, SqliteStore, Store, StoreError, audit_context, connection, new_sqlite_store, now,
};
use crate::storage::sql::Database;

/// Starts a write that lasts until the sender is dropped.
async fn hold_writer(store: &Arc<SqliteStore>) -> (mpsc::Sender<()>, JoinHandle<()>) {
    let (started_sender, started_receiver) = tokio::sync::oneshot::channel();
    let (release_sender, release_receiver) = mpsc::channel::<()>();
    let (store, channels) = (Arc::clone(store), Mutex::new((Some(started_sender), release_receiver)));
    let write_task = tokio::spawn(async move {
        let work = move |_: &dyn Session| {
            let (started_sender, release_receiver) = &mut *channels.lock().unwrap();
            started_sender.take().unwrap().send(()).unwrap();
            let _ = release_receiver.recv();
            Ok::<_, StoreError>(())
        };
        store.database().write(work).await.unwrap();
    });
    started_receiver.await.unwrap();
    (release_sender, write_task)
}

#[tokio::test(start_paused = true)]
async fn writes_time_out_after_ten_seconds() {
    let (store, _folder) = new_sqlite_store();
    let store = Arc::new(store);
    let (release, write_task) = hold_writer(&store).await;
    let (refused, ()) = tokio::join!(store.check_writable(), async {
        yield_now().await;
        assert_eq!(store.connection_stats().writes_waiting, Some(1));
        advance(connection::BUSY_TIMEOUT).await;
    });
    assert!(matches!(refused, Err(StoreError::Unavailable(_))), "{refused:?}");
    assert_eq!(store.connection_stats().writes_waiting, Some(0));
    drop(release);
    write_task.await.unwrap();
    store.check_writable().await.unwrap();
}

#[tokio::test]
async fn credential_use_is_recorded_once_behind_a_slow_write() {
    let (store, _folder) = new_sqlite_store();
    let store = Arc::new(store);
    let request = NewApiKeyRequest { name: "one".to_owned(), scopes: vec![Scope::Admin], expires_at: None };
    store.create_api_key(&request, [1; 32], "ls_key_", &audit_context()).await.unwrap();
    let (release, write_task) = hold_writer(&store).await;
    for _ in 0..2 {
        store.use_api_key([1; 32], now()).await.unwrap().expect("a key");
        // The first request waits briefly. Its write stays queued, and the second request adds none.
        assert_eq!(store.connection_stats().writes_waiting, Some(1));
    }
    drop(release);
    write_task.await.unwrap();
    // This write is queued behind the one that records the use.
    store.check_writable().await.unwrap();
    let page = store.api_keys(Slice { count: 1, offset: 0 }).await.unwrap();
    assert!(page.items[0].last_used_at.is_some());
}
