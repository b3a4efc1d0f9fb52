//! The rows of a file, one after the other.

use memchr::{memchr, memchr_iter, memchr2};

use super::encoding::{Decoder, Encoding};
use super::quotes::{Cell, MalformedRecord, Record, WholeRecord, is_escaped, read_record};
use super::row::{RawRow, RowError};
use crate::record::Delimiter;

/// Largest row, in bytes of UTF-8; the largest cell that any field takes is far smaller.
pub const MAX_ROW_BYTES: usize = 1024 * 1024;

/// Lines behind a damaged row that may belong to it, where no quote says how many.
const MAX_CONTINUATION_LINES: u64 = 20;

/// A line of the file has more than [`MAX_ROW_BYTES`]; it is this one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RowTooLong(pub u64);

/// Reads rows from the bytes that it is fed.
///
/// A line ends with `\n`, `\r\n` or `\r`. A row whose quotes are damaged is one line: the next row starts on the line behind it.
/// Lines that may be a part of the damaged row are rows only if they have as many cells as a row must have.
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
    width: usize,
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
    /// True if it ends at the next line with an odd number of quotes, at the latest with `last_line`.
    is_until_quote: bool,
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
            width: 0,
            usual_width: 0,
            doubt: None,
            carriage_returns: CarriageReturns::default(),
        }
    }

    /// Says how many cells a row has, which is known once the header was read.
    pub fn set_width(&mut self, width: usize) {
        self.width = width;
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
            let mut row = RawRow::new(self.line, line.end, self.width);
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
                        self.damage(line, &mut row, &malformed);
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
            self.damage(line, row, &MalformedRecord { error: RowError::Backslash, at: line.end, cell });
            return false;
        }
        self.check_whole(line, false, row);
        self.pass(line, 1);
        row.wrong.is_none()
    }

    /// Takes a record with quotes, which may have several lines. Gives whether it is a good row.
    fn take_record(&mut self, record: &WholeRecord, row: &mut RawRow) -> bool {
        let (end, has_stray) = (record.end, record.has_stray_quote);
        let text = &self.text[self.start..];
        let last = first_line(&text[end..], true).expect("there is a line end, or the file ends");
        let last = Line { end, next: end + last.next, ..last };
        let first = first_line(&text[..end], true).expect("it is all there");
        let lines = 1 + lines_in(&text[..end]);
        if lines > 1 && (has_stray || self.has_swallowed_rows(&text[..end], row)) {
            let malformed = MalformedRecord { error: RowError::SwallowedRows, at: end, cell: record.first_unusual };
            self.damage(first, row, &malformed);
            return false;
        }
        self.check_whole(last, has_stray, row);
        self.pass(last, lines);
        row.wrong.is_none()
    }

    /// Returns true if a record of several lines may be several rows, between two quotes that don't belong together.
    fn has_swallowed_rows(&self, record: &[u8], row: &RawRow) -> bool {
        if self.width == 0 {
            return false;
        }
        // A swallowed row has at least as many delimiters as a row must have.
        let (mut has_whole_line, mut are_all_rows) = (false, self.width > 1);
        let mut from = 0;
        while from < record.len() {
            let line = first_line(&record[from..], true).expect("it is all there");
            let cells = cells_in(&record[from..from + line.end], self.delimiter);
            has_whole_line |= self.width > 1 && cells >= self.width;
            are_all_rows &= line.end == 0 || cells >= self.width || self.has_width_of_row(cells);
            from += line.next;
        }
        are_all_rows || row.filled_cells() > self.width || (row.len() < self.width && has_whole_line)
    }

    fn has_width_of_row(&self, cells: usize) -> bool {
        cells == self.width || (self.usual_width > 1 && cells == self.usual_width)
    }

    /// Refuses a row that may be a part of what stands before or behind it, unless it has as many cells as a row must have.
    fn check_whole(&mut self, line: Line, has_stray: bool, row: &mut RawRow) {
        let doubt = self.doubt.filter(|doubt| row.line <= doubt.last_line);
        if doubt.is_none() {
            self.doubt = None;
        }
        if self.width == 0 {
            return;
        }
        let is_broken_off = self.carriage_returns.are_usual == Some(false)
            && (self.carriage_returns.was_last || line.ends_with_carriage_return);
        let is_whole = self.has_width_of_row(row.len()) && !has_stray;
        if (doubt.is_some() || is_broken_off) && !is_whole && !row.is_blank() {
            let before = doubt.map_or(row.line.saturating_sub(1), |doubt| doubt.row);
            row.wrong = Some(RowError::PartOfRowBefore(before));
            row.told_cells = row.len();
        }
        if let Some(doubt) = &mut self.doubt
            && doubt.is_until_quote
            && has_stray
        {
            doubt.last_line = row.line;
        }
    }

    /// Takes one line as a damaged row.
    fn damage(&mut self, line: Line, row: &mut RawRow, malformed: &MalformedRecord) {
        let MalformedRecord { error, at, cell } = *malformed;
        let text = &self.text[self.start..];
        let cell = if cell.start <= line.end { cell } else { Cell { start: 0, place: 0 } };
        row.damage(error, cell.place);
        split(&text[cell.start..line.end], self.delimiter, row);
        let damaged = row.line;
        let has_open_quote = memchr_iter(b'"', &text[..line.end]).count() % 2 == 1;
        let ends_with_escape = is_escaped(&text[..line.end]);
        let last_line = if error == RowError::UnclosedQuote {
            // No quote is behind it: its cell can only have been cut off. A cell of several lines has the row's other cells
            // behind it.
            damaged + self.width.saturating_sub(row.len()) as u64
        } else if at > line.end {
            damaged + lines_in(&text[line.next..at]) + 1
        } else if has_open_quote {
            damaged + MAX_CONTINUATION_LINES
        } else {
            damaged + u64::from(ends_with_escape)
        };
        let is_until_quote = at <= line.end && has_open_quote;
        let before = self.doubt.map_or(0, |doubt| doubt.last_line);
        self.doubt = (last_line.max(before) > damaged).then_some(SuspectLines {
            row: damaged,
            last_line: last_line.max(before),
            is_until_quote,
        });
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

/// How many cells a line has if its quotes are text.
fn cells_in(line: &[u8], delimiter: u8) -> usize {
    memchr_iter(delimiter, line).count() + 1
}

fn split(line: &[u8], delimiter: u8, row: &mut RawRow) {
    let mut from = 0;
    for at in memchr_iter(delimiter, line).chain([line.len()]) {
        row.push(&line[from..at]);
        row.end_cell();
        from = at + 1;
    }
}
