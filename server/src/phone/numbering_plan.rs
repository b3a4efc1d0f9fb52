//! Interprets digits according to the numbering plans in libphonenumber.

use rlibphonenumber::{PHONE_NUMBER_UTIL, PhoneNumber, PhoneNumberFormat, PhoneNumberType, Region};

use super::PhoneError;
use super::candidate::{Candidate, Weight};

const GERMANY: i32 = 49;
const AUSTRIA: i32 = 43;
const ITALY: i32 = 39;
const MEXICO: i32 = 52;
const BRAZIL: i32 = 55;

/// The numbering plan of the country in which numbers are dialed.
#[derive(Clone, Copy, Debug)]
pub struct NumberingPlan {
    region: Option<Region>,
    calling_code: i32,
}

impl NumberingPlan {
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
    pub fn resolve(&self, candidates: &[Candidate]) -> Result<PhoneNumber, PhoneError> {
        let mut accepted: Option<PhoneNumber> = None;
        let mut error = PhoneError::Invalid;
        for weight in Weight::ALL {
            for candidate in candidates.iter().filter(|candidate| candidate.weight == weight) {
                let number = self.parse(candidate.is_international, &candidate.digits);
                if accepted.as_ref().is_some_and(|accepted| is_superseded(candidate, number.as_ref().ok(), accepted)) {
                    continue;
                }
                match (number, &accepted) {
                    (Ok(number), Some(other)) if number != *other => return Err(PhoneError::Ambiguous),
                    (Ok(_), None) if weight == Weight::Conflicting => return Err(PhoneError::Ambiguous),
                    (Ok(number), _) => accepted = Some(number),
                    (Err(PhoneError::Ambiguous), _) => return Err(PhoneError::Ambiguous),
                    (Err(other), _) => error = other,
                }
            }
        }
        accepted.ok_or(error)
    }

    /// Returns the number with these digits.
    ///
    /// # Errors
    /// The digits aren't a valid number, or are valid both with and without a calling code.
    pub fn parse(&self, is_international: bool, digits: &str) -> Result<PhoneNumber, PhoneError> {
        if is_international {
            return parse_international(digits).ok_or(PhoneError::Invalid);
        }
        let national = self.region.and_then(|region| parse_valid(digits, Some(region)));
        // `00` is also dialed in countries with another prefix for international calls.
        let with_code = digits.strip_prefix("00").or_else(|| {
            let is_own = self.calling_code != 0 && digits.starts_with(&self.calling_code.to_string());
            is_own.then_some(digits)
        });
        match (national, with_code.and_then(parse_international)) {
            (Some(national), Some(other)) if national != other => Err(PhoneError::Ambiguous),
            (Some(national), None) if self.is_ambiguous(&national, digits) => Err(PhoneError::Ambiguous),
            (Some(number), _) | (None, Some(number)) => Ok(number),
            (None, None) if self.region.is_none() => Err(PhoneError::UnknownCountry),
            (None, None) => Err(PhoneError::Invalid),
        }
    }

    /// Returns true if the digits of a landline without the usual trunk prefix are ambiguous: they may lack the area code, or be a number
    /// of another country without its plus. `41446681800` is valid in Zurich, and in a town near Hamburg.
    fn is_ambiguous(&self, number: &PhoneNumber, digits: &str) -> bool {
        let min_length = match number.country_code {
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
            && (digits.len() < min_length || parse_international(digits).is_some_and(is_foreign))
    }
}

/// Returns true if a candidate is ignored in favor of a number already found, even if it is valid.
///
/// DIN 5008 and ÖNORM A 1080 place the extension of a landline after a dash. In Italy, where the zero is part of landline numbers, the
/// nine digits of an old mobile number are also valid as a landline.
fn is_superseded(candidate: &Candidate, number: Option<&PhoneNumber>, accepted: &PhoneNumber) -> bool {
    match candidate.weight {
        Weight::Full | Weight::Conflicting => false,
        Weight::Fallback => {
            [Some(accepted), number].into_iter().flatten().all(|number| number.get_type() != PhoneNumberType::Mobile)
        }
        Weight::Extension => {
            matches!(accepted.country_code, GERMANY | AUSTRIA) && accepted.get_type() == PhoneNumberType::FixedLine
        }
        Weight::TrunkZeroKept => {
            let digits = accepted.get_national_significant_number();
            accepted.country_code != ITALY || !digits.starts_with('3') || digits.len() > 9
        }
    }
}

/// Returns the valid number that begins with its calling code.
fn parse_international(digits: &str) -> Option<PhoneNumber> {
    parse_valid(&format!("+{digits}"), None)
}

fn parse_valid(text: &str, region: Option<Region>) -> Option<PhoneNumber> {
    let number = PHONE_NUMBER_UTIL.parse(text, region).ok()?;
    if number.is_valid() && !is_too_long(&number) {
        return Some(number);
    }
    let number = PHONE_NUMBER_UTIL.parse(renumbered(&number, region.is_none())?, None).ok()?;
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
fn renumbered(number: &PhoneNumber, is_international: bool) -> Option<String> {
    let old_number = number.get_national_significant_number();
    let new_number = match number.country_code {
        MEXICO => {
            let prefixes = ["044", "045", "01", "1"].iter().take(if is_international { 4 } else { 3 });
            prefixes.filter_map(|prefix| old_number.strip_prefix(prefix)).find(|rest| rest.len() == 10)?.to_owned()
        }
        BRAZIL if old_number.len() == 10 && old_number[2..].starts_with(['6', '8', '9']) => {
            format!("{}9{}", &old_number[..2], &old_number[2..])
        }
        _ => return None,
    };
    Some(format!("+{}{new_number}", number.country_code))
}
