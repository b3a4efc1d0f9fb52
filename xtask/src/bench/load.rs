//! Closed-loop load: each client sends its next query directly after the response.

use std::net::SocketAddr;
use std::sync::Barrier;
use std::thread;
use std::time::{Duration, Instant};

use anyhow::Result;

use super::http::Connection;

/// Result of a step.
#[derive(Clone, Copy)]
pub struct Sample {
    /// Median of the response time, in milliseconds.
    pub p50: f64,
    /// 99th percentile of the response time, in milliseconds.
    pub p99: f64,
    /// Responses per second over all clients.
    pub per_second: f64,
    /// Mean length of a body.
    pub bytes: f64,
}

impl Sample {
    /// Computes a sample from the response times in milliseconds.
    fn from_times(mut times: Vec<f64>, per_second: f64, bytes: usize) -> Self {
        times.sort_unstable_by(f64::total_cmp);
        let percentile = |fraction: f64| times[((times.len() - 1) as f64 * fraction) as usize];
        Self { p50: percentile(0.5), p99: percentile(0.99), per_second, bytes: bytes as f64 / times.len() as f64 }
    }
}

/// Sends `requests` in turn over `clients` connections for `duration`, with a thread each. Some responses per client
/// are discarded first as a warm-up. Takes at most about twice `duration`.
pub fn run(address: SocketAddr, requests: &[Vec<u8>], clients: usize, duration: Duration) -> Result<Sample> {
    let ready = Barrier::new(clients);
    // A single client warms up for all, so that many clients don't need much time before the measurement.
    let warm_up_requests = if clients == 1 { requests.len() } else { 2 };
    let run_client = |number: usize| -> Result<(Vec<f64>, usize, f64)> {
        let warm_up_result = Connection::open(address).and_then(|mut connection| {
            let started = Instant::now();
            let mut queries = requests.iter().take(warm_up_requests).take_while(|_| started.elapsed() < duration);
            queries.try_for_each(|request| connection.send(request).map(drop))
        });
        // Every thread must reach the barrier, otherwise the others would wait forever.
        ready.wait();
        warm_up_result?;
        // A new connection, because some servers close idle ones while slower clients warm up.
        let mut connection = Connection::open(address)?;
        let (mut times, mut bytes, started) = (Vec::new(), 0, Instant::now());
        // Each client starts at another query, so that they don't send the same query at the same time.
        for request in requests.iter().cycle().skip(number * 7 % requests.len()) {
            let sent_at = Instant::now();
            if sent_at >= started + duration && !times.is_empty() {
                break;
            }
            bytes += connection.send(request)?;
            times.push(sent_at.elapsed().as_secs_f64() * 1_000.0);
        }
        Ok((times, bytes, started.elapsed().as_secs_f64()))
    };
    let client_results = thread::scope(|scope| {
        let threads: Vec<_> = (0..clients).map(|number| scope.spawn(move || run_client(number))).collect();
        let join = |thread: thread::ScopedJoinHandle<'_, _>| thread.join().expect("a client doesn't panic");
        threads.into_iter().map(join).collect::<Result<Vec<_>>>()
    })?;
    let per_second = client_results.iter().map(|(times, _, seconds)| times.len() as f64 / seconds).sum();
    let bytes = client_results.iter().map(|(_, bytes, _)| bytes).sum();
    Ok(Sample::from_times(client_results.into_iter().flat_map(|(times, ..)| times).collect(), per_second, bytes))
}
