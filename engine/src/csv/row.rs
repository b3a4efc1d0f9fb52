//! A row of a file as it was found, before it is a record.

use crate::fault::{Fault, Place};
use crate::message::work;

/// A row, its quotes taken off.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct RawRow {
    /// The line of the file on which it starts, counted from the top; the first is 1.
    pub line: u64,
    /// The line at which it was refused before, in a file of refused rows.
    pub corrects: Option<u64>,
    /// Why its cells can't be told.
    pub wrong: Option<RowError>,
    /// How many cells can be told all the same. Those behind are what stands between the delimiters of its first line, quotes and
    /// all.
    pub told_cells: usize,
    text: Vec<u8>,
    ends: Vec<u32>,
}

/// Why the cells of a row can't be told for certain.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RowError {
    /// A quote opens a cell, and none closes it.
    UnclosedQuote,
    /// Something stands between a closing quote and the next delimiter.
    TextAfterQuote,
    /// A backslash stands before a quote or delimiter: programs that escape with it mean another row than RFC 4180 does.
    Backslash,
    /// Quotes within unquoted cells may hold a delimiter between them.
    StrayQuotes,
    /// A quoted cell of several lines that could be rows.
    SwallowedRows,
    /// The line may belong to the damaged row on this line.
    PartOfRowBefore(u64),
    /// A carriage return alone ends the line, or the line before, and the file's lines end otherwise.
    LoneCarriageReturn,
    /// A damaged row, behind the columns of a file of refused rows as it was written there.
    Unrepaired,
}

impl RowError {
    /// The fault that is reported for the row.
    pub fn fault(self) -> Fault {
        let (code, detail) = match self {
            Self::UnclosedQuote => ("unclosed_quote", work::unclosed_quote()),
            Self::TextAfterQuote => ("text_after_quote", work::text_after_quote()),
            Self::Backslash => ("backslash_escape", work::backslash_escape()),
            Self::StrayQuotes => ("stray_quotes", work::stray_quotes()),
            Self::SwallowedRows => ("swallowed_rows", work::swallowed_rows()),
            Self::PartOfRowBefore(line) => ("part_of_row_before", work::part_of_row_before(line)),
            Self::LoneCarriageReturn => ("lone_carriage_return", work::lone_carriage_return()),
            Self::Unrepaired => ("unrepaired_row", work::unrepaired_row()),
        };
        Fault::new(Place::Column(String::new()), code, detail)
    }

    /// Returns true for the faults that [`RowError::fault`] makes.
    pub fn is_behind(fault: &Fault) -> bool {
        const CODES: [&str; 8] = [
            "unclosed_quote",
            "text_after_quote",
            "backslash_escape",
            "stray_quotes",
            "swallowed_rows",
            "part_of_row_before",
            "lone_carriage_return",
            "unrepaired_row",
        ];
        fault.place == Place::Column(String::new()) && CODES.contains(&fault.code.as_str())
    }
}

impl RawRow {
    /// A row on this line, without cells, with room for so many bytes and cells.
    pub(super) fn new(line: u64, bytes: usize, cells: usize) -> Self {
        Self { line, text: Vec::with_capacity(bytes), ends: Vec::with_capacity(cells), ..Self::default() }
    }

    /// Refuses it, and forgets all but its first cells.
    pub(super) fn damage(&mut self, error: RowError, told_cells: usize) {
        self.wrong = Some(error);
        self.told_cells = told_cells;
        self.ends.truncate(told_cells);
        self.text.truncate(self.ends.last().map_or(0, |end| *end as usize));
    }

    /// Adds to the cell under way.
    pub(super) fn push(&mut self, bytes: &[u8]) {
        self.text.extend_from_slice(bytes);
    }

    /// Ends the cell under way.
    pub(super) fn end_cell(&mut self) {
        self.ends.push(u32::try_from(self.text.len()).expect("a row is smaller than 4 GiB"));
    }

    /// How many cells it has.
    pub fn len(&self) -> usize {
        self.ends.len()
    }

    /// Returns true if it has no cells.
    pub fn is_empty(&self) -> bool {
        self.ends.is_empty()
    }

    /// A cell; empty beyond the last.
    pub fn cell(&self, place: usize) -> &[u8] {
        let Some(end) = self.ends.get(place) else { return &[] };
        let start = place.checked_sub(1).map_or(0, |before| self.ends[before]);
        &self.text[start as usize..*end as usize]
    }

    /// Its cells.
    pub fn cells(&self) -> impl ExactSizeIterator<Item = &[u8]> {
        (0..self.len()).map(|place| self.cell(place))
    }

    /// Its cells as texts; what isn't UTF-8 in them becomes U+FFFD.
    pub fn texts(&self) -> Vec<String> {
        self.cells().map(|cell| String::from_utf8_lossy(cell).into_owned()).collect()
    }

    /// All its cells as one text, where that is UTF-8: then each of them is.
    pub fn as_str(&self) -> Option<&str> {
        let text = std::str::from_utf8(&self.text).ok()?;
        self.ends.iter().all(|end| text.is_char_boundary(*end as usize)).then_some(text)
    }

    /// A cell within [`RawRow::as_str`].
    pub fn cell_of<'a>(&self, text: &'a str, place: usize) -> &'a str {
        let Some(end) = self.ends.get(place) else { return "" };
        let start = place.checked_sub(1).map_or(0, |before| self.ends[before]);
        &text[start as usize..*end as usize]
    }

    /// Returns true if all cells are blank: an empty line, or the delimiters that spreadsheets write below their last row.
    pub fn is_blank(&self) -> bool {
        self.wrong.is_none() && self.filled_cells() == 0
    }

    /// How many cells it has without those at its end in which nothing but blanks stands.
    pub fn filled_cells(&self) -> usize {
        (0..self.len()).rev().find(|place| !is_blank(self.cell(*place))).map_or(0, |last| last + 1)
    }

    /// The same row without its first cells, and with its others changed.
    pub fn without_first(&self, count: usize, change: impl Fn(&[u8]) -> &[u8]) -> Self {
        let mut row = Self::new(self.line, self.text.len(), self.len());
        row.wrong = self.wrong;
        row.told_cells = self.told_cells.saturating_sub(count);
        for cell in self.cells().skip(count) {
            row.push(change(cell));
            row.end_cell();
        }
        row
    }

    /// Bytes of memory that it takes, about.
    pub fn bytes(&self) -> usize {
        self.text.len() + self.ends.len() * size_of::<u32>() + size_of::<Self>()
    }
}

/// Returns true if nothing but blanks stands in a cell.
pub(super) fn is_blank(cell: &[u8]) -> bool {
    cell.is_empty() || std::str::from_utf8(cell).is_ok_and(|cell| super::trimmed(cell).is_empty())
}
