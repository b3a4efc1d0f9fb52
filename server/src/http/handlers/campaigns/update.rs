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
            description = "Expected `updated_at`, instead of `If-Match`",
            example = "2026-05-01T09:30:00Z"
        ),
        ("If-Match" = Option<String>, Header, description = "`ETag` of the version on which the change is based")
    ),
    request_body(
        content = ref("#/components/schemas/CampaignChange"),
        description = "The fields to change; null clears a value",
        example = json!({ "active": false })
    ),
    responses(
        (status = 200, body = Campaign),
        (status = 412, description = "The record has changed since that version")
    )
)]
pub async fn update(app: Arc<App>, mut request: Request) -> Result<Response, Problem> {
    let id = request.params.id("campaign_id")?;
    let expected_versions = request.expected_versions()?;
    let text = request.text(app.config.limits.max_json_bytes).await?;
    let changed = campaigns::update(&app, id, &text, expected_versions, &request.audit_context(&app)).await?;
    Ok(etag::with_version(changed.updated_at, reply::json(&changed)))
}
