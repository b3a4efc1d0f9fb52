//! Number formats of amounts in a file: with a decimal comma or a decimal point.

use std::borrow::Cow;

use crate::api::named_enum;
use crate::diagnostic::{Message, catalog::record as texts};

named_enum! {
    /// The decimal mark. The other mark may separate thousands.
    DecimalMark {
        /// `1.234,56`
        Comma = ",",
        /// `1,234.56`
        Point = ".",
    }
}

impl DecimalMark {
    /// Returns the thousands separator.
    const fn thousands_separator(self) -> char {
        match self {
            Self::Comma => '.',
            Self::Point => ',',
        }
    }

    /// Describes a number for messages.
    pub(super) fn describe_number(self) -> Message {
        match self {
            Self::Comma => texts::number_with_comma(),
            Self::Point => texts::number_with_point(),
        }
    }

    /// Returns the number of a cell in this format, with a decimal point and without thousands separators. Surrounding currency signs and
    /// names are removed.
    pub fn normalize(self, cell: &str) -> Option<String> {
        let Amount { is_negative, digits } = Amount::parse(cell)?;
        let (integer_part, fraction) = match digits.split_once(self.as_str()) {
            // Swiss and German prices without cents.
            Some((integer_part, "-" | "--" | "\u{2013}" | "\u{2014}")) => (integer_part, None),
            Some((integer_part, fraction)) => (integer_part, Some(fraction)),
            None => (digits, None),
        };
        let separator = integer_part.chars().find(|c| is_thousands_separator(*c)).unwrap_or(self.thousands_separator());
        let groups: Vec<_> = integer_part.split(separator).collect();
        let are_digits = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
        let first = groups[0];
        let are_thousands =
            first.len() <= 3 && !first.starts_with('0') && groups[1..].iter().all(|group| group.len() == 3);
        let is_number = groups.iter().all(|group| are_digits(group)) && fraction.is_none_or(are_digits);
        (is_number && (groups.len() == 1 || are_thousands)).then(|| {
            let sign = if is_negative { "-" } else { "" };
            let fraction = fraction.map(|fraction| format!(".{fraction}")).unwrap_or_default();
            format!("{sign}{}{fraction}", groups.concat())
        })
    }

    /// Returns true if a cell means different numbers with a decimal comma and a decimal point, such as `1.234`.
    pub fn is_ambiguous(cell: &str) -> bool {
        let [comma, point] = [Self::Comma, Self::Point].map(|mark| mark.normalize(cell));
        comma.is_some() && point.is_some() && comma != point
    }

    /// Guesses the format of these cells. `12,5` and `1.234,50` are unambiguous; `1,234` isn't. `None` if all cells are ambiguous, or if
    /// they contradict each other.
    pub fn guess<'a>(cells: impl IntoIterator<Item = &'a str>) -> Option<Self> {
        let mut guessed = None;
        for cell in cells {
            let mut readings = Self::ALL.iter().copied().filter(|mark| mark.normalize(cell).is_some());
            if let (Some(mark), None) = (readings.next(), readings.next()) {
                if guessed.is_some_and(|guessed| guessed != mark) {
                    return None;
                }
                guessed = Some(mark);
            }
        }
        guessed
    }
}

/// Returns the number of a cell with a decimal point; `None` if the cell doesn't match the mark. Without a mark, both formats are accepted.
/// Ambiguous cells and other texts are returned unchanged.
pub(super) fn with_decimal_point(cell: &str, mark: Option<DecimalMark>) -> Option<Cow<'_, str>> {
    if let Some(mark) = mark {
        return mark.normalize(cell).map(Cow::Owned);
    }
    let mut readings = DecimalMark::ALL.iter().filter_map(|mark| mark.normalize(cell));
    Some(match (readings.next(), readings.next()) {
        (Some(first), second) if second.as_ref().is_none_or(|second| *second == first) => Cow::Owned(first),
        _ => Cow::Borrowed(cell),
    })
}

/// Returns true for thousands separators that are never decimal marks: blanks (French) and apostrophes (Swiss).
fn is_thousands_separator(c: char) -> bool {
    matches!(c, ' ' | '\u{a0}' | '\u{2009}' | '\u{202f}' | '\'' | '\u{2019}')
}

/// A cell without its sign and currency.
struct Amount<'a> {
    is_negative: bool,
    digits: &'a str,
}

