//! Reads a record with quotes, strictly as in RFC 4180, except that blanks around quoted cells are allowed.

use memchr::{memchr, memchr2, memchr3};

use super::reader::MAX_ROW_BYTES;
use super::row::{RawRow, RowError, is_blank};

/// The result of reading one record.
pub(super) enum Record {
    /// The record is incomplete.
    Incomplete,
    /// A complete record.
    Whole(WholeRecord),
    /// The text isn't a valid record.
    Malformed(MalformedRecord),
}

/// A record whose quotes are well-formed.
pub(super) struct WholeRecord {
    /// Offset of its line end.
    pub end: usize,
    /// True if an unquoted cell has a quote in it.
    pub has_stray_quote: bool,
    /// True if each cell is quoted or empty.
    pub is_all_quoted: bool,
    /// The first cell that contains a quote or a line end.
    pub first_unusual: Cell,
}

/// Error details of an invalid record.
pub(super) struct MalformedRecord {
    pub error: RowError,
    /// Offset of the byte that shows the error.
    pub at: usize,
    /// True if the record ends there and is ambiguous.
    pub is_record: bool,
    /// The first cell that can't be determined.
    pub cell: Cell,
}

/// Position of a cell.
#[derive(Clone, Copy)]
pub(super) struct Cell {
    /// Offset of its first byte.
    pub start: usize,
    /// Its index in the row.
    pub place: usize,
}

/// Reads the cells of the first record in `text` into `row`. `is_all` is true at the end of the file.
pub(super) fn read_record(text: &[u8], delimiter: u8, is_all: bool, row: &mut RawRow) -> Record {
    let mut at = 0;
    let mut stray = StrayQuotes::default();
    let mut has_backslash = false;
    let mut first_unusual = None;
    let mut is_all_quoted = true;
    loop {
        let cell = Cell { start: at, place: row.len() };
        let malformed = |error, at| Record::Malformed(MalformedRecord { error, at, is_record: false, cell });
        let opening = skip_blanks(text, at, delimiter);
        match text.get(opening) {
            None if !is_all => return Record::Incomplete,
            Some(b'"') => {
                let mut from = opening + 1;
                loop {
                    let Some(quote) = memchr(b'"', &text[from..]).map(|offset| from + offset) else {
                        let is_over = is_all || text.len() > MAX_ROW_BYTES;
                        return if is_over {
                            malformed(RowError::UnclosedQuote, text.len())
                        } else {
                            Record::Incomplete
                        };
                    };
                    if quote > MAX_ROW_BYTES {
                        return malformed(RowError::UnclosedQuote, text.len());
                    }
                    row.push(&text[from..quote]);
                    let is_escaped = is_escaped(&text[opening + 1..quote]);
                    has_backslash |= is_escaped;
                    if is_escaped || memchr2(b'\n', b'\r', &text[from..quote]).is_some() {
                        first_unusual.get_or_insert(cell);
                    }
                    match text.get(quote + 1) {
                        Some(b'"') => {
                            row.push(b"\"");
                            from = quote + 2;
                        }
                        None if !is_all => return Record::Incomplete,
                        _ => {
                            at = skip_blanks(text, quote + 1, delimiter);
                            break;
                        }
                    }
                }
            }
            _ => {
                let end = memchr3(delimiter, b'\n', b'\r', &text[at..]).map(|offset| at + offset);
                let end = match end {
                    None if !is_all => return Record::Incomplete,
                    end => end.unwrap_or(text.len()),
                };
                let bytes = &text[at..end];
                if is_escaped(bytes) {
                    return malformed(RowError::Backslash, end);
                }
                if stray.note(bytes) {
                    first_unusual.get_or_insert(cell);
                }
                is_all_quoted &= is_blank(bytes);
                row.push(bytes);
                at = end;
            }
        }
        row.end_cell();
        match text.get(at) {
            Some(byte) if *byte == delimiter => at += 1,
            None if !is_all => return Record::Incomplete,
            None | Some(b'\n' | b'\r') => break,
            // The second byte of a no-break space is still missing.
            Some(0xc2) if at + 1 == text.len() && !is_all => return Record::Incomplete,
            Some(_) => return malformed(RowError::TextAfterQuote, at),
        }
    }
    let first_unusual = first_unusual.unwrap_or(Cell { start: 0, place: 0 });
    let malformed = |error| Record::Malformed(MalformedRecord { error, at, is_record: true, cell: first_unusual });
    let record = &text[..at];
    if has_backslash && is_read_otherwise(record, delimiter) {
        malformed(RowError::Backslash)
    } else if stray.are_ambiguous() {
        malformed(RowError::StrayQuotes)
    } else {
        Record::Whole(WholeRecord { end: at, has_stray_quote: stray.cells > 0, is_all_quoted, first_unusual })
    }
}

