//! Compiles a crate to WebAssembly, splits it into chunks, and writes the JavaScript that loads it.
//!
//! wasm-bindgen and wasm-split are used as libraries: Cargo.lock pins them to the versions that the crates are compiled
//! with, and no tool needs to be installed.

use std::collections::BTreeMap;
use std::convert::Infallible;
use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, anyhow, ensure};
use wasm_bindgen_cli_support::Bindgen;
use wasm_encoder::reencode::{self, Reencode};
use wasm_encoder::{EntityType, ImportSection, RawSection};
use wasmparser::{CustomSectionReader, ImportSectionReader, Parser, Payload};

use crate::project::Project;
use crate::setup;

/// Crate to compile.
pub enum WasmCrate {
    Panel,
    /// The engine with its JavaScript API.
    Engine,
}

/// Environment that loads the module.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum WasmLoader {
    /// ES module with an `init` function that fetches the WebAssembly.
    Browser,
    /// ES module that reads the WebAssembly next to itself on import.
    Node,
}

/// Compiles a crate, and installs a compiler if necessary.
pub fn compile(project: &Project, wasm_crate: &WasmCrate) -> Result<PathBuf> {
    let toolchain = setup::wasm::ensure(project)?;
    let (command, args, file): (_, &[&str], _) = match wasm_crate {
        // Splitting needs the linker's relocations.
        WasmCrate::Panel => (
            "rustc",
            &["--package", "leadscribe-web", "--bin", "leadscribe-web", "--", "-Clink-arg=--emit-relocs"],
            "leadscribe-web.wasm",
        ),
        // The engine is a library; only here is it linked as a stand-alone module.
        WasmCrate::Engine => (
            "rustc",
            &["--package", "leadscribe-engine", "--lib", "--crate-type", "cdylib", "--features", "js"],
            "leadscribe_engine.wasm",
        ),
    };
    let target_dir = project.target_dir.join("wasm");
    toolchain.cargo(project, command, args, &target_dir).run().context("can't compile to WebAssembly")?;
    Ok(target_dir.join(setup::wasm::TARGET).join("wasm").join(file))
}

/// Writes `<name>.js` and `<name>_bg.wasm` for the compiled `module` into a new folder `out_dir`; for Node and for
/// integrators also `<name>.d.ts`.
pub fn bind(module: &Path, name: &str, loader: WasmLoader, typescript: bool, out_dir: &Path) -> Result<()> {
    create_empty_dir(out_dir)?;
    let mut bindgen = Bindgen::new();
    bindgen.input_path(module).out_name(name).typescript(typescript);
    match loader {
        WasmLoader::Browser => bindgen.web(true)?.omit_default_module_path(false),
        WasmLoader::Node => bindgen.nodejs_module(true)?,
    };
    generate(&mut bindgen, out_dir)
}

/// Splits the compiled `module` by its `wasm_split` functions. Writes the output of [`bind`] for a browser, and the
/// chunks with their loader script, into a new folder `out_dir`. Returns the names of the files to fetch for each
/// chunk.
pub fn bind_split(module: &Path, name: &str, out_dir: &Path) -> Result<BTreeMap<String, Vec<String>>> {
    create_empty_dir(out_dir)?;
    let module_bytes = fs::read(module).with_context(|| format!("can't read {}", module.display()))?;
    let (main_module, script) = (module.with_extension("main.wasm"), format!("./{name}.js"));
    let mut options = wasm_split_cli_support::Options::new(&module_bytes);
    options.output_dir = out_dir;
    options.main_out_path = &main_module;
    options.main_module = &script;
    let split_result = wasm_split_cli_support::transform(options)
        .map_err(|error| anyhow!("can't split {}: {error:#}", module.display()))?;

    let mut bindgen = Bindgen::new();
    // Chunks find shared items of the main module by the linker's names.
    bindgen.input_path(&main_module).out_name(name).typescript(false).keep_lld_exports(true).demangle(false);
    // Without arguments, `init` looks next to the script.
    bindgen.web(true)?.omit_default_module_path(false);
    generate(&mut bindgen, out_dir)?;
    shorten_imports(&out_dir.join(format!("{name}_bg.wasm")), &out_dir.join(format!("{name}.js")))?;
    for chunk in &split_result.split_modules {
        let chunk_bytes = fs::read(chunk).with_context(|| format!("can't read {}", chunk.display()))?;
        fs::write(chunk, compact(&chunk_bytes)?).with_context(|| format!("can't write {}", chunk.display()))?;
    }
    let files = |stems: Vec<String>| stems.into_iter().map(|stem| format!("{stem}.wasm")).collect();
    Ok(split_result.prefetch_map.into_iter().map(|(chunk, stems)| (chunk, files(stems))).collect())
}

fn generate(bindgen: &mut Bindgen, out_dir: &Path) -> Result<()> {
    bindgen.remove_name_section(true).remove_producers_section(true);
    bindgen.generate(out_dir).with_context(|| format!("can't write the JavaScript in {}", out_dir.display()))
}

/// Removes names and producer notes, which make up half of a chunk, and shortens numbers: the linker leaves room for
/// relocation.
fn compact(module: &[u8]) -> Result<Vec<u8>> {
    let mut compacted = wasm_encoder::Module::new();
    CompactReencoder
        .parse_core_module(&mut compacted, Parser::new(0), module)
        .map_err(|error| anyhow!("can't encode a chunk: {error}"))?;
    Ok(compacted.finish())
}

