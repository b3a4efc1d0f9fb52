//! The rows of a file, one after the other.

use memchr::{memchr, memchr_iter, memchr2, memrchr};

use super::encoding::{Decoder, Encoding};
use super::footer::is_row_count;
use super::quotes::{Cell, MalformedRecord, Record, WholeRecord, is_escaped, read_record, skip_blanks};
use super::row::{RawRow, RowError};
use super::row_style::RowStyle;
use crate::record::Delimiter;

/// Largest row, in bytes of UTF-8; the largest cell that any field takes is far smaller.
pub const MAX_ROW_BYTES: usize = 1024 * 1024;

/// Lines behind a damaged row among which the end of its cell is looked for.
const MAX_CONTINUATION_LINES: u64 = 20;

/// A line of the file has more than [`MAX_ROW_BYTES`]; it is this one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RowTooLong(pub u64);

/// Reads rows from the bytes that it is fed.
///
/// A line ends with `\n`, `\r\n` or `\r`. A row whose quotes are damaged is one line: the next row starts on the line behind it.
///
/// A quoted cell of several lines is refused if one of its lines could be a row. Then all its lines are refused, one by one, since
/// nothing tells whether they are rows or text. So are the lines up to a quote that may close the cell of a damaged row. Where no
/// quote may close it, the lines behind are rows if they begin as rows do, or have as many cells as a row must have.
#[derive(Debug)]
pub struct RowReader {
    decoder: Decoder,
    delimiter: u8,
    /// Decoded bytes; those before `start` are read.
    text: Vec<u8>,
    start: usize,
    is_all_fed: bool,
    /// The line on which `start` stands.
    line: u64,
    skipped_lines: u64,
    style: RowStyle,
    /// The number of cells of the last good row.
    usual_width: usize,
    doubt: Option<SuspectLines>,
    carriage_returns: CarriageReturns,
}

/// The lines behind a damaged row that may be a part of it.
#[derive(Clone, Copy, Debug)]
struct SuspectLines {
    row: u64,
    last_line: u64,
    /// True if none of them is taken as a row.
    are_refused: bool,
    /// True if rows begin with codes, the damaged one as well.
    has_codes: bool,
}

/// The end of a cell that a damaged row leaves open, or of the search for it.
enum CellEnd {
    /// More of the file is needed to find it.
    Incomplete,
    /// A quote on this line may close the cell, counted from the line behind the damaged one, which is 1.
    Closed(u64),
    /// No quote closes it before this line, which begins as rows do.
    Row(u64),
    /// No quote closes it.
    Open,
}

/// Line ends that are `\r` alone.
#[derive(Debug, Default)]
struct CarriageReturns {
    /// True if the first line of the file ends so; none before it was read.
    are_usual: Option<bool>,
    /// True if the previous line ended so.
    was_last: bool,
}

/// A line of the file: its bytes, and where the next begins.
#[derive(Clone, Copy)]
struct Line {
    end: usize,
    next: usize,
    ends_with_carriage_return: bool,
}

impl RowReader {
    /// For a file of this encoding, fed from behind its byte order mark, from behind so many lines.
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

    /// Says how many cells a row has, which is known once the header was read.
    pub fn set_width(&mut self, width: usize) {
        self.style.width = width;
    }

    /// Takes the next bytes of the file.
    pub fn feed(&mut self, bytes: &[u8]) {
        self.text.drain(..self.start);
        self.start = 0;
        self.decoder.decode(bytes, &mut self.text);
    }

    /// Says that the file ends here. Signs for its end (Ctrl-Z) and zeros that pad it are no part of it.
    pub fn end(&mut self) {
        self.decoder.end(&mut self.text);
        let end = self.text.iter().rposition(|byte| !is_end_of_file(*byte)).map_or(0, |last| last + 1);
        self.text.truncate(end.max(self.start));
        self.is_all_fed = true;
    }

    /// Returns the next row; none if more bytes are needed, or the file is over. Blank rows are skipped.
    ///
    /// # Errors
    /// A line is too long. Nothing more can be read then.
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
                    // A carriage return may have its line feed to come.
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

    /// Takes a line without quotes. Gives whether it is a good row.
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

    /// Takes a record with quotes, which may have several lines. Gives whether it is a good row.
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

    /// Learns from a row how rows are written. Gives whether it is a good one.
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

    /// Refuses a row that may be a part of what stands before or behind it, unless it begins as rows do or is whole.
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

    /// The lines that may belong to a damaged row of which this is the first line; none if more of the file is needed to tell.
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
            // A cell that is cut off has the row's other cells behind it.
            CellEnd::Open if malformed.error == RowError::UnclosedQuote => {
                lines(self.style.width.saturating_sub(row.len() + 1) as u64, false)
            }
            CellEnd::Open => lines(MAX_CONTINUATION_LINES, false),
        })
    }

    /// Looks for the end of a cell that is open at the beginning of `text`, the lines behind a damaged row.
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

    /// Takes one line as a damaged row. The lines in `doubt` may be a part of it.
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

    /// Advances behind a line, the last of `lines` lines.
    fn pass(&mut self, line: Line, lines: u64) {
        self.start += line.next;
        self.line += lines;
        self.carriage_returns.are_usual.get_or_insert(line.ends_with_carriage_return);
        self.carriage_returns.was_last = line.ends_with_carriage_return;
    }
}

/// Returns true for Ctrl-Z, which ends a file, and for zeros, which pad it.
fn is_end_of_file(byte: u8) -> bool {
    matches!(byte, 0x1a | 0)
}

/// The first line of a text; none if its end may still come.
fn first_line(text: &[u8], is_all: bool) -> Option<Line> {
    let Some(end) = memchr2(b'\n', b'\r', text) else {
        return is_all.then_some(Line { end: text.len(), next: text.len(), ends_with_carriage_return: false });
    };
    let (width, ends_with_carriage_return) = match (text[end], text.get(end + 1)) {
        (b'\n', _) => (1, false),
        (_, Some(b'\n')) => (2, false),
        (_, None) if !is_all => return None,
        // At the end of a file it says nothing of what the lines end with.
        (_, next) => (1, next.is_some()),
    };
    Some(Line { end, next: end + width, ends_with_carriage_return })
}

/// How many lines end in a text.
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
