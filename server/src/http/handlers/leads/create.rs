use leadscribe_engine::api::Lead;

use crate::http::prelude::*;
use crate::service::leads;

/// Create a lead.
///
/// Phone numbers are normalized to E.164 with the lead's country, unless the body contains the normalized numbers.
#[utoipa::path(
    post,
    path = "/api/leads",
    request_body(
        content = ref("#/components/schemas/NewLead"),
        description = "The fields of the lead; omitted fields take their defaults",
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
        (status = 201, body = Lead, headers(("Location" = String, description = "URL of the created resource")))
    )
)]
pub async fn create(app: Arc<App>, mut request: Request) -> Result<Response, Problem> {
    let text = request.text(app.config.limits.max_json_bytes).await?;
    let created = leads::create(&app, &text, &request.audit_context(&app)).await?;
    Ok(etag::with_version(created.updated_at, reply::created(&format!("/api/leads/{}", created.id), &created)))
}
