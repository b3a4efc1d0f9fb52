//! The names of countries.

use std::collections::hash_map::Entry;
use std::collections::{HashMap, HashSet};
use std::sync::OnceLock;

use super::of_code;
use crate::host;
use crate::letters;
use crate::suggest;

/// A country per line: its codes in ISO 3166-1 alpha-2 and alpha-3, its name in English, and its names in all languages of
/// CLDR, separated by tabs. Source: `territories.json` of CLDR, made by `cargo xtask cldr`.
const NAMES: &str = include_str!("names.txt");

/// The same form, without alpha-3: other names in use, and codes of the Olympic games and of FIFA that mean one country only.
const OTHER_NAMES: &str = include_str!("other_names.txt");

/// Names of several countries, or of more than a country, that languages of CLDR have for one.
const AMBIGUOUS: [&str; 10] =
    ["congo", "kongo", "konqo", "korea", "corea", "coree", "america", "amerika", "virginislands", "guiana"];

/// Longest text that can be near a name, in bytes.
const MAX_NEAR: usize = 100;

/// Shortest text that can be near a name: a shorter one is near to names in many languages.
const MIN_NEAR_CHARS: usize = 5;

/// The codes by the [`key`] of each name; none for a name of several countries.
type Names = HashMap<String, Option<&'static str>>;

fn names() -> &'static Names {
    static ALL: OnceLock<Names> = OnceLock::new();
    ALL.get_or_init(|| {
        let mut all: Names = AMBIGUOUS.iter().map(|name| ((*name).to_owned(), None)).collect();
        // Codes and names that were chosen win over what some language calls a country.
        let others = lines(OTHER_NAMES).flat_map(|(code, names)| names.map(move |name| (code, name)));
        let alpha3 = lines(NAMES).filter_map(|(code, mut names)| Some((code, names.next()?)));
        for (code, name) in alpha3.chain(others) {
            all.insert(key(name), Some(code));
        }
        let chosen: HashSet<_> = all.keys().cloned().collect();
        for (code, name) in lines(NAMES).flat_map(|(code, names)| names.skip(1).map(move |name| (code, name))) {
            let key = key(name);
            if chosen.contains(&key) {
                continue;
            }
            match all.entry(key) {
                Entry::Vacant(entry) => drop(entry.insert(Some(code))),
                Entry::Occupied(mut entry) if *entry.get() != Some(code) => drop(entry.insert(None)),
                Entry::Occupied(_) => {}
            }
        }
        all
    })
}

/// The code of each line, and its names.
fn lines(text: &'static str) -> impl Iterator<Item = (&'static str, impl Iterator<Item = &'static str>)> {
    text.lines().filter_map(|line| {
        let mut names = line.split('\t');
        Some((names.next()?, names))
    })
}

/// The key by which names are compared: letters and digits in lower case, Latin letters without marks. A short name keeps its
/// marks: without them `Çin` looks like a code.
fn key(name: &str) -> String {
    let lower = host::lower(name);
    let decomposed = host::decomposed(&lower);
    let mut plain = String::with_capacity(name.len());
    for letter in decomposed.chars().filter(|letter| letter.is_alphanumeric()) {
        match letters::unmarked(letter) {
            Some(unmarked) => plain.push_str(unmarked),
            None => plain.push(letter),
        }
    }
    if plain.len() <= 3 && !name.is_ascii() { decomposed.into_owned() } else { plain }
}

/// Returns the code of the country that has this name, also for `Germany (DE)`; none where several countries have it.
pub(super) fn of_name(text: &str) -> Option<&'static str> {
    let by_key = |text: &str| names().get(&key(text)).copied().flatten();
    let without_article = text.get(..4).filter(|article| article.eq_ignore_ascii_case("the ")).map(|_| &text[4..]);
    by_key(text).or_else(|| by_key(without_article?)).or_else(|| {
        let (name, in_brackets) = text.strip_suffix(')')?.split_once('(')?;
        let code = by_key(name)?;
        (of_code(in_brackets.trim()).or_else(|| by_key(in_brackets)) == Some(code)).then_some(code)
    })
}

/// The country whose name in some language is nearest to a text, if one is near: its code and that name. None for a name of several
/// countries, and for a text of less than [`MIN_NEAR_CHARS`].
pub fn nearest(text: &str) -> Option<(&'static str, &'static str)> {
    let text = text.trim();
    let is_of_several = names().get(&key(text)) == Some(&None);
    if is_of_several || text.len() > MAX_NEAR || text.chars().count() < MIN_NEAR_CHARS {
        return None;
    }
    let all = lines(NAMES).flat_map(|(_, names)| names.skip(1));
    let name = suggest::nearest(text, all.filter(|name| name.chars().count() > 3 && of_name(name).is_some()))?;
    Some((of_name(name)?, name))
}

#[cfg(test)]
mod tests {
    use super::super::{codes, find, read};
    use super::*;

