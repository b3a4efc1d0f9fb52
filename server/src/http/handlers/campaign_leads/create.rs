use leadscribe_engine::api::CampaignLead;

use crate::http::prelude::*;
use crate::service::leads::campaign_leads;

/// Add a lead to a campaign.
#[utoipa::path(
    post,
    path = "/api/campaign-leads",
    request_body(
        content = ref("#/components/schemas/NewCampaignLead"),
        description = "The fields of the campaign lead; omitted fields take their defaults",
        example = json!({ "lead_id": 17, "campaign_id": 3, "status": "new", "weight": 10 })
    ),
    responses(
        (status = 201, body = CampaignLead, headers(("Location" = String, description = "URL of the created resource")))
    )
)]
pub async fn create(app: Arc<App>, mut request: Request) -> Result<Response, Problem> {
    let text = request.text(app.config.limits.max_json_bytes).await?;
    let created = campaign_leads::create(&app, &text, &request.audit_context(&app)).await?;
    Ok(etag::with_version(created.updated_at, reply::created(&format!("/api/campaign-leads/{}", created.id), &created)))
}
