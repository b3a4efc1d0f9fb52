//! Reads the rows of a file.

use memchr::{memchr, memchr_iter, memchr2, memrchr};

use super::encoding::{Decoder, Encoding};
use super::footer::is_row_count;
use super::quotes::{Cell, MalformedRecord, Record, WholeRecord, is_escaped, read_record, skip_blanks};
use super::row::{RawRow, RowError};
use super::row_style::RowStyle;
use crate::record::Delimiter;

/// Maximum size of a row, in bytes of UTF-8. The largest cell that a field accepts is far smaller.
pub const MAX_ROW_BYTES: usize = 1024 * 1024;

/// Number of lines after a damaged row in which to search for the end of its cell.
const MAX_CONTINUATION_LINES: u64 = 20;

/// Error for a line with more than [`MAX_ROW_BYTES`]. Contains the line number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RowTooLong(pub u64);

/// Reads rows from bytes.
///
/// A line ends with `\n`, `\r\n` or `\r`. A row with damaged quotes takes one line: the next row starts on the next line.
///
/// A quoted multi-line cell is rejected if one of its lines could be a row. All its lines are then rejected one by one, because it is
/// unclear whether they are rows or text. The same applies to the lines up to a quote that may close the cell of a damaged row. If no quote
/// can close it, the following lines are rows if they begin like rows, or have the required number of cells.
#[derive(Debug)]
pub struct RowReader {
    decoder: Decoder,
    delimiter: u8,
    /// Decoded bytes. The bytes before `start` are consumed.
    text: Vec<u8>,
    start: usize,
    is_all_fed: bool,
    /// Line number at `start`.
    line: u64,
    skipped_lines: u64,
    style: RowStyle,
    /// Number of cells in the last valid row.
    usual_width: usize,
    doubt: Option<SuspectLines>,
    carriage_returns: CarriageReturns,
}

/// Lines after a damaged row that may belong to it.
#[derive(Clone, Copy, Debug)]
struct SuspectLines {
    row: u64,
    last_line: u64,
    /// True if all of these lines are rejected.
    are_refused: bool,
    /// True if rows begin with codes, including the damaged one.
    has_codes: bool,
}

/// Result of the search for the end of a cell that a damaged row leaves open.
enum CellEnd {
    /// The search needs more of the file.
    Incomplete,
    /// A quote on this line may close the cell. The line after the damaged one is 1.
    Closed(u64),
    /// No quote closes the cell before this line, which begins like a row.
    Row(u64),
    /// No quote closes the cell.
    Open,
}

/// Lines that end with `\r` only.
#[derive(Debug, Default)]
struct CarriageReturns {
    /// True if the first line of the file ends with `\r` only. `None` until it is read.
    are_usual: Option<bool>,
    /// True if the previous line ended with `\r` only.
    was_last: bool,
}

/// A line of the file: its end, and the start of the next one.
#[derive(Clone, Copy)]
struct Line {
    end: usize,
    next: usize,
    ends_with_carriage_return: bool,
}

impl RowReader {
    /// Creates a reader for input after the byte order mark. It skips the first `skipped_lines` lines.
    pub fn new(encoding: Encoding, delimiter: Delimiter, skipped_lines: u64) -> Self {
        Self {
            decoder: Decoder::new(encoding),
            delimiter: delimiter.byte(),
            text: Vec::new(),
            start: 0,
            is_all_fed: false,
            line: 1,
            skipped_lines,
            style: RowStyle::new(delimiter.byte()),
            usual_width: 0,
            doubt: None,
            carriage_returns: CarriageReturns::default(),
        }
    }

    /// Sets the number of cells per row, once the header is read.
    pub fn set_width(&mut self, width: usize) {
        self.style.width = width;
    }

    /// Adds the next bytes of the file.
    pub fn feed(&mut self, bytes: &[u8]) {
        self.text.drain(..self.start);
        self.start = 0;
        self.decoder.decode(bytes, &mut self.text);
    }

