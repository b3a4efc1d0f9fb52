//! Fields of the filter language, with small pools of values for rows and filters, so that they often match.

use std::sync::LazyLock;

use chrono::{DateTime, SecondsFormat, TimeDelta, Utc};
use rand::RngExt;
use rand::rngs::Xoshiro256PlusPlus;
use rand::seq::IndexedRandom;
use serde_json::{Value, json};

/// Random generator of rows and filters.
pub type Rng = Xoshiro256PlusPlus;

/// Source of a field's values.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum ValuePool {
    Text(&'static [&'static str]),
    Integer(&'static [i64]),
    Number(&'static [f64]),
    Boolean,
    Time,
    Date,
    /// A mix of strings, numbers and booleans.
    Custom,
}

/// Field: its keys in filters, its values, and the source that sets it in rows.
pub struct Field {
    pub keys: Vec<&'static str>,
    pub pool: ValuePool,
    pub source: FieldSource,
}

/// Source that sets a field.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum FieldSource {
    /// Body of a lead; nullable.
    Lead,
    /// Body of a lead; not nullable.
    LeadRequired,
    /// Body of a campaign lead; nullable.
    CampaignLead,
    /// Body of a campaign lead; not nullable.
    CampaignLeadRequired,
    /// The service itself.
    Service,
}

/// Letters with and without case, composed and decomposed accents, wildcards of LIKE and GLOB, quotes, and strings that
/// look like other values.
const NAMES: &[&str] = &[
    "Anna",
    "anna",
    "ANNA",
    "Ánna",
    "A\u{301}nna",
    "ánna",
    "Ann",
    "Anna-Maria",
    "O'Brien",
    "50%",
    "5O_",
    "a_b",
    "aXb",
    "a%b",
    "*",
    "a?b",
    "[a-z]",
    "\\",
    "\"quoted\"",
    "straße",
    "STRASSE",
    "İstanbul",
    "istanbul",
    "日本",
    "😀",
    "😀😀",
    "",
    " ",
    " Anna",
    "null",
    "123",
    "2026-05-01 09:30:00;>",
    "true",
];
/// Phone numbers as entered.
pub const PHONES: &[&str] = &["+1 212 555 0100", "(212) 555-0100", "12345", "n/a", "+44 20 7946 0018"];
const E164_PHONES: &[&str] = &["+12125550100", "+12125550101", "+442079460018"];
const EMAILS: &[&str] = &["a@example.com", "A@example.com", "b@example.org", "a_b@example.com", "ü@example.com"];
const ZIPS: &[&str] = &["01234", "1234", "SW1A 1AA", "10115"];
const COUNTRIES: &[&str] = &["US", "FR", "GB", "DE"];
const TIME_ZONES: &[&str] = &["Europe/Berlin", "America/New_York", "Asia/Kolkata", "UTC"];
const STATUSES: &[&str] = &["new", "answered", "no_answer", "callback", "closed", "converted"];
const CALL_STATUSES: &[&str] = &["answered", "no_answer", "busy", "failed"];
/// Names of the campaigns that the test creates.
pub const CAMPAIGNS: &[&str] = &["Solar", "solar", "Broadband 100%", "Überraschung", "Überraschung 2"];
const DEGREES: &[f64] = &[-45.5, -0.25, 0.0, 0.1, 0.3, 52.52, 89.999999];
const AMOUNTS: &[f64] = &[-5.0, 0.0, 0.1, 19.99, 20.0, 1234.5, 1e9];
const IDS: &[i64] = &[1, 2, 3, 17, 100, 101, 599, 600, 601, 900, 5_000];
const SMALL_IDS: &[i64] = &[1, 2, 3, 4, 5, 6];
const COUNTS: &[i64] = &[0, 1, 2, 3, 7];
const WEIGHTS: &[i64] = &[-10, 0, 1, 10, 100];
/// Names of custom fields, with characters that are special in JSON paths and quoting.
pub const CUSTOM_FIELDS: &[&str] = &["tier", "score", "größe", "two words", "a.b", "it's \"x\"", "$[0]"];

/// Values and sources of the fields for which [`default_values`] don't fit.
const SPECIFIC_VALUES: &[(&str, ValuePool, FieldSource)] = &[
    ("id", ValuePool::Integer(IDS), FieldSource::Service),
    ("phone", ValuePool::Text(PHONES), FieldSource::Lead),
    ("phone2", ValuePool::Text(PHONES), FieldSource::Lead),
    ("phone_normalized", ValuePool::Text(E164_PHONES), FieldSource::Lead),
    ("phone_normalized2", ValuePool::Text(E164_PHONES), FieldSource::Lead),
    ("email", ValuePool::Text(EMAILS), FieldSource::Lead),
    ("zip", ValuePool::Text(ZIPS), FieldSource::Lead),
    ("country", ValuePool::Text(COUNTRIES), FieldSource::Lead),
    ("timezone", ValuePool::Text(TIME_ZONES), FieldSource::Lead),
    ("lat", ValuePool::Number(DEGREES), FieldSource::Lead),
    ("lng", ValuePool::Number(DEGREES), FieldSource::Lead),
    ("import_id", ValuePool::Integer(IDS), FieldSource::Service),
    ("created_at", ValuePool::Time, FieldSource::Service),
    ("updated_at", ValuePool::Time, FieldSource::Service),
    ("global_updated_at", ValuePool::Time, FieldSource::Service),
    ("campaign_lead_id", ValuePool::Integer(IDS), FieldSource::Service),
    ("lead_id", ValuePool::Integer(IDS), FieldSource::Service),
    ("campaign_id", ValuePool::Integer(SMALL_IDS), FieldSource::Service),
    ("campaign_name", ValuePool::Text(CAMPAIGNS), FieldSource::Service),
    ("status", ValuePool::Text(STATUSES), FieldSource::CampaignLeadRequired),
    ("weight", ValuePool::Integer(WEIGHTS), FieldSource::CampaignLeadRequired),
    ("calls_count", ValuePool::Integer(COUNTS), FieldSource::CampaignLeadRequired),
    ("calls_today", ValuePool::Integer(COUNTS), FieldSource::CampaignLeadRequired),
    ("last_call_at", ValuePool::Time, FieldSource::CampaignLead),
    ("last_call_status", ValuePool::Text(CALL_STATUSES), FieldSource::CampaignLead),
    ("freeze_until", ValuePool::Time, FieldSource::CampaignLead),
    ("callback_at", ValuePool::Time, FieldSource::CampaignLead),
    ("assigned_user_id", ValuePool::Integer(&[1, 2]), FieldSource::CampaignLead),
    ("campaign_created_at", ValuePool::Time, FieldSource::Service),
    ("campaign_updated_at", ValuePool::Time, FieldSource::Service),
];

