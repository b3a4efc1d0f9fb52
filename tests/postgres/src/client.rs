//! Runs SQL with PostgreSQL's own client.

use std::path::Path;

use anyhow::{Context, Result};

use crate::programs::{Programs, run};
use crate::{BIN_DIR_VARIABLE, bin_dir};

/// Runs a statement in the database at `url` and returns its output: a line per row, with `|` between columns. Blocks.
///
/// # Errors
/// The client is missing, the database can't be reached, or it rejects the statement.
pub fn sql(url: &str, statement: &str) -> Result<String> {
    let mut psql = Programs::new(&bin_dir().with_context(missing_server_message)?)?.command("psql", Path::new("/"));
    psql.args(["--no-psqlrc", "--no-align", "--tuples-only", "--quiet", "--set=ON_ERROR_STOP=1"]);
    let output = run(psql.args(["--command", statement, url]))?;
    Ok(output.trim_end().to_owned())
}

/// Error text for a machine without a PostgreSQL server.
pub fn missing_server_message() -> String {
    format!("no PostgreSQL server is installed; install one, or set {BIN_DIR_VARIABLE} to the folder of its programs")
}
