//! Nightly compiler and cargo-fuzz for the targets of tests/fuzz.

use std::path::PathBuf;

use anyhow::{Context, Result};
use duct::cmd;

use super::cargo_tools;
use crate::project::{Project, find_program};

/// Version on crates.io.
const CARGO_FUZZ_VERSION: &str = "0.13.2";

/// Finds or installs both; returns the folder of cargo-fuzz.
pub fn ensure(project: &Project) -> Result<PathBuf> {
    let rustup = find_program(&["rustup"]).context("fuzzing needs a nightly compiler; install rustup")?;
    let probe = cmd!(&rustup, "run", "nightly", "cargo", "--version").stdout_null().stderr_null().unchecked().run()?;
    if !probe.status.success() {
        cmd!(&rustup, "toolchain", "install", "nightly", "--profile", "minimal")
            .run()
            .context("can't install the nightly compiler")?;
    }
    cargo_tools::ensure(project, "cargo-fuzz", CARGO_FUZZ_VERSION)
}
