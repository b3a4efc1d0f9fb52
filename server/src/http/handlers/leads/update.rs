//! `PATCH /api/leads/{lead_id}`.

use leadscribe_engine::api::Lead;

use crate::http::prelude::*;
use crate::service::leads;

/// Change a lead.
///
/// If a phone number or the country changes, the normalized numbers are updated.
#[utoipa::path(
    patch,
    path = "/api/leads/{lead_id}",
    params(
        (
            "if_updated_at" = Option<String>,
            Query,
            description = "Expected `updated_at`; if it differs, the response is 409",
            example = "2026-05-01T09:30:00Z"
        )
    ),
    request_body(
        content = ref("#/components/schemas/LeadChange"),
        description = "The fields to change; null clears a value",
        example = json!({ "phone": "+442079460019", "do_not_call": false })
    ),
    responses(
        (status = 200, body = Lead),
        (status = 409, description = "The change conflicts with stored data, or `updated_at` differs from `if_updated_at`")
    )
)]
pub async fn update(app: Arc<App>, mut request: Request) -> Result<Response, Problem> {
    let id = request.params.id("lead_id")?;
    let unmodified_since = request.query.time("if_updated_at")?;
    let text = request.text(app.config.limits.max_json_bytes).await?;
    Ok(reply::json(&leads::update(&app, id, &text, unmodified_since, &request.audit_context(&app)).await?))
}
