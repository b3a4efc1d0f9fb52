//! The rejected rows of an import as a CSV file: the reason and then the original row, to correct and import again.
//!
//! The file is well-formed even if rows are damaged. It is safe to open in a spreadsheet: formulas are prefixed with an
//! apostrophe, which an import removes.

use std::sync::Arc;

use bytes::Bytes;
use csv::{QuoteStyle, WriterBuilder};
use futures::Stream;
use leadscribe_engine::api::{Import, ImportId, RejectedRow};
use leadscribe_engine::csv::{Encoding, MAX_ROW_BYTES, RawRow, RowError, RowReader};
use leadscribe_engine::diagnostic::Diagnostic;
use leadscribe_engine::record::{Delimiter, REASON_COLUMNS, escape_formula};

use super::join_diagnostics;
use crate::service::app::App;
use crate::service::error::{Result, ServiceError};
use crate::storage::{REJECTED_ROW_RETENTION, RejectedRowPosition};

/// Number of rows read from the store at once.
const PAGE_ROWS: u32 = 1_000;

/// Maximum number of bytes read at once: the maximum size of one row, because one row is read whatever its size.
pub const PAGE_BYTES: u64 = MAX_ROW_BYTES as u64;

pub struct RejectedRowsFile<Rows> {
    /// First line: `line` and `reason`, then the columns of the import.
    pub header: String,
    /// The other lines, as a stream.
    pub rows: Rows,
}

/// Returns the file with this delimiter, by default the delimiter of the imported file.
///
/// # Errors
/// The import doesn't exist; its rejected rows have expired; or storage failed, at once or within the stream.
pub async fn rejected_csv(
    app: Arc<App>,
    id: ImportId,
    delimiter: Option<Delimiter>,
) -> Result<RejectedRowsFile<impl Stream<Item = Result<Bytes>> + Send + 'static>> {
    let import = super::read(&app, id).await?;
    ensure_not_purged(&app, &import)?;
    let stored_delimiter = import.delimiter;
    let delimiter = delimiter.unwrap_or(stored_delimiter);
    let header = header_line(&import.columns, delimiter);
    let columns = import.columns.len();
    // Page by position: counting an offset would get slower with every page.
    let pages = futures::stream::try_unfold(RejectedRowPosition::default(), move |after| {
        let app = app.clone();
        async move {
            let page = app.store.next_rejected_rows(id, after, PAGE_ROWS, PAGE_BYTES).await?;
            let text: String =
                page.iter().map(|(_, row)| rejected_row_line(row, columns, stored_delimiter, delimiter)).collect();
            Ok::<_, ServiceError>(page.last().map(|(last, _)| (Bytes::from(text), *last)))
        }
    });
    Ok(RejectedRowsFile { header, rows: pages })
}

/// Returns a rejected row in its stored form, with this delimiter.
pub(super) fn to_rejected_row(row: &RawRow, diagnostics: Vec<Diagnostic>, delimiter: Delimiter) -> RejectedRow {
    RejectedRow { line: row.line, diagnostics, row: format_row(row, delimiter) }
}

/// Parses a rejected row that was stored with the delimiter `stored_delimiter`.
pub(super) fn parse_rejected_row(row: &RejectedRow, stored_delimiter: Delimiter) -> RawRow {
    let mut reader = RowReader::new(Encoding::Utf8, stored_delimiter, 0);
    reader.feed(row.row.as_bytes());
    reader.end();
    reader.next_row().ok().flatten().unwrap_or_default()
}

/// Formats a row as a line of CSV. Cells of a damaged row that can't be told apart stay unchanged, including quotes.
fn format_row(row: &RawRow, delimiter: Delimiter) -> String {
    let cells = row.texts();
    let (readable, unreadable) = cells.split_at(if row.error.is_some() { row.certain_cells } else { cells.len() });
    let readable = (!readable.is_empty())
        .then(|| csv_line(readable.iter().map(String::as_str), delimiter).trim_end_matches('\n').to_owned());
    readable.iter().chain(unreadable).map(String::as_str).collect::<Vec<_>>().join(delimiter.as_str())
}

