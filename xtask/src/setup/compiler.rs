//! CMake and a C++ compiler, which build whisper.cpp into the program.

use std::env;

use anyhow::Result;

use super::apt;
use crate::project::find_program;

/// Finds or installs CMake and a C++ compiler. `CMAKE` and `CXX` name others.
pub fn ensure() -> Result<()> {
    apt::find_or_install(
        || is_installed().then_some(()),
        &["cmake", "make", "g++"],
        "CMake and a C++ compiler are needed to build whisper.cpp; install them",
    )
}

fn is_installed() -> bool {
    let is_variable_set = |variable: &str| env::var_os(variable).is_some_and(|value| !value.is_empty());
    let has_cmake = is_variable_set("CMAKE") || find_program(&["cmake"]).is_some();
    let has_generator = is_variable_set("CMAKE_GENERATOR") || find_program(&["make", "gmake"]).is_some();
    let has_compiler = is_variable_set("CXX") || find_program(&["c++", "g++", "clang++"]).is_some();
    has_cmake && has_generator && has_compiler
}
