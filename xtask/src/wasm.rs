//! Compiles a crate to WebAssembly and writes the JavaScript that loads it.
//!
//! wasm-bindgen is called as a library: Cargo.lock pins it to the version that the crates are compiled with, and there is
//! no tool to install.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
use wasm_bindgen_cli_support::Bindgen;

use crate::project::Project;
use crate::setup;

/// What to compile.
pub enum Unit {
    /// The panel's program.
    Panel,
    /// The engine with its JavaScript face.
    Engine,
}

/// Who will load the module.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Loader {
    /// An ES module with an `init` function that fetches the WebAssembly.
    Browser,
    /// An ES module that reads the WebAssembly from beside itself while it is imported.
    Node,
}

/// Compiles `unit`, and installs a compiler for it if there is none.
pub fn compile(project: &Project, unit: &Unit) -> Result<PathBuf> {
    let toolchain = setup::wasm::ensure(project)?;
    let (command, args, file): (_, &[&str], _) = match unit {
        Unit::Panel => ("build", &["--package", "leadscribe-web", "--bin", "leadscribe-web"], "leadscribe-web.wasm"),
        // The engine is a library; only here it becomes a module that can stand alone.
        Unit::Engine => (
            "rustc",
            &["--package", "leadscribe-engine", "--lib", "--crate-type", "cdylib", "--features", "js"],
            "leadscribe_engine.wasm",
        ),
    };
    let target_dir = project.target.join("wasm");
    toolchain.cargo(project, command, args, &target_dir).run().context("can't compile to WebAssembly")?;
    Ok(target_dir.join(setup::wasm::TARGET).join("wasm").join(file))
}

/// Writes `<name>.js` and `<name>_bg.wasm` for the compiled `module` into a new folder `out_dir`; for Node and for
/// integrators also `<name>.d.ts`.
pub fn bind(module: &Path, name: &str, loader: Loader, typescript: bool, out_dir: &Path) -> Result<()> {
    if out_dir.exists() {
        fs::remove_dir_all(out_dir).with_context(|| format!("can't empty {}", out_dir.display()))?;
    }
    let mut bindgen = Bindgen::new();
    bindgen.input_path(module).out_name(name).typescript(typescript);
    bindgen.remove_name_section(true).remove_producers_section(true);
    match loader {
        // Without arguments, `init` looks beside the script.
        Loader::Browser => bindgen.web(true)?.omit_default_module_path(false),
        Loader::Node => bindgen.nodejs_module(true)?,
    };
    bindgen.generate(out_dir).with_context(|| format!("can't write the JavaScript for {}", module.display()))
}
