//! Leads by what people type of them: a name, a town, an e-mail address or a part of a phone number, in any order and spelling.

use leadscribe_engine::api::Lead;
use serde_json::{Value, json};

use crate::api::{Answer, Api};
use crate::spelling::spellings;

/// A filter is bounded; so are words.
const MOST_WORDS: usize = 4;

/// Fewer digits of a number stand in too many others.
const LEAST_DIGITS: usize = 5;

/// Some leads, of how many, and the filter that finds them all.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct FoundLeads {
    pub leads: Vec<Lead>,
    pub total: u64,
    pub filter: String,
}

/// The first leads that what was typed finds, at most so many.
pub async fn search(api: Api, typed: &str, most: usize) -> Answer<FoundLeads> {
    let mut found = FoundLeads::default();
    // What is spelled as it was typed goes before, and is found by the other spellings too.
    for filter in [Some(lead_filter(typed)), respelled(typed)].into_iter().flatten() {
        if found.leads.len() < most {
            let answer = api.leads(first_of(filter.clone(), most)).await?;
            (found.total, found.filter) = (answer.total_leads, filter.to_string());
            for lead in answer.leads.into_iter().map(|found| found.lead) {
                if found.leads.iter().all(|known| known.id != lead.id) {
                    found.leads.push(lead);
                }
            }
        }
    }
    found.leads.truncate(most);
    Ok(found)
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
fn first_of(mut filter: Value, most: usize) -> String {
    filter["limit"] = json!(format!("{most};0"));
    filter.to_string()
}

#[cfg(test)]
mod tests {
    use leadscribe_engine::filter::{self, Limits};

    use super::*;

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
            for text in
                [Some(lead_filter(typed)), respelled(typed)].into_iter().flatten().map(|filter| first_of(filter, 6))
            {
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
}
