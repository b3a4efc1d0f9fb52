//! `cargo xtask test`: every test of the project, with the real services and tools that it needs.

use std::ffi::OsString;

use anyhow::Result;
use clap::ValueEnum;
use duct::Expression;
use leadscribe_test_postgres::{BIN_DIR, Cluster, Options, SHARED};

use crate::project::Project;
use crate::report::Report;
use crate::{docs, engine_js, failures, models, panel, setup};

/// Models that the tests need.
const MODELS: &[&str] = &["tiny"];

/// Environment variable with the folder of the public test corpora.
pub const CORPORA: &str = "LEADSCRIBE_CORPORA";

/// Part of the tests that can be run alone.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Suite {
    /// xtask itself, and the PostgreSQL servers that tests start.
    Xtask,
    /// The engine, natively.
    Engine,
    /// The panel's own tests, natively.
    Panel,
    /// The engine as an ES module, in Node.
    Module,
    /// The server's own tests, and those of the lead index.
    Server,
    /// The generated documents: they must match the code.
    Docs,
    /// The whole system: the program, its API, and the panel in a browser.
    System,
}

/// Runs `suites`, or all of them if empty. Continues after a failed suite. `filter` goes to the Rust tests.
pub fn run(project: &Project, suites: &[Suite], filter: &[OsString]) -> Result<()> {
    let wants = |suite| suites.is_empty() || suites.contains(&suite);
    let mut report = Report::default();
    let transcribes = wants(Suite::Server) || wants(Suite::System);
    if transcribes {
        setup::compiler::ensure()?;
    }

    if wants(Suite::Xtask) {
        report.step("xtask", || {
            setup::postgres::ensure()?;
            cargo_test(project, &["--package", "xtask", "--package", "leadscribe-test-postgres"], filter)
        });
    }
    if wants(Suite::Engine) {
        let args = ["--package", "leadscribe-engine", "--features", "openapi"];
        report.step("engine", || cargo_test(project, &args, filter));
    }
    if wants(Suite::Panel) {
        report.step("panel", || cargo_test(project, &["--package", "leadscribe-web"], filter));
    }
    // The browser tests load it too.
    let needs_module = wants(Suite::Module) || wants(Suite::System);
    let module = needs_module && report.step("build the ES module", || engine_js::build(project));
    if wants(Suite::Module) {
        report.step_if(module, "engine in Node", || engine_js::test(project));
    }
    if transcribes {
        // Tests report a missing model themselves; the others run.
        report.step("bring the models", || {
            build_program(project)?;
            models::ensure(&project.program("debug"), MODELS, &models::folder()?)
        });
    }
    // One server for all tests that only need a database. It ends with this run.
    let mut postgres = None;
    if wants(Suite::Server) || wants(Suite::System) {
        report.step("start PostgreSQL", || {
            postgres = Some(Cluster::start(&setup::postgres::ensure()?, &Options::default())?);
            Ok(())
        });
    }
    if wants(Suite::Server) {
        report.step("server", || {
            let packages = ["--package", "leadscribe-lead-index", "--package", "leadscribe-server"];
            let tests = project.cargo(test_args(&packages, filter));
            failures::run(&with_postgres(tests, postgres.as_ref()).env(models::FOLDER, models::folder()?))
        });
    }
    if wants(Suite::Docs) {
        report.step("generated documents", || docs::run(project, true));
    }
    if wants(Suite::System) {
        let panel = report.step("build the panel", || panel::build(project));
        let program = panel && report.step("build the program", || build_program(project));
        report.step_if(module && program, "whole system", || system(project, postgres.as_ref(), filter));
        // A filter already ran above, on the database that the same variable selects.
        if filter.is_empty() {
            report.step_if(program, "API on PostgreSQL", || {
                let tests = project.cargo(test_args(&["--package", "leadscribe-tests"], &["api::".into()]));
                let tests = with_postgres(tests, postgres.as_ref())
                    .env("LEADSCRIBE_TEST_DATABASE", "postgres")
                    .env(CORPORA, setup::corpora::ensure(project)?);
                failures::run(&tests)
            });
        }
    }
    report.finish()
}

fn cargo_test(project: &Project, args: &[&str], filter: &[OsString]) -> Result<()> {
    failures::run(&project.cargo(test_args(args, filter)))
}

/// Sets the variables of the test databases. Without a server, tests look for one themselves and report if it is
/// missing.
fn with_postgres(tests: Expression, postgres: Option<&Cluster>) -> Expression {
    match postgres {
        Some(cluster) => tests.env(SHARED, cluster.url()).env(BIN_DIR, cluster.bin_dir()),
        None => tests,
    }
}

/// A debug build of the program reads the panel from web/dist, so that a changed panel needs no recompilation.
fn build_program(project: &Project) -> Result<()> {
    project.cargo(["build", "--package", "leadscribe-server", "--bin", "leadscribe"]).run()?;
    Ok(())
}

fn system(project: &Project, postgres: Option<&Cluster>, filter: &[OsString]) -> Result<()> {
    let browser = setup::browser::ensure()?;
    let tests = project.cargo(test_args(&["--package", "leadscribe-tests"], filter));
    let tests = with_postgres(tests, postgres)
        .env("LEADSCRIBE_CHROME", browser.chrome)
        .env("LEADSCRIBE_CHROMEDRIVER", browser.driver)
        .env("LEADSCRIBE_PROGRAM", project.program("debug"))
        .env("LEADSCRIBE_ENGINE_JS", engine_js::package(project))
        .env(CORPORA, setup::corpora::ensure(project)?)
        .env("LEADSCRIBE_AXE", setup::axe::ensure(project)?)
        .env("LEADSCRIBE_WEBHOOK_VERIFIER", setup::verifier::ensure(project)?)
        .env(models::FOLDER, models::folder()?);
    failures::run(&tests)
}

fn test_args(args: &[&str], filter: &[OsString]) -> Vec<OsString> {
    let mut all: Vec<OsString> = vec!["test".into(), "--no-fail-fast".into()];
    all.extend(args.iter().map(OsString::from));
    all.push("--".into());
    all.extend_from_slice(filter);
    all
}
