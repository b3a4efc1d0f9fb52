//! Compiles a crate to WebAssembly, parts it, and writes the JavaScript that loads it.
//!
//! wasm-bindgen and wasm-split are called as libraries: Cargo.lock pins them to the versions that the crates are compiled
//! with, and there is no tool to install.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, anyhow};
use wasm_bindgen_cli_support::Bindgen;
use wasm_encoder::RawSection;
use wasmparser::Parser;

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
        // Without the linker's relocations it could not be parted.
        Unit::Panel => (
            "rustc",
            &["--package", "leadscribe-web", "--bin", "leadscribe-web", "--", "-Clink-arg=--emit-relocs"],
            "leadscribe-web.wasm",
        ),
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
    empty(out_dir)?;
    let mut bindgen = Bindgen::new();
    bindgen.input_path(module).out_name(name).typescript(typescript);
    match loader {
        Loader::Browser => bindgen.web(true)?.omit_default_module_path(false),
        Loader::Node => bindgen.nodejs_module(true)?,
    };
    generate(&mut bindgen, out_dir)
}

/// Parts the compiled `module` by its `wasm_split` functions, and writes into a new folder `out_dir` what [`bind`] writes for
/// a browser, and the parts with the script that loads them. Returns for each part the names of the files, one or more, that
/// are fetched when it is needed.
pub fn bind_parted(module: &Path, name: &str, out_dir: &Path) -> Result<BTreeMap<String, Vec<String>>> {
    empty(out_dir)?;
    let compiled = fs::read(module).with_context(|| format!("can't read {}", module.display()))?;
    let (main, script) = (module.with_extension("main.wasm"), format!("./{name}.js"));
    let mut options = wasm_split_cli_support::Options::new(&compiled);
    options.output_dir = out_dir;
    options.main_out_path = &main;
    options.main_module = &script;
    let split = wasm_split_cli_support::transform(options)
        .map_err(|error| anyhow!("can't part {}: {error:#}", module.display()))?;

    let mut bindgen = Bindgen::new();
    // The parts find what they share with the main module by the linker's names.
    bindgen.input_path(&main).out_name(name).typescript(false).keep_lld_exports(true).demangle(false);
    // Without arguments, `init` looks beside the script.
    bindgen.web(true)?.omit_default_module_path(false);
    generate(&mut bindgen, out_dir)?;
    for part in &split.split_modules {
        let named = fs::read(part).with_context(|| format!("can't read {}", part.display()))?;
        fs::write(part, without_custom_sections(&named)?).with_context(|| format!("can't write {}", part.display()))?;
    }
    let files = |stems: Vec<String>| stems.into_iter().map(|stem| format!("{stem}.wasm")).collect();
    Ok(split.prefetch_map.into_iter().map(|(part, stems)| (part, files(stems))).collect())
}

fn generate(bindgen: &mut Bindgen, out_dir: &Path) -> Result<()> {
    bindgen.remove_name_section(true).remove_producers_section(true);
    bindgen.generate(out_dir).with_context(|| format!("can't write the JavaScript in {}", out_dir.display()))
}

/// The module without names and notes of its making, which are half of a part.
fn without_custom_sections(module: &[u8]) -> Result<Vec<u8>> {
    let mut bare = wasm_encoder::Module::new();
    for payload in Parser::new(0).parse_all(module) {
        let section = payload?.as_section();
        if let Some((id, range)) = section.filter(|(id, _)| *id != wasm_encoder::SectionId::Custom as u8) {
            let data = &module[usize::try_from(range.start)?..usize::try_from(range.end)?];
            bare.section(&RawSection { id, data });
        }
    }
    Ok(bare.finish())
}

fn empty(dir: &Path) -> Result<()> {
    if dir.exists() {
        fs::remove_dir_all(dir).with_context(|| format!("can't empty {}", dir.display()))?;
    }
    fs::create_dir_all(dir).with_context(|| format!("can't create {}", dir.display()))
}
