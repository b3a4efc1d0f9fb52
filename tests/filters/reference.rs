//! Reference evaluator of the filter language, written from its description alone.
//!
//! It uses nothing of the engine or the server, so that a misread rule shows up as a difference. It evaluates JSON
//! values one row at a time, without regard for speed.
//!
//! Rules: a filter is a formula over pairs of a lead and one of its campaign leads. A lead without campaign leads forms
//! one pair, without a campaign lead. A lead matches if some pair satisfies the formula. The campaign leads of such
//! pairs are returned.

use std::cmp::Ordering;

use chrono::{DateTime, NaiveDate, NaiveDateTime, NaiveTime, Utc};
use serde_json::{Map, Value};

use super::fields::{FIELDS, ValuePool};

/// Result of a filter.
#[derive(Debug, PartialEq, Eq)]
pub struct SearchResult {
    /// Number of matching leads.
    pub total: u64,
    /// Page: each lead's id with the ids of the returned campaign leads.
    pub page: Vec<(i64, Vec<i64>)>,
}

/// Evaluates a filter over leads, each with all its `campaigns`, ordered by id.
pub fn evaluate(filter: &Value, leads: &[Value], now: DateTime<Utc>) -> SearchResult {
    let filter = filter.as_object().expect("a filter is an object");
    let mut matching = Vec::new();
    for lead in leads {
        let campaigns = lead["campaigns"].as_array().expect("a lead has campaigns");
        let is_satisfied = |campaign: Option<&Value>| satisfies(filter, &Pair { lead, campaign, now });
        let matching_campaigns: Vec<_> = campaigns.iter().filter(|campaign| is_satisfied(Some(campaign))).collect();
        if !matching_campaigns.is_empty() || campaigns.is_empty() && is_satisfied(None) {
            let returns_all = filter.get("_campaigns").is_some_and(|campaigns| campaigns == "all");
            let campaigns = if returns_all { campaigns.iter().collect() } else { matching_campaigns };
            let ids = campaigns.iter().map(|campaign_lead| integer(&campaign_lead["campaign_lead_id"])).collect();
            matching.push((integer(&lead["id"]), ids));
        }
    }
    let (count, offset) = limit(filter);
    SearchResult { total: matching.len() as u64, page: matching.into_iter().skip(offset).take(count).collect() }
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
fn satisfies(filter: &Map<String, Value>, pair: &Pair<'_>) -> bool {
    filter.iter().all(|(key, condition_value)| match key.as_str() {
        "limit" | "_campaigns" => true,
        "_or" => subfilters(condition_value).any(|subfilter| satisfies(subfilter, pair)),
        "_and" => subfilters(condition_value).all(|subfilter| satisfies(subfilter, pair)),
        _ => satisfies_condition(key, condition_value, pair),
    })
}

fn subfilters(filters: &Value) -> impl Iterator<Item = &Map<String, Value>> {
    filters.as_array().expect("a list of filters").iter().map(|filter| filter.as_object().expect("a filter"))
}

#[derive(Clone, Copy, PartialEq, Eq)]
pub enum FieldType {
    Text,
    Number,
    Boolean,
    Time,
    Custom,
}

/// Comparable value.
#[derive(Clone, Debug, PartialEq)]
pub enum FieldValue {
    Missing,
    Text(String),
    Number(f64),
    Boolean(bool),
    Time(DateTime<Utc>),
}

/// Evaluates one key of a filter with its condition.
fn satisfies_condition(key: &str, expected: &Value, pair: &Pair<'_>) -> bool {
    // Without a campaign lead no condition on it holds, not even that a value is missing; only its absence can be
    // matched.
    let Some((field_type, actual)) = field_value(key, pair) else {
        return matches!(key, "campaign_id" | "campaign_lead_id") && accepts_missing(expected);
    };
    match expected {
        Value::Object(operators) => {
            operators.iter().all(|(operator, operand)| apply_operator(operator, operand, field_type, &actual))
        }
        Value::String(text) if matches!(field_type, FieldType::Number | FieldType::Time) && text.contains(';') => {
            text.split('|').all(|expression| {
                let (value, operator) = expression.split_once(';').expect("value;operator");
                let value = if field_type == FieldType::Number { parse_number(value) } else { parse_time(value) };
                compare(operator, &actual, &value)
            })
        }
        other => equals_any(other, field_type, &actual),
    }
}

/// True if the condition accepts a missing value.
fn accepts_missing(expected: &Value) -> bool {
    match expected {
        Value::Null => true,
        Value::Array(values) => values.contains(&Value::Null),
        Value::Object(operators) => operators.iter().all(|(operator, operand)| match operator.as_str() {
            "null" => operand == true,
            "eq" | "in" => accepts_missing(operand),
            _ => false,
        }),
        _ => false,
    }
}

/// Returns type and value of a field, or `None` if it belongs to a missing campaign lead.
fn field_value(key: &str, pair: &Pair<'_>) -> Option<(FieldType, FieldValue)> {
    if let Some(name) = key.strip_prefix("custom.") {
        return Some((FieldType::Custom, to_field_value(FieldType::Custom, &pair.lead["custom_fields"][name])));
    }
    let position = |key: &str| FIELDS.iter().position(|field| field.keys.contains(&key)).expect("a key of a field");
    let field_type = match FIELDS[position(key)].pool {
        ValuePool::Text(_) => FieldType::Text,
        ValuePool::Integer(_) | ValuePool::Number(_) => FieldType::Number,
        ValuePool::Boolean => FieldType::Boolean,
        ValuePool::Time | ValuePool::Date => FieldType::Time,
        ValuePool::Custom => FieldType::Custom,
    };
    // The fields of leads come first.
    if position(key) < position("campaign_lead_id") {
        return Some((field_type, to_field_value(field_type, &pair.lead[key])));
    }
    let campaign = pair.campaign?;
    // These three names begin with `campaign_`. In other keys it is an optional prefix.
    let value = match key {
        "lead_id" => &pair.lead["id"],
        "campaign_id" | "campaign_name" | "campaign_lead_id" => &campaign[key],
        _ => match key.strip_prefix("campaign_").unwrap_or(key) {
            "calls_today" if !was_called_today(campaign, pair.now) => &Value::from(0),
            property => &campaign[property],
        },
    };
    Some((field_type, to_field_value(field_type, value)))
}

/// Counters from an earlier UTC day don't count as today's.
fn was_called_today(campaign: &Value, now: DateTime<Utc>) -> bool {
    campaign["last_call_at"].as_str().is_some_and(|last_call_at| match parse_time(last_call_at) {
        FieldValue::Time(last_call_at) => last_call_at.date_naive() == now.date_naive(),
        _ => false,
    })
}

fn to_field_value(field_type: FieldType, value: &Value) -> FieldValue {
    match value {
        Value::Null => FieldValue::Missing,
        Value::Bool(value) => FieldValue::Boolean(*value),
        Value::Number(value) => FieldValue::Number(value.as_f64().expect("small numbers only")),
        Value::String(text) if field_type == FieldType::Time => parse_time(text),
        Value::String(text) => FieldValue::Text(text.clone()),
        other => panic!("{other} is not a field value"),
    }
}

fn parse_number(text: &str) -> FieldValue {
    FieldValue::Number(text.parse().expect("a number"))
}

/// Parses `YYYY-MM-DD hh:mm:ss` in UTC, RFC 3339, or a date, which means its midnight in UTC.
fn parse_time(text: &str) -> FieldValue {
    let rfc_3339 = || DateTime::parse_from_rfc3339(text).map(|time| time.to_utc());
    let sql_format = || NaiveDateTime::parse_from_str(text, "%Y-%m-%d %H:%M:%S").map(|time| time.and_utc());
    let date = || NaiveDate::parse_from_str(text, "%Y-%m-%d").map(|date| date.and_time(NaiveTime::MIN).and_utc());
    FieldValue::Time(rfc_3339().or_else(|_| sql_format()).or_else(|_| date()).expect("a time"))
}

/// Tests equality with a scalar, with null, or with any entry of an array.
fn equals_any(expected: &Value, field_type: FieldType, actual: &FieldValue) -> bool {
    match expected {
        Value::Array(values) => values.iter().any(|value| equals_any(value, field_type, actual)),
        value => to_field_value(field_type, value) == *actual,
    }
}

/// Values that an operator takes.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Operand {
    Scalar,
    List,
    ScalarOrList,
    /// A value with an order: anything but a boolean.
    Ordered,
    /// A part of a text.
    Part,
    Boolean,
}

