//! Tests of commits that the server carries out but whose responses are lost.

use std::io::{Read, Write};
use std::net::{Shutdown, SocketAddr, TcpListener, TcpStream};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;

use chrono::TimeDelta;
use leadscribe_engine::api::{DeliveryAttempt, DeliveryState, Timestamp};
use url::Url;

use super::CONNECTIONS;
use crate::storage::conformance::{Tested, deliveries};
use crate::storage::postgres::PostgresStore;
use crate::storage::postgres::testing::Fresh;
use crate::storage::{AfterAttempt, ByClaim, StoreError};

/// Statement and response of a commit, as sent.
const COMMIT: &[u8] = b"COMMIT\0";

/// Proxy to a database that can drop the response to a commit.
struct Line {
    url: String,
    loses: Arc<AtomicBool>,
}

impl Line {
    fn to(database: &str) -> Self {
        let mut url: Url = database.parse().unwrap();
        let server = SocketAddr::new("127.0.0.1".parse().unwrap(), url.port().unwrap());
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        url.set_port(Some(listener.local_addr().unwrap().port())).unwrap();
        url.set_query(Some("sslmode=disable"));
        let loses = Arc::new(AtomicBool::new(false));
        let for_all = Arc::clone(&loses);
        thread::spawn(move || {
            for client in listener.incoming() {
                connect(client.unwrap(), TcpStream::connect(server).unwrap(), &for_all);
            }
        });
        Self { url: url.into(), loses }
    }

    /// Drops the response to the next commit, and its connection.
    fn lose_next_answer(&self) {
        self.loses.store(true, Ordering::SeqCst);
    }
}

/// Forwards data in both directions.
fn connect(client: TcpStream, server: TcpStream, loses: &Arc<AtomicBool>) {
    let lost = Arc::new(AtomicBool::new(false));
    let (from, to) = (client.try_clone().unwrap(), server.try_clone().unwrap());
    let (loses, begun) = (Arc::clone(loses), Arc::clone(&lost));
    thread::spawn(move || {
        pass_on(from, to, |sent| {
            if holds(sent, COMMIT) && loses.swap(false, Ordering::SeqCst) {
                begun.store(true, Ordering::SeqCst);
            }
            true
        });
    });
    // The response arrives only after the server has committed.
    thread::spawn(move || pass_on(server, client, |sent| !(lost.load(Ordering::SeqCst) && holds(sent, COMMIT))));
}

/// Forwards bytes until one side closes or forwarding is no longer allowed.
fn pass_on(mut from: TcpStream, mut to: TcpStream, may_pass: impl Fn(&[u8]) -> bool) {
    let mut bytes = vec![0; 64 * 1024];
    while let Ok(count @ 1..) = from.read(&mut bytes) {
        if !may_pass(&bytes[..count]) || to.write_all(&bytes[..count]).is_err() {
            break;
        }
    }
    // They may already be closed.
    let _ = (from.shutdown(Shutdown::Both), to.shutdown(Shutdown::Both));
}

fn holds(bytes: &[u8], part: &[u8]) -> bool {
    bytes.windows(part.len()).any(|window| window == part)
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn lost_commit_answer_is_reported_as_unknown() {
    let fresh = Fresh::create();
    let line = Line::to(&fresh.url());
    let store: Tested = Arc::new(PostgresStore::open(&line.url, None, CONNECTIONS).unwrap());
    deliveries::requested(&store, 1).await;
    let noon: Timestamp = "2026-05-04T12:00:00Z".parse().unwrap();
    let claim = store.claim_delivery(TimeDelta::minutes(1), noon).await.unwrap().unwrap().claim;
    let attempt = DeliveryAttempt { number: 0, at: noon, duration_ms: 1, status: Some(204), error: None };
    let finish = async || store.finish_attempt(claim, &attempt, AfterAttempt::Delivered, noon).await;

    line.lose_next_answer();
    let lost = finish().await;
    assert!(matches!(lost, Err(StoreError::CommitUnknown(_))), "{lost:?}");
    let written = store.delivery(claim.id).await.unwrap().unwrap();
    assert_eq!((written.delivery.state, written.attempts.len()), (DeliveryState::Delivered, 1));
    assert_eq!(finish().await.unwrap(), ByClaim::Lost);
}
