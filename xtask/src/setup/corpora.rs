//! The inputs that others have collected and the tests send: the big list of naughty strings and the JSONTestSuite.

use std::path::PathBuf;

use anyhow::Result;

use super::npm;
use crate::project::Project;

/// Brings them, in the versions of their lock file; gives the folder.
pub fn ensure(project: &Project) -> Result<PathBuf> {
    npm::ensure(project, "tests/api/corpora", "corpora")
}
