//! A filter in plain English: "leads in campaign 7, updated after 1 May 2026, 09:30 UTC".
//!
//! What is as it would be without being said, as the order by id, isn't said.

use super::fields::{FieldId, Kind, Owner};
use super::predicate::{
    CampaignsShown, CheckedFilter, Comparison, Cursor, FieldRef, Limit, OrderKey, Predicate, Test, TextMatch, Value,
};
use crate::api::{CampaignId, Timestamp};
use crate::time;

/// The names of campaigns, as far as they are known.
pub type Names<'a> = dyn Fn(CampaignId) -> Option<String> + 'a;

/// Longest list of values that is written out; of a longer one all but the last place are, and how many others there are.
const MAX_SHOWN: usize = 5;

/// What the filter means, on one line, without a full stop.
pub fn explain(filter: &CheckedFilter, names: &Names<'_>) -> String {
    let mut text = match conditions(&filter.predicate, names).as_slice() {
        [] => "all leads".to_owned(),
        [(only, _)] => format!("leads {only}"),
        several => {
            let phrases: Vec<String> = several.iter().map(parenthesised).collect();
            format!("leads {}", phrases.join(", "))
        }
    };
    for rest in [order(&filter.order), page(filter), members(filter)].into_iter().flatten() {
        text.push_str("; ");
        text.push_str(&rest);
    }
    text
}

/// A phrase, and whether it has parts that others around it could tear apart.
type Phrase = (String, bool);

fn parenthesised((phrase, compound): &Phrase) -> String {
    if *compound { format!("({phrase})") } else { phrase.clone() }
}

/// The phrases of a predicate, all of which hold.
fn conditions(predicate: &Predicate, names: &Names<'_>) -> Vec<Phrase> {
    match predicate {
        Predicate::Field(field, test) => vec![(condition(field, &[test], names), false)],
        Predicate::Any(branches) => vec![either(branches, names)],
        Predicate::All(parts) => {
            let mut phrases = Vec::new();
            let mut rest = parts.as_slice();
            while let [first, after @ ..] = rest {
                rest = after;
                match first {
                    Predicate::Field(field, test @ Test::Compare(..)) => {
                        let mut bounds = vec![test];
                        while let [Predicate::Field(same, test @ Test::Compare(..)), after @ ..] = rest
                            && same == field
                        {
                            bounds.push(test);
                            rest = after;
                        }
                        phrases.push((condition(field, &bounds, names), false));
                    }
                    other => phrases.extend(conditions(other, names)),
                }
            }
            phrases
        }
    }
}

fn either(branches: &[Predicate], names: &Names<'_>) -> Phrase {
    let mut phrases: Vec<String> = branches
        .iter()
        .map(|branch| match conditions(branch, names).as_slice() {
            [] => "of any kind".to_owned(),
            [only] => parenthesised(only),
            several => {
                let parts: Vec<String> = several.iter().map(parenthesised).collect();
                format!("({})", parts.join(" and "))
            }
        })
        .collect();
    match (phrases.pop(), phrases.as_slice()) {
        (None, _) => ("of no kind".to_owned(), false),
        (Some(only), []) => (only, false),
        (Some(last), first) => (format!("either {} or {last}", first.join(", ")), true),
    }
}

/// Tests on one field; several only where each compares.
fn condition(field: &FieldRef, tests: &[&Test], names: &Names<'_>) -> String {
    let known = match field {
        FieldRef::Custom(name) => return noun(&format!("custom field {}", shown(name)), Kind::Custom, true, tests),
        FieldRef::Known(id) => id.field(),
    };
    if known.id == FieldId::CampaignId {
        return campaign(tests, names);
    }
    if let ([Test::In { values, null: false }], Some((yes, no))) = (tests, marks(known.id))
        && let [Value::Boolean(value)] = values.as_slice()
    {
        return if *value { yes } else { no }.to_owned();
    }
    if let Some(verb) = verb(known.id) {
        match tests {
            [Test::IsNull(null)] => match (known.id, null) {
                (FieldId::LastCallAt, true) => return "never called".to_owned(),
                (FieldId::LastCallAt, false) => return "called before".to_owned(),
                _ => {}
            },
            [Test::In { values, null: false }] if !values.is_empty() => {
                return format!("{verb} {} {}", at(known.kind), any_of(values, known.kind));
            }
            [Test::NotIn { values, null: false }] if !values.is_empty() => {
                return format!("not {verb} {} {}", at(known.kind), any_of(values, known.kind));
            }
            [Test::Compare(..), ..] => return format!("{verb} {}", bounds(tests, known.kind)),
            _ => {}
        }
    }
    let name = match known.id {
        FieldId::CampaignName => "campaign name".to_owned(),
        FieldId::AssignedUserId => "assigned user".to_owned(),
        FieldId::FreezeUntil => "end of freeze".to_owned(),
        FieldId::UpdatedAt | FieldId::CreatedAt | FieldId::GlobalUpdatedAt => format!("{} time", lowered(known.label)),
        _ => lowered(known.label),
    };
    noun(&name, known.kind, known.nullable, tests)
}

