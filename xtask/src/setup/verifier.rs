//! The library of npm with which the tests verify deliveries, as whoever receives them would.

use std::path::PathBuf;

use anyhow::{Context, Result};
use duct::cmd;

use super::{node, registry};
use crate::project::Project;

/// The files in `tests/webhooks/`.
const FILES: [&str; 3] = ["package.json", "package-lock.json", "verify.mjs"];

/// Puts the verifier and its library, in the version of its lock file, into a folder; gives the folder.
pub fn ensure(project: &Project) -> Result<PathBuf> {
    node::ensure()?;
    let (source, folder) = (project.root.join("tests/webhooks"), project.target.join("webhook-verifier"));
    std::fs::create_dir_all(&folder)?;
    let read = |file: &str| std::fs::read(folder.join(file)).ok();
    let is_there = folder.join("node_modules").is_dir()
        && read("package-lock.json") == std::fs::read(source.join("package-lock.json")).ok();
    for file in FILES {
        std::fs::copy(source.join(file), folder.join(file)).with_context(|| format!("can't copy {file}"))?;
    }
    if !is_there {
        let npm = registry::npm()?;
        cmd!(npm, "ci", "--ignore-scripts", "--no-audit", "--no-fund").dir(&folder).run().context("npm ci failed")?;
    }
    Ok(folder)
}
