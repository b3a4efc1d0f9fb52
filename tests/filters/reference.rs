//! Reference evaluator of the filter language, written from its description alone.
//!
//! It uses nothing of the engine or the server, so that a misread rule shows up as a difference. It evaluates JSON
//! values one row at a time, without regard for speed.
//!
//! Rules: a filter is a formula over pairs of a lead and one of its campaign leads, or of a lead without campaign leads
//! and none. A lead matches if some pair satisfies the formula. The campaign leads of such pairs are returned.

use std::cmp::Ordering;

use chrono::{DateTime, NaiveDate, NaiveDateTime, NaiveTime, Utc};
use serde_json::{Map, Value};

/// Result of a filter.
#[derive(Debug, PartialEq, Eq)]
pub struct Answer {
    /// Number of matching leads.
    pub total: u64,
    /// Page: each lead's id with the ids of the returned campaign leads.
    pub page: Vec<(i64, Vec<i64>)>,
}

/// Evaluates a filter over leads, each with all its `campaigns`, ordered by id.
pub fn answer(filter: &Value, leads: &[Value], now: DateTime<Utc>) -> Answer {
    let filter = filter.as_object().expect("a filter is an object");
    let mut matching = Vec::new();
    for lead in leads {
        let campaigns = lead["campaigns"].as_array().expect("a lead has campaigns");
        let satisfied = |campaign: Option<&Value>| holds(filter, &Pair { lead, campaign, now });
        let shown: Vec<_> = campaigns.iter().filter(|campaign| satisfied(Some(campaign))).collect();
        if !shown.is_empty() || campaigns.is_empty() && satisfied(None) {
            let all = filter.get("_campaigns").is_some_and(|shown| shown == "all");
            let campaigns = if all { campaigns.iter().collect() } else { shown };
            let ids = campaigns.iter().map(|one| integer(&one["campaign_lead_id"])).collect();
            matching.push((integer(&lead["id"]), ids));
        }
    }
    let (count, offset) = limit(filter);
    Answer { total: matching.len() as u64, page: matching.into_iter().skip(offset).take(count).collect() }
}

fn limit(filter: &Map<String, Value>) -> (usize, usize) {
    let Some(limit) = filter.get("limit") else { return (200, 0) };
    let (count, offset) = limit.as_str().and_then(|limit| limit.split_once(';')).expect("a limit is count;offset");
    (count.parse().expect("a count"), offset.parse().expect("an offset"))
}

/// Lead with one of its campaign leads, or with none.
struct Pair<'a> {
    lead: &'a Value,
    campaign: Option<&'a Value>,
    now: DateTime<Utc>,
}

/// True if every part of a filter holds.
fn holds(filter: &Map<String, Value>, pair: &Pair<'_>) -> bool {
    filter.iter().all(|(key, wanted)| match key.as_str() {
        "limit" | "_campaigns" => true,
        "_or" => parts(wanted).any(|part| holds(part, pair)),
        "_and" => parts(wanted).all(|part| holds(part, pair)),
        _ => condition(key, wanted, pair),
    })
}

fn parts(filters: &Value) -> impl Iterator<Item = &Map<String, Value>> {
    filters.as_array().expect("a list of filters").iter().map(|one| one.as_object().expect("a filter"))
}

/// Type of a field.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Type {
    Text,
    Number,
    Boolean,
    Time,
    Custom,
}

/// Comparable value.
#[derive(Clone, Debug, PartialEq)]
enum Datum {
    Missing,
    Text(String),
    Number(f64),
    Boolean(bool),
    Time(DateTime<Utc>),
}

/// Evaluates one key of a filter with its condition.
fn condition(key: &str, wanted: &Value, pair: &Pair<'_>) -> bool {
    // Without a campaign lead no condition on it holds, not even that a value is missing; only its absence can be
    // matched.
    let Some((type_, found)) = look_up(key, pair) else {
        return matches!(key, "campaign_id" | "campaign_lead_id") && permits_none(wanted);
    };
    match wanted {
        Value::Object(operators) => {
            operators.iter().all(|(operator, operand)| operation(operator, operand, type_, &found))
        }
        Value::String(text) if matches!(type_, Type::Number | Type::Time) && text.contains(';') => {
            text.split('|').all(|expression| {
                let (value, operator) = expression.split_once(';').expect("value;operator");
                let value = if type_ == Type::Number { number(value) } else { time(value) };
                compare(operator, &found, &value)
            })
        }
        other => any_of(other, type_, &found),
    }
}

/// True if the condition accepts a missing value.
fn permits_none(wanted: &Value) -> bool {
    match wanted {
        Value::Null => true,
        Value::Array(values) => values.contains(&Value::Null),
        Value::Object(operators) => operators.iter().all(|(operator, operand)| match operator.as_str() {
            "null" => operand == true,
            "eq" | "in" => permits_none(operand),
            _ => false,
        }),
        _ => false,
    }
}

