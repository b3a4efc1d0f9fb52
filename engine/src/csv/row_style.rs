//! How the rows of a file are written, and which lines could be rows because they are written the same way.

use memchr::{memchr, memchr_iter, memchr2};

use super::row::{RawRow, is_blank};

/// The look of the rows that were read so far.
#[derive(Debug)]
pub(super) struct RowStyle {
    delimiter: u8,
    /// Cells that a row must have; 0 before the header was read.
    pub width: usize,
    /// True if the first cells of all rows are [codes](is_code), but for empty ones.
    starts_with_code: bool,
    /// True if every cell that isn't empty is quoted, those of the header as well.
    is_all_quoted: bool,
    /// True if some unquoted cell begins with a blank.
    has_blanks: bool,
}

impl RowStyle {
    pub fn new(delimiter: u8) -> Self {
        Self { delimiter, width: 0, starts_with_code: true, is_all_quoted: true, has_blanks: false }
    }

    /// Takes a good row or the header into account. `is_all_quoted` says that each of its cells is quoted or empty.
    pub fn note(&mut self, row: &RawRow, is_all_quoted: bool) {
        self.is_all_quoted &= is_all_quoted;
        self.has_blanks = self.has_blanks || has_blanks(row);
        self.starts_with_code = self.starts_with_code && (self.width == 0 || starts_with_code(row, true));
    }

    /// Returns true if the first cells of all rows are codes, that of this one as well.
    pub fn has_codes(&self, row: &RawRow) -> bool {
        self.starts_with_code && starts_with_code(row, false)
    }

    /// Returns true if a line begins as rows do: with a cell before others, which is a code unless rows begin with something else.
    pub fn begins_as_row(&self, line: &[u8], has_codes: bool) -> bool {
        let first_end = match line.strip_prefix(b"\"") {
            Some(quoted) => memchr(b'"', quoted).map(|close| close + 2),
            None => memchr(self.delimiter, line),
        };
        first_end.is_some_and(|end| line.get(end) == Some(&self.delimiter) && (!has_codes || is_code(&line[..end])))
    }

    /// Returns true if a line inside one of the cells of a record could be a row. Then two quotes that don't belong together look
    /// like a cell of several lines.
    ///
    /// A line could be a row if it has delimiters, but not more cells than a row, and a code as its first cell where all other rows
    /// have one. It is prose if a blank follows each delimiter and cells don't begin with blanks elsewhere. A line without delimiters
    /// can be the beginning of a row only if it ends the cell, other cells follow, and the record is shorter than the header or the
    /// cell is its first. No line without quotes is a row of a file in which every cell is quoted.
    pub fn has_rows_within(&self, record: &RawRow, is_all_quoted: bool) -> bool {
        if self.width == 0 || (self.is_all_quoted && is_all_quoted) {
            return false;
        }
        let line = LineStyle {
            has_codes: self.has_codes(record) && !has_line_break(record.cell(0)),
            has_blanks: self.has_blanks || has_blanks(record),
            may_be_two: record.len() < self.width || has_line_break(record.cell(0)),
        };
        let breaks: Vec<usize> = (0..record.len()).filter(|place| has_line_break(record.cell(*place))).collect();
        breaks.iter().enumerate().any(|(number, place)| {
            let next = breaks.get(number + 1).map_or(record.filled_cells(), |next| next + 1);
            let cells_behind = next.saturating_sub(place + 1);
            let mut lines = record.cell(*place).split(|byte| matches!(byte, b'\n' | b'\r')).skip(1).peekable();
            std::iter::from_fn(|| lines.next().map(|text| (text, lines.peek().is_none())))
                .any(|(text, is_last)| self.could_be_row(text, if is_last { cells_behind } else { 0 }, &line))
        })
    }

    /// Returns true if a line inside a cell could be a row, together with so many cells behind it.
    fn could_be_row(&self, text: &[u8], cells_behind: usize, style: &LineStyle) -> bool {
        if is_blank(text) {
            return false;
        }
        let mut delimiters = memchr_iter(self.delimiter, text).peekable();
        let Some(first_end) = delimiters.peek().copied() else {
            let is_beginning = (cells_behind > 0 && style.may_be_two) || self.width == 1;
            return is_beginning && (!style.has_codes || is_code(text));
        };
        let first = &text[..first_end];
        let is_prose = delimiters.all(|at| text.get(at + 1).map_or(!is_code(first), |next| *next == b' '));
        let cells = match cells_behind {
            0 => text.rsplit(|byte| *byte == self.delimiter).skip_while(|cell| is_blank(cell)).count(),
            behind => memchr_iter(self.delimiter, text).count() + 1 + behind,
        };
        let begins_as_row = is_blank(first) || !style.has_codes || is_code(first);
        cells <= self.width && begins_as_row && (is_blank(first) || !is_prose || style.has_blanks)
    }
}

/// The lines that could be rows beside one record.
struct LineStyle {
    has_codes: bool,
    has_blanks: bool,
    /// True if it may be two rows: it is shorter than the header, or its first cell has several lines.
    may_be_two: bool,
}

/// Returns true for cells such as numbers of customers, phone numbers and dates: they have digits, and no words beside them.
fn is_code(cell: &[u8]) -> bool {
    let cell = cell.trim_ascii();
    let has = |test: fn(&u8) -> bool| cell.iter().any(test);
    has(u8::is_ascii_digit)
        && !(has(u8::is_ascii_whitespace) && has(|byte| byte.is_ascii_alphabetic() || !byte.is_ascii()))
}

fn starts_with_code(row: &RawRow, or_is_empty: bool) -> bool {
    let first = row.cell(0);
    is_code(first) || (or_is_empty && is_blank(first))
}

fn has_blanks(row: &RawRow) -> bool {
    row.cells().skip(1).any(|cell| cell.first() == Some(&b' '))
}

fn has_line_break(cell: &[u8]) -> bool {
    memchr2(b'\n', b'\r', cell).is_some()
}
