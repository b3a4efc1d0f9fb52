//! A closed loop: each client asks the next query as soon as it has its answer.

use std::net::SocketAddr;
use std::sync::Barrier;
use std::thread;
use std::time::{Duration, Instant};

use anyhow::Result;

use super::http::Connection;

/// What a step measured.
#[derive(Clone, Copy)]
pub struct Sample {
    /// Median and 99th percentile of the time to an answer, in milliseconds.
    pub p50: f64,
    /// See `p50`.
    pub p99: f64,
    /// Answers per second of all clients.
    pub per_second: f64,
    /// Mean length of a body.
    pub bytes: f64,
}

impl Sample {
    /// Of the milliseconds that each answer took.
    fn of(mut took: Vec<f64>, per_second: f64, bytes: usize) -> Self {
        took.sort_unstable_by(f64::total_cmp);
        let at = |part: f64| took[((took.len() - 1) as f64 * part) as usize];
        Self { p50: at(0.5), p99: at(0.99), per_second, bytes: bytes as f64 / took.len() as f64 }
    }
}

/// Asks `requests` in turn from `clients` connections for `length`, on a thread each, after every client has had some
/// answers that don't count. Takes at most about twice `length`.
pub fn run(address: SocketAddr, requests: &[Vec<u8>], clients: usize, length: Duration) -> Result<Sample> {
    let ready = Barrier::new(clients);
    // One client warms up for all, so that many don't take long before anything is measured.
    let warm_up = if clients == 1 { requests.len() } else { 2 };
    let one = |number: usize| -> Result<(Vec<f64>, usize, f64)> {
        let warmed = Connection::open(address).and_then(|mut connection| {
            let begin = Instant::now();
            let mut queries = requests.iter().take(warm_up).take_while(|_| begin.elapsed() < length);
            queries.try_for_each(|request| connection.ask(request).map(drop))
        });
        // All must get here, or the others would wait for ever.
        ready.wait();
        warmed?;
        // Another one: some servers close those that were idle while slower clients warmed up.
        let mut connection = Connection::open(address)?;
        let (mut took, mut bytes, begin) = (Vec::new(), 0, Instant::now());
        // From different places, so that the clients don't ask the same at the same time.
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
