use bytes::Bytes;
use futures::{StreamExt, TryStreamExt};
use leadscribe_engine::diagnostic::{Diagnostic, Location, common, format_text, request};
use leadscribe_engine::record::LeadColumn;

use super::csv::CsvColumns;
use super::lookup_response;
use crate::http::export::{CsvOptions, ExportParams, FileFormat, as_download};
use crate::http::prelude::*;
use crate::http::problem::Code;
use crate::http::query::QueryReader;
use crate::service::leads::lead_export::{self, Export};

/// Approximate memory of a running export, in bytes: a page of leads.
const EXPORT_MEMORY_BYTES: usize = lead_export::PAGE_LEADS as usize * lookup_response::EXTENDED_LEAD_BYTES;

/// Maximum number of columns for custom fields. Spreadsheets support a few thousand columns in total.
const MAX_CUSTOM_COLUMNS: usize = 1_000;

/// Members of an extended record that don't fit into a row.
const MEMBERS_WITHOUT_COLUMN: [&str; 2] = ["campaigns", "not_callable_reasons"];

/// Export all leads that match a filter as CSV or JSON lines.
///
/// The file has all matches, sorted by id; `limit`, `_order` and `_cursor` of the filter are ignored. It is streamed; if the server fails,
/// the connection closes early.
///
/// `csv` has the columns that `POST /api/imports/leads` accepts, including a `custom.<name>` for each custom field. `_fields` selects some
/// of them; `column` selects columns and their order. Text that a spreadsheet would evaluate as a formula is prefixed with an apostrophe.
/// `jsonl` has a line for each lead, as in `PUT /api/leads/extended-data`. Each export is recorded in the audit log.
///
/// A column is a field of the lead, `custom.<name>`, a field of its campaigns such as `status` or `callback_at`, or one of `number`,
/// `place`, `campaigns`, `next_call` and `not_callable_reasons`. Values of several campaigns share a cell, separated by ` | `, in the order
/// of the campaigns. Only campaigns that match the filter are included, unless it has `"_campaigns":"all"`.
#[utoipa::path(
    get,
    path = "/api/leads/export",
    params(
        ("filter" = String, Query, description = "The filter, as JSON text", example = r#"{"country":"DE"}"#),
        (
            "column" = Option<Vec<String>>, Query,
            description = "A column of the CSV file; may be given several times, in the order of the columns. Replaces \
                 `_fields`",
            example = json!(["id", "city"])
        ),
        ExportParams,
        CsvOptions
    ),
    responses((
        status = 200,
        content((String = "text/csv"), (String = "application/jsonl")),
        description = "The file"
    ))
)]
pub async fn export(app: Arc<App>, request: Request) -> Result<Response, Problem> {
    let mut query = request.query.reader();
    let (filter, params) = (query.value("filter"), ExportParams::from_query(&mut query));
    let (format, selected) = (params.format, parse_columns(&mut query, params.format));
    if filter.is_none() {
        query.add_error("filter", "required", common::required("filter"));
    }
    query.finish()?;
    let export = lead_export::check(&app, filter.unwrap_or_default())?;
    if format == FileFormat::Csv && selected.is_none() {
        check_members_fit(&export)?;
    }
    if request.is_head {
        return Ok(as_download("leads", export.now(), format, Response::default()));
    }
    let response = match format {
        FileFormat::Csv => csv_response(&export, selected, params.csv_options).await?,
        FileFormat::JsonLines => {
            let lines = export.pages().map_ok(|page| Bytes::from(lookup_response::json_lines(&page)));
            reply::stream(format.media_type(), EXPORT_MEMORY_BYTES, lines)
        }
    };
    export.record_in_audit_log(&request.audit_context(&app)).await?;
    Ok(as_download("leads", export.now(), format, response))
}

/// Parses the selected columns. Returns `None` if none are named. Reports duplicates.
fn parse_columns(query: &mut QueryReader<'_>, format: FileFormat) -> Option<Vec<LeadColumn>> {
    let mut columns = Vec::new();
    let names = query.values("column");
    if !names.is_empty() && format == FileFormat::JsonLines {
        query.add_error("column", "not_available", request::not_with_jsonl());
    }
    for name in &names {
        match LeadColumn::from_name(name) {
            Some(column) if columns.contains(&column) => {
                query.add_error("column", "duplicate", common::repeated(*name));
            }
            Some(column) => columns.push(column),
            None => query.add_diagnostics(vec![unknown_column(name)]),
        }
    }
    (!names.is_empty()).then_some(columns)
}

fn unknown_column(name: &str) -> Diagnostic {
    let column_names: Vec<_> = LeadColumn::all().map(|column| column.name()).collect();
    let column_names = || column_names.iter().map(|name| &**name);
    let location = Location::Parameter("column".to_owned());
    let message = common::expected(request::column_name(), format_text(name));
    let diagnostic = Diagnostic::new(location, "not_permitted", message).permitted(column_names());
    diagnostic.suggest_nearest(name, column_names())
}

/// Exports the leads as CSV. Without selected columns, the leads are read twice, because the header line contains all custom fields.
async fn csv_response(
    export: &Export,
    selected: Option<Vec<LeadColumn>>,
    csv_options: CsvOptions,
) -> Result<Response, Problem> {
    let columns = match selected {
        Some(columns) => CsvColumns::from_columns(columns),
        None => all_columns(export).await?,
    };
    let delimiter = csv_options.delimiter.unwrap_or_default();
    let header_line = csv_options.header_line(columns.header_line(delimiter));
    let header_line = futures::stream::once(async move { Ok(header_line) });
    let lines = export.pages().map_ok(move |page| Bytes::from(columns.data_lines(&page, delimiter)));
    Ok(reply::stream(FileFormat::Csv.media_type(), EXPORT_MEMORY_BYTES, header_line.chain(lines)))
}

/// Returns the columns of the selected members and of the custom fields that the leads have.
async fn all_columns(export: &Export) -> Result<CsvColumns, Problem> {
    let custom_fields = match CsvColumns::has_custom_fields(export.fields()) {
        true => export.custom_fields(MAX_CUSTOM_COLUMNS).await?,
        false => Default::default(),
    };
    if custom_fields.len() > MAX_CUSTOM_COLUMNS {
        let message = request::too_many_custom_columns(MAX_CUSTOM_COLUMNS);
        let diagnostic = Diagnostic::new(Location::Parameter("format".to_owned()), "too_many", message);
        let diagnostic = diagnostic.suggest(request::use_jsonl_or_fields());
        return Err(Problem::from_diagnostic(Code::Unprocessable, diagnostic));
    }
    Ok(CsvColumns::new(export.fields(), &custom_fields))
}

/// Rejects members that don't fit into a row.
fn check_members_fit(export: &Export) -> Result<(), Problem> {
    let is_requested = |name: &&str| export.fields().is_some_and(|fields| fields.contains(*name));
    let diagnostic = |name: &str| {
        let location = Location::Pointer("/_fields".to_owned());
        Diagnostic::new(location, "not_available", request::not_in_row(name)).suggest(request::use_jsonl())
    };
    let diagnostics: Vec<_> = MEMBERS_WITHOUT_COLUMN.into_iter().filter(is_requested).map(diagnostic).collect();
    if diagnostics.is_empty() { Ok(()) } else { Err(Problem::diagnostics(Code::InvalidFilter, diagnostics)) }
}
