//! `PATCH /api/campaigns/{campaign_id}`.

use leadscribe_engine::api::Campaign;

use crate::http::prelude::*;
use crate::service::leads::campaigns;

/// Change a campaign.
#[utoipa::path(
    patch,
    path = "/api/campaigns/{campaign_id}",
    params(
        (
            "if_updated_at" = Option<String>,
            Query,
            description = "Expected `updated_at`; if it differs, the response is 409",
            example = "2026-05-01T09:30:00Z"
        )
    ),
    request_body(
        content = ref("#/components/schemas/CampaignChange"),
        description = "The fields to change; null clears a value",
        example = json!({ "active": false })
    ),
    responses(
        (status = 200, body = Campaign),
        (status = 409, description = "The change conflicts with stored data, or `updated_at` differs from `if_updated_at`")
    )
)]
pub async fn update(app: Arc<App>, mut request: Request) -> Result<Response, Problem> {
    let id = request.params.id("campaign_id")?;
    let unmodified_since = request.query.time("if_updated_at")?;
    let text = request.text(app.config.limits.max_json_bytes).await?;
    Ok(reply::json(&campaigns::update(&app, id, &text, unmodified_since, &request.audit_context(&app)).await?))
}