/// Returns `Ok` while the rejected rows of an import are available. They expire at a fixed time, even if they are purged later.
pub(super) fn ensure_not_purged(app: &App, import: &Import) -> Result<()> {
    let is_expired = import.started_at < app.now() - REJECTED_ROW_RETENTION;
    if is_expired && import.counts.rejected > 0 { Err(ServiceError::RejectedRowsPurged) } else { Ok(()) }
}

fn header_line(columns: &[String], delimiter: Delimiter) -> String {
    let names = REASON_COLUMNS.into_iter().chain(columns.iter().map(String::as_str));
    spreadsheet_safe_line(names, delimiter)
}

/// Returns the line of a rejected row (stored with the delimiter `stored_delimiter`) in a file with this many columns and this delimiter.
///
/// A damaged row is put into one cell after the columns, which stay empty. The file is therefore well-formed, and the row is
/// rejected again until its cells are moved into the columns.
fn rejected_row_line(row: &RejectedRow, columns: usize, stored_delimiter: Delimiter, delimiter: Delimiter) -> String {
    let (number, reason) = (row.line.to_string(), join_diagnostics(&row.diagnostics).to_string());
    let cells = if row.diagnostics.iter().any(RowError::is_source_of) {
        let damaged = std::iter::once(row.row.clone());
        std::iter::repeat_n(String::new(), columns).chain(damaged).collect()
    } else {
        parse_rejected_row(row, stored_delimiter).texts()
    };
    spreadsheet_safe_line(
        [number.as_str(), reason.as_str()].into_iter().chain(cells.iter().map(String::as_str)),
        delimiter,
    )
}

/// Returns one line of CSV in which a spreadsheet finds no formulas.
fn spreadsheet_safe_line<'a>(cells: impl IntoIterator<Item = &'a str>, delimiter: Delimiter) -> String {
    let cells: Vec<_> = cells.into_iter().map(escape_formula).collect();
    csv_line(cells.iter().map(AsRef::as_ref), delimiter)
}

fn csv_line<'a>(cells: impl IntoIterator<Item = &'a str>, delimiter: Delimiter) -> String {
    let cells: Vec<_> = cells.into_iter().collect();
    // Quote cells with backslashes: at the end of an unquoted cell, a backslash may escape the delimiter.
    let has_backslash = cells.iter().any(|cell| cell.contains('\\'));
    let style = if has_backslash { QuoteStyle::Always } else { QuoteStyle::Necessary };
    let mut writer = WriterBuilder::new().delimiter(delimiter.byte()).quote_style(style).from_writer(Vec::new());
    let result = writer.write_record(cells).ok().and_then(|()| writer.into_inner().ok());
    String::from_utf8(result.expect("writing to memory does not fail")).expect("texts stay UTF-8")
}

#[cfg(test)]
mod tests {
    use leadscribe_engine::diagnostic::{Location, common};

    use super::*;

    #[test]
    fn rejected_rows_follow_their_line_and_reason() {
        let column = |name: &str| Location::Column(name.to_owned());
        let diagnostics = vec![
            Diagnostic::new(column("email"), "invalid_email", common::expected("an email address", "\"ada\"")),
            Diagnostic::new(column("zip"), "too_long", common::expected(common::at_most_characters(50), 51)),
        ];
        let row = RejectedRow { line: 17, diagnostics, row: "7,\"Smith, John\",ada".to_owned() };
        assert_eq!(
            rejected_row_line(&row, 3, Delimiter::Comma, Delimiter::Comma),
            "17,\"email: expected an email address, found \"\"ada\"\"; zip: expected at most 50 characters, found 51\",\
             7,\"Smith, John\",ada\n"
        );
        assert_eq!(
            rejected_row_line(&row, 3, Delimiter::Comma, Delimiter::Semicolon),
            "17;\"email: expected an email address, found \"\"ada\"\"; zip: expected at most 50 characters, found 51\";\
             7;Smith, John;ada\n"
        );
        let columns = ["id".to_owned(), "last, first".to_owned()];
        assert_eq!(header_line(&columns, Delimiter::Comma), "line,reason,id,\"last, first\"\n");
        assert_eq!(header_line(&columns, Delimiter::Semicolon), "line;reason;id;last, first\n");
    }

