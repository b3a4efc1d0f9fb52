//! What the palette asks the server: leads by text, and what has the number that was typed.

use leadscribe_engine::api::{Call, CallId, DeliveryId, Lead, LeadId};
use serde_json::{Value, json};

use crate::api::{Answer, Api};
use crate::components::lead_table::lead_name;
use crate::spelling::spellings;

/// Most leads that are shown.
const MOST: usize = 6;

/// A filter is bounded; so are words.
const MOST_WORDS: usize = 4;

/// Fewer digits of a number stand in too many others.
const LEAST_DIGITS: usize = 5;

/// Of what was typed.
#[derive(Clone, Debug, PartialEq)]
pub struct Found {
    pub leads: Vec<Lead>,
    /// How many there are, and the filter that finds them all.
    pub all: (u64, String),
    /// With this id: what the lead is called, the numbers of the call, and whether there is a delivery.
    pub numbered: Numbered,
}

#[derive(Clone, Debug, Default, PartialEq)]
pub struct Numbered {
    pub lead: Option<String>,
    pub call: Option<String>,
    pub delivery: bool,
}

/// Looks for what was typed.
pub async fn find(api: Api, typed: String) -> Answer<Found> {
    let typed = without_kind(&typed);
    let (mut leads, mut all) = (Vec::new(), Default::default());
    // What is spelled as it was typed goes before, and is found by the other spellings too.
    for filter in [Some(lead_filter(typed)), respelled(typed)].into_iter().flatten() {
        if leads.len() < MOST {
            let answer = api.leads(of(filter.clone())).await?;
            all = (answer.total_leads, filter.to_string());
            let found = answer.leads.into_iter().map(|found| found.lead);
            leads.extend(
                found.filter(|one: &Lead| leads.iter().all(|known: &Lead| known.id != one.id)).collect::<Vec<_>>(),
            );
        }
    }
    leads.truncate(MOST);
    let numbered = match id(typed) {
        Some(id) => Numbered {
            lead: api.lead(LeadId(id)).await.ok().map(|found| lead_name(&found.lead)),
            call: api.call(CallId(id)).await.ok().map(|call| numbers(&call)),
            delivery: api.delivery(DeliveryId(id)).await.is_ok(),
        },
        None => Numbered::default(),
    };
    Ok(Found { leads, all, numbered })
}

/// What was typed without the kind of thing that is looked for, where it stands before it.
fn without_kind(typed: &str) -> &str {
    let is_kind = |word: &str| ["lead", "leads", "call", "calls", "anruf", "anrufe"].contains(&&*word.to_lowercase());
    match typed.trim().split_once(char::is_whitespace) {
        Some((first, rest)) if is_kind(first) => rest.trim_start(),
        _ => typed,
    }
}

/// The id that was typed, if one was; `#17` and `lead 17` are some too.
pub fn id(typed: &str) -> Option<i64> {
    without_kind(typed).trim().trim_start_matches('#').parse().ok().filter(|id| *id > 0)
}

fn numbers(call: &Call) -> String {
    let both = [&call.caller_number, &call.callee_number].into_iter().flatten();
    both.map(String::as_str).collect::<Vec<_>>().join(" → ")
}

/// The filter that finds leads by what was typed: digits by phone, anything else by name, e-mail and town.
fn lead_filter(typed: &str) -> Value {
    let typed = typed.trim();
    let is_number = typed.chars().all(|letter| letter.is_ascii_digit() || " +-()/.".contains(letter));
    if is_number {
        let digits: String = typed.chars().filter(char::is_ascii_digit).collect();
        // As it is dialled inside its country or from abroad; in E.164 it has neither prefix.
        let whole = digits.trim_start_matches('0');
        let is_dialled = whole.len() < digits.len() && whole.len() >= LEAST_DIGITS;
        let texts = [Some(digits.as_str()), is_dialled.then_some(whole)].into_iter().flatten().map(str::to_owned);
        let fields = ["phone_normalized", "phone_normalized2", "phone", "phone2"];
        return json!({ "_or": anywhere(&fields, &texts.collect::<Vec<_>>()) });
    }
    // Each word somewhere: a first name, a last name and a town find one another.
    let word = |word: &str| json!({ "_or": anywhere(&["first_name", "last_name", "email", "city"], &small_too(word)) });
    json!({ "_and": typed.split_whitespace().take(MOST_WORDS).map(word).collect::<Vec<_>>() })
}

/// The same in other spellings; none where there are none.
fn respelled(typed: &str) -> Option<Value> {
    let words: Vec<_> = typed.split_whitespace().take(MOST_WORDS).collect();
    let others: Vec<_> = words.iter().map(|word| spellings(word)).collect();
    if others.iter().all(Vec::is_empty) {
        return None;
    }
    let word = |(word, others): (&&str, Vec<String>)| {
        // Addresses of e-mail are spelled as they are.
        let as_typed = anywhere(&["email"], &[(*word).to_owned()]);
        let all = [small_too(word), others].concat();
        let spelled = anywhere(&["first_name", "last_name", "city"], &all);
        json!({ "_or": Value::Array([spelled, as_typed].concat()) })
    };
    Some(json!({ "_and": words.iter().zip(others).map(word).collect::<Vec<_>>() }))
}

/// A word as it was typed, and in small letters: a filter tells `Ü` from `ü`.
fn small_too(word: &str) -> Vec<String> {
    let small = word.to_lowercase();
    let is_other = small != word.to_ascii_lowercase();
    [Some(word.to_owned()), is_other.then_some(small)].into_iter().flatten().collect()
}

/// Each of the texts in each of the fields.
fn anywhere(fields: &[&str], texts: &[String]) -> Vec<Value> {
    let in_fields =
        |text: &String| fields.iter().map(|field| json!({ *field: { "contains": text } })).collect::<Vec<_>>();
    texts.iter().flat_map(in_fields).collect()
}

/// The first of them.
fn of(mut filter: Value) -> String {
    filter["limit"] = json!(format!("{MOST};0"));
    filter.to_string()
}

#[cfg(test)]
mod tests {
    use leadscribe_engine::filter::{self, Limits};

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
            &long,
        ] {
            for text in [Some(lead_filter(typed)), respelled(typed)].into_iter().flatten().map(of) {
                assert!(filter::read(&text, &Limits::default()).is_ok(), "{typed:?} makes {text}");
            }
        }
        assert_eq!(respelled("+49 30"), None);
        let finds = |typed, digits: &str| lead_filter(typed).to_string().contains(&format!("\"{digits}\""));
        assert!(finds("(040) 123-456", "40123456") && finds("(040) 123-456", "040123456"));
        assert!(finds("0049 40 123", "4940123") && finds("+49 40 123", "4940123") && !finds("0040", "40"));
        assert_eq!(small_too("MÜLLER"), ["MÜLLER", "müller"]);
        assert_eq!(small_too("SMITH"), ["SMITH"]);
        assert!(respelled("Anna Muller").unwrap().to_string().contains("müller"));
    }

    #[test]
    fn a_number_is_an_id() {
        assert_eq!(["#17", " 17 ", "0", "-1", "17a"].map(id), [Some(17), Some(17), None, None, None]);
    }
}
