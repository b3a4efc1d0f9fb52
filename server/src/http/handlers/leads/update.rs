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
            description = "Expected `updated_at`, instead of `If-Match`",
            example = "2026-05-01T09:30:00Z"
        ),
        ("If-Match" = Option<String>, Header, description = "`ETag` of the version on which the change is based")
    ),
    request_body(
        content = ref("#/components/schemas/LeadChange"),
        description = "The fields to change; null clears a value",
        example = json!({ "phone": "+442079460019", "do_not_call": false })
    ),
    responses(
        (status = 200, body = Lead),
        (status = 412, description = "The record has changed since that version")
    )
)]
pub async fn update(app: Arc<App>, mut request: Request) -> Result<Response, Problem> {
    let id = request.params.id("lead_id")?;
    let expected_versions = request.expected_versions()?;
    let text = request.text(app.config.limits.max_json_bytes).await?;
    let changed = leads::update(&app, id, &text, expected_versions, &request.audit_context(&app)).await?;
    Ok(etag::with_version(changed.updated_at, reply::json(&changed)))
}
