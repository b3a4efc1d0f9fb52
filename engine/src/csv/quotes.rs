//! Parses a record with quotes, strictly as in RFC 4180, except that blanks around quoted cells are allowed.

use memchr::{memchr, memchr2, memchr3};

use super::MAX_ROW_BYTES;
use super::row::{RawRow, RowError, is_blank};

/// The result of reading one record.
pub(super) enum Record {
    /// The record is incomplete.
    Incomplete,
    /// A complete record.
    Complete(CompleteRecord),
    /// The text isn't a valid record.
    Malformed(MalformedRecord),
}

/// A record whose quotes are well-formed.
pub(super) struct CompleteRecord {
    /// Offset of its line ending.
    pub end: usize,
    /// True if an unquoted cell has a quote in it.
    pub has_stray_quote: bool,
    /// True if each cell is quoted or empty.
    pub is_all_quoted: bool,
    /// The first cell that contains a quote or a line ending.
    pub first_suspect_cell: Cell,
}

/// Error details of an invalid record.
pub(super) struct MalformedRecord {
    pub error: RowError,
    /// Offset of the byte that shows the error.
    pub error_offset: usize,
    /// True if the record ends there: its quotes are paired, but ambiguous.
    pub is_complete_record: bool,
    /// The first cell that can't be determined.
    pub cell: Cell,
}

/// Position of a cell.
#[derive(Clone, Copy)]
pub(super) struct Cell {
    /// Offset of its first byte.
    pub start: usize,
    /// Its index in the row.
    pub index: usize,
}

/// Parses the cells of the first record in `text` into `row`. `is_final` is true at the end of the file.
pub(super) fn read_record(text: &[u8], delimiter: u8, is_final: bool, row: &mut RawRow) -> Record {
    let mut position = 0;
    let mut stray_quotes = StrayQuotes::default();
    let mut has_backslash = false;
    let mut first_suspect_cell = None;
    let mut is_all_quoted = true;
    loop {
        let cell = Cell { start: position, index: row.len() };
        let malformed = |error, position| {
            Record::Malformed(MalformedRecord { error, error_offset: position, is_complete_record: false, cell })
        };
        let opening = skip_blanks(text, position, delimiter);
        match text.get(opening) {
            None if !is_final => return Record::Incomplete,
            Some(b'"') => {
                let mut segment_start = opening + 1;
                loop {
                    let Some(quote) = memchr(b'"', &text[segment_start..]).map(|offset| segment_start + offset) else {
                        let is_unclosed = is_final || text.len() > MAX_ROW_BYTES;
                        return if is_unclosed {
                            malformed(RowError::UnclosedQuote, text.len())
                        } else {
                            Record::Incomplete
                        };
                    };
                    if quote > MAX_ROW_BYTES {
                        return malformed(RowError::UnclosedQuote, text.len());
                    }
                    row.push(&text[segment_start..quote]);
                    let is_escaped = is_escaped(&text[opening + 1..quote]);
                    has_backslash |= is_escaped;
                    if is_escaped || memchr2(b'\n', b'\r', &text[segment_start..quote]).is_some() {
                        first_suspect_cell.get_or_insert(cell);
                    }
                    match text.get(quote + 1) {
                        Some(b'"') => {
                            row.push(b"\"");
                            segment_start = quote + 2;
                        }
                        None if !is_final => return Record::Incomplete,
                        _ => {
                            position = skip_blanks(text, quote + 1, delimiter);
                            break;
                        }
                    }
                }
            }
            _ => {
                let end = memchr3(delimiter, b'\n', b'\r', &text[position..]).map(|offset| position + offset);
                let end = match end {
                    None if !is_final => return Record::Incomplete,
                    end => end.unwrap_or(text.len()),
                };
                let bytes = &text[position..end];
                if is_escaped(bytes) {
                    return malformed(RowError::Backslash, end);
                }
                if stray_quotes.record(bytes) {
                    first_suspect_cell.get_or_insert(cell);
                }
                is_all_quoted &= is_blank(bytes);
                row.push(bytes);
                position = end;
            }
        }
        row.end_cell();
        match text.get(position) {
            Some(byte) if *byte == delimiter => position += 1,
            None if !is_final => return Record::Incomplete,
            None | Some(b'\n' | b'\r') => break,
            // The second byte of a no-break space is still missing.
            Some(0xc2) if position + 1 == text.len() && !is_final => return Record::Incomplete,
            Some(_) => return malformed(RowError::TextAfterQuote, position),
        }
    }
    let first_suspect_cell = first_suspect_cell.unwrap_or(Cell { start: 0, index: 0 });
    let malformed = |error| {
        Record::Malformed(MalformedRecord {
            error,
            error_offset: position,
            is_complete_record: true,
            cell: first_suspect_cell,
        })
    };
    let record = &text[..position];
    if has_backslash && differs_with_escapes(record, delimiter) {
        malformed(RowError::Backslash)
    } else if stray_quotes.are_ambiguous() {
        malformed(RowError::StrayQuotes)
    } else {
        Record::Complete(CompleteRecord {
            end: position,
            has_stray_quote: stray_quotes.cell_count > 0,
            is_all_quoted,
            first_suspect_cell,
        })
    }
}

