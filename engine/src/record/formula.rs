//! Protection against cells that a spreadsheet would run as a formula.

use std::borrow::Cow;

/// Prefix that turns such a cell into text.
const GUARD: char = '\'';

/// Returns true if a spreadsheet would run the cell as a formula (OWASP, CSV injection). Phone numbers and negative numbers are harmless,
/// because they consist of digits only.
pub fn is_formula(cell: &[u8]) -> bool {
    let is_number = |rest: &[u8]| rest.iter().all(|byte| byte.is_ascii_digit() || b" .-/()".contains(byte));
    match cell {
        [b'=' | b'@' | b'\t' | b'\r' | b'\n', ..] => true,
        [b'+' | b'-', rest @ ..] => !is_number(rest),
        _ => false,
    }
}

/// Escapes a cell for the file of rejected rows: adds an apostrophe before a formula, and before a formula that already has apostrophes.
/// [`unguarded`] removes exactly this apostrophe.
pub fn guarded(cell: &str) -> Cow<'_, str> {
    if hides_formula(cell.as_bytes()) { format!("{GUARD}{cell}").into() } else { cell.into() }
}

/// Removes the apostrophe added by [`guarded`].
pub fn unguarded(cell: &str) -> &str {
    cell.strip_prefix(GUARD).filter(|rest| hides_formula(rest.as_bytes())).unwrap_or(cell)
}

/// Like [`unguarded`], for a cell that may not be text.
pub fn unguarded_bytes(cell: &[u8]) -> &[u8] {
    cell.strip_prefix(&[GUARD as u8]).filter(|rest| hides_formula(rest)).unwrap_or(cell)
}

/// Returns true for a formula after any number of apostrophes.
fn hides_formula(cell: &[u8]) -> bool {
    let begin = cell.iter().position(|byte| *byte != GUARD as u8).unwrap_or(cell.len());
    is_formula(&cell[begin..])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn unguarding_restores_the_original_cell() {
        for (cell, stands) in [
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
            assert_eq!(guarded(cell), stands);
            assert!(!is_formula(guarded(cell).as_bytes()));
            assert_eq!(unguarded(stands), cell);
            assert_eq!(unguarded_bytes(stands.as_bytes()), cell.as_bytes());
        }
    }
}
