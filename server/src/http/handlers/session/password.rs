use http::header;
use leadscribe_engine::api::ChangePasswordRequest;

use crate::http::cookies;
use crate::http::prelude::*;
use crate::service::auth::sessions;

/// Change your own password.
///
/// Ends your other sessions. Your other browsers are no longer recognized as known devices.
#[utoipa::path(
    put,
    path = "/api/session/password",
    request_body = ChangePasswordRequest,
    responses(
        (status = 204, description = "Changed"),
        (status = 429, description = "Too many attempts; retry after the time in `Retry-After`")
    )
)]
pub async fn password(app: Arc<App>, mut request: Request) -> Result<Response, Problem> {
    let change: ChangePasswordRequest = request.json(app.config.limits.max_json_bytes).await?;
    let audit = request.audit_context(&app);
    let (session, session_hash) = request.identity.staff()?;
    let is_over_tls = app.config.http.is_over_tls();
    let device_cookie = cookies::device_cookie(&request.headers, is_over_tls);
    let device_cookie =
        sessions::change_password(&app, &session.user, session_hash, change, device_cookie.as_deref(), &audit).await?;
    let mut response = reply::no_content();
    response.headers_mut().insert(header::SET_COOKIE, cookies::set_device(device_cookie, is_over_tls));
    Ok(response)
}
