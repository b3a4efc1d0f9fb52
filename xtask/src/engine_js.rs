//! The engine as an ES module with TypeScript types, for browsers and for Node: a package in target/engine-js.
//!
//! Its package.json, README and tests are in engine/js.

use std::ffi::OsString;
use std::fs::{self, OpenOptions};
use std::io::Write;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};

use crate::assets;
use crate::inputs::Stamp;
use crate::project::Project;
use crate::setup;
use crate::wasm::{self, Loader, Unit};

/// Maximum size of the module with gzip, as documented: 250 kB.
const BUDGET: usize = 250_000;

const INPUTS: [&str; 6] = ["Cargo.toml", "Cargo.lock", "engine/Cargo.toml", "engine/src", "engine/js", "xtask/src"];

const NAME: &str = "leadscribe_engine";

/// Node loads the module on import. A no-op `init` lets the same program run in Node and in browsers.
const INIT_FOR_NODE: (&str, &str) = (
    "\nexport default async function init() {}\n",
    "\n/** Does nothing: in Node the module is ready once it is imported. */\nexport default function init(): Promise<void>;\n",
);

/// Builds the package unless it is up to date.
pub fn build(project: &Project) -> Result<()> {
    let package = package(project);
    let module = package.join("web").join(format!("{NAME}_bg.wasm"));
    let stamp = Stamp::new(project.target.join("engine-js.stamp"), &project.root, &INPUTS, module.clone())?;
    if stamp.is_fresh() {
        println!("the ES module is up to date");
        return Ok(());
    }
    stamp.clear()?;

    let compiled = wasm::compile(project, &Unit::Engine)?;
    if package.exists() {
        fs::remove_dir_all(&package).with_context(|| format!("can't empty {}", package.display()))?;
    }
    wasm::bind(&compiled, NAME, Loader::Browser, true, &package.join("web"))?;
    let node = package.join("node");
    wasm::bind(&compiled, NAME, Loader::Node, true, &node)?;
    append(&node.join(format!("{NAME}.js")), INIT_FOR_NODE.0)?;
    append(&node.join(format!("{NAME}.d.ts")), INIT_FOR_NODE.1)?;
    add_papers(project, &package)?;

    let weight = assets::weigh(&fs::read(&module)?)?;
    assets::print_weight("engine module", weight);
    if weight.gzip > BUDGET {
        bail!("the engine module has {} bytes gzipped; at most {BUDGET} are promised", weight.gzip);
    }
    println!("{}", package.display());
    stamp.set()
}

/// Runs engine/js/test.mjs on the package, with the corpus of the engine's native tests.
pub fn test(project: &Project) -> Result<()> {
    node(project, &["--test".into(), project.root.join("engine/js/test.mjs").into()])
}

/// Runs engine/js/bench.mjs, which prints the cost of a check.
pub fn bench(project: &Project) -> Result<()> {
    node(project, &[project.root.join("engine/js/bench.mjs").into()])
}

fn node(project: &Project, args: &[OsString]) -> Result<()> {
    let node = setup::node::ensure()?;
    project.command(node, args).env("LEADSCRIBE_ENGINE_JS", package(project)).run()?;
    Ok(())
}

/// Returns the folder of the built package.
pub fn package(project: &Project) -> PathBuf {
    project.target.join("engine-js")
}

fn add_papers(project: &Project, package: &Path) -> Result<()> {
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
