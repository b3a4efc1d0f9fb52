//! The PostgreSQL server crashes under load and comes back: what was answered is there, and the processes go on by
//! themselves.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::Duration;

use leadscribe_test_postgres::{Cluster, Options, Shutdown, bin_dir};
use reqwest::{Method, StatusCode};
use serde_json::{Value, json};
use tokio::task::spawn_blocking;
use tokio::time::sleep;

use crate::harness::{
    Client, Installation, Program, SpeechServer, body, eventually, expect_one_transcript_each, submission, verdict,
};

const CRASHES: usize = 3;
/// How long the load goes on before each crash, and after the last.
const BETWEEN: Duration = Duration::from_millis(1_500);
/// How long the server is away once it was noticed.
const AWAY: Duration = Duration::from_millis(1_000);

/// Clients of each kind; they take turns with the processes.
const CLIENTS: u64 = 3;
/// Calls of one client, and its pause between them: more than it can send in the time, and no more than a worker manages.
const CALLS: u64 = 200;
const PAUSE: Duration = Duration::from_millis(100);

/// What the clients saw.
#[derive(Default)]
struct Seen {
    /// Requests that were carried out, by process.
    done: [AtomicU64; 2],
    /// Answers that the store can't be used now.
    unavailable: AtomicU64,
    /// The load ends.
    over: AtomicBool,
}

/// A client that asks again after a 503, as clients are told to.
#[derive(Clone)]
struct Patient {
    http: reqwest::Client,
    base: String,
    process: usize,
    key: String,
    seen: Arc<Seen>,
}

