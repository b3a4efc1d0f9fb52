//! Tests of whole cells: a table, and properties that hold for all numbers.

mod cells;

use std::sync::LazyLock;

use leadscribe_engine::record::LeadRecord;
use proptest::prelude::*;
use rlibphonenumber::{PHONE_NUMBER_UTIL, PhoneNumber, PhoneNumberFormat, PhoneNumberType};

use super::*;

#[test]
fn reads_common_spellings() {
    for (country, text, expected) in [
        ("us", "1-202-555-0143", Some("+12025550143")),
        ("DE", "0049 1512 3456789", Some("+4915123456789")),
        ("US", "12345", None),
    ] {
        assert_eq!(to_e164(text, Some(country), None).as_deref(), expected, "{text} in {country}");
    }
}

#[test]
fn reports_why_there_is_no_number() {
    for (cell, reason) in [
        ("keine", PhoneError::NoDigits),
        ("3.02E9", PhoneError::Unreadable),
        ("030 23125123 oder 0171 3920055", PhoneError::SeveralNumbers),
        ("030 231251/52", PhoneError::Ambiguous),
        ("0301", PhoneError::Invalid),
    ] {
        assert_eq!(read(cell, Some("DE"), None), Err(reason), "{cell}");
    }
    assert_eq!(read("030 23125123", None, None), Err(PhoneError::UnknownCountry));
}

#[test]
fn does_not_guess_for_unknown_countries() {
    assert_eq!(to_e164("2025550143", None, Some("US")).as_deref(), Some("+12025550143"));
    for unknown in ["Atlantis", "XX", "001", "", "ÄÖ"] {
        assert_eq!(to_e164("2025550143", Some(unknown), Some("US")), None, "{unknown:?}");
    }
    assert_eq!(to_e164("+12025550143", Some("Atlantis"), Some("US")).as_deref(), Some("+12025550143"));
    assert_eq!(to_e164("2025550143", None, None), None);
}

