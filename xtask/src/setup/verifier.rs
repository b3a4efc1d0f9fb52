//! The library of npm with which the tests verify deliveries, as whoever receives them would.

use std::path::PathBuf;

use anyhow::Result;

use super::npm;
use crate::project::Project;

/// Puts the verifier and its library, in the version of its lock file, into a folder; gives the folder.
pub fn ensure(project: &Project) -> Result<PathBuf> {
    npm::ensure(project, "tests/webhooks", "webhook-verifier")
}
