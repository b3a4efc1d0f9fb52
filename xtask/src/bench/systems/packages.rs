//! The peers' packages from PyPI and npm, each in its own folder that is kept for the next run.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
use duct::cmd;

use crate::project::Project;
use crate::setup;

/// Installs the `requirements.txt` of a peer into a virtual environment; returns the folder of its programs.
pub fn install_python(project: &Project, peer: &str) -> Result<PathBuf> {
    let (source, folder) = folders(project, peer);
    let programs = folder.join("bin");
    if !is_installed(&source, &folder, "requirements.txt") {
        println!("installing {peer} from PyPI");
        let python = setup::registry::python()?;
        cmd!(python, "-m", "venv", &folder).stdout_null().run().context("can't create a virtual environment")?;
        let requirements = source.join("requirements.txt");
        cmd!(programs.join("pip"), "install", "--quiet", "--disable-pip-version-check", "--requirement", requirements)
            .stdout_null()
            .run()
            .context("pip failed")?;
        mark_installed(&source, &folder, "requirements.txt")?;
    }
    Ok(programs)
}

/// Installs the `package.json` of a peer, and builds its `native` packages; returns the folder with `node_modules`.
pub fn install_node(project: &Project, peer: &str, native: &[&str]) -> Result<PathBuf> {
    setup::node::ensure()?;
    let (source, folder) = folders(project, peer);
    if !is_installed(&source, &folder, "package.json") {
        println!("installing {peer} from npm");
        let npm = setup::registry::npm()?;
        fs::create_dir_all(&folder)?;
        let package_json = fs::read(source.join("package.json"))?;
        fs::write(folder.join("package.json"), package_json)?;
        cmd!(&npm, "install", "--ignore-scripts", "--no-audit", "--no-fund", "--silent")
            .dir(&folder)
            .stdout_null()
            .run()
            .context("npm install failed")?;
        if !native.is_empty() {
            let args = ["rebuild", "--silent"].iter().chain(native);
            duct::cmd(&npm, args).dir(&folder).stdout_null().run().context("npm rebuild failed")?;
        }
        mark_installed(&source, &folder, "package.json")?;
    }
    Ok(folder)
}

/// Returns the folder with the peer's own files.
pub fn source_dir(project: &Project, peer: &str) -> PathBuf {
    project.root.join("xtask/bench/peers").join(peer)
}

fn folders(project: &Project, peer: &str) -> (PathBuf, PathBuf) {
    (source_dir(project, peer), project.target_dir.join("bench/peers").join(peer))
}

/// True after a complete installation, which leaves a copy of the list of packages.
fn is_installed(source: &Path, folder: &Path, package_file: &str) -> bool {
    let read = |path: PathBuf| fs::read(path).ok();
    let installed = read(folder.join(installed_name(package_file)));
    installed.is_some() && installed == read(source.join(package_file))
}

fn mark_installed(source: &Path, folder: &Path, package_file: &str) -> Result<()> {
    fs::copy(source.join(package_file), folder.join(installed_name(package_file)))?;
    Ok(())
}

fn installed_name(package_file: &str) -> String {
    format!("installed-{package_file}")
}