impl<'a> Amount<'a> {
    /// Returns `None` if a sign, currency or bracket occurs twice or is incomplete.
    fn parse(cell: &'a str) -> Option<Self> {
        let (content, is_in_brackets) = match cell.strip_prefix('(') {
            Some(rest) => (rest.strip_suffix(')')?, true),
            None => (cell, false),
        };
        let mut rest = content.trim();
        let (mut signs, mut currencies) = (Vec::new(), 0);
        loop {
            let old_len = rest.len();
            for minus in MINUS_SIGNS {
                rest = strip(rest, &mut || signs.push('-'), |text| text.strip_prefix(minus));
                // `12,-` is a price without cents.
                rest = strip(rest, &mut || signs.push('-'), |text| {
                    text.strip_suffix(minus).filter(|number| number.ends_with(|c: char| c.is_ascii_digit() || c == ' '))
                });
            }
            rest = strip(rest, &mut || currencies += 1, strip_currency);
            if rest.len() == old_len {
                break;
            }
        }
        let is_unambiguous = signs.len() + usize::from(is_in_brackets) <= 1 && currencies <= 1;
        is_unambiguous.then_some(Self { is_negative: is_in_brackets || !signs.is_empty(), digits: rest })
    }
}

fn strip<'a>(text: &'a str, on_strip: &mut impl FnMut(), strip_one: impl Fn(&'a str) -> Option<&'a str>) -> &'a str {
    match strip_one(text) {
        Some(rest) => {
            on_strip();
            rest.trim()
        }
        None => text,
    }
}

/// Signs before or after a negative number: hyphen and Unicode minus.
const MINUS_SIGNS: [char; 2] = ['-', '\u{2212}'];

/// Removes a currency sign or name before or after the number.
fn strip_currency(text: &str) -> Option<&str> {
    let is_number = |rest: &&str| rest.chars().any(|c| c.is_ascii_digit());
    if let Some(rest) = text.strip_prefix(is_currency_sign).or_else(|| text.strip_suffix(is_currency_sign)) {
        return Some(rest).filter(is_number);
    }
    let is_in_number = |c: char| c.is_ascii_digit() || c == '-' || c == '\u{2212}';
    let (number_start, last_digit) = (text.find(is_in_number)?, text.rfind(is_in_number)?);
    let number_end = last_digit + text[last_digit..].chars().next().map_or(0, char::len_utf8);
    let is_currency = |name: &str| {
        let name = name.trim().to_lowercase();
        CURRENCY_CODES.split_ascii_whitespace().any(|code| code == name.trim_end_matches('.'))
            || CURRENCY_NAMES.contains(&name.trim_end_matches('.'))
    };
    if number_start > 0 && is_currency(&text[..number_start]) {
        return Some(&text[number_start..]);
    }
    (number_end < text.len() && is_currency(&text[number_end..])).then(|| &text[..number_end])
}

/// Currency signs of Unicode (general category Sc).
fn is_currency_sign(c: char) -> bool {
    matches!(
        c,
        '$' | '\u{a2}'..='\u{a5}' | '\u{58f}' | '\u{60b}' | '\u{9f2}' | '\u{9f3}' | '\u{e3f}' | '\u{17db}' | '\u{20a0}'..='\u{20c1}'
            | '\u{fdfc}' | '\u{fe69}' | '\u{ff04}' | '\u{ffe0}' | '\u{ffe1}' | '\u{ffe5}' | '\u{ffe6}'
    )
}

/// Names of currencies other than their codes, in lower case and without a trailing full stop.
const CURRENCY_NAMES: [&str; 15] = [
    "euro",
    "euros",
    "fr",
    "sfr",
    "kr",
    "k\u{10d}",
    "z\u{142}",
    "ft",
    "lei",
    "us$",
    "r$",
    "a$",
    "c$",
    "\u{440}\u{443}\u{431}",
    "\u{43b}\u{432}",
];

/// Codes of currencies in use (ISO 4217), in lower case.
const CURRENCY_CODES: &str = "aed afn all amd ang aoa ars aud awg azn bam bbd bdt bgn bhd bif bmd bnd bob brl bsd btn bwp byn bzd cad cdf chf clp \
    cny cop crc cup cve czk djf dkk dop dzd egp ern etb eur fjd fkp gbp gel ghs gip gmd gnf gtq gyd hkd hnl htg huf idr ils inr iqd irr isk \
    jmd jod jpy kes kgs khr kmf kpw krw kwd kyd kzt lak lbp lkr lrd lsl lyd mad mdl mga mkd mmk mnt mop mru mur mvr mwk mxn myr mzn nad ngn \
    nio nok npr nzd omr pab pen pgk php pkr pln pyg qar ron rsd rub rwf sar sbd scr sdg sek sgd shp sle sos srd ssp stn svc syp szl thb tjs \
    tmt tnd top try ttd twd tzs uah ugx usd uyu uzs ves vnd vuv wst xaf xcd xcg xof xpf yer zar zmw zwg";

