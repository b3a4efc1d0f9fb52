//! Languages as Whisper models know them: those in this program, and those of servers.

/// Whisper's code for a canonical BCP 47 code, whose region and script its models don't know. It needn't be the code of a
/// language that they know.
pub(super) fn whisper_code(language: &str) -> &str {
    match primary(language) {
        // Whisper has the codes of an older standard for these.
        "jv" => "jw",
        "nb" => "no",
        "fil" => "tl",
        code => code,
    }
}

/// A code without region and script.
pub(super) fn primary(language: &str) -> &str {
    language.split('-').next().unwrap_or(language)
}

#[cfg(test)]
mod tests {
    use super::whisper_code;

    #[test]
    fn languages_have_the_codes_of_whisper() {
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