impl Patient {
    /// Sends a request until it is carried out; none when the load ends before. `idempotency_key` has a meaning for
    /// submissions alone.
    async fn send(&self, method: Method, path: &str, body: &str, idempotency_key: &str) -> Option<Value> {
        while !self.seen.over.load(Ordering::SeqCst) {
            let request = self.http.request(method.clone(), format!("{}{path}", self.base)).bearer_auth(&self.key);
            let request = request.header("idempotency-key", idempotency_key).header("content-type", "application/json");
            let answer = request.body(body.to_owned()).send().await;
            let answer = answer.expect("the process answers, whatever becomes of its database");
            let (status, retry_after) = (answer.status(), answer.headers().contains_key("retry-after"));
            let answer: Value = answer.json().await.unwrap();
            if status.is_success() {
                self.seen.done[self.process].fetch_add(1, Ordering::SeqCst);
                return Some(answer);
            }
            assert_eq!((status, retry_after), (StatusCode::SERVICE_UNAVAILABLE, true), "{method} {path}: {answer}");
            self.seen.unavailable.fetch_add(1, Ordering::SeqCst);
            // Sooner than it is told to, for the test's sake.
            sleep(Duration::from_millis(50)).await;
        }
        None
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn nothing_that_was_answered_is_lost_when_the_server_crashes() {
    let durable = Options { durable: true, ..Options::default() };
    let programs = bin_dir().expect("a PostgreSQL server; `cargo xtask test system` brings it");
    let cluster = Arc::new(spawn_blocking(move || Cluster::start(&programs, &durable).unwrap()).await.unwrap());
    let installation = Installation::on(&cluster.url());
    installation.import_calls(CLIENTS * CALLS);
    let (key, token) = (installation.key(), installation.token());
    let apis = [installation.api().await, installation.api().await];
    let speech = SpeechServer::saying("nothing is lost", Duration::from_millis(5)).await;
    let _worker = installation.worker(&speech);

    let seen = Arc::new(Seen::default());
    let client = |number: u64| {
        let process = (number % 2) as usize;
        let http = reqwest::Client::builder().no_proxy().build().unwrap();
        Patient { http, base: apis[process].base.clone(), process, key: key.clone(), seen: seen.clone() }
    };
    let senders: Vec<_> =
        (0..CLIENTS).map(|number| tokio::spawn(send_calls(client(number), token.clone(), number))).collect();
    let writers: Vec<_> = (0..CLIENTS).map(|number| tokio::spawn(write_leads(client(number), number))).collect();

    for _ in 0..CRASHES {
        sleep(BETWEEN).await;
        crash(&cluster, &seen, &apis).await;
    }
    sleep(BETWEEN).await;
    seen.over.store(true, Ordering::SeqCst);

    let client = apis[0].client().with_key(&key);
    for writer in writers {
        for written in writer.await.unwrap() {
            written.expect_kept(&client).await;
        }
    }
    let mut accepted = Vec::new();
    for sender in senders {
        accepted.extend(sender.await.unwrap());
    }
    let completed = expect_one_transcript_each(&client, &accepted, "nothing is lost").await;
    // The last one of each client may have been accepted although its answer was lost.
    let accepted = accepted.len() as u64;
    assert!((accepted..=accepted + CLIENTS).contains(&completed), "{accepted} were accepted, {completed} completed");
}

/// Lets the server crash, and start again once that was noticed. The processes must go on by themselves.
async fn crash(cluster: &Arc<Cluster>, seen: &Seen, apis: &[Program; 2]) {
    let ready = async |status| {
        let ask = async |api: &Program| reqwest::get(format!("{}/readyz", api.base)).await.unwrap().status();
        ask(&apis[0]).await == status && ask(&apis[1]).await == status
    };
    let unavailable = seen.unavailable.load(Ordering::SeqCst);
    let crashing = cluster.clone();
    spawn_blocking(move || crashing.stop(Shutdown::Immediate).unwrap()).await.unwrap();
    eventually("the load notices", async || seen.unavailable.load(Ordering::SeqCst) > unavailable).await;
    eventually("neither is ready", async || ready(StatusCode::SERVICE_UNAVAILABLE).await).await;
    sleep(AWAY).await;

    let before = seen.done.each_ref().map(|done| done.load(Ordering::SeqCst));
    let starting = cluster.clone();
    spawn_blocking(move || starting.start_again().unwrap()).await.unwrap();
    eventually("both are ready", async || ready(StatusCode::OK).await).await;
    let goes_on = |process: usize| seen.done[process].load(Ordering::SeqCst) > before[process];
    eventually("the load goes on", async || goes_on(0) && goes_on(1)).await;
}

/// Sends calls one by one; gives those that were accepted.
async fn send_calls(client: Patient, token: String, number: u64) -> Vec<u64> {
    let mut accepted = Vec::new();
    for call in 1 + number * CALLS..=(number + 1) * CALLS {
        let (body, key) = (submission(&token, &[call]), format!("call-{call}"));
        let Some(answer) = client.send(Method::POST, "/api/speech-recognition", &body, &key).await else { break };
        // Also where it was carried out the first time, and the answer was lost: it is replayed under its key.
        assert_eq!(verdict(&answer, call), "accepted", "{answer}");
        accepted.push(call);
        sleep(PAUSE).await;
    }
    accepted
}

/// What a lead must hold.
#[derive(Debug)]
struct Written {
    id: i64,
    identifier: String,
    /// The last value whose change was answered.
    acknowledged: u64,
    /// The last value that was sent: it may be kept although its answer was lost.
    sent: u64,
}

impl Written {
    async fn expect_kept(&self, client: &Client) {
        let lead = client.get(&format!("/api/leads/{}", self.id)).await.expect(200);
        assert_eq!(lead["original_identifier"], self.identifier);
        let kept: u64 = lead["zip"].as_str().unwrap().parse().unwrap();
        assert!((self.acknowledged..=self.sent).contains(&kept), "{kept} of {self:?}");
    }
}

/// Makes leads and changes each a few times.
async fn write_leads(client: Patient, number: u64) -> Vec<Written> {
    let mut all = Vec::new();
    for serial in 0.. {
        let identifier = format!("writer {number}, lead {serial}");
        let new = body(json!({ "original_identifier": identifier, "zip": "0" }));
        let Some(lead) = client.send(Method::POST, "/api/leads", &new, &identifier).await else { break };
        let mut written = Written { id: lead["id"].as_i64().unwrap(), identifier, acknowledged: 0, sent: 0 };
        let path = format!("/api/leads/{}", written.id);
        for zip in 1..=5 {
            written.sent = zip;
            let change = body(json!({ "zip": zip.to_string() }));
            if client.send(Method::PATCH, &path, &change, &path).await.is_some() {
                written.acknowledged = zip;
            }
        }
        all.push(written);
    }
    all
}
