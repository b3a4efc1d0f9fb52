//! Node.js, which runs the tests of the engine's ES module.

use std::path::{Path, PathBuf};

use anyhow::{Result, bail};
use duct::cmd;

use super::apt;
use crate::project::find_program;

/// Oldest supported release, the first with `node --test`.
const MIN_MAJOR_VERSION: u32 = 18;

/// Finds or installs Node.js.
pub fn ensure() -> Result<PathBuf> {
    if let Some(node) = find_node() {
        return Ok(node);
    }
    if apt::is_available() {
        apt::install(&["nodejs"])?;
    }
    match find_node() {
        Some(node) => Ok(node),
        None => bail!("Node.js {MIN_MAJOR_VERSION} or newer is missing from PATH; install it"),
    }
}

fn find_node() -> Option<PathBuf> {
    find_program(&["node", "nodejs"]).filter(|node| major_version(node).is_some_and(|major| major >= MIN_MAJOR_VERSION))
}

fn major_version(node: &Path) -> Option<u32> {
    let version = cmd!(node, "--version").read().ok()?;
    version.strip_prefix('v')?.split('.').next()?.parse().ok()
}
