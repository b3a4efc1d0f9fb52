//! slowhttptest: clients that send and read as slowly as they can.

use std::path::PathBuf;

use anyhow::{Context, Result};

use super::apt;
use crate::project::find_program;

const NAME: &str = "slowhttptest";

/// Finds the program, or installs it; gives its path.
pub fn ensure() -> Result<PathBuf> {
    if let Some(program) = find_program(&[NAME]) {
        return Ok(program);
    }
    if apt::is_available() {
        apt::install(&[NAME])?;
    }
    find_program(&[NAME]).context("slowhttptest is needed; install it")
}
