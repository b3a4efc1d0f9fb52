//! `cargo xtask bench`: time and memory usage of the product, on reproducible data.

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

/// Benchmarks.
#[derive(clap::Subcommand)]
pub enum Benchmark {
    /// Check filters and submissions with the engine's WebAssembly.
    Engine,
    /// Import leads and campaign leads, then search them with every shape of filter, compared with alternatives. Each
    /// result is verified against one computed in memory.
    Lookup(lookup::Options),
    /// Change campaign leads one after the other, compared with the plain SQLite update of the same rows.
    Write(write::Options),
    /// Claim deliveries while many others wait for a busy endpoint.
    Deliveries(deliveries::Options),
    /// Load the panel's pages in a browser: time until they can be used, size, and Lighthouse ratings.
    Panel(panel::Options),
    /// Transcribe human speech, as recorded and by telephone, noise and silence, with every available recognizer.
    Speech {
        /// Models, which are fetched if missing. Default: all installed models, and base.
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

/// The load generator must not be slower than the measured program. A whole release build would take minutes.
const OPTIMIZED_BUILD_ARGS: [&str; 4] = [
    "--config=profile.dev.package.xtask.opt-level=3",
    "--config=profile.dev.package.xtask.debug-assertions=false",
    "--config=profile.dev.package.httparse.opt-level=3",
    "--package=xtask",
];

/// Runs this command again with an optimized build of this program.
fn run_optimized(project: &Project) -> Result<()> {
    let cargo = ["run", "--quiet"].into_iter().chain(OPTIMIZED_BUILD_ARGS).chain(["--"]).map(OsString::from);
    project.cargo(cargo.chain(env::args_os().skip(1))).run()?;
    Ok(())
}
