use leadscribe_engine::api::CampaignLead;

use crate::http::prelude::*;
use crate::service::leads::campaign_leads;

/// Change a campaign lead.
#[utoipa::path(
    patch,
    path = "/api/campaign-leads/{campaign_lead_id}",
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
        content = ref("#/components/schemas/CampaignLeadChange"),
        description = "The fields to change; null clears a value",
        example = json!({ "status": "callback", "callback_at": "2026-12-01T09:30:00Z" })
    ),
    responses(
        (status = 200, body = CampaignLead),
        (status = 412, description = "The record has changed since that version")
    )
)]
pub async fn update(app: Arc<App>, mut request: Request) -> Result<Response, Problem> {
    let id = request.params.id("campaign_lead_id")?;
    let expected_versions = request.expected_versions()?;
    let text = request.text(app.config.limits.max_json_bytes).await?;
    let changed = campaign_leads::update(&app, id, &text, expected_versions, &request.audit_context(&app)).await?;
    Ok(etag::with_version(changed.updated_at, reply::json(&changed)))
}
