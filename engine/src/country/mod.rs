//! Countries: their codes, and their names in many languages.
//!
//! A country is stored as its ISO 3166-1 alpha-2 code in upper case. [`find`] also accepts the alpha-3 code, the Olympic code, and names in
//! all languages of CLDR. An ambiguous name matches no country. The WebAssembly build knows only the alpha-2 codes: the names take 600 kB,
//! and the server checks them anyway.

#[cfg(not(target_arch = "wasm32"))]
mod name;

use crate::diagnostic::{Diagnostic, catalog::record as texts, expected, format_text};

/// The ISO 3166-1 alpha-2 codes, and three territories with their own calling codes (AC, TA, XK).
const CODES: &str = "\
    AC AD AE AF AG AI AL AM AO AQ AR AS AT AU AW AX AZ BA BB BD BE BF BG BH BI BJ BL BM BN BO BQ BR BS BT BV BW \
    BY BZ CA CC CD CF CG CH CI CK CL CM CN CO CR CU CV CW CX CY CZ DE DJ DK DM DO DZ EC EE EG EH ER ES ET FI FJ \
    FK FM FO FR GA GB GD GE GF GG GH GI GL GM GN GP GQ GR GS GT GU GW GY HK HM HN HR HT HU ID IE IL IM IN IO IQ \
    IR IS IT JE JM JO JP KE KG KH KI KM KN KP KR KW KY KZ LA LB LC LI LK LR LS LT LU LV LY MA MC MD ME MF MG MH \
    MK ML MM MN MO MP MQ MR MS MT MU MV MW MX MY MZ NA NC NE NF NG NI NL NO NP NR NU NZ OM PA PE PF PG PH PK PL \
    PM PN PR PS PT PW PY QA RE RO RS RU RW SA SB SC SD SE SG SH SI SJ SK SL SM SN SO SR SS ST SV SX SY SZ TA TC \
    TD TF TG TH TJ TK TL TM TN TO TR TT TV TW TZ UA UG UM US UY UZ VA VC VE VG VI VN VU WF WS XK YE YT ZA ZM ZW";

/// Bytes of a code and the blank after it.
const CODE_WIDTH: usize = 3;

/// Returns the codes in alphabetical order.
pub fn codes() -> impl Iterator<Item = &'static str> {
    CODES.split_ascii_whitespace()
}

/// Returns the code of the country that the text names; `None` if it names no country, or several. Ignores surrounding blanks.
pub fn find(text: &str) -> Option<&'static str> {
    let text = text.trim();
    find_by_code(text).or_else(|| find_by_name(text))
}

/// Returns the code of a country, given in upper or lower case.
fn find_by_code(code: &str) -> Option<&'static str> {
    let &[first, second] = code.as_bytes() else { return None };
    let target = [first.to_ascii_uppercase(), second.to_ascii_uppercase()];
    let (mut low, mut high) = (0, CODES.len().div_ceil(CODE_WIDTH));
    while low < high {
        let middle = low + (high - low) / 2;
        let code = CODES.get(middle * CODE_WIDTH..middle * CODE_WIDTH + 2)?;
        match code.as_bytes().cmp(&target) {
            std::cmp::Ordering::Less => low = middle + 1,
            std::cmp::Ordering::Greater => high = middle,
            std::cmp::Ordering::Equal => return Some(code),
        }
    }
    None
}

#[cfg(not(target_arch = "wasm32"))]
use name::find_by_name;
#[cfg(not(target_arch = "wasm32"))]
pub use name::nearest;

#[cfg(target_arch = "wasm32")]
fn find_by_name(_: &str) -> Option<&'static str> {
    None
}

#[cfg(target_arch = "wasm32")]
fn nearest(_: &str) -> Option<(&'static str, &'static str)> {
    None
}

/// Returns the code of the country that the text names. In WebAssembly, an unknown text is kept, because the server knows more names.
///
/// # Errors
/// `unknown_country` if the text names no country, or several. The hint is the most similar name.
pub fn parse(text: &str) -> Result<String, Diagnostic> {
    match find(text) {
        Some(code) => Ok(code.to_owned()),
        None if cfg!(target_arch = "wasm32") => Ok(text.to_owned()),
        None => Err(unknown_country(text)),
    }
}

/// Returns the diagnostic for a text that names no country, or several.
fn unknown_country(text: &str) -> Diagnostic {
    let diagnostic = expected("unknown_country", texts::country(), format_text(text));
    match nearest(text) {
        Some((code, name)) => diagnostic.suggest_replacement(texts::did_you_mean_country(code, name), code),
        None => diagnostic,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn finds_codes_in_either_case() {
        for code in codes() {
            assert_eq!((find(code), find(&code.to_lowercase())), (Some(code), Some(code)));
        }
        for text in ["XX", "001", "", "D", "DEU ", "ÄÖ", " "] {
            assert_eq!(find_by_code(text), None, "{text:?}");
        }
        assert!(codes().is_sorted());
    }
}
