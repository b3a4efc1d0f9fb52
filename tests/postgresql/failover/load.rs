//! Repeated PostgreSQL failovers under load: every response equals that of SQL on the new primary, and no process needs
//! a restart. Two failovers here, many more in the torture trials.

use std::collections::BTreeSet;
use std::ops::RangeInclusive;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::{Duration, Instant};

use leadscribe_test_postgres::sql;
use rand::rngs::StdRng;
use rand::{RngExt, SeedableRng};
use reqwest::Method;
use serde_json::{Value, json};
use tokio::sync::RwLock;
use tokio::task::block_in_place;
use tokio::time::sleep;

use super::client::{FailoverClient, SearchResult};
use super::pair::ReplicationPair;
use super::{wait_until_indexed, wait_until_ready};
use crate::harness::{Installation, SpeechServer, assert_one_transcript_each, submission_body};

/// Text of each recording.
const TRANSCRIPT_TEXT: &str = "said once";

/// Clients that write leads, half of them through each process.
const WRITER_COUNT: u64 = 4;
/// Clients that submit calls, all through the first process.
const SENDER_COUNT: u64 = 2;
/// Calls of one sender per failover: more than it can submit.
const CALLS_PER_SENDER: u64 = 10;

/// Pause of a client after a 503.
const RETRY_DELAY: Duration = Duration::from_millis(20);
/// Pause of a client between two submissions.
const SUBMISSION_INTERVAL: Duration = Duration::from_millis(200);

/// Maximum milliseconds of load before a failover.
const MAX_LOAD_MS: u64 = 800;
/// Maximum milliseconds of writes that aren't replicated.
const MAX_LAG_MS: u64 = 300;
/// Maximum milliseconds without a primary.
const MAX_DOWNTIME_MS: u64 = 300;

/// Results of the run.
#[derive(Debug, Default)]
pub struct FailoverStats {
    /// Leads with an acknowledged creation.
    pub created_leads: usize,
    /// Acknowledged leads that the failovers lost.
    pub lost_leads: usize,
    /// Searches whose result was compared with a preceding write or with SQL.
    pub compared_searches: u64,
    /// Longest time from a promotion until both processes were ready.
    pub max_recovery_time: Duration,
}

/// State shared by the clients.
#[derive(Default)]
struct LoadState {
    /// Incremented before and after each failover. While it is even, a primary exists and nothing is lost.
    failover_counter: AtomicU64,
    finished: AtomicBool,
    compared_searches: AtomicU64,
    /// Writers hold it shared, so that results can be compared while nothing is written.
    write_lock: RwLock<()>,
}

impl LoadState {
    fn failover_counter(&self) -> u64 {
        self.failover_counter.load(Ordering::SeqCst)
    }

    fn is_finished(&self) -> bool {
        self.finished.load(Ordering::SeqCst)
    }

