//! The project's folders, and commands that run in them.

use std::env;
use std::ffi::OsString;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
use duct::Expression;

/// Workspace and its target directory.
pub struct Project {
    /// Folder of the workspace's Cargo.toml.
    pub root: PathBuf,
    /// Cargo's target directory, as set by the environment or a configuration file.
    pub target_dir: PathBuf,
}

impl Project {
    /// Finds the workspace that this program was started from.
    pub fn locate() -> Result<Self> {
        // Read at run time first: two checkouts with a shared target directory share one xtask.
        let manifest_dir = env::var_os("CARGO_MANIFEST_DIR").unwrap_or_else(|| env!("CARGO_MANIFEST_DIR").into());
        let root =
            Path::new(&manifest_dir).parent().context("xtask must lie in a folder of the workspace")?.to_path_buf();
        let metadata = duct::cmd(cargo(), ["metadata", "--no-deps", "--format-version", "1"]).dir(&root).read()?;
        let metadata: serde_json::Value = serde_json::from_str(&metadata)?;
        let target = metadata["target_directory"].as_str().context("cargo metadata names no target directory")?.into();
        Ok(Self { root, target_dir: target })
    }

    /// Returns a command that runs the user's cargo in the workspace.
    pub fn cargo<A: Into<OsString>>(&self, args: impl IntoIterator<Item = A>) -> Expression {
        self.command(cargo(), args)
    }

    /// Returns a command that runs in the workspace, without the variables that `cargo run` sets for xtask.
    pub fn command<A: Into<OsString>>(
        &self,
        program: impl Into<OsString>,
        args: impl IntoIterator<Item = A>,
    ) -> Expression {
        // Otherwise build scripts that watch these variables would run again whenever `cargo build` and `cargo xtask
        // build` alternate.
        env::vars_os()
            .map(|(name, _)| name)
            .filter(|name| {
                let name = name.to_string_lossy();
                name.starts_with("CARGO_PKG_") || name.starts_with("CARGO_MANIFEST_")
            })
            .fold(duct::cmd(program.into(), args).dir(&self.root), |command, name| command.env_remove(name))
    }

    /// Returns the path of the program built by `cargo build` for `profile` ("debug" or "release").
    pub fn program_path(&self, profile: &str) -> PathBuf {
        self.target_dir.join(profile).join(format!("leadscribe{}", env::consts::EXE_SUFFIX))
    }
}

/// Returns the cargo that runs this program, else the first one on the path.
pub fn cargo() -> OsString {
    env::var_os("CARGO").unwrap_or_else(|| "cargo".into())
}

/// Returns the first program on the path that has one of `names`.
pub fn find_program(names: &[&str]) -> Option<PathBuf> {
    let path = env::var_os("PATH")?;
    names
        .iter()
        .find_map(|name| env::split_paths(&path).map(|dir| dir.join(name)).find(|candidate| candidate.is_file()))
}