    fn parse_row(text: &str) -> RawRow {
        parse_row_with(text, Delimiter::Comma)
    }

    /// Parses the first row of a text.
    fn parse_row_with(text: &str, delimiter: Delimiter) -> RawRow {
        let mut reader = RowReader::new(Encoding::Utf8, delimiter, 0);
        reader.feed(text.as_bytes());
        reader.end();
        reader.next_row().unwrap().unwrap()
    }

    #[test]
    fn rejected_rows_are_stored_unchanged() {
        let row = parse_row("7,\"Smith, John\",\"said \"\"no\"\"\",a;b");
        let stored_with = |delimiter| to_rejected_row(&row, Vec::new(), delimiter);
        let (commas, semicolons) = (stored_with(Delimiter::Comma), stored_with(Delimiter::Semicolon));
        assert_eq!(commas.row, "7,\"Smith, John\",\"said \"\"no\"\"\",a;b");
        assert_eq!(semicolons.row, "7;Smith, John;\"said \"\"no\"\"\";\"a;b\"");
        for (row, stored_delimiter) in [(&commas, Delimiter::Comma), (&semicolons, Delimiter::Semicolon)] {
            assert_eq!(rejected_row_line(row, 3, stored_delimiter, Delimiter::Comma), format!("1,,{}\n", commas.row));
            assert_eq!(
                rejected_row_line(row, 3, stored_delimiter, Delimiter::Semicolon),
                format!("1;;{}\n", semicolons.row)
            );
        }
    }

    #[test]
    fn damaged_rows_are_put_in_a_cell_after_the_columns() {
        for damaged in ["1,\"a, b\",\"Yard 1,030", "1,\"Screen 19\\\"\",030", "1,x\"y,z\" w,3", "1,Smith\\, John,3"] {
            let row = parse_row(damaged);
            let error = row.error.expect(damaged);
            let rejected_row = to_rejected_row(&row, vec![error.diagnostic()], Delimiter::Comma);
            assert_eq!(rejected_row.row, damaged);
            for delimiter in [Delimiter::Comma, Delimiter::Semicolon] {
                let text = rejected_row_line(&rejected_row, 3, Delimiter::Comma, delimiter);
                let mut reader = csv::ReaderBuilder::new()
                    .has_headers(false)
                    .delimiter(delimiter.byte())
                    .from_reader(text.as_bytes());
                let rows: Vec<_> = reader.records().map(Result::unwrap).collect();
                assert_eq!(rows.len(), 1);
                assert_eq!(rows[0].iter().skip(2).collect::<Vec<_>>(), ["", "", "", damaged]);
            }
        }
    }

    #[test]
    fn lines_that_may_belong_to_a_damaged_row_are_damaged() {
        let mut reader = RowReader::new(Encoding::Utf8, Delimiter::Comma, 0);
        reader.set_width(4);
        reader.feed(b"1,\"Bob,Rome,1\n\"Smith, John\",x,y\n");
        reader.end();
        assert!(reader.next_row().unwrap().unwrap().error.is_some());
        let damaged_row = reader.next_row().unwrap().unwrap();
        let rejected_row =
            to_rejected_row(&damaged_row, vec![damaged_row.error.unwrap().diagnostic()], Delimiter::Comma);
        let parsed_row = parse_row(&rejected_row_line(&rejected_row, 4, Delimiter::Comma, Delimiter::Comma));
        assert_eq!((parsed_row.error, parsed_row.texts()[6].as_str()), (None, rejected_row.row.as_str()));
    }

    #[test]
    fn escapes_formulas_for_spreadsheets() {
        let diagnostic = Diagnostic::new(Location::Column("=A1".to_owned()), "invalid_email", common::none());
        let row = RejectedRow { line: 2, diagnostics: vec![diagnostic], row: "@ada,'=1,+49 30,-cmd".to_owned() };
        assert_eq!(
            rejected_row_line(&row, 3, Delimiter::Comma, Delimiter::Comma),
            "2,'=A1: none,'@ada,''=1,+49 30,'-cmd\n"
        );
        assert_eq!(header_line(&["=A1".to_owned()], Delimiter::Comma), "line,reason,'=A1\n");
    }
}