    /// Marks the end of the file. Trailing Ctrl-Z and zero bytes are ignored.
    pub fn end(&mut self) {
        self.decoder.end(&mut self.text);
        let end = self.text.iter().rposition(|byte| !is_end_of_file(*byte)).map_or(0, |last| last + 1);
        self.text.truncate(end.max(self.start));
        self.is_all_fed = true;
    }

    /// Returns the next row. `None` if more bytes are needed or the file ended. Blank rows are skipped.
    ///
    /// # Errors
    /// A line is too long. No further rows can be read.
    pub fn next_row(&mut self) -> Result<Option<RawRow>, RowTooLong> {
        while self.start < self.text.len() {
            let text = &self.text[self.start..];
            let line = match first_line(text, self.is_all_fed) {
                Some(line) if line.end <= MAX_ROW_BYTES => line,
                None if text.len() <= MAX_ROW_BYTES => return Ok(None),
                _ => return Err(RowTooLong(self.line)),
            };
            if self.line <= self.skipped_lines || text[..line.end].iter().all(|byte| is_end_of_file(*byte)) {
                self.pass(line, 1);
                continue;
            }
            if self.style.width > 0 && is_row_count(&text[..line.end], self.delimiter) {
                let is_last = text[line.next..].iter().all(|byte| byte.is_ascii_whitespace() || is_end_of_file(*byte));
                if is_last && !self.is_all_fed {
                    return Ok(None);
                }
                if is_last {
                    self.pass(line, 1);
                    continue;
                }
            }
            let mut row = RawRow::new(self.line, line.end, self.style.width);
            if let Some(lines) = self.doubt.filter(|lines| lines.are_refused && self.line <= lines.last_line) {
                row.damage(RowError::PartOfRowBefore(lines.row), 0);
                split(&text[..line.end], self.delimiter, &mut row);
                let is_empty = text[..line.end].trim_ascii().is_empty();
                self.pass(line, 1);
                if is_empty {
                    continue;
                }
                return Ok(Some(row));
            }
            let is_quoted = memchr(b'"', &text[..line.end]).is_some();
            let is_good = if is_quoted {
                match read_record(text, self.delimiter, self.is_all_fed, &mut row) {
                    Record::Incomplete => return Ok(None),
                    // The line feed after a carriage return may still follow.
                    Record::Whole(record) if first_line(&text[record.end..], self.is_all_fed).is_none() => {
                        return Ok(None);
                    }
                    Record::Whole(record) => self.take_record(&record, &mut row),
                    Record::Malformed(malformed) => {
                        let Some(doubt) = self.lines_in_doubt(line, &row, &malformed) else { return Ok(None) };
                        self.damage(line, &mut row, &malformed, doubt);
                        false
                    }
                }
            } else {
                self.take_line(line, &mut row)
            };
            if is_good && row.is_blank() {
                continue;
            }
            if is_good {
                self.usual_width = row.len();
            }
            return Ok(Some(row));
        }
        Ok(None)
    }

    /// Reads a line without quotes. Returns true if it is a valid row.
    fn take_line(&mut self, line: Line, row: &mut RawRow) -> bool {
        let text = &self.text[self.start..][..line.end];
        split(text, self.delimiter, row);
        if memchr(b'\\', text).is_some() && row.cells().any(is_escaped) {
            let cell = Cell { start: 0, place: 0 };
            let malformed = MalformedRecord { error: RowError::Backslash, at: line.end, is_record: false, cell };
            let has_codes = self.style.has_codes(row);
            let last_line = row.line + u64::from(is_escaped(text));
            let doubt = SuspectLines { row: row.line, last_line, are_refused: false, has_codes };
            self.damage(line, row, &malformed, doubt);
            return false;
        }
        self.check_whole(line, false, row);
        self.pass(line, 1);
        self.note(row, false)
    }

