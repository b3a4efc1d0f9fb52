//! PostgreSQL is stopped or crashes under load and returns: acknowledged data are kept, and the processes recover by
//! themselves. Three outages here, many more in the torture trials.

use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

use leadscribe_test_postgres::{Cluster, Options, Shutdown, bin_dir};
use reqwest::StatusCode;
use tokio::task::spawn_blocking;
use tokio::time::sleep;

use crate::harness::{
    Installation, Patient, Program, Seen, SpeechServer, eventually, expect_one_transcript_each, look_up, send_calls,
    write_leads,
};

/// Duration of the load before each outage, and after the last one.
const BETWEEN: Duration = Duration::from_millis(1_500);
/// Duration of an outage after its detection.
const AWAY: Duration = Duration::from_millis(1_000);

/// Clients of each kind. They are spread over the processes.
const CLIENTS: u64 = 3;
/// Calls of one client per outage: more than it can submit.
const CALLS: u64 = 20;

/// Results of the run.
#[derive(Debug)]
pub struct Outages {
    /// Accepted calls, each with exactly one result.
    pub accepted: u64,
    /// Requests that were answered with 503.
    pub unavailable: u64,
    /// Recovery time of both processes after each outage.
    pub healed: Vec<Duration>,
}

#[tokio::test(flavor = "multi_thread")]
async fn postgresql_crash_loses_no_acknowledged_data() {
    go_through(&[Shutdown::Immediate; 3]).await;
}

/// Runs these outages under load, and checks that no acknowledged data are lost.
pub async fn go_through(outages: &[Shutdown]) -> Outages {
    let durable = Options { durable: true, ..Options::default() };
    let programs = bin_dir().expect("a PostgreSQL server; `cargo xtask test system` brings it");
    let cluster = Arc::new(spawn_blocking(move || Cluster::start(&programs, &durable).unwrap()).await.unwrap());
    let installation = Installation::on(&cluster.url());
    let calls = CALLS * outages.len() as u64;
    installation.import_calls(CLIENTS * calls);
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
    let own = |number: u64| 1 + number * calls..=(number + 1) * calls;
    let senders: Vec<_> =
        (0..CLIENTS).map(|number| tokio::spawn(send_calls(client(number), token.clone(), own(number)))).collect();
    let writers: Vec<_> = (0..CLIENTS).map(|number| tokio::spawn(write_leads(client(number), number))).collect();
    let readers: Vec<_> = (0..CLIENTS).map(|number| tokio::spawn(look_up(client(number)))).collect();

    let mut healed = Vec::new();
    for how in outages {
        sleep(BETWEEN).await;
        healed.push(go_away(&cluster, *how, &seen, &apis).await);
    }
    sleep(BETWEEN).await;
    seen.over.store(true, Ordering::SeqCst);

    let client = apis[0].client().with_key(&key);
    for reader in readers {
        reader.await.unwrap();
    }
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
    // Each client's last call may be accepted although its response was lost.
    let accepted = accepted.len() as u64;
    assert!((accepted..=accepted + CLIENTS).contains(&completed), "{accepted} were accepted, {completed} completed");
    Outages { accepted, unavailable: seen.unavailable.load(Ordering::SeqCst), healed }
}

/// Stops the server and starts it again after the outage was detected. Returns the time that the processes need to
/// recover.
async fn go_away(cluster: &Arc<Cluster>, how: Shutdown, seen: &Seen, apis: &[Program; 2]) -> Duration {
    let ready = async |status| {
        let ask = async |api: &Program| reqwest::get(format!("{}/readyz", api.base)).await.unwrap().status();
        ask(&apis[0]).await == status && ask(&apis[1]).await == status
    };
    let unavailable = seen.unavailable.load(Ordering::SeqCst);
    let stopping = cluster.clone();
    spawn_blocking(move || stopping.stop(how).unwrap()).await.unwrap();
    eventually("the load notices", async || seen.unavailable.load(Ordering::SeqCst) > unavailable).await;
    eventually("neither is ready", async || ready(StatusCode::SERVICE_UNAVAILABLE).await).await;
    sleep(AWAY).await;

    let before = seen.done.each_ref().map(|done| done.load(Ordering::SeqCst));
    let starting = cluster.clone();
    spawn_blocking(move || starting.start_again().unwrap()).await.unwrap();
    let back = Instant::now();
    eventually("both are ready", async || ready(StatusCode::OK).await).await;
    let goes_on = |process: usize| seen.done[process].load(Ordering::SeqCst) > before[process];
    eventually("the load goes on", async || goes_on(0) && goes_on(1)).await;
    back.elapsed()
}
