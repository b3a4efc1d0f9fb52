//! Verifies model files by checksum.

use std::fs::File;
use std::io::{self, ErrorKind, Read};
use std::path::Path;

use sha2::{Digest, Sha256};

use super::catalog::{Model, Origin};

/// Size of the read buffer, in bytes.
const BUFFER_BYTES: usize = 1 << 20;

/// State of a model file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FileState {
    /// The file doesn't exist.
    Missing,
    /// The file is valid.
    Valid(Origin),
    /// The file is truncated or has other contents.
    Damaged,
}

/// Verifies the file of `model` in `folder`. Blocks for up to a second.
///
/// # Errors
/// The file exists but can't be read.
pub fn verify(model: &Model, folder: &Path) -> io::Result<FileState> {
    let mut file = match File::open(folder.join(model.file)) {
        Ok(file) => file,
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(FileState::Missing),
        Err(error) => return Err(error),
    };
    if file.metadata()?.len() != model.bytes {
        return Ok(FileState::Damaged);
    }
    let mut digest = Sha256::new();
    let mut buffer = vec![0; BUFFER_BYTES];
    loop {
        match file.read(&mut buffer)? {
            0 => break,
            read => digest.update(&buffer[..read]),
        }
    }
    let build = model.find_build(&to_hex(digest));
    Ok(build.map_or(FileState::Damaged, |build| FileState::Valid(build.origin)))
}

/// Formats a checksum as in the catalog.
pub(super) fn to_hex(digest: Sha256) -> String {
    digest.finalize().iter().map(|byte| format!("{byte:02x}")).collect()
}
