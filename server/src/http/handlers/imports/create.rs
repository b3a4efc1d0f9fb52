//! `POST /api/imports/{kind}`. Each kind has its own path because it needs its own scope.

use leadscribe_engine::api::{Import, ImportId, ImportKind};
use leadscribe_engine::diagnostic::request;
use leadscribe_engine::record::Mapping;

use crate::http::prelude::*;
use crate::service::imports::{self, ImportOptions};
use crate::service::printable_text;
use crate::storage::NewImport;

/// File name if the request has none.
const DEFAULT_FILE_NAME: &str = "upload.csv";

/// Maximum length of a file name in characters.
pub const MAX_FILE_NAME_LENGTH: usize = 255;

/// Defines the handler of a kind. Its description is the text for this kind, followed by the text common to all kinds. File name, mapping
/// and rows are the examples in its documentation.
macro_rules! import_handler {
    (
        $(#[doc = $description:literal])+
        $name:ident: $kind:ident at $path:literal, file $file:literal, mapping $mapping:literal, rows $rows:literal
        $(, params $($extra_params:tt)+)?
    ) => {
        $(#[doc = $description])+
        ///
        /// The body is the file: a header line with field names, then a row for each record. An empty cell means no value. Encoding (UTF-8,
        /// UTF-16 or Windows-1252) and delimiter are detected. Dates may have the day first (`24.12.2025`). Numbers may have a decimal
        /// comma (`12,5`); `1,234` and `1.234` are ambiguous and rejected unless `decimal` of `mapping` is set. If several rows are about the
        /// same record, the first valid one is imported and the others are rejected. `mapping` maps other column names to fields. The import
        /// runs in the background; the path in `Location` shows its progress. Invalid rows are rejected with line and reason, and the
        /// others are imported. Importing the same file again has no effect.
        ///
        /// With `dry_run` nothing is written, and the counts show what an import would do. They compare the file with the stored data in
        /// batches of 2,000 rows. A dry run is not listed, and is deleted after a day.
        ///
        /// `curl -X POST -H "Authorization: Bearer $KEY" -H "Content-Type: text/csv" --data-binary @FILE.csv URL?file_name=FILE.csv`
        #[utoipa::path(
            post,
            path = $path,
            params(
                ("file_name" = Option<String>, Query, description = "File name, for the list of imports", example = $file),
                ("mapping" = Option<String>, Query, description = "Mapping as JSON text. `columns` maps column names to \
                     fields, or to null to ignore a column. `delimiter` is `,`, `;`, `|` or a tab; by default it is \
                     detected. `duplicates` is `none` to reject all rows about the same record. `decimal` is the \
                     decimal separator, `,` or `.`. `identifier` names a column that is also the \
                     `original_identifier`. `default_country` applies to phone numbers without a country code if \
                     neither row nor lead has a known country. For calls, `format` may be `asterisk`; then `timezone` \
                     is the time zone of the records, and `extensions` and `trunks` list patterns such as `1XX` and \
                     `line-*`", example = $mapping),
                ("dry_run" = Option<bool>, Query, description = "Count what an import would do, without writing \
                     anything", example = false),
                ("corrects_import_id" = Option<i64>, Query, minimum = 1, description = "Import whose rejected rows the file \
                     corrects. The file begins with the columns `line` and `reason`, like `rejected.csv`. Imported \
                     rows are no longer listed as rejected, except with `dry_run`. Columns, campaign and status are those of that import; \
                     the delimiter is detected")
                $(, $($extra_params)+)?
            ),
            request_body(content = String, content_type = "text/csv", description = "The file", example = $rows),
            responses(
                (status = 202, body = Import, headers(("Location" = String, description = "URL of its progress"))),
                (status = 409, description = "The rows of that import can't be corrected"),
                (status = 413, description = "The file is too large"),
                (status = 422, description = "There is no such campaign, status or import to correct")
            )
        )]
        pub async fn $name(app: Arc<App>, request: Request) -> Result<Response, Problem> {
            create(app, request, ImportKind::$kind).await
        }
    };
}

