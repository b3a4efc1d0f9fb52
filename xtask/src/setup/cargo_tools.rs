//! Cargo subcommands from crates.io, installed in the target directory.

use std::path::PathBuf;

use anyhow::{Context, Result};
use duct::cmd;

use crate::project::Project;

/// Installs this version unless it exists; returns the folder of the program.
pub fn ensure(project: &Project, name: &str, version: &str) -> Result<PathBuf> {
    let root = project.target_dir.join("tools");
    let programs = root.join("bin");
    let version_command =
        cmd!(programs.join(name), name.trim_start_matches("cargo-"), "--version").stderr_null().unchecked();
    if version_command.read().ok().is_none_or(|output| !output.ends_with(&format!(" {version}"))) {
        let args = ["install", name, "--locked", "--force", "--version", version, "--root"].map(Into::into);
        let install = project.cargo(args.into_iter().chain([root.into_os_string()]));
        install.run().with_context(|| format!("can't install {name}"))?;
    }
    Ok(programs)
}
