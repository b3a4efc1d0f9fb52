//! Languages and language codes of whisper.cpp models.

use whisper_rs::get_lang_id;

use super::model_file::ModelHeader;
use crate::speech::language::{primary_subtag, whisper_code};

/// Languages without spaces between words.
const UNSPACED_LANGUAGES: [&str; 8] = ["bo", "ja", "km", "lo", "my", "th", "yue", "zh"];

/// Returns Whisper's code for a canonical BCP 47 code; `None` if the model doesn't know the language.
pub(super) fn model_code(language: &str, model: ModelHeader) -> Option<&str> {
    let code = match whisper_code(language) {
        // Models before large-v3 have no token for Cantonese. With its code, they would translate instead of transcribe.
        "yue" if !model.has_cantonese() => "zh",
        code => code,
    };
    let is_known = code == "en" || model.is_multilingual();
    (is_known && code.bytes().all(|byte| byte.is_ascii_lowercase()) && get_lang_id(code).is_some()).then_some(code)
}

/// Returns whether this language has no spaces between words.
pub(super) fn is_without_spaces(language: &str) -> bool {
    UNSPACED_LANGUAGES.contains(&primary_subtag(language))
}
