//! Denial-of-service attacks: clients overload the server in several ways. Logins, searches, writes and health checks
//! of other clients succeed and stay fast, and memory and disk usage stay bounded.
//!
//! The limits on login attempts are lifted, so that they don't stop an attack early.

mod bystanders;
mod kinds;
mod site;

use std::time::Duration;

use tokio::task::JoinSet;
use tokio::time::sleep;

use crate::harness::{Database, on_each_database};
use bystanders::{Measurement, REQUEST_KINDS};
use site::AttackedServer;

/// Ramp-up time of an attack before the measurement.
const RAMP_UP: Duration = Duration::from_secs(2);
/// Memory in bytes that all attacks together may add. The allocator keeps most of it for threads that
/// read and wrote thousands of leads (docs/RELIABILITY.md).
const MAX_ADDED_MEMORY_BYTES: u64 = 1024 * 1024 * 1024;
/// Bytes that an attack may add to the database and the data folder if it isn't meant to store anything: twice a
/// token's storage quota, because SQLite's log holds the data a second time until its next checkpoint.
const MAX_ADDED_DISK_BYTES: u64 = 192 * 1024 * 1024;
/// The same for an attack that stores much data, such as the rows of an import.
const MAX_ADDED_DISK_BYTES_WHEN_STORING: u64 = 1024 * 1024 * 1024;
/// Attempts per attack if responses are slow, because other programs on the machine may delay responses too.
const MAX_ATTEMPTS: usize = 3;

struct Attack {
    name: &'static str,
    /// Starts the attack's clients, which run until they are aborted.
    start: fn(&AttackedServer) -> JoinSet<()>,
    /// Bytes that the attack may add to the database and the data folder.
    max_added_disk_bytes: u64,
}

/// Effects of an attack.
#[derive(Debug)]
struct Effects {
    bystanders: Measurement,
    /// Peak memory in bytes, above the memory before the first attack.
    added_memory_bytes: u64,
    /// Bytes added to the database and the data folder.
    added_disk_bytes: u64,
}

async fn attacks_do_not_slow_down_other_clients(database: Database) {
    let mut server = AttackedServer::start(database).await;
    let no_attack = Attack { name: "no attack", start: |_| JoinSet::new(), max_added_disk_bytes: MAX_ADDED_DISK_BYTES };
    server.process.reset_peak_memory();
    let memory_before = server.process.peak_memory();
    let mut failed = Vec::new();
    for attack in [no_attack].into_iter().chain(kinds::ATTACKS) {
        let mut effects = run_attack(&attack, &mut server, memory_before).await;
        for _ in 1..MAX_ATTEMPTS {
            if effects.bystanders.failures.is_empty() && !effects.bystanders.is_within_bounds() {
                print_effects(attack.name, &effects);
                effects = run_attack(&attack, &mut server, memory_before).await;
            }
        }
        print_effects(attack.name, &effects);
        let Effects { bystanders, added_memory_bytes: added_memory, added_disk_bytes: added_disk } = &effects;
        let is_harmless = bystanders.failures.is_empty() && bystanders.is_within_bounds();
        if !is_harmless || *added_memory > MAX_ADDED_MEMORY_BYTES || *added_disk > attack.max_added_disk_bytes {
            failed.push((attack.name, effects));
        }
        server.assert_healthy().await;
    }
    assert!(failed.is_empty(), "{failed:#?}");
}
on_each_database!(
    #[ignore = "takes minutes; run with `cargo xtask torture`"]
    attacks_do_not_slow_down_other_clients
);

fn print_effects(name: &str, effects: &Effects) {
    let p99 = REQUEST_KINDS.iter().zip(effects.bystanders.p99).map(|((kind, _), p99)| format!("{kind} {p99:.0?}"));
    println!(
        "measured: {name}: p99 of {}; {} MB more memory, {} MB more disk space",
        p99.collect::<Vec<_>>().join(", "),
        effects.added_memory_bytes / 1_000_000,
        effects.added_disk_bytes / 1_000_000
    );
}

/// Measures the bystanders during an attack. Stops the attack before it returns.
async fn run_attack(attack: &Attack, server: &mut AttackedServer, memory_before: u64) -> Effects {
    server.replace_token().await;
    let disk_before = server.disk_usage();
    server.process.reset_peak_memory();
    let mut attackers = (attack.start)(server);
    sleep(RAMP_UP).await;
    let bystanders = bystanders::measure(server).await;
    // An attack client ends only if it panics.
    if let Some(Err(error)) = attackers.try_join_next() {
        std::panic::resume_unwind(error.into_panic());
    }
    attackers.shutdown().await;
    Effects {
        bystanders,
        added_memory_bytes: server.process.peak_memory().saturating_sub(memory_before),
        added_disk_bytes: server.disk_usage().saturating_sub(disk_before),
    }
}
