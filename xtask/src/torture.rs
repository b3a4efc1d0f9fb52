//! `cargo xtask torture`: what proves the promises of docs/RELIABILITY.md and takes minutes.

use std::ffi::OsString;

use anyhow::Result;
use clap::ValueEnum;
use leadscribe_test_postgres::{BIN_DIR, Cluster, Options, SHARED};

use crate::project::Project;
use crate::report::Report;
use crate::test::CORPORA;
use crate::{fuzz, models, mutants, serve, setup};

/// A kind of trial that can be run alone.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Trial {
    /// The program: killed, starved, overloaded, and fed with what is bad.
    Program,
    /// What reads inputs, fed with what a fuzzer makes up.
    Fuzz,
    /// The tests, of code with mistakes put in.
    Mutants,
}

/// Runs `trials`, or all of them if none are named, one after the other. One that fails doesn't keep the others from
/// running. `filter` goes to those of the program, names targets of the fuzzer, or goes to cargo-mutants.
pub fn run(project: &Project, trials: &[Trial], filter: &[OsString]) -> Result<()> {
    let wants = |trial| trials.is_empty() || trials.contains(&trial);
    let mut report = Report::default();
    if wants(Trial::Program) {
        report.step("program", || program(project, filter));
    }
    // What names a trial of the program means nothing to the others.
    let alone = |trial| if trials == [trial] { filter } else { &[] };
    if wants(Trial::Fuzz) {
        report.step("fuzz", || fuzz::run(project, alone(Trial::Fuzz)));
    }
    if wants(Trial::Mutants) {
        report.step("mutants", || mutants::run(project, alone(Trial::Mutants)));
    }
    report.finish()
}

/// The ignored tests below tests/torture, against a release build, each with the whole machine. They are optimised too: what asks
/// takes of the same machine.
fn program(project: &Project, filter: &[OsString]) -> Result<()> {
    let program = serve::build(project)?;
    let cluster = Cluster::start(&setup::postgres::ensure()?, &Options::default())?;
    let filter = if filter.is_empty() { vec!["torture::".into()] } else { filter.to_vec() };
    let mut args: Vec<OsString> =
        ["test", "--release", "--no-fail-fast", "--package", "leadscribe-tests", "--", "--ignored"]
            .map(Into::into)
            .into();
    args.extend(["--test-threads=1".into(), "--nocapture".into()]);
    args.extend(filter);
    project
        .cargo(args)
        .env(SHARED, cluster.url())
        .env(BIN_DIR, cluster.bin_dir())
        .env("LEADSCRIBE_PROGRAM", program)
        .env("LEADSCRIBE_SLOWHTTPTEST", setup::slowhttptest::ensure()?)
        .env(CORPORA, setup::corpora::ensure(project)?)
        .env("LEADSCRIBE_SCHEMATHESIS", setup::schemathesis::ensure(project)?)
        .env(setup::faketime::LIBRARY, setup::faketime::ensure()?)
        .env(models::FOLDER, models::folder()?)
        .run()?;
    Ok(())
}
