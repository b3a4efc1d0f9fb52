//! `cargo xtask torture fuzz`: each target of tests/fuzz for a while, on from what its earlier runs found.

use std::env;
use std::ffi::OsString;
use std::fs;
use std::path::Path;

use anyhow::Result;

use crate::project::Project;
use crate::report::Report;
use crate::setup;

const FOLDER: &str = "tests/fuzz";

/// Its targets.
const TARGETS: [&str; 6] = ["filter", "submission", "callback", "date", "csv", "recording"];

/// How long each target is run.
const SECONDS: u32 = 60;

/// Longest that one input may take, in seconds. What takes long with the instruments takes a twentieth of it without.
const PATIENCE: u32 = 20;

/// Most memory that a target may take, in MB.
const MEMORY: u32 = 1_024;

/// Runs the targets, or those that `named` names, one after the other.
pub fn run(project: &Project, named: &[OsString]) -> Result<()> {
    let programs = setup::fuzz::ensure(project)?;
    let mut report = Report::default();
    for target in TARGETS.into_iter().filter(|target| named.is_empty() || named.iter().any(|name| name == target)) {
        report.step(target, || run_one(project, &programs, target));
    }
    report.finish()
}

/// What a run finds goes into the target directory: the inputs of the project are those that were chosen.
fn run_one(project: &Project, programs: &Path, target: &str) -> Result<()> {
    let found = project.target.join("fuzz/corpus").join(target);
    fs::create_dir_all(&found)?;
    let mut args: Vec<OsString> =
        ["run", "nightly", "cargo", "fuzz", "run", "--fuzz-dir", FOLDER].map(Into::into).into();
    args.extend(["--target-dir".into(), project.target.join("fuzz").into_os_string(), target.into()]);
    args.extend([found.into_os_string(), format!("{FOLDER}/corpus/{target}").into(), "--".into()]);
    args.extend([format!("-max_total_time={SECONDS}").into(), format!("-timeout={PATIENCE}").into()]);
    args.extend([format!("-rss_limit_mb={MEMORY}").into(), "-print_final_stats=1".into()]);
    let path = env::var_os("PATH").unwrap_or_default();
    let path = env::join_paths([programs.to_owned()].into_iter().chain(env::split_paths(&path)))?;
    // Those of the compiler that runs this program would win over the nightly one's.
    project.command("rustup", args).env("PATH", path).env_remove("CARGO").env_remove("RUSTUP_TOOLCHAIN").run()?;
    Ok(())
}
