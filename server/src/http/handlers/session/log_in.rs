use http::header;
use leadscribe_engine::api::{LoginRequest, SessionResponse};

use crate::http::prelude::*;
use crate::http::{auth, cookies};
use crate::service::auth::secrets;
use crate::service::auth::sessions::{self, LoginOrigin};

/// Log in.
///
/// Opens a session of staff with an `HttpOnly` cookie. Send the `csrf_token` as `X-CSRF-Token` with every request that changes something. A
/// second cookie makes this browser known to the account. A known browser has a separate login limit, which other clients can't use up.
#[utoipa::path(
    post,
    path = "/api/session",
    request_body = LoginRequest,
    responses(
        (status = 200, body = SessionResponse),
        (status = 401, description = "Email or password is wrong"),
        (status = 429, description = "Too many attempts; retry after the time in `Retry-After`")
    )
)]
pub async fn log_in(app: Arc<App>, mut request: Request) -> Result<Response, Problem> {
    auth::check_same_origin(&request.headers)?;
    let login: LoginRequest = request.json(app.config.limits.max_json_bytes).await?;
    let is_over_tls = app.config.http.is_over_tls();
    let device_cookie = cookies::device_cookie(&request.headers, is_over_tls);
    let previous_session = cookies::session_secret(&request.headers, is_over_tls).map(|secret| secrets::hash(&secret));
    let user_agent = request.header(header::USER_AGENT.as_str());
    let login_origin =
        LoginOrigin { address: request.address, user_agent, device_cookie: device_cookie.as_deref(), previous_session };
    let opened = sessions::log_in(&app, login, login_origin, &request.audit_context(&app)).await?;
    let mut response = reply::json(&opened.session);
    response.headers_mut().insert(header::SET_COOKIE, cookies::set_session(opened.secret.reveal(), is_over_tls));
    response.headers_mut().append(header::SET_COOKIE, cookies::set_device(opened.device_cookie, is_over_tls));
    Ok(response)
}