#[cfg(test)]
mod tests {
    use super::*;

    fn read(cell: &str) -> [String; 3] {
        [None, Some(DecimalMark::Comma), Some(DecimalMark::Point)]
            .map(|mark| with_decimal_point(cell, mark).unwrap_or_default().into_owned())
    }

    #[test]
    fn decimal_mark_resolves_ambiguous_numbers() {
        for (cell, numbers) in [
            ("1.234", ["1.234", "1234", "1.234"]),
            ("1,234", ["1,234", "1.234", "1234"]),
            ("12,5", ["12.5", "12.5", ""]),
            ("12.5", ["12.5", "", "12.5"]),
            ("1.234,50", ["1234.50", "1234.50", ""]),
            ("1,234.50", ["1234.50", "", "1234.50"]),
            ("-1.234.567,8", ["-1234567.8", "-1234567.8", ""]),
            ("1234", ["1234", "1234", "1234"]),
            ("1234,567", ["1234.567", "1234.567", ""]),
            ("1.234.567", ["1234567", "1234567", ""]),
            ("12.34,5", ["12.34,5", "", ""]),
            ("1,2,3", ["1,2,3", "", ""]),
            ("0,500", ["0.500", "0.500", ""]),
            ("-0.118", ["-0.118", "", "-0.118"]),
            (",5", [",5", "", ""]),
            ("5,", ["5,", "", ""]),
        ] {
            assert_eq!(read(cell), numbers, "{cell}");
        }
    }

    #[test]
    fn removes_currencies_and_signs() {
        for (cell, number) in [
            ("1.234,50 €", "1234.50"),
            ("€ 1,234.50", "1234.50"),
            ("$1,234.50", "1234.50"),
            ("1 234,50", "1234.50"),
            ("1\u{202f}234\u{202f}567,50\u{a0}€", "1234567.50"),
            ("1'234.50", "1234.50"),
            ("CHF 1\u{2019}234.50", "1234.50"),
            ("EUR 12", "12"),
            ("12,5 EUR", "12.5"),
            ("12 Euro", "12"),
            ("99,90 z\u{142}", "99.90"),
            ("1 200 kr.", "1200"),
            ("US$ 5.00", "5.00"),
            ("12,-", "12"),
            ("CHF 12.\u{2013}", "12"),
            ("12,-- €", "12"),
            ("-12,50 €", "-12.50"),
            ("€ -12,50", "-12.50"),
            ("-€12.50", "-12.50"),
            ("12,50-", "-12.50"),
            ("(1,234.50)", "-1234.50"),
            ("($12.50)", "-12.50"),
            ("\u{2212}5", "-5"),
        ] {
            assert_eq!(with_decimal_point(cell, None).as_deref(), Some(number), "{cell}");
        }
        // Ambiguous cells, and cells that aren't amounts.
        for cell in [
            "1.234 €",
            "$1,234",
            "12 %",
            "12%",
            "€ 12 €",
            "--5",
            "(-5)",
            "(5",
            "1 23,50",
            "12 apples",
            "€",
            "-",
            "1 234'567",
        ] {
            let number = with_decimal_point(cell, None);
            assert!(number.as_deref().is_none_or(|text| text == cell), "{cell}: {number:?}");
        }
        assert_eq!(with_decimal_point("1.234 €", Some(DecimalMark::Comma)).as_deref(), Some("1234"));
        assert!(DecimalMark::is_ambiguous("$1,234"));
    }

    #[test]
    fn guesses_the_decimal_mark_of_a_column() {
        let guess = |cells: &[&str]| DecimalMark::guess(cells.iter().copied());
        assert_eq!(guess(&["1.234", "12,50", "", "7"]), Some(DecimalMark::Comma));
        assert_eq!(guess(&["1,234", "0.5"]), Some(DecimalMark::Point));
        assert_eq!(guess(&["1,234", "1.234", "12", "many"]), None);
        assert_eq!(guess(&["12,5", "12.5"]), None);
        let are_ambiguous =
            ["1.234", "-1,234", "12,5", "1234", "0,500", "1.234,5", "many"].map(DecimalMark::is_ambiguous);
        assert_eq!(are_ambiguous, [true, true, false, false, false, false, false]);
    }
}