/// Evaluates an operator on its operand, the type of the field and the value of the field.
type OperatorTest = fn(&Value, FieldType, &FieldValue) -> bool;

/// The operators: name, values and meaning.
pub const OPERATORS: &[(&str, Operand, OperatorTest)] = &[
    ("eq", Operand::Scalar, equals_any),
    ("in", Operand::List, equals_any),
    ("not", Operand::ScalarOrList, |operand, field_type, actual| !equals_any(operand, field_type, actual)),
    ("null", Operand::Boolean, |operand, _, actual| {
        (*actual == FieldValue::Missing) == (*operand == Value::Bool(true))
    }),
    ("gt", Operand::Ordered, |operand, field_type, actual| compare(">", actual, &to_field_value(field_type, operand))),
    ("gte", Operand::Ordered, |operand, field_type, actual| {
        compare(">=", actual, &to_field_value(field_type, operand))
    }),
    ("lt", Operand::Ordered, |operand, field_type, actual| compare("<", actual, &to_field_value(field_type, operand))),
    ("lte", Operand::Ordered, |operand, field_type, actual| {
        compare("<=", actual, &to_field_value(field_type, operand))
    }),
    ("contains", Operand::Part, |operand, _, actual| test_text(actual, operand, |text, part| text.contains(part))),
    ("starts_with", Operand::Part, |operand, _, actual| {
        test_text(actual, operand, |text, part| text.starts_with(part))
    }),
    ("ends_with", Operand::Part, |operand, _, actual| test_text(actual, operand, |text, part| text.ends_with(part))),
];

