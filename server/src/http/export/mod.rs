//! Exports of lists: CSV that is safe to open in a spreadsheet, and JSON lines.
//!
//! [`list`] exports a list, with the columns from [`columns`]. The export of leads, whose columns the caller chooses, uses the file formats
//! from here.

use std::sync::Arc;

use bytes::Bytes;
use futures::{StreamExt, TryStreamExt};
use http::{HeaderValue, header};
use leadscribe_engine::api::Timestamp;
use leadscribe_engine::diagnostic::common;
use leadscribe_engine::record::Delimiter;
use utoipa::openapi::path::{Operation, Parameter};
use utoipa::openapi::{ContentBuilder, RefOr, ResponseBuilder};
use utoipa::{IntoParams, PartialSchema};

use super::problem::Problem;
use super::query::QueryReader;
use super::reply::{self, Response};
use super::request::Request;
use crate::service::app::App;
use crate::service::operations::list_export::{Export, PAGE_ENTRIES, POSITIONS_PER_BATCH};
use crate::storage::{ExportStore, Store};

mod columns;
pub mod csv;

pub use columns::ExportColumns;

/// Media type of a CSV file with a header line (RFC 4180).
pub const CSV: &str = "text/csv; charset=utf-8; header=present";

/// Approximate memory of an entry, in bytes. The largest is a transcript search result with its passages.
const ENTRY_BYTES: usize = 2 * 1024;

/// Approximate memory of a running export, in bytes: a page of entries, and the ids of the entries that follow.
const EXPORT_MEMORY_BYTES: usize = PAGE_ENTRIES * ENTRY_BYTES + POSITIONS_PER_BATCH as usize * size_of::<i64>();

/// Description of the export of any list.
const DESCRIPTION: &str = "The file has all matches that the caller may read, in the order of the list, as CSV or JSON \
    lines. It is streamed; if the server fails, the connection closes early. Changes during the export neither repeat nor \
    skip other entries. In CSV, passages of transcripts are texts separated by ` | `; JSON lines also have their \
    positions. Each export is recorded in the audit log.";

/// Marks a file as UTF-8 for spreadsheets.
const BYTE_ORDER_MARK: &[u8] = "\u{feff}".as_bytes();

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FileFormat {
    /// Comma-separated values.
    Csv,
    JsonLines,
}

impl FileFormat {
    const ALL: [Self; 2] = [Self::Csv, Self::JsonLines];

    fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|format| format.name() == name)
    }

    /// Names of all formats.
    pub fn names() -> impl Iterator<Item = &'static str> + Clone {
        Self::ALL.iter().map(|format| format.name())
    }

    /// Name of the format, also used as the file extension.
    fn name(self) -> &'static str {
        match self {
            Self::Csv => "csv",
            Self::JsonLines => "jsonl",
        }
    }

    pub fn media_type(self) -> HeaderValue {
        HeaderValue::from_static(match self {
            Self::Csv => CSV,
            Self::JsonLines => "application/jsonl",
        })
    }
}

/// Query parameters of an export.
#[derive(Clone, Copy, Debug, IntoParams)]
#[into_params(parameter_in = Query)]
pub struct ExportParams {
    /// `csv` or `jsonl`
    #[param(value_type = String, example = "csv")]
    pub format: FileFormat,
    /// Options of a CSV file.
    #[param(ignore)]
    pub csv_options: CsvOptions,
}

/// Options of a CSV file, for the program that opens it.
#[derive(Clone, Copy, Debug, IntoParams)]
#[into_params(parameter_in = Query)]
pub struct CsvOptions {
    /// Begin a CSV file with a byte order mark, as Excel needs it
    #[param(value_type = Option<bool>, example = false)]
    pub bom: bool,
    /// Separator of a CSV file: `,`, `;`, a tab or `|`. Defaults to a comma, and for rejected rows to the separator of the imported file.
    /// German Excel expects `;`
    #[param(value_type = Option<String>, example = ";")]
    pub delimiter: Option<Delimiter>,
}

impl ExportParams {
    /// Parses the parameters. If one is wrong, an error is added to the query, and the result must not be used.
    pub fn from_query(query: &mut QueryReader<'_>) -> Self {
        let format = query.enum_value("format", FileFormat::from_name, FileFormat::names());
        if query.values("format").is_empty() {
            query.add_error("format", "required", common::required("format"));
        }
        Self { format: format.unwrap_or(FileFormat::Csv), csv_options: CsvOptions::from_query(query) }
    }
}

