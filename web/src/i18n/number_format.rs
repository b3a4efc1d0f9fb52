//! Phone numbers and decimal numbers in the notation of the panel's language.

use leadscribe_engine::json::quote;
use leadscribe_engine::record::DecimalMark;
use leadscribe_engine::wording::format_integer;

use crate::i18n::{Language, language};

/// Country calling codes of two digits. Codes that begin with 1 or 7 have one digit, all others three. Source: ITU-T
/// E.164, list of assigned country codes.
const TWO_DIGIT_COUNTRY_CODES: [&str; 44] = [
    "20", "27", "30", "31", "32", "33", "34", "36", "39", "40", "41", "43", "44", "45", "46", "47", "48", "49", "51",
    "52", "53", "54", "55", "56", "57", "58", "60", "61", "62", "63", "64", "65", "66", "81", "82", "84", "86", "90",
    "91", "92", "93", "94", "95", "98",
];

/// German area codes of three digits, except those that end in 1. Source: Bundesnetzagentur, list of area codes.
const GERMAN_THREE_DIGIT_AREA_CODES: [&str; 17] = [
    "202", "203", "208", "209", "212", "214", "228", "234", "335", "340", "345", "355", "365", "375", "385", "395",
    "906",
];

/// Length of the area or network code of a national number in Germany, Austria, Switzerland or the United Kingdom;
/// `None` if unknown. Sources: numbering plans of Bundesnetzagentur, RTR, OFCOM and Ofcom.
fn area_code_length(country: &str, number: &str) -> Option<usize> {
    let starts_with_any = |prefixes: &[&str]| prefixes.iter().any(|prefix| number.starts_with(prefix));
    let ends_in_1 = number.as_bytes().get(2) == Some(&b'1');
    match country {
        "49" if starts_with_any(&["30", "40", "69", "89"]) => Some(2),
        "49" if starts_with_any(&["15", "16", "17"]) || starts_with_any(&GERMAN_THREE_DIGIT_AREA_CODES) => Some(3),
        // Other area codes in eastern Germany have four or five digits.
        "49" if starts_with_any(&["1", "3", "80", "90"]) => (ends_in_1 && starts_with_any(&["3"])).then_some(3),
        "49" => Some(if ends_in_1 { 3 } else { 4 }),
        "43" if starts_with_any(&["1"]) => Some(1),
        "43" if starts_with_any(&["6"]) => Some(3),
        "41" => Some(2),
        "44" if starts_with_any(&["2"]) => Some(2),
        "44" if starts_with_any(&["7"]) => Some(4),
        "44" if starts_with_any(&["1"]) => Some(if ends_in_1 || starts_with_any(&["11"]) { 3 } else { 4 }),
        _ => None,
    }
}

/// Splits digits into groups of three or four; five digits become groups of two and three.
fn split_into_groups(digits: &str) -> Vec<&str> {
    let count = digits.len().div_ceil(4).max(1);
    let (min_length, longer_group_count) = (digits.len() / count, digits.len() % count);
    let mut rest = digits;
    let group = |index| {
        let (group, remaining) = rest.split_at(min_length + usize::from(index >= count - longer_group_count));
        rest = remaining;
        group
    };
    (0..count).map(group).collect()
}

/// Splits an E.164 number into groups for display: country code, area code if known, and groups of the remaining
/// digits. Any other text is returned as one group.
pub fn phone_groups(number: &str) -> Vec<&str> {
    let digits = number.strip_prefix('+').unwrap_or_default();
    if !(4..=15).contains(&digits.len()) || !digits.bytes().all(|byte| byte.is_ascii_digit()) {
        return vec![number];
    }
    let code_length = if digits.starts_with(['1', '7']) {
        1
    } else if TWO_DIGIT_COUNTRY_CODES.contains(&&digits[..2]) {
        2
    } else {
        3
    };
    let (country_code, rest) = number.split_at(code_length + 1);
    let area_code = area_code_length(&country_code[1..], rest).filter(|area_code| *area_code < rest.len());
    let (area_code, rest) = rest.split_at(area_code.unwrap_or_default());
    [country_code, area_code].into_iter().chain(split_into_groups(rest)).filter(|group| !group.is_empty()).collect()
}

