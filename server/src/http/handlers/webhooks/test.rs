use leadscribe_engine::api::Delivery;

use super::owner;
use crate::http::prelude::*;
use crate::service::webhooks;

/// Send the event `webhook.test` to a webhook.
///
/// It is sent like any other event, also while the webhook is paused.
#[utoipa::path(
    post,
    path = "/api/webhooks/{webhook_id}/test",
    responses(
        (
            status = 202,
            body = Delivery,
            description = "The delivery is queued",
            headers(("Location" = String, description = "URL of the deliveries of the webhook"))
        ),
        (status = 409, description = "Its token is revoked"),
        (status = 429, description = "The webhook has reached its limit of pending deliveries; retry after the time in `Retry-After`")
    )
)]
pub async fn test(app: Arc<App>, request: Request) -> Result<Response, Problem> {
    let id = request.params.id("webhook_id")?;
    let delivery = webhooks::test(&app, id, owner(&request), &request.audit_context(&app)).await?;
    Ok(reply::accepted(&format!("/api/webhooks/{id}/deliveries"), &delivery))
}
