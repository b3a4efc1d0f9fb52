//! npm packages for tests and benchmarks, each with its files in a folder of the target directory.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};

use super::{node, registry};
use crate::project::Project;

/// Arguments of every npm call.
const COMMON_ARGS: [&str; 3] = ["--ignore-scripts", "--no-audit", "--no-fund"];

/// Copies the files of the project's folder `source` into the folder `name` of the target directory and installs its
/// `package.json` there, in locked versions if it has a lock file. Returns the folder. Existing packages are kept.
pub fn ensure(project: &Project, source: &str, name: &str) -> Result<PathBuf> {
    node::ensure()?;
    let (source, folder) = (project.root.join(source), project.target_dir.join(name));
    fs::create_dir_all(&folder)?;
    let package_file = if source.join("package-lock.json").exists() { "package-lock.json" } else { "package.json" };
    let marker_file = folder.join("node_modules/.installed");
    let package_list = fs::read(source.join(package_file))
        .with_context(|| format!("can't read {package_file} of {}", source.display()))?;
    copy_files(&source, &folder)?;
    if fs::read(&marker_file).ok().as_ref() != Some(&package_list) {
        let subcommand = if package_file == "package.json" { "install" } else { "ci" };
        let npm = registry::npm()?;
        let args = [subcommand].into_iter().chain(COMMON_ARGS);
        duct::cmd(npm, args)
            .dir(&folder)
            .run()
            .with_context(|| format!("npm {subcommand} failed in {}", folder.display()))?;
        fs::write(marker_file, package_list)?;
    }
    Ok(folder)
}

fn copy_files(source: &Path, folder: &Path) -> Result<()> {
    for entry in fs::read_dir(source)? {
        let path = entry?.path();
        if let Some(name) = path.file_name().filter(|_| path.is_file()) {
            fs::copy(&path, folder.join(name)).with_context(|| format!("can't copy {}", path.display()))?;
        }
    }
    Ok(())
}
