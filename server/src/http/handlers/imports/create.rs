//! `POST /api/imports/{kind}`: one path for each kind, since each needs its own scope.

use std::sync::Arc;

use leadscribe_engine::api::{Import, ImportKind};

use crate::app::App;
use crate::http::problem::Refusal;
use crate::http::reply::{self, Response};
use crate::http::request::Request;
use crate::service::imports;

/// The name of a file that came without one.
const NAMELESS: &str = "upload.csv";

/// Most characters of a file's name.
const MAX_NAME: usize = 255;

/// Import campaigns from a CSV file.
///
/// A row is about the campaign of its `id`, or without one of its `name`.
///
/// The body is the file: commas, a header with the names of the fields; an empty cell is no value. The import goes on
/// after the answer; the path in `Location` tells how far it is. Rows that break a rule are refused with line and reason,
/// and the rest goes in. Importing the same file again changes nothing.
///
/// `curl -X POST -H "Authorization: Bearer $KEY" -H "Content-Type: text/csv" --data-binary @FILE.csv URL?file_name=FILE.csv`
#[utoipa::path(
    post,
    path = "/api/imports/campaigns",
    tag = "imports",
    params(("file_name" = Option<String>, Query, description = "Its name, for the list of imports", example = "campaigns.csv")),
    request_body(
        content = String,
        content_type = "text/csv",
        description = "The file",
        example = "name,active,calling_hours_start,calling_hours_end,calling_hours_days,freeze_minutes\nSpring renewals,true,09:00,20:00,mon tue wed,30\n"
    ),
    responses(
        (status = 202, body = Import, headers(("Location" = String, description = "Where its progress is"))),
        (status = 413, description = "The file is too large")
    )
)]
pub async fn campaigns(app: Arc<App>, request: Request) -> Result<Response, Refusal> {
    create(app, request, ImportKind::Campaigns).await
}

/// Import leads from a CSV file.
///
/// A row is about the lead of its `id`, or without one of its `original_identifier`. Phone numbers are normalised.
///
/// The body is the file: commas, a header with the names of the fields; an empty cell is no value. The import goes on
/// after the answer; the path in `Location` tells how far it is. Rows that break a rule are refused with line and reason,
/// and the rest goes in. Importing the same file again changes nothing.
///
/// `curl -X POST -H "Authorization: Bearer $KEY" -H "Content-Type: text/csv" --data-binary @FILE.csv URL?file_name=FILE.csv`
#[utoipa::path(
    post,
    path = "/api/imports/leads",
    tag = "imports",
    params(("file_name" = Option<String>, Query, description = "Its name, for the list of imports", example = "leads.csv")),
    request_body(
        content = String,
        content_type = "text/csv",
        description = "The file",
        example = "id,first_name,phone,country,custom.segment\n1,Ada,020 7946 0018,GB,gold\n"
    ),
    responses(
        (status = 202, body = Import, headers(("Location" = String, description = "Where its progress is"))),
        (status = 413, description = "The file is too large")
    )
)]
pub async fn leads(app: Arc<App>, request: Request) -> Result<Response, Refusal> {
    create(app, request, ImportKind::Leads).await
}

/// Import leads of campaigns from a CSV file.
///
/// A row is about the campaign lead of its `id`, or without one of its lead and campaign. An unknown status is added,
/// dialable, and reported.
///
/// The body is the file: commas, a header with the names of the fields; an empty cell is no value. The import goes on
/// after the answer; the path in `Location` tells how far it is. Rows that break a rule are refused with line and reason,
/// and the rest goes in. Importing the same file again changes nothing.
///
/// `curl -X POST -H "Authorization: Bearer $KEY" -H "Content-Type: text/csv" --data-binary @FILE.csv URL?file_name=FILE.csv`
#[utoipa::path(
    post,
    path = "/api/imports/campaign-leads",
    tag = "imports",
    params(("file_name" = Option<String>, Query, description = "Its name, for the list of imports", example = "campaign-leads.csv")),
    request_body(
        content = String,
        content_type = "text/csv",
        description = "The file",
        example = "lead_id,campaign_id,status,weight\n1,3,new,10\n"
    ),
    responses(
        (status = 202, body = Import, headers(("Location" = String, description = "Where its progress is"))),
        (status = 413, description = "The file is too large")
    )
)]
pub async fn campaign_leads(app: Arc<App>, request: Request) -> Result<Response, Refusal> {
    create(app, request, ImportKind::CampaignLeads).await
}

/// Import calls from a CSV file.
///
/// A row is about the call of its `id`. Recordings are uploaded to `/api/calls/{call_id}/recording`, or taken in by
/// `leadscribe import calls FILE --recordings DIR`.
///
/// The body is the file: commas, a header with the names of the fields; an empty cell is no value. The import goes on
/// after the answer; the path in `Location` tells how far it is. Rows that break a rule are refused with line and reason,
/// and the rest goes in. Importing the same file again changes nothing.
///
/// `curl -X POST -H "Authorization: Bearer $KEY" -H "Content-Type: text/csv" --data-binary @FILE.csv URL?file_name=FILE.csv`
#[utoipa::path(
    post,
    path = "/api/imports/calls",
    tag = "imports",
    params(("file_name" = Option<String>, Query, description = "Its name, for the list of imports", example = "calls.csv")),
    request_body(
        content = String,
        content_type = "text/csv",
        description = "The file",
        example = "id,lead_id,direction,status,created_at\n101,1,outbound,answered,2026-05-01T09:30:00Z\n"
    ),
    responses(
        (status = 202, body = Import, headers(("Location" = String, description = "Where its progress is"))),
        (status = 413, description = "The file is too large")
    )
)]
pub async fn calls(app: Arc<App>, request: Request) -> Result<Response, Refusal> {
    create(app, request, ImportKind::Calls).await
}

async fn create(app: Arc<App>, mut request: Request, kind: ImportKind) -> Result<Response, Refusal> {
    request.expect_content_type(&["text/csv", "text/plain", "application/csv", "application/octet-stream"])?;
    let mut query = request.query.reader();
    let name = query.one("file_name").unwrap_or(NAMELESS).to_owned();
    if name.is_empty() || name.chars().count() > MAX_NAME || name.chars().any(char::is_control) {
        query.refuse("file_name", "invalid_file_name", &format!("expected 1 to {MAX_NAME} printable characters"));
    }
    query.finish()?;
    let by = request.origin(&app);
    let body = std::mem::take(&mut request.body).stream(app.config.limits.max_import_bytes)?;
    let import = imports::receive(&app, kind, &name, body, by).await?;
    Ok(reply::accepted(&format!("/api/imports/{}", import.id), &import))
}
