//! Lead search by typed words, used by the command palette and the lead list. The result is a filter that API clients
//! can send too.

use std::iter::repeat_with;

use leadscribe_engine::filter::ast::{Condition, Junction};
use leadscribe_engine::filter::{self, Limits, MAX_CONDITIONS};
use leadscribe_engine::host;
use leadscribe_engine::json::push_quoted;

use crate::i18n::text_normalization::alternative_spellings;

/// Maximum number of words that are searched in other spellings too. Later words are searched as typed.
const MAX_RESPELLED_WORDS: usize = 4;

/// Maximum number of words in the filter. A filter with this many words exceeds the limit of conditions in any case, so
/// later words don't matter.
const MAX_WORDS: usize = MAX_CONDITIONS;

/// Maximum number of alternative spellings of all words. Each spelling adds three conditions, one per field, and a
/// filter has at most [`MAX_CONDITIONS`].
const MAX_SPELLINGS: usize = 28;

/// Minimum number of digits for a search by phone number. Fewer digits match too many numbers.
const MIN_PHONE_DIGITS: usize = 5;

/// Keywords that may precede the id of a lead.
pub const LEAD_KEYWORDS: &[&str] = &["lead", "leads"];

/// Keywords that may precede the id of a call.
pub const CALL_KEYWORDS: &[&str] = &["call", "calls", "anruf", "anrufe"];

/// Keywords that may precede the id of a delivery.
pub const DELIVERY_KEYWORDS: &[&str] = &["delivery", "deliveries", "zustellung", "zustellungen"];

/// Returns the typed text without a leading keyword such as `lead`.
pub fn strip_keyword(input: &str) -> &str {
    [LEAD_KEYWORDS, CALL_KEYWORDS, DELIVERY_KEYWORDS].into_iter().fold(input, strip_keywords)
}

/// True if the typed text begins with one of these keywords.
pub fn has_keyword(input: &str, keywords: &[&str]) -> bool {
    strip_keywords(input, keywords) != input
}

fn strip_keywords<'a>(input: &'a str, keywords: &[&str]) -> &'a str {
    match input.trim().split_once(char::is_whitespace) {
        Some((first, rest)) if keywords.contains(&&*host::to_lower(first)) => rest.trim_start(),
        _ => input,
    }
}

/// Parses a typed id; `#17` and `lead 17` are ids too.
pub fn parse_id(input: &str) -> Option<i64> {
    let digits = strip_keyword(input).trim().trim_start_matches('#');
    digits.parse().ok().filter(|id| *id > 0)
}

