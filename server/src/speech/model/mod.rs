//! The models of the embedded recogniser: which there are, where they lie, and how they are brought.
//!
//! [`find`] is for whoever loads a model, [`get`] for the command that brings one, [`CATALOGUE`] for whoever chooses.

mod catalogue;
mod checksum;
mod get;

use std::path::{Path, PathBuf};

pub use catalogue::{Build, CATALOGUE, LICENCE, Languages, Model, Origin, UnknownModel, named};
pub use checksum::{Contents, contents};
pub use get::{GetError, Got, get};

use super::Missing;
use crate::config::Config;

/// A model that is there to be loaded.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ModelFile {
    /// What it is called in transcripts: the name in the catalogue, or the name of a file of the operator's own, without
    /// folder and `.bin`.
    pub name: String,
    /// Where it is.
    pub path: PathBuf,
}

/// Where the model of the options is.
///
/// Of a model of the catalogue only the size is compared, which finds a copy that was cut short. The checksum was
/// compared when the file was brought, before it got its name; to do so at each start would take a second for `small`
/// on a slow machine and find nothing more. `leadscribe model list` compares it.
///
/// # Errors
/// It is missing, and how it can be brought.
pub fn find(config: &Config) -> Result<ModelFile, Missing> {
    let given = config.speech.model.as_str();
    if is_path(given) {
        return own_file(Path::new(given));
    }
    let model = named(given).map_err(|unknown| Missing(unknown.to_string()))?;
    let path = config.models_dir().join(model.file);
    match std::fs::metadata(&path) {
        Ok(found) if found.is_file() && found.len() == model.bytes => {
            Ok(ModelFile { name: model.name.to_owned(), path })
        }
        Ok(found) => Err(Missing(format!(
            "the model {0} is damaged: expected {1} bytes, found {2}; bring it again with: leadscribe model get {0}",
            model.name,
            model.bytes,
            found.len()
        ))),
        Err(_) => Err(Missing(model.missing())),
    }
}

/// A file that the operator brought.
fn own_file(path: &Path) -> Result<ModelFile, Missing> {
    if !path.is_file() {
        return Err(Missing(format!("the model is missing: expected a ggml file at {}, found none", path.display())));
    }
    let name = path.file_stem().unwrap_or(path.as_os_str()).to_string_lossy().into_owned();
    Ok(ModelFile { name, path: path.to_path_buf() })
}

/// Whether `model` names a file and not a model of the catalogue.
pub fn is_path(model: &str) -> bool {
    model.contains(std::path::MAIN_SEPARATOR) || model.ends_with(".bin")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn config(model: &str, folder: &Path) -> Config {
        let mut config = Config::default();
        config.speech.model = model.to_owned();
        config.speech.models_dir = folder.display().to_string();
        config
    }

    #[test]
    fn a_model_of_the_catalogue_is_found_in_the_folder_by_its_size() {
        let folder = tempfile::tempdir().expect("a folder");
        let config = config("base", folder.path());
        let missing = |config: &Config| find(config).expect_err("no model").to_string();
        assert_eq!(missing(&config), "the model base is missing; bring it with: leadscribe model get base");

        let path = folder.path().join("ggml-base-q8_0.bin");
        let file = std::fs::File::create(&path).expect("a file");
        file.set_len(12).expect("a size");
        assert_eq!(
            missing(&config),
            "the model base is damaged: expected 81768585 bytes, found 12; bring it again with: leadscribe model get base"
        );
        file.set_len(81_768_585).expect("a size");
        assert_eq!(find(&config), Ok(ModelFile { name: "base".to_owned(), path }));
    }

    #[test]
    fn a_file_of_the_operators_own_is_found_by_its_path() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("our-model.bin");
        let config = config(path.to_str().expect("text"), folder.path());
        assert_eq!(
            find(&config).expect_err("no model").to_string(),
            format!("the model is missing: expected a ggml file at {}, found none", path.display())
        );
        std::fs::write(&path, "weights").expect("a file");
        assert_eq!(find(&config), Ok(ModelFile { name: "our-model".to_owned(), path }));
    }

    #[test]
    fn an_unknown_name_is_no_path() {
        let config = config("medium", Path::new("."));
        assert_eq!(find(&config).expect_err("no model").to_string(), UnknownModel("medium".to_owned()).to_string());
    }
}
