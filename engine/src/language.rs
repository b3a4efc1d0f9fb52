//! Language codes: BCP 47 in canonical case.

use icu_locale_core::LanguageIdentifier;

/// Maximum length of a code in bytes. RFC 5646 requires support for at most 35.
const MAX_CODE_BYTES: usize = 35;

/// Returns the canonical form of a language code, such as `en-US` for `en-us`; `None` if it isn't well-formed.
///
/// A code is a language with optional script, region and variants. Extensions (`-u-…`, `-x-…`) are rejected, because they don't describe
/// the spoken language.
pub fn canonicalize(text: &str) -> Option<String> {
    if text.len() > MAX_CODE_BYTES {
        return None;
    }
    let language = LanguageIdentifier::try_from_str(text).ok()?;
    (!language.is_unknown() && !language.language.is_unknown()).then(|| language.to_string())
}

/// Returns the language of a canonical code without script, region and variants: `en` for `en-US`.
pub fn primary_subtag(canonical: &str) -> &str {
    canonical.split_once('-').map_or(canonical, |(language, _)| language)
}

#[cfg(test)]
mod tests {
    use super::{canonicalize, primary_subtag};

    #[test]
    fn canonicalizes_case() {
        for (text, expected) in [
            ("en", "en"),
            ("EN", "en"),
            ("en-us", "en-US"),
            ("zh-hant-tw", "zh-Hant-TW"),
            ("sr-LATN", "sr-Latn"),
            ("es-419", "es-419"),
            ("de-DE-1996", "de-DE-1996"),
            ("yue", "yue"),
        ] {
            assert_eq!(canonicalize(text).as_deref(), Some(expected), "{text}");
        }
    }

    #[test]
    fn rejects_malformed_codes() {
        for text in [
            "",
            " en",
            "e",
            "en_US",
            "en-",
            "-en",
            "en--US",
            "en-US-u-ca-buddhist",
            "x-klingon",
            "und",
            "deutsch-german-language",
            "1n",
            "ën",
            "en-US-abcdefgh-bcdefghi-cdefghij-defghijk",
        ] {
            assert_eq!(canonicalize(text), None, "{text}");
        }
    }

    #[test]
    fn returns_the_primary_language() {
        assert_eq!(primary_subtag("zh-Hant-TW"), "zh");
        assert_eq!(primary_subtag("en"), "en");
    }
}
