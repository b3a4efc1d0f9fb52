//! Language codes of Whisper models, both embedded and remote.

/// Returns Whisper's code for a canonical BCP 47 code, without region and script. The models may not know the language.
pub(super) fn whisper_code(language: &str) -> &str {
    match primary_subtag(language) {
        // Whisper uses codes of an older standard for these.
        "jv" => "jw",
        "nb" => "no",
        "fil" => "tl",
        code => code,
    }
}

/// Returns a code without region and script.
pub(super) fn primary_subtag(language: &str) -> &str {
    language.split('-').next().unwrap_or(language)
}

#[cfg(test)]
mod tests {
    use super::whisper_code;

    #[test]
    fn maps_languages_to_whisper_codes() {
        for (language, code) in [
            ("en", "en"),
            ("zh-Hant", "zh"),
            ("jv", "jw"),
            ("nb", "no"),
            ("nn", "nn"),
            ("fil-PH", "tl"),
            ("yue", "yue"),
        ] {
            assert_eq!(whisper_code(language), code);
        }
    }
}
