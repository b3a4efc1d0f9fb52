//! PostgreSQL server for the tests of its adapter and of the whole system.

use std::path::PathBuf;

use anyhow::Result;
use leadscribe_test_postgres::bin_dir;

use super::apt;

/// Finds or installs the server's programs; returns their folder. `LEADSCRIBE_POSTGRES_BIN` names another.
///
/// Debian's package also creates a server on the default port, which isn't used here.
pub fn ensure() -> Result<PathBuf> {
    apt::find_or_install(
        bin_dir,
        &["postgresql"],
        "PostgreSQL is missing; install it, or set LEADSCRIBE_POSTGRES_BIN to its bin folder",
    )
}
