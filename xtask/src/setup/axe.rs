//! axe-core: the accessibility rules for the panel's pages.

use std::path::PathBuf;

use anyhow::Result;

use super::npm;
use crate::project::Project;

/// Installs the locked version; returns the script to inject into a page.
pub fn ensure(project: &Project) -> Result<PathBuf> {
    let folder = npm::ensure(project, "tests/accessibility", "accessibility")?;
    Ok(folder.join("node_modules/axe-core/axe.min.js"))
}
