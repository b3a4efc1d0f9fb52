//! Denial-of-service attacks: clients overload the server in several ways. Log-ins, lead searches and health checks of
//! other clients stay fast, and memory and disk usage stay bounded.
//!
//! The limits on log-in attempts are lifted, so that they don't stop an attack early.

mod kinds;
mod site;

use std::time::{Duration, Instant};

use reqwest::StatusCode;
use tokio::task::JoinSet;
use tokio::time::sleep;

use super::load::percentile;
use super::probe::Request;
use site::Site;

/// Duration of the measurement of each attack, after the ramp-up.
const LENGTH: Duration = Duration::from_secs(15);
/// Ramp-up time of an attack.
const ARRIVAL: Duration = Duration::from_secs(2);
/// Bounds of the 99th percentile of log-ins and health checks.
const LOG_IN_WITHIN: Duration = Duration::from_secs(1);
const HEALTH_WITHIN: Duration = Duration::from_secs(1);
/// Additional memory in bytes that an attack may use. Most of it is kept by the allocator for threads that read and
/// wrote thousands of leads (docs/RELIABILITY.md).
const MEMORY: u64 = 768 * 1024 * 1024;
/// Bytes that an attack may add to the data folder if it isn't meant to store anything: twice a token's storage
/// allowance, because SQLite's log holds the data a second time until its next checkpoint.
const DISK: u64 = 192 * 1024 * 1024;
/// Attempts per measurement: other programs on the machine may delay a response too.
const TRIES: usize = 3;
/// Pause of each bystander between a response and the next request.
const PAUSE: Duration = Duration::from_millis(20);

/// Kind of attack.
struct Attack {
    name: &'static str,
    /// Starts the attack's clients, which run until they are aborted.
    start: fn(&Site) -> JoinSet<()>,
    /// True if the attack stores much data, such as the rows of an import.
    is_storing: bool,
}

/// Response times of the bystanders.
#[derive(Debug)]
struct Measurement {
    log_in: Duration,
    look_up: Duration,
    health: Duration,
    /// Searches that were rejected with 503.
    refused: usize,
    memory: u64,
    disk: u64,
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
#[ignore = "minutes: run it by `cargo xtask torture`"]
async fn attacks_do_not_slow_down_other_clients() {
    let site = Site::start().await;
    let quiet = beside(&site, &|_| JoinSet::new()).await;
    tell("without an attack", &quiet);
    let mut faults = Vec::new();
    for attack in kinds::ALL {
        let mut measured = beside(&site, &attack.start).await;
        for _ in 1..TRIES {
            if measured.log_in > LOG_IN_WITHIN || measured.health > HEALTH_WITHIN {
                measured = beside(&site, &attack.start).await;
            }
        }
        tell(attack.name, &measured);
        let is_bounded = measured.memory <= MEMORY && (attack.is_storing || measured.disk <= DISK);
        if measured.log_in > LOG_IN_WITHIN || measured.health > HEALTH_WITHIN || !is_bounded {
            faults.push((attack.name, measured));
        }
        site.expect_healthy().await;
    }
    assert!(faults.is_empty(), "{faults:#?}");
}

fn tell(name: &str, measured: &Measurement) {
    let Measurement { log_in, look_up, health, refused, memory, disk } = measured;
    println!(
        "measured: {name}: p99 of log-ins {log_in:.0?}, look-ups {look_up:.1?} ({refused} refused), health {health:.1?}; \
         {} MB of memory and {} MB of disk more",
        memory / 1_000_000,
        disk / 1_000_000
    );
}

/// Measures the bystanders during an attack, which ends before this returns.
async fn beside(site: &Site, start: &dyn Fn(&Site) -> JoinSet<()>) -> Measurement {
    let disk = site.disk();
    site.program.reset_peak_memory();
    let memory = site.program.peak_memory();
    let mut attack = start(site);
    sleep(ARRIVAL).await;
    let (mut log_in, mut look_up, mut health) =
        tokio::join!(times(site.log_in()), times(site.look_up()), times(site.health()));
    // An attack client ends if it finds an error.
    if let Some(Err(error)) = attack.try_join_next() {
        std::panic::resume_unwind(error.into_panic());
    }
    attack.shutdown().await;
    let refused = look_up.refused;
    Measurement {
        log_in: percentile(&mut log_in.answered, 0.99),
        look_up: percentile(&mut look_up.answered, 0.99),
        health: percentile(&mut health.answered, 0.99),
        refused,
        memory: site.program.peak_memory().saturating_sub(memory),
        disk: site.disk().saturating_sub(disk),
    }
}

/// Responses to one bystander.
#[derive(Default)]
struct Times {
    answered: Vec<Duration>,
    refused: usize,
}

/// Repeats a request sequentially over a kept-alive connection.
async fn times(request: Request) -> Times {
    let (begun, mut times) = (Instant::now(), Times::default());
    while begun.elapsed() < LENGTH {
        let answer = request.clone().send().await;
        match answer.status {
            StatusCode::OK => times.answered.push(answer.took),
            _ => {
                answer.expect_retry_after();
                times.refused += 1;
            }
        }
        sleep(PAUSE).await;
    }
    times
}
