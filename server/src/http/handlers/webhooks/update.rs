use leadscribe_engine::api::{UpdateWebhookRequest, Webhook};

use super::owner;
use crate::http::prelude::*;
use crate::service::webhooks;

/// Change, pause or resume a webhook.
///
/// A paused webhook gets only tests. When it is resumed, it also gets the events of the pause.
#[utoipa::path(
    patch,
    path = "/api/webhooks/{webhook_id}",
    params(("If-Match" = Option<String>, Header, description = "`ETag` of the version on which the change is based")),
    request_body(content = UpdateWebhookRequest, example = json!({ "paused": true })),
    responses(
        (status = 200, body = Webhook),
        (status = 412, description = "The record has changed since that version")
    )
)]
pub async fn update(app: Arc<App>, mut request: Request) -> Result<Response, Problem> {
    let (id, owner) = (request.params.id("webhook_id")?, owner(&request));
    let expected_versions = request.expected_versions()?;
    let change: UpdateWebhookRequest = request.json(app.config.limits.max_json_bytes).await?;
    let changed = webhooks::update(&app, id, change, owner, expected_versions, &request.audit_context(&app)).await?;
    Ok(etag::with_version(changed.updated_at, reply::json(&changed)))
}
