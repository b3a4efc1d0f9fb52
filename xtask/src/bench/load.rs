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
    /// Median and 99th percentile of the response time, in milliseconds.
    pub p50: f64,
    /// See `p50`.
    pub p99: f64,
    /// Responses per second over all clients.
    pub per_second: f64,
    /// Mean length of a body.
    pub bytes: f64,
}

impl Sample {
    /// Computes a sample from the response times in milliseconds.
    fn of(mut took: Vec<f64>, per_second: f64, bytes: usize) -> Self {
        took.sort_unstable_by(f64::total_cmp);
        let at = |part: f64| took[((took.len() - 1) as f64 * part) as usize];
        Self { p50: at(0.5), p99: at(0.99), per_second, bytes: bytes as f64 / took.len() as f64 }
    }
}

/// Sends `requests` in turn over `clients` connections for `length`, with a thread each. Some responses per client are
/// discarded first as a warm-up. Takes at most about twice `length`.
pub fn run(address: SocketAddr, requests: &[Vec<u8>], clients: usize, length: Duration) -> Result<Sample> {
    let ready = Barrier::new(clients);
    // A single client warms up for all, so that many clients don't need much time before the measurement.
    let warm_up = if clients == 1 { requests.len() } else { 2 };
    let one = |number: usize| -> Result<(Vec<f64>, usize, f64)> {
        let warmed = Connection::open(address).and_then(|mut connection| {
            let begin = Instant::now();
            let mut queries = requests.iter().take(warm_up).take_while(|_| begin.elapsed() < length);
            queries.try_for_each(|request| connection.ask(request).map(drop))
        });
        // Every thread must reach the barrier, otherwise the others would wait for ever.
        ready.wait();
        warmed?;
        // A new connection, because some servers close idle ones while slower clients warm up.
        let mut connection = Connection::open(address)?;
        let (mut took, mut bytes, begin) = (Vec::new(), 0, Instant::now());
        // Each client starts at another query, so that they don't send the same query at the same time.
        for request in requests.iter().cycle().skip(number * 7 % requests.len()) {
            let asked = Instant::now();
            if asked >= begin + length && !took.is_empty() {
                break;
            }
            bytes += connection.ask(request)?;
            took.push(asked.elapsed().as_secs_f64() * 1_000.0);
        }
        Ok((took, bytes, begin.elapsed().as_secs_f64()))
    };
    let all = thread::scope(|scope| {
        let threads: Vec<_> = (0..clients).map(|number| scope.spawn(move || one(number))).collect();
        let join = |thread: thread::ScopedJoinHandle<'_, _>| thread.join().expect("a client doesn't panic");
        threads.into_iter().map(join).collect::<Result<Vec<_>>>()
    })?;
    let per_second = all.iter().map(|(took, _, seconds)| took.len() as f64 / seconds).sum();
    let bytes = all.iter().map(|(_, bytes, _)| bytes).sum();
    Ok(Sample::of(all.into_iter().flat_map(|(took, ..)| took).collect(), per_second, bytes))
}