    /// Reads a record with quotes, possibly of several lines. Returns true if it is a valid row.
    fn take_record(&mut self, record: &WholeRecord, row: &mut RawRow) -> bool {
        let (end, has_stray) = (record.end, record.has_stray_quote);
        let text = &self.text[self.start..];
        let last = first_line(&text[end..], true).expect("there is a line end, or the file ends");
        let last = Line { end, next: end + last.next, ..last };
        let first = first_line(&text[..end], true).expect("it is all there");
        let lines = 1 + lines_in(&text[..end]);
        let is_too_long = self.style.width > 0 && row.filled_cells() > self.style.width;
        if lines > 1 && (has_stray || is_too_long || self.style.has_rows_within(row, record.is_all_quoted)) {
            let cell = record.first_unusual;
            let malformed = MalformedRecord { error: RowError::SwallowedRows, at: end, is_record: true, cell };
            let last_line = row.line + lines - 1;
            let doubt = SuspectLines { row: row.line, last_line, are_refused: true, has_codes: false };
            self.damage(first, row, &malformed, doubt);
            return false;
        }
        self.check_whole(last, has_stray, row);
        self.pass(last, lines);
        self.note(row, record.is_all_quoted)
    }

    /// Updates the row style from a row. Returns true if the row is valid.
    fn note(&mut self, row: &RawRow, is_all_quoted: bool) -> bool {
        let is_good = row.wrong.is_none();
        if is_good && !row.is_blank() {
            self.style.note(row, is_all_quoted);
        }
        is_good
    }

    fn has_width_of_row(&self, cells: usize) -> bool {
        cells == self.style.width || (self.usual_width > 1 && cells == self.usual_width)
    }

    /// Rejects a row that may belong to the lines before or after it, unless it begins like a row or is complete.
    fn check_whole(&mut self, line: Line, has_stray: bool, row: &mut RawRow) {
        self.doubt = self.doubt.filter(|doubt| row.line <= doubt.last_line);
        if self.style.width == 0 || row.is_blank() {
            return;
        }
        let is_broken_off = self.carriage_returns.are_usual == Some(false)
            && (self.carriage_returns.was_last || line.ends_with_carriage_return);
        let is_whole = self.has_width_of_row(row.len()) && !has_stray;
        let begins_as_row = |doubt: SuspectLines| {
            doubt.has_codes
                && !has_stray
                && row.filled_cells() <= self.style.width
                && self.style.has_codes(row)
                && row.len() > 1
        };
        row.wrong = match self.doubt {
            Some(doubt) if !is_whole && !begins_as_row(doubt) => Some(RowError::PartOfRowBefore(doubt.row)),
            _ if is_broken_off && !is_whole => Some(RowError::LoneCarriageReturn),
            _ => return,
        };
        row.told_cells = row.len();
    }

    /// Returns the lines that may belong to the damaged row starting at `line`. `None` if more of the file is needed to decide.
    fn lines_in_doubt(&self, line: Line, row: &RawRow, malformed: &MalformedRecord) -> Option<SuspectLines> {
        let text = &self.text[self.start..];
        let has_codes = malformed.cell.place > 0 && self.style.has_codes(row);
        let lines = |count: u64, are_refused| SuspectLines {
            row: row.line,
            last_line: row.line + count,
            are_refused,
            has_codes,
        };
        if malformed.is_record {
            return Some(lines(lines_in(&text[..malformed.at]), true));
        }
        let is_open = malformed.at > line.end || memchr_iter(b'"', &text[..line.end]).count() % 2 == 1;
        Some(match self.end_of_cell(&text[line.next..], has_codes) {
            CellEnd::Incomplete => return None,
            CellEnd::Closed(count) => lines(count, true),
            _ if !is_open => lines(u64::from(is_escaped(&text[..line.end])), false),
            CellEnd::Row(count) => lines(count - 1, false),
            // The row's other cells follow after a truncated cell.
            CellEnd::Open if malformed.error == RowError::UnclosedQuote => {
                lines(self.style.width.saturating_sub(row.len() + 1) as u64, false)
            }
            CellEnd::Open => lines(MAX_CONTINUATION_LINES, false),
        })
    }

