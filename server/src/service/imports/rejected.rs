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
use leadscribe_engine::record::{Delimiter, REASON_COLUMNS, guarded};

use super::joined;
use crate::app::App;
use crate::service::error::ServiceError;
use crate::storage::{REJECTED_KEPT, RejectedAt};

/// Number of rows read from the store at once.
const PAGE_ROWS: u32 = 1_000;

/// Maximum number of bytes read at once: the maximum size of one row, because one row is read whatever its size.
pub const PAGE_BYTES: u64 = MAX_ROW_BYTES as u64;

/// The file of rejected rows.
pub struct Rejected<Rows> {
    /// First line: `line` and `reason`, then the columns of the import.
    pub header: String,
    /// The other lines, as a stream.
    pub rows: Rows,
}

/// Returns the file with this delimiter; by default that of the imported file.
///
/// # Errors
/// The import doesn't exist; its rejected rows have expired; or storage failed, at once or within the stream.
pub async fn rejected_csv(
    app: Arc<App>,
    id: ImportId,
    delimiter: Option<Delimiter>,
) -> Result<Rejected<impl Stream<Item = Result<Bytes, ServiceError>> + Send + 'static>, ServiceError> {
    let import = super::read(&app, id).await?;
    unless_purged(&app, &import)?;
    let kept = import.delimiter;
    let delimiter = delimiter.unwrap_or(kept);
    let header = header(&import.columns, delimiter);
    let columns = import.columns.len();
    // Page by position: counting an offset would get slower with every page.
    let pages = futures::stream::try_unfold(RejectedAt::default(), move |after| {
        let app = app.clone();
        async move {
            let page = app.store.next_rejected_rows(id, after, PAGE_ROWS, PAGE_BYTES).await?;
            let text: String = page.iter().map(|(_, row)| line(row, columns, kept, delimiter)).collect();
            Ok::<_, ServiceError>(page.last().map(|(last, _)| (Bytes::from(text), *last)))
        }
    });
    Ok(Rejected { header, rows: pages })
}

/// Returns a rejected row in its stored form, with this delimiter.
pub(super) fn kept(row: &RawRow, faults: Vec<Diagnostic>, delimiter: Delimiter) -> RejectedRow {
    RejectedRow { line: row.line, faults, row: text(row, delimiter) }
}

/// Parses a rejected row that was stored with the delimiter `kept`.
pub(super) fn row_of(row: &RejectedRow, kept: Delimiter) -> RawRow {
    let mut reader = RowReader::new(Encoding::Utf8, kept, 0);
    reader.feed(row.row.as_bytes());
    reader.end();
    reader.next_row().ok().flatten().unwrap_or_default()
}

/// Formats a row as a line of CSV. Cells of a damaged row that can't be told apart stay unchanged, including quotes.
fn text(row: &RawRow, delimiter: Delimiter) -> String {
    let cells = row.texts();
    let (told, untold) = cells.split_at(if row.wrong.is_some() { row.told_cells } else { cells.len() });
    let told = (!told.is_empty())
        .then(|| record(told.iter().map(String::as_str), delimiter).trim_end_matches('\n').to_owned());
    told.iter().chain(untold).map(String::as_str).collect::<Vec<_>>().join(delimiter.as_str())
}

/// Returns `Ok` while the rejected rows of an import are available. They expire at a fixed time, even if they are purged later.
pub(super) fn unless_purged(app: &App, import: &Import) -> Result<(), ServiceError> {
    let is_over = import.started_at < app.now() - REJECTED_KEPT;
    if is_over && import.counts.rejected > 0 { Err(ServiceError::RejectedRowsPurged) } else { Ok(()) }
}

fn header(columns: &[String], delimiter: Delimiter) -> String {
    let names = REASON_COLUMNS.into_iter().chain(columns.iter().map(String::as_str));
    harmless(names, delimiter)
}

/// Returns the line of a rejected row (stored with the delimiter `kept`) in a file with this many columns and this delimiter.
///
/// A damaged row is put into one cell after the columns, which stay empty. The file is therefore well-formed, and the row is
/// rejected again until its cells are moved into the columns.
fn line(row: &RejectedRow, columns: usize, kept: Delimiter, delimiter: Delimiter) -> String {
    let (number, why) = (row.line.to_string(), joined(&row.faults).to_string());
    let cells = if row.faults.iter().any(RowError::is_behind) {
        let damaged = std::iter::once(row.row.clone());
        std::iter::repeat_n(String::new(), columns).chain(damaged).collect()
    } else {
        row_of(row, kept).texts()
    };
    harmless([number.as_str(), why.as_str()].into_iter().chain(cells.iter().map(String::as_str)), delimiter)
}

/// Returns one line of CSV in which a spreadsheet finds no formulas.
fn harmless<'a>(cells: impl IntoIterator<Item = &'a str>, delimiter: Delimiter) -> String {
    let cells: Vec<_> = cells.into_iter().map(guarded).collect();
    record(cells.iter().map(AsRef::as_ref), delimiter)
}

