//! Delivery benchmark: the cost of a claim while many deliveries wait for a busy endpoint.

use std::fs;
use std::path::Path;
use std::process::Command;

use anyhow::{Context, Result, ensure};
use leadscribe_test_postgres::{Cluster, Database, Options as ClusterOptions};

use super::store;
use super::systems::remove_database;
use crate::project::Project;
use crate::setup;

/// Number of deliveries in the baseline: as many as one request queues.
const BASELINE_DELIVERIES: u32 = 1_000;

/// Arguments of `cargo xtask bench deliveries`.
#[derive(clap::Args)]
pub struct Options {
    /// Number of deliveries that wait for the busy endpoint, in thousands.
    #[arg(long, default_value_t = 100)]
    thousands: u32,
}

/// Queues deliveries, claims them and prints the results.
pub fn run(project: &Project, options: &Options) -> Result<()> {
    let program = store::build(project)?.join("claims");
    let dir = project.target_dir.join("bench/deliveries");
    fs::create_dir_all(&dir)?;
    let settings = ClusterOptions { durable: true, ..ClusterOptions::default() };
    let cluster = Cluster::start(&setup::postgres::ensure()?, &settings)?;
    println!(
        "| database | waiting deliveries | claim that finds nothing, median µs | claim of another endpoint's, median µs |"
    );
    println!("|---|--:|--:|--:|");
    for waiting in [BASELINE_DELIVERIES, options.thousands * 1_000] {
        let file = dir.join("claims.db");
        remove_database(&file)?;
        let database = Database::create_on(&cluster.url())?;
        for (name, database) in [("SQLite", &*file.to_string_lossy()), ("PostgreSQL", database.url())] {
            let (idle_median, claim_median) = measure_claims(&program, database, waiting)?;
            println!("| {name} | {waiting} | {idle_median} | {claim_median} |");
        }
    }
    Ok(())
}

/// Runs the program that claims; returns both medians.
fn measure_claims(program: &Path, database: &str, waiting: u32) -> Result<(String, String)> {
    let output = Command::new(program).args([database, &waiting.to_string()]).output()?;
    ensure!(output.status.success(), "{}: {}", program.display(), String::from_utf8_lossy(&output.stderr));
    let stdout = String::from_utf8(output.stdout)?;
    let (idle_median, claim_median) =
        stdout.trim().split_once(' ').with_context(|| format!("expected two numbers, found {stdout:?}"))?;
    Ok((idle_median.to_owned(), claim_median.to_owned()))
}
