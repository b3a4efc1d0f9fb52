//! Reads the rows of a file.

use memchr::{memchr, memchr_iter, memchr2, memrchr};

use super::MAX_ROW_BYTES;
use super::encoding::{Decoder, Encoding};
use super::footer::is_row_count;
use super::quotes::{Cell, CompleteRecord, MalformedRecord, Record, is_escaped, read_record, skip_blanks};
use super::row::{RawRow, RowError};
use super::row_style::RowStyle;
use crate::record::Delimiter;

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
    is_input_complete: bool,
    /// Line number at `start`.
    line: u64,
    skipped_lines: u64,
    style: RowStyle,
    /// Number of cells in the last valid row.
    last_width: usize,
    suspect_lines: Option<SuspectLines>,
    carriage_returns: CarriageReturns,
}

/// Lines after a damaged row that may belong to it.
#[derive(Clone, Copy, Debug)]
struct SuspectLines {
    damaged_line: u64,
    last_line: u64,
    /// True if all of these lines are rejected.
    are_rejected: bool,
    /// True if rows begin with codes, including the damaged one; see [`RowStyle::has_codes`].
    has_codes: bool,
}

/// Result of the search for the end of a cell that a damaged row leaves open.
enum CellEndSearch {
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
    are_line_endings: Option<bool>,
    /// True if the previous line ended with `\r` only.
    ended_last_line: bool,
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
            is_input_complete: false,
            line: 1,
            skipped_lines,
            style: RowStyle::new(delimiter.byte()),
            last_width: 0,
            suspect_lines: None,
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
        let end = self.text.iter().rposition(|byte| !is_end_of_file_padding(*byte)).map_or(0, |last| last + 1);
        self.text.truncate(end.max(self.start));
        self.is_input_complete = true;
    }

    /// Returns the next row. `None` if more bytes are needed or the file ended. Blank rows are skipped.
    ///
    /// # Errors
    /// A line is too long. No further rows can be read.
    pub fn next_row(&mut self) -> Result<Option<RawRow>, RowTooLong> {
        while self.start < self.text.len() {
            let text = &self.text[self.start..];
            let line = match first_line(text, self.is_input_complete) {
                Some(line) if line.end <= MAX_ROW_BYTES => line,
                None if text.len() <= MAX_ROW_BYTES => return Ok(None),
                _ => return Err(RowTooLong(self.line)),
            };
            if self.line <= self.skipped_lines || text[..line.end].iter().all(|byte| is_end_of_file_padding(*byte)) {
                self.advance(line, 1);
                continue;
            }
            if self.style.width > 0 && is_row_count(&text[..line.end], self.delimiter) {
                let is_last =
                    text[line.next..].iter().all(|byte| byte.is_ascii_whitespace() || is_end_of_file_padding(*byte));
                if is_last && !self.is_input_complete {
                    return Ok(None);
                }
                if is_last {
                    self.advance(line, 1);
                    continue;
                }
            }
            let mut row = RawRow::new(self.line, line.end, self.style.width);
            if let Some(suspect_lines) = self
                .suspect_lines
                .filter(|suspect_lines| suspect_lines.are_rejected && self.line <= suspect_lines.last_line)
            {
                row.mark_damaged(RowError::PartOfRowBefore(suspect_lines.damaged_line), 0);
                split_cells(&text[..line.end], self.delimiter, &mut row);
                let is_empty = text[..line.end].trim_ascii().is_empty();
                self.advance(line, 1);
                if is_empty {
                    continue;
                }
                return Ok(Some(row));
            }
            let is_quoted = memchr(b'"', &text[..line.end]).is_some();
            let is_valid = if is_quoted {
                match read_record(text, self.delimiter, self.is_input_complete, &mut row) {
                    Record::Incomplete => return Ok(None),
                    // The line feed after a carriage return may still follow.
                    Record::Complete(record) if first_line(&text[record.end..], self.is_input_complete).is_none() => {
                        return Ok(None);
                    }
                    Record::Complete(record) => self.read_quoted_record(&record, &mut row),
                    Record::Malformed(malformed) => {
                        let Some(suspects) = self.find_suspect_lines(line, &row, &malformed) else { return Ok(None) };
                        self.reject_line(line, &mut row, &malformed, suspects);
                        false
                    }
                }
            } else {
                self.read_line(line, &mut row)
            };
            if is_valid && row.is_blank() {
                continue;
            }
            if is_valid {
                self.last_width = row.len();
            }
            return Ok(Some(row));
        }
        Ok(None)
    }

    /// Parses a line without quotes. Returns true if it is a valid row.
    fn read_line(&mut self, line: Line, row: &mut RawRow) -> bool {
        let text = &self.text[self.start..][..line.end];
        split_cells(text, self.delimiter, row);
        if memchr(b'\\', text).is_some() && row.cells().any(is_escaped) {
            let cell = Cell { start: 0, index: 0 };
            let malformed =
                MalformedRecord { error: RowError::Backslash, error_offset: line.end, is_complete_record: false, cell };
            let has_codes = self.style.has_codes(row);
            let last_line = row.line + u64::from(is_escaped(text));
            let suspects = SuspectLines { damaged_line: row.line, last_line, are_rejected: false, has_codes };
            self.reject_line(line, row, &malformed, suspects);
            return false;
        }
        self.check_complete(line, false, row);
        self.advance(line, 1);
        self.update_style(row, false)
    }

    /// Parses a record with quotes, possibly of several lines. Returns true if it is a valid row.
    fn read_quoted_record(&mut self, record: &CompleteRecord, row: &mut RawRow) -> bool {
        let (end, has_stray) = (record.end, record.has_stray_quote);
        let text = &self.text[self.start..];
        let last_line_end = first_line(&text[end..], true).expect("there is a line ending, or the file ends");
        let last_line_end = Line { end, next: end + last_line_end.next, ..last_line_end };
        let first_line_end = first_line(&text[..end], true).expect("the record is complete");
        let line_count = 1 + count_line_endings(&text[..end]);
        let is_too_long = self.style.width > 0 && row.filled_cell_count() > self.style.width;
        if line_count > 1 && (has_stray || is_too_long || self.style.contains_possible_rows(row, record.is_all_quoted))
        {
            let cell = record.first_suspect_cell;
            let malformed =
                MalformedRecord { error: RowError::SwallowedRows, error_offset: end, is_complete_record: true, cell };
            let last_line = row.line + line_count - 1;
            let suspects = SuspectLines { damaged_line: row.line, last_line, are_rejected: true, has_codes: false };
            self.reject_line(first_line_end, row, &malformed, suspects);
            return false;
        }
        self.check_complete(last_line_end, has_stray, row);
        self.advance(last_line_end, line_count);
        self.update_style(row, record.is_all_quoted)
    }

    /// Updates the row style from a row. Returns true if the row is valid.
    fn update_style(&mut self, row: &RawRow, is_all_quoted: bool) -> bool {
        let is_valid = row.error.is_none();
        if is_valid && !row.is_blank() {
            self.style.update(row, is_all_quoted);
        }
        is_valid
    }

    fn has_expected_width(&self, cell_count: usize) -> bool {
        cell_count == self.style.width || (self.last_width > 1 && cell_count == self.last_width)
    }

    /// Rejects a row that may belong to the lines before or after it, unless it begins like a row or is complete.
    fn check_complete(&mut self, line: Line, has_stray: bool, row: &mut RawRow) {
        self.suspect_lines = self.suspect_lines.filter(|suspects| row.line <= suspects.last_line);
        if self.style.width == 0 || row.is_blank() {
            return;
        }
        let is_broken_by_carriage_return = self.carriage_returns.are_line_endings == Some(false)
            && (self.carriage_returns.ended_last_line || line.ends_with_carriage_return);
        let is_complete = self.has_expected_width(row.len()) && !has_stray;
        let begins_like_row = |suspects: SuspectLines| {
            suspects.has_codes
                && !has_stray
                && row.filled_cell_count() <= self.style.width
                && self.style.has_codes(row)
                && row.len() > 1
        };
        row.error = match self.suspect_lines {
            Some(suspects) if !is_complete && !begins_like_row(suspects) => {
                Some(RowError::PartOfRowBefore(suspects.damaged_line))
            }
            _ if is_broken_by_carriage_return && !is_complete => Some(RowError::LoneCarriageReturn),
            _ => return,
        };
        row.certain_cells = row.len();
    }

    /// Returns the lines that may belong to the damaged row starting at `line`. `None` if more of the file is needed to decide.
    fn find_suspect_lines(&self, line: Line, row: &RawRow, malformed: &MalformedRecord) -> Option<SuspectLines> {
        let text = &self.text[self.start..];
        let has_codes = malformed.cell.index > 0 && self.style.has_codes(row);
        let suspects = |count: u64, are_rejected| SuspectLines {
            damaged_line: row.line,
            last_line: row.line + count,
            are_rejected,
            has_codes,
        };
        if malformed.is_complete_record {
            return Some(suspects(count_line_endings(&text[..malformed.error_offset]), true));
        }
        let is_open = malformed.error_offset > line.end || memchr_iter(b'"', &text[..line.end]).count() % 2 == 1;
        Some(match self.find_cell_end(&text[line.next..], has_codes) {
            CellEndSearch::Incomplete => return None,
            CellEndSearch::Closed(count) => suspects(count, true),
            _ if !is_open => suspects(u64::from(is_escaped(&text[..line.end])), false),
            CellEndSearch::Row(count) => suspects(count - 1, false),
            // A truncated cell is followed by the row's other cells.
            CellEndSearch::Open if malformed.error == RowError::UnclosedQuote => {
                suspects(self.style.width.saturating_sub(row.len() + 1) as u64, false)
            }
            CellEndSearch::Open => suspects(MAX_CONTINUATION_LINES, false),
        })
    }

    /// Searches `text`, the lines after a damaged row, for the end of the open cell.
    fn find_cell_end(&self, text: &[u8], has_codes: bool) -> CellEndSearch {
        let mut line_start = 0;
        for number in 1..=MAX_CONTINUATION_LINES {
            let Some(line) = first_line(&text[line_start..], self.is_input_complete) else {
                return if text.len() > MAX_ROW_BYTES { CellEndSearch::Open } else { CellEndSearch::Incomplete };
            };
            let bytes = &text[line_start..line_start + line.end];
            if let Some(first_quote) = memchr(b'"', bytes) {
                let previous = bytes[..first_quote]
                    .iter()
                    .rposition(|byte| !matches!(byte, b' ' | b'\t') || *byte == self.delimiter);
                let opens_cell = previous.is_none_or(|previous| bytes[previous] == self.delimiter);
                if opens_cell && self.style.begins_like_row(bytes, has_codes) {
                    return CellEndSearch::Row(number);
                }
                let last_quote = memrchr(b'"', bytes).unwrap_or(first_quote);
                let following = bytes.get(skip_blanks(bytes, last_quote + 1, self.delimiter));
                let is_odd = memchr_iter(b'"', bytes).count() % 2 == 1;
                if is_odd && following.is_none_or(|byte| *byte == self.delimiter) {
                    return CellEndSearch::Closed(number);
                }
            }
            if line.next == line.end {
                break;
            }
            line_start += line.next;
        }
        CellEndSearch::Open
    }

    /// Reads one line as a damaged row. The lines in `suspects` may belong to it.
    fn reject_line(&mut self, line: Line, row: &mut RawRow, malformed: &MalformedRecord, suspects: SuspectLines) {
        let text = &self.text[self.start..];
        let cell = if malformed.cell.start <= line.end { malformed.cell } else { Cell { start: 0, index: 0 } };
        row.mark_damaged(malformed.error, cell.index);
        split_cells(&text[cell.start..line.end], self.delimiter, row);
        let previous_last_line = self.suspect_lines.map_or(0, |previous| previous.last_line);
        let last_line =
            if suspects.are_rejected { suspects.last_line } else { suspects.last_line.max(previous_last_line) };
        self.suspect_lines = (last_line > row.line).then_some(SuspectLines { last_line, ..suspects });
        self.advance(line, 1);
    }

    /// Advances past a line, the last of `lines` lines.
    fn advance(&mut self, line: Line, lines: u64) {
        self.start += line.next;
        self.line += lines;
        self.carriage_returns.are_line_endings.get_or_insert(line.ends_with_carriage_return);
        self.carriage_returns.ended_last_line = line.ends_with_carriage_return;
    }
}

