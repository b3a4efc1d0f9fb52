//! Tests of a slow disk: writes wait a bounded time for their turn, and requests don't wait to record the use of credentials.

use std::sync::{Arc, Mutex, mpsc};

use leadscribe_engine::api::{NewApiKeyRequest, Scope};
use tokio::task::{JoinHandle, yield_now};
use tokio::time::advance;

use super::{AccessStore, Session, Slice, SqliteStore, Store, StoreError, connection, now, open, origin};
use crate::storage::sql::Database;

/// Starts a write that lasts until the sender is dropped.
async fn hold(store: &Arc<SqliteStore>) -> (mpsc::Sender<()>, JoinHandle<()>) {
    let (begun, begin) = tokio::sync::oneshot::channel();
    let (finish, wait) = mpsc::channel::<()>();
    let (store, gates) = (Arc::clone(store), Mutex::new((Some(begun), wait)));
    let held = tokio::spawn(async move {
        let work = move |_: &dyn Session| {
            let (begun, wait) = &mut *gates.lock().unwrap();
            begun.take().unwrap().send(()).unwrap();
            let _ = wait.recv();
            Ok::<_, StoreError>(())
        };
        store.database().write(work).await.unwrap();
    });
    begin.await.unwrap();
    (finish, held)
}

#[tokio::test(start_paused = true)]
async fn writes_time_out_after_ten_seconds() {
    let (store, _folder) = open();
    let store = Arc::new(store);
    let (finish, held) = hold(&store).await;
    let (refused, ()) = tokio::join!(store.try_write(), async {
        yield_now().await;
        assert_eq!(store.connections().writes_waiting, Some(1));
        advance(connection::BUSY_TIMEOUT).await;
    });
    assert!(matches!(refused, Err(StoreError::Unavailable(_))), "{refused:?}");
    assert_eq!(store.connections().writes_waiting, Some(0));
    drop(finish);
    held.await.unwrap();
    store.try_write().await.unwrap();
}

#[tokio::test]
async fn credential_use_is_recorded_once_behind_a_slow_write() {
    let (store, _folder) = open();
    let store = Arc::new(store);
    let request = NewApiKeyRequest { name: "one".to_owned(), scopes: vec![Scope::Admin], expires_at: None };
    store.create_api_key(&request, [1; 32], "ls_key_", &origin()).await.unwrap();
    let (finish, held) = hold(&store).await;
    for _ in 0..2 {
        store.use_api_key([1; 32], now()).await.unwrap().expect("a key");
        // The first request waits briefly. Its write stays queued, and the second request adds none.
        assert_eq!(store.connections().writes_waiting, Some(1));
    }
    drop(finish);
    held.await.unwrap();
    // Queued behind that write.
    store.try_write().await.unwrap();
    let page = store.api_keys(Slice { count: 1, offset: 0 }).await.unwrap();
    assert!(page.items[0].last_used_at.is_some());
}
