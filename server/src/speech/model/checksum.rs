//! What a file in the folder of the models is, by its checksum.

use std::fs::File;
use std::io::{self, ErrorKind, Read};
use std::path::Path;

use sha2::{Digest, Sha256};

use super::catalogue::{Model, Origin};

/// How much is read at once.
const BUFFER_BYTES: usize = 1 << 20;

/// What the file of a model is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Contents {
    /// There is none.
    Missing,
    /// It is the model.
    Good(Origin),
    /// It is something else, or cut short.
    Damaged,
}

/// Reads the file of `model` in `folder`. Blocks, for up to a second.
///
/// # Errors
/// It is there and can't be read.
pub fn contents(model: &Model, folder: &Path) -> io::Result<Contents> {
    let mut file = match File::open(folder.join(model.file)) {
        Ok(file) => file,
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(Contents::Missing),
        Err(error) => return Err(error),
    };
    if file.metadata()?.len() != model.bytes {
        return Ok(Contents::Damaged);
    }
    let mut digest = Sha256::new();
    let mut buffer = vec![0; BUFFER_BYTES];
    loop {
        match file.read(&mut buffer)? {
            0 => break,
            read => digest.update(&buffer[..read]),
        }
    }
    let build = model.build(&in_hexadecimal(digest));
    Ok(build.map_or(Contents::Damaged, |build| Contents::Good(build.origin)))
}

/// The sum as catalogues write it.
pub(super) fn in_hexadecimal(digest: Sha256) -> String {
    digest.finalize().iter().map(|byte| format!("{byte:02x}")).collect()
}