impl CsvOptions {
    /// Parses the parameters. If one is wrong, an error is added to the query, and the result must not be used.
    pub fn from_query(query: &mut QueryReader<'_>) -> Self {
        let delimiter = query.enum_value("delimiter", Delimiter::from_name, Delimiter::names());
        Self { bom: query.flag("bom"), delimiter }
    }

    /// Returns the header line, after the byte order mark if requested.
    pub fn header_line(self, line: Vec<u8>) -> Bytes {
        if self.bom { [BYTE_ORDER_MARK, &line].concat().into() } else { line.into() }
    }
}

/// Returns the query parameters of an export, in addition to those of its list.
pub fn parameters() -> impl Iterator<Item = RefOr<Parameter>> {
    let parameters = [ExportParams::into_params(|| None), CsvOptions::into_params(|| None)];
    parameters.into_iter().flatten().map(RefOr::T)
}

/// Describes the export of a list.
pub fn describe(summary: &str, tags: Option<Vec<String>>, parameters: Vec<RefOr<Parameter>>) -> Operation {
    let file = || ContentBuilder::new().schema(Some(String::schema())).build();
    let response = ResponseBuilder::new().description("The file").content("text/csv", file());
    let mut operation = Operation::new();
    operation.summary = Some(summary.to_owned());
    operation.description = Some(DESCRIPTION.to_owned());
    operation.tags = tags;
    operation.parameters = Some(parameters);
    operation
        .responses
        .responses
        .insert("200".to_owned(), response.content("application/jsonl", file()).build().into());
    operation
}

/// Turns a response into a download with the date in its file name.
pub fn as_download(name: &str, now: Timestamp, format: FileFormat, mut response: Response) -> Response {
    let name = format!("attachment; filename=\"{name}-{}.{}\"", now.format("%Y-%m-%d"), format.name());
    let headers = response.headers_mut();
    headers.insert(header::CONTENT_TYPE, format.media_type());
    if let Ok(name) = HeaderValue::try_from(name) {
        headers.insert(header::CONTENT_DISPOSITION, name);
    }
    response
}

/// Streams all entries of a list that match the query of a request as a file. The export is recorded in the audit log.
///
/// # Errors
/// The query is invalid, or the store failed before anything was sent.
pub async fn list<Q: ExportColumns>(
    app: &Arc<App>,
    request: &Request,
    parse: impl FnOnce(&Request, &mut QueryReader<'_>) -> Result<Q, Problem>,
) -> Result<Response, Problem>
where
    dyn Store: ExportStore<Q>,
{
    let mut reader = request.query.reader();
    let (query, params) = (parse(request, &mut reader)?, ExportParams::from_query(&mut reader));
    reader.finish()?;
    let export = Export::new(app, query);
    let format = params.format;
    if request.is_head {
        return Ok(as_download(Q::NAME, export.now(), format, Response::default()));
    }
    let pages = export.pages();
    let response = match format {
        FileFormat::Csv => {
            let ExportParams { csv_options, .. } = params;
            let delimiter = csv_options.delimiter.unwrap_or_default();
            let header_line = csv_options.header_line(csv::header_line(Q::COLUMNS, delimiter));
            let header_line = futures::stream::once(async move { Ok(header_line) });
            let lines = pages.map_ok(move |page| Bytes::from(csv::data_lines(Q::COLUMNS, &page, delimiter)));
            reply::stream(format.media_type(), EXPORT_MEMORY_BYTES, header_line.chain(lines))
        }
        FileFormat::JsonLines => {
            reply::stream(format.media_type(), EXPORT_MEMORY_BYTES, pages.map_ok(|page| Bytes::from(json_lines(&page))))
        }
    };
    export.record_in_audit_log(&request.audit_context(app)).await?;
    Ok(as_download(Q::NAME, export.now(), format, response))
}

fn json_lines<T: serde::Serialize>(entries: &[T]) -> Vec<u8> {
    let mut lines = Vec::new();
    for entry in entries {
        serde_json::to_writer(&mut lines, entry).expect("wire types have string keys and no failing serializers");
        lines.push(b'\n');
    }
    lines
}
