//! SQL by PostgreSQL's own client.

use std::path::Path;

use anyhow::{Context, Result};

use crate::programs::{Programs, run};
use crate::{BIN_DIR, bin_dir};

/// Runs a statement in the database at `url`, and gives what it answers: a line for each row, with `|` between columns.
/// Blocks.
///
/// # Errors
/// The client isn't there, the database can't be reached, or it refuses the statement.
pub fn sql(url: &str, statement: &str) -> Result<String> {
    let mut psql = Programs::new(&bin_dir().with_context(missing)?)?.command("psql", Path::new("/"));
    psql.args(["--no-psqlrc", "--no-align", "--tuples-only", "--quiet", "--set=ON_ERROR_STOP=1"]);
    let answer = run(psql.args(["--command", statement, url]))?;
    Ok(answer.trim_end().to_owned())
}

/// There is no server on this machine.
pub fn missing() -> String {
    format!("expected a PostgreSQL server on this machine; install it, or name the folder of its programs in {BIN_DIR}")
}