import_handler! {
    /// Import campaigns from a CSV file.
    ///
    /// A row identifies its campaign by `id`, or without one by `name`.
    campaigns: Campaigns at "/api/imports/campaigns",
    file "campaigns.csv",
    mapping r#"{"columns":{"Title":"name"}}"#,
    rows "name,active,calling_hours_start,calling_hours_end,calling_hours_days,freeze_minutes\nSpring renewals,true,09:00,20:00,mon tue wed,30\n"
}

import_handler! {
    /// Import leads from a CSV file.
    ///
    /// A row identifies its lead by `id`, or without one by `original_identifier`. Phone numbers are normalized.
    leads: Leads at "/api/imports/leads",
    file "leads.csv",
    mapping r#"{"columns":{"Vorname":"first_name","Notiz":null},"delimiter":";"}"#,
    rows "id,first_name,phone,country,custom.segment\n1,Ada,020 7946 0018,GB,gold\n",
    params
        ("campaign_id" = Option<i64>, Query, minimum = 1, description = "Campaign to which the leads of all imported \
             rows are added, unless they are in it already"),
        ("status" = Option<String>, Query, description = "Status of the added leads in the campaign; `new` by default")
}

import_handler! {
    /// Import leads of campaigns from a CSV file.
    ///
    /// A row identifies its campaign lead by `id`, or without one by lead and campaign. A status may be a name or a label (`No answer` for
    /// `no_answer`); an unknown one is added as dialable and reported.
    campaign_leads: CampaignLeads at "/api/imports/campaign-leads",
    file "campaign-leads.csv",
    mapping r#"{"columns":{"Priority":"weight"}}"#,
    rows "lead_id,campaign_id,status,weight\n1,3,new,10\n"
}

import_handler! {
    /// Import calls from a CSV file.
    ///
    /// A row identifies its call by `id`, or without one by `original_identifier`. Upload recordings to `/api/calls/{call_id}/recording`,
    /// or import them with `leadscribe import calls FILE --recordings DIR`.
    calls: Calls at "/api/imports/calls",
    file "calls.csv",
    mapping r#"{"columns":{"Call ID":"id"}}"#,
    rows "id,lead_id,direction,status,created_at\n101,1,outbound,answered,2026-05-01T09:30:00Z\n"
}

async fn create(app: Arc<App>, mut request: Request, kind: ImportKind) -> Result<Response, Problem> {
    request.expect_content_type(&["text/csv", "text/plain", "application/csv", "application/octet-stream"])?;
    let mut query = request.query.reader();
    let name = query.value("file_name").unwrap_or(DEFAULT_FILE_NAME).to_owned();
    if let Some(message) = printable_text::check(&name, MAX_FILE_NAME_LENGTH) {
        query.add_error("file_name", "invalid_file_name", message);
    }
    let mapping = match query.value("mapping").map(Mapping::from_json) {
        None => Mapping::default(),
        Some(Ok(mapping)) => mapping,
        Some(Err(diagnostics)) => {
            query.add_diagnostics(
                diagnostics.into_iter().map(|diagnostic| diagnostic.in_parameter("mapping")).collect(),
            );
            Mapping::default()
        }
    };
    let dry_run = query.flag("dry_run");
    let (campaign, status) = (query.id("campaign_id"), query.value("status").map(str::to_owned));
    let corrected_import: Option<ImportId> = query.id("corrects_import_id");
    if corrected_import.is_some() {
        for name in ["mapping", "campaign_id", "status"]
            .into_iter()
            .filter(|name| request.query.pairs().iter().any(|(parameter, _)| parameter == name))
        {
            query.add_error(name, "mutually_exclusive", request::determined_by_correction());
        }
    }
    if status.is_some() && campaign.is_none() && corrected_import.is_none() {
        query.add_error("status", "no_campaign", request::requires("campaign_id"));
    }
    query.finish()?;
    let audit = request.audit_context(&app);
    let body = request.upload(app.config.limits.max_import_bytes)?;
    let new_import = NewImport {
        campaign,
        status,
        corrected_import,
        is_dry_run: dry_run,
        is_undoable: true,
        ..NewImport::new(kind, name)
    };
    let import =
        imports::receive(&app, new_import, ImportOptions { mapping, recordings_folder: None }, body, audit).await?;
    Ok(reply::accepted(&format!("/api/imports/{}", import.id), &import))
}