/// Returns one line of CSV.
fn record<'a>(cells: impl IntoIterator<Item = &'a str>, delimiter: Delimiter) -> String {
    let cells: Vec<_> = cells.into_iter().collect();
    // Quote cells with backslashes: at the end of an unquoted cell, a backslash may escape the delimiter.
    let has_backslash = cells.iter().any(|cell| cell.contains('\\'));
    let style = if has_backslash { QuoteStyle::Always } else { QuoteStyle::Necessary };
    let mut text = WriterBuilder::new().delimiter(delimiter.byte()).quote_style(style).from_writer(Vec::new());
    let written = text.write_record(cells).ok().and_then(|()| text.into_inner().ok());
    String::from_utf8(written.expect("writing to memory does not fail")).expect("texts stay UTF-8")
}

#[cfg(test)]
mod tests {
    use leadscribe_engine::diagnostic::Place;

    use super::*;

    #[test]
    fn rejected_rows_follow_their_line_and_reason() {
        let column = |name: &str| Place::Column(name.to_owned());
        let faults = vec![
            Diagnostic::new(column("email"), "invalid_email", "expected an e-mail address, found \"ada\""),
            Diagnostic::new(column("zip"), "too_long", "expected at most 50 characters, found 51"),
        ];
        let row = RejectedRow { line: 17, faults, row: "7,\"Smith, John\",ada".to_owned() };
        assert_eq!(
            line(&row, 3, Delimiter::Comma, Delimiter::Comma),
            "17,\"email: expected an e-mail address, found \"\"ada\"\"; zip: expected at most 50 characters, found 51\",\
             7,\"Smith, John\",ada\n"
        );
        assert_eq!(
            line(&row, 3, Delimiter::Comma, Delimiter::Semicolon),
            "17;\"email: expected an e-mail address, found \"\"ada\"\"; zip: expected at most 50 characters, found 51\";\
             7;Smith, John;ada\n"
        );
        let columns = ["id".to_owned(), "last, first".to_owned()];
        assert_eq!(header(&columns, Delimiter::Comma), "line,reason,id,\"last, first\"\n");
        assert_eq!(header(&columns, Delimiter::Semicolon), "line;reason;id;last, first\n");
    }

    fn raw(text: &str) -> RawRow {
        raw_separated(text, Delimiter::Comma)
    }

    /// Parses the first row of a text.
    fn raw_separated(text: &str, delimiter: Delimiter) -> RawRow {
        let mut reader = RowReader::new(Encoding::Utf8, delimiter, 0);
        reader.feed(text.as_bytes());
        reader.end();
        reader.next_row().unwrap().unwrap()
    }

    #[test]
    fn rejected_rows_are_stored_unchanged() {
        let row = raw("7,\"Smith, John\",\"said \"\"no\"\"\",a;b");
        let of = |delimiter| kept(&row, Vec::new(), delimiter);
        let (commas, semicolons) = (of(Delimiter::Comma), of(Delimiter::Semicolon));
        assert_eq!(commas.row, "7,\"Smith, John\",\"said \"\"no\"\"\",a;b");
        assert_eq!(semicolons.row, "7;Smith, John;\"said \"\"no\"\"\";\"a;b\"");
        for (row, own) in [(&commas, Delimiter::Comma), (&semicolons, Delimiter::Semicolon)] {
            assert_eq!(line(row, 3, own, Delimiter::Comma), format!("1,,{}\n", commas.row));
            assert_eq!(line(row, 3, own, Delimiter::Semicolon), format!("1;;{}\n", semicolons.row));
        }
    }

    #[test]
    fn damaged_rows_are_put_in_a_cell_after_the_columns() {
        for damaged in ["1,\"a, b\",\"Yard 1,030", "1,\"Screen 19\\\"\",030", "1,x\"y,z\" w,3", "1,Smith\\, John,3"] {
            let row = raw(damaged);
            let error = row.wrong.expect(damaged);
            let kept = kept(&row, vec![error.fault()], Delimiter::Comma);
            assert_eq!(kept.row, damaged);
            for delimiter in [Delimiter::Comma, Delimiter::Semicolon] {
                let text = line(&kept, 3, Delimiter::Comma, delimiter);
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
        assert!(reader.next_row().unwrap().unwrap().wrong.is_some());
        let part = reader.next_row().unwrap().unwrap();
        let kept = kept(&part, vec![part.wrong.unwrap().fault()], Delimiter::Comma);
        let again = raw(&line(&kept, 4, Delimiter::Comma, Delimiter::Comma));
        assert_eq!((again.wrong, again.texts()[6].as_str()), (None, kept.row.as_str()));
    }

    #[test]
    fn escapes_formulas_for_spreadsheets() {
        let fault = Diagnostic::new(Place::Column("=A1".to_owned()), "invalid_email", "no");
        let row = RejectedRow { line: 2, faults: vec![fault], row: "@ada,'=1,+49 30,-cmd".to_owned() };
        assert_eq!(line(&row, 3, Delimiter::Comma, Delimiter::Comma), "2,'=A1: no,'@ada,''=1,+49 30,'-cmd\n");
        assert_eq!(header(&["=A1".to_owned()], Delimiter::Comma), "line,reason,'=A1\n");
    }
}
