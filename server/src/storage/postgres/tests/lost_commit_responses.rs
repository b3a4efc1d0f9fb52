//! Tests of commits that the server carries out but whose responses are lost.

use std::io::{Read, Write};
use std::net::{Shutdown, SocketAddr, TcpListener, TcpStream};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;

use chrono::TimeDelta;
use leadscribe_engine::api::{DeliveryAttempt, DeliveryState, Timestamp};
use url::Url;

use super::CONNECTION_COUNT;
use crate::storage::conformance::{TestStore, deliveries};
use crate::storage::postgres::PostgresStore;
use crate::storage::postgres::testing::TestDatabase;
use crate::storage::{AttemptResult, FencedWrite, StoreError};

/// Statement and response of a commit, as sent.
const COMMIT: &[u8] = b"COMMIT\0";

/// Proxy to a database that can drop the response to a commit.
struct CommitDroppingProxy {
    url: String,
    drops_next_response: Arc<AtomicBool>,
}

impl CommitDroppingProxy {
    fn start(database: &str) -> Self {
        let mut url: Url = database.parse().unwrap();
        let server = SocketAddr::new("127.0.0.1".parse().unwrap(), url.port().unwrap());
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        url.set_port(Some(listener.local_addr().unwrap().port())).unwrap();
        url.set_query(Some("sslmode=disable"));
        let drops_next_response = Arc::new(AtomicBool::new(false));
        let shared_flag = Arc::clone(&drops_next_response);
        thread::spawn(move || {
            for client in listener.incoming() {
                connect(client.unwrap(), TcpStream::connect(server).unwrap(), &shared_flag);
            }
        });
        Self { url: url.into(), drops_next_response }
    }

    /// Drops the response to the next commit, and its connection.
    fn drop_next_response(&self) {
        self.drops_next_response.store(true, Ordering::SeqCst);
    }
}

/// Forwards data in both directions.
fn connect(client: TcpStream, server: TcpStream, drops_next_response: &Arc<AtomicBool>) {
    let is_response_dropped = Arc::new(AtomicBool::new(false));
    let (from, to) = (client.try_clone().unwrap(), server.try_clone().unwrap());
    let (drops_next_response, is_dropping) = (Arc::clone(drops_next_response), Arc::clone(&is_response_dropped));
    thread::spawn(move || {
        forward(from, to, |bytes| {
            if contains(bytes, COMMIT) && drops_next_response.swap(false, Ordering::SeqCst) {
                is_dropping.store(true, Ordering::SeqCst);
            }
            true
        });
    });
    // The response arrives only after the server has committed.
    thread::spawn(move || {
        forward(server, client, |bytes| !(is_response_dropped.load(Ordering::SeqCst) && contains(bytes, COMMIT)))
    });
}

/// Forwards bytes until one side closes or forwarding is no longer allowed.
fn forward(mut from: TcpStream, mut to: TcpStream, should_forward: impl Fn(&[u8]) -> bool) {
    let mut bytes = vec![0; 64 * 1024];
    while let Ok(count @ 1..) = from.read(&mut bytes) {
        if !should_forward(&bytes[..count]) || to.write_all(&bytes[..count]).is_err() {
            break;
        }
    }
    // They may already be closed.
    let _ = (from.shutdown(Shutdown::Both), to.shutdown(Shutdown::Both));
}

fn contains(bytes: &[u8], needle: &[u8]) -> bool {
    bytes.windows(needle.len()).any(|window| window == needle)
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn lost_commit_response_is_reported_as_unknown() {
    let test_database = TestDatabase::with_schema();
    let proxy = CommitDroppingProxy::start(&test_database.url());
    let store: TestStore = Arc::new(PostgresStore::open(&proxy.url, None, CONNECTION_COUNT).unwrap());
    deliveries::set_up_request(&store, 1).await;
    let noon: Timestamp = "2026-05-04T12:00:00Z".parse().unwrap();
    let claim = store.claim_delivery(TimeDelta::minutes(1), noon).await.unwrap().unwrap().claim;
    let attempt = DeliveryAttempt { number: 0, started_at: noon, duration_ms: 1, status: Some(204), error: None };
    let finish = async || store.finish_attempt(claim, &attempt, AttemptResult::Delivered, noon).await;

    proxy.drop_next_response();
    let result = finish().await;
    assert!(matches!(result, Err(StoreError::CommitUnknown(_))), "{result:?}");
    let detail = store.delivery(claim.id).await.unwrap().unwrap();
    assert_eq!((detail.delivery.state, detail.attempts.len()), (DeliveryState::Delivered, 1));
    assert_eq!(finish().await.unwrap(), FencedWrite::ClaimLost);
}
