//! A raw row of a file, before it is mapped to a record.

use crate::diagnostic::{Diagnostic, Location, work};

/// A row without its quotes.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct RawRow {
    /// The line of the file on which the row starts. The first line is 1.
    pub line: u64,
    /// The line on which the row was rejected before, in a file of rejected rows.
    pub original_line: Option<u64>,
    /// The reason why its cells can't be determined.
    pub error: Option<RowError>,
    /// Number of cells that are certain despite the error. The cells after them are the text between the delimiters of the first line,
    /// including quotes.
    pub certain_cells: usize,
    text: Vec<u8>,
    cell_ends: Vec<u32>,
}

/// Reason why the cells of a row can't be determined.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RowError {
    /// A quote opens a cell, and no quote closes it.
    UnclosedQuote,
    /// Text follows a closing quote before the next delimiter.
    TextAfterQuote,
    /// A backslash precedes a quote or delimiter. Programs with backslash escapes read such a row differently from RFC 4180.
    Backslash,
    /// Quotes within unquoted cells may enclose a delimiter.
    StrayQuotes,
    /// A quoted multi-line cell could be several rows.
    SwallowedRows,
    /// The line may belong to the damaged row on this line.
    PartOfRowBefore(u64),
    /// The line or the previous one ends with a carriage return only, unlike the other lines of the file.
    LoneCarriageReturn,
    /// A row in a file of rejected rows is still damaged.
    Unrepaired,
}

impl RowError {
    /// Returns the diagnostic to report for the row.
    pub fn diagnostic(self) -> Diagnostic {
        let (code, detail) = match self {
            Self::UnclosedQuote => ("unclosed_quote", work::unclosed_quote()),
            Self::TextAfterQuote => ("text_after_quote", work::text_after_quote()),
            Self::Backslash => ("backslash_escape", work::backslash_escape()),
            Self::StrayQuotes => ("stray_quotes", work::stray_quotes()),
            Self::SwallowedRows => ("swallowed_rows", work::swallowed_rows()),
            Self::PartOfRowBefore(line) => ("part_of_row_before", work::continues_damaged_row(line)),
            Self::LoneCarriageReturn => ("lone_carriage_return", work::lone_carriage_return()),
            Self::Unrepaired => ("unrepaired_row", work::unrepaired_row()),
        };
        Diagnostic::new(Location::Column(String::new()), code, detail)
    }

    /// Returns true for diagnostics from [`RowError::diagnostic`].
    pub fn is_source_of(diagnostic: &Diagnostic) -> bool {
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
        diagnostic.location == Location::Column(String::new()) && CODES.contains(&diagnostic.code.as_str())
    }
}

impl RawRow {
    /// Creates an empty row on this line, with capacity for this many bytes and cells.
    pub(super) fn new(line: u64, bytes: usize, cells: usize) -> Self {
        Self { line, text: Vec::with_capacity(bytes), cell_ends: Vec::with_capacity(cells), ..Self::default() }
    }

    /// Marks the row as damaged, and keeps only its first cells.
    pub(super) fn mark_damaged(&mut self, error: RowError, certain_cells: usize) {
        self.error = Some(error);
        self.certain_cells = certain_cells;
        self.cell_ends.truncate(certain_cells);
        self.text.truncate(self.cell_ends.last().map_or(0, |end| *end as usize));
    }

    /// Appends bytes to the current cell.
    pub(super) fn push(&mut self, bytes: &[u8]) {
        self.text.extend_from_slice(bytes);
    }

    /// Ends the current cell.
    pub(super) fn end_cell(&mut self) {
        self.cell_ends.push(u32::try_from(self.text.len()).expect("a row is smaller than 4 GiB"));
    }

    /// Returns the number of cells.
    pub fn len(&self) -> usize {
        self.cell_ends.len()
    }

    /// Returns true if it has no cells.
    pub fn is_empty(&self) -> bool {
        self.cell_ends.is_empty()
    }

    /// Returns a cell; empty after the last one.
    pub fn cell(&self, index: usize) -> &[u8] {
        let Some(end) = self.cell_ends.get(index) else { return &[] };
        let start = index.checked_sub(1).map_or(0, |previous| self.cell_ends[previous]);
        &self.text[start as usize..*end as usize]
    }

    /// Returns the cells.
    pub fn cells(&self) -> impl ExactSizeIterator<Item = &[u8]> {
        (0..self.len()).map(|index| self.cell(index))
    }

    /// Returns the cells as texts. Invalid UTF-8 becomes U+FFFD.
    pub fn texts(&self) -> Vec<String> {
        self.cells().map(|cell| String::from_utf8_lossy(cell).into_owned()).collect()
    }

    /// Returns all cells as one text, if each of them is valid UTF-8.
    pub fn as_str(&self) -> Option<&str> {
        let text = std::str::from_utf8(&self.text).ok()?;
        self.cell_ends.iter().all(|end| text.is_char_boundary(*end as usize)).then_some(text)
    }

    /// Returns a cell within [`RawRow::as_str`].
    pub fn cell_in<'a>(&self, text: &'a str, index: usize) -> &'a str {
        let Some(end) = self.cell_ends.get(index) else { return "" };
        let start = index.checked_sub(1).map_or(0, |previous| self.cell_ends[previous]);
        &text[start as usize..*end as usize]
    }

    /// Returns true if all cells are blank: an empty line, or delimiters that a spreadsheet writes after its last row.
    pub fn is_blank(&self) -> bool {
        self.error.is_none() && self.filled_cell_count() == 0
    }

    /// Returns the number of cells without trailing blank ones.
    pub fn filled_cell_count(&self) -> usize {
        (0..self.len()).rev().find(|index| !is_blank(self.cell(*index))).map_or(0, |last| last + 1)
    }

    /// Returns the row without its first cells, with `map_cell` applied to the others.
    pub fn without_first(&self, count: usize, map_cell: impl Fn(&[u8]) -> &[u8]) -> Self {
        let mut row = Self::new(self.line, self.text.len(), self.len());
        row.error = self.error;
        row.certain_cells = self.certain_cells.saturating_sub(count);
        for cell in self.cells().skip(count) {
            row.push(map_cell(cell));
            row.end_cell();
        }
        row
    }

    /// Returns the approximate memory use in bytes.
    pub fn bytes(&self) -> usize {
        self.text.len() + self.cell_ends.len() * size_of::<u32>() + size_of::<Self>()
    }
}

/// Returns true if a cell is blank.
pub(super) fn is_blank(cell: &[u8]) -> bool {
    cell.is_empty() || std::str::from_utf8(cell).is_ok_and(|cell| super::trim_cell(cell).is_empty())
}
