//! Virtual environments for Python packages, each in a folder of the target directory.

use std::fs;
use std::path::PathBuf;

use anyhow::{Context, Result};
use duct::cmd;

use super::{apt, registry};
use crate::project::Project;

/// Returns the folder with the programs of the environment `name`.
pub fn programs_dir(project: &Project, name: &str) -> PathBuf {
    project.target_dir.join(name).join("bin")
}

/// Installs `packages`, arguments for `pip install`, into the environment `name` unless they are installed already.
/// Returns the folder with its programs.
pub fn ensure(project: &Project, name: &str, packages: &[&str]) -> Result<PathBuf> {
    let folder = project.target_dir.join(name);
    let (programs, marker_file) = (programs_dir(project, name), folder.join("installed"));
    let package_list = packages.join("\n");
    if fs::read_to_string(&marker_file).ok().as_ref() != Some(&package_list) {
        let python = registry::python()?;
        let create_environment = || cmd!(&python, "-m", "venv", "--clear", &folder).stdout_to_stderr().run();
        // Debian's Python lacks the module for virtual environments.
        if create_environment().is_err() && apt::is_available() {
            apt::install(&["python3-venv"])?;
            create_environment().context("can't create a virtual environment")?;
        }
        let args = ["install", "--quiet", "--disable-pip-version-check"].into_iter().chain(packages.iter().copied());
        cmd(programs.join("pip"), args)
            .stdout_to_stderr()
            .run()
            .with_context(|| format!("can't install {}", packages.join(" ")))?;
        fs::write(marker_file, package_list)?;
    }
    Ok(programs)
}
