//! Programs in `xtask/bench/store`, which use the product's store in process.

use std::path::PathBuf;

use anyhow::{Context, Result};

use crate::project::Project;

/// Builds the programs and returns their folder. They share build outputs with the product where possible.
pub fn build(project: &Project) -> Result<PathBuf> {
    let manifest = project.root.join("xtask/bench/store/Cargo.toml");
    eprintln!("building the programs that use the store; the first build compiles the server again and takes minutes");
    let args = ["build", "--release", "--locked", "--bins", "--manifest-path"].map(Into::into).into_iter();
    let args =
        args.chain([manifest.into_os_string(), "--target-dir".into(), project.target_dir.clone().into_os_string()]);
    project.cargo(args).run().context("can't build the programs that use the store")?;
    Ok(project.target_dir.join("release"))
}
