use leadscribe_engine::api::{Callback, Delivery, TokenId};
use leadscribe_engine::diagnostic::Location;

use crate::http::prelude::*;
use crate::http::problem::Code;
use crate::service::deliveries;

/// Send a test delivery with a sample call to a callback.
#[utoipa::path(
    post,
    path = "/api/speech-tokens/{token_id}/test-deliveries",
    request_body(
        content = Callback,
        example = json!({
            "callback_url": "https://example.com/calls",
            "callback_method": "PUT",
            "callback_data": "{\"id\":\"{call_id}\",\"result\":\"{speech_result}\"}"
        })
    ),
    responses(
        (
            status = 202,
            body = Delivery,
            description = "The delivery is queued",
            headers(("Location" = String, description = "URL of its progress"))
        ),
        (status = 409, description = "The token is revoked"),
        (
            status = 429,
            description = "The token has reached its limit of pending deliveries or stored templates; retry after the \
                 time in `Retry-After`"
        )
    )
)]
pub async fn test(app: Arc<App>, mut request: Request) -> Result<Response, Problem> {
    let token: TokenId = request.params.id("token_id")?;
    let callback: Callback = request.json(app.config.limits.max_json_bytes).await?;
    let target = deliveries::check(&app, &callback, |name| Location::Pointer(format!("/{name}")));
    let target = target.map_err(|diagnostics| Problem::diagnostics(Code::InvalidRequest, diagnostics))?;
    let delivery = deliveries::test(&app, token, &target, &request.audit_context(&app)).await?;
    Ok(reply::accepted(&format!("/api/deliveries/{}", delivery.id), &delivery))
}
