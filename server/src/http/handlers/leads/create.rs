use http::StatusCode;
use leadscribe_engine::api::Lead;
use serde::Serialize;

use crate::http::prelude::*;
use crate::service::leads;

/// A created lead, or the created leads in the order of the request.
#[derive(Serialize, utoipa::ToSchema)]
#[serde(untagged)]
#[expect(dead_code, reason = "only describes the response")]
enum CreatedLeads {
    One(Box<Lead>),
    Several(Vec<Lead>),
}

/// Create a lead, or up to 1,000.
///
/// The leads of an array are created all or not at all. Phone numbers are normalized to E.164 with the lead's country, unless the body
/// contains the normalized numbers.
#[utoipa::path(
    post,
    path = "/api/leads",
    request_body(
        content = ref("#/components/schemas/NewLeads"),
        description = "The fields of the lead, or an array of leads; omitted fields take their defaults",
        example = json!({
            "first_name": "Ada",
            "last_name": "Lovelace",
            "phone": "020 7946 0018",
            "country": "GB",
            "timezone": "Europe/London",
            "custom_fields": { "segment": "gold" }
        })
    ),
    responses(
        (
            status = 201,
            body = CreatedLeads,
            headers(("Location" = String, description = "URL of the created resource, unless the body was an array"))
        )
    )
)]
pub async fn create(app: Arc<App>, mut request: Request) -> Result<Response, Problem> {
    let text = request.text(app.config.limits.max_json_bytes).await?;
    let audit = request.audit_context(&app);
    if text.trim_ascii_start().starts_with('[') {
        let created = leads::create_all(&app, &text, &audit).await?;
        return Ok(reply::with_status(StatusCode::CREATED, reply::json(&created)));
    }
    let created = leads::create(&app, &text, &audit).await?;
    Ok(etag::with_version(created.updated_at, reply::created(&format!("/api/leads/{}", created.id), &created)))
}
