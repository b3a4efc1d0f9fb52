//! `PATCH /api/campaigns/{campaign_id}`.

use std::sync::Arc;

use leadscribe_engine::api::Campaign;

use crate::app::App;
use crate::http::problem::Refusal;
use crate::http::reply::{self, Response};
use crate::http::request::Request;
use crate::service::campaigns;

/// Change a campaign.
#[utoipa::path(
    patch,
    path = "/api/campaigns/{campaign_id}",
    tag = "campaigns",
    params(("campaign_id" = i64, Path, minimum = 1)),
    request_body(
        content = ref("#/components/schemas/CampaignChange"),
        description = "The fields that change; null takes a value away",
        example = json!({ "active": false })
    ),
    responses(
        (status = 200, body = Campaign),
        (status = 404, description = "There is no such campaign"),
        (status = 409, description = "It contradicts what is stored"),
        (status = 422, description = "It names something that does not exist")
    )
)]
pub async fn update(app: Arc<App>, mut request: Request) -> Result<Response, Refusal> {
    let id = request.params.id("campaign_id")?;
    let text = request.text(app.config.limits.max_json_bytes).await?;
    Ok(reply::json(&campaigns::update(&app, id, &text, &request.origin(&app)).await?))
}
