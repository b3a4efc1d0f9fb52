//! Draft of a corrected row, and the CSV file that sends corrected rows.

use csv::{QuoteStyle, WriterBuilder};
use leadscribe_engine::api::{Import, RejectedRow};
use leadscribe_engine::csv::{Encoding, RowReader};
use leadscribe_engine::diagnostic::{Diagnostic, Location};
use leadscribe_engine::record::{Delimiter, REASON_COLUMNS, escape_formula, preview};

/// Maximum number of characters of a rejected row in a list; the rest is replaced by `…`. Longer rows can't be
/// corrected here.
const MAX_ROW_CHARS: usize = 2_000;

/// A rejected row that is being corrected.
#[derive(Clone, Debug, PartialEq)]
pub struct RowDraft {
    pub cells: Vec<String>,
    /// Cells as they were rejected last.
    rejected_cells: Vec<String>,
    diagnostics: Vec<Diagnostic>,
}

impl RowDraft {
    /// Creates a draft of a rejected row; `None` if the list doesn't contain the whole row.
    pub fn from_rejected_row(row: &RejectedRow, import: &Import) -> Option<Self> {
        if row.row.chars().count() > MAX_ROW_CHARS {
            return None;
        }
        let mut cells = split_cells(&row.row, import.delimiter);
        cells.resize(cells.len().max(import.columns.len()), String::new());
        Some(Self { rejected_cells: cells.clone(), cells, diagnostics: row.diagnostics.clone() })
    }

    /// True if the row was edited since it was rejected.
    pub fn is_changed(&self) -> bool {
        self.cells != self.rejected_cells
    }

    /// Records that the current cells were rejected.
    pub fn set_rejected(&mut self, diagnostics: Vec<Diagnostic>) {
        self.rejected_cells.clone_from(&self.cells);
        self.diagnostics = diagnostics;
    }

    /// Current diagnostics: the engine's diagnostics for the current cells, and the server's diagnostics for cells that
    /// haven't changed since they were rejected.
    pub fn current_diagnostics(&self, import: &Import) -> Vec<Diagnostic> {
        let cells = self.trimmed_cells(import.columns.len());
        let mut diagnostics = self.check(import, cells);
        for diagnostic in &self.diagnostics {
            let is_unchanged = match column_index(&import.columns, diagnostic) {
                Some(column) => self.cells.get(column) == self.rejected_cells.get(column),
                None => !self.is_changed(),
            };
            if is_unchanged && !diagnostics.iter().any(|other| other.location == diagnostic.location) {
                diagnostics.push(diagnostic.clone());
            }
        }
        diagnostics
    }

    /// True if the row can be sent: it was edited, and the engine finds no error.
    pub fn is_ready(&self, import: &Import) -> bool {
        self.is_changed() && self.check(import, self.trimmed_cells(import.columns.len())).is_empty()
    }

    fn check(&self, import: &Import, cells: Vec<String>) -> Vec<Diagnostic> {
        match preview(import.kind, &import.mapping, &import.columns, &[cells]) {
            Ok(mut rows) => rows.pop().unwrap_or_default(),
            Err(diagnostics) => diagnostics,
        }
    }

    /// Cells without empty ones after the last column.
    fn trimmed_cells(&self, columns: usize) -> Vec<String> {
        let mut cells = self.cells.clone();
        while cells.len() > columns && cells.last().is_some_and(String::is_empty) {
            cells.pop();
        }
        cells
    }
}

/// True if rejected rows of this import can be corrected here.
pub fn can_be_corrected(import: &Import) -> bool {
    !import.dry_run && import.corrects_import_id.is_none() && !import.has_call_details()
}

/// Index of the column that a diagnostic refers to.
pub fn column_index(columns: &[String], diagnostic: &Diagnostic) -> Option<usize> {
    match &diagnostic.location {
        Location::Column(name) => columns.iter().position(|column| column == name),
        _ => None,
    }
}

/// Builds a CSV file of corrected rows, each with its line in the original file. Also returns, for each row, its line
/// in this file and its line in the original file.
pub fn corrected_csv(import: &Import, rows: &[(u64, RowDraft)]) -> (String, Vec<(u64, u64)>) {
    let mut csv = WriterBuilder::new()
        .flexible(true)
        .delimiter(import.delimiter.byte())
        // `RowReader` rejects a cell that ends with a backslash unless it is quoted.
        .quote_style(QuoteStyle::Always)
        .from_writer(Vec::new());
    let header = REASON_COLUMNS.into_iter().chain(import.columns.iter().map(String::as_str));
    _ = csv.write_record(header.map(|cell| escape_formula(cell).into_owned()));
    let mut line = 2 + import.columns.iter().map(|name| count_line_breaks(name)).sum::<u64>();
    let mut lines = Vec::new();
    for (original_line, draft) in rows {
        let cells = draft.trimmed_cells(import.columns.len());
        let line_number = original_line.to_string();
        let record = [line_number.as_str(), ""].into_iter().chain(cells.iter().map(String::as_str));
        _ = csv.write_record(record.map(|cell| escape_formula(cell).into_owned()));
        lines.push((line, *original_line));
        line += 1 + cells.iter().map(|cell| count_line_breaks(cell)).sum::<u64>();
    }
    let bytes = csv.into_inner().expect("writing to memory does not fail");
    (String::from_utf8(bytes).expect("texts stay UTF-8"), lines)
}

