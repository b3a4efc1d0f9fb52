//! `cargo xtask bench`: what the product takes in time and memory, on data that anyone can make again.

mod data;
mod deliveries;
mod http;
mod load;
mod lookup;
mod panel;
mod process;
mod reference;
mod server;
mod speech;
mod store;
mod systems;
mod time;
mod workload;
mod write;

use std::env;
use std::ffi::OsString;

use anyhow::Result;

use crate::engine_js;
use crate::project::Project;

/// What is measured.
#[derive(clap::Subcommand)]
pub enum Benchmark {
    /// Check filters and submissions with the engine's WebAssembly.
    Engine,
    /// Import leads and campaign leads, then look them up by every shape of filter, side by side with what one would use
    /// instead; each answer is compared with one worked out in memory.
    Lookup(lookup::Options),
    /// Change campaign leads, one after the other, against the plain SQLite update of the same rows.
    Write(write::Options),
    /// Claim deliveries while many others wait for an endpoint that is busy.
    Deliveries(deliveries::Options),
    /// Load the panel's pages in a browser: how soon they can be used, what they weigh, what Lighthouse says of them.
    Panel(panel::Options),
    /// Recognise human speech, as recorded and by telephone, noise and silence, with every recogniser that is there.
    Speech {
        /// Models, which are brought if need be; without any, all that are there, and base.
        models: Vec<String>,
    },
}

/// Runs a benchmark and prints its table.
pub fn run(project: &Project, benchmark: &Benchmark) -> Result<()> {
    match benchmark {
        Benchmark::Engine => {
            engine_js::build(project)?;
            engine_js::bench(project)
        }
        Benchmark::Lookup(_) | Benchmark::Write(_) if cfg!(debug_assertions) => run_optimized(project),
        Benchmark::Lookup(options) => lookup::run(project, options),
        Benchmark::Write(options) => write::run(project, options),
        Benchmark::Deliveries(options) => deliveries::run(project, options),
        Benchmark::Panel(options) => panel::run(project, options),
        Benchmark::Speech { models } => speech::run(project, models),
    }
}

/// What asks and compares must not take longer than what is asked. A whole release build would take minutes.
const OPTIMIZED: [&str; 4] = [
    "--config=profile.dev.package.xtask.opt-level=3",
    "--config=profile.dev.package.xtask.debug-assertions=false",
    "--config=profile.dev.package.httparse.opt-level=3",
    "--package=xtask",
];

/// Runs this command again, by an optimised build of this program.
fn run_optimized(project: &Project) -> Result<()> {
    let cargo = ["run", "--quiet"].into_iter().chain(OPTIMIZED).chain(["--"]).map(OsString::from);
    project.cargo(cargo.chain(env::args_os().skip(1))).run()?;
    Ok(())
}