/// Returns the offset of the first non-blank byte at or after `at`.
pub(super) fn skip_blanks(text: &[u8], mut at: usize, delimiter: u8) -> usize {
    loop {
        match &text[at..] {
            [b' ' | b'\t', ..] if text[at] != delimiter => at += 1,
            [0xc2, 0xa0, ..] => at += 2,
            _ => return at,
        }
    }
}

/// Returns true if the byte after `before` is escaped by a backslash, for programs that use such escapes.
pub(super) fn is_escaped(before: &[u8]) -> bool {
    before.iter().rev().take_while(|byte| **byte == b'\\').count() % 2 == 1
}

/// Returns true if programs with backslash escapes would read different cells. Always true for a record of several lines, because it can't
/// be told apart from rows swallowed by a quote.
fn is_read_otherwise(record: &[u8], delimiter: u8) -> bool {
    if memchr2(b'\n', b'\r', record).is_some() {
        return true;
    }
    let other = boundaries(record, delimiter, true);
    other.is_some() && other != boundaries(record, delimiter, false)
}

/// Returns the offsets at which the cells of a line end, if its quotes are well-formed.
fn boundaries(line: &[u8], delimiter: u8, has_escapes: bool) -> Option<Vec<usize>> {
    let mut ends = Vec::new();
    let mut at = 0;
    loop {
        let opening = skip_blanks(line, at, delimiter);
        at = opening;
        if line.get(opening) == Some(&b'"') {
            at += 1;
            loop {
                match (line.get(at)?, line.get(at + 1)) {
                    (b'\\', Some(_)) if has_escapes => at += 2,
                    (b'"', Some(b'"')) => at += 2,
                    (b'"', _) => break,
                    _ => at += 1,
                }
            }
            at = skip_blanks(line, at + 1, delimiter);
        } else {
            at += memchr(delimiter, &line[at..]).unwrap_or(line.len() - at);
        }
        ends.push(at);
        match line.get(at) {
            None => return Some(ends),
            Some(byte) if *byte == delimiter => at += 1,
            Some(_) => return None,
        }
    }
}

/// Quotes within unquoted cells. They belong to the text, as in `Screen 19"`. If two cells have one each, the text between them may have
/// been quoted, unless all quotes are inch marks after digits.
#[derive(Default)]
struct StrayQuotes {
    cells: usize,
    are_inches: bool,
}

impl StrayQuotes {
    /// Records an unquoted cell if it has an odd number of quotes. Returns true in that case.
    fn note(&mut self, cell: &[u8]) -> bool {
        let quotes = || cell.iter().enumerate().filter(|(_, byte)| **byte == b'"').map(|(place, _)| place);
        if quotes().count() % 2 == 0 {
            return false;
        }
        let is_inch = quotes().all(|place| place > 0 && cell[place - 1].is_ascii_digit());
        self.are_inches = is_inch && (self.cells == 0 || self.are_inches);
        self.cells += 1;
        true
    }

    fn are_ambiguous(&self) -> bool {
        self.cells > 1 && !self.are_inches
    }
}
