//! npm packages for tests and benchmarks, each with its files in a folder of the target directory.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};

use super::{node, registry};
use crate::project::Project;

/// Arguments of every npm call.
const QUIETLY: [&str; 3] = ["--ignore-scripts", "--no-audit", "--no-fund"];

/// Copies the files of the project's folder `source` into the folder `name` of the target directory and installs its
/// `package.json` there, in locked versions if it has a lock file. Returns the folder. Existing packages are kept.
pub fn ensure(project: &Project, source: &str, name: &str) -> Result<PathBuf> {
    node::ensure()?;
    let (source, folder) = (project.root.join(source), project.target.join(name));
    fs::create_dir_all(&folder)?;
    let list = if source.join("package-lock.json").exists() { "package-lock.json" } else { "package.json" };
    let installed = folder.join("node_modules/.installed");
    let wanted = fs::read(source.join(list)).with_context(|| format!("can't read {list} of {}", source.display()))?;
    copy_files(&source, &folder)?;
    if fs::read(&installed).ok().as_ref() != Some(&wanted) {
        let verb = if list == "package.json" { "install" } else { "ci" };
        let npm = registry::npm()?;
        let args = [verb].into_iter().chain(QUIETLY);
        duct::cmd(npm, args)
            .dir(&folder)
            .run()
            .with_context(|| format!("npm {verb} failed in {}", folder.display()))?;
        fs::write(installed, wanted)?;
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
