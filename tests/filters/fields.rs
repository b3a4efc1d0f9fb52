//! Fields of the filter language, with small pools of values for rows and filters, so that they often match.

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
    pub keys: &'static [&'static str],
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

macro_rules! fields {
    ($($keys:expr, $pool:expr, $source:ident;)+) => {
        /// All fields except custom ones.
        pub const FIELDS: &[Field] = &[$(Field { keys: &$keys, pool: $pool, source: FieldSource::$source }),+];
    };
}

fields! {
    ["id"], ValuePool::Integer(IDS), Service;
    ["first_name"], ValuePool::Text(NAMES), Lead;
    ["last_name"], ValuePool::Text(NAMES), Lead;
    ["phone"], ValuePool::Text(PHONES), Lead;
    ["phone2"], ValuePool::Text(PHONES), Lead;
    ["phone_normalized"], ValuePool::Text(E164_PHONES), Lead;
    ["phone_normalized2"], ValuePool::Text(E164_PHONES), Lead;
    ["email"], ValuePool::Text(EMAILS), Lead;
    ["address1"], ValuePool::Text(NAMES), Lead;
    ["address2"], ValuePool::Text(NAMES), Lead;
    ["city"], ValuePool::Text(NAMES), Lead;
    ["state"], ValuePool::Text(NAMES), Lead;
    ["zip"], ValuePool::Text(ZIPS), Lead;
    ["country"], ValuePool::Text(COUNTRIES), Lead;
    ["timezone"], ValuePool::Text(TIME_ZONES), Lead;
    ["lat"], ValuePool::Number(DEGREES), Lead;
    ["lng"], ValuePool::Number(DEGREES), Lead;
    ["original_identifier"], ValuePool::Text(NAMES), Lead;
    ["support_site"], ValuePool::Text(NAMES), Lead;
    ["purchase_site"], ValuePool::Text(NAMES), Lead;
    ["purchase_date"], ValuePool::Date, Lead;
    ["purchase_amount"], ValuePool::Number(AMOUNTS), Lead;
    ["purchase_product_name"], ValuePool::Text(NAMES), Lead;
    ["birthdate"], ValuePool::Date, Lead;
    ["do_not_call"], ValuePool::Boolean, LeadRequired;
    ["blacklisted"], ValuePool::Boolean, LeadRequired;
    ["import_id"], ValuePool::Integer(IDS), Service;
    ["created_at"], ValuePool::Time, Service;
    ["updated_at"], ValuePool::Time, Service;
    ["global_updated_at"], ValuePool::Time, Service;
    ["campaign_lead_id"], ValuePool::Integer(IDS), Service;
    ["lead_id"], ValuePool::Integer(IDS), Service;
    ["campaign_id"], ValuePool::Integer(SMALL_IDS), Service;
    ["campaign_name"], ValuePool::Text(CAMPAIGNS), Service;
    ["status", "campaign_status"], ValuePool::Text(STATUSES), CampaignLeadRequired;
    ["weight", "campaign_weight"], ValuePool::Integer(WEIGHTS), CampaignLeadRequired;
    ["calls_count", "campaign_calls_count"], ValuePool::Integer(COUNTS), CampaignLeadRequired;
    ["calls_today", "campaign_calls_today"], ValuePool::Integer(COUNTS), CampaignLeadRequired;
    ["last_call_at", "campaign_last_call_at"], ValuePool::Time, CampaignLead;
    ["last_call_status", "campaign_last_call_status"], ValuePool::Text(CALL_STATUSES), CampaignLead;
    ["freeze_until", "campaign_freeze_until"], ValuePool::Time, CampaignLead;
    ["callback_at", "campaign_callback_at"], ValuePool::Time, CampaignLead;
    ["assigned_user_id", "campaign_assigned_user_id"], ValuePool::Integer(&[1, 2]), CampaignLead;
    ["campaign_created_at"], ValuePool::Time, Service;
    ["campaign_updated_at"], ValuePool::Time, Service;
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

/// Documentation of the fields, generated from the engine's table.
const DOCUMENTATION: &str = include_str!("../../docs/FILTERS.md");

#[test]
fn every_documented_field_has_values() {
    let tables = DOCUMENTATION.split("<!-- fields:begin -->").nth(1).unwrap();
    let keys = tables.lines().filter_map(|line| line.strip_prefix("| `")?.split('`').next());
    // Conditions on the verdict are tested elsewhere.
    let stored_keys = keys.take_while(|key| *key != "callable");
    let missing: Vec<_> = stored_keys.filter(|key| !FIELDS.iter().any(|field| field.keys[0] == *key)).collect();
    assert_eq!(missing, [""; 0]);
}
