//! `GET /api/leads/{lead_id}`.

use leadscribe_engine::api::ExtendedLead;

use crate::http::prelude::*;
use crate::service::leads::lead_lookup;

/// Get a lead with all its campaigns and the reasons that block calls now.
#[utoipa::path(
    get,
    path = "/api/leads/{lead_id}",
    responses((status = 200, body = ExtendedLead))
)]
pub async fn read(app: Arc<App>, request: Request) -> Result<Response, Problem> {
    let id = request.params.id("lead_id")?;
    Ok(reply::json(&lead_lookup::by_id(&app, id).await?))
}
