//! `cargo xtask bench`: what the product takes in time and memory, on data that anyone can make again.

mod data;
mod lookup;
mod reference;
mod server;
mod speech;
mod workload;

use anyhow::Result;

use crate::engine_js;
use crate::project::Project;

/// What is measured.
#[derive(clap::Subcommand)]
pub enum Benchmark {
    /// Check filters and submissions with the engine's WebAssembly.
    Engine,
    /// Import leads and campaign leads, then look them up by every shape of filter; each answer is compared with one
    /// worked out in memory.
    Lookup {
        /// How many leads; there are twice as many campaign leads.
        #[arg(long, default_value_t = 100_000)]
        leads: u64,
    },
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
        Benchmark::Lookup { leads } => lookup::run(project, *leads),
        Benchmark::Speech { models } => speech::run(project, models),
    }
}