fn apply_operator(operator: &str, operand: &Value, field_type: FieldType, actual: &FieldValue) -> bool {
    let (_, _, holds) = OPERATORS.iter().find(|(name, ..)| *name == operator).expect("an operator");
    holds(operand, field_type, actual)
}

/// Compares two values. A missing value is neither less, greater nor equal, so it is unequal. The same holds for values
/// of different types.
fn compare(operator: &str, actual: &FieldValue, expected: &FieldValue) -> bool {
    let order = match (actual, expected) {
        (FieldValue::Text(a), FieldValue::Text(b)) => Some(a.as_bytes().cmp(b.as_bytes())),
        (FieldValue::Number(a), FieldValue::Number(b)) => a.partial_cmp(b),
        (FieldValue::Boolean(a), FieldValue::Boolean(b)) => Some(a.cmp(b)),
        (FieldValue::Time(a), FieldValue::Time(b)) => Some(a.cmp(b)),
        _ => None,
    };
    match operator {
        ">" => order == Some(Ordering::Greater),
        "<" => order == Some(Ordering::Less),
        ">=" => matches!(order, Some(Ordering::Greater | Ordering::Equal)),
        "<=" => matches!(order, Some(Ordering::Less | Ordering::Equal)),
        "=" => order == Some(Ordering::Equal),
        "!=" => order != Some(Ordering::Equal),
        other => panic!("unknown operator symbol {other}"),
    }
}

/// Compares a text with a part of a text, ignoring the case of A to Z only.
fn test_text(actual: &FieldValue, operand: &Value, test: impl Fn(&str, &str) -> bool) -> bool {
    let substring = operand.as_str().expect("a part of a text").to_ascii_lowercase();
    matches!(actual, FieldValue::Text(text) if test(&text.to_ascii_lowercase(), &substring))
}

fn integer(value: &Value) -> i64 {
    value.as_i64().unwrap_or_else(|| panic!("{value} is not an id"))
}