/// Documentation of the fields, generated from the engine's table.
const DOCUMENTATION: &str = include_str!("../../docs/FILTERS.md");

/// All documented fields. Those of leads come first. Conditions on callability are tested elsewhere.
pub static FIELDS: LazyLock<Vec<Field>> = LazyLock::new(|| {
    let tables = DOCUMENTATION.split("<!-- fields:begin -->").nth(1).unwrap();
    tables.split("### Callability").next().unwrap().lines().filter_map(documented_field).collect()
});

/// Parses a table row: key, other keys, kind, nullability and description.
fn documented_field(row: &'static str) -> Option<Field> {
    let [_, key, aliases, kind, nullable, ..] = row.split('|').map(str::trim).collect::<Vec<_>>()[..] else {
        return None;
    };
    let key = key.strip_prefix('`')?.strip_suffix('`')?;
    let aliases = aliases.split(", ").filter(|alias| !alias.is_empty()).map(|alias| alias.trim_matches('`'));
    let specific = SPECIFIC_VALUES.iter().find(|(name, ..)| *name == key);
    let (pool, source) = match specific {
        Some((_, pool, source)) => (*pool, *source),
        None => default_values(kind, nullable).unwrap_or_else(|| panic!("{key} needs an entry in SPECIFIC_VALUES")),
    };
    Some(Field { keys: [key].into_iter().chain(aliases).collect(), pool, source })
}

/// Returns the values of a lead's field of this kind that requests can set.
fn default_values(kind: &str, nullable: &str) -> Option<(ValuePool, FieldSource)> {
    let pool = match kind {
        "text" => ValuePool::Text(NAMES),
        "number" => ValuePool::Number(AMOUNTS),
        "boolean" => ValuePool::Boolean,
        "date" => ValuePool::Date,
        _ => return None,
    };
    Some((pool, if nullable == "yes" { FieldSource::Lead } else { FieldSource::LeadRequired }))
}

/// Time of the searches.
pub fn now() -> DateTime<Utc> {
    "2026-05-01T09:30:00Z".parse().unwrap()
}

/// Returns one of the times that rows and filters share: around now, on both sides of midnight, some with fractions of
/// a second.
pub fn random_time(random: &mut Rng) -> DateTime<Utc> {
    let hours = random.random_range(-12..=4);
    let fraction = *[0, 0, 0, 250_000, 1].choose(random).unwrap();
    now() + TimeDelta::hours(7 * hours) + TimeDelta::microseconds(fraction)
}

/// Returns a calendar date near now.
pub fn random_date(random: &mut Rng) -> String {
    (now() + TimeDelta::days(random.random_range(-6..=3))).date_naive().to_string()
}

/// Formats a time in one of the accepted notations.
pub fn format_time(time: DateTime<Utc>, random: &mut Rng) -> String {
    match random.random_range(0..3) {
        0 if time.timestamp_subsec_micros() == 0 => time.format("%Y-%m-%d %H:%M:%S").to_string(),
        1 => (time + TimeDelta::hours(2)).to_rfc3339_opts(SecondsFormat::AutoSi, true).replace('Z', "+02:00"),
        _ => time.to_rfc3339_opts(SecondsFormat::AutoSi, true),
    }
}

/// Returns a value of a custom field.
pub fn custom_value(random: &mut Rng) -> Value {
    match random.random_range(0..4) {
        0 => json!(*[0, 1, 5, -3, 10].choose(random).unwrap()),
        1 => json!(*[0.5, 5.0, -3.25].choose(random).unwrap()),
        2 => json!(random.random_bool(0.5)),
        _ => json!(*["gold", "Gold", "silver", "5", "true", "", "größer"].choose(random).unwrap()),
    }
}

/// Returns a value of a field as in rows.
pub fn field_value(pool: ValuePool, random: &mut Rng) -> Value {
    match pool {
        ValuePool::Text(texts) => json!(*texts.choose(random).unwrap()),
        ValuePool::Integer(integers) => json!(*integers.choose(random).unwrap()),
        ValuePool::Number(numbers) => json!(*numbers.choose(random).unwrap()),
        ValuePool::Boolean => json!(random.random_bool(0.5)),
        ValuePool::Time => json!(random_time(random).to_rfc3339_opts(SecondsFormat::AutoSi, true)),
        ValuePool::Date => json!(random_date(random)),
        ValuePool::Custom => custom_value(random),
    }
}
