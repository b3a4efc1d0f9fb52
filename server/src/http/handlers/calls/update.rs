use leadscribe_engine::api::Call;

use crate::http::prelude::*;
use crate::service::calls;

/// Change a call.
///
/// If `campaign_lead_id` changes, `lead_id` and `campaign_id` are set to match it; values that don't match are rejected. Once the recording
/// is uploaded, `recording_state` must be `ready`.
#[utoipa::path(
    patch,
    path = "/api/calls/{call_id}",
    request_body(
        content = ref("#/components/schemas/CallChange"),
        description = "The fields to change; null clears a value",
        example = json!({ "status": "no_answer", "agent": null })
    ),
    responses((status = 200, body = Call))
)]
pub async fn update(app: Arc<App>, mut request: Request) -> Result<Response, Problem> {
    let id = request.params.id("call_id")?;
    request.expect_no_if_match()?;
    let text = request.text(app.config.limits.max_json_bytes).await?;
    Ok(reply::json(&calls::update(&app, id, &text, &request.audit_context(&app)).await?))
}
