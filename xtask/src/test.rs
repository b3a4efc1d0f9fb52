//! `cargo xtask test`: every test of the project, with the real services and tools that it needs.

use std::ffi::OsString;
use std::fs;
use std::path::Path;

use anyhow::Result;
use clap::ValueEnum;
use duct::Expression;
use leadscribe_test_postgres::{BIN_DIR_VARIABLE, Cluster, Options, SERVER_URL_VARIABLE};

use crate::project::Project;
use crate::report::Report;
use crate::{clients, docs, engine_js, models, panel, setup, test_failures};

/// Models that the tests need.
const REQUIRED_MODELS: &[&str] = &["tiny"];

/// Environment variable with the folder of the public test corpora.
pub const CORPORA_VARIABLE: &str = "LEADSCRIBE_CORPORA";

/// Environment variable with the file to which the system tests write their durations.
const DURATIONS_VARIABLE: &str = "LEADSCRIBE_TEST_DURATIONS";

const SLOWEST_TESTS: usize = 10;

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
    let is_selected = |suite| suites.is_empty() || suites.contains(&suite);
    let mut report = Report::default();
    let needs_models = is_selected(Suite::Server) || is_selected(Suite::System);
    if needs_models {
        setup::compiler::ensure()?;
    }

    if is_selected(Suite::Xtask) {
        report.run_step("xtask", || {
            setup::postgres::ensure()?;
            cargo_test(project, &["--package", "xtask", "--package", "leadscribe-test-postgres"], filter)
        });
    }
    if is_selected(Suite::Engine) {
        let args = ["--package", "leadscribe-engine", "--features", "openapi"];
        report.run_step("engine", || cargo_test(project, &args, filter));
    }
    if is_selected(Suite::Panel) {
        report.run_step("panel", || cargo_test(project, &["--package", "leadscribe-web"], filter));
    }
    // The browser tests load it too.
    let needs_module = is_selected(Suite::Module) || is_selected(Suite::System);
    let module_built = needs_module && report.run_step("build the ES module", || engine_js::build(project));
    if is_selected(Suite::Module) {
        report.run_step_if(module_built, "engine in Node", || engine_js::test(project));
    }
    if needs_models {
        // Tests report a missing model themselves; the others run.
        report.run_step("install the models", || {
            build_program(project)?;
            models::ensure(&project.program_path("debug"), REQUIRED_MODELS, &models::folder()?)
        });
    }
    // One server for all tests that only need a database. It ends with this run.
    let mut postgres = None;
    if is_selected(Suite::Server) || is_selected(Suite::System) {
        report.run_step("start PostgreSQL", || {
            postgres = Some(Cluster::start(&setup::postgres::ensure()?, &Options::default())?);
            Ok(())
        });
    }
    if is_selected(Suite::Server) {
        report.run_step("server", || {
            let packages = ["--package", "leadscribe-lead-index", "--package", "leadscribe-server"];
            let tests = project.cargo(test_args(&packages, filter));
            test_failures::run(&with_postgres(tests, postgres.as_ref()).env(models::FOLDER_VARIABLE, models::folder()?))
        });
    }
    if is_selected(Suite::Docs) {
        report.run_step("generated documents", || docs::run(project, true));
    }
    let durations = project.target_dir.join("test-durations.txt");
    if is_selected(Suite::System) {
        // Each test appends a line.
        fs::write(&durations, "")?;
        // Without the clients, only their test fails.
        report.run_step("generate clients", || clients::generate_for_tests(project));
        let panel_built = report.run_step("build the panel", || panel::build(project));
        let program_built = panel_built && report.run_step("build the program", || build_program(project));
        report.run_step_if(module_built && program_built, "whole system", || {
            run_system_tests(project, postgres.as_ref(), filter, &durations)
        });
        // Filtered tests already ran above, on the database that the same variable selects.
        if filter.is_empty() {
            report.run_step_if(program_built, "API on PostgreSQL", || {
                let tests = project.cargo(test_args(&["--package", "leadscribe-tests"], &["api::".into()]));
                let tests = with_postgres(tests, postgres.as_ref())
                    .env("LEADSCRIBE_TEST_DATABASE", "postgres")
                    .env(CORPORA_VARIABLE, setup::corpora::ensure(project)?);
                test_failures::run(&tests)
            });
        }
    }
    if is_selected(Suite::System) {
        print_slowest_tests(&fs::read_to_string(durations)?);
    }
    report.finish()
}

/// Prints the system tests that took longest. `lines` are `MILLISECONDS TEST`.
fn print_slowest_tests(lines: &str) {
    let durations = lines.lines().filter_map(|line| line.split_once(' '));
    let mut durations: Vec<(u64, &str)> =
        durations.filter_map(|(milliseconds, test)| Some((milliseconds.parse().ok()?, test))).collect();
    durations.sort_unstable_by(|one, other| other.cmp(one));
    println!("\nSlowest tests of the whole system:");
    for (milliseconds, test) in durations.iter().take(SLOWEST_TESTS) {
        println!("{:>8.1} s  {test}", *milliseconds as f64 / 1_000.0);
    }
}

fn cargo_test(project: &Project, args: &[&str], filter: &[OsString]) -> Result<()> {
    test_failures::run(&project.cargo(test_args(args, filter)))
}

/// Sets the variables of the test databases. Without a server, tests look for one themselves and report if it is
/// missing.
fn with_postgres(tests: Expression, postgres: Option<&Cluster>) -> Expression {
    match postgres {
        Some(cluster) => tests.env(SERVER_URL_VARIABLE, cluster.url()).env(BIN_DIR_VARIABLE, cluster.bin_dir()),
        None => tests,
    }
}

/// A debug build of the program reads the panel from web/dist, so that a changed panel needs no recompilation.
fn build_program(project: &Project) -> Result<()> {
    project.cargo(["build", "--package", "leadscribe-server", "--bin", "leadscribe"]).run()?;
    Ok(())
}

fn run_system_tests(
    project: &Project,
    postgres: Option<&Cluster>,
    filter: &[OsString],
    durations: &Path,
) -> Result<()> {
    let browser = setup::browser::ensure()?;
    let tests = project.cargo(test_args(&["--package", "leadscribe-tests"], filter));
    let tests = with_postgres(tests, postgres)
        .env("LEADSCRIBE_CHROME", browser.chrome)
        .env("LEADSCRIBE_CHROMEDRIVER", browser.driver)
        .env(DURATIONS_VARIABLE, durations)
        .env("LEADSCRIBE_PROGRAM", project.program_path("debug"))
        .env("LEADSCRIBE_ENGINE_JS", engine_js::package_dir(project))
        .env(CORPORA_VARIABLE, setup::corpora::ensure(project)?)
        .env("LEADSCRIBE_AXE", setup::axe::ensure(project)?)
        .env("LEADSCRIBE_WEBHOOK_VERIFIER", setup::verifier::ensure(project)?)
        .env("LEADSCRIBE_CLIENTS", clients::programs_dir(project))
        .env("LEADSCRIBE_CLIENTS_PYTHON", clients::python_dir(project))
        .env(models::FOLDER_VARIABLE, models::folder()?);
    test_failures::run(&tests)
}

fn test_args(args: &[&str], filter: &[OsString]) -> Vec<OsString> {
    let mut cargo_args: Vec<OsString> = vec!["test".into(), "--no-fail-fast".into()];
    cargo_args.extend(args.iter().map(OsString::from));
    cargo_args.push("--".into());
    cargo_args.extend_from_slice(filter);
    cargo_args
}
