//! Write benchmark: the cost of changing a campaign lead, compared with the plain SQLite `UPDATE` of the same row with
//! the same durability. Writers run in turn, so that other load on the machine affects all of them.

use std::fs;
use std::io::{BufRead, BufReader, Lines, Write};
use std::path::{Path, PathBuf};
use std::process::{ChildStdin, ChildStdout, Stdio};
use std::time::Instant;

use anyhow::{Context, Result, ensure};

use super::data::{self, Files, Format};
use super::http::{Connection, request};
use super::process::{self, Process};
use super::server::Installation;
use super::systems::{build_programs, remove};
use crate::project::Project;
use crate::serve;

/// One part in this many of the updates is a warm-up.
const WARM_UP: usize = 10;

/// Knuth's multiplicative hash constant, coprime to every row count: a pseudo-random order without repeats.
const STRIDE: u64 = 2_654_435_761;

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
    ensure!(options.updates >= WARM_UP, "expected {WARM_UP} updates or more");
    let program = match &options.program {
        Some(program) => program.clone(),
        None => serve::build(project)?,
    };
    let plain_program = build_programs(project)?.join("sqlite_write");
    let store_program = super::store::build(project)?.join("leadscribe-bench-store");
    let dir = project.target.join(format!("bench/write-{}", options.leads));
    let (database, rows) = import(&program, &dir, options.leads)?;
    let mut plain = Writer::start(&plain_program, &copy(&database, &dir, "plain.db")?, &dir.join("plain.log"))?;
    let mut store = Writer::start(&store_program, &copy(&database, &dir, "store.db")?, &dir.join("store.log"))?;
    let installation = installation(&program, &dir);
    let server = installation.serve(&dir.join("serve.log"))?;
    let mut connection = Connection::open(server.address)?;

    let mut took = [Vec::new(), Vec::new(), Vec::new()];
    for number in 0..options.updates as u64 {
        let id = 1 + number.wrapping_mul(STRIDE) % rows;
        // More calls than in the data set, so that every update changes a value.
        let calls = 20 + number;
        let body = format!("{{\"status\":\"busy\",\"calls_count\":{calls}}}");
        let patch = request("PATCH", &format!("/api/campaign-leads/{id}"), &server.headers, &body);
        // The order rotates, because pending disk writes of one writer delay the next.
        for turn in 0..3 {
            match (number as usize + turn) % 3 {
                0 => took[0].push(plain.update(id, calls)?),
                1 => took[1].push(store.update(id, calls)?),
                _ => {
                    let begin = Instant::now();
                    connection.ask(&patch)?;
                    took[2].push(begin.elapsed().as_secs_f64() * 1_000_000.0);
                }
            }
        }
    }
    print(options, took.map(|took| took[took.len() / WARM_UP..].to_vec()));
    Ok(())
}

fn print(options: &Options, [plain, store, http]: [Vec<f64>; 3]) {
    let ratios = |of: &[f64]| median(of.iter().zip(&plain).map(|(own, plain)| own / plain).collect());
    println!("\n{} updates of one campaign lead each, {} leads:\n", options.updates, options.leads);
    println!("| through | median µs | times the plain update |");
    println!("|---|--:|--:|");
    println!("| plain SQLite | {:.0} | 1.00 |", median(plain.clone()));
    println!("| the store | {:.0} | {:.2} |", median(store.clone()), ratios(&store));
    println!("| HTTP | {:.0} | {:.2} |", median(http.clone()), ratios(&http));
}

fn median(mut values: Vec<f64>) -> f64 {
    values.sort_unstable_by(f64::total_cmp);
    values[values.len() / 2]
}

fn installation(program: &Path, dir: &Path) -> Installation {
    Installation { program: program.to_owned(), data_dir: dir.join("data"), database_url: None, lead_index: true }
}

/// Returns the database, and its number of campaign leads.
fn import(program: &Path, dir: &Path, leads: u64) -> Result<(PathBuf, u64)> {
    let csv = dir.join("csv");
    println!("importing {leads} leads in {}", dir.display());
    let data = data::generate(leads, &mut [Files::create(&csv, Format::Leadscribe)?])?;
    let installation = installation(program, dir);
    fs::create_dir_all(&installation.data_dir)?;
    let database = installation.data_dir.join("leadscribe.db");
    remove(&database)?;
    for kind in ["campaigns", "leads", "campaign-leads"] {
        installation.import(kind, &csv.join(format!("{kind}.csv")))?;
    }
    Ok((database, data.campaign_leads.len() as u64))
}

/// Copies a database that isn't open.
fn copy(database: &Path, dir: &Path, name: &str) -> Result<PathBuf> {
    let to = dir.join(name);
    remove(&to)?;
    for end in ["", "-wal"] {
        let from = format!("{}{end}", database.display());
        if Path::new(&from).exists() {
            fs::copy(&from, format!("{}{end}", to.display()))?;
        }
    }
    Ok(to)
}

/// Program that changes a campaign lead for each line of input.
struct Writer {
    // Dropped before the process, so that it ends by itself.
    stdin: ChildStdin,
    stdout: Lines<BufReader<ChildStdout>>,
    process: Process,
}

impl Writer {
    fn start(program: &Path, database: &Path, log: &Path) -> Result<Self> {
        let mut command = process::command(program);
        command.arg(database).stdin(Stdio::piped()).stdout(Stdio::piped());
        let mut process = Process::start(&mut command, log)?;
        let stdin = process.child().stdin.take().context("no standard input")?;
        let stdout = process.child().stdout.take().context("no standard output")?;
        let mut writer = Self { stdin, stdout: BufReader::new(stdout).lines(), process };
        let ready = writer.line()?;
        ensure!(ready == "ready", "expected ready, found {ready:?}");
        Ok(writer)
    }

    /// Returns the duration of the change in microseconds.
    fn update(&mut self, id: u64, calls: u64) -> Result<f64> {
        writeln!(self.stdin, "{id} {calls}").with_context(|| self.process.last_lines())?;
        Ok(self.line()?.parse()?)
    }

    fn line(&mut self) -> Result<String> {
        self.stdout.next().with_context(|| format!("it has ended:\n{}", self.process.last_lines()))?.map_err(Into::into)
    }
}
