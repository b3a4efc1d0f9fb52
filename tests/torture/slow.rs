//! Slow clients: two thousand clients that send or read as slowly as possible barely affect others. The senders are
//! `slowhttptest`; the readers request long pages with a key.

use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use tokio::task::JoinSet;

use super::load::{LONG_PAGE, LeadSearch, percentile};
use crate::harness::Installation;

/// Modes of slowhttptest with their targets. Bodies go to an operation that needs no credentials.
const SLOW_MODES: [(&str, &str, &str); 2] = [("-H", "heads", "/api/openapi.json"), ("-B", "bodies", "/api/session")];
const SLOW_CLIENTS: usize = 2_000;
/// Number of sequential requests of other clients, each over a new connection.
const REQUEST_COUNT: usize = 1_000;
/// Bound of the 99th percentile, as a multiple of the value without slow clients.
const MAX_SLOWDOWN: f64 = 2.0;
/// Time for the slow clients to connect.
const CONNECT_TIME: Duration = Duration::from_secs(5);

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
#[ignore = "takes minutes; run with `cargo xtask torture`"]
async fn two_thousand_slow_clients_do_not_delay_others() {
    let installation = Installation::embedded();
    let (program, search) = LeadSearch::start(&installation).await;
    let _warm_up = p99(&search).await;
    let baseline = p99(&search).await;
    println!("measured: p99 {baseline:.1?} without slow clients");
    for (flag, description, path) in SLOW_MODES {
        let slow_clients = SlowClients::start(flag, &format!("{}{path}", program.base_url));
        tokio::time::sleep(CONNECT_TIME).await;
        let with_slow_clients = p99(&search).await;
        drop(slow_clients);
        check_slowdown(description, baseline, with_slow_clients);
    }
    let readers: JoinSet<_> = (0..SLOW_CLIENTS).map(|_| search.with_page(LONG_PAGE).read_slowly()).collect();
    tokio::time::sleep(CONNECT_TIME).await;
    let with_slow_clients = p99(&search).await;
    drop(readers);
    check_slowdown("reads", baseline, with_slow_clients);
}

fn check_slowdown(description: &str, baseline: Duration, with_slow_clients: Duration) {
    let slowdown = with_slow_clients.as_secs_f64() / baseline.as_secs_f64();
    println!(
        "measured: p99 {with_slow_clients:.1?} during slow {description} of {SLOW_CLIENTS} clients, {slowdown:.1} times the baseline"
    );
    assert!(slowdown <= MAX_SLOWDOWN, "slow {description}");
}

/// Returns the 99th percentile of searches, from connecting to the last byte.
async fn p99(search: &LeadSearch) -> Duration {
    let mut times = Vec::new();
    for _ in 0..REQUEST_COUNT {
        let started = Instant::now();
        let response = search.connect().await.unwrap().send().await.unwrap();
        assert_eq!(response.status, 200);
        times.push(started.elapsed());
    }
    percentile(&mut times, 0.99)
}

/// Slow clients. Killed when dropped.
struct SlowClients(Child);

impl SlowClients {
    fn start(flag: &str, url: &str) -> Self {
        let program = std::env::var("LEADSCRIBE_SLOWHTTPTEST").unwrap_or("slowhttptest".to_owned());
        let process = Command::new(program)
            // 1,000 new clients a second. Each sends a few bytes every 2 s for at most 2 minutes.
            .args([flag, "-c", "2000", "-r", "1000", "-i", "2", "-l", "120"])
            .args(["-u", url])
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .expect("slowhttptest is missing; run `cargo xtask torture`");
        Self(process)
    }
}

impl Drop for SlowClients {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}
