//! Lead search by typed words, used by the command palette and the lead list. The result is a filter that API clients can send too.

use std::iter::repeat_with;

use leadscribe_engine::filter::ast::{Condition, Junction};
use leadscribe_engine::filter::{self, Limits, MAX_CONDITIONS};
use leadscribe_engine::host;
use leadscribe_engine::json::push_quoted;

use crate::spelling::spellings;

/// Maximum number of words that are searched in other spellings too. Later words are searched as typed.
const MOST_RESPELLED: usize = 4;

/// Maximum number of words in the filter. A filter with this many words exceeds the limit of conditions in any case, so later
/// words don't matter.
const MOST_WORDS: usize = MAX_CONDITIONS;

/// Maximum number of alternative spellings of all words. Each is a condition on three fields, and a filter has at most 200.
const MOST_SPELLINGS: usize = 28;

/// Minimum number of digits for a search by phone number. Fewer digits match too many numbers.
const LEAST_DIGITS: usize = 5;

/// Names of the kinds of things that have a number.
pub const LEADS: &[&str] = &["lead", "leads"];
pub const CALLS: &[&str] = &["call", "calls", "anruf", "anrufe"];
pub const DELIVERIES: &[&str] = &["delivery", "deliveries", "zustellung", "zustellungen"];

/// Returns the typed text without a leading kind such as `lead`.
pub fn without_kind(typed: &str) -> &str {
    [LEADS, CALLS, DELIVERIES].into_iter().fold(typed, without)
}

/// True if the typed text begins with a name of this kind.
pub fn is_of(typed: &str, kind: &[&str]) -> bool {
    without(typed, kind) != typed
}

fn without<'a>(typed: &'a str, kinds: &[&str]) -> &'a str {
    match typed.trim().split_once(char::is_whitespace) {
        Some((first, rest)) if kinds.contains(&&*host::lower(first)) => rest.trim_start(),
        _ => typed,
    }
}

/// Parses a typed id; `#17` and `lead 17` are ids too.
pub fn id(typed: &str) -> Option<i64> {
    let digits = without_kind(typed).trim().trim_start_matches('#');
    digits.parse().ok().filter(|id| *id > 0)
}

