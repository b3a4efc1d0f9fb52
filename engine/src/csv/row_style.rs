//! The style of the rows in a file, used to recognize lines that could be rows.

use memchr::{memchr, memchr_iter, memchr2};

use super::row::{RawRow, is_blank};

/// The style of the rows read so far.
#[derive(Debug)]
pub(super) struct RowStyle {
    delimiter: u8,
    /// Required number of cells per row; 0 before the header is read.
    pub width: usize,
    /// True if the first cell of each row is a [code](is_code) or empty.
    starts_with_code: bool,
    /// True if all non-empty cells are quoted, including the header.
    is_all_quoted: bool,
    /// True if a cell after the first begins with a space.
    has_leading_blanks: bool,
}

impl RowStyle {
    pub fn new(delimiter: u8) -> Self {
        Self { delimiter, width: 0, starts_with_code: true, is_all_quoted: true, has_leading_blanks: false }
    }

    /// Updates the style from a valid row or the header. `is_all_quoted` is true if each of its cells is quoted or empty.
    pub fn update(&mut self, row: &RawRow, is_all_quoted: bool) {
        self.is_all_quoted &= is_all_quoted;
        self.has_leading_blanks = self.has_leading_blanks || has_leading_blanks(row);
        self.starts_with_code = self.starts_with_code && (self.width == 0 || starts_with_code(row, true));
    }

    /// Returns true if the first cells of all rows are codes, including this one.
    pub fn has_codes(&self, row: &RawRow) -> bool {
        self.starts_with_code && starts_with_code(row, false)
    }

    /// Returns true if a line begins like a row: with a cell and a delimiter. The cell must be a code if rows begin
    /// with codes.
    pub fn begins_like_row(&self, line: &[u8], has_codes: bool) -> bool {
        let first_end = match line.strip_prefix(b"\"") {
            Some(quoted) => memchr(b'"', quoted).map(|close| close + 2),
            None => memchr(self.delimiter, line),
        };
        first_end.is_some_and(|end| line.get(end) == Some(&self.delimiter) && (!has_codes || is_code(&line[..end])))
    }

    /// Returns true if a cell of the record contains a line that could be a row. The quotes around such a cell may
    /// belong to different rows.
    ///
    /// A line could be a row if:
    /// - it has delimiters, and no more cells than a row,
    /// - its first cell is a code, if all other rows begin with codes,
    /// - it doesn't look like prose, where a blank follows each delimiter though other cells don't begin with blanks,
    /// - it has quotes, if every cell of the file is quoted.
    ///
    /// A line without delimiters can be the start of a row only if it ends the cell, other cells follow, and either the
    /// record is shorter than the header or the cell is its first.
    pub fn contains_possible_rows(&self, record: &RawRow, is_all_quoted: bool) -> bool {
        if self.width == 0 || (self.is_all_quoted && is_all_quoted) {
            return false;
        }
        let line = LineStyle {
            has_codes: self.has_codes(record) && !has_line_break(record.cell(0)),
            has_leading_blanks: self.has_leading_blanks || has_leading_blanks(record),
            could_be_two_rows: record.len() < self.width || has_line_break(record.cell(0)),
        };
        let multi_line_cells: Vec<usize> =
            (0..record.len()).filter(|index| has_line_break(record.cell(*index))).collect();
        multi_line_cells.iter().enumerate().any(|(position, index)| {
            let next = multi_line_cells.get(position + 1).map_or(record.filled_cell_count(), |next| next + 1);
            let following_cells = next.saturating_sub(index + 1);
            let mut lines = record.cell(*index).split(|byte| matches!(byte, b'\n' | b'\r')).skip(1).peekable();
            std::iter::from_fn(|| lines.next().map(|text| (text, lines.peek().is_none())))
                .any(|(text, is_last)| self.could_be_row(text, if is_last { following_cells } else { 0 }, &line))
        })
    }

    /// Returns true if a line inside a cell, followed by `following_cells` cells, could be a row.
    fn could_be_row(&self, text: &[u8], following_cells: usize, style: &LineStyle) -> bool {
        if is_blank(text) {
            return false;
        }
        let mut delimiters = memchr_iter(self.delimiter, text).peekable();
        let Some(first_end) = delimiters.peek().copied() else {
            let could_start_row = (following_cells > 0 && style.could_be_two_rows) || self.width == 1;
            return could_start_row && (!style.has_codes || is_code(text));
        };
        let first = &text[..first_end];
        let is_prose = delimiters.all(|index| text.get(index + 1).map_or(!is_code(first), |next| *next == b' '));
        let cell_count = match following_cells {
            0 => text.rsplit(|byte| *byte == self.delimiter).skip_while(|cell| is_blank(cell)).count(),
            following => memchr_iter(self.delimiter, text).count() + 1 + following,
        };
        let begins_like_row = is_blank(first) || !style.has_codes || is_code(first);
        cell_count <= self.width && begins_like_row && (is_blank(first) || !is_prose || style.has_leading_blanks)
    }
}

/// The style that a line within one record needs to count as a row.
struct LineStyle {
    has_codes: bool,
    has_leading_blanks: bool,
    /// True if the record may be two rows: it is shorter than the header, or its first cell has several lines.
    could_be_two_rows: bool,
}

/// Returns true for cells such as customer numbers, phone numbers and dates: they contain digits and no words.
fn is_code(cell: &[u8]) -> bool {
    let cell = cell.trim_ascii();
    let has_byte = |test: fn(&u8) -> bool| cell.iter().any(test);
    has_byte(u8::is_ascii_digit)
        && !(has_byte(u8::is_ascii_whitespace) && has_byte(|byte| byte.is_ascii_alphabetic() || !byte.is_ascii()))
}

fn starts_with_code(row: &RawRow, allows_empty: bool) -> bool {
    let first = row.cell(0);
    is_code(first) || (allows_empty && is_blank(first))
}

fn has_leading_blanks(row: &RawRow) -> bool {
    row.cells().skip(1).any(|cell| cell.first() == Some(&b' '))
}

fn has_line_break(cell: &[u8]) -> bool {
    memchr2(b'\n', b'\r', cell).is_some()
}
