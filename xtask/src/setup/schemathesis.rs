//! Schemathesis, which generates requests from the OpenAPI document and checks the responses against it.

use std::path::PathBuf;

use anyhow::Result;

use super::python;
use crate::project::Project;

/// Installs it if missing; returns the program.
pub fn ensure(project: &Project) -> Result<PathBuf> {
    Ok(python::ensure(project, "schemathesis", &["schemathesis==4.32.5"])?.join("st"))
}
