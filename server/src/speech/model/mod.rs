//! Models of the embedded recognizer: [`CATALOG`] lists them, [`fetch`] downloads one, [`find_configured`] locates the configured one,
//! and [`languages`] returns the languages for submitted calls.

mod catalog;
mod checksum;
mod fetch;

use std::path::{Path, PathBuf};

use leadscribe_engine::diagnostic::work;

pub use catalog::{CATALOG, LICENSE, Languages, Model, Origin, find_by_name};
pub use checksum::{FileState, verify};
pub use fetch::{FetchOutcome, fetch};

use super::MissingRecognizer;
use crate::config::{self, Config, RecognizerKind, SpeechConfig};

/// A model file that can be loaded.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ModelFile {
    /// Name in transcripts: the catalog name, or the file name of the operator's own model without folder and `.bin`.
    pub name: String,
    /// Path of the file.
    pub path: PathBuf,
}

/// Locates the configured model.
///
/// Verifies the checksum of a catalog model, because whisper.cpp doesn't validate its input and a damaged model would
/// produce nonsense. Takes a fifth of a second for `base`.
///
/// # Errors
/// The model is missing or damaged; the error says how to fetch it.
pub fn find_configured(config: &Config) -> Result<ModelFile, MissingRecognizer> {
    let configured = config.speech.model.as_str();
    if is_path(configured) {
        return custom_model_file(Path::new(configured));
    }
    let model = find_by_name(configured).map_err(|unknown| unknown.message())?;
    let folder = config.models_dir();
    // The command may be run in another directory.
    let folder = std::path::absolute(&folder).unwrap_or(folder);
    let command = format!("leadscribe model get {} --models-dir {}", model.name, folder.display());
    match verify(model, &folder) {
        Ok(FileState::Valid(_)) => Ok(ModelFile { name: model.name.to_owned(), path: folder.join(model.file) }),
        Ok(FileState::Missing) => {
            Err(MissingRecognizer { message: work::model_missing(model.name), command: Some(command) })
        }
        Ok(FileState::Damaged) => {
            Err(MissingRecognizer { message: work::model_damaged(model.name), command: Some(command) })
        }
        Err(error) => Err(work::model_unreadable(model.name, error.to_string()).into()),
    }
}

/// Returns the languages of submitted calls as canonical BCP 47 codes: the configured ones, otherwise those of the model.
/// Remote recognizers and the operator's own files count as supporting all languages of Whisper.
pub fn languages(config: &Config) -> &[String] {
    let SpeechConfig { recognizer, languages, model, .. } = &config.speech;
    let model_languages = match recognizer {
        RecognizerKind::Embedded | RecognizerKind::Off => {
            find_by_name(model).map_or(Languages::Multilingual, |model| model.languages)
        }
        RecognizerKind::Http => Languages::Multilingual,
    };
    languages.configured().unwrap_or_else(|| match model_languages {
        Languages::Multilingual => config::Languages::whisper_codes(),
        Languages::English => config::Languages::english_codes(),
    })
}

/// Returns a model file provided by the operator.
fn custom_model_file(path: &Path) -> Result<ModelFile, MissingRecognizer> {
    if !path.is_file() {
        return Err(work::no_model_file(path.display().to_string()).into());
    }
    let name = path.file_stem().unwrap_or(path.as_os_str()).to_string_lossy().into_owned();
    Ok(ModelFile { name, path: path.to_path_buf() })
}

/// Returns whether `model` is a file path, not the name of a catalog model.
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
    fn missing_model_error_names_the_command() {
        let folder = tempfile::tempdir().expect("a folder");
        let config = config("base", folder.path());
        let missing = |config: &Config| find_configured(config).expect_err("no model").to_string();
        let command = format!("leadscribe model get base --models-dir {}", folder.path().display());
        assert_eq!(missing(&config), format!("the model `base` is missing; get it with: {command}"));
        let file = std::fs::File::create(folder.path().join("ggml-base-q8_0.bin")).expect("a file");
        for size in [12, 81_768_585] {
            file.set_len(size).expect("a size");
            assert_eq!(missing(&config), format!("the model `base` is damaged; get it with: {command}"));
        }
    }

    #[test]
    fn finds_custom_model_by_path() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("our-model.bin");
        let config = config(path.to_str().expect("text"), folder.path());
        assert_eq!(
            find_configured(&config).expect_err("no model").to_string(),
            format!("the model file {} is missing", path.display())
        );
        std::fs::write(&path, "weights").expect("a file");
        assert_eq!(find_configured(&config), Ok(ModelFile { name: "our-model".to_owned(), path }));
    }

    #[test]
    fn languages_follow_model_and_options() {
        let mut config = config("base", Path::new("."));
        let count = |config: &Config| languages(config).len();
        assert_eq!(count(&config), 100);
        config.speech.model = "base.en".to_owned();
        assert_eq!(languages(&config), ["en"]);
        config.speech.recognizer = RecognizerKind::Http;
        assert_eq!(count(&config), 100, "the model of an HTTP recognizer is unknown");
        config.speech.recognizer = RecognizerKind::Embedded;
        config.speech.languages = "en,de".parse().expect("codes");
        assert_eq!(languages(&config), ["de", "en"], "configured languages take precedence");
    }

    #[test]
    fn unknown_name_is_not_a_path() {
        let config = config("medium", Path::new("."));
        assert_eq!(
            find_configured(&config).expect_err("no model").to_string(),
            catalog::UnknownModel("medium".to_owned()).to_string()
        );
    }
}
