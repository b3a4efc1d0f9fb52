//! `GET /api/imports/{import_id}/rejected`.

use std::sync::Arc;

use leadscribe_engine::api::{Page, RejectedRow};

use super::readable;
use crate::app::App;
use crate::http::problem::Refusal;
use crate::http::reply::{self, Response};
use crate::http::request::Request;
use crate::service::imports;

/// The rows that an import refused, by line, each with its faults.
///
/// A row of more than 2,000 characters is shown by these and `…`; `rejected.csv` has it whole.
/// They are kept for 30 days from its start, those of a dry run for one; its counts stay.
/// Of calls it needs the scope `calls:read`, of anything else `leads:read`.
#[utoipa::path(
    get,
    path = "/api/imports/{import_id}/rejected",
    tag = "imports",
    params(
        ("import_id" = i64, Path, minimum = 1),
        ("limit" = Option<String>, Query, description = "`<count>` or `<count>;<offset>`", example = "100;0")
    ),
    responses(
        (status = 200, body = Page<RejectedRow>),
        (status = 404, description = "There is no such import"),
        (status = 410, description = "They are kept no longer")
    )
)]
pub async fn rejected(app: Arc<App>, request: Request) -> Result<Response, Refusal> {
    let id = readable(&app, &request).await?;
    let slice = request.query.slice(app.config.limits.max_page)?;
    Ok(reply::json(&imports::rejected(&app, id, slice).await?))
}
