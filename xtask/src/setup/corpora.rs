//! Public test corpora: the big list of naughty strings and the JSONTestSuite.

use std::path::PathBuf;

use anyhow::Result;

use super::npm;
use crate::project::Project;

/// Installs the locked versions; returns the folder.
pub fn ensure(project: &Project) -> Result<PathBuf> {
    npm::ensure(project, "tests/api/corpora", "corpora")
}
