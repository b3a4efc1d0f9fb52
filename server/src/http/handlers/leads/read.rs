//! `GET /api/leads/{lead_id}`.

use std::sync::Arc;

use leadscribe_engine::api::ExtendedLead;

use crate::http::problem::Problem;
use crate::http::reply::{self, Response};
use crate::http::request::Request;
use crate::service::app::App;
use crate::service::leads::lead_lookup;

/// Get a lead with all its campaigns and the reasons that block calls now.
#[utoipa::path(
    get,
    path = "/api/leads/{lead_id}",
    tag = "leads",
    params(("lead_id" = i64, Path, minimum = 1)),
    responses((status = 200, body = ExtendedLead), (status = 404, description = "There is no such lead"))
)]
pub async fn read(app: Arc<App>, request: Request) -> Result<Response, Problem> {
    let id = request.params.id("lead_id")?;
    Ok(reply::json(&lead_lookup::by_id(&app, id).await?))
}