/// Returns true for Ctrl-Z, which marks the end of a file, and for zero bytes, which pad it.
fn is_end_of_file_padding(byte: u8) -> bool {
    matches!(byte, 0x1a | 0)
}

/// Returns the first line of a text. `None` if its end may still follow.
fn first_line(text: &[u8], is_final: bool) -> Option<Line> {
    let Some(end) = memchr2(b'\n', b'\r', text) else {
        return is_final.then_some(Line { end: text.len(), next: text.len(), ends_with_carriage_return: false });
    };
    let (line_ending_bytes, ends_with_carriage_return) = match (text[end], text.get(end + 1)) {
        (b'\n', _) => (1, false),
        (_, Some(b'\n')) => (2, false),
        (_, None) if !is_final => return None,
        // A `\r` at the end of the file doesn't show which line ending the file uses.
        (_, next) => (1, next.is_some()),
    };
    Some(Line { end, next: end + line_ending_bytes, ends_with_carriage_return })
}

/// Counts the line endings in a text.
fn count_line_endings(text: &[u8]) -> u64 {
    let mut line_count = 0;
    let mut start = 0;
    while let Some(line) = first_line(&text[start..], true).filter(|line| line.next > line.end) {
        start += line.next;
        line_count += 1;
    }
    line_count
}

fn split_cells(line: &[u8], delimiter: u8, row: &mut RawRow) {
    let mut start = 0;
    for end in memchr_iter(delimiter, line).chain([line.len()]) {
        row.push(&line[start..end]);
        row.end_cell();
        start = end + 1;
    }
}
