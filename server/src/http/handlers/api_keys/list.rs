//! `GET /api/api-keys`.

use std::sync::Arc;

use leadscribe_engine::api::ApiKey;

use crate::app::App;
use crate::http::problem::Refusal;
use crate::http::reply::{self, Response};
use crate::http::request::Request;
use crate::service::credentials;

/// All API keys, newest first, without their secrets.
#[utoipa::path(get, path = "/api/api-keys", tag = "api-keys", responses((status = 200, body = Vec<ApiKey>)))]
pub async fn list(app: Arc<App>, _request: Request) -> Result<Response, Refusal> {
    Ok(reply::json(&credentials::api_keys(&app).await?))
}
