//! Sample leads.

use std::collections::BTreeMap;

use chrono::{NaiveDate, TimeDelta};
use leadscribe_engine::api::{CustomValue, LeadId, Timestamp};
use leadscribe_engine::diacritics::strip_diacritic;
use leadscribe_engine::record::LeadRecord;

use super::countries::{COUNTRIES, City, Country, STREETS};
use super::random::Random;

const LEAD_COUNT: i64 = 5_200;

/// Typical invalid phone numbers.
const INVALID_PHONES: &[&str] = &["12345", "unknown", "+1 415 555", "+49 30 12", "see e-mail", "0000000000"];

const SITES: &[&str] = &["shop.example.com", "store.example.org", "outlet.example.net", "partner.example.com"];

/// Purchased products, with the price in the site's currency.
const PRODUCTS: &[(&str, f64)] = &[
    ("Solar panel, 400 W", 219.00),
    ("Solar battery, 5 kWh", 2_890.00),
    ("Fibre router", 129.90),
    ("Home insurance, 12 months", 348.00),
    ("Heat pump", 5_499.00),
    ("Smart meter", 89.50),
    ("Winter tyres, set of four", 412.00),
    ("Washing machine", 579.00),
    ("Warranty, 3 years", 99.00),
];

/// Returns the leads as stored, created in the two years before `now`.
pub(super) fn records(now: Timestamp, random: &mut Random) -> Vec<LeadRecord> {
    (1..=LEAD_COUNT).map(|id| create_lead(id, now, random)).collect()
}

fn create_lead(id: i64, now: Timestamp, random: &mut Random) -> LeadRecord {
    let country = random.pick_weighted(COUNTRIES, |country| country.share);
    let city = random.pick(country.cities);
    let created_at = now - random.duration(TimeDelta::days(31)..=TimeDelta::days(730));
    let mut record = LeadRecord {
        id: Some(LeadId(id)),
        do_not_call: Some(random.chance(3)),
        blacklisted: Some(random.chance(2)),
        original_identifier: Some(random.chance(80).then(|| format!("CRM-{:06}", 100_000 + id * 7))),
        support_site: Some(random.chance(30).then(|| format!("help.{}", random.pick(SITES)))),
        custom_fields: Some(custom_fields(random)),
        created_at: Some(created_at),
        updated_at: Some(created_at + random.duration(TimeDelta::zero()..=now - created_at)),
        ..LeadRecord::default()
    };
    set_name(&mut record, id, country, random);
    set_address(&mut record, country, city, random);
    set_phones(&mut record, city, random);
    if random.chance(45) {
        set_purchase(&mut record, created_at, random);
    }
    if random.chance(55) {
        let years = random.duration(TimeDelta::days(19 * 365)..=TimeDelta::days(84 * 365));
        record.birthdate = Some(Some((now - years).date_naive()));
    }
    record
}

fn set_name(record: &mut LeadRecord, id: i64, country: &Country, random: &mut Random) {
    let (first, last) = (*random.pick(country.first_names), *random.pick(country.last_names));
    record.first_name = Some((!random.chance(2)).then(|| first.to_owned()));
    record.last_name = Some(Some(last.to_owned()));
    record.email = Some(random.chance(85).then(|| {
        let [first, last] = [first, last].map(|name| to_ascii(name, country));
        format!("{first}.{last}.{id}@{}", random.pick(&["example.com", "example.org", "example.net"]))
    }));
}

/// Returns the letters of a name as in an email address. `Müller` becomes `mueller` in Germany.
fn to_ascii(name: &str, country: &Country) -> String {
    let to_letters = |letter: char| match letter {
        'ä' if country.code == "DE" => "ae".to_owned(),
        'ö' if country.code == "DE" => "oe".to_owned(),
        'ü' if country.code == "DE" => "ue".to_owned(),
        _ => strip_diacritic(letter).map_or_else(|| letter.to_string(), str::to_owned),
    };
    name.to_lowercase().chars().map(to_letters).filter(|letters| letters.is_ascii()).collect()
}

fn set_address(record: &mut LeadRecord, country: &Country, city: &City, random: &mut Random) {
    let mut nearby = |degrees: f64| ((degrees + random.in_range(-900..=900) as f64 / 1e4) * 1e4).round() / 1e4;
    record.lat = Some(Some(nearby(city.lat)));
    record.lng = Some(Some(nearby(city.lng)));
    record.address1 = Some(Some(format!("{} {}", random.in_range(1..=240), random.pick(STREETS))));
    record.address2 = Some(random.chance(15).then(|| format!("Flat {}", random.in_range(1..=60))));
    record.city = Some(Some(city.name.to_owned()));
    record.state = Some(city.state.map(str::to_owned));
    record.zip = Some(Some(random.digits(city.zip)));
    record.country = Some(Some(country.code.to_owned()));
    record.timezone = Some((!random.chance(4)).then(|| city.timezone.to_owned()));
}

/// Sets the phone numbers. Most leads get a valid one, some an invalid one or none.
fn set_phones(record: &mut LeadRecord, city: &City, random: &mut Random) {
    let (mut first, mut second) = (None, None);
    match random.in_range(1..=100) {
        1..=3 => {}
        4..=6 => first = Some((random.pick(INVALID_PHONES).to_string(), None)),
        _ => {
            first = Some(random_phone(city, random));
            second = random.chance(20).then(|| random_phone(city, random));
        }
    }
    let split =
        |number: Option<(String, Option<String>)>| number.map_or((None, None), |(written, e164)| (Some(written), e164));
    let ((phone, normalized), (phone2, normalized2)) = (split(first), split(second));
    record.phone = Some(phone);
    record.phone_normalized = Some(normalized);
    record.phone2 = Some(phone2);
    record.phone_normalized2 = Some(normalized2);
}

/// Returns a number as people write it, and in E.164.
fn random_phone(city: &City, random: &mut Random) -> (String, Option<String>) {
    let spaced = random.digits(city.phone);
    let e164 = spaced.replace(' ', "");
    let phone = match random.in_range(0..=2) {
        0 => spaced,
        1 => spaced.replace(' ', "-"),
        _ => e164.clone(),
    };
    (phone, Some(e164))
}

fn set_purchase(record: &mut LeadRecord, created_at: Timestamp, random: &mut Random) {
    let (product, price) = *random.pick(PRODUCTS);
    let count = random.in_range(1..=3);
    let date: NaiveDate = (created_at - random.duration(TimeDelta::zero()..=TimeDelta::days(40))).date_naive();
    record.purchase_site = Some(Some(random.pick(SITES).to_string()));
    record.purchase_product_name = Some(Some(product.to_owned()));
    record.purchase_amount = Some(Some((price * count as f64 * 100.0).round() / 100.0));
    record.purchase_date = Some(Some(date));
}

fn custom_fields(random: &mut Random) -> BTreeMap<String, Option<CustomValue>> {
    let mut fields = BTreeMap::new();
    let mut set = |name: &str, value| fields.insert(name.to_owned(), Some(value));
    if random.chance(60) {
        set("tier", CustomValue::Text(random.pick(&["gold", "silver", "bronze"]).to_string()));
    }
    if random.chance(70) {
        set("source", CustomValue::Text(random.pick(&["web form", "trade fair", "referral", "partner"]).to_string()));
    }
    if random.chance(50) {
        set("score", CustomValue::Integer(random.in_range(0..=100)));
    }
    if random.chance(30) {
        set("discount", CustomValue::Number(random.in_range(1..=59) as f64 / 4.0));
    }
    if random.chance(40) {
        set("newsletter", CustomValue::Bool(random.chance(50)));
    }
    fields
}
