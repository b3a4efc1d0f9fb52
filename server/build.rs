//! Tells cargo to rebuild the program when the embedded panel has changed.

use std::path::Path;

const PANEL: &str = "../web/dist";

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    // Cargo treats a missing folder as changed in every build. Until the panel is built, watch the folder above it.
    let watched = if Path::new(PANEL).is_dir() { PANEL } else { "../web" };
    println!("cargo::rerun-if-changed={watched}");
}
