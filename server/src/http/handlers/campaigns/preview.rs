use leadscribe_engine::api::CampaignPreview;

use crate::http::prelude::*;
use crate::service::leads::campaigns;

/// Preview the effect of a campaign change.
///
/// Counts the leads that can be called now, before and after the change, and the reasons that block the others. Nothing is changed.
/// Campaigns with more than 20,000 leads are sampled; then `evaluated` is less than `leads`.
#[utoipa::path(
    post,
    path = "/api/campaigns/{campaign_id}/preview",
    request_body(
        content = ref("#/components/schemas/CampaignChange"),
        description = "The fields to change, as in the change itself",
        example = json!({ "max_attempts": 8 })
    ),
    responses((status = 200, body = CampaignPreview))
)]
pub async fn preview(app: Arc<App>, mut request: Request) -> Result<Response, Problem> {
    let id = request.params.id("campaign_id")?;
    let text = request.text(app.config.limits.max_json_bytes).await?;
    Ok(reply::json(&campaigns::preview(&app, id, &text).await?))
}
