//! Overload by a factor of five: throughput stays near its peak, excess requests are rejected immediately, and memory stays
//! bounded.

use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use futures::future::join_all;

use super::load::{Answered, LONG_PAGE, Lookup, percentile};
use crate::harness::{Installation, Program};

/// Numbers of clients with sequential requests, from light load to saturation.
const CLIENTS: [usize; 6] = [1, 2, 4, 8, 16, 64];
/// Duration of each step, and of the overload.
const STEP: Duration = Duration::from_secs(5);
const OVERLOAD: Duration = Duration::from_secs(20);
/// Factor of the overload.
const TIMES: f64 = 5.0;
/// Connections of the overload, fewer than the server accepts. With long pages, their responses exceed the response
/// budget.
const CONNECTIONS: usize = 800;
const MORE_CONNECTIONS: usize = 3_000;
/// Minimum throughput under overload, as a fraction of the peak.
const GOODPUT: f64 = 0.9;
/// Bound of the 99th percentile of rejections.
const REFUSED_WITHIN: Duration = Duration::from_millis(10);
/// Additional memory in bytes during the overload: responses being sent (128 MB), one page per running request (256
/// MB), and the connections.
const MEMORY: u64 = 512 * 1024 * 1024;

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
#[ignore = "minutes: run it by `cargo xtask torture`"]
async fn fivefold_overload_keeps_peak_throughput() {
    let installation = Installation::embedded();
    let (program, lookup) = Lookup::on(&installation).await;
    let outcomes = [
        overload(&program, "pages of 200 leads", &lookup, CONNECTIONS).await,
        overload(&program, "pages of 1,000 leads", &lookup.of(LONG_PAGE), MORE_CONNECTIONS).await,
        overload(&program, "through all leads", &lookup.through_all(), CONNECTIONS).await,
    ];
    for Outcome { goodput, refused_within, memory } in outcomes {
        assert!(goodput >= GOODPUT, "goodput {goodput}");
        assert!(refused_within <= REFUSED_WITHIN, "refused within {refused_within:?}");
        assert!(memory <= MEMORY, "{memory} bytes more");
    }
}

/// Result of an overload.
struct Outcome {
    /// Throughput as a fraction of the peak.
    goodput: f64,
    /// 99th percentile of the time to a rejection.
    refused_within: Duration,
    /// Additional memory in bytes.
    memory: u64,
}

async fn overload(program: &Program, what: &str, lookup: &Lookup, connections: usize) -> Outcome {
    let mut peak = 0.0_f64;
    for clients in CLIENTS {
        let answers = ask(lookup, clients, STEP, None).await;
        assert!(answers.iter().all(|answer| answer.status == 200), "{clients} clients are no overload");
        peak = peak.max(per_second(answers.len(), STEP));
    }
    let memory = program.peak_memory();

    let pace = Duration::from_secs_f64(connections as f64 / (TIMES * peak));
    let answers = ask(lookup, connections, OVERLOAD, Some(pace)).await;
    let (mut good, mut refused) = (Vec::new(), Vec::new());
    for answer in &answers {
        match answer.status {
            200 => good.push(answer.took),
            503 if answer.says_when => refused.push(answer.took),
            other => panic!("expected 200, or 503 with Retry-After, found {other}"),
        }
    }
    let goodput = per_second(good.len(), OVERLOAD);
    let memory = program.peak_memory() - memory;
    let mut within = |part| if refused.is_empty() { Duration::ZERO } else { percentile(&mut refused, part) };
    let (refused_usually, refused_within) = (within(0.5), within(0.99));
    println!(
        "measured: {what}: peak {peak:.0} answers/s; asked {:.1} times as often: {goodput:.0} answers/s ({:.0} %), median {:.0?}, p99 {:.0?}; \
         {} refused, median {refused_usually:.1?}, p99 {refused_within:.1?}; {} MB of memory more",
        per_second(answers.len(), OVERLOAD) / peak,
        100.0 * goodput / peak,
        percentile(&mut good, 0.5),
        percentile(&mut good, 0.99),
        refused.len(),
        memory / 1_000_000,
    );
    Outcome { goodput: goodput / peak, refused_within, memory }
}

/// Sends requests over `connections` connections for `length`: on each, sequentially and at most one per `pace`.
async fn ask(lookup: &Lookup, connections: usize, length: Duration, pace: Option<Duration>) -> Vec<Answered> {
    let answers = Arc::new(Mutex::new(Vec::new()));
    let begin = Instant::now();
    let clients = (0..connections).map(|number| {
        let (lookup, answers) = (lookup.clone(), answers.clone());
        tokio::spawn(async move {
            let mut asking = lookup.connect().await.unwrap();
            // Staggers the connections.
            let mut due = begin + pace.unwrap_or_default().mul_f64(number as f64 / connections as f64);
            while begin.elapsed() < length {
                if let Some(pace) = pace {
                    tokio::time::sleep_until(due.into()).await;
                    due = (due + pace).max(Instant::now());
                }
                let answer = asking.ask().await.unwrap();
                if begin.elapsed() < length {
                    answers.lock().unwrap().push(answer);
                }
            }
        })
    });
    for client in join_all(clients).await {
        client.unwrap();
    }
    std::mem::take(&mut *answers.lock().unwrap())
}

fn per_second(count: usize, length: Duration) -> f64 {
    count as f64 / length.as_secs_f64()
}
