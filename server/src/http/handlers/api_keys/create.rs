use leadscribe_engine::api::{NewApiKeyRequest, NewApiKeyResponse};

use crate::http::prelude::*;
use crate::service::auth::credentials;

/// Create an API key.
///
/// The response contains its secret, which can't be retrieved again.
#[utoipa::path(
    post,
    path = "/api/api-keys",
    request_body = NewApiKeyRequest,
    responses((status = 201, body = NewApiKeyResponse))
)]
pub async fn create(app: Arc<App>, mut request: Request) -> Result<Response, Problem> {
    let new_api_key: NewApiKeyRequest = request.json(app.config.limits.max_json_bytes).await?;
    let created = credentials::create_api_key(&app, new_api_key, &request.audit_context(&app)).await?;
    Ok(reply::created("/api/api-keys", &created))
}
