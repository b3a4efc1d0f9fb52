//! Interprets digits by the numbering plans in libphonenumber.

use rlibphonenumber::{PHONE_NUMBER_UTIL, PhoneNumber, PhoneNumberFormat, PhoneNumberType, Region};

use super::NoNumber;
use super::candidate::{Candidate, Weight};

const GERMANY: i32 = 49;
const AUSTRIA: i32 = 43;
const ITALY: i32 = 39;
const MEXICO: i32 = 52;
const BRAZIL: i32 = 55;

/// The numbering plan of the country in which numbers are dialled.
#[derive(Clone, Copy, Debug)]
pub struct Plan {
    region: Option<Region>,
    calling_code: i32,
}

impl Plan {
    /// Creates the plan of a country. Without a country, only international numbers can be read.
    pub fn new(region: Option<Region>) -> Self {
        let calling_code = region.and_then(|region| PHONE_NUMBER_UTIL.get_country_code_for_region(region));
        Self { region, calling_code: calling_code.unwrap_or_default() }
    }

    /// Returns the calling code of the country; 0 without a country.
    pub fn calling_code(&self) -> i32 {
        self.calling_code
    }

    /// Returns the number on which all valid candidates of a run agree.
    ///
    /// # Errors
    /// No candidate is valid, or several valid ones differ.
    pub fn agreed(&self, candidates: &[Candidate]) -> Result<PhoneNumber, NoNumber> {
        let mut found: Option<PhoneNumber> = None;
        let mut fault = NoNumber::Invalid;
        for weight in Weight::ALL {
            for candidate in candidates.iter().filter(|candidate| candidate.weight == weight) {
                let number = self.number(candidate.is_international, &candidate.digits);
                if found.as_ref().is_some_and(|found| yields(candidate, number.as_ref().ok(), found)) {
                    continue;
                }
                match (number, &found) {
                    (Ok(number), Some(other)) if number != *other => return Err(NoNumber::Ambiguous),
                    (Ok(_), None) if weight == Weight::Rival => return Err(NoNumber::Ambiguous),
                    (Ok(number), _) => found = Some(number),
                    (Err(NoNumber::Ambiguous), _) => return Err(NoNumber::Ambiguous),
                    (Err(other), _) => fault = other,
                }
            }
        }
        found.ok_or(fault)
    }

    /// Returns the number with these digits.
    ///
    /// # Errors
    /// The digits aren't a valid number, or are valid both with and without a calling code.
    pub fn number(&self, is_international: bool, digits: &str) -> Result<PhoneNumber, NoNumber> {
        if is_international {
            return international(digits).ok_or(NoNumber::Invalid);
        }
        let national = self.region.and_then(|region| valid(digits, Some(region)));
        // `00` is also dialled in countries with another prefix for international calls.
        let with_code = digits.strip_prefix("00").or_else(|| {
            let is_own = self.calling_code != 0 && digits.starts_with(&self.calling_code.to_string());
            is_own.then_some(digits)
        });
        match (national, with_code.and_then(international)) {
            (Some(national), Some(other)) if national != other => Err(NoNumber::Ambiguous),
            (Some(national), None) if self.is_doubtful(&national, digits) => Err(NoNumber::Ambiguous),
            (Some(number), _) | (None, Some(number)) => Ok(number),
            (None, None) if self.region.is_none() => Err(NoNumber::UnknownCountry),
            (None, None) => Err(NoNumber::Invalid),
        }
    }

    /// Returns true if the digits of a landline without the usual trunk prefix are ambiguous: they may lack the area code, or be a number
    /// of another country without its plus. `41446681800` is valid in Zurich, and in a town near Hamburg.
    fn is_doubtful(&self, number: &PhoneNumber, digits: &str) -> bool {
        let shortest = match number.country_code {
            GERMANY => 9,
            AUSTRIA => 8,
            _ => 0,
        };
        let is_foreign = |other: PhoneNumber| digits.len() > 10 || other.get_type() != PhoneNumberType::FixedLine;
        // North America uses no prefix.
        number.country_code == self.calling_code
            && self.calling_code != 1
            && number.get_national_significant_number() == digits
            && number.get_type() == PhoneNumberType::FixedLine
            && PHONE_NUMBER_UTIL.normalize_digits_only(number.format_as(PhoneNumberFormat::National)) != digits
            && (digits.len() < shortest || international(digits).is_some_and(is_foreign))
    }
}

/// Returns true if a candidate is ignored in favour of a number already found, even if it is valid.
///
/// DIN 5008 and ÖNORM A 1080 place the direct dial of a landline after a dash. In Italy, where the zero is part of landline numbers, the
/// nine digits of an old mobile number are also valid as a landline.
fn yields(candidate: &Candidate, number: Option<&PhoneNumber>, found: &PhoneNumber) -> bool {
    match candidate.weight {
        Weight::Full | Weight::Rival => false,
        Weight::Fallback => {
            [Some(found), number].into_iter().flatten().all(|number| number.get_type() != PhoneNumberType::Mobile)
        }
        Weight::DirectDial => {
            matches!(found.country_code, GERMANY | AUSTRIA) && found.get_type() == PhoneNumberType::FixedLine
        }
        Weight::KeptZero => {
            let digits = found.get_national_significant_number();
            found.country_code != ITALY || !digits.starts_with('3') || digits.len() > 9
        }
    }
}

/// Returns the valid number that begins with its calling code.
fn international(digits: &str) -> Option<PhoneNumber> {
    valid(&format!("+{digits}"), None)
}

fn valid(text: &str, region: Option<Region>) -> Option<PhoneNumber> {
    let number = PHONE_NUMBER_UTIL.parse(text, region).ok()?;
    if number.is_valid() && !is_too_long(&number) {
        return Some(number);
    }
    let number = PHONE_NUMBER_UTIL.parse(reformed(&number, region.is_none())?, None).ok()?;
    number.is_valid().then_some(number)
}

/// German landline numbers have at most eleven digits (Bundesnetzagentur, numbering plan of 2010); libphonenumber permits
/// fifteen.
fn is_too_long(number: &PhoneNumber) -> bool {
    const ELEVEN_DIGITS: u64 = 99_999_999_999;
    number.country_code == GERMANY
        && number.national_number > ELEVEN_DIGITS
        && number.get_type() == PhoneNumberType::FixedLine
}

/// Returns the current form of a number that a reform changed by a fixed rule.
///
/// In 2019, Mexico dropped the prefixes of mobile numbers (1 from abroad, 044 and 045 nationally) and of long distance calls (01). By 2016,
/// Brazil added a 9 to all mobile numbers; those that begin with 7 belonged to another service.
fn reformed(number: &PhoneNumber, is_international: bool) -> Option<String> {
    let old = number.get_national_significant_number();
    let new = match number.country_code {
        MEXICO => {
            let prefixes = ["044", "045", "01", "1"].iter().take(if is_international { 4 } else { 3 });
            prefixes.filter_map(|prefix| old.strip_prefix(prefix)).find(|rest| rest.len() == 10)?.to_owned()
        }
        BRAZIL if old.len() == 10 && old[2..].starts_with(['6', '8', '9']) => format!("{}9{}", &old[..2], &old[2..]),
        _ => return None,
    };
    Some(format!("+{}{new}", number.country_code))
}
