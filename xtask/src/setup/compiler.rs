//! CMake and a C++ compiler, which build whisper.cpp into the program.

use std::env;

use anyhow::{Result, bail};

use super::apt;
use crate::project::find_program;

/// Finds or installs CMake and a C++ compiler. `CMAKE` and `CXX` name others.
pub fn ensure() -> Result<()> {
    if is_there() {
        return Ok(());
    }
    if apt::is_available() {
        apt::install(&["cmake", "make", "g++"])?;
    }
    if is_there() {
        return Ok(());
    }
    bail!("CMake and a C++ compiler are needed to build whisper.cpp; install them")
}

fn is_there() -> bool {
    let named = |variable: &str| env::var_os(variable).is_some_and(|value| !value.is_empty());
    let cmake = named("CMAKE") || find_program(&["cmake"]).is_some();
    let generator = named("CMAKE_GENERATOR") || find_program(&["make", "gmake"]).is_some();
    let compiler = named("CXX") || find_program(&["c++", "g++", "clang++"]).is_some();
    cmake && generator && compiler
}
