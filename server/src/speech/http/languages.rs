//! Language names in the responses of servers with Whisper models.

use crate::speech::language::whisper_code;

/// Names by code: the values of `LANGUAGES` in whisper/tokenizer.py of version 3, with the codes of
/// [`crate::config::Languages`].
#[rustfmt::skip]
const LANGUAGE_NAMES: &[(&str, &str)] = &[
    ("af", "afrikaans"), ("am", "amharic"), ("ar", "arabic"), ("as", "assamese"), ("az", "azerbaijani"),
    ("ba", "bashkir"), ("be", "belarusian"), ("bg", "bulgarian"), ("bn", "bengali"), ("bo", "tibetan"),
    ("br", "breton"), ("bs", "bosnian"), ("ca", "catalan"), ("cs", "czech"), ("cy", "welsh"), ("da", "danish"),
    ("de", "german"), ("el", "greek"), ("en", "english"), ("es", "spanish"), ("et", "estonian"), ("eu", "basque"),
    ("fa", "persian"), ("fi", "finnish"), ("fo", "faroese"), ("fr", "french"), ("gl", "galician"), ("gu", "gujarati"),
    ("ha", "hausa"), ("haw", "hawaiian"), ("he", "hebrew"), ("hi", "hindi"), ("hr", "croatian"),
    ("ht", "haitian creole"), ("hu", "hungarian"), ("hy", "armenian"), ("id", "indonesian"), ("is", "icelandic"),
    ("it", "italian"), ("ja", "japanese"), ("jv", "javanese"), ("ka", "georgian"), ("kk", "kazakh"), ("km", "khmer"),
    ("kn", "kannada"), ("ko", "korean"), ("la", "latin"), ("lb", "luxembourgish"), ("ln", "lingala"), ("lo", "lao"),
    ("lt", "lithuanian"), ("lv", "latvian"), ("mg", "malagasy"), ("mi", "maori"), ("mk", "macedonian"),
    ("ml", "malayalam"), ("mn", "mongolian"), ("mr", "marathi"), ("ms", "malay"), ("mt", "maltese"),
    ("my", "myanmar"), ("ne", "nepali"), ("nl", "dutch"), ("nn", "nynorsk"), ("no", "norwegian"), ("oc", "occitan"),
    ("pa", "punjabi"), ("pl", "polish"), ("ps", "pashto"), ("pt", "portuguese"), ("ro", "romanian"),
    ("ru", "russian"), ("sa", "sanskrit"), ("sd", "sindhi"), ("si", "sinhala"), ("sk", "slovak"), ("sl", "slovenian"),
    ("sn", "shona"), ("so", "somali"), ("sq", "albanian"), ("sr", "serbian"), ("su", "sundanese"), ("sv", "swedish"),
    ("sw", "swahili"), ("ta", "tamil"), ("te", "telugu"), ("tg", "tajik"), ("th", "thai"), ("tk", "turkmen"),
    ("tl", "tagalog"), ("tr", "turkish"), ("tt", "tatar"), ("uk", "ukrainian"), ("ur", "urdu"), ("uz", "uzbek"),
    ("vi", "vietnamese"), ("yi", "yiddish"), ("yo", "yoruba"), ("yue", "cantonese"), ("zh", "chinese"),
];

/// Returns the first permitted code that matches a language in a response, given by name ("english") or by code ("en").
pub(super) fn find_permitted<'a>(detected: &str, permitted: &'a [String]) -> Option<&'a String> {
    let detected = detected.trim().to_lowercase();
    let code_by_name = LANGUAGE_NAMES.iter().find(|(_, name)| *name == detected).map(|(code, _)| *code);
    let code = whisper_code(code_by_name.unwrap_or(&detected));
    permitted.iter().find(|permitted| whisper_code(permitted) == code)
}

#[cfg(test)]
mod tests {
    use super::{LANGUAGE_NAMES, find_permitted};
    use crate::config::Languages;

    #[test]
    fn all_whisper_languages_have_names() {
        let known: Vec<_> = LANGUAGE_NAMES.iter().map(|(code, _)| *code).collect();
        assert_eq!(Languages::whisper_codes(), known);
    }

    #[test]
    fn maps_names_and_codes_to_permitted_languages() {
        let codes = ["en-US", "jv", "zh-Hant"].map(str::to_owned);
        let matched = |response_language| find_permitted(response_language, &codes).map(String::as_str);
        assert_eq!(matched("english"), Some("en-US"));
        assert_eq!(matched(" English "), Some("en-US"));
        assert_eq!(matched("en"), Some("en-US"));
        assert_eq!(matched("en-GB"), Some("en-US"));
        assert_eq!(matched("jw"), Some("jv"));
        assert_eq!(matched("chinese"), Some("zh-Hant"));
        assert_eq!((matched("german"), matched("klingon"), matched("")), (None, None, None));
    }

    #[test]
    fn maps_languages_with_other_codes_in_whisper() {
        let codes = ["nb", "fil"].map(str::to_owned);
        let matched = |response_language| find_permitted(response_language, &codes).map(String::as_str);
        for response_language in ["norwegian", "no", "nb"] {
            assert_eq!(matched(response_language), Some("nb"), "{response_language}");
        }
        for response_language in ["tagalog", "tl", "fil"] {
            assert_eq!(matched(response_language), Some("fil"), "{response_language}");
        }
        assert_eq!(matched("nynorsk"), None);
    }
}
