use leadscribe_engine::api::{NewWebhookRequest, NewWebhookResponse};

use super::owner;
use crate::http::prelude::*;
use crate::service::webhooks;

/// Create a webhook.
///
/// Each new event is delivered in a separate request, signed with the secret in the response. The secret can't be retrieved again.
#[utoipa::path(
    post,
    path = "/api/webhooks",
    request_body(
        content = NewWebhookRequest,
        example = json!({ "url": "https://example.com/events", "events": ["lead.changed", "lead.deleted"] })
    ),
    responses(
        (
            status = 201,
            body = NewWebhookResponse,
            headers(("Location" = String, description = "URL of the created resource"))
        ),
        (status = 409, description = "The token is revoked, or its owner already has 100 webhooks"),
        (status = 422, description = "The token doesn't exist")
    )
)]
pub async fn create(app: Arc<App>, mut request: Request) -> Result<Response, Problem> {
    let owner = owner(&request);
    let new_webhook: NewWebhookRequest = request.json(app.config.limits.max_json_bytes).await?;
    let created = webhooks::create(&app, new_webhook, owner, &request.audit_context(&app)).await?;
    let location = format!("/api/webhooks/{}", created.webhook.id);
    Ok(etag::with_version(created.webhook.updated_at, reply::created(&location, &created)))
}
