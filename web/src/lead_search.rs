//! Leads by what somebody types of them: the same in the command palette and over the list, as a filter that every other
//! program can send too.

use std::iter::repeat_with;

use leadscribe_engine::filter::ast::{Condition, Junction};
use leadscribe_engine::filter::{self, Limits, MAX_CONDITIONS};
use leadscribe_engine::host;
use leadscribe_engine::json::push_quoted;

use crate::spelling::spellings;

/// Words that are tried in other spellings too: the first ones. The rest stand in the filter as they were typed.
const MOST_RESPELLED: usize = 4;

/// A filter with so many words doesn't hold, whichever they are: of any more nothing needs to be made.
const MOST_WORDS: usize = MAX_CONDITIONS;

/// Other spellings that are tried, of all words together: each is a condition on three fields, and a filter has at most 200.
const MOST_SPELLINGS: usize = 28;

/// Fewer digits of a number stand in too many others.
const LEAST_DIGITS: usize = 5;

/// What things are called that have a number.
pub const LEADS: &[&str] = &["lead", "leads"];
pub const CALLS: &[&str] = &["call", "calls", "anruf", "anrufe"];
pub const DELIVERIES: &[&str] = &["delivery", "deliveries", "zustellung", "zustellungen"];

/// What was typed without the kind of thing that is looked for, where it stands before it.
pub fn without_kind(typed: &str) -> &str {
    [LEADS, CALLS, DELIVERIES].into_iter().fold(typed, without)
}

/// Whether something of this kind is looked for by its name.
pub fn is_of(typed: &str, kind: &[&str]) -> bool {
    without(typed, kind) != typed
}

fn without<'a>(typed: &'a str, kinds: &[&str]) -> &'a str {
    match typed.trim().split_once(char::is_whitespace) {
        Some((first, rest)) if kinds.contains(&&*host::lower(first)) => rest.trim_start(),
        _ => typed,
    }
}

/// The id that was typed, if one was; `#17` and `lead 17` are some too.
pub fn id(typed: &str) -> Option<i64> {
    let digits = without_kind(typed).trim().trim_start_matches('#');
    digits.parse().ok().filter(|id| *id > 0)
}

/// A filter with a search beside it: what both find, with the order and page of the filter. A filter that can't be read stays
/// as it is. Where both together would be more than a filter may be, other spellings are left out; and where they still are,
/// no lead is found, since what is found must never be more than what was asked for.
pub fn narrowed(text: &str, typed: &str) -> String {
    // Calls aren't looked for among leads.
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

/// Whether the server takes a filter.
pub fn holds(text: &str) -> bool {
    filter::read(text, &Limits::default()).is_ok()
}

/// A filter with one of the filters below beside it, whose groups go no deeper for it: they may be allowed no more.
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

/// The filter that finds leads by what was typed: digits by phone and id, anything else by name, e-mail and town.
pub fn as_typed(typed: &str) -> String {
    let typed = typed.trim();
    let by_id = id(typed).map(|id| format!(r#"{{"id":{id}}}"#));
    if let Some(by_id) = by_id.as_ref().filter(|_| typed.starts_with('#')) {
        return all_of(by_id.clone());
    }
    let digits: String = typed.chars().filter(char::is_ascii_digit).collect();
    let is_number = typed.chars().all(|letter| letter.is_ascii_digit() || " +-()/.".contains(letter));
    if is_number && !digits.is_empty() {
        // As it is dialled inside its country or from abroad; in E.164 it has neither prefix.
        let whole = digits.trim_start_matches('0');
        let is_dialled = whole.len() < digits.len() && whole.len() >= LEAST_DIGITS;
        let texts: Vec<_> =
            [Some(&*digits), is_dialled.then_some(whole)].into_iter().flatten().map(str::to_owned).collect();
        let mut any = anywhere(&["phone_normalized", "phone_normalized2", "phone", "phone2"], &texts);
        any.extend(by_id);
        return all_of(any_of(&any));
    }
    // Each word somewhere: a first name, a last name and a town find one another.
    let word = |word| any_of(&anywhere(&["first_name", "last_name", "email", "city"], &small_too(word)));
    // All of them: with fewer, more would be found than what was typed.
    all_of(typed.split_whitespace().take(MOST_WORDS).map(word).collect::<Vec<_>>().join(","))
}

/// The same in other spellings too; none where there are none.
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
        // Addresses of e-mail are spelled as they are.
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

/// A word as it was typed, and in small letters: a filter tells `Ü` from `ü`.
fn small_too(word: &str) -> Vec<String> {
    let small = host::lower(word);
    let is_other = small != word.to_ascii_lowercase();
    [Some(word.to_owned()), is_other.then_some(small)].into_iter().flatten().collect()
}

/// Each of the texts in each of the fields.
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
    fn the_kind_may_stand_before_what_is_looked_for() {
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
    fn whatever_is_typed_is_looked_for_by_a_filter_that_holds() {
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
    fn every_word_is_looked_for() {
        let typed = "muller two three four five six";
        for filter in [as_typed(typed), respelled(typed).unwrap()] {
            assert!(typed.split(' ').all(|word| filter.contains(&format!("{word:?}"))), "{filter}");
        }
        assert!(!respelled("one two three four muller").unwrap().contains("müller"));
    }

    #[test]
    fn a_filter_and_a_search_hold_together() {
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
    fn a_number_is_an_id() {
        assert_eq!(["#17", " 17 ", "0", "-1", "17a"].map(id), [Some(17), Some(17), None, None, None]);
        assert_eq!(as_typed("#17"), r#"{"_and":[{"id":17}]}"#);
        assert!(as_typed("17").contains(r#"{"id":17}"#), "it may be a part of a number too");
    }

    #[test]
    fn a_search_stands_beside_the_filter_and_no_deeper() {
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