/// Adds a search to a filter and keeps the filter's order and page. A filter that can't be parsed is returned
/// unchanged. If the result exceeds the limits of a filter, alternative spellings are left out. If it still does, the
/// result matches no lead, because it must never match more than the user asked for.
pub fn add_search(text: &str, input: &str) -> String {
    // Keywords of calls and deliveries aren't removed: this searches leads only.
    let input = strip_keywords(input, LEAD_KEYWORDS).trim();
    if input.is_empty() || !is_valid_filter(text) {
        return text.to_owned();
    }
    let searches = [respelled_search_filter(input), Some(exact_search_filter(input))].into_iter().flatten();
    searches.map(|search| combine_filters(text, &search)).find(|combined| is_valid_filter(combined)).unwrap_or_else(
        || {
            let mut match_nothing = filter::parse(text).tree;
            match_nothing.conditions = filter::parse(&and_group(r#"{"id":0}"#.to_owned())).tree.conditions;
            filter::print(&match_nothing)
        },
    )
}

/// True if the server accepts a filter.
pub fn is_valid_filter(text: &str) -> bool {
    filter::parse_and_check(text, &Limits::default()).is_ok()
}

/// Adds a search filter of this module to a filter, without nesting its groups deeper, since nesting is limited.
pub fn combine_filters(text: &str, search: &str) -> String {
    let mut parsed = filter::parse(text);
    if !parsed.diagnostics.is_empty() {
        return text.to_owned();
    }
    let conditions = &mut parsed.tree.conditions;
    for search_condition in filter::parse(search).tree.conditions {
        let existing_group = conditions.iter_mut().find_map(|condition| match condition {
            Condition::Group(group) if group.junction == Junction::All => Some(group),
            _ => None,
        });
        match (existing_group, search_condition) {
            (Some(existing_group), Condition::Group(mut group)) => existing_group.branches.append(&mut group.branches),
            (_, search_condition) => conditions.push(search_condition),
        }
    }
    filter::print(&parsed.tree)
}

/// Filter for the typed text: digits match phone numbers and ids, other text matches name, email and city.
pub fn exact_search_filter(input: &str) -> String {
    let input = input.trim();
    let id_condition = parse_id(input).map(|id| format!(r#"{{"id":{id}}}"#));
    if let Some(id_condition) = id_condition.as_ref().filter(|_| input.starts_with('#')) {
        return and_group(id_condition.clone());
    }
    let digits: String = input.chars().filter(char::is_ascii_digit).collect();
    let is_number = input.chars().all(|letter| letter.is_ascii_digit() || " +-()/.".contains(letter));
    if is_number && !digits.is_empty() {
        // A dialed number has a national or international prefix, an E.164 number has neither.
        let without_zeros = digits.trim_start_matches('0');
        let is_dialed = without_zeros.len() < digits.len() && without_zeros.len() >= MIN_PHONE_DIGITS;
        let spellings: Vec<_> =
            [Some(&*digits), is_dialed.then_some(without_zeros)].into_iter().flatten().map(str::to_owned).collect();
        let mut alternatives =
            contains_conditions(&["phone_normalized", "phone_normalized2", "phone", "phone2"], &spellings);
        alternatives.extend(id_condition);
        return and_group(or_group(&alternatives));
    }
    // Each word may match a different field.
    let word_condition =
        |word| or_group(&contains_conditions(&["first_name", "last_name", "email", "city"], &with_lower_case(word)));
    // All words must match; otherwise the search would find more than the user typed.
    and_group(input.split_whitespace().take(MAX_WORDS).map(word_condition).collect::<Vec<_>>().join(","))
}

/// Like [`exact_search_filter`], with alternative spellings; `None` if no word has any.
pub fn respelled_search_filter(input: &str) -> Option<String> {
    let words: Vec<_> = input.split_whitespace().take(MAX_WORDS).collect();
    let spellings_per_word = MAX_SPELLINGS / words.len().clamp(1, MAX_RESPELLED_WORDS);
    let spellings_by_word: Vec<_> =
        words.iter().take(MAX_RESPELLED_WORDS).map(|word| alternative_spellings(word)).collect();
    if spellings_by_word.iter().all(Vec::is_empty) {
        return None;
    }
    let word_condition = |(word, mut spellings): (&&str, Vec<String>)| {
        spellings.truncate(spellings_per_word);
        let mut alternatives =
            contains_conditions(&["first_name", "last_name", "city"], &[with_lower_case(word), spellings].concat());
        // Email addresses have no alternative spellings.
        alternatives.extend(contains_conditions(&["email"], &[(*word).to_owned()]));
        or_group(&alternatives)
    };
    Some(and_group(
        words
            .iter()
            .zip(spellings_by_word.into_iter().chain(repeat_with(Vec::new)))
            .map(word_condition)
            .collect::<Vec<_>>()
            .join(","),
    ))
}

fn and_group(branches: String) -> String {
    format!(r#"{{"_and":[{branches}]}}"#)
}

fn or_group(branches: &[String]) -> String {
    format!(r#"{{"_or":[{}]}}"#, branches.join(","))
}

/// Returns the word as typed and in lower case, because a filter distinguishes `Ü` from `ü`.
fn with_lower_case(word: &str) -> Vec<String> {
    let lower_case = host::to_lower(word);
    let differs = lower_case != word.to_ascii_lowercase();
    [Some(word.to_owned()), differs.then_some(lower_case)].into_iter().flatten().collect()
}

/// Conditions for each text in each field.
fn contains_conditions(fields: &[&str], texts: &[String]) -> Vec<String> {
    let mut conditions = Vec::new();
    for text in texts {
        let mut quoted = String::new();
        push_quoted(&mut quoted, text);
        conditions.extend(fields.iter().map(|field| format!(r#"{{"{field}":{{"contains":{quoted}}}}}"#)));
    }
    conditions
}

#[cfg(test)]
mod tests {
    use crate::state::lead_search::*;

    #[test]
    fn accepts_keyword_before_search_text() {
        assert_eq!(["lead 17", "Call #17", "#17", " 17 "].map(parse_id), [Some(17); 4]);
        assert_eq!(["lead", "17 lead", "0", "-1", "17a"].map(parse_id), [None; 5]);
        assert!(exact_search_filter("17").contains(r#"{"id":17}"#), "the digits may also be part of a phone number");
        assert_eq!(
            (strip_keyword("Leads Ann Lee"), strip_keyword("lead"), strip_keyword("leader Ann")),
            ("Ann Lee", "lead", "leader Ann")
        );
    }

    #[test]
    fn any_search_text_becomes_a_valid_filter() {
        let long = "aeouncaeounc ".repeat(6);
        for input in [
            "ann",
            " Ann  Lee Bonn ",
            "+49 (228) 555-0142",
            "a@b.example",
            "\"x\" {",
            "one two three four five six",
            "-",
            "#17",
            "9999999999999999999999",
            &long,
        ] {
            for filter in [Some(exact_search_filter(input)), respelled_search_filter(input)].into_iter().flatten() {
                assert!(is_valid_filter(&filter), "{input:?} makes {filter}");
            }
        }
        assert_eq!(respelled_search_filter("+49 30"), None);
        let searches_for = |input, digits: &str| exact_search_filter(input).contains(&format!("\"{digits}\""));
        assert!(searches_for("(040) 123-456", "40123456") && searches_for("(040) 123-456", "040123456"));
        assert!(
            searches_for("0049 40 123", "4940123")
                && searches_for("+49 40 123", "4940123")
                && !searches_for("0040", "40")
        );
        assert_eq!(with_lower_case("MÜLLER"), ["MÜLLER", "müller"]);
        assert_eq!(with_lower_case("SMITH"), ["SMITH"]);
        assert!(respelled_search_filter("Anna Muller").unwrap().contains("müller"));
    }

    #[test]
    fn searches_every_word() {
        let input = "muller two three four five six";
        for filter in [exact_search_filter(input), respelled_search_filter(input).unwrap()] {
            assert!(input.split(' ').all(|word| filter.contains(&format!("{word:?}"))), "{filter}");
        }
        assert!(!respelled_search_filter("one two three four muller").unwrap().contains("müller"));
    }

    #[test]
    fn combined_filter_stays_within_limits() {
        let filter = |count: usize| {
            let cities: Vec<_> = (0..count).map(|n| format!(r#"{{"city":"{n}"}}"#)).collect();
            format!(r#"{{"_or":[{}],"limit":"50;0"}}"#, cities.join(","))
        };
        let input = "aeouncaeounc aeouncaeounc";
        let is_respelled = |count| add_search(&filter(count), input).contains("ouncäounc");
        assert!(is_respelled(20) && !is_respelled(150));
        let match_nothing = r#"{"_and":[{"id":0}],"limit":"50;0"}"#;
        for (count, input, exceeds_limits) in [
            (20, input, false),
            (192, input, false),
            (193, input, true),
            (1, &*"x ".repeat(49), false),
            (1, &*"x ".repeat(50), true),
            (1, &*"x ".repeat(5_000), true),
            (1, &*"x".repeat(1_001), true),
        ] {
            let combined = add_search(&filter(count), input);
            assert!(is_valid_filter(&combined), "{count} {input}");
            assert_eq!(combined == match_nothing, exceeds_limits, "{count} {input}");
        }
    }

    #[test]
    fn search_adds_no_nesting_to_the_filter() {
        let city_or_none = |town: &str| format!(r#"{{"_or":[{{"city":"{town}"}},{{"city":null}}]}}"#);
        assert_eq!(add_search(r#"{"status":"new","limit":"50;0"}"#, " "), r#"{"status":"new","limit":"50;0"}"#);
        assert_eq!(
            add_search(r#"{"status":"new","limit":"50;0"}"#, "#17"),
            r#"{"status":"new","_and":[{"id":17}],"limit":"50;0"}"#
        );
        let groups = format!(r#"{{"_and":[{},{}],"limit":"50;0"}}"#, city_or_none("Bonn"), city_or_none("Ulm"));
        let expected =
            format!(r#"{{"_and":[{},{},{{"id":17}}],"limit":"50;0"}}"#, city_or_none("Bonn"), city_or_none("Ulm"));
        assert_eq!(add_search(&groups, "lead #17"), expected);
        assert!(!add_search("{}", "call 17").contains(r#"{"id":17}"#), "call ids are not lead ids");
        let nested = r#"{"_or":[{"_and":[{"_or":[{"_and":[{"city":"Bonn"}]}]}]}]}"#;
        for input in ["ann", "040 123456", "one two three four"] {
            let text = add_search(nested, input);
            assert!(is_valid_filter(&text), "{text}");
        }
        assert_eq!(add_search("{", "ann"), "{");
    }
}
