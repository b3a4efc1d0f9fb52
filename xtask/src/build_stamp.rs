//! Build stamps, which avoid rebuilding from unchanged inputs.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
use sha2::{Digest, Sha256};
use walkdir::WalkDir;

/// File that records the inputs and the output of a build.
pub struct BuildStamp {
    path: PathBuf,
    input_digest: String,
    output: PathBuf,
}

impl BuildStamp {
    /// Creates a stamp at `path` for a build from `inputs` (files and folders under `root`). `output` is a built file
    /// that changes whenever any other one does.
    pub fn new(path: PathBuf, root: &Path, inputs: &[&str], output: PathBuf) -> Result<Self> {
        Ok(Self { path, input_digest: digest_inputs(root, inputs)?, output })
    }

    /// True if the output exists and was built from exactly these inputs.
    pub fn is_up_to_date(&self) -> bool {
        let Ok(expected) = self.content() else { return false };
        fs::read_to_string(&self.path).is_ok_and(|stored| stored == expected)
    }

    /// Removes the stamp. Call before the build, so that an interrupted one doesn't pass as complete.
    pub fn remove(&self) -> Result<()> {
        match fs::remove_file(&self.path) {
            Err(error) if error.kind() != std::io::ErrorKind::NotFound => {
                Err(error).with_context(|| format!("can't remove {}", self.path.display()))
            }
            _ => Ok(()),
        }
    }

    /// Writes the stamp. Call after the build.
    pub fn write(&self) -> Result<()> {
        fs::write(&self.path, self.content()?).with_context(|| format!("can't write {}", self.path.display()))
    }

    /// Includes the output, because a target directory can outlive the checkout that filled it.
    fn content(&self) -> Result<String> {
        let output = fs::read(&self.output).with_context(|| format!("can't read {}", self.output.display()))?;
        Ok(format!("{} {}\n", self.input_digest, short_hash(&output)))
    }
}

/// Returns sixteen hexadecimal digits of SHA-256, enough to distinguish the versions of a file.
pub fn short_hash(bytes: &[u8]) -> String {
    hex(&Sha256::digest(bytes)[..8])
}

/// Returns the SHA-256 over names and contents, in the order of the names.
fn digest_inputs(root: &Path, inputs: &[&str]) -> Result<String> {
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

/// Skips build outputs in source folders, and hidden files such as those of editors.
fn is_source(entry: &walkdir::DirEntry) -> bool {
    let name = entry.file_name().to_string_lossy();
    !(name.starts_with('.') || name == "dist" || name == "node_modules")
}

/// Returns the bytes in hexadecimal.
pub fn hex(bytes: &[u8]) -> String {
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
        let new_stamp = || BuildStamp::new(root.join("stamp"), root, &["src"], root.join("out")).unwrap();

        assert!(!new_stamp().is_up_to_date());
        new_stamp().write().unwrap();
        assert!(new_stamp().is_up_to_date());

        fs::write(root.join("src/dist/b.js"), "built too").unwrap();
        assert!(new_stamp().is_up_to_date());

        fs::write(root.join("out"), "tampered").unwrap();
        assert!(!new_stamp().is_up_to_date());
        fs::write(root.join("out"), "built").unwrap();
        assert!(new_stamp().is_up_to_date());

        fs::rename(root.join("src/a.rs"), root.join("src/c.rs")).unwrap();
        assert!(!new_stamp().is_up_to_date());
        fs::remove_file(root.join("out")).unwrap();
        assert!(!new_stamp().is_up_to_date());
    }

    #[test]
    fn missing_input_is_an_error() {
        let dir = tempfile::tempdir().unwrap();
        let error = digest_inputs(dir.path(), &["web"]).unwrap_err();
        assert_eq!(error.to_string(), "can't list web");
    }
}
