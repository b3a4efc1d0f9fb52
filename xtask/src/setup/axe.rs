//! axe-core, the rules that the tests check the panel's pages with.

use std::path::PathBuf;

use anyhow::Result;

use super::npm;
use crate::project::Project;

/// Brings it, in the version of its lock file; gives the script that a page is checked with.
pub fn ensure(project: &Project) -> Result<PathBuf> {
    let folder = npm::ensure(project, "tests/accessibility", "accessibility")?;
    Ok(folder.join("node_modules/axe-core/axe.min.js"))
}
