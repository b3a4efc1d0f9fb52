//! Files of many entries: CSV that a spreadsheet can open without harm, and JSON lines.
//!
//! A list is exported by [`list`], in the columns that [`columns`] names. The leads' export, whose columns are chosen, has the
//! form of its file from here too.

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

/// The media type of a CSV file, whose first line has the names of the columns (RFC 4180).
pub const CSV: &str = "text/csv; charset=utf-8; header=present";

/// Bytes of an entry in memory, about: a transcript that was found, with its passages, is the largest.
const ENTRY_BYTES: usize = 2 * 1024;

/// Bytes of an export that are in memory at once, about: a page of entries, and the ids of those that follow.
const WEIGHT: usize = PAGE * ENTRY_BYTES + PLACES as usize * size_of::<i64>();

/// What tells a spreadsheet that a file is UTF-8.
const BYTE_ORDER_MARK: &[u8] = "\u{feff}".as_bytes();

/// A form of a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Form {
    /// CSV.
    Csv,
    /// JSON lines.
    Lines,
}

impl Form {
    const ALL: [Self; 2] = [Self::Csv, Self::Lines];

    fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|form| form.name() == name)
    }

    /// The names of all.
    pub fn names() -> impl Iterator<Item = &'static str> + Clone {
        Self::ALL.iter().map(|form| form.name())
    }

    /// Also how the name of the file ends.
    fn name(self) -> &'static str {
        match self {
            Self::Csv => "csv",
            Self::Lines => "jsonl",
        }
    }

    /// Its media type.
    pub fn media_type(self) -> HeaderValue {
        HeaderValue::from_static(match self {
            Self::Csv => CSV,
            Self::Lines => "application/jsonl",
        })
    }
}

/// What is asked of a file.
#[derive(Clone, Copy, Debug, IntoParams)]
#[into_params(parameter_in = Query)]
pub struct Asked {
    /// `csv` or `jsonl`
    #[param(value_type = String, example = "csv")]
    pub format: Form,
    /// What is asked of a CSV file.
    #[param(ignore)]
    pub sheet: Sheet,
}

/// What is asked of a CSV file, for the program that opens it.
#[derive(Clone, Copy, Debug, IntoParams)]
#[into_params(parameter_in = Query)]
pub struct Sheet {
    /// Begin a CSV file with a byte order mark, as Excel needs it
    #[param(value_type = Option<bool>, example = false)]
    pub bom: bool,
    /// What stands between the cells of a CSV file: `,`, `;`, a tab or `|`. By default a comma, and of refused rows what stands in the
    /// file that was imported. Excel in German takes `;`
    #[param(value_type = Option<String>, example = ";")]
    pub delimiter: Option<Delimiter>,
}

impl Asked {
    /// Reads it. Where there is a fault, which is added to those of the query, what it gives counts for nothing.
    pub fn read(query: &mut Reader<'_>) -> Self {
        let format = query.named("format", Form::from_name, Form::names());
        if query.all("format").is_empty() {
            query.refuse("format", "required", "expected a value, found none");
        }
        Self { format: format.unwrap_or(Form::Csv), sheet: Sheet::read(query) }
    }
}

impl Sheet {
    /// Reads it. Where there is a fault, which is added to those of the query, what it gives counts for nothing.
    pub fn read(query: &mut Reader<'_>) -> Self {
        let delimiter = query.named("delimiter", Delimiter::from_name, Delimiter::names());
        Self { bom: query.flag("bom"), delimiter }
    }

    /// The first line of a CSV file, after the mark if it is asked for.
    pub fn head(self, line: Vec<u8>) -> Bytes {
        if self.bom { [BYTE_ORDER_MARK, &line].concat().into() } else { line.into() }
    }
}

/// An answer as a file to be saved, with the day in its name.
pub fn file(name: &str, now: Timestamp, form: Form, mut answer: Response) -> Response {
    let name = format!("attachment; filename=\"{name}-{}.{}\"", now.format("%Y-%m-%d"), form.name());
    let headers = answer.headers_mut();
    headers.insert(header::CONTENT_TYPE, form.media_type());
    if let Ok(name) = HeaderValue::try_from(name) {
        headers.insert(header::CONTENT_DISPOSITION, name);
    }
    answer
}

/// All entries of a list that meet a query, as a file that is made while it is sent. It is noted in the audit log.
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