    /// Searches `text`, the lines after a damaged row, for the end of the open cell.
    fn end_of_cell(&self, text: &[u8], has_codes: bool) -> CellEnd {
        let mut from = 0;
        for number in 1..=MAX_CONTINUATION_LINES {
            let Some(line) = first_line(&text[from..], self.is_all_fed) else {
                return if text.len() > MAX_ROW_BYTES { CellEnd::Open } else { CellEnd::Incomplete };
            };
            let bytes = &text[from..from + line.end];
            if let Some(first) = memchr(b'"', bytes) {
                let before =
                    bytes[..first].iter().rposition(|byte| !matches!(byte, b' ' | b'\t') || *byte == self.delimiter);
                let opens_cell = before.is_none_or(|before| bytes[before] == self.delimiter);
                if opens_cell && self.style.begins_as_row(bytes, has_codes) {
                    return CellEnd::Row(number);
                }
                let last = memrchr(b'"', bytes).unwrap_or(first);
                let behind = bytes.get(skip_blanks(bytes, last + 1, self.delimiter));
                let is_odd = memchr_iter(b'"', bytes).count() % 2 == 1;
                if is_odd && behind.is_none_or(|byte| *byte == self.delimiter) {
                    return CellEnd::Closed(number);
                }
            }
            if line.next == line.end {
                break;
            }
            from += line.next;
        }
        CellEnd::Open
    }

    /// Reads one line as a damaged row. The lines in `doubt` may belong to it.
    fn damage(&mut self, line: Line, row: &mut RawRow, malformed: &MalformedRecord, doubt: SuspectLines) {
        let text = &self.text[self.start..];
        let cell = if malformed.cell.start <= line.end { malformed.cell } else { Cell { start: 0, place: 0 } };
        row.damage(malformed.error, cell.place);
        split(&text[cell.start..line.end], self.delimiter, row);
        let before = self.doubt.map_or(0, |before| before.last_line);
        let last_line = if doubt.are_refused { doubt.last_line } else { doubt.last_line.max(before) };
        self.doubt = (last_line > row.line).then_some(SuspectLines { last_line, ..doubt });
        self.pass(line, 1);
    }

    /// Advances past a line, the last of `lines` lines.
    fn pass(&mut self, line: Line, lines: u64) {
        self.start += line.next;
        self.line += lines;
        self.carriage_returns.are_usual.get_or_insert(line.ends_with_carriage_return);
        self.carriage_returns.was_last = line.ends_with_carriage_return;
    }
}

/// Returns true for Ctrl-Z, which marks the end of a file, and for zero bytes, which pad it.
fn is_end_of_file(byte: u8) -> bool {
    matches!(byte, 0x1a | 0)
}

/// Returns the first line of a text. `None` if its end may still follow.
fn first_line(text: &[u8], is_all: bool) -> Option<Line> {
    let Some(end) = memchr2(b'\n', b'\r', text) else {
        return is_all.then_some(Line { end: text.len(), next: text.len(), ends_with_carriage_return: false });
    };
    let (width, ends_with_carriage_return) = match (text[end], text.get(end + 1)) {
        (b'\n', _) => (1, false),
        (_, Some(b'\n')) => (2, false),
        (_, None) if !is_all => return None,
        // The last line of a file doesn't show which line ends the file uses.
        (_, next) => (1, next.is_some()),
    };
    Some(Line { end, next: end + width, ends_with_carriage_return })
}

/// Counts the line ends in a text.
fn lines_in(text: &[u8]) -> u64 {
    let mut lines = 0;
    let mut from = 0;
    while let Some(line) = first_line(&text[from..], true).filter(|line| line.next > line.end) {
        from += line.next;
        lines += 1;
    }
    lines
}

fn split(line: &[u8], delimiter: u8, row: &mut RawRow) {
    let mut from = 0;
    for at in memchr_iter(delimiter, line).chain([line.len()]) {
        row.push(&line[from..at]);
        row.end_cell();
        from = at + 1;
    }
}
