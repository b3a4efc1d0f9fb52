//! libfaketime, which sets the clock of a single program.

use std::path::PathBuf;

use anyhow::Result;

use super::apt;

/// Environment variable with the path of the library.
pub const LIBRARY_VARIABLE: &str = "LEADSCRIBE_FAKETIME";

/// Path of the multi-threaded library below the library folders.
const LIBRARY_PATH: &str = "faketime/libfaketimeMT.so.1";

/// Finds or installs the library. `LEADSCRIBE_FAKETIME` names another.
pub fn ensure() -> Result<PathBuf> {
    apt::find_or_install(
        find_library,
        &["libfaketime"],
        "libfaketime is missing; install it, or set LEADSCRIBE_FAKETIME to its multithreaded library",
    )
}

fn find_library() -> Option<PathBuf> {
    if let Some(path) = std::env::var_os(LIBRARY_VARIABLE).filter(|path| !path.is_empty()) {
        return Some(path.into());
    }
    let multiarch = format!("/usr/lib/{}-linux-gnu", std::env::consts::ARCH);
    [multiarch.as_str(), "/usr/lib64", "/usr/lib", "/usr/local/lib"]
        .into_iter()
        .map(|folder| PathBuf::from(folder).join(LIBRARY_PATH))
        .find(|library| library.is_file())
}