/// Formats a phone number with narrow spaces between the groups.
pub fn format_phone(number: &str) -> String {
    phone_groups(number).join("\u{202f}")
}

/// Returns the text to search for: a pasted phone number loses its separators, any other text stays unchanged.
pub fn normalize_search_text(text: &str) -> String {
    let is_phone_char =
        |c: char| c.is_ascii_digit() || matches!(c, '+' | ' ' | '-' | '/' | '(' | ')' | '\u{202f}' | '\u{a0}');
    let is_phone_number = text.chars().all(is_phone_char) && text.contains(|c: char| c.is_ascii_digit());
    if is_phone_number { text.chars().filter(|c| c.is_ascii_digit() || *c == '+').collect() } else { text.to_owned() }
}

/// Replaces the decimal point of a plain number with the separator of the panel's language.
pub fn localize_decimal(plain: &str) -> String {
    match language() {
        // Quoted text is shown as the user typed it.
        Language::German if !plain.starts_with('"') => plain.replace('.', ","),
        _ => plain.to_owned(),
    }
}

/// Decimal separator of the panel's language.
fn decimal_mark() -> DecimalMark {
    match language() {
        Language::English => DecimalMark::Point,
        Language::German => DecimalMark::Comma,
    }
}

/// Parses a typed number, such as `1.234,5` or `1.5` in German, into plain digits. Returns `None` if it isn't a number
/// or if it is ambiguous as defined by [`ambiguous_readings`].
pub fn parse_number(input: &str) -> Option<String> {
    let parsed = || decimal_mark().normalize(input).or_else(|| DecimalMark::Point.normalize(input));
    if ambiguous_readings(input).is_some() { None } else { parsed().filter(|parsed| is_number(parsed)) }
}

/// Parses a typed angle into plain digits. Angles are below a thousand, so in German both marks are decimal separators.
pub fn parse_degrees(input: &str) -> Option<String> {
    let number = match language() {
        Language::English => input.to_owned(),
        Language::German => input.replacen(',', ".", 1),
    };
    Some(number).filter(|number| is_number(number))
}

/// Returns both readings of an ambiguous number such as `1.500` in German: with thousands separators, and as a
/// fraction. Both are in the notation of the language.
pub fn ambiguous_readings(input: &str) -> Option<(String, String)> {
    let may_be_ambiguous = !input.contains(decimal_mark().as_str()) && DecimalMark::is_ambiguous(input);
    let whole = decimal_mark().normalize(input).filter(|_| may_be_ambiguous)?;
    Some((whole, localize_decimal(&input.replace(',', "."))))
}

/// Like [`parse_number`], for text that is parsed again later. Text that isn't a number stays as typed; an ambiguous
/// number is quoted.
pub fn number_or_text(input: &str) -> String {
    parse_number(input).unwrap_or_else(|| if is_number(input) { quote(input) } else { input.to_owned() })
}

/// True if the text is a JSON number without an exponent.
fn is_number(text: &str) -> bool {
    let digits = |part: &str| !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_digit());
    let plain = text.strip_prefix('-').unwrap_or(text);
    let (whole, fraction) = plain.split_once('.').map_or((plain, None), |(whole, fraction)| (whole, Some(fraction)));
    digits(whole) && (whole == "0" || !whole.starts_with('0')) && fraction.is_none_or(digits)
}

