//! slowhttptest: clients that send and read as slowly as possible.

use std::path::PathBuf;

use anyhow::{Context, Result};

use super::apt;
use crate::project::find_program;

const NAME: &str = "slowhttptest";

/// Finds or installs the program; returns its path.
pub fn ensure() -> Result<PathBuf> {
    if let Some(program) = find_program(&[NAME]) {
        return Ok(program);
    }
    if apt::is_available() {
        apt::install(&[NAME])?;
    }
    find_program(&[NAME]).context("slowhttptest is needed; install it")
}