#[test]
fn keeps_numbers_given_by_the_client() {
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
fn country_change_updates_only_derived_numbers() {
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
    let change = with_normalized_numbers(&change, Some(&stored), None);
    assert_eq!(change.phone_normalized, Some(Some("+4930123456".to_owned())));
    assert_eq!(change.phone_normalized2, None);
}

/// The valid examples in libphonenumber's metadata, with their regions.
static EXAMPLES: LazyLock<Vec<(Region, PhoneNumber)>> = LazyLock::new(|| {
    use PhoneNumberType::{
        FixedLine, FixedLineOrMobile, Mobile, Pager, PersonalNumber, PremiumRate, SharedCost, TollFree, UAN, VoIP,
        VoiceMail,
    };
    let types = [
        FixedLine,
        Mobile,
        FixedLineOrMobile,
        TollFree,
        PremiumRate,
        SharedCost,
        VoIP,
        PersonalNumber,
        Pager,
        UAN,
        VoiceMail,
    ];
    let all = PHONE_NUMBER_UTIL.get_supported_regions().flat_map(|region| {
        let example = move |kind| PHONE_NUMBER_UTIL.get_example_number_for_type_and_region(region, kind).ok();
        types.into_iter().filter_map(example).filter(PhoneNumber::is_valid).map(move |number| (region, number))
    });
    all.collect()
});

#[test]
fn reads_example_numbers_in_every_format() {
    assert!(EXAMPLES.len() > 1000, "{}", EXAMPLES.len());
    for (region, number) in EXAMPLES.iter() {
        let expected = number.format_as(PhoneNumberFormat::E164);
        let international = number.format_as(PhoneNumberFormat::International);
        let (code, digits) = (number.country_code, number.get_national_significant_number());
        let (_, groups) = international.split_once(' ').expect("a calling code and a number");
        let each: Vec<String> = digits.chars().map(String::from).collect();
        for cell in [
            expected.to_string(),
            international.to_string(),
            international.replace(' ', "\u{A0}"),
            international.replace(' ', "-"),
            international.replace([' ', '-'], "."),
            international.replace([' ', '-'], "/"),
            number.format_as(PhoneNumberFormat::National).to_string(),
            number.format_as(PhoneNumberFormat::RFC3966).to_string(),
            format!("(+{code}) {groups}"),
            format!("+{code} ({}) {}", &digits[..2], &digits[2..]),
            format!("+{code} (0){groups}"),
            format!("+{code}(0){digits}"),
            format!("+{code} (0) {groups}"),
            format!("00{code} {groups}"),
            format!("+{code} {}", each.join(" ")),
            format!("+{code}-{}", each.join("-")),
            format!("\u{202A}{international}\u{202C}"),
            format!("Tel.: {expected} (privat)"),
        ] {
            let country = region.to_string();
            assert_eq!(read(&cell, Some(&country), None).as_deref(), Ok(&*expected), "{cell:?} in {country}");
        }
    }
}

#[test]
fn text_next_to_a_number_adds_no_digits() {
    let mut missing = 0;
    for (region, number) in EXAMPLES.iter() {
        let country = region.to_string();
        let expected = number.format_as(PhoneNumberFormat::E164).into_owned();
        let parse = |cell: &str| to_e164(cell, Some(&country), None);
        for format in [PhoneNumberFormat::National, PhoneNumberFormat::International] {
            let number = number.format_as(format);
            for suffix in ["17:00", "(8:00-16:30)", "9-17 Uhr", "12.05.2026", "> 12", "! 12", "| 12", "\"12\"", "• 12"]
            {
                let cell = format!("{number} {suffix}");
                let number_found = parse(&cell);
                missing += usize::from(number_found.is_none());
                assert!(
                    number_found.is_none() || number_found.as_ref() == Some(&expected),
                    "{number_found:?} from {cell:?} in {country}"
                );
            }
            for mask in ["XX", "-xx", "###", "•••", "[redacted]", "(wrong number)"] {
                let cell = format!("{number} {mask}");
                assert_eq!(parse(&cell), None, "{cell:?} in {country}");
            }
        }
    }
    // Numbers of four to eight digits in small groups look like dates or hours.
    let all = 18 * EXAMPLES.len();
    assert!(missing < all / 20, "{missing} of {all}");
}

/// Cells of digits and separators.
fn cell() -> impl Strategy<Value = String> {
    let piece = prop_oneof![
        4 => "[0-9]{1,8}",
        1 => prop::sample::select(vec!["0", "030", "0171", "+49", "0049", "49", "(0)", "1", "+1", "E9", "x12", ".0"])
            .prop_map(str::to_owned),
        3 => "[ ./()+#,;:-]{1,2}",
        1 => prop::sample::select(vec![" Fax ", "Frau", " oder ", "ext. ", "(9-17 Uhr)", "\u{A0}", "\u{200E}", "ab", "…"])
            .prop_map(str::to_owned),
    ];
    prop::collection::vec(piece, 1..8).prop_map(|pieces| pieces.concat())
}

/// Text without digits before or after a number.
fn words() -> impl Strategy<Value = String> {
    "[\\p{L}]{2,8}[.:]?( [\\p{L}]{2,8}[.:]?){0,2}"
}

proptest! {
    #[test]
    fn normalized_numbers_do_not_change(cell in cell(), country in prop::sample::select(vec!["DE", "US", "IT", "BR", "AT"])) {
        if let Some(number) = to_e164(&cell, Some(country), None) {
            for any in [Some(country), Some("FR"), None] {
                prop_assert_eq!(to_e164(&number, any, None), Some(number.clone()), "from {:?}", cell);
            }
        }
    }

    #[test]
    fn numbers_are_digits_of_their_cell(cell in cell(), country in prop::sample::select(vec!["DE", "AT", "IT", "FR"])) {
        if let Some(number) = to_e164(&cell, Some(country), None) {
            let digits: String = cell.replace("(0)", "").chars().filter(char::is_ascii_digit).collect();
            let parsed: PhoneNumber = number.parse().expect("a number in E.164");
            let national = parsed.get_national_significant_number();
            let with_zeros: String = cell.chars().filter(char::is_ascii_digit).collect();
            prop_assert!(digits.contains(&national) || with_zeros.contains(&national), "{} from {:?}", number, cell);
        }
    }

    #[test]
    fn words_around_a_number_add_no_digits(before in words(), after in words(), at in any::<prop::sample::Index>()) {
        let (region, number) = at.get(&EXAMPLES);
        let country = region.to_string();
        let expected = number.format_as(PhoneNumberFormat::E164).into_owned();
        let national = number.format_as(PhoneNumberFormat::National).into_owned();
        for cell in [format!("{before} {expected}"), format!("{expected} {after}"), format!("{before} {national} ({after})")] {
            let result = to_e164(&cell, Some(&country), None);
            prop_assert!(result.is_none() || result.as_ref() == Some(&expected), "{:?} from {:?}", result, cell);
        }
    }

    #[test]
    fn reader_never_panics(cell in any::<String>()) {
        if let Some(number) = to_e164(&cell, Some("DE"), None) {
            prop_assert!(number.starts_with('+'));
        }
    }
}

#[test]
fn replacing_country_name_with_code_sets_number() {
    let mut stored = LeadRecord {
        phone: Some(Some("030 123456".to_owned())),
        country: Some(Some("Germany".to_owned())),
        ..LeadRecord::default()
    }
    .create(leadscribe_engine::api::LeadId(1), chrono::DateTime::UNIX_EPOCH);
    stored.phone_normalized = None;
    let change = LeadRecord { country: Some(Some("DE".to_owned())), ..LeadRecord::default() };
    let change = with_normalized_numbers(&change, Some(&stored), None);
    assert_eq!(change.phone_normalized, Some(Some("+4930123456".to_owned())));
}