/// Leaves out custom sections.
struct CompactReencoder;

impl Reencode for CompactReencoder {
    type Error = Infallible;

    fn parse_custom_section(
        &mut self,
        _: &mut wasm_encoder::Module,
        _: CustomSectionReader<'_>,
    ) -> Result<(), reencode::Error> {
        Ok(())
    }
}

/// Returns a section of `module` unchanged, or `None` if the payload isn't a section.
fn raw_section<'a>(module: &'a [u8], payload: &Payload<'_>) -> Result<Option<RawSection<'a>>> {
    let Some((id, range)) = payload.as_section() else { return Ok(None) };
    let data = &module[usize::try_from(range.start)?..usize::try_from(range.end)?];
    Ok(Some(RawSection { id, data }))
}

/// Shortens the names of the module's imports from its script. wasm-bindgen's names end in hashes, which don't
/// compress: twice eight bytes for each browser function.
fn shorten_imports(module: &Path, script: &Path) -> Result<()> {
    let original = fs::read(module).with_context(|| format!("can't read {}", module.display()))?;
    let mut text = fs::read_to_string(script).with_context(|| format!("can't read {}", script.display()))?;
    let mut shortened = wasm_encoder::Module::new();
    for payload in Parser::new(0).parse_all(&original) {
        match payload? {
            Payload::ImportSection(imports) => {
                shortened.section(&shorten_names(imports, &mut text)?);
            }
            payload => {
                if let Some(section) = raw_section(&original, &payload)? {
                    shortened.section(&section);
                }
            }
        }
    }
    fs::write(module, shortened.finish()).with_context(|| format!("can't write {}", module.display()))?;
    fs::write(script, text).with_context(|| format!("can't write {}", script.display()))
}

/// Returns the imports with short names for hashed ones, and renames them in the script too.
fn shorten_names(imports: ImportSectionReader<'_>, script: &mut String) -> Result<ImportSection> {
    let mut renamed = ImportSection::new();
    for (index, import) in imports.into_imports().enumerate() {
        let import = import?;
        let kind = EntityType::try_from(import.ty).map_err(|error| anyhow!("can't encode an import: {error}"))?;
        if has_hash(import.name) {
            let name = format!("i{index}");
            let (old_entry, new_entry) = (format!(" {}:", import.name), format!(" {name}:"));
            ensure!(script.matches(&old_entry).count() == 1, "expected {old_entry:?} once in the script of the module");
            *script = script.replace(&old_entry, &new_entry);
            renamed.import(import.module, &name, kind);
        } else {
            renamed.import(import.module, import.name, kind);
        }
    }
    Ok(renamed)
}

/// True for a hashed name of wasm-bindgen: `__wbg_add_cf82c8d153d93ae1`.
fn has_hash(name: &str) -> bool {
    let hash = name.rsplit_once('_').map(|(_, hash)| hash);
    name.starts_with("__wb") && hash.is_some_and(|hash| hash.len() == 16 && hash.bytes().all(|c| c.is_ascii_hexdigit()))
}

fn create_empty_dir(dir: &Path) -> Result<()> {
    if dir.exists() {
        fs::remove_dir_all(dir).with_context(|| format!("can't remove {}", dir.display()))?;
    }
    fs::create_dir_all(dir).with_context(|| format!("can't create {}", dir.display()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn module_with(names: &[&str]) -> Vec<u8> {
        let (mut types, mut imports) = (wasm_encoder::TypeSection::new(), ImportSection::new());
        types.ty().function([], []);
        for name in names {
            imports.import("./panel_bg.js", name, EntityType::Function(0));
        }
        wasm_encoder::Module::new().section(&types).section(&imports).as_slice().to_vec()
    }

    #[test]
    fn hashed_names_are_shortened_in_module_and_script() {
        let names = ["__wbg_add_cf82c8d153d93ae1", "__wbindgen_init_externref_table", "__wbg_at_00c8d153d93ae1cf"];
        let dir = tempfile::tempdir().unwrap();
        let (wasm, script) = (dir.path().join("panel_bg.wasm"), dir.path().join("panel.js"));
        fs::write(&wasm, module_with(&names)).unwrap();
        let functions =
            "{ __wbg_add_cf82c8d153d93ae1: a, __wbg_at_00c8d153d93ae1cf: b, __wbindgen_init_externref_table: c }";
        fs::write(&script, functions).unwrap();

        shorten_imports(&wasm, &script).unwrap();
        assert_eq!(fs::read_to_string(&script).unwrap(), "{ i0: a, i2: b, __wbindgen_init_externref_table: c }");
        let shortened = fs::read(&wasm).unwrap();
        let import_names = Parser::new(0).parse_all(&shortened).filter_map(|payload| match payload.unwrap() {
            Payload::ImportSection(imports) => {
                Some(imports.into_imports().map(|import| import.unwrap().name).collect())
            }
            _ => None,
        });
        assert_eq!(import_names.collect::<Vec<Vec<_>>>(), [["i0", "__wbindgen_init_externref_table", "i2"]]);

        fs::write(&script, "{ i0: a }").unwrap();
        fs::write(&wasm, module_with(&names[..1])).unwrap();
        let error = shorten_imports(&wasm, &script).unwrap_err().to_string();
        assert_eq!(error, "expected \" __wbg_add_cf82c8d153d93ae1:\" once in the script of the module");
    }
}
