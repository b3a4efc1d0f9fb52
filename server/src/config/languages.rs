//! The languages of a recognizer.

use std::str::FromStr;
use std::sync::LazyLock;

use leadscribe_engine::language;
use serde::{Deserialize, Serialize};

/// Option value: the languages of the loaded model.
const MODEL_VALUE: &str = "model";

/// Option value for [`WHISPER_CODES`].
const WHISPER_VALUE: &str = "whisper";

/// Languages of the multilingual Whisper models, as BCP 47 codes: the keys of `LANGUAGES` in whisper/tokenizer.py of version 3, except that
/// Javanese has its current code, and Norwegian Bokmål is listed next to Norwegian Nynorsk.
const WHISPER_CODES: &str = "af,am,ar,as,az,ba,be,bg,bn,bo,br,bs,ca,cs,cy,da,de,el,en,es,et,eu,fa,fi,fo,fr,gl,gu,ha,haw,he,hi,\
    hr,ht,hu,hy,id,is,it,ja,jv,ka,kk,km,kn,ko,la,lb,ln,lo,lt,lv,mg,mi,mk,ml,mn,mr,ms,mt,my,ne,nl,nn,no,oc,pa,pl,ps,pt,\
    ro,ru,sa,sd,si,sk,sl,sn,so,sq,sr,su,sv,sw,ta,te,tg,th,tk,tl,tr,tt,uk,ur,uz,vi,yi,yo,yue,zh";

/// Language of the English-only models.
const ENGLISH_CODE: &str = "en";

/// A list of canonical BCP 47 codes, or the languages of the model.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "LanguagesInput", into = "String")]
pub struct Languages(Option<Vec<String>>);

impl Languages {
    /// Returns the configured codes, sorted; `None` for the languages of the model.
    pub fn configured(&self) -> Option<&[String]> {
        self.0.as_deref()
    }

    /// Returns the codes of the multilingual Whisper models, sorted.
    pub fn whisper_codes() -> &'static [String] {
        static CODES: LazyLock<Vec<String>> = LazyLock::new(|| WHISPER_CODES.split(',').map(str::to_owned).collect());
        &CODES
    }

    /// Returns the code of the English-only models.
    pub fn english_codes() -> &'static [String] {
        static CODES: LazyLock<Vec<String>> = LazyLock::new(|| vec![ENGLISH_CODE.to_owned()]);
        &CODES
    }

    fn new<'a>(codes: impl Iterator<Item = &'a str>) -> Result<Self, String> {
        let canonical = codes.map(|code| {
            language::canonicalize(code.trim()).ok_or_else(|| format!("expected BCP 47 language codes, found {code:?}"))
        });
        let mut codes = canonical.collect::<Result<Vec<_>, _>>()?;
        codes.sort();
        codes.dedup();
        if codes.is_empty() { Err("expected at least one language".to_owned()) } else { Ok(Self(Some(codes))) }
    }
}

impl FromStr for Languages {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        match text {
            MODEL_VALUE => Ok(Self(None)),
            WHISPER_VALUE => Self::new(WHISPER_CODES.split(',')),
            codes => Self::new(codes.split(',')),
        }
    }
}

impl From<Languages> for String {
    fn from(languages: Languages) -> Self {
        languages.0.map_or_else(|| MODEL_VALUE.to_owned(), |codes| codes.join(","))
    }
}

/// Form in a configuration file: a list, or the same text as the flag.
#[derive(Deserialize)]
#[serde(untagged)]
enum LanguagesInput {
    Text(String),
    List(Vec<String>),
}

impl TryFrom<LanguagesInput> for Languages {
    type Error = String;

    fn try_from(input: LanguagesInput) -> Result<Self, String> {
        match input {
            LanguagesInput::Text(text) => text.parse(),
            LanguagesInput::List(codes) => Self::new(codes.iter().map(String::as_str)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Languages;

    #[test]
    fn parses_codes_and_list_names() {
        let parsed: Languages = "EN-us, de".parse().expect("codes");
        assert_eq!(parsed.configured().expect("codes"), ["de", "en-US"]);
        let whisper: Languages = "whisper".parse().expect("canonical codes");
        assert_eq!(whisper.configured(), Some(Languages::whisper_codes()), "the codes are sorted");
        assert_eq!(Languages::whisper_codes().len(), 100);
        let from_model: Languages = "model".parse().expect("a name");
        assert_eq!(from_model.configured(), None);
        for languages in [parsed, whisper, from_model] {
            assert_eq!(String::from(languages.clone()).parse(), Ok(languages));
        }
        assert_eq!(
            "en,klingon_".parse::<Languages>(),
            Err("expected BCP 47 language codes, found \"klingon_\"".to_owned())
        );
    }
}
