//! Clients of package registries, for building models if their publisher can't be reached.

use std::path::PathBuf;

use anyhow::Result;
use duct::cmd;

use super::apt;
use crate::project::find_program;

/// Finds or installs npm.
pub fn npm() -> Result<PathBuf> {
    apt::find_or_install(|| find_program(&["npm"]), &["npm"], "npm is missing; install it")
}

/// Finds or installs a Python with pip.
pub fn python() -> Result<PathBuf> {
    apt::find_or_install(python_with_pip, &["python3-pip"], "Python 3 with pip is missing; install it")
}

fn python_with_pip() -> Option<PathBuf> {
    let python = find_program(&["python3"])?;
    let probe = cmd!(&python, "-m", "pip", "--version").stdout_null().stderr_null().unchecked().run().ok()?;
    probe.status.success().then_some(python)
}
