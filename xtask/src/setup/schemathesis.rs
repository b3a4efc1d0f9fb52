//! Schemathesis, which generates requests from the OpenAPI document and checks the responses against it.

use std::fs;
use std::path::PathBuf;

use anyhow::{Context, Result};
use duct::cmd;

use super::{apt, registry};
use crate::project::Project;

/// Package for pip.
const PACKAGE: &str = "schemathesis==4.32.5";

/// Installs it into a virtual environment in the target directory if missing; returns the program.
pub fn ensure(project: &Project) -> Result<PathBuf> {
    let folder = project.target_dir.join("schemathesis");
    let marker_file = folder.join("installed");
    if fs::read_to_string(&marker_file).ok().as_deref() != Some(PACKAGE) {
        let python = registry::python()?;
        let create_environment = || cmd!(&python, "-m", "venv", "--clear", &folder).stdout_to_stderr().run();
        // Debian's Python lacks the module for virtual environments.
        if create_environment().is_err() && apt::is_available() {
            apt::install(&["python3-venv"])?;
            create_environment().context("can't create a virtual environment")?;
        }
        let pip = folder.join("bin/pip");
        cmd!(pip, "install", "--quiet", "--disable-pip-version-check", PACKAGE)
            .stdout_to_stderr()
            .run()
            .with_context(|| format!("can't install {PACKAGE}"))?;
        fs::write(marker_file, PACKAGE)?;
    }
    Ok(folder.join("bin/st"))
}
