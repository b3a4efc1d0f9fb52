//! npm library that verifies deliveries in the tests, as a recipient would.

use std::path::PathBuf;

use anyhow::Result;

use super::npm;
use crate::project::Project;

/// Installs the verifier with the locked version of its library; returns the folder.
pub fn ensure(project: &Project) -> Result<PathBuf> {
    npm::ensure(project, "tests/webhooks", "webhook-verifier")
}
