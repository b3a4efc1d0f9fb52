//! PostgreSQL is stopped or crashes under load and returns: acknowledged data is kept, and the processes recover by
//! themselves. Three outages here, many more in the torture trials.

use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

use leadscribe_test_postgres::{Cluster, Options, Shutdown, bin_dir};
use reqwest::StatusCode;
use tokio::task::spawn_blocking;
use tokio::time::sleep;

use crate::harness::{
    Installation, LoadStats, RetryingClient, ServerProcess, SpeechServer, assert_one_transcript_each, eventually,
    search_leads, submit_calls, write_leads,
};

/// Duration of the load before each outage, and after the last one.
const LOAD_DURATION: Duration = Duration::from_millis(1_500);
/// Duration of an outage after its detection.
const OUTAGE_DURATION: Duration = Duration::from_millis(1_000);

/// Clients of each kind. They are spread over the processes.
const CLIENTS_PER_KIND: u64 = 3;
/// Calls of one client per outage: more than it can submit.
const CALLS_PER_CLIENT: u64 = 20;

/// Results of the run.
#[derive(Debug)]
pub struct OutageStats {
    /// Accepted calls, each with exactly one result.
    pub accepted_calls: u64,
    /// Requests that were answered with 503.
    pub unavailable_responses: u64,
    /// Recovery time of both processes after each outage.
    pub recovery_times: Vec<Duration>,
}

#[tokio::test(flavor = "multi_thread")]
async fn postgresql_crash_loses_no_acknowledged_data() {
    run_outages(&[Shutdown::Immediate; 3]).await;
}

/// Runs these outages under load, and checks that no acknowledged data is lost.
pub async fn run_outages(outages: &[Shutdown]) -> OutageStats {
    let options = Options { durable: true, ..Options::default() };
    let programs = bin_dir().expect("PostgreSQL is missing; run `cargo xtask test system`");
    let cluster = Arc::new(spawn_blocking(move || Cluster::start(&programs, &options).unwrap()).await.unwrap());
    let installation = Installation::with_database_url(&cluster.url());
    let calls = CALLS_PER_CLIENT * outages.len() as u64;
    installation.import_calls(CLIENTS_PER_KIND * calls);
    let (key, token) = (installation.create_api_key(), installation.create_speech_token());
    let apis = [installation.start_api().await, installation.start_api().await];
    let speech = SpeechServer::start("nothing is lost", Duration::from_millis(5)).await;
    let _worker = installation.start_worker(&speech);

    let stats = Arc::new(LoadStats::default());
    let new_client = |index: u64| {
        let process_index = (index % 2) as usize;
        let http = reqwest::Client::builder().no_proxy().build().unwrap();
        RetryingClient {
            http,
            base: apis[process_index].base_url.clone(),
            process_index,
            key: key.clone(),
            stats: stats.clone(),
        }
    };
    let calls_of = |index: u64| 1 + index * calls..=(index + 1) * calls;
    let senders: Vec<_> = (0..CLIENTS_PER_KIND)
        .map(|index| tokio::spawn(submit_calls(new_client(index), token.clone(), calls_of(index))))
        .collect();
    let writers: Vec<_> =
        (0..CLIENTS_PER_KIND).map(|index| tokio::spawn(write_leads(new_client(index), index))).collect();
    let readers: Vec<_> = (0..CLIENTS_PER_KIND).map(|index| tokio::spawn(search_leads(new_client(index)))).collect();

    let mut recovery_times = Vec::new();
    for shutdown in outages {
        sleep(LOAD_DURATION).await;
        recovery_times.push(simulate_outage(&cluster, *shutdown, &stats, &apis).await);
    }
    sleep(LOAD_DURATION).await;
    stats.is_finished.store(true, Ordering::SeqCst);

    let client = apis[0].client().with_key(&key);
    for reader in readers {
        reader.await.unwrap();
    }
    for writer in writers {
        for lead in writer.await.unwrap() {
            lead.assert_stored(&client).await;
        }
    }
    let mut accepted = Vec::new();
    for sender in senders {
        accepted.extend(sender.await.unwrap());
    }
    let completed = assert_one_transcript_each(&client, &accepted, "nothing is lost").await;
    // Each client's last call may be accepted although its response was lost.
    let accepted = accepted.len() as u64;
    assert!(
        (accepted..=accepted + CLIENTS_PER_KIND).contains(&completed),
        "{accepted} were accepted, {completed} completed"
    );
    OutageStats {
        accepted_calls: accepted,
        unavailable_responses: stats.unavailable_responses.load(Ordering::SeqCst),
        recovery_times,
    }
}

/// Stops the server and starts it again after the outage was detected. Returns the time that the processes need to
/// recover.
async fn simulate_outage(
    cluster: &Arc<Cluster>,
    shutdown: Shutdown,
    stats: &LoadStats,
    apis: &[ServerProcess; 2],
) -> Duration {
    let have_readiness_status = async |status| {
        let readiness_status =
            async |api: &ServerProcess| reqwest::get(format!("{}/readyz", api.base_url)).await.unwrap().status();
        readiness_status(&apis[0]).await == status && readiness_status(&apis[1]).await == status
    };
    let unavailable_before = stats.unavailable_responses.load(Ordering::SeqCst);
    let stopping_cluster = cluster.clone();
    spawn_blocking(move || stopping_cluster.stop(shutdown).unwrap()).await.unwrap();
    eventually("requests fail", async || stats.unavailable_responses.load(Ordering::SeqCst) > unavailable_before).await;
    eventually("neither process is ready", async || have_readiness_status(StatusCode::SERVICE_UNAVAILABLE).await).await;
    sleep(OUTAGE_DURATION).await;

    let writes_before = stats.successful_writes.each_ref().map(|count| count.load(Ordering::SeqCst));
    let starting_cluster = cluster.clone();
    spawn_blocking(move || starting_cluster.start_stopped().unwrap()).await.unwrap();
    let restarted_at = Instant::now();
    eventually("both processes are ready", async || have_readiness_status(StatusCode::OK).await).await;
    let has_progressed = |process_index: usize| {
        stats.successful_writes[process_index].load(Ordering::SeqCst) > writes_before[process_index]
    };
    eventually("writes succeed in both processes", async || has_progressed(0) && has_progressed(1)).await;
    restarted_at.elapsed()
}
