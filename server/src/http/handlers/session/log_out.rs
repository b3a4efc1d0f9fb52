use http::header;

use crate::http::cookies;
use crate::http::identity::Identity;
use crate::http::prelude::*;
use crate::service::auth::sessions;

/// Log out.
///
/// Ends the session on the server and removes the cookie.
#[utoipa::path(delete, path = "/api/session", tag = "session", responses((status = 204, description = "Logged out")))]
pub async fn log_out(app: Arc<App>, request: Request) -> Result<Response, Problem> {
    let audit = request.audit_context(&app);
    if let Identity::Staff { session_hash, .. } = request.identity {
        sessions::log_out(&app, session_hash, &audit).await?;
    }
    let mut response = reply::no_content();
    response.headers_mut().insert(header::SET_COOKIE, cookies::clear_session(app.config.http.is_over_tls()));
    Ok(response)
}
