//! `GET /api/leads/{lead_id}`.

use std::sync::Arc;

use leadscribe_engine::api::ExtendedLead;

use crate::app::App;
use crate::http::problem::Refusal;
use crate::http::reply::{self, Response};
use crate::http::request::Request;
use crate::service::look_up_leads;

/// Get a lead with all its campaigns and the reasons that block calls now.
#[utoipa::path(
    get,
    path = "/api/leads/{lead_id}",
    tag = "leads",
    params(("lead_id" = i64, Path, minimum = 1)),
    responses((status = 200, body = ExtendedLead), (status = 404, description = "There is no such lead"))
)]
pub async fn read(app: Arc<App>, request: Request) -> Result<Response, Refusal> {
    let id = request.params.id("lead_id")?;
    Ok(reply::json(&look_up_leads::by_id(&app, id).await?))
}
