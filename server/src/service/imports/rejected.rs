//! The rows that an import refused, as a CSV file: why, then the row as it stood, so that it can be mended and imported
//! again.

use std::sync::Arc;

use bytes::Bytes;
use futures::{Stream, StreamExt};
use leadscribe_engine::api::{Import, ImportId, RejectedRow};
use leadscribe_engine::record::REASON_COLUMNS;

use super::in_words;
use crate::app::App;
use crate::service::error::ServiceError;
use crate::storage::Slice;

/// Rows read from the store at once.
pub const PAGE_ROWS: u32 = 1_000;

/// The file, made while it is read: `line` and `reason`, then the columns of the import.
///
/// # Errors
/// There is no such import; or the store failed, at once or within the stream.
pub async fn rejected_csv(
    app: Arc<App>,
    id: ImportId,
) -> Result<(Import, impl Stream<Item = Result<Bytes, ServiceError>> + Send + 'static), ServiceError> {
    let import = super::read(&app, id).await?;
    let header = header(&import.columns);
    let pages = futures::stream::try_unfold(0, move |offset| {
        let app = app.clone();
        async move {
            let page = app.store.rejected_rows(id, Slice { count: PAGE_ROWS, offset }).await?;
            let text: String = page.items.iter().map(line).collect();
            let next = offset + page.items.len() as u64;
            Ok::<_, ServiceError>((!page.items.is_empty()).then(|| (Bytes::from(text), next)))
        }
    });
    let header = futures::stream::once(async move { Ok(Bytes::from(header)) });
    Ok((import, header.chain(pages)))
}

fn header(columns: &[String]) -> String {
    let names = REASON_COLUMNS.into_iter().chain(columns.iter().map(String::as_str));
    record(names)
}

fn line(row: &RejectedRow) -> String {
    let start = record([row.line.to_string().as_str(), &in_words(&row.faults)]);
    format!("{},{}\n", start.trim_end_matches('\n'), row.row)
}

/// One line of CSV.
fn record<'a>(cells: impl IntoIterator<Item = &'a str>) -> String {
    let mut text = csv::Writer::from_writer(Vec::new());
    let written = text.write_record(cells).ok().and_then(|()| text.into_inner().ok());
    String::from_utf8(written.expect("writing to memory does not fail")).expect("texts stay UTF-8")
}

#[cfg(test)]
mod tests {
    use leadscribe_engine::fault::{Fault, Place};

    use super::*;

    #[test]
    fn a_refused_row_stands_behind_its_line_and_reason() {
        let column = |name: &str| Place::Column(name.to_owned());
        let faults = vec![
            Fault::new(column("email"), "invalid_email", "expected an e-mail address, found \"ada\""),
            Fault::new(column("zip"), "too_long", "expected at most 50 characters, found 51"),
        ];
        let row = RejectedRow { line: 17, faults, row: "7,\"Smith, John\",ada".to_owned() };
        assert_eq!(
            line(&row),
            "17,\"email: expected an e-mail address, found \"\"ada\"\"; zip: expected at most 50 characters, found 51\",\
             7,\"Smith, John\",ada\n"
        );
        assert_eq!(header(&["id".to_owned(), "last, first".to_owned()]), "line,reason,id,\"last, first\"\n");
    }
}
