//! Tests of the disk space that deliveries use.

use std::sync::Arc;

use leadscribe_engine::callback::Template;
use leadscribe_engine::diagnostic::Place;

use super::{now, open, origin, pragma};
use crate::storage::conformance::Tested;
use crate::storage::conformance::deliveries::{requested, target};
use crate::storage::sql::Database;
use crate::storage::sqlite::SqliteStore;
use crate::storage::{DeliveryStore, Slice, Target, TranscriptQuery};

/// Size of the database in bytes.
async fn bytes(store: &SqliteStore) -> i64 {
    let size = store.database().read(|session| Ok(pragma(session, "page_count")? * pragma(session, "page_size")?));
    size.await.unwrap()
}

#[tokio::test]
async fn template_of_a_request_is_stored_once() {
    const MOST: i64 = 64 * 1024;
    let (store, _folder) = open();
    let store = Arc::new(store);
    let tested: Tested = store.clone();
    let (token, _) = requested(&tested, 60).await;
    let template = Template::parse(&format!("[{:?}]", "a".repeat(16_000)), Place::default()).unwrap();
    let target = Target { template, url: format!("https://example.com/{}", "b".repeat(1_900)), ..target() };
    let slice = Slice { count: 100, offset: 0 };
    let ask = async |query: TranscriptQuery| {
        store.create_speech_request(token, &query, slice, &target, 1_000, &origin()).await.unwrap().call_ids.len()
    };
    let before = bytes(&store).await;
    assert_eq!(ask(TranscriptQuery::default()).await, 60);
    assert!(bytes(&store).await - before < MOST);

    // Requests without matches need no space.
    let before = bytes(&store).await;
    for _ in 0..60 {
        assert_eq!(
            ask(TranscriptQuery { from: Some(now()), till: Some(now()), ..TranscriptQuery::default() }).await,
            0
        );
    }
    assert!(bytes(&store).await - before < MOST);
}

#[tokio::test]
async fn endpoints_are_purged_with_their_last_delivery() {
    let (store, _folder) = open();
    let store = Arc::new(store);
    let tested: Tested = store.clone();
    requested(&tested, 2).await;
    let endpoints = async || {
        let count = "SELECT count(*) FROM callback_endpoints";
        store.database().read(|session| session.value::<i64>(count, &[])).await.unwrap()
    };
    let end = async || {
        let end = "UPDATE deliveries SET state = 'failed', finished_at = 1 WHERE id = (SELECT max(id) FROM deliveries)";
        store.database().write(|session| session.execute(end, &[])).await.unwrap();
        store.purge_deliveries(now()).await.unwrap()
    };
    assert_eq!((end().await, endpoints().await), (1, 1));
    assert_eq!((end().await, endpoints().await), (1, 0));
}
