//! PostgreSQL server for the tests of its adapter and of the whole system.

use std::path::PathBuf;

use anyhow::{Result, bail};
use leadscribe_test_postgres::{BIN_DIR_VARIABLE, bin_dir};

use super::apt;

/// Finds or installs the server's programs; returns their folder. `LEADSCRIBE_POSTGRES_BIN` names another.
///
/// Debian's package also creates a server on the default port, which isn't used here.
pub fn ensure() -> Result<PathBuf> {
    if let Some(dir) = bin_dir() {
        return Ok(dir);
    }
    if apt::is_available() {
        apt::install(&["postgresql"])?;
    }
    match bin_dir() {
        Some(dir) => Ok(dir),
        None => {
            bail!("PostgreSQL is missing; install it, or set {BIN_DIR_VARIABLE} to its bin folder")
        }
    }
}