    /// Checks which leads both processes find in `city`, unless a failover intervenes.
    async fn assert_found(&self, clients: &[FailoverClient; 2], failovers_before: u64, city: &str, expected: &[i64]) {
        for client in clients {
            let Some(found) = client.search(&json!({ "city": city })).await else { continue };
            if failovers_before.is_multiple_of(2) && self.failover_counter() == failovers_before {
                assert_eq!(found, (expected.len() as u64, expected.to_vec()), "{city}");
                self.compared_searches.fetch_add(1, Ordering::SeqCst);
            }
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn responses_match_sql_after_two_failovers() {
    run_failovers(2, 1).await;
}

/// Runs `failover_count` failovers under load, and checks each response.
pub async fn run_failovers(failover_count: usize, seed: u64) -> FailoverStats {
    let mut pair = ReplicationPair::start();
    let mut installation = Installation::with_database_url(&pair.url());
    installation.set("LEADSCRIBE_METRICS_PUBLIC", "true");
    // A short lease: a job whose claim outlived its worker's connection is soon claimed again.
    installation.set("LEADSCRIBE_LEASE_SECONDS", "2");
    let calls = CALLS_PER_SENDER * failover_count as u64;
    installation.import_calls(SENDER_COUNT * calls);
    let (key, token) = (installation.create_api_key(), installation.create_speech_token());
    let apis = [installation.start_api().await, installation.start_api().await];
    let speech = SpeechServer::start(TRANSCRIPT_TEXT, Duration::from_millis(5)).await;
    let _worker = installation.start_worker(&speech);
    installation.set("LEADSCRIBE_LEAD_INDEX", "off");
    let sql_process = installation.start_api().await;
    wait_until_indexed(&apis).await;
    pair.wait_until_in_sync().await;

    let load = Arc::<LoadState>::default();
    let clients = apis.each_ref().map(|api| FailoverClient::new(api, &key));
    let sql_client = FailoverClient::new(&sql_process, &key);
    let writers: Vec<_> =
        (0..WRITER_COUNT).map(|index| tokio::spawn(write_leads(load.clone(), clients.clone(), index))).collect();
    let calls_of = |index: u64| 1 + index * calls..=(index + 1) * calls;
    let senders: Vec<_> = (0..SENDER_COUNT)
        .map(|index| tokio::spawn(submit_calls(load.clone(), clients[0].clone(), token.clone(), calls_of(index))))
        .collect();

    let mut random = StdRng::seed_from_u64(seed);
    let mut max_recovery_time = Duration::ZERO;
    for _ in 0..failover_count {
        sleep(Duration::from_millis(random.random_range(0..MAX_LOAD_MS))).await;
        pair.wait_until_in_sync().await;
        // Most standbys lack some transactions; some lack none.
        if random.random_bool(0.8) {
            pair.stop_replication();
            sleep(Duration::from_millis(random.random_range(0..MAX_LAG_MS))).await;
        }
        load.failover_counter.fetch_add(1, Ordering::SeqCst);
        pair.crash();
        sleep(Duration::from_millis(random.random_range(0..MAX_DOWNTIME_MS))).await;
        pair.promote();
        load.failover_counter.fetch_add(1, Ordering::SeqCst);
        let promoted_at = Instant::now();
        // Compare immediately, before the lead index is ready, and again afterwards.
        compare_with_sql(&load, &pair, &clients, &sql_client).await;
        wait_until_ready(&apis).await;
        max_recovery_time = max_recovery_time.max(promoted_at.elapsed());
        wait_until_indexed(&apis).await;
        compare_with_sql(&load, &pair, &clients, &sql_client).await;
        pair = pair.recreate_standby();
    }
    load.finished.store(true, Ordering::SeqCst);

    let mut created = Vec::new();
    for writer in writers {
        created.extend(writer.await.unwrap());
    }
    for sender in senders {
        sender.await.unwrap();
    }
    assert_one_transcript_each(&apis[0].client().with_key(&key), &[], TRANSCRIPT_TEXT).await;
    let stored = block_in_place(|| sql(&pair.primary.url(), "SELECT id, city FROM leads").unwrap());
    let stored: BTreeSet<_> = stored.lines().collect();
    let lost = created.iter().filter(|(id, city)| !stored.contains(format!("{id}|{city}").as_str())).count();
    FailoverStats {
        created_leads: created.len(),
        lost_leads: lost,
        compared_searches: load.compared_searches.load(Ordering::SeqCst),
        max_recovery_time,
    }
}

/// Creates leads and changes each. Both processes must find each change immediately. Returns the leads as acknowledged.
async fn write_leads(load: Arc<LoadState>, clients: [FailoverClient; 2], writer_number: u64) -> Vec<(i64, String)> {
    let writer = &clients[(writer_number % 2) as usize];
    let mut created = Vec::new();
    for serial in 0.. {
        if load.is_finished() {
            break;
        }
        let _write_guard = load.write_lock.read().await;
        let failovers_before = load.failover_counter();
        let (city, new_city) =
            (format!("writer {writer_number}, lead {serial}"), format!("writer {writer_number}, moved {serial}"));
        let Some(id) = writer.create_lead(&city).await else {
            sleep(RETRY_DELAY).await;
            continue;
        };
        load.assert_found(&clients, failovers_before, &city, &[id]).await;
        let change = json!({ "city": new_city });
        match writer.send(Method::PATCH, &format!("/api/leads/{id}"), &change).await {
            Some((200, _)) => {}
            None => continue,
            // The lead was lost in a failover that was in progress, or that has begun since.
            Some((404, _)) if !failovers_before.is_multiple_of(2) || load.failover_counter() != failovers_before => {
                continue;
            }
            Some((status, response)) => panic!("{status}: {response}"),
        }
        load.assert_found(&clients, failovers_before, &new_city, &[id]).await;
        load.assert_found(&clients, failovers_before, &city, &[]).await;
        created.push((id, new_city));
    }
    created
}

/// Submits calls one by one, each under its own key.
async fn submit_calls(load: Arc<LoadState>, client: FailoverClient, token: String, calls: RangeInclusive<u64>) {
    for call in calls {
        let body: Value = serde_json::from_str(&submission_body(&token, &[call])).unwrap();
        let key = format!("call-{call}");
        loop {
            match client.post_with_key("/api/speech-recognition", &body, &key).await {
                Some((200, _)) => break,
                None | Some((409, _)) => sleep(RETRY_DELAY).await,
                Some((status, response)) => panic!("{status}: {response}"),
            }
        }
        if load.is_finished() {
            return;
        }
        sleep(SUBMISSION_INTERVAL).await;
    }
}

/// Compares both processes with SQL while nothing is written.
async fn compare_with_sql(
    load: &LoadState,
    pair: &ReplicationPair,
    clients: &[FailoverClient; 2],
    sql_client: &FailoverClient,
) {
    let _exclusive = load.write_lock.write().await;
    let total = block_in_place(|| sql(&pair.primary.url(), "SELECT count(*) FROM leads").unwrap());
    assert_eq!(search_until_answered(sql_client, &json!({ "id": { "gte": 0 } })).await.0.to_string(), total);
    for filter in [
        json!({ "limit": "500;0" }),
        json!({ "city": { "contains": "moved" } }),
        json!({ "city": { "contains": "writer 1," }, "_order": ["-updated_at", "id"] }),
        json!({ "id": { "gte": 40 }, "_order": ["city", "id"], "limit": "20;10" }),
    ] {
        let expected = search_until_answered(sql_client, &filter).await;
        for client in clients {
            assert_eq!(search_until_answered(client, &filter).await, expected, "{filter}");
            load.compared_searches.fetch_add(1, Ordering::SeqCst);
        }
    }
}

/// Retries a search until it is answered, and returns the result.
async fn search_until_answered(client: &FailoverClient, filter: &Value) -> SearchResult {
    loop {
        if let Some(found) = client.search(filter).await {
            return found;
        }
        sleep(RETRY_DELAY).await;
    }
}
