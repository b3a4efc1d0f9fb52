//! The number that digits are under the numbering plans of the world, which are libphonenumber's knowledge.

use rlibphonenumber::{PHONE_NUMBER_UTIL, PhoneNumber, PhoneNumberFormat, PhoneNumberType, Region};

use super::NoNumber;
use super::candidate::{Candidate, Weight};

const GERMANY: i32 = 49;
const AUSTRIA: i32 = 43;
const ITALY: i32 = 39;
const MEXICO: i32 = 52;
const BRAZIL: i32 = 55;

/// The numbering plan of the country that numbers are dialled in.
#[derive(Clone, Copy, Debug)]
pub struct Plan {
    region: Option<Region>,
    calling_code: i32,
}

impl Plan {
    /// The plan of a country. Without one, only international numbers can be read.
    pub fn new(region: Option<Region>) -> Self {
        let calling_code = region.and_then(|region| PHONE_NUMBER_UTIL.get_country_code_for_region(region));
        Self { region, calling_code: calling_code.unwrap_or_default() }
    }

    /// The calling code of the country; 0 where no country is known.
    pub fn calling_code(&self) -> i32 {
        self.calling_code
    }

    /// The number on which all valid candidates of a run agree.
    ///
    /// # Errors
    /// No candidate is valid, or several are and they differ.
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

    /// The number that digits are.
    ///
    /// # Errors
    /// They are no valid number, or a valid one with its calling code and another one without.
    pub fn number(&self, is_international: bool, digits: &str) -> Result<PhoneNumber, NoNumber> {
        if is_international {
            return international(digits).ok_or(NoNumber::Invalid);
        }
        let national = self.region.and_then(|region| valid(digits, Some(region)));
        // `00` is also dialled where the prefix of international calls is another one.
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

    /// Returns whether the digits of a landline, without the trunk prefix that its country writes, may be something else: a number without
    /// its area code, or one of another country without its plus. `41446681800` is in Zurich, and in a town near Hamburg.
    fn is_doubtful(&self, number: &PhoneNumber, digits: &str) -> bool {
        let shortest = match number.country_code {
            GERMANY => 9,
            AUSTRIA => 8,
            _ => 0,
        };
        let is_foreign = |other: PhoneNumber| digits.len() > 10 || other.get_type() != PhoneNumberType::FixedLine;
        // North America writes no prefix.
        number.country_code == self.calling_code
            && self.calling_code != 1
            && number.get_national_significant_number() == digits
            && number.get_type() == PhoneNumberType::FixedLine
            && PHONE_NUMBER_UTIL.normalize_digits_only(number.format_as(PhoneNumberFormat::National)) != digits
            && (digits.len() < shortest || international(digits).is_some_and(is_foreign))
    }
}

/// Returns whether a candidate, which may be a valid number, counts for nothing beside a number that was found.
///
/// DIN 5008 and ÖNORM A 1080 write the direct dial of a landline behind a dash. In Italy, where the zero is part of landline
/// numbers, the nine digits of an old mobile number are also those of a landline.
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

/// The valid number that begins with its calling code.
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

/// German landline numbers have eleven digits at most (Bundesnetzagentur, numbering plan of 2010); libphonenumber permits
/// fifteen.
fn is_too_long(number: &PhoneNumber) -> bool {
    const ELEVEN_DIGITS: u64 = 99_999_999_999;
    number.country_code == GERMANY
        && number.national_number > ELEVEN_DIGITS
        && number.get_type() == PhoneNumberType::FixedLine
}

/// The present form of a number that a reform has changed by a fixed rule.
///
/// Mexico dropped the prefixes of mobiles (1 from abroad, 044 and 045 within) and of long distance (01) in 2019. Brazil put a 9
/// before all mobile numbers until 2016; those that begin with 7 were of another service.
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
