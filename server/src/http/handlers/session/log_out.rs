//! `DELETE /api/session`.

use std::sync::Arc;

use http::header;

use crate::app::App;
use crate::http::cookies;
use crate::http::identity::Identity;
use crate::http::problem::Refusal;
use crate::http::reply::{self, Response};
use crate::http::request::Request;
use crate::service::sessions;

/// Log out.
///
/// Ends the session on the server and removes the cookie.
#[utoipa::path(delete, path = "/api/session", tag = "session", responses((status = 204, description = "Logged out")))]
pub async fn log_out(app: Arc<App>, request: Request) -> Result<Response, Refusal> {
    let by = request.origin(&app);
    if let Identity::Staff { hash, .. } = request.identity {
        sessions::log_out(&app, hash, &by).await?;
    }
    let mut response = reply::no_content();
    response.headers_mut().insert(header::SET_COOKIE, cookies::clear(app.config.http.is_over_tls()));
    Ok(response)
}