/// Returns type and value of a field, or `None` if it belongs to a missing campaign lead.
fn look_up(key: &str, pair: &Pair<'_>) -> Option<(Type, Datum)> {
    if let Some(name) = key.strip_prefix("custom.") {
        return Some((Type::Custom, datum(Type::Custom, &pair.lead["custom_fields"][name])));
    }
    let lead = |type_| Some((type_, datum(type_, &pair.lead[key])));
    match key {
        "id" | "import_id" | "lat" | "lng" | "purchase_amount" => return lead(Type::Number),
        "do_not_call" | "blacklisted" => return lead(Type::Boolean),
        "purchase_date" | "birthdate" | "created_at" | "updated_at" | "global_updated_at" => return lead(Type::Time),
        "first_name"
        | "last_name"
        | "phone"
        | "phone2"
        | "phone_normalized"
        | "phone_normalized2"
        | "email"
        | "address1"
        | "address2"
        | "city"
        | "state"
        | "zip"
        | "country"
        | "timezone"
        | "original_identifier"
        | "support_site"
        | "purchase_site"
        | "purchase_product_name" => return lead(Type::Text),
        _ => {}
    }
    let campaign = pair.campaign?;
    if key == "lead_id" {
        return Some((Type::Number, datum(Type::Number, &pair.lead["id"])));
    }
    // These three names begin with `campaign_`; for the others it is a prefix.
    let property = match key {
        "campaign_id" | "campaign_name" | "campaign_lead_id" => key,
        _ => key.strip_prefix("campaign_").unwrap_or(key),
    };
    let type_ = match property {
        "campaign_id" | "campaign_lead_id" | "weight" | "calls_count" | "calls_today" | "assigned_user_id" => {
            Type::Number
        }
        "campaign_name" | "status" | "last_call_status" => Type::Text,
        "last_call_at" | "freeze_until" | "callback_at" | "created_at" | "updated_at" => Type::Time,
        other => panic!("no field is called {other}"),
    };
    if property == "calls_today" && !called_today(campaign, pair.now) {
        return Some((type_, Datum::Number(0.0)));
    }
    Some((type_, datum(type_, &campaign[property])))
}

/// Counters from an earlier UTC day don't count as today's.
fn called_today(campaign: &Value, now: DateTime<Utc>) -> bool {
    campaign["last_call_at"].as_str().is_some_and(|at| match time(at) {
        Datum::Time(at) => at.date_naive() == now.date_naive(),
        _ => false,
    })
}

fn datum(type_: Type, value: &Value) -> Datum {
    match value {
        Value::Null => Datum::Missing,
        Value::Bool(value) => Datum::Boolean(*value),
        Value::Number(value) => Datum::Number(value.as_f64().expect("small numbers only")),
        Value::String(text) if type_ == Type::Time => time(text),
        Value::String(text) => Datum::Text(text.clone()),
        other => panic!("{other} is no value of a field"),
    }
}

fn number(text: &str) -> Datum {
    Datum::Number(text.parse().expect("a number"))
}

/// Parses `YYYY-MM-DD hh:mm:ss` in UTC, RFC 3339, or a date, which means its midnight in UTC.
fn time(text: &str) -> Datum {
    let rfc_3339 = || DateTime::parse_from_rfc3339(text).map(|time| time.to_utc());
    let plain = || NaiveDateTime::parse_from_str(text, "%Y-%m-%d %H:%M:%S").map(|time| time.and_utc());
    let date = || NaiveDate::parse_from_str(text, "%Y-%m-%d").map(|date| date.and_time(NaiveTime::MIN).and_utc());
    Datum::Time(rfc_3339().or_else(|_| plain()).or_else(|_| date()).expect("a time"))
}

/// Tests equality with a scalar, with null, or with any entry of an array.
fn any_of(wanted: &Value, type_: Type, found: &Datum) -> bool {
    match wanted {
        Value::Array(values) => values.iter().any(|value| any_of(value, type_, found)),
        value => datum(type_, value) == *found,
    }
}

fn operation(operator: &str, operand: &Value, type_: Type, found: &Datum) -> bool {
    match operator {
        "eq" | "in" => any_of(operand, type_, found),
        "not" => !any_of(operand, type_, found),
        "null" => (*found == Datum::Missing) == (*operand == Value::Bool(true)),
        "gt" => compare(">", found, &datum(type_, operand)),
        "gte" => compare(">=", found, &datum(type_, operand)),
        "lt" => compare("<", found, &datum(type_, operand)),
        "lte" => compare("<=", found, &datum(type_, operand)),
        "contains" => text_test(found, operand, |text, part| text.contains(part)),
        "starts_with" => text_test(found, operand, |text, part| text.starts_with(part)),
        "ends_with" => text_test(found, operand, |text, part| text.ends_with(part)),
        other => panic!("no operator is called {other}"),
    }
}

/// Compares two values. A missing value is neither less, greater nor equal, so it is unequal. The same holds for values
/// of different types.
fn compare(operator: &str, found: &Datum, wanted: &Datum) -> bool {
    let order = match (found, wanted) {
        (Datum::Text(a), Datum::Text(b)) => Some(a.as_bytes().cmp(b.as_bytes())),
        (Datum::Number(a), Datum::Number(b)) => a.partial_cmp(b),
        (Datum::Boolean(a), Datum::Boolean(b)) => Some(a.cmp(b)),
        (Datum::Time(a), Datum::Time(b)) => Some(a.cmp(b)),
        _ => None,
    };
    match operator {
        ">" => order == Some(Ordering::Greater),
        "<" => order == Some(Ordering::Less),
        ">=" => matches!(order, Some(Ordering::Greater | Ordering::Equal)),
        "<=" => matches!(order, Some(Ordering::Less | Ordering::Equal)),
        "=" => order == Some(Ordering::Equal),
        "!=" => order != Some(Ordering::Equal),
        other => panic!("no operator is written {other}"),
    }
}

/// Searches a substring. Only A to Z match case-insensitively.
fn text_test(found: &Datum, operand: &Value, test: impl Fn(&str, &str) -> bool) -> bool {
    let part = operand.as_str().expect("a part of a text").to_ascii_lowercase();
    matches!(found, Datum::Text(text) if test(&text.to_ascii_lowercase(), &part))
}

fn integer(value: &Value) -> i64 {
    value.as_i64().unwrap_or_else(|| panic!("{value} is no id"))
}
