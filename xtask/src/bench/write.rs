//! Write benchmark: the cost of changing a campaign lead, compared with the plain SQLite `UPDATE` of the same row with
//! the same durability. Writers run in turn, so that other load on the machine affects all of them.

use std::fs;
use std::path::{Path, PathBuf};
use std::time::Instant;

use anyhow::{Result, ensure};

use super::data::{self, Files, Format};
use super::http::{Connection, request};
use super::process::{self, LineProgram};
use super::server::Installation;
use super::systems::{build_programs, remove_database};
use crate::project::Project;
use crate::serve;

/// One part in this many of the updates is a warm-up.
const WARM_UP_DIVISOR: usize = 10;

/// Knuth's multiplicative hash constant, coprime to every row count: a pseudo-random order without repeats.
const ID_STRIDE: u64 = 2_654_435_761;

/// Arguments of `cargo xtask bench write`.
#[derive(clap::Args)]
pub struct Options {
    /// Number of leads; the number of campaign leads is twice that.
    #[arg(long, default_value_t = 1_000_000)]
    leads: u64,
    /// Number of campaign leads to change.
    #[arg(long, default_value_t = 5_000)]
    updates: usize,
    /// Measure this program over HTTP instead of building the workspace's.
    #[arg(long)]
    program: Option<PathBuf>,
}

/// Imports, changes and prints.
pub fn run(project: &Project, options: &Options) -> Result<()> {
    ensure!(options.updates >= WARM_UP_DIVISOR, "expected {WARM_UP_DIVISOR} updates or more");
    let program = match &options.program {
        Some(program) => program.clone(),
        None => serve::build(project)?,
    };
    let plain_program = build_programs(project)?.join("sqlite_write");
    let store_program = super::store::build(project)?.join("leadscribe-bench-store");
    let dir = project.target_dir.join(format!("bench/write-{}", options.leads));
    let (database, rows) = create_database(&program, &dir, options.leads)?;
    let mut plain_writer =
        Writer::start(&plain_program, &copy_database(&database, &dir, "plain.db")?, &dir.join("plain.log"))?;
    let mut store_writer =
        Writer::start(&store_program, &copy_database(&database, &dir, "store.db")?, &dir.join("store.log"))?;
    let installation = installation(&program, &dir);
    let server = installation.serve(&dir.join("serve.log"))?;
    let mut connection = Connection::open(server.address)?;

    let mut times = [Vec::new(), Vec::new(), Vec::new()];
    for number in 0..options.updates as u64 {
        let id = 1 + number.wrapping_mul(ID_STRIDE) % rows;
        // More calls than in the data set, so that every update changes a value.
        let calls = 20 + number;
        let body = format!("{{\"status\":\"busy\",\"calls_count\":{calls}}}");
        let patch = request("PATCH", &format!("/api/campaign-leads/{id}"), &server.headers, &body);
        // The order rotates, because pending disk writes of one writer delay the next.
        for offset in 0..3 {
            match (number as usize + offset) % 3 {
                0 => times[0].push(plain_writer.update(id, calls)?),
                1 => times[1].push(store_writer.update(id, calls)?),
                _ => {
                    let started = Instant::now();
                    connection.send(&patch)?;
                    times[2].push(started.elapsed().as_secs_f64() * 1_000_000.0);
                }
            }
        }
    }
    print(options, times.map(|times| times[times.len() / WARM_UP_DIVISOR..].to_vec()));
    Ok(())
}

fn print(options: &Options, [plain, store, http]: [Vec<f64>; 3]) {
    let median_ratio =
        |durations: &[f64]| median(durations.iter().zip(&plain).map(|(time, plain)| time / plain).collect());
    println!("\n{} updates of one campaign lead each, {} leads:\n", options.updates, options.leads);
    println!("| through | median µs | times the plain update |");
    println!("|---|--:|--:|");
    println!("| plain SQLite | {:.0} | 1.00 |", median(plain.clone()));
    println!("| the store | {:.0} | {:.2} |", median(store.clone()), median_ratio(&store));
    println!("| HTTP | {:.0} | {:.2} |", median(http.clone()), median_ratio(&http));
}

fn median(mut values: Vec<f64>) -> f64 {
    values.sort_unstable_by(f64::total_cmp);
    values[values.len() / 2]
}

fn installation(program: &Path, dir: &Path) -> Installation {
    Installation { program: program.to_owned(), data_dir: dir.join("data"), database_url: None, lead_index: true }
}

/// Returns the database, and its number of campaign leads.
fn create_database(program: &Path, dir: &Path, leads: u64) -> Result<(PathBuf, u64)> {
    let csv = dir.join("csv");
    println!("importing {leads} leads in {}", dir.display());
    let data = data::generate(leads, &mut [Files::create(&csv, Format::Leadscribe)?])?;
    let installation = installation(program, dir);
    fs::create_dir_all(&installation.data_dir)?;
    let database = installation.data_dir.join("leadscribe.db");
    remove_database(&database)?;
    for kind in ["campaigns", "leads", "campaign-leads"] {
        installation.import(kind, &csv.join(format!("{kind}.csv")))?;
    }
    Ok((database, data.campaign_leads.len() as u64))
}

/// Copies a database that isn't open.
fn copy_database(database: &Path, dir: &Path, name: &str) -> Result<PathBuf> {
    let target = dir.join(name);
    remove_database(&target)?;
    for suffix in ["", "-wal"] {
        let source = format!("{}{suffix}", database.display());
        if Path::new(&source).exists() {
            fs::copy(&source, format!("{}{suffix}", target.display()))?;
        }
    }
    Ok(target)
}

/// Program that changes a campaign lead for each line of input.
struct Writer(LineProgram);

impl Writer {
    fn start(program: &Path, database: &Path, log: &Path) -> Result<Self> {
        Ok(Self(LineProgram::start(process::command(program).arg(database), log)?))
    }

    /// Returns the duration of the change in microseconds.
    fn update(&mut self, id: u64, calls: u64) -> Result<f64> {
        self.0.write_line(&format!("{id} {calls}"))?;
        Ok(self.0.read_line()?.parse()?)
    }
}