/// Returns the offset of the first non-blank byte at or after `offset`.
pub(super) fn skip_blanks(text: &[u8], mut offset: usize, delimiter: u8) -> usize {
    loop {
        match &text[offset..] {
            [b' ' | b'\t', ..] if text[offset] != delimiter => offset += 1,
            [0xc2, 0xa0, ..] => offset += 2,
            _ => return offset,
        }
    }
}

/// Returns true if the byte after `preceding` is escaped by a backslash, for programs that use such escapes.
pub(super) fn is_escaped(preceding: &[u8]) -> bool {
    preceding.iter().rev().take_while(|byte| **byte == b'\\').count() % 2 == 1
}

/// Returns true if programs with backslash escapes would read different cells. Always true for a record of several lines, because it can't
/// be told apart from rows swallowed by a quote.
fn differs_with_escapes(record: &[u8], delimiter: u8) -> bool {
    if memchr2(b'\n', b'\r', record).is_some() {
        return true;
    }
    let escaped_ends = cell_ends(record, delimiter, true);
    escaped_ends.is_some() && escaped_ends != cell_ends(record, delimiter, false)
}

/// Returns the offsets at which the cells of a line end, if its quotes are well-formed.
fn cell_ends(line: &[u8], delimiter: u8, has_escapes: bool) -> Option<Vec<usize>> {
    let mut ends = Vec::new();
    let mut offset = 0;
    loop {
        let opening = skip_blanks(line, offset, delimiter);
        offset = opening;
        if line.get(opening) == Some(&b'"') {
            offset += 1;
            loop {
                match (line.get(offset)?, line.get(offset + 1)) {
                    (b'\\', Some(_)) if has_escapes => offset += 2,
                    (b'"', Some(b'"')) => offset += 2,
                    (b'"', _) => break,
                    _ => offset += 1,
                }
            }
            offset = skip_blanks(line, offset + 1, delimiter);
        } else {
            offset += memchr(delimiter, &line[offset..]).unwrap_or(line.len() - offset);
        }
        ends.push(offset);
        match line.get(offset) {
            None => return Some(ends),
            Some(byte) if *byte == delimiter => offset += 1,
            Some(_) => return None,
        }
    }
}

/// Quotes within unquoted cells. They belong to the text, as in `Screen 19"`. If two cells have one each, the text between them may have
/// been quoted, unless all quotes are inch marks after digits.
#[derive(Default)]
struct StrayQuotes {
    cell_count: usize,
    are_inch_marks: bool,
}

impl StrayQuotes {
    /// Records an unquoted cell if it has an odd number of quotes. Returns true in that case.
    fn record(&mut self, cell: &[u8]) -> bool {
        let quotes = || cell.iter().enumerate().filter(|(_, byte)| **byte == b'"').map(|(index, _)| index);
        if quotes().count() % 2 == 0 {
            return false;
        }
        let is_inch = quotes().all(|index| index > 0 && cell[index - 1].is_ascii_digit());
        self.are_inch_marks = is_inch && (self.cell_count == 0 || self.are_inch_marks);
        self.cell_count += 1;
        true
    }

    fn are_ambiguous(&self) -> bool {
        self.cell_count > 1 && !self.are_inch_marks
    }
}
