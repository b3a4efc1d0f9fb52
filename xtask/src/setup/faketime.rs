//! libfaketime, with which a trial sets the clock of one program.

use std::path::PathBuf;

use anyhow::{Result, bail};

use super::apt;

/// The environment variable that names the library.
pub const LIBRARY: &str = "LEADSCRIBE_FAKETIME";

/// Where the library is, for programs with threads, below the folders of libraries.
const NAME: &str = "faketime/libfaketimeMT.so.1";

/// Finds the library, or installs it. `LEADSCRIBE_FAKETIME` names another.
pub fn ensure() -> Result<PathBuf> {
    if let Some(library) = find() {
        return Ok(library);
    }
    if apt::is_available() {
        apt::install(&["libfaketime"])?;
    }
    match find() {
        Some(library) => Ok(library),
        None => bail!("libfaketime is needed; install it, or name its library for threads in {LIBRARY}"),
    }
}

fn find() -> Option<PathBuf> {
    if let Some(named) = std::env::var_os(LIBRARY).filter(|named| !named.is_empty()) {
        return Some(named.into());
    }
    let multiarch = format!("/usr/lib/{}-linux-gnu", std::env::consts::ARCH);
    [multiarch.as_str(), "/usr/lib64", "/usr/lib", "/usr/local/lib"]
        .into_iter()
        .map(|folder| PathBuf::from(folder).join(NAME))
        .find(|library| library.is_file())
}
