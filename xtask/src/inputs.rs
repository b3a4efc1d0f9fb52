//! What a build was made from, so that it is not made again from the same.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
use sha2::{Digest, Sha256};
use walkdir::WalkDir;

/// Remembers in a file what something was built from, and what came out.
pub struct Stamp {
    path: PathBuf,
    inputs: String,
    output: PathBuf,
}

impl Stamp {
    /// A stamp at `path` for what is built from `inputs` (files and folders under `root`). `output` is a built file that
    /// changes whenever any other one does.
    pub fn new(path: PathBuf, root: &Path, inputs: &[&str], output: PathBuf) -> Result<Self> {
        Ok(Self { path, inputs: digest_of(root, inputs)?, output })
    }

    /// Whether the output stands there and was built from these very inputs.
    pub fn is_fresh(&self) -> bool {
        let Ok(expected) = self.line() else { return false };
        fs::read_to_string(&self.path).is_ok_and(|found| found == expected)
    }

    /// To be called before the build, so that one cut short doesn't pass for a complete one.
    pub fn clear(&self) -> Result<()> {
        match fs::remove_file(&self.path) {
            Err(error) if error.kind() != std::io::ErrorKind::NotFound => {
                Err(error).with_context(|| format!("can't remove {}", self.path.display()))
            }
            _ => Ok(()),
        }
    }

    /// To be called after the build.
    pub fn set(&self) -> Result<()> {
        fs::write(&self.path, self.line()?).with_context(|| format!("can't write {}", self.path.display()))
    }

    /// The output is part of it because a target directory can outlive the checkout that it was filled from.
    fn line(&self) -> Result<String> {
        let output = fs::read(&self.output).with_context(|| format!("can't read {}", self.output.display()))?;
        Ok(format!("{} {}\n", self.inputs, short_hash(&output)))
    }
}

/// Sixteen hexadecimal digits of SHA-256: enough to tell the versions of one file apart.
pub fn short_hash(bytes: &[u8]) -> String {
    hex(&Sha256::digest(bytes)[..8])
}

/// SHA-256 over names and contents, in the order of the names.
fn digest_of(root: &Path, inputs: &[&str]) -> Result<String> {
    let mut hasher = Sha256::new();
    for input in inputs {
        let files = WalkDir::new(root.join(input)).sort_by_file_name().into_iter().filter_entry(is_source);
        for entry in files {
            let entry = entry.with_context(|| format!("can't list {input}"))?;
            if !entry.file_type().is_file() {
                continue;
            }
            let content = fs::read(entry.path()).with_context(|| format!("can't read {}", entry.path().display()))?;
            let name = entry.path().strip_prefix(root)?.to_string_lossy();
            hasher.update((name.len() as u64).to_le_bytes());
            hasher.update(name.as_bytes());
            hasher.update((content.len() as u64).to_le_bytes());
            hasher.update(&content);
        }
    }
    Ok(hex(&hasher.finalize()))
}

/// Leaves out what is built into a source folder, and what an editor keeps there.
fn is_source(entry: &walkdir::DirEntry) -> bool {
    let name = entry.file_name().to_string_lossy();
    !(name.starts_with('.') || name == "dist" || name == "node_modules")
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fresh_until_an_input_or_the_output_changes() {
        let dir = tempfile::tempdir().unwrap();
        let root = dir.path();
        fs::create_dir_all(root.join("src/dist")).unwrap();
        fs::write(root.join("src/a.rs"), "one").unwrap();
        fs::write(root.join("out"), "built").unwrap();
        let stamp = || Stamp::new(root.join("stamp"), root, &["src"], root.join("out")).unwrap();

        assert!(!stamp().is_fresh());
        stamp().set().unwrap();
        assert!(stamp().is_fresh());

        fs::write(root.join("src/dist/b.js"), "built too").unwrap();
        assert!(stamp().is_fresh());

        fs::write(root.join("out"), "tampered").unwrap();
        assert!(!stamp().is_fresh());
        fs::write(root.join("out"), "built").unwrap();
        assert!(stamp().is_fresh());

        fs::rename(root.join("src/a.rs"), root.join("src/c.rs")).unwrap();
        assert!(!stamp().is_fresh());
        fs::remove_file(root.join("out")).unwrap();
        assert!(!stamp().is_fresh());
    }

    #[test]
    fn an_input_that_is_not_there_is_an_error() {
        let dir = tempfile::tempdir().unwrap();
        let error = digest_of(dir.path(), &["web"]).unwrap_err();
        assert_eq!(error.to_string(), "can't list web");
    }
}
