//! Normalizes phone numbers to E.164.
//!
//! A cell produces either the right number or none: if its digits can be read in several ways, all of them are tried ([`cell`],
//! [`candidate`]), and the number is accepted only if the valid readings agree ([`numbering_plan`]).
//!
//! A number is read in the lead's country, or in the configured region if the lead has no country. An unknown country doesn't fall back to
//! that region: a wrong number is worse than none.
//!
//! The module is pure and independent of the store. The number that a change produces depends on the lead as stored when the change is
//! written.

mod candidate;
mod cell;
mod date_time;
mod numbering_plan;
mod tokenizer;
mod vanity;
mod words;

use std::borrow::Cow;

use leadscribe_engine::api::Lead;
use leadscribe_engine::country;
use leadscribe_engine::record::LeadRecord;
use numbering_plan::NumberingPlan;
use rlibphonenumber::{PhoneNumberFormat, Region};

/// Reason why a cell has no number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PhoneError {
    /// It has no digits except those of times and dates.
    NoDigits,
    /// Some digits or letters have no clear meaning: `3.02E9`, `030 2312xxxx`, `030 Berlin 23125123`.
    Unreadable,
    /// Its words say that the number is wrong or mustn't be called: `030 23125123 (falsch)`.
    Denied,
    /// It has several numbers, with words that distinguish them.
    SeveralNumbers,
    /// The digits can be read as different valid numbers: `030 231251/52`.
    Ambiguous,
    /// It begins with neither `+` nor `00`, and its country is unknown.
    UnknownCountry,
    /// Its digits aren't a valid number.
    Invalid,
}

/// Returns the number of a cell in E.164; `None` if [`read`] fails.
pub fn to_e164(text: &str, country: Option<&str>, region: Option<&str>) -> Option<String> {
    read(text, country, region).ok()
}

/// Returns the number of a cell in E.164. It must be valid in `country`, or in `region` without a country. A number that begins with `+`
/// needs neither. Of several numbers with only a separator between them, the first one is returned.
///
/// `country` and `region` are any texts that [`country::find`] accepts, because older leads may contain a country name instead of a code.
///
/// # Errors
/// The reason why there is no number.
pub fn read(text: &str, country: Option<&str>, region: Option<&str>) -> Result<String, PhoneError> {
    let plan = NumberingPlan::new(match country {
        Some(country) => parse_region(country),
        None => region.and_then(parse_region),
    });
    let number = if let Some((is_international, digits)) = parse_plain(text) {
        plan.parse(is_international, &digits)?
    } else if let Some(digits) = vanity::parse_vanity(text, plan.calling_code()) {
        plan.parse(true, &digits)?
    } else {
        let mut numbers = cell::parse_numbers(text)?.into_iter().map(|candidates| plan.resolve(&candidates));
        let first = numbers.next().unwrap_or(Err(PhoneError::NoDigits))?;
        numbers.try_for_each(|number| number.map(drop))?;
        first
    };
    Ok(number.format_as(PhoneNumberFormat::E164).into_owned())
}

/// Fast path for most cells. If a cell has only digits and spaces after an optional `+`, returns whether it has the `+`, and the digits.
fn parse_plain(text: &str) -> Option<(bool, Cow<'_, str>)> {
    let text = text.trim_matches(' ');
    let (is_international, rest) = text.strip_prefix('+').map_or((false, text), |rest| (true, rest));
    if !rest.starts_with(|character: char| character.is_ascii_digit()) {
        return None;
    }
    if rest.bytes().all(|byte| byte.is_ascii_digit()) {
        return Some((is_international, Cow::Borrowed(rest)));
    }
    let is_plain = rest.bytes().all(|byte| byte.is_ascii_digit() || byte == b' ');
    // A single last digit may be an extension, and digits before a trunk zero may be a label.
    let has_label =
        rest.find(' ').is_some_and(|position| position <= 2 && rest[position..].trim_start().starts_with('0'));
    (is_plain && !has_label && !rest[..rest.len() - 1].ends_with(' '))
        .then(|| (is_international, Cow::Owned(rest.replace(' ', ""))))
}

fn parse_region(country: &str) -> Option<Region> {
    country::find(country)?.parse().ok()
}

/// Returns true if a change affects the inputs of normalized numbers without setting the numbers, so that the stored lead is needed.
pub fn needs_stored_lead(record: &LeadRecord) -> bool {
    let phone = record.phone.is_some() && record.phone_normalized.is_none();
    let phone2 = record.phone2.is_some() && record.phone_normalized2.is_none();
    record.country.is_some() || phone || phone2
}

/// Sets the normalized numbers in the record of a new lead. Numbers given by the client are kept.
pub fn normalize(record: &mut LeadRecord, region: Option<&str>) {
    let numbers = derive_numbers(record, None, region);
    set_numbers(record, numbers);
}

/// Returns the record of a lead with its normalized numbers. `stored` is the lead to change, if it exists. Numbers given by the client are
/// kept.
///
/// A change of only the country updates numbers that were derived with the old country. Numbers that were set differently are kept.
pub fn with_normalized_numbers<'r>(
    record: &'r LeadRecord,
    stored: Option<&Lead>,
    region: Option<&str>,
) -> Cow<'r, LeadRecord> {
    let numbers = derive_numbers(record, stored, region);
    if numbers.iter().all(Option::is_none) {
        return Cow::Borrowed(record);
    }
    let mut record = record.clone();
    set_numbers(&mut record, numbers);
    Cow::Owned(record)
}

/// Returns the normalized numbers to add to a record; `None` for a number that doesn't change.
fn derive_numbers(record: &LeadRecord, stored: Option<&Lead>, region: Option<&str>) -> [Option<Option<String>>; 2] {
    let old_country = stored.and_then(|lead| lead.country.as_deref());
    let new_country = match &record.country {
        Some(country) => country.as_deref(),
        None => old_country,
    };
    let derive = |number: &Option<Option<String>>, stored: Option<(&str, Option<&str>)>| match (number, stored) {
        (Some(phone), _) => Some(phone.as_deref().and_then(|phone| to_e164(phone, new_country, region))),
        (None, Some((phone, derived))) if new_country != old_country => {
            let is_derived = derived.is_none() || to_e164(phone, old_country, region).as_deref() == derived;
            is_derived.then(|| to_e164(phone, new_country, region))
        }
        _ => None,
    };
    let stored_pair = |select: fn(&Lead) -> (&Option<String>, &Option<String>)| {
        let (phone, derived) = select(stored?);
        Some((phone.as_deref()?, derived.as_deref()))
    };
    let first = record.phone_normalized.is_none().then(|| {
        let pair = stored_pair(|lead| (&lead.phone, &lead.phone_normalized));
        derive(&record.phone, pair)
    });
    let second = record.phone_normalized2.is_none().then(|| {
        let pair = stored_pair(|lead| (&lead.phone2, &lead.phone_normalized2));
        derive(&record.phone2, pair)
    });
    [first.flatten(), second.flatten()]
}

fn set_numbers(record: &mut LeadRecord, [first, second]: [Option<Option<String>>; 2]) {
    if first.is_some() {
        record.phone_normalized = first;
    }
    if second.is_some() {
        record.phone_normalized2 = second;
    }
}

#[cfg(test)]
mod tests;
