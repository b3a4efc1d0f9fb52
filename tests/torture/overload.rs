//! Overload by a factor of five: throughput stays near its peak, excess requests are rejected immediately, and memory
//! stays bounded.

use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use futures::future::join_all;

use super::load::{LONG_PAGE, LeadSearch, Outcome, percentile};
use crate::harness::{Installation, ServerProcess};

/// Numbers of clients with sequential requests, from light load to saturation.
const CLIENT_COUNTS: [usize; 6] = [1, 2, 4, 8, 16, 64];
/// Duration of the measurement with each number of clients.
const STEP_DURATION: Duration = Duration::from_secs(5);
const OVERLOAD_DURATION: Duration = Duration::from_secs(20);
const OVERLOAD_FACTOR: f64 = 5.0;
/// Connections of the overload, fewer than the server accepts.
const CONNECTIONS: usize = 800;
/// Connections of the overload with long pages. Their responses exceed the response budget.
const LONG_PAGE_CONNECTIONS: usize = 3_000;
/// Minimum throughput under overload, as a fraction of the peak.
const MIN_GOODPUT: f64 = 0.9;
/// Bound of the 99th percentile of rejections.
const MAX_REJECTION_TIME: Duration = Duration::from_millis(10);
/// Additional memory in bytes during the overload: responses being sent (128 MB), one page per running request (256
/// MB), and the connections.
const MAX_ADDED_MEMORY_BYTES: u64 = 512 * 1024 * 1024;

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
#[ignore = "takes minutes; run with `cargo xtask torture`"]
async fn fivefold_overload_keeps_peak_throughput() {
    let installation = Installation::embedded();
    let (program, search) = LeadSearch::start(&installation).await;
    let outcomes = [
        measure_overload(&program, "pages of 200 leads", &search, CONNECTIONS).await,
        measure_overload(&program, "pages of 1,000 leads", &search.with_page(LONG_PAGE), LONG_PAGE_CONNECTIONS).await,
        measure_overload(&program, "full scans of all leads", &search.full_scan(), CONNECTIONS).await,
    ];
    for OverloadResult { goodput, rejection_p99, added_memory } in outcomes {
        assert!(goodput >= MIN_GOODPUT, "goodput {goodput}");
        assert!(rejection_p99 <= MAX_REJECTION_TIME, "rejected within {rejection_p99:?}");
        assert!(added_memory <= MAX_ADDED_MEMORY_BYTES, "memory grew by {added_memory} bytes");
    }
}

struct OverloadResult {
    /// Throughput as a fraction of the peak.
    goodput: f64,
    /// 99th percentile of the time to a rejection.
    rejection_p99: Duration,
    /// Additional memory in bytes.
    added_memory: u64,
}

async fn measure_overload(
    program: &ServerProcess,
    description: &str,
    search: &LeadSearch,
    connections: usize,
) -> OverloadResult {
    let mut peak = 0.0_f64;
    for clients in CLIENT_COUNTS {
        let outcomes = send_searches(search, clients, STEP_DURATION, None).await;
        assert!(outcomes.iter().all(|outcome| outcome.status == 200), "{clients} clients must not overload the server");
        peak = peak.max(per_second(outcomes.len(), STEP_DURATION));
    }
    let memory_before = program.peak_memory();

    let interval = Duration::from_secs_f64(connections as f64 / (OVERLOAD_FACTOR * peak));
    let outcomes = send_searches(search, connections, OVERLOAD_DURATION, Some(interval)).await;
    let (mut success_times, mut rejection_times) = (Vec::new(), Vec::new());
    for outcome in &outcomes {
        match outcome.status {
            200 => success_times.push(outcome.elapsed),
            503 if outcome.has_retry_after => rejection_times.push(outcome.elapsed),
            other => panic!("expected 200, or 503 with Retry-After, found {other}"),
        }
    }
    let goodput = per_second(success_times.len(), OVERLOAD_DURATION);
    let added_memory = program.peak_memory() - memory_before;
    let mut rejection_percentile =
        |fraction| if rejection_times.is_empty() { Duration::ZERO } else { percentile(&mut rejection_times, fraction) };
    let (rejection_median, rejection_p99) = (rejection_percentile(0.5), rejection_percentile(0.99));
    println!(
        "measured: {description}: peak {peak:.0} responses/s; at {:.1} times that rate: {goodput:.0} responses/s ({:.0} %), median {:.0?}, p99 {:.0?}; \
         {} rejected, median {rejection_median:.1?}, p99 {rejection_p99:.1?}; {} MB more memory",
        per_second(outcomes.len(), OVERLOAD_DURATION) / peak,
        100.0 * goodput / peak,
        percentile(&mut success_times, 0.5),
        percentile(&mut success_times, 0.99),
        rejection_times.len(),
        added_memory / 1_000_000,
    );
    OverloadResult { goodput: goodput / peak, rejection_p99, added_memory }
}

/// Sends requests over `connections` connections for `duration`: on each, sequentially and at most one per `interval`.
async fn send_searches(
    search: &LeadSearch,
    connections: usize,
    duration: Duration,
    interval: Option<Duration>,
) -> Vec<Outcome> {
    let outcomes = Arc::new(Mutex::new(Vec::new()));
    let started = Instant::now();
    let clients = (0..connections).map(|number| {
        let (search, outcomes) = (search.clone(), outcomes.clone());
        tokio::spawn(async move {
            let mut connection = search.connect().await.unwrap();
            // Staggers the connections.
            let mut due = started + interval.unwrap_or_default().mul_f64(number as f64 / connections as f64);
            while started.elapsed() < duration {
                if let Some(interval) = interval {
                    tokio::time::sleep_until(due.into()).await;
                    due = (due + interval).max(Instant::now());
                }
                let outcome = connection.send().await.unwrap();
                if started.elapsed() < duration {
                    outcomes.lock().unwrap().push(outcome);
                }
            }
        })
    });
    for client in join_all(clients).await {
        client.unwrap();
    }
    std::mem::take(&mut *outcomes.lock().unwrap())
}

fn per_second(count: usize, duration: Duration) -> f64 {
    count as f64 / duration.as_secs_f64()
}
