//! How the cells of a file write amounts: with a comma before the fraction, or with a point.

use std::borrow::Cow;

use crate::api::named_enum;
use crate::message::Message;
use crate::message::texts::record as texts;

named_enum! {
    /// What stands before the fraction of a number; the other may part its thousands.
    DecimalMark {
        /// `1.234,56`
        Comma = ",",
        /// `1,234.56`
        Point = ".",
    }
}

impl DecimalMark {
    /// What parts thousands.
    const fn parts_thousands(self) -> char {
        match self {
            Self::Comma => '.',
            Self::Point => ',',
        }
    }

    /// What a number is, for messages.
    pub(super) fn number(self) -> Message {
        match self {
            Self::Comma => texts::number_with_comma(),
            Self::Point => texts::number_with_point(),
        }
    }

    /// The number of a cell that is written so, with a point before its fraction and nothing between its thousands.
    pub fn plain(self, cell: &str) -> Option<String> {
        let (whole, fraction) = match cell.split_once(self.as_str()) {
            Some((whole, fraction)) => (whole, Some(fraction)),
            None => (cell, None),
        };
        let groups: Vec<_> = whole.split(self.parts_thousands()).collect();
        let digits = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
        let first = groups[0].strip_prefix('-').unwrap_or(groups[0]);
        let are_thousands =
            first.len() <= 3 && !first.starts_with('0') && groups[1..].iter().all(|group| group.len() == 3);
        let is_number = digits(first) && groups[1..].iter().all(|group| digits(group)) && fraction.is_none_or(digits);
        (is_number && (groups.len() == 1 || are_thousands)).then(|| match fraction {
            Some(fraction) => format!("{}.{fraction}", groups.concat()),
            None => groups.concat(),
        })
    }

    /// Whether a cell means one number with a comma before its fraction and another with a point, as `1.234` does.
    pub fn is_needed(cell: &str) -> bool {
        let [comma, point] = [Self::Comma, Self::Point].map(|mark| mark.plain(cell));
        comma.is_some() && point.is_some() && comma != point
    }

    /// How all of these cells are written, as far as they say so: `12,5` and `1.234,50` do, `1,234` does not. None where no cell
    /// says anything, or some say this and some that.
    pub fn guess<'a>(cells: impl IntoIterator<Item = &'a str>) -> Option<Self> {
        let mut found = None;
        for cell in cells {
            let mut ways = Self::ALL.iter().copied().filter(|mark| mark.plain(cell).is_some());
            if let (Some(only), None) = (ways.next(), ways.next()) {
                if found.is_some_and(|found| found != only) {
                    return None;
                }
                found = Some(only);
            }
        }
        found
    }
}

/// The number of a cell with a point before its fraction; none where it is written otherwise than with the mark. Without a mark it
/// may be written either way; one that can mean both has a point before its fraction: `1,234` stays as it is, as does what is no
/// number.
pub(super) fn with_point(cell: &str, mark: Option<DecimalMark>) -> Option<Cow<'_, str>> {
    if let Some(mark) = mark {
        return mark.plain(cell).map(Cow::Owned);
    }
    let mut ways = DecimalMark::ALL.iter().filter_map(|mark| mark.plain(cell));
    Some(match (ways.next(), ways.next()) {
        (Some(only), None) => Cow::Owned(only),
        _ => Cow::Borrowed(cell),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(cell: &str) -> [String; 3] {
        [None, Some(DecimalMark::Comma), Some(DecimalMark::Point)]
            .map(|mark| with_point(cell, mark).unwrap_or_default().into_owned())
    }

    #[test]
    fn a_mark_says_what_may_mean_either() {
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
    fn a_column_says_how_its_numbers_are_written() {
        let guess = |cells: &[&str]| DecimalMark::guess(cells.iter().copied());
        assert_eq!(guess(&["1.234", "12,50", "", "7"]), Some(DecimalMark::Comma));
        assert_eq!(guess(&["1,234", "0.5"]), Some(DecimalMark::Point));
        assert_eq!(guess(&["1,234", "1.234", "12", "many"]), None);
        assert_eq!(guess(&["12,5", "12.5"]), None);
        let needed = ["1.234", "-1,234", "12,5", "1234", "0,500", "1.234,5", "many"].map(DecimalMark::is_needed);
        assert_eq!(needed, [true, true, false, false, false, false, false]);
    }
}
