//! slowhttptest: clients that send and read as slowly as possible.

use std::path::PathBuf;

use anyhow::{Context, Result};

use super::apt;
use crate::project::find_program;

const PROGRAM_NAME: &str = "slowhttptest";

/// Finds or installs the program; returns its path.
pub fn ensure() -> Result<PathBuf> {
    if let Some(program) = find_program(&[PROGRAM_NAME]) {
        return Ok(program);
    }
    if apt::is_available() {
        apt::install(&[PROGRAM_NAME])?;
    }
    find_program(&[PROGRAM_NAME]).context("slowhttptest is missing; install it")
}
