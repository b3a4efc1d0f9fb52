//! slowhttptest: clients that send and read as slowly as possible.

use std::path::PathBuf;

use anyhow::Result;

use super::apt;
use crate::project::find_program;

const PROGRAM_NAME: &str = "slowhttptest";

/// Finds or installs the program; returns its path.
pub fn ensure() -> Result<PathBuf> {
    apt::find_or_install(|| find_program(&[PROGRAM_NAME]), &[PROGRAM_NAME], "slowhttptest is missing; install it")
}