/// Formats an amount of money with at least two decimals and with thousands separators.
pub fn format_amount(plain: &str) -> String {
    let (sign, digits) = plain.strip_prefix('-').map_or(("", plain), |digits| ("-", digits));
    let (whole, fraction) = digits.split_once('.').unwrap_or((digits, ""));
    match whole.parse() {
        Ok(whole) => {
            format!("{sign}{}{}", format_integer(whole, language()), localize_decimal(&format!(".{fraction:0<2}")))
        }
        Err(_) => localize_decimal(plain),
    }
}

#[cfg(test)]
mod tests {
    use crate::i18n::locale::set_language;
    use crate::i18n::number_format::*;

    #[test]
    fn splits_phone_numbers_into_groups() {
        let grouped = |number: &str| phone_groups(number).join(" ");
        for number in [
            "+49 30 123 456",
            "+49 30 649 0018",
            "+49 151 1234 5678",
            "+49 211 555 0142",
            "+49 228 555 0142",
            "+49 2264 55 501",
            "+49 341 555 0142",
            // The area code is unknown.
            "+49 332 015 5501",
            "+43 1 555 0142",
            "+43 664 123 4567",
            "+41 44 555 0142",
            "+44 20 7946 0018",
            "+44 113 496 0018",
            "+44 1632 960 018",
            "+44 7700 900 018",
            "+1 202 555 0143",
            "+353 1234 5678",
            "+98 912 123 4567",
            "+49 30",
        ] {
            assert_eq!(grouped(&number.replace(' ', "")), number);
        }
        for not_phone in ["030 123456", "101", "", "anonymous", "+49 30", "+12"] {
            assert_eq!(grouped(not_phone), not_phone);
        }
        assert_eq!(phone_groups("+4930123456").concat(), "+4930123456");
        assert_eq!(normalize_search_text("+49 301 234 56"), "+4930123456");
        assert_eq!(
            [normalize_search_text("Anna 2"), normalize_search_text("+1 312"), normalize_search_text("Team 12345")],
            ["Anna 2", "+1312", "Team 12345"]
        );
    }

    #[test]
    fn formats_numbers_in_the_language() {
        assert_eq!(
            ["1234.5", "0.999", "-3", "12", "1e300"].map(format_amount),
            ["1,234.50", "0.999", "-3.00", "12.00", "1e300"]
        );
        assert_eq!(localize_decimal("-33.9"), "-33.9");
        set_language(Language::German);
        assert_eq!(["1234.5", "0.999"].map(format_amount), ["1.234,50", "0,999"]);
        assert_eq!(localize_decimal("-33.9"), "-33,9");
    }

    #[test]
    fn rejects_ambiguous_numbers() {
        let parse_all = |input: [&str; 8]| input.map(|input| parse_number(input).unwrap_or_default());
        assert_eq!(
            parse_all(["1,500.25", "1.500", "13.405", "1,234,567", "1,500", "1,5", "007", "x"]),
            ["1500.25", "1.500", "13.405", "1234567", "", "", "", ""]
        );
        assert_eq!(ambiguous_readings("1,500"), Some(("1500".to_owned(), "1.500".to_owned())));
        assert_eq!(["1,500", "1,5", "1.500"].map(number_or_text), ["1,500", "1,5", "1.500"]);
        set_language(Language::German);
        assert_eq!(
            parse_all(["1.500,25", "1,500", "13,405", "1.234.567", "1.500", "1.5", "-2,5", "1,2,3"]),
            ["1500.25", "1.500", "13.405", "1234567", "", "1.5", "-2.5", ""]
        );
        // An amount as the panel formats it.
        assert_eq!(parse_number(&format_amount("1500")).as_deref(), Some("1500.00"));
        assert_eq!(ambiguous_readings("-1.500"), Some(("-1500".to_owned(), "-1,500".to_owned())));
        let texts = ["1.500", "1,500", "1,"].map(number_or_text);
        assert_eq!(texts, ["\"1.500\"", "1.500", "1,"]);
        assert_eq!(texts.map(|texts| localize_decimal(&texts)), ["\"1.500\"", "1,500", "1,"]);
    }
}
