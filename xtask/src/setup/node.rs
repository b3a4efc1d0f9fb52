//! Node.js, which runs the tests of the engine's ES module.

use std::path::{Path, PathBuf};

use anyhow::Result;
use duct::cmd;

use super::apt;
use crate::project::find_program;

/// Oldest supported release, the first with `node --test`.
const MIN_MAJOR_VERSION: u32 = 18;

/// Finds or installs Node.js.
pub fn ensure() -> Result<PathBuf> {
    apt::find_or_install(find_node, &["nodejs"], "Node.js 18 or newer is missing from PATH; install it")
}

fn find_node() -> Option<PathBuf> {
    find_program(&["node", "nodejs"]).filter(|node| major_version(node).is_some_and(|major| major >= MIN_MAJOR_VERSION))
}

fn major_version(node: &Path) -> Option<u32> {
    let version = cmd!(node, "--version").read().ok()?;
    version.strip_prefix('v')?.split('.').next()?.parse().ok()
}
