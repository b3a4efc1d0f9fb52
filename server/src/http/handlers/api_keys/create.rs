//! `POST /api/api-keys`.

use std::sync::Arc;

use leadscribe_engine::api::{NewApiKeyRequest, NewApiKeyResponse};

use crate::http::problem::Problem;
use crate::http::reply::{self, Response};
use crate::http::request::Request;
use crate::service::app::App;
use crate::service::auth::credentials;

/// Create an API key.
///
/// The response contains its secret, which can't be retrieved again.
#[utoipa::path(
    post,
    path = "/api/api-keys",
    tag = "api-keys",
    request_body = NewApiKeyRequest,
    responses((status = 201, body = NewApiKeyResponse))
)]
pub async fn create(app: Arc<App>, mut request: Request) -> Result<Response, Problem> {
    let new_api_key: NewApiKeyRequest = request.json(app.config.limits.max_json_bytes).await?;
    let created = credentials::create_api_key(&app, new_api_key, &request.audit_context(&app)).await?;
    Ok(reply::created("/api/api-keys", &created))
}
