//! The engine as an ES module with TypeScript types, for browsers and for Node: a package in target/engine-js.
//!
//! Its package.json, README and tests are in engine/js.

use std::ffi::OsString;
use std::fs::{self, OpenOptions};
use std::io::Write;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};

use crate::assets;
use crate::build_stamp::BuildStamp;
use crate::project::Project;
use crate::setup;
use crate::wasm::{self, WasmCrate, WasmLoader};

/// Maximum size of the module with gzip, as documented: 250 kB.
const MAX_GZIP_BYTES: usize = 250_000;

const INPUT_PATHS: [&str; 6] =
    ["Cargo.toml", "Cargo.lock", "engine/Cargo.toml", "engine/src", "engine/js", "xtask/src"];

const MODULE_NAME: &str = "leadscribe_engine";

/// Node loads the module on import. A no-op `init` lets the same program run in Node and in browsers.
const NODE_INIT: (&str, &str) = (
    "\nexport default async function init() {}\n",
    "\n/** Does nothing: in Node the module is ready once it is imported. */\nexport default function init(): Promise<void>;\n",
);

/// Builds the package unless it is up to date.
pub fn build(project: &Project) -> Result<()> {
    let package = package_dir(project);
    let module = package.join("web").join(format!("{MODULE_NAME}_bg.wasm"));
    let stamp =
        BuildStamp::new(project.target_dir.join("engine-js.stamp"), &project.root, &INPUT_PATHS, module.clone())?;
    if stamp.is_up_to_date() {
        println!("the ES module is up to date");
        return Ok(());
    }
    stamp.remove()?;

    let compiled = wasm::compile(project, &WasmCrate::Engine)?;
    if package.exists() {
        fs::remove_dir_all(&package).with_context(|| format!("can't remove {}", package.display()))?;
    }
    wasm::bind(&compiled, MODULE_NAME, WasmLoader::Browser, true, &package.join("web"))?;
    let node = package.join("node");
    wasm::bind(&compiled, MODULE_NAME, WasmLoader::Node, true, &node)?;
    append(&node.join(format!("{MODULE_NAME}.js")), NODE_INIT.0)?;
    append(&node.join(format!("{MODULE_NAME}.d.ts")), NODE_INIT.1)?;
    copy_package_files(project, &package)?;

    let size = assets::measure_size(&fs::read(&module)?)?;
    assets::print_size("engine module", size);
    if size.gzip > MAX_GZIP_BYTES {
        bail!("the engine module has {} bytes after gzip; the limit is {MAX_GZIP_BYTES}", size.gzip);
    }
    println!("{}", package.display());
    stamp.write()
}

/// Runs engine/js/test.mjs on the package, with the corpus of the engine's native tests.
pub fn test(project: &Project) -> Result<()> {
    run_node(project, &["--test".into(), project.root.join("engine/js/test.mjs").into()])
}

/// Runs engine/js/bench.mjs, which prints the cost of a check.
pub fn bench(project: &Project) -> Result<()> {
    run_node(project, &[project.root.join("engine/js/bench.mjs").into()])
}

fn run_node(project: &Project, args: &[OsString]) -> Result<()> {
    let node = setup::node::ensure()?;
    project.command(node, args).env("LEADSCRIBE_ENGINE_JS", package_dir(project)).run()?;
    Ok(())
}

/// Returns the folder of the built package.
pub fn package_dir(project: &Project) -> PathBuf {
    project.target_dir.join("engine-js")
}

fn copy_package_files(project: &Project, package: &Path) -> Result<()> {
    let sources = project.root.join("engine/js");
    let manifest = fs::read_to_string(sources.join("package.json"))?.replace("{{version}}", env!("CARGO_PKG_VERSION"));
    fs::write(package.join("package.json"), manifest)?;
    fs::copy(sources.join("README.md"), package.join("README.md"))?;
    for entry in fs::read_dir(&project.root)? {
        let name = entry?.file_name();
        if name.to_string_lossy().starts_with("LICENSE") {
            fs::copy(project.root.join(&name), package.join(&name))?;
        }
    }
    Ok(())
}

fn append(path: &Path, text: &str) -> Result<()> {
    let mut file =
        OpenOptions::new().append(true).open(path).with_context(|| format!("can't open {}", path.display()))?;
    file.write_all(text.as_bytes())?;
    Ok(())
}