/// How a boolean field reads.
fn marks(id: FieldId) -> Option<(&'static str, &'static str)> {
    match id {
        FieldId::DoNotCall => Some(("marked do-not-call", "not marked do-not-call")),
        FieldId::Blacklisted => Some(("blacklisted", "not blacklisted")),
        _ => None,
    }
}

/// What happened at the moment of a field.
fn verb(id: FieldId) -> Option<&'static str> {
    match id {
        FieldId::CreatedAt => Some("created"),
        FieldId::UpdatedAt => Some("updated"),
        FieldId::GlobalUpdatedAt => Some("updated anywhere"),
        FieldId::CampaignCreatedAt => Some("added to the campaign"),
        FieldId::CampaignUpdatedAt => Some("updated in the campaign"),
        FieldId::LastCallAt => Some("last called"),
        FieldId::PurchaseDate => Some("bought"),
        FieldId::Birthdate => Some("born"),
        _ => None,
    }
}

fn campaign(tests: &[&Test], names: &Names<'_>) -> String {
    let list = |values: &[Value]| {
        or_list(values, |value| match value {
            Value::Integer(id) => match names(CampaignId(*id)) {
                Some(name) => format!("{id} ({})", shown(&name)),
                None => id.to_string(),
            },
            other => text(other, Kind::Integer),
        })
    };
    match tests {
        [Test::In { values, null: false }] if !values.is_empty() => format!("in campaign {}", list(values)),
        [Test::NotIn { values, .. }] if !values.is_empty() => format!("in a campaign other than {}", list(values)),
        [Test::IsNull(false)] => "in any campaign".to_owned(),
        tests => format!("in a campaign {}", noun("ID", Kind::Integer, false, tests)),
    }
}

/// `with last name Smith`.
fn noun(name: &str, kind: Kind, nullable: bool, tests: &[&Test]) -> String {
    match tests {
        [Test::IsNull(true)] => format!("without {name}"),
        [Test::IsNull(false)] => format!("with any {name}"),
        [Test::In { values, null: true }] if values.is_empty() => format!("without {name}"),
        [Test::In { values, .. }] if values.is_empty() => format!("with {name} from an empty list, so none"),
        [Test::In { values, null }] => {
            format!("with {name} {}{}", any_of(values, kind), if *null { ", or without one" } else { "" })
        }
        [Test::NotIn { values, null: true }] if values.is_empty() => format!("with any {name}"),
        [Test::NotIn { values, .. }] if values.is_empty() => format!("with or without {name}"),
        [Test::NotIn { values, null }] => {
            let if_any = if nullable && !*null { ", if any" } else { "" };
            format!("with {name} other than {}{if_any}", any_of(values, kind))
        }
        [Test::Text(text_match, part)] => {
            let stands = match text_match {
                TextMatch::Contains => "containing",
                TextMatch::StartsWith => "starting with",
                TextMatch::EndsWith => "ending with",
            };
            format!("with {name} {stands} {}", shown(part))
        }
        tests => format!("with {name} {}", bounds(tests, kind)),
    }
}

/// `after X and before Y`.
fn bounds(tests: &[&Test], kind: Kind) -> String {
    let bounds: Vec<String> = tests
        .iter()
        .filter_map(|test| match test {
            Test::Compare(comparison, value) => {
                Some(format!("{} {}", relation(*comparison, value, kind), text(value, kind)))
            }
            _ => None,
        })
        .collect();
    bounds.join(" and ")
}

fn relation(comparison: Comparison, value: &Value, kind: Kind) -> &'static str {
    let ordered = matches!(value, Value::Time(_) | Value::Text(_));
    match comparison {
        Comparison::Greater if ordered => "after",
        Comparison::Less if ordered => "before",
        Comparison::GreaterOrEqual if kind == Kind::Date => "on or after",
        Comparison::LessOrEqual if kind == Kind::Date => "on or before",
        Comparison::GreaterOrEqual if ordered => "at or after",
        Comparison::LessOrEqual if ordered => "at or before",
        Comparison::Greater => "above",
        Comparison::Less => "below",
        Comparison::GreaterOrEqual => "at least",
        Comparison::LessOrEqual => "at most",
    }
}

fn at(kind: Kind) -> &'static str {
    if kind == Kind::Date { "on" } else { "at" }
}

/// `Ann, Bob or Eve`; of many, the first few and how many others there are.
fn any_of(values: &[Value], kind: Kind) -> String {
    or_list(values, |value| text(value, kind))
}

