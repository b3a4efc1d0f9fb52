//! Which languages a model of whisper.cpp knows, and how it writes them.

use whisper_rs::get_lang_id;

use super::file::Header;
use crate::speech::language::{primary, whisper_code};

/// Languages whose words aren't separated by spaces.
const WITHOUT_SPACES: [&str; 8] = ["bo", "ja", "km", "lo", "my", "th", "yue", "zh"];

/// Whisper's code for a canonical BCP 47 code; none when the model doesn't know the language.
pub(super) fn code(language: &str, model: Header) -> Option<&str> {
    let code = match whisper_code(language) {
        // Models before large-v3 have no token for Cantonese; asked for it, they would translate instead.
        "yue" if !model.has_cantonese() => "zh",
        code => code,
    };
    let known = code == "en" || model.is_multilingual();
    (known && code.bytes().all(|byte| byte.is_ascii_lowercase()) && get_lang_id(code).is_some()).then_some(code)
}

/// Whether words of this language aren't separated by spaces.
pub(super) fn is_without_spaces(language: &str) -> bool {
    WITHOUT_SPACES.contains(&primary(language))
}
