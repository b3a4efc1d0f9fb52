//! Protection against cells that a spreadsheet would run as a formula.

use std::borrow::Cow;

/// Prefix that turns such a cell into text.
const ESCAPE_PREFIX: char = '\'';

/// Returns true if a spreadsheet would run the cell as a formula (OWASP, CSV injection). Phone numbers and negative numbers are harmless:
/// after the sign they have only digits and separators.
pub fn is_formula(cell: &[u8]) -> bool {
    let is_number = |rest: &[u8]| rest.iter().all(|byte| byte.is_ascii_digit() || b" .-/()".contains(byte));
    match cell {
        [b'=' | b'@' | b'\t' | b'\r' | b'\n', ..] => true,
        [b'+' | b'-', rest @ ..] => !is_number(rest),
        _ => false,
    }
}

/// Escapes a cell for the file of rejected rows: adds an apostrophe before a formula, and before a formula that already has apostrophes.
/// [`unescape_formula`] removes exactly this apostrophe.
pub fn escape_formula(cell: &str) -> Cow<'_, str> {
    if is_formula_after_apostrophes(cell.as_bytes()) { format!("{ESCAPE_PREFIX}{cell}").into() } else { cell.into() }
}

/// Removes the apostrophe added by [`escape_formula`].
pub fn unescape_formula(cell: &str) -> &str {
    cell.strip_prefix(ESCAPE_PREFIX).filter(|rest| is_formula_after_apostrophes(rest.as_bytes())).unwrap_or(cell)
}

/// Like [`unescape_formula`], for a cell that may not be text.
pub fn unescape_formula_bytes(cell: &[u8]) -> &[u8] {
    cell.strip_prefix(&[ESCAPE_PREFIX as u8]).filter(|rest| is_formula_after_apostrophes(rest)).unwrap_or(cell)
}

/// Returns true for a formula after any number of apostrophes.
fn is_formula_after_apostrophes(cell: &[u8]) -> bool {
    let start = cell.iter().position(|byte| *byte != ESCAPE_PREFIX as u8).unwrap_or(cell.len());
    is_formula(&cell[start..])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn unescaping_restores_the_original_cell() {
        for (cell, escaped) in [
            ("=1+1", "'=1+1"),
            ("@ada", "'@ada"),
            ("-", "-"),
            ("-x", "'-x"),
            ("+49 (30) 123-456", "+49 (30) 123-456"),
            ("\tx", "'\tx"),
            ("'=1", "''=1"),
            ("''@ada", "'''@ada"),
            ("'tis", "'tis"),
            ("'+49 30", "'+49 30"),
            ("'", "'"),
            ("", ""),
            ("a=b", "a=b"),
        ] {
            assert_eq!(escape_formula(cell), escaped);
            assert!(!is_formula(escape_formula(cell).as_bytes()));
            assert_eq!(unescape_formula(escaped), cell);
            assert_eq!(unescape_formula_bytes(escaped.as_bytes()), cell.as_bytes());
        }
    }
}