fn or_list(values: &[Value], shown: impl Fn(&Value) -> String) -> String {
    let (first, last) = match values {
        [] => return String::new(),
        [only] => return shown(only),
        [first @ .., last] if values.len() <= MAX_SHOWN => (first, shown(last)),
        many => (&many[..MAX_SHOWN - 1], format!("{} others", grouped((many.len() - MAX_SHOWN + 1) as u64))),
    };
    let first: Vec<String> = first.iter().map(shown).collect();
    format!("{} or {last}", first.join(", "))
}

/// A value as it reads. A custom field's texts are always quoted, for `5` and `"5"` are not the same there.
fn text(value: &Value, kind: Kind) -> String {
    match value {
        Value::Integer(value) => value.to_string(),
        Value::Number(value) => value.to_string(),
        Value::Text(text) if kind == Kind::Custom => quoted(text),
        Value::Text(text) => shown(text),
        Value::Boolean(value) => value.to_string(),
        Value::Time(time) if kind == Kind::Date => date(*time),
        Value::Time(time) => time::describe(*time),
    }
}

fn date(moment: Timestamp) -> String {
    match moment.time() == chrono::NaiveTime::MIN {
        true => time::describe_date(moment.date_naive()),
        false => time::describe(moment),
    }
}

/// A text as it is when it can't be misread, else in quotes.
fn shown(text: &str) -> String {
    let plain = |c: char| c.is_alphanumeric() || matches!(c, ' ' | '-' | '\'' | '.' | '@' | '_' | '+' | '/');
    let single_spaced =
        !text.is_empty() && text.split(' ').all(|word| !word.is_empty() && word != "or" && word != "and");
    match single_spaced && text.chars().count() <= 60 && text.chars().all(plain) {
        true => text.to_owned(),
        false => quoted(text),
    }
}

fn quoted(text: &str) -> String {
    let mut short: String = text.chars().take(60).map(|c| if c.is_control() { '\u{fffd}' } else { c }).collect();
    if text.chars().count() > 60 {
        short.push('…');
    }
    format!("“{short}”")
}

fn lowered(label: &str) -> String {
    let mut chars = label.chars();
    match (chars.next(), chars.clone().next()) {
        (Some(first), Some(second)) if !second.is_uppercase() => first.to_lowercase().chain(chars).collect(),
        _ => label.to_owned(),
    }
}

fn order(order: &[OrderKey]) -> Option<String> {
    if let [OrderKey { field: FieldId::Id, descending: false }] = order {
        return None;
    }
    let said = match order {
        [first @ .., OrderKey { field: FieldId::Id, descending: false }] => first,
        all => all,
    };
    let keys: Vec<String> = said
        .iter()
        .map(|key| {
            let field = key.field.field();
            debug_assert!(field.owner == Owner::Lead);
            let direction = match (key.descending, field.kind) {
                (false, _) => "",
                (true, Kind::DateTime | Kind::Date) => " (latest first)",
                (true, Kind::Text) => " (Z to A)",
                (true, _) => " (largest first)",
            };
            let name = match field.kind {
                Kind::DateTime => format!("time {}", lowered(field.label)),
                _ => lowered(field.label),
            };
            format!("{name}{direction}")
        })
        .collect();
    Some(format!("sorted by {}", keys.join(", then ")))
}

fn page(filter: &CheckedFilter) -> Option<String> {
    let Limit { count, offset } = filter.limit;
    let count_shown = grouped(count.into());
    let page = match (count, offset) {
        (0, _) => "the total alone".to_owned(),
        (_, 0) if filter.limit == Limit::default() => String::new(),
        (_, 0) => format!("at most {count_shown}"),
        (_, offset) => format!("at most {count_shown} after the first {}", grouped(offset)),
    };
    let cursor = match filter.cursor {
        None => "",
        Some(Cursor::Start) => "from the start, by cursor",
        Some(Cursor::After(_)) => "from where the last page ended",
    };
    match (page.as_str(), cursor) {
        ("", "") => None,
        ("", cursor) => Some(cursor.to_owned()),
        (_, "") => Some(page),
        (_, cursor) => Some(format!("{page}, {cursor}")),
    }
}

fn members(filter: &CheckedFilter) -> Option<String> {
    let fields = filter.fields.as_ref().map(|fields| {
        let names: Vec<&str> = fields.iter().map(String::as_str).collect();
        format!("showing only {}", names.join(", "))
    });
    let campaigns = (filter.campaigns == CampaignsShown::All).then(|| "with all their campaigns".to_owned());
    match (fields, campaigns) {
        (Some(fields), Some(campaigns)) => Some(format!("{fields}; {campaigns}")),
        (fields, campaigns) => fields.or(campaigns),
    }
}

/// `1,000`.
fn grouped(number: u64) -> String {
    let digits = number.to_string();
    let mut text = String::with_capacity(digits.len() + digits.len() / 3);
    for (place, digit) in digits.chars().enumerate() {
        if place > 0 && (digits.len() - place).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}