/// Number of line endings in a text, as [`RowReader`] counts them: `\n`, `\r\n` or `\r`.
fn count_line_breaks(text: &str) -> u64 {
    (text.matches(['\n', '\r']).count() - text.matches("\r\n").count()) as u64
}

fn split_cells(row: &str, delimiter: Delimiter) -> Vec<String> {
    let mut reader = RowReader::new(Encoding::Utf8, delimiter, 0);
    reader.feed(row.as_bytes());
    reader.end();
    reader.next_row().ok().flatten().map(|row| row.texts()).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use leadscribe_engine::api::ImportCounts;
    use leadscribe_engine::diagnostic::conflict;
    use serde_json::json;

    use crate::features::imports::draft::*;

    fn import(columns: &[&str]) -> Import {
        let import = json!({
            "id": 7, "kind": "leads", "file_name": "leads.csv", "dry_run": false, "columns": columns, "delimiter": ";",
            "mapping": { "columns": { "Mail": "email" }, "delimiter": ";" }, "state": "completed", "progress": 1.0,
            "counts": ImportCounts::default(), "started_at": "2026-05-01T09:30:00Z", "new_statuses": [],
        });
        serde_json::from_value(import).unwrap()
    }

    fn row(row: &str, diagnostics: Vec<Diagnostic>) -> RejectedRow {
        RejectedRow { line: 5, diagnostics, row: row.to_owned() }
    }

    #[test]
    fn typed_cells_are_checked_by_the_engine() {
        let import = import(&["id", "Mail"]);
        let mut draft = RowDraft::from_rejected_row(&row("1;ada;rest", Vec::new()), &import).unwrap();
        draft.cells[2].clear();
        assert_eq!(column_index(&import.columns, &draft.current_diagnostics(&import)[0]), Some(1));
        assert!(!draft.is_ready(&import));
        draft.cells[1] = "ada@example.com".to_owned();
        assert_eq!(draft.current_diagnostics(&import), []);
        assert!(draft.is_ready(&import));
        let cut_off = row(&format!("{}…", "x".repeat(MAX_ROW_CHARS)), Vec::new());
        assert_eq!(RowDraft::from_rejected_row(&cut_off, &import), None);
    }

    #[test]
    fn server_diagnostics_stay_until_the_cell_changes() {
        let import = import(&["id", "Mail"]);
        let diagnostic = Diagnostic::new(Location::Column("id".to_owned()), "unknown", conflict::no_lead(9));
        let rejected = row("1;ada@example.com", vec![diagnostic.clone()]);
        let mut draft = RowDraft::from_rejected_row(&rejected, &import).unwrap();
        draft.cells[1] = "bob@example.com".to_owned();
        assert_eq!(draft.current_diagnostics(&import), [diagnostic]);
        draft.cells[0] = "2".to_owned();
        assert_eq!(draft.current_diagnostics(&import), []);
    }

    #[test]
    fn corrected_rows_are_read_as_they_were_typed() {
        let import = import(&["id", "Mail\naddress"]);
        let typed = ["a\rb", "c\r\nd", "e\n\r", "\r\r\n", "C:\\", "\\", "say \"no\"", "f;g", "last"];
        let draft = |cell: &&str| {
            let mut draft = RowDraft::from_rejected_row(&row("1;x", Vec::new()), &import).unwrap();
            draft.cells[1] = (*cell).to_owned();
            draft
        };
        let rows: Vec<_> = (10_u64..).zip(typed.iter().map(draft)).collect();
        let (text, lines) = corrected_csv(&import, &rows);
        let mut reader = RowReader::new(Encoding::Utf8, import.delimiter, 0);
        reader.feed(text.as_bytes());
        reader.end();
        assert_eq!(reader.next_row().unwrap().unwrap().texts()[2..], import.columns);
        for ((cell, expected_lines), (original_line, _)) in typed.iter().zip(&lines).zip(&rows) {
            let parsed = reader.next_row().unwrap().unwrap();
            assert_eq!((parsed.error, (parsed.line, *original_line)), (None, *expected_lines), "{cell:?}");
            assert_eq!(
                parsed.texts(),
                [original_line.to_string().as_str(), "", "1", &*escape_formula(cell)],
                "{cell:?}"
            );
        }
        assert_eq!(reader.next_row(), Ok(None));
    }
}
