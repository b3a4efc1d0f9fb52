//! Phone numbers in E.164, made from what people write.
//!
//! A number is read as one of the lead's country, or of the configured region when the lead has no country. A country
//! that isn't known never falls back to that region: a wrong number is worse than none.
//!
//! Pure, and below the store: which number a change makes depends on the lead as it is stored when the change is written.

use std::borrow::Cow;

use leadscribe_engine::api::Lead;
use leadscribe_engine::country;
use leadscribe_engine::record::LeadRecord;
use rlibphonenumber::{PHONE_NUMBER_UTIL, PhoneNumberFormat, Region};

/// The number in E.164; none when it isn't a valid number of `country`, or of `region` where no country is given. A
/// number that begins with `+` needs neither.
///
/// `country` and `region` are what [`country::find`] knows: a lead that is stored can have a name where it now gets a code.
pub fn to_e164(text: &str, country: Option<&str>, region: Option<&str>) -> Option<String> {
    let region = match country {
        Some(country) => parse_region(country),
        None => region.and_then(parse_region),
    };
    let number = PHONE_NUMBER_UTIL.parse(text, region).ok()?;
    number.is_valid().then(|| number.format_as(PhoneNumberFormat::E164).into_owned())
}

fn parse_region(country: &str) -> Option<Region> {
    country::find(country)?.parse().ok()
}

/// Whether a change touches what normalised numbers are made of, and doesn't give them itself, so that the lead as
/// stored must be known.
pub fn needs_stored_lead(record: &LeadRecord) -> bool {
    let phone = record.phone.is_some() && record.phone_normalized.is_none();
    let phone2 = record.phone2.is_some() && record.phone_normalized2.is_none();
    record.country.is_some() || phone || phone2
}

/// Fills in the normalised numbers of the record of a new lead. Numbers given by the sender are kept.
pub fn normalize(record: &mut LeadRecord, region: Option<&str>) {
    let numbers = missing(record, None, region);
    fill_in(record, numbers);
}

/// The record of a lead with its normalised numbers; `stored` is the lead that it changes, if there is one. Numbers given by the
/// sender are kept.
///
/// A change of the country alone makes the numbers anew that were made from the old country; a number that somebody set
/// otherwise stays.
pub fn normalized<'r>(record: &'r LeadRecord, stored: Option<&Lead>, region: Option<&str>) -> Cow<'r, LeadRecord> {
    let numbers = missing(record, stored, region);
    if numbers.iter().all(Option::is_none) {
        return Cow::Borrowed(record);
    }
    let mut record = record.clone();
    fill_in(&mut record, numbers);
    Cow::Owned(record)
}

/// The normalised numbers that a record doesn't give and should; none where the number stays as it is.
fn missing(record: &LeadRecord, stored: Option<&Lead>, region: Option<&str>) -> [Option<Option<String>>; 2] {
    let old = stored.and_then(|lead| lead.country.as_deref());
    let new = match &record.country {
        Some(country) => country.as_deref(),
        None => old,
    };
    let normalized = |given: &Option<Option<String>>, stored: Option<(&str, Option<&str>)>| match (given, stored) {
        (Some(phone), _) => Some(phone.as_deref().and_then(|phone| to_e164(phone, new, region))),
        (None, Some((phone, normalized))) if new != old => {
            let derived = normalized.is_none() || to_e164(phone, old, region).as_deref() == normalized;
            derived.then(|| to_e164(phone, new, region))
        }
        _ => None,
    };
    let stored_pair = |phone: fn(&Lead) -> (&Option<String>, &Option<String>)| {
        let (phone, normalized) = phone(stored?);
        Some((phone.as_deref()?, normalized.as_deref()))
    };
    let first = record.phone_normalized.is_none().then(|| {
        let pair = stored_pair(|lead| (&lead.phone, &lead.phone_normalized));
        normalized(&record.phone, pair)
    });
    let second = record.phone_normalized2.is_none().then(|| {
        let pair = stored_pair(|lead| (&lead.phone2, &lead.phone_normalized2));
        normalized(&record.phone2, pair)
    });
    [first.flatten(), second.flatten()]
}

