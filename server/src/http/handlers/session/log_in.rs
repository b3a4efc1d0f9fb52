//! `POST /api/session`.

use std::sync::Arc;

use http::header;
use leadscribe_engine::api::{LoginRequest, SessionResponse};

use crate::app::App;
use crate::http::problem::Refusal;
use crate::http::reply::{self, Response};
use crate::http::request::Request;
use crate::http::{auth, cookies};
use crate::service::sessions;

/// Log in.
///
/// Opens a session of staff, in an `HttpOnly` cookie. Send the `csrf_token` as `X-CSRF-Token` with every request that
/// changes something.
#[utoipa::path(
    post,
    path = "/api/session",
    tag = "session",
    request_body = LoginRequest,
    responses(
        (status = 200, body = SessionResponse),
        (status = 401, description = "E-mail or password is wrong"),
        (status = 429, description = "Too many attempts; `Retry-After` says when the next is taken")
    )
)]
pub async fn log_in(app: Arc<App>, mut request: Request) -> Result<Response, Refusal> {
    auth::same_origin(&request.headers)?;
    let login: LoginRequest = request.json(app.config.limits.max_json_bytes).await?;
    let opened = sessions::log_in(&app, login, request.address, &request.origin(&app)).await?;
    let cookie = cookies::set(opened.secret.reveal(), app.config.http.is_over_tls());
    let mut response = reply::json(&opened.session);
    response.headers_mut().insert(header::SET_COOKIE, cookie);
    Ok(response)
}
