//! `GET /api/leads/export`.

use std::sync::Arc;

use bytes::Bytes;
use futures::{StreamExt, TryStreamExt};
use leadscribe_engine::diagnostic::{Diagnostic, Place};
use leadscribe_engine::record::LeadColumn;

use super::answer;
use super::csv::Columns;
use crate::app::App;
use crate::http::export::{Asked, Form, Sheet, file};
use crate::http::problem::{Code, Refusal};
use crate::http::query::Reader;
use crate::http::reply::{self, Response};
use crate::http::request::Request;
use crate::service::export_leads::{self, Export};

/// Approximate memory of a running export, in bytes: a page of leads.
const WEIGHT: usize = export_leads::PAGE_LEADS as usize * answer::EXTENDED_BYTES;

/// Maximum number of columns for custom fields. Spreadsheets support some thousand columns in total.
const MAX_CUSTOM_COLUMNS: usize = 1_000;

/// Members of an extended record that don't fit into a row.
const NO_COLUMNS: [&str; 2] = ["campaigns", "not_callable_reasons"];

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
    tag = "leads",
    params(
        ("filter" = String, Query, description = "The filter, as JSON text", example = r#"{"country":"DE"}"#),
        (
            "column" = Option<Vec<String>>, Query,
            description = "A column of the CSV file; may be given several times, in the order of the columns. Replaces \
                 `_fields`",
            example = json!(["id", "city"])
        ),
        Asked,
        Sheet
    ),
    responses((
        status = 200,
        content((String = "text/csv"), (String = "application/jsonl")),
        description = "The file"
    ))
)]
pub async fn export(app: Arc<App>, request: Request) -> Result<Response, Refusal> {
    let mut query = request.query.reader();
    let (filter, asked) = (query.one("filter"), Asked::read(&mut query));
    let (form, chosen) = (asked.format, columns(&mut query, asked.format));
    if filter.is_none() {
        query.refuse("filter", "required", "expected a value, found none");
    }
    query.finish()?;
    let export = export_leads::check(&app, filter.unwrap_or_default())?;
    if form == Form::Csv && chosen.is_none() {
        only_columns(&export)?;
    }
    if request.is_head {
        return Ok(file("leads", export.now(), form, Response::default()));
    }
    let answer = match form {
        Form::Csv => csv(&export, chosen, asked.sheet).await?,
        Form::Lines => {
            let lines = export.pages().map_ok(|page| Bytes::from(answer::lines(&page)));
            reply::stream(form.media_type(), WEIGHT, lines)
        }
    };
    export.note(&request.origin(&app)).await?;
    Ok(file("leads", export.now(), form, answer))
}

/// Reads the selected columns. Returns `None` if none are named; duplicates are faults.
fn columns(query: &mut Reader<'_>, form: Form) -> Option<Vec<LeadColumn>> {
    let mut columns = Vec::new();
    let names = query.all("column");
    if !names.is_empty() && form == Form::Lines {
        query.refuse(
            "column",
            "not_available",
            "expected none with `format=jsonl`, found some: `_fields` chooses members",
        );
    }
    for name in &names {
        match LeadColumn::from_name(name) {
            Some(column) if columns.contains(&column) => {
                query.refuse("column", "duplicate", format!("expected each column once, found `{name}` twice"));
            }
            Some(column) => columns.push(column),
            None => query.add(vec![unknown_column(name)]),
        }
    }
    (!names.is_empty()).then_some(columns)
}

fn unknown_column(name: &str) -> Diagnostic {
    let known: Vec<_> = LeadColumn::all().map(|column| column.name()).collect();
    let known = || known.iter().map(|name| &**name);
    let place = Place::Parameter("column".to_owned());
    let detail = format!("expected the name of a column or `custom.<name>`, found {name:?}");
    let fault = Diagnostic::new(place, "not_permitted", detail).permitted(known());
    fault.suggest_nearest(name, known())
}

/// Exports the leads as CSV. Without selected columns they are read twice, because the header line names all custom fields.
async fn csv(export: &Export, chosen: Option<Vec<LeadColumn>>, sheet: Sheet) -> Result<Response, Refusal> {
    let columns = match chosen {
        Some(columns) => Columns::chosen(columns),
        None => all_columns(export).await?,
    };
    let delimiter = sheet.delimiter.unwrap_or_default();
    let head = sheet.head(columns.head(delimiter));
    let head = futures::stream::once(async move { Ok(head) });
    let lines = export.pages().map_ok(move |page| Bytes::from(columns.lines(&page, delimiter)));
    Ok(reply::stream(Form::Csv.media_type(), WEIGHT, head.chain(lines)))
}

/// Returns the columns of the selected members and of the custom fields that the leads have.
async fn all_columns(export: &Export) -> Result<Columns, Refusal> {
    let custom = match Columns::have_custom(export.fields()) {
        true => export.custom_fields(MAX_CUSTOM_COLUMNS).await?,
        false => Default::default(),
    };
    if custom.len() > MAX_CUSTOM_COLUMNS {
        let detail = format!("expected leads with at most {MAX_CUSTOM_COLUMNS} custom fields in all, found more");
        let fault = Diagnostic::new(Place::Parameter("format".to_owned()), "too_many", detail);
        let fault = fault.suggest("use `format=jsonl`, or `_fields` without `custom_fields`");
        return Err(Refusal::fault(Code::Unprocessable, fault));
    }
    Ok(Columns::new(export.fields(), &custom))
}

/// Refuses members that don't fit into a row.
fn only_columns(export: &Export) -> Result<(), Refusal> {
    let asked = |name: &&str| export.fields().is_some_and(|fields| fields.contains(*name));
    let fault = |name: &str| {
        let detail = format!("expected members that fit into a row, found `{name}`");
        Diagnostic::new(Place::Pointer("/_fields".to_owned()), "not_available", detail).suggest("use `format=jsonl`")
    };
    let faults: Vec<_> = NO_COLUMNS.into_iter().filter(asked).map(fault).collect();
    if faults.is_empty() { Ok(()) } else { Err(Refusal::faults(Code::InvalidFilter, faults)) }
}