    #[test]
    fn countries_are_known_by_what_people_write() {
        for (code, texts) in [
            (
                "DE",
                "Deutschland|Germany|GER|DEU|de|germany|Allemagne|Alemania|Германия|ドイツ|德国|ألمانيا|Niemcy|Saksa",
            ),
            (
                "DE",
                " Germany |GERMANY|Germany (DE)|Germany (Deutschland)|Bundesrepublik Deutschland|Federal Republic of Germany",
            ),
            (
                "GB",
                "UK|U.K.|United Kingdom|GBR|Great Britain|England|Scotland|Vereinigtes Königreich|Royaume-Uni|Großbritannien",
            ),
            (
                "US",
                "USA|U.S.A.|U.S.|United States|United States of America|the United States|Vereinigte Staaten|États-Unis|EE.UU.",
            ),
            ("AT", "Österreich|Osterreich|Oesterreich|Austria|AUT|Autriche"),
            ("CH", "Schweiz|Suisse|Svizzera|Switzerland|SUI|CHE"),
            ("ES", "España|Espana|Spain|Spanien|ESP"),
            ("RU", "Россия|Russia|Russian Federation|Russland|РФ"),
            ("JP", "日本|Japan|JPN|Japon"),
            ("NL", "Holland|The Netherlands|Netherlands|Niederlande|Nederland|NED|NLD"),
            ("CZ", "Czech Republic|Czechia|Tschechien|Česko|CZE"),
            ("TR", "Turkey|Türkiye|Turkiye|Türkei|TUR"),
            ("KR", "South Korea|Südkorea|Korea, Republic of|Republic of Korea|KOR|대한민국"),
            ("KP", "North Korea|Nordkorea|PRK"),
            ("CI", "Ivory Coast|Côte d’Ivoire|Cote d'Ivoire|Elfenbeinküste|CIV"),
            ("CD", "DRC|Congo - Kinshasa|Democratic Republic of the Congo|COD"),
            ("CG", "Congo - Brazzaville|Republic of the Congo|COG"),
            ("CN", "China|中国|中國|PRC"),
            ("TW", "Taiwan|TPE|臺灣"),
            ("HK", "Hong Kong|Hongkong|香港"),
            ("GR", "Greece|EL|Griechenland|Ελλάδα|Hellas"),
            ("BA", "Bosnia and Herzegovina|Bosnia & Herzegovina|Bosnien und Herzegowina"),
            ("MK", "Macedonia|North Macedonia|Nordmazedonien"),
            ("GE", "Georgia|Georgien"),
            ("GN", "Guinea"),
            ("IE", "Ireland|Éire|Irland|Republic of Ireland"),
            ("NG", "Nigeria"),
            ("NE", "Niger"),
            ("DO", "Dominican Republic"),
            ("DM", "Dominica"),
            ("ZA", "South Africa|Südafrika|RSA"),
            ("AE", "UAE|United Arab Emirates"),
            ("IN", "India|भारत|Indien|IND"),
            ("BR", "Brasil|Brazil|Brasilien"),
            ("UA", "Україна|Ukraine"),
            ("CN", "Çin"),
            ("KR", "Korea, South|S. Korea|Korea (South)"),
            ("AQ", "Antarctica|ATA"),
            ("GS", "South Georgia and the South Sandwich Islands|GS"),
        ] {
            for text in texts.split('|') {
                assert_eq!(find(text), Some(code), "{text:?}");
            }
        }
    }

    #[test]
    fn names_of_several_countries_are_none() {
        for text in [
            "Congo",
            "Kongo",
            "Korea",
            "America",
            "Virgin Islands",
            "Germany (FR)",
            "Sad",
            "day",
            "POO",
            "49",
            "276",
            "N/A",
            "n.a.",
            "k.A.",
            "-",
            "unknown",
        ] {
            assert_eq!(find(text), None, "{text:?}");
        }
    }

    #[test]
    fn every_name_is_known_or_is_one_of_several() {
        let mut several = Vec::new();
        for (code, names) in lines(NAMES) {
            for name in names {
                match find(name) {
                    Some(found) => assert_eq!(found, code, "{name}"),
                    None => several.push(name),
                }
            }
        }
        assert!(several.len() < 80, "{several:?}");
        for (code, names) in lines(OTHER_NAMES) {
            assert_eq!(find(code), Some(code));
            names.for_each(|name| assert_eq!(find(name), Some(code), "{name}"));
        }
        assert!(lines(NAMES).map(|(code, _)| code).eq(codes()));
    }

    #[test]
    fn unknown_countries_are_refused_with_the_nearest() {
        for (text, hint) in [
            ("Germny", "did you mean `DE` (Germany)?"),
            ("Deutchland", "did you mean `DE` (Deutschland)?"),
            ("Untied Kingdom", "did you mean `GB` (United Kingdom)?"),
            ("Atlantis", ""),
            ("America", ""),
            ("Korea", ""),
            ("AN", ""),
            ("YU", ""),
            ("XX", ""),
        ] {
            let fault = read(text).expect_err(text);
            assert_eq!(fault.code, "unknown_country");
            assert_eq!(fault.hint.map(|hint| hint.to_string()).unwrap_or_default(), hint, "{text}");
        }
    }
}
