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

use super::asker::{Asker, Found};
use super::pair::Pair;
use super::{indexed, ready};
use crate::harness::{Installation, SpeechServer, expect_one_transcript_each, submission};

/// Text of each recording.
const SAID: &str = "said once";

/// Clients that write leads, and clients that submit calls. They are spread over the processes.
const WRITERS: u64 = 4;
const SENDERS: u64 = 2;
/// Calls of one sender per failover: more than it can submit.
const CALLS: u64 = 10;

/// Pause of a client after a 503, and between two calls.
const PAUSE: Duration = Duration::from_millis(20);
const BETWEEN_CALLS: Duration = Duration::from_millis(200);

/// Maximum milliseconds of load before a failover, of unreplicated writes, and without a primary.
const LOAD: u64 = 800;
const LAG: u64 = 300;
const AWAY: u64 = 300;

/// Results of the run.
#[derive(Debug, Default)]
pub struct Failovers {
    /// Leads with an acknowledged creation.
    pub made: usize,
    /// Acknowledged leads that the failovers lost.
    pub lost: usize,
    /// Searches that found a write just made, or were compared with SQL.
    pub compared: u64,
    /// Longest time from a promotion until both processes were ready.
    pub healed: Duration,
}

/// State shared by the clients.
#[derive(Default)]
struct Load {
    /// Incremented before and after each failover. While it is even, a primary exists and nothing is lost.
    failovers: AtomicU64,
    over: AtomicBool,
    compared: AtomicU64,
    /// Writers hold it shared, so that results can be compared while nothing is written.
    writing: RwLock<()>,
}

impl Load {
    fn failovers(&self) -> u64 {
        self.failovers.load(Ordering::SeqCst)
    }

    fn is_over(&self) -> bool {
        self.over.load(Ordering::SeqCst)
    }

