//! Tests of the disk space that deliveries use.

use std::sync::Arc;

use leadscribe_engine::callback::{CallbackTarget, Template};
use leadscribe_engine::diagnostic::Location;

use super::{audit_context, new_sqlite_store, now, pragma};
use crate::storage::conformance::TestStore;
use crate::storage::conformance::deliveries::{set_up_request, target};
use crate::storage::conformance::webhooks::check_endpoint_purge_after_url_change;
use crate::storage::sql::Database;
use crate::storage::sqlite::SqliteStore;
use crate::storage::{DeliveryStore, Slice, TranscriptQuery};

/// Size of the database in bytes.
async fn database_bytes(store: &SqliteStore) -> i64 {
    let size = store.database().read(|session| Ok(pragma(session, "page_count")? * pragma(session, "page_size")?));
    size.await.unwrap()
}

#[tokio::test]
async fn template_of_a_request_is_stored_once() {
    const MAX_GROWTH_BYTES: i64 = 64 * 1024;
    let (store, _folder) = new_sqlite_store();
    let store = Arc::new(store);
    let tested: TestStore = store.clone();
    let (token, _) = set_up_request(&tested, 60).await;
    let template = Template::parse(&format!("[{:?}]", "a".repeat(16_000)), Location::default()).unwrap();
    let target = CallbackTarget { template, url: format!("https://example.com/{}", "b".repeat(1_900)), ..target() };
    let slice = Slice { count: 100, offset: 0 };
    let request = async |query: TranscriptQuery| {
        store
            .create_speech_request(token, &query, slice, &target, 1_000, &audit_context())
            .await
            .unwrap()
            .call_ids
            .len()
    };
    let before = database_bytes(&store).await;
    assert_eq!(request(TranscriptQuery::default()).await, 60);
    assert!(database_bytes(&store).await - before < MAX_GROWTH_BYTES);

    // Requests without matches need no space.
    let before = database_bytes(&store).await;
    for _ in 0..60 {
        assert_eq!(
            request(TranscriptQuery { from: Some(now()), till: Some(now()), ..TranscriptQuery::default() }).await,
            0
        );
    }
    assert!(database_bytes(&store).await - before < MAX_GROWTH_BYTES);
}

#[tokio::test]
async fn endpoints_are_purged_with_their_last_delivery() {
    let (store, _folder) = new_sqlite_store();
    let store = Arc::new(store);
    let tested: TestStore = store.clone();
    set_up_request(&tested, 2).await;
    let endpoints = async || {
        let count = "SELECT count(*) FROM callback_endpoints";
        store.database().read(|session| session.query_value::<i64>(count, &[])).await.unwrap()
    };
    let end_one = async || {
        let end_one =
            "UPDATE deliveries SET state = 'failed', finished_at = 1 WHERE id = (SELECT max(id) FROM deliveries)";
        store.database().write(|session| session.execute(end_one, &[])).await.unwrap();
        store.purge_deliveries(now()).await.unwrap()
    };
    assert_eq!((end_one().await, endpoints().await), (1, 1));
    assert_eq!((end_one().await, endpoints().await), (1, 0));
}

#[tokio::test]
async fn endpoints_are_purged_after_a_change_of_url() {
    let (store, _folder) = new_sqlite_store();
    check_endpoint_purge_after_url_change(store).await;
}
