//! Cell values: surrounding blanks are trimmed, and null markers become empty.

/// Null markers that can't be values. `Null` isn't included, because it is a surname.
const NULL_MARKERS: [&str; 5] = ["\\N", "NULL", "null", "#N/A", "#NV"];

/// Zero dates of MySQL and reports, optionally followed by a time.
const ZERO_DATES: [&str; 4] = ["0000-00-00", "0000/00/00", "00.00.0000", "00/00/0000"];

/// Returns a cell or column name without surrounding blanks, including Unicode spaces and zero-width characters.
pub fn trim_cell(cell: &str) -> &str {
    // Fast path: nearly all cells begin and end with an ASCII letter or digit.
    if let [first, .., last] = cell.as_bytes()
        && first.is_ascii_graphic()
        && last.is_ascii_graphic()
    {
        return cell;
    }
    cell.trim_matches(is_blank)
}

fn is_blank(c: char) -> bool {
    c.is_whitespace() || matches!(c, '\u{180e}' | '\u{200b}' | '\u{200e}' | '\u{200f}' | '\u{2060}' | '\u{feff}')
}

/// Returns the trimmed value of a cell; empty for a null marker.
pub fn cell_value(cell: &str) -> &str {
    let value = trim_cell(cell);
    if is_null_marker(value) { "" } else { value }
}

fn is_null_marker(value: &str) -> bool {
    match value.as_bytes().first() {
        Some(b'\\' | b'N' | b'n' | b'#') => NULL_MARKERS.contains(&value),
        Some(b'0') => ZERO_DATES.iter().any(|date| {
            value.strip_prefix(date).is_some_and(|rest| {
                rest.is_empty() || (rest.starts_with([' ', 'T']) && rest.chars().all(|c| " T0:.Z".contains(c)))
            })
        }),
        Some(b'(' | b'[' | b'<') => {
            ["(null)", "[null]", "<null>"].iter().any(|marker| marker.eq_ignore_ascii_case(value))
        }
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn trims_all_kinds_of_blanks() {
        for cell in
            [" b 1", "b 1\t", "\u{a0}b 1\u{a0}", "\u{3000}b 1\r\n", "\u{feff}b 1\u{200b}", "\u{202f}b 1\u{200e}"]
        {
            assert_eq!(cell_value(cell), "b 1", "{cell:?}");
        }
        assert_eq!(cell_value(" \u{a0}\t"), "");
    }

    #[test]
    fn null_markers_are_empty() {
        for cell in ["\\N", "NULL", " null ", "(NULL)", "<null>", "[NULL]", "#N/A", "0000-00-00", "0000-00-00 00:00:00"]
        {
            assert_eq!(cell_value(cell), "", "{cell}");
        }
        for cell in ["0000-00-00T00:00:00.000Z", "00.00.0000 00:00", "00/00/0000"] {
            assert_eq!(cell_value(cell), "", "{cell}");
        }
        for cell in ["Null", "Nullinger", "\\n", "N", "0", "0000-00-01", "0000-00-00 01:00", "00000000", "(nil)", "NV"]
        {
            assert_eq!(cell_value(cell), cell);
        }
    }
}
