//! Clients that ask for as much as they can, each in its own way: others log in, look leads up and ask whether the server is
//! healthy as before, and memory and disk stay bounded.
//!
//! The limits of log-in attempts are lifted, so that they don't end an attack before it has begun.

mod kinds;
mod site;

use std::time::{Duration, Instant};

use reqwest::StatusCode;
use tokio::task::JoinSet;
use tokio::time::sleep;

use super::load::percentile;
use super::probe::Request;
use site::Site;

/// Length of the measurement of each attack, once it is under way.
const LENGTH: Duration = Duration::from_secs(15);
/// Time for an attack to get under way.
const ARRIVAL: Duration = Duration::from_secs(2);
/// Bound of the 99th percentile of log-ins, and of answers about health.
const LOG_IN_WITHIN: Duration = Duration::from_secs(1);
const HEALTH_WITHIN: Duration = Duration::from_secs(1);
/// Memory that an attack may take beside what the server has without one, in bytes. Most is what the allocator keeps for the threads
/// that read and wrote thousands of leads (docs/RELIABILITY.md).
const MEMORY: u64 = 768 * 1024 * 1024;
/// Bytes that an attack may add to the data folder if it isn't asked to store anything: twice what a speech token may have stored
/// at once, since SQLite's log holds it a second time until its next checkpoint.
const DISK: u64 = 192 * 1024 * 1024;
/// Tries of a measurement: other programs of the machine may delay an answer too.
const TRIES: usize = 3;
/// Pause between two answers and requests of each bystander.
const PAUSE: Duration = Duration::from_millis(20);

/// One way to ask for too much.
struct Attack {
    name: &'static str,
    /// Function that starts its clients, which go on until they are aborted.
    start: fn(&Site) -> JoinSet<()>,
    /// True if it is asked to store much, such as the rows of an import.
    is_storing: bool,
}

/// Times of the bystanders.
#[derive(Debug)]
struct Measurement {
    log_in: Duration,
    look_up: Duration,
    health: Duration,
    /// Look-ups that were refused with 503.
    refused: usize,
    memory: u64,
    disk: u64,
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
#[ignore = "minutes: run it by `cargo xtask torture`"]
async fn attacks_leave_others_alone() {
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

/// Measures the bystanders beside an attack, which ends before this returns.
async fn beside(site: &Site, start: &dyn Fn(&Site) -> JoinSet<()>) -> Measurement {
    let disk = site.disk();
    site.program.reset_peak_memory();
    let memory = site.program.peak_memory();
    let mut attack = start(site);
    sleep(ARRIVAL).await;
    let (mut log_in, mut look_up, mut health) =
        tokio::join!(times(site.log_in()), times(site.look_up()), times(site.health()));
    // A client of the attack that found something wrong has ended.
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

/// The answers to one bystander.
#[derive(Default)]
struct Times {
    answered: Vec<Duration>,
    refused: usize,
}

/// Sends a request again and again, one after another, each over a connection that is kept.
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
