//! `DELETE /api/leads/{lead_id}`.

use std::sync::Arc;

use crate::http::problem::Problem;
use crate::http::reply::{self, Response};
use crate::http::request::Request;
use crate::service::app::App;
use crate::service::leads;

/// Delete a lead.
///
/// The lead is removed from its campaigns; its calls stay.
#[utoipa::path(
    delete,
    path = "/api/leads/{lead_id}",
    tag = "leads",
    params(("lead_id" = i64, Path, minimum = 1)),
    responses(
        (status = 204, description = "Deleted"),
        (status = 404, description = "There is no such lead")
    )
)]
pub async fn delete(app: Arc<App>, request: Request) -> Result<Response, Problem> {
    let id = request.params.id("lead_id")?;
    leads::delete(&app, id, &request.audit_context(&app)).await?;
    Ok(reply::no_content())
}
