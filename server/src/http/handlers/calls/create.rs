use leadscribe_engine::api::Call;

use crate::http::prelude::*;
use crate::service::calls;

/// Create a call.
///
/// Upload its recording to `/api/calls/{call_id}/recording`; until then `recording_state` may be `pending`.
///
/// If the call names a campaign lead, `lead_id` and `campaign_id` default to those of the campaign lead; other values are rejected.
///
/// An outbound call counts as an attempt at its campaign lead, which is named or found by lead and campaign. It updates `calls_count`,
/// `calls_today`, `last_call_at` and `last_call_status`, and sets `freeze_until` to its end plus the campaign's `freeze_minutes`. A call
/// that began no later than `last_call_at` is not counted again.
#[utoipa::path(
    post,
    path = "/api/calls",
    request_body(
        content = ref("#/components/schemas/NewCall"),
        description = "The fields of the call; omitted fields take their defaults",
        example = json!({
            "lead_id": 17,
            "campaign_id": 3,
            "agent": "Grace",
            "direction": "outbound",
            "caller_number": "+12025550143",
            "callee_number": "+4930123456",
            "status": "answered",
            "started_at": "2026-05-01T09:30:00Z",
            "ended_at": "2026-05-01T09:34:10Z"
        })
    ),
    responses(
        (status = 201, body = Call, headers(("Location" = String, description = "URL of the created resource")))
    )
)]
pub async fn create(app: Arc<App>, mut request: Request) -> Result<Response, Problem> {
    let text = request.text(app.config.limits.max_json_bytes).await?;
    let created = calls::create(&app, &text, &request.audit_context(&app)).await?;
    Ok(reply::created(&format!("/api/calls/{}", created.id), &created))
}
