use leadscribe_engine::api::ApiKey;

use crate::http::prelude::*;
use crate::service::auth::credentials;

/// Revoke an API key.
///
/// The key stops working but stays in the list. Revoking it again has no effect.
#[utoipa::path(
    delete,
    path = "/api/api-keys/{api_key_id}",
    responses((status = 200, body = ApiKey))
)]
pub async fn revoke(app: Arc<App>, request: Request) -> Result<Response, Problem> {
    let id = request.params.id("api_key_id")?;
    Ok(reply::json(&credentials::revoke_api_key(&app, id, &request.audit_context(&app)).await?))
}
