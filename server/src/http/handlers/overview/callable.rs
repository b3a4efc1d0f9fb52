//! `GET /api/overview/callable`.

use std::sync::Arc;

use leadscribe_engine::api::CallableOverview;

use crate::app::App;
use crate::http::problem::Refusal;
use crate::http::reply::{self, Response};
use crate::http::request::Request;
use crate::service::overview;

/// Which leads can be called now, and why the others can't.
///
/// Each count is the exact total of the filter beside it at the moment `at`. Where counting takes long, the answer is kept
/// for up to a minute, and what could not be counted in time is null.
#[utoipa::path(
    get,
    path = "/api/overview/callable",
    tag = "overview",
    responses((status = 200, body = CallableOverview))
)]
pub async fn callable(app: Arc<App>, _request: Request) -> Result<Response, Refusal> {
    Ok(reply::json(&*overview::callable(&app).await?))
}
