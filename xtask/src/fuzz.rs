//! `cargo xtask torture fuzz`: runs each target of tests/fuzz for a while, starting from the inputs of earlier runs.

use std::env;
use std::ffi::OsString;
use std::fs;
use std::path::Path;

use anyhow::Result;

use crate::project::Project;
use crate::report::Report;
use crate::setup;

const FUZZ_DIR: &str = "tests/fuzz";

/// Fuzz targets.
const TARGETS: [&str; 6] = ["filter", "submission", "callback", "date", "csv", "recording"];

const SECONDS_PER_TARGET: u32 = 60;

/// Time limit per input in seconds. Instrumentation makes an input about twenty times slower.
const INPUT_TIMEOUT_SECONDS: u32 = 20;

/// Memory limit of a target in MB.
const MEMORY_LIMIT_MB: u32 = 1_024;

/// Runs the targets, or those in `selected`, one after the other.
pub fn run(project: &Project, selected: &[OsString]) -> Result<()> {
    let programs = setup::fuzz::ensure(project)?;
    let mut report = Report::default();
    for target in TARGETS.into_iter().filter(|target| selected.is_empty() || selected.iter().any(|name| name == target))
    {
        report.run_step(target, || run_target(project, &programs, target));
    }
    report.finish()
}

/// New inputs go into the target directory; the project's corpus is curated.
fn run_target(project: &Project, programs: &Path, target: &str) -> Result<()> {
    let corpus_dir = project.target_dir.join("fuzz/corpus").join(target);
    fs::create_dir_all(&corpus_dir)?;
    let mut args: Vec<OsString> =
        ["run", "nightly", "cargo", "fuzz", "run", "--fuzz-dir", FUZZ_DIR].map(Into::into).into();
    args.extend(["--target-dir".into(), project.target_dir.join("fuzz").into_os_string(), target.into()]);
    args.extend([corpus_dir.into_os_string(), format!("{FUZZ_DIR}/corpus/{target}").into(), "--".into()]);
    args.extend([
        format!("-max_total_time={SECONDS_PER_TARGET}").into(),
        format!("-timeout={INPUT_TIMEOUT_SECONDS}").into(),
    ]);
    args.extend([format!("-rss_limit_mb={MEMORY_LIMIT_MB}").into(), "-print_final_stats=1".into()]);
    let path = env::var_os("PATH").unwrap_or_default();
    let path = env::join_paths([programs.to_owned()].into_iter().chain(env::split_paths(&path)))?;
    // Otherwise the toolchain that runs this program would take precedence over the nightly one.
    project.command("rustup", args).env("PATH", path).env_remove("CARGO").env_remove("RUSTUP_TOOLCHAIN").run()?;
    Ok(())
}
