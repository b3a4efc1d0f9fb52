//! The look-up benchmark: import, then every shape of filter, each answer checked and timed.

use std::time::{Duration, Instant};

use anyhow::{Context, Result, ensure};
use serde_json::Value;

use super::data::{self, Data};
use super::reference::{self, Answer};
use super::server::Server;
use super::workload::{self, Query};
use crate::project::Project;
use crate::serve;

/// Rounds over all variants of a shape; the first warms up and isn't counted.
const ROUNDS: usize = 4;

/// Generates, imports, asks and prints.
pub fn run(project: &Project, leads: u64) -> Result<()> {
    let program = serve::build(project)?;
    let dir = tempfile::tempdir_in(&project.target)?;
    let csv = dir.path().join("csv");
    println!("making {leads} leads");
    let data = data::generate(leads, &csv)?;

    println!("\n{:34} {:>10} {:>12} {:>10}", "import", "rows", "rows/s", "peak MB");
    let home = dir.path().join("data");
    let counted = [("campaigns", 50), ("leads", data.leads.len()), ("campaign-leads", data.campaign_leads.len())];
    let mut in_all = Duration::ZERO;
    for (kind, rows) in counted {
        let import = super::server::import(&program, &home, kind, &csv.join(format!("{kind}.csv")))?;
        in_all += import.took;
        println!(
            "{kind:34} {rows:>10} {:>12.0} {:>10}",
            rows as f64 / import.took.as_secs_f64(),
            import.peak_bytes / 1_000_000
        );
    }
    println!(
        "{:34} {:>10} in {:.1} s",
        "all",
        counted.iter().map(|(_, rows)| rows).sum::<usize>(),
        in_all.as_secs_f64()
    );

    let server = Server::start(&program, &home)?;
    look_up(&server, &data)?;
    println!("resident after all: {} MB", server.resident_bytes()? / 1_000_000);
    Ok(())
}

fn look_up(server: &Server, data: &Data) -> Result<()> {
    println!("\n{:34} {:>10} {:>10} {:>10} {:>10}", "look-up, one client", "matches", "p50 ms", "p99 ms", "answers/s");
    let queries = workload::queries(data);
    for variants in queries.chunk_by(|one, next| one.shape == next.shape) {
        let mut matches = 0;
        for query in variants {
            let right = reference::answer(data, query);
            matches += right.total;
            check(query, &server.look_up(&query.body)?, &right)?;
        }
        let mut took = Vec::new();
        for round in 0..ROUNDS {
            for query in variants {
                let started = Instant::now();
                server.look_up(&query.body)?;
                if round > 0 {
                    took.push(started.elapsed());
                }
            }
        }
        took.sort_unstable();
        let at = |part: f64| took[((took.len() - 1) as f64 * part) as usize].as_secs_f64() * 1_000.0;
        let in_all: Duration = took.iter().sum();
        println!(
            "{:34} {:>10} {:>10.2} {:>10.2} {:>10.0}",
            variants[0].shape,
            matches / variants.len() as u64,
            at(0.5),
            at(0.99),
            took.len() as f64 / in_all.as_secs_f64()
        );
    }
    println!("{} answers compared, none differs", queries.len());
    Ok(())
}

/// Compares an answer with the right one.
fn check(query: &Query, given: &[u8], right: &Answer) -> Result<()> {
    let given: Value = serde_json::from_slice(given)?;
    let number = |value: &Value| value.as_u64().context("a number is missing in the answer");
    let leads = given["leads"].as_array().context("`leads` is missing in the answer")?;
    let leads = leads.iter().map(|lead| {
        let campaigns = lead["campaigns"].as_array().context("`campaigns` is missing in the answer")?;
        let campaigns = campaigns.iter().map(|one| number(&one["campaign_id"])).collect::<Result<_>>()?;
        Ok((number(&lead["id"])?, campaigns))
    });
    let given = Answer { total: number(&given["total_leads"])?, leads: leads.collect::<Result<_>>()? };
    ensure!(given == *right, "{}: {}\ngiven {given:?}\nright {right:?}", query.shape, query.body);
    Ok(())
}
