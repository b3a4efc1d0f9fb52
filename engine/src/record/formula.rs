//! Cells that a spreadsheet would carry out.

use std::borrow::Cow;

/// What stands before such a cell, so that it is a text.
const GUARD: char = '\'';

/// Whether a spreadsheet takes a cell for a formula, and carries it out (OWASP, CSV injection). Phone numbers and negative
/// numbers are none: made of digits alone, they can do nothing.
pub fn is_formula(cell: &[u8]) -> bool {
    let is_number = |rest: &[u8]| rest.iter().all(|byte| byte.is_ascii_digit() || b" .-/()".contains(byte));
    match cell {
        [b'=' | b'@' | b'\t' | b'\r' | b'\n', ..] => true,
        [b'+' | b'-', rest @ ..] => !is_number(rest),
        _ => false,
    }
}

/// A cell as it stands in the file of refused rows: with an apostrophe before a formula, and before one that has some already,
/// so that the one is taken off again and no other ([`unguarded`]).
pub fn guarded(cell: &str) -> Cow<'_, str> {
    if hides_formula(cell.as_bytes()) { format!("{GUARD}{cell}").into() } else { cell.into() }
}

/// Such a cell without the apostrophe that [`guarded`] put before it.
pub fn unguarded(cell: &str) -> &str {
    cell.strip_prefix(GUARD).filter(|rest| hides_formula(rest.as_bytes())).unwrap_or(cell)
}

/// The same of a cell that may be no text.
pub fn unguarded_bytes(cell: &[u8]) -> &[u8] {
    cell.strip_prefix(&[GUARD as u8]).filter(|rest| hides_formula(rest)).unwrap_or(cell)
}

/// Whether a formula stands behind any number of apostrophes.
fn hides_formula(cell: &[u8]) -> bool {
    let begin = cell.iter().position(|byte| *byte != GUARD as u8).unwrap_or(cell.len());
    is_formula(&cell[begin..])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_guard_is_taken_off_again_and_nothing_else_is() {
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
