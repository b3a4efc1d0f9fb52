//! `cargo xtask torture mutants`: the share of cargo-mutants' mutations that the tests catch.

use std::ffi::OsString;
use std::fs;
use std::io;

use anyhow::{Context, Result, ensure};
use serde::Deserialize;

use crate::project::Project;
use crate::report::Report;
use crate::setup::cargo_tools;

/// Version on crates.io.
const CARGO_MUTANTS_VERSION: &str = "27.1.0";

/// Minimum share of caught mutants.
const MIN_CAUGHT_SHARE: f64 = 0.95;

/// Unit of a run: a package, its files, and the relevant tests.
struct Subject {
    /// Also the name of its folder in the target directory.
    name: &'static str,
    package: &'static str,
    files: &'static [&'static str],
    excluded_files: &'static [&'static str],
    /// Arguments of `cargo test`.
    tests: &'static [&'static str],
}

const SUBJECTS: [Subject; 3] = [
    Subject {
        name: "engine",
        package: "leadscribe-engine",
        files: &["engine/src/filter/**", "engine/src/submission/**", "engine/src/callable/**"],
        // Test helpers, and definitions of the OpenAPI document, which Schemathesis checks against the whole server.
        excluded_files: &["engine/src/filter/testing.rs", "engine/src/*/schema.rs"],
        tests: &[],
    },
    Subject {
        name: "address-guard",
        package: "leadscribe-server",
        files: &[
            "server/src/webhook/address_guard.rs",
            "server/src/webhook/resolver.rs",
            "server/src/webhook/callback_url.rs",
        ],
        excluded_files: &[],
        tests: &["--lib", "webhook::"],
    },
    Subject {
        name: "lease",
        package: "leadscribe-server",
        files: &["server/src/storage/sql/queue.rs", "server/src/worker/runner.rs", "server/src/clock_watch.rs"],
        excluded_files: &[],
        tests: &["--lib", "--", "storage::sqlite::", "worker::", "clock_watch::"],
    },
];

/// Result file of cargo-mutants. Mutants that don't compile don't count.
#[derive(Deserialize)]
struct Outcome {
    caught: usize,
    missed: usize,
    /// Hanging tests count as failed.
    timeout: usize,
}

/// Tests each subject. `args` go to cargo-mutants, such as `--shard 0/8` for an eighth of the mutants.
pub fn run(project: &Project, args: &[OsString]) -> Result<()> {
    let programs = cargo_tools::ensure(project, "cargo-mutants", CARGO_MUTANTS_VERSION)?;
    let mut report = Report::default();
    for subject in &SUBJECTS {
        report.run_step(subject.name, || {
            let folder = project.target_dir.join("mutants").join(subject.name);
            match fs::remove_dir_all(folder.join("mutants.out")) {
                Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(error.into()),
                _ => fs::create_dir_all(&folder)?,
            }
            let mut mutants_args: Vec<OsString> =
                ["mutants", "--package", subject.package, "--no-times", "--colors", "never"].map(Into::into).into();
            mutants_args.extend(subject.files.iter().flat_map(|file| ["--file".into(), file.into()]));
            mutants_args.extend(subject.excluded_files.iter().flat_map(|file| ["--exclude".into(), file.into()]));
            mutants_args.extend(["--output".into(), folder.clone().into_os_string()]);
            mutants_args.extend(args.iter().cloned());
            mutants_args.push("--".into());
            mutants_args.extend(subject.tests.iter().map(Into::into));
            // Build outputs are kept for the next run. cargo-mutants fails if any mutant is missed.
            let target = project.target_dir.join("mutants/target");
            project
                .command(programs.join("cargo-mutants"), mutants_args)
                .env("CARGO_TARGET_DIR", target)
                .unchecked()
                .run()?;
            check_outcomes(
                &fs::read_to_string(folder.join("mutants.out/outcomes.json")).context("no mutants were tested")?,
            )
        });
    }
    report.finish()
}

fn check_outcomes(outcomes: &str) -> Result<()> {
    let Outcome { caught, missed, timeout } = serde_json::from_str(outcomes)?;
    let (caught, total) = (caught + timeout, caught + timeout + missed);
    println!("measured: {caught} of {total} mutants caught");
    ensure!(
        total > 0 && caught as f64 >= MIN_CAUGHT_SHARE * total as f64,
        "the tests miss {missed} of {total} mutants"
    );
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::check_outcomes;

    #[test]
    fn one_mutant_in_twenty_may_be_missed() {
        let outcome_file = |caught, missed, timeout| {
            format!(r#"{{"total_mutants":40,"caught":{caught},"missed":{missed},"timeout":{timeout},"unviable":20}}"#)
        };
        assert!(check_outcomes(&outcome_file(18, 1, 1)).is_ok());
        assert!(check_outcomes(&outcome_file(17, 2, 1)).is_err());
        assert!(check_outcomes(&outcome_file(0, 0, 0)).is_err(), "no mutants were tested");
    }
}
