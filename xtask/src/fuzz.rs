//! `cargo xtask torture fuzz`: runs each target of tests/fuzz for a while, starting from earlier findings.

use std::env;
use std::ffi::OsString;
use std::fs;
use std::path::Path;

use anyhow::Result;

use crate::project::Project;
use crate::report::Report;
use crate::setup;

const FOLDER: &str = "tests/fuzz";

/// Fuzz targets.
const TARGETS: [&str; 6] = ["filter", "submission", "callback", "date", "csv", "recording"];

/// Seconds per target.
const SECONDS: u32 = 60;

/// Time limit per input in seconds. Instrumentation makes an input about twenty times slower.
const PATIENCE: u32 = 20;

/// Memory limit of a target in MB.
const MEMORY: u32 = 1_024;

/// Runs the targets, or those in `named`, one after the other.
pub fn run(project: &Project, named: &[OsString]) -> Result<()> {
    let programs = setup::fuzz::ensure(project)?;
    let mut report = Report::default();
    for target in TARGETS.into_iter().filter(|target| named.is_empty() || named.iter().any(|name| name == target)) {
        report.step(target, || run_one(project, &programs, target));
    }
    report.finish()
}

/// New inputs go into the target directory; the project's corpus is curated.
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
    // Otherwise the toolchain that runs this program would take precedence over the nightly one.
    project.command("rustup", args).env("PATH", path).env_remove("CARGO").env_remove("RUSTUP_TOOLCHAIN").run()?;
    Ok(())
}
