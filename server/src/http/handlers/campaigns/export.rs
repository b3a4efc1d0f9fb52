//! `GET /api/campaigns/export`.

use std::sync::Arc;

use crate::http::export::{self, CsvOptions, ExportParams};
use crate::http::problem::Problem;
use crate::http::reply::Response;
use crate::http::request::Request;
use crate::service::app::App;

/// Export the campaigns that match a query, with their progress.
///
/// The file has all matches in the order of the list, as CSV or JSON lines. It is streamed; if the server fails, the connection closes
/// early. Changes during the export neither repeat nor skip other campaigns. Each export is recorded in the audit log.
#[utoipa::path(
    get,
    path = "/api/campaigns/export",
    tag = "campaigns",
    params(ExportParams, CsvOptions),
    responses((
        status = 200,
        content((String = "text/csv"), (String = "application/jsonl")),
        description = "The file"
    ))
)]
pub async fn export(app: Arc<App>, request: Request) -> Result<Response, Problem> {
    let mut reader = request.query.reader();
    let (query, params) = (super::list::parse_campaign_query(&mut reader), ExportParams::from_query(&mut reader));
    reader.finish()?;
    export::list(&app, &request, query, params).await
}