fn fill_in(record: &mut LeadRecord, [first, second]: [Option<Option<String>>; 2]) {
    if first.is_some() {
        record.phone_normalized = first;
    }
    if second.is_some() {
        record.phone_normalized2 = second;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_what_people_write() {
        for (country, text, expected) in [
            ("US", "(202) 555-0143", Some("+12025550143")),
            ("us", "1-202-555-0143", Some("+12025550143")),
            ("DE", "01512 3456789", Some("+4915123456789")),
            ("DE", "0049 1512 3456789", Some("+4915123456789")),
            ("GB", "020 7946 0018", Some("+442079460018")),
            ("IT", "06 698 12345", Some("+390669812345")),
            ("FR", "+33 6 12 34 56 78", Some("+33612345678")),
            ("RU", "8 (912) 345-67-89", Some("+79123456789")),
            ("AR", "011 15-2345-6789", Some("+5491123456789")),
            ("EG", "٠١٠٠١٢٣٤٥٦٧", Some("+201001234567")),
            ("US", "12345", None),
            ("US", "call me", None),
            ("US", "", None),
            ("US", "+", None),
        ] {
            assert_eq!(to_e164(text, Some(country), None).as_deref(), expected, "{text} in {country}");
        }
    }

    #[test]
    fn a_foreign_number_keeps_all_its_digits() {
        let german = Some("+4915123456789");
        assert_eq!(to_e164("+49 1512 3456789", Some("US"), None).as_deref(), german);
        assert_eq!(to_e164("011 49 1512 3456789", Some("US"), None).as_deref(), german);
        assert_eq!(to_e164("00 49 1512 3456789", Some("FR"), None).as_deref(), german);
        assert_eq!(to_e164("0011 49 1512 3456789", Some("AU"), None).as_deref(), german);
    }

    #[test]
    fn an_unknown_country_is_no_reason_to_guess() {
        assert_eq!(to_e164("2025550143", None, Some("US")).as_deref(), Some("+12025550143"));
        for unknown in ["Atlantis", "XX", "001", "", "ÄÖ"] {
            assert_eq!(to_e164("2025550143", Some(unknown), Some("US")), None, "{unknown:?}");
        }
        assert_eq!(to_e164("+12025550143", Some("Atlantis"), Some("US")).as_deref(), Some("+12025550143"));
        assert_eq!(to_e164("2025550143", None, None), None);
    }

    #[test]
    fn a_number_given_by_the_sender_is_kept() {
        let mut record = LeadRecord {
            phone: Some(Some("202 555 0143".to_owned())),
            phone_normalized: Some(Some("+12025550199".to_owned())),
            ..LeadRecord::default()
        };
        normalize(&mut record, Some("US"));
        assert_eq!(record.phone_normalized, Some(Some("+12025550199".to_owned())));
        assert_eq!(record.phone_normalized2, None);
    }

    #[test]
    fn a_new_country_makes_only_derived_numbers_anew() {
        let mut stored = LeadRecord {
            phone: Some(Some("030 123456".to_owned())),
            phone2: Some(Some("030 123457".to_owned())),
            country: Some(Some("US".to_owned())),
            phone_normalized2: Some(Some("+4930123457".to_owned())),
            ..LeadRecord::default()
        }
        .create(leadscribe_engine::api::LeadId(1), chrono::DateTime::UNIX_EPOCH);
        stored.phone_normalized = None;
        let change = LeadRecord { country: Some(Some("DE".to_owned())), ..LeadRecord::default() };
        assert!(needs_stored_lead(&change));
        let change = normalized(&change, Some(&stored), None);
        assert_eq!(change.phone_normalized, Some(Some("+4930123456".to_owned())));
        assert_eq!(change.phone_normalized2, None);
    }

    #[test]
    fn a_code_in_place_of_a_name_makes_a_missing_number() {
        let mut stored = LeadRecord {
            phone: Some(Some("030 123456".to_owned())),
            country: Some(Some("Germany".to_owned())),
            ..LeadRecord::default()
        }
        .create(leadscribe_engine::api::LeadId(1), chrono::DateTime::UNIX_EPOCH);
        stored.phone_normalized = None;
        let change = LeadRecord { country: Some(Some("DE".to_owned())), ..LeadRecord::default() };
        let change = normalized(&change, Some(&stored), None);
        assert_eq!(change.phone_normalized, Some(Some("+4930123456".to_owned())));
    }
}
