//! Exports of lists: CSV that is safe to open in a spreadsheet, and JSON lines.
//!
//! [`list`] exports a list, with the columns from [`columns`]. The export of leads, whose columns the caller chooses, uses the file formats
//! from here.

use std::sync::Arc;

use bytes::Bytes;
use futures::{StreamExt, TryStreamExt};
use http::{HeaderValue, header};
use leadscribe_engine::api::Timestamp;
use leadscribe_engine::record::Delimiter;
use utoipa::IntoParams;

use super::problem::Refusal;
use super::query::Reader;
use super::reply::{self, Response};
use super::request::Request;
use crate::app::App;
use crate::service::export_lists::{Export, PAGE, PLACES};
use crate::storage::{ExportStore, Store};

mod columns;
pub mod csv;

pub use columns::Columns;

/// Media type of a CSV file with a header line (RFC 4180).
pub const CSV: &str = "text/csv; charset=utf-8; header=present";

/// Approximate memory of an entry, in bytes. The largest is a transcript search result with its passages.
const ENTRY_BYTES: usize = 2 * 1024;

/// Approximate memory of a running export, in bytes: a page of entries, and the ids of the entries that follow.
const WEIGHT: usize = PAGE * ENTRY_BYTES + PLACES as usize * size_of::<i64>();

/// Marks a file as UTF-8 for spreadsheets.
const BYTE_ORDER_MARK: &[u8] = "\u{feff}".as_bytes();

/// File format.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Form {
    /// Comma-separated values.
    Csv,
    /// JSON lines.
    Lines,
}

impl Form {
    const ALL: [Self; 2] = [Self::Csv, Self::Lines];

    fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|form| form.name() == name)
    }

    /// Names of all formats.
    pub fn names() -> impl Iterator<Item = &'static str> + Clone {
        Self::ALL.iter().map(|form| form.name())
    }

    /// Name of the format, also used as the file extension.
    fn name(self) -> &'static str {
        match self {
            Self::Csv => "csv",
            Self::Lines => "jsonl",
        }
    }

    /// Returns the media type.
    pub fn media_type(self) -> HeaderValue {
        HeaderValue::from_static(match self {
            Self::Csv => CSV,
            Self::Lines => "application/jsonl",
        })
    }
}

/// Query parameters of an export.
#[derive(Clone, Copy, Debug, IntoParams)]
#[into_params(parameter_in = Query)]
pub struct Asked {
    /// `csv` or `jsonl`
    #[param(value_type = String, example = "csv")]
    pub format: Form,
    /// Options of a CSV file.
    #[param(ignore)]
    pub sheet: Sheet,
}

/// Options of a CSV file, for the program that opens it.
#[derive(Clone, Copy, Debug, IntoParams)]
#[into_params(parameter_in = Query)]
pub struct Sheet {
    /// Begin a CSV file with a byte order mark, as Excel needs it
    #[param(value_type = Option<bool>, example = false)]
    pub bom: bool,
    /// Separator of a CSV file: `,`, `;`, a tab or `|`. Defaults to a comma, and for rejected rows to the separator of the imported file.
    /// German Excel expects `;`
    #[param(value_type = Option<String>, example = ";")]
    pub delimiter: Option<Delimiter>,
}

impl Asked {
    /// Reads the parameters. On a fault, which is added to the query's faults, the result must not be used.
    pub fn read(query: &mut Reader<'_>) -> Self {
        let format = query.named("format", Form::from_name, Form::names());
        if query.all("format").is_empty() {
            query.refuse("format", "required", "expected a value, found none");
        }
        Self { format: format.unwrap_or(Form::Csv), sheet: Sheet::read(query) }
    }
}

impl Sheet {
    /// Reads the parameters. On a fault, which is added to the query's faults, the result must not be used.
    pub fn read(query: &mut Reader<'_>) -> Self {
        let delimiter = query.named("delimiter", Delimiter::from_name, Delimiter::names());
        Self { bom: query.flag("bom"), delimiter }
    }

    /// Returns the header line, after the byte order mark if requested.
    pub fn head(self, line: Vec<u8>) -> Bytes {
        if self.bom { [BYTE_ORDER_MARK, &line].concat().into() } else { line.into() }
    }
}

/// Turns a response into a download with the date in its file name.
pub fn file(name: &str, now: Timestamp, form: Form, mut answer: Response) -> Response {
    let name = format!("attachment; filename=\"{name}-{}.{}\"", now.format("%Y-%m-%d"), form.name());
    let headers = answer.headers_mut();
    headers.insert(header::CONTENT_TYPE, form.media_type());
    if let Ok(name) = HeaderValue::try_from(name) {
        headers.insert(header::CONTENT_DISPOSITION, name);
    }
    answer
}

/// Streams all entries of a list that match a query as a file. The export is recorded in the audit log.
///
/// # Errors
/// The store failed before anything was sent.
pub async fn list<Q: Columns>(app: &Arc<App>, request: &Request, query: Q, asked: Asked) -> Result<Response, Refusal>
where
    dyn Store: ExportStore<Q>,
{
    let export = Export::new(app, query);
    let form = asked.format;
    if request.is_head {
        return Ok(file(Q::NAME, export.now(), form, Response::default()));
    }
    let pages = export.pages();
    let answer = match form {
        Form::Csv => {
            let Asked { sheet, .. } = asked;
            let delimiter = sheet.delimiter.unwrap_or_default();
            let head = sheet.head(csv::head(Q::COLUMNS, delimiter));
            let head = futures::stream::once(async move { Ok(head) });
            let lines = pages.map_ok(move |page| Bytes::from(csv::lines(Q::COLUMNS, &page, delimiter)));
            reply::stream(form.media_type(), WEIGHT, head.chain(lines))
        }
        Form::Lines => reply::stream(form.media_type(), WEIGHT, pages.map_ok(|page| Bytes::from(json_lines(&page)))),
    };
    export.note(&request.origin(app)).await?;
    Ok(file(Q::NAME, export.now(), form, answer))
}

fn json_lines<T: serde::Serialize>(entries: &[T]) -> Vec<u8> {
    let mut lines = Vec::new();
    for entry in entries {
        serde_json::to_writer(&mut lines, entry).expect("wire types have string keys and no failing serialisers");
        lines.push(b'\n');
    }
    lines
}
