//! Tells cargo to rebuild the program when the embedded panel has changed.

use std::path::Path;

const PANEL: &str = "../web/dist";

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    // Cargo takes a folder that isn't there as changed each time; the one above it sees the panel appear.
    let watched = if Path::new(PANEL).is_dir() { PANEL } else { "../web" };
    println!("cargo::rerun-if-changed={watched}");
}