/// Adds a search to a filter and keeps the filter's order and page. A filter that can't be parsed is returned unchanged. If the
/// result exceeds the limits of a filter, alternative spellings are left out. If it still does, the result matches no lead,
/// because it must never match more than the user asked for.
pub fn narrowed(text: &str, typed: &str) -> String {
    // Names of other kinds aren't removed: this searches leads only.
    let typed = without(typed, LEADS).trim();
    if typed.is_empty() || !holds(text) {
        return text.to_owned();
    }
    let searches = [respelled(typed), Some(as_typed(typed))].into_iter().flatten();
    searches.map(|search| beside(text, &search)).find(|both| holds(both)).unwrap_or_else(|| {
        let mut none = filter::parse(text).tree;
        none.conditions = filter::parse(&all_of(r#"{"id":0}"#.to_owned())).tree.conditions;
        filter::print(&none)
    })
}

/// True if the server accepts a filter.
pub fn holds(text: &str) -> bool {
    filter::read(text, &Limits::default()).is_ok()
}

/// Adds a search filter of this module to a filter, without nesting its groups deeper, since nesting is limited.
pub fn beside(text: &str, search: &str) -> String {
    let mut parsed = filter::parse(text);
    if !parsed.faults.is_empty() {
        return text.to_owned();
    }
    let conditions = &mut parsed.tree.conditions;
    for found in filter::parse(search).tree.conditions {
        let own = conditions.iter_mut().find_map(|condition| match condition {
            Condition::Group(group) if group.junction == Junction::All => Some(group),
            _ => None,
        });
        match (own, found) {
            (Some(own), Condition::Group(mut group)) => own.branches.append(&mut group.branches),
            (_, found) => conditions.push(found),
        }
    }
    filter::print(&parsed.tree)
}

/// Filter for the typed text: digits match phone numbers and ids, other text matches name, e-mail and city.
pub fn as_typed(typed: &str) -> String {
    let typed = typed.trim();
    let by_id = id(typed).map(|id| format!(r#"{{"id":{id}}}"#));
    if let Some(by_id) = by_id.as_ref().filter(|_| typed.starts_with('#')) {
        return all_of(by_id.clone());
    }
    let digits: String = typed.chars().filter(char::is_ascii_digit).collect();
    let is_number = typed.chars().all(|letter| letter.is_ascii_digit() || " +-()/.".contains(letter));
    if is_number && !digits.is_empty() {
        // A dialled number has a national or international prefix, an E.164 number has neither.
        let whole = digits.trim_start_matches('0');
        let is_dialled = whole.len() < digits.len() && whole.len() >= LEAST_DIGITS;
        let texts: Vec<_> =
            [Some(&*digits), is_dialled.then_some(whole)].into_iter().flatten().map(str::to_owned).collect();
        let mut any = anywhere(&["phone_normalized", "phone_normalized2", "phone", "phone2"], &texts);
        any.extend(by_id);
        return all_of(any_of(&any));
    }
    // Each word may match a different field.
    let word = |word| any_of(&anywhere(&["first_name", "last_name", "email", "city"], &small_too(word)));
    // All words must match; otherwise the search would find more than the user typed.
    all_of(typed.split_whitespace().take(MOST_WORDS).map(word).collect::<Vec<_>>().join(","))
}

/// Like [`as_typed`], with alternative spellings; `None` if no word has any.
pub fn respelled(typed: &str) -> Option<String> {
    let words: Vec<_> = typed.split_whitespace().take(MOST_WORDS).collect();
    let each = MOST_SPELLINGS / words.len().clamp(1, MOST_RESPELLED);
    let others: Vec<_> = words.iter().take(MOST_RESPELLED).map(|word| spellings(word)).collect();
    if others.iter().all(Vec::is_empty) {
        return None;
    }
    let word = |(word, mut others): (&&str, Vec<String>)| {
        others.truncate(each);
        let mut any = anywhere(&["first_name", "last_name", "city"], &[small_too(word), others].concat());
        // E-mail addresses have no alternative spellings.
        any.extend(anywhere(&["email"], &[(*word).to_owned()]));
        any_of(&any)
    };
    Some(all_of(
        words.iter().zip(others.into_iter().chain(repeat_with(Vec::new))).map(word).collect::<Vec<_>>().join(","),
    ))
}

fn all_of(branches: String) -> String {
    format!(r#"{{"_and":[{branches}]}}"#)
}

fn any_of(branches: &[String]) -> String {
    format!(r#"{{"_or":[{}]}}"#, branches.join(","))
}

/// Returns the word as typed and in lower case, because a filter distinguishes `Ü` from `ü`.
fn small_too(word: &str) -> Vec<String> {
    let small = host::lower(word);
    let is_other = small != word.to_ascii_lowercase();
    [Some(word.to_owned()), is_other.then_some(small)].into_iter().flatten().collect()
}

/// Conditions for each text in each field.
fn anywhere(fields: &[&str], texts: &[String]) -> Vec<String> {
    let mut all = Vec::new();
    for text in texts {
        let mut quoted = String::new();
        push_quoted(&mut quoted, text);
        all.extend(fields.iter().map(|field| format!(r#"{{"{field}":{{"contains":{quoted}}}}}"#)));
    }
    all
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn accepts_a_kind_before_the_search_text() {
        assert_eq!(
            (id("lead 17"), id("Call #17"), id("#17"), id("lead"), id("17 lead")),
            (Some(17), Some(17), Some(17), None, None)
        );
        assert_eq!(
            (without_kind("Leads Ann Lee"), without_kind("lead"), without_kind("leader Ann")),
            ("Ann Lee", "lead", "leader Ann")
        );
    }

    #[test]
    fn any_search_text_becomes_a_valid_filter() {
        let long = "aeouncaeounc ".repeat(6);
        for typed in [
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
            for filter in [Some(as_typed(typed)), respelled(typed)].into_iter().flatten() {
                assert!(holds(&filter), "{typed:?} makes {filter}");
            }
        }
        assert_eq!(respelled("+49 30"), None);
        let finds = |typed, digits: &str| as_typed(typed).contains(&format!("\"{digits}\""));
        assert!(finds("(040) 123-456", "40123456") && finds("(040) 123-456", "040123456"));
        assert!(finds("0049 40 123", "4940123") && finds("+49 40 123", "4940123") && !finds("0040", "40"));
        assert_eq!(small_too("MÜLLER"), ["MÜLLER", "müller"]);
        assert_eq!(small_too("SMITH"), ["SMITH"]);
        assert!(respelled("Anna Muller").unwrap().contains("müller"));
    }

    #[test]
    fn searches_every_word() {
        let typed = "muller two three four five six";
        for filter in [as_typed(typed), respelled(typed).unwrap()] {
            assert!(typed.split(' ').all(|word| filter.contains(&format!("{word:?}"))), "{filter}");
        }
        assert!(!respelled("one two three four muller").unwrap().contains("müller"));
    }

    #[test]
    fn combined_filter_stays_within_limits() {
        let filter = |count: usize| {
            let cities: Vec<_> = (0..count).map(|n| format!(r#"{{"city":"{n}"}}"#)).collect();
            format!(r#"{{"_or":[{}],"limit":"50;0"}}"#, cities.join(","))
        };
        let typed = "aeouncaeounc aeouncaeounc";
        let is_respelled = |count| narrowed(&filter(count), typed).contains("ouncäounc");
        assert!(is_respelled(20) && !is_respelled(150));
        let none = r#"{"_and":[{"id":0}],"limit":"50;0"}"#;
        for (count, typed, is_too_much) in [
            (20, typed, false),
            (192, typed, false),
            (193, typed, true),
            (1, &*"x ".repeat(49), false),
            (1, &*"x ".repeat(50), true),
            (1, &*"x ".repeat(5_000), true),
            (1, &*"x".repeat(1_001), true),
        ] {
            let both = narrowed(&filter(count), typed);
            assert!(holds(&both), "{count} {typed}");
            assert_eq!(both == none, is_too_much, "{count} {typed}");
        }
    }

    #[test]
    fn numbers_match_ids() {
        assert_eq!(["#17", " 17 ", "0", "-1", "17a"].map(id), [Some(17), Some(17), None, None, None]);
        assert_eq!(as_typed("#17"), r#"{"_and":[{"id":17}]}"#);
        assert!(as_typed("17").contains(r#"{"id":17}"#), "it may be a part of a number too");
    }

    #[test]
    fn search_adds_no_nesting_to_the_filter() {
        let lives_in = |town: &str| format!(r#"{{"_or":[{{"city":"{town}"}},{{"city":null}}]}}"#);
        assert_eq!(narrowed(r#"{"status":"new","limit":"50;0"}"#, " "), r#"{"status":"new","limit":"50;0"}"#);
        assert_eq!(
            narrowed(r#"{"status":"new","limit":"50;0"}"#, "#17"),
            r#"{"status":"new","_and":[{"id":17}],"limit":"50;0"}"#
        );
        let groups = format!(r#"{{"_and":[{},{}],"limit":"50;0"}}"#, lives_in("Bonn"), lives_in("Ulm"));
        let both = format!(r#"{{"_and":[{},{},{{"id":17}}],"limit":"50;0"}}"#, lives_in("Bonn"), lives_in("Ulm"));
        assert_eq!(narrowed(&groups, "lead #17"), both);
        assert!(!narrowed("{}", "call 17").contains(r#"{"id":17}"#), "a call is no lead");
        let deep = r#"{"_or":[{"_and":[{"_or":[{"_and":[{"city":"Bonn"}]}]}]}]}"#;
        for typed in ["ann", "040 123456", "one two three four"] {
            let text = narrowed(deep, typed);
            assert!(holds(&text), "{text}");
        }
        assert_eq!(narrowed("{", "ann"), "{");
    }
}