    /// Checks which leads both processes find in `city`, unless a failover intervenes.
    async fn expect(&self, askers: &[Asker; 2], begun_at: u64, city: &str, expected: &[i64]) {
        for asker in askers {
            let Some(found) = asker.look_up(&json!({ "city": city })).await else { continue };
            if begun_at.is_multiple_of(2) && self.failovers() == begun_at {
                assert_eq!(found, (expected.len() as u64, expected.to_vec()), "{city}");
                self.compared.fetch_add(1, Ordering::SeqCst);
            }
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn responses_match_sql_after_two_failovers() {
    fail_over(2, 1).await;
}

/// Runs `times` failovers under load, and checks each response.
pub async fn fail_over(times: usize, seed: u64) -> Failovers {
    let mut pair = Pair::start();
    let mut installation = Installation::on(&pair.url());
    installation.set("LEADSCRIBE_METRICS_PUBLIC", "true");
    // A short lease: a job whose claim outlived its worker's connection is soon claimed again.
    installation.set("LEADSCRIBE_LEASE_SECONDS", "2");
    let calls = CALLS * times as u64;
    installation.import_calls(SENDERS * calls);
    let (key, token) = (installation.key(), installation.token());
    let apis = [installation.api().await, installation.api().await];
    let speech = SpeechServer::saying(SAID, Duration::from_millis(5)).await;
    let _worker = installation.worker(&speech);
    installation.set("LEADSCRIBE_LEAD_INDEX", "off");
    let in_sql = installation.api().await;
    indexed(&apis).await;
    pair.in_step().await;

    let load = Arc::<Load>::default();
    let askers = apis.each_ref().map(|api| Asker::new(api, &key));
    let sql_only = Asker::new(&in_sql, &key);
    let writers: Vec<_> =
        (0..WRITERS).map(|number| tokio::spawn(write(load.clone(), askers.clone(), number))).collect();
    let own = |number: u64| 1 + number * calls..=(number + 1) * calls;
    let senders: Vec<_> = (0..SENDERS)
        .map(|number| tokio::spawn(send(load.clone(), askers[0].clone(), token.clone(), own(number))))
        .collect();

    let mut random = StdRng::seed_from_u64(seed);
    let mut healed = Duration::ZERO;
    for _ in 0..times {
        sleep(Duration::from_millis(random.random_range(0..LOAD))).await;
        pair.in_step().await;
        // Most standbys lack some transactions; some lack none.
        if random.random_bool(0.8) {
            pair.cut_off();
            sleep(Duration::from_millis(random.random_range(0..LAG))).await;
        }
        load.failovers.fetch_add(1, Ordering::SeqCst);
        pair.crash();
        sleep(Duration::from_millis(random.random_range(0..AWAY))).await;
        pair.promote();
        load.failovers.fetch_add(1, Ordering::SeqCst);
        let promoted = Instant::now();
        // Compare immediately, before the lead index is ready, and again afterwards.
        compare(&load, &pair, &askers, &sql_only).await;
        ready(&apis).await;
        healed = healed.max(promoted.elapsed());
        indexed(&apis).await;
        compare(&load, &pair, &askers, &sql_only).await;
        pair = pair.replace();
    }
    load.over.store(true, Ordering::SeqCst);

    let mut made = Vec::new();
    for writer in writers {
        made.extend(writer.await.unwrap());
    }
    for sender in senders {
        sender.await.unwrap();
    }
    expect_one_transcript_each(&apis[0].client().with_key(&key), &[], SAID).await;
    let kept = block_in_place(|| sql(&pair.primary.url(), "SELECT id, city FROM leads").unwrap());
    let kept: BTreeSet<_> = kept.lines().collect();
    let lost = made.iter().filter(|(id, city)| !kept.contains(format!("{id}|{city}").as_str())).count();
    Failovers { made: made.len(), lost, compared: load.compared.load(Ordering::SeqCst), healed }
}

/// Creates leads and changes each. Both processes must find each change immediately. Returns the leads as acknowledged.
async fn write(load: Arc<Load>, askers: [Asker; 2], number: u64) -> Vec<(i64, String)> {
    let writer = &askers[(number % 2) as usize];
    let mut made = Vec::new();
    for serial in 0.. {
        if load.is_over() {
            break;
        }
        let _writing = load.writing.read().await;
        let begun_at = load.failovers();
        let (city, moved) = (format!("writer {number}, lead {serial}"), format!("writer {number}, moved {serial}"));
        let Some(id) = writer.make_lead(&city).await else {
            sleep(PAUSE).await;
            continue;
        };
        load.expect(&askers, begun_at, &city, &[id]).await;
        let change = json!({ "city": moved });
        match writer.send(Method::PATCH, &format!("/api/leads/{id}"), &change, "change").await {
            Some((200, _)) => {}
            None => continue,
            // The failover lost it.
            Some((404, _)) if load.failovers() != begun_at => continue,
            Some((status, answer)) => panic!("{status}: {answer}"),
        }
        load.expect(&askers, begun_at, &moved, &[id]).await;
        load.expect(&askers, begun_at, &city, &[]).await;
        made.push((id, moved));
    }
    made
}

/// Submits calls one by one, each under its own key.
async fn send(load: Arc<Load>, asker: Asker, token: String, calls: RangeInclusive<u64>) {
    for call in calls {
        let body: Value = serde_json::from_str(&submission(&token, &[call])).unwrap();
        let key = format!("call-{call}");
        loop {
            match asker.send(Method::POST, "/api/speech-recognition", &body, &key).await {
                Some((200, _)) => break,
                None | Some((409, _)) => sleep(PAUSE).await,
                Some((status, answer)) => panic!("{status}: {answer}"),
            }
        }
        if load.is_over() {
            return;
        }
        sleep(BETWEEN_CALLS).await;
    }
}

/// Compares both processes with SQL while nothing is written.
async fn compare(load: &Load, pair: &Pair, askers: &[Asker; 2], sql_only: &Asker) {
    let _alone = load.writing.write().await;
    let total = block_in_place(|| sql(&pair.primary.url(), "SELECT count(*) FROM leads").unwrap());
    assert_eq!(certainly(sql_only, &json!({ "id": { "gte": 0 } })).await.0.to_string(), total);
    for filter in [
        json!({ "limit": "500;0" }),
        json!({ "city": { "contains": "moved" } }),
        json!({ "city": { "contains": "writer 1," }, "_order": ["-updated_at", "id"] }),
        json!({ "id": { "gte": 40 }, "_order": ["city", "id"], "limit": "20;10" }),
    ] {
        let expected = certainly(sql_only, &filter).await;
        for asker in askers {
            assert_eq!(certainly(asker, &filter).await, expected, "{filter}");
            load.compared.fetch_add(1, Ordering::SeqCst);
        }
    }
}

/// Retries a search until it is answered, and returns the result.
async fn certainly(asker: &Asker, filter: &Value) -> Found {
    loop {
        if let Some(found) = asker.look_up(filter).await {
            return found;
        }
        sleep(PAUSE).await;
    }
}
