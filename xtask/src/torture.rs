//! `cargo xtask torture`: the trials of docs/RELIABILITY.md that take minutes.

use std::ffi::OsString;

use anyhow::Result;
use clap::ValueEnum;
use leadscribe_test_postgres::{BIN_DIR_VARIABLE, Cluster, Options, SERVER_URL_VARIABLE};

use crate::project::Project;
use crate::report::Report;
use crate::test::CORPORA_VARIABLE;
use crate::{fuzz, models, mutants, serve, setup};

/// Kind of trial, selectable on the command line.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Trial {
    /// Trials of the program: kills, full disks, overload, invalid input.
    Program,
    /// Fuzzing of the parsers.
    Fuzz,
    /// Mutation tests.
    Mutants,
}

/// Runs `trials`, or all of them if empty, one after another. Continues after a failed trial. `filter` selects tests,
/// fuzz targets or mutants, depending on the kind of trial.
pub fn run(project: &Project, trials: &[Trial], filter: &[OsString]) -> Result<()> {
    let is_selected = |trial| trials.is_empty() || trials.contains(&trial);
    let mut report = Report::default();
    if is_selected(Trial::Program) {
        report.run_step("program", || run_program_trials(project, filter));
    }
    // A filter is specific to one kind of trial.
    let filter_for = |trial| if trials == [trial] { filter } else { &[] };
    if is_selected(Trial::Fuzz) {
        report.run_step("fuzz", || fuzz::run(project, filter_for(Trial::Fuzz)));
    }
    if is_selected(Trial::Mutants) {
        report.run_step("mutants", || mutants::run(project, filter_for(Trial::Mutants)));
    }
    report.finish()
}

/// Runs the ignored tests below tests/torture against a release build, one at a time. The tests are optimized too,
/// because they share the machine with the program.
fn run_program_trials(project: &Project, filter: &[OsString]) -> Result<()> {
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
        .env(SERVER_URL_VARIABLE, cluster.url())
        .env(BIN_DIR_VARIABLE, cluster.bin_dir())
        .env("LEADSCRIBE_PROGRAM", program)
        .env("LEADSCRIBE_SLOWHTTPTEST", setup::slowhttptest::ensure()?)
        .env(CORPORA_VARIABLE, setup::corpora::ensure(project)?)
        .env("LEADSCRIBE_SCHEMATHESIS", setup::schemathesis::ensure(project)?)
        .env(setup::faketime::LIBRARY_VARIABLE, setup::faketime::ensure()?)
        .env(models::FOLDER_VARIABLE, models::folder()?)
        .run()?;
    Ok(())
}
