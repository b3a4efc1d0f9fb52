use leadscribe_engine::api::Campaign;

use crate::http::prelude::*;
use crate::service::leads::campaigns;

/// Create a campaign.
#[utoipa::path(
    post,
    path = "/api/campaigns",
    request_body(
        content = ref("#/components/schemas/NewCampaign"),
        description = "The fields of the campaign; omitted fields take their defaults",
        example = json!({
            "name": "Spring renewals",
            "active": true,
            "calling_hours": { "start": "09:00", "end": "20:00", "days": ["mon", "tue", "wed", "thu", "fri"] },
            "max_attempts": 6,
            "daily_attempts": 2,
            "freeze_minutes": 30
        })
    ),
    responses(
        (status = 201, body = Campaign, headers(("Location" = String, description = "URL of the created resource")))
    )
)]
pub async fn create(app: Arc<App>, mut request: Request) -> Result<Response, Problem> {
    let text = request.text(app.config.limits.max_json_bytes).await?;
    let created = campaigns::create(&app, &text, &request.audit_context(&app)).await?;
    Ok(etag::with_version(created.updated_at, reply::created(&format!("/api/campaigns/{}", created.id), &created)))
}
