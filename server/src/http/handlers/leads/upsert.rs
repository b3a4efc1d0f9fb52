use leadscribe_engine::api::Lead;

use crate::http::prelude::*;
use crate::service::leads;
use crate::storage::{UpsertCondition, UpsertedLead};

/// Create a lead, or change the one with this identifier.
///
/// Fields that the body doesn't name stay unchanged. Phone numbers are normalized as in the other operations on leads.
#[utoipa::path(
    put,
    path = "/api/leads/by-identifier/{original_identifier}",
    params(
        ("original_identifier" = String, Path, description = "`original_identifier` of the lead", example = "crm-4711"),
        (
            "if_updated_at" = Option<String>,
            Query,
            description = "Expected `updated_at`, instead of `If-Match`",
            example = "2026-05-01T09:30:00Z"
        ),
        (
            "If-Match" = Option<String>,
            Header,
            description = "`ETag` of the version on which the change is based; `*` creates no lead"
        ),
        ("If-None-Match" = Option<String>, Header, description = "`*` changes no lead; tags are not supported")
    ),
    request_body(
        content = ref("#/components/schemas/LeadChange"),
        description = "The fields to set; null clears a value",
        example = json!({ "first_name": "Ada", "phone": "+442079460018" })
    ),
    responses(
        (status = 200, body = Lead, description = "The lead was changed, or had these values already"),
        (
            status = 201,
            body = Lead,
            headers(("Location" = String, description = "URL of the created resource")),
            description = "The lead was created"
        ),
        (status = 409, description = "Several leads have this identifier; `permitted` lists their ids"),
        (status = 412, description = "The record has changed since that version, exists, or doesn't exist")
    )
)]
pub async fn upsert(app: Arc<App>, mut request: Request) -> Result<Response, Problem> {
    let condition = UpsertCondition {
        versions: request.expected_versions()?,
        existence: etag::expected_existence(&request.headers)?,
    };
    let text = request.text(app.config.limits.max_json_bytes).await?;
    let (identifier, audit) = (request.params.text("original_identifier"), request.audit_context(&app));
    let UpsertedLead { lead, is_new } = leads::upsert(&app, identifier, &text, condition, &audit).await?;
    let response = if is_new { reply::created(&format!("/api/leads/{}", lead.id), &lead) } else { reply::json(&lead) };
    Ok(etag::with_version(lead.updated_at, response))
}
