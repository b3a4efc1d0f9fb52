//! `PUT /api/session/password`.

use std::sync::Arc;

use leadscribe_engine::api::OwnPasswordRequest;

use crate::app::App;
use crate::http::identity::Identity;
use crate::http::problem::{Code, Refusal};
use crate::http::reply::{self, Response};
use crate::http::request::Request;
use crate::service::sessions;

/// Change one's own password.
///
/// Ends one's other sessions.
#[utoipa::path(
    put,
    path = "/api/session/password",
    tag = "session",
    request_body = OwnPasswordRequest,
    responses(
        (status = 204, description = "Changed"),
        (status = 429, description = "Too many attempts; `Retry-After` says when the next is taken")
    )
)]
pub async fn password(app: Arc<App>, mut request: Request) -> Result<Response, Refusal> {
    let change: OwnPasswordRequest = request.json(app.config.limits.max_json_bytes).await?;
    let by = request.origin(&app);
    let Identity::Staff { session, hash } = request.identity else {
        // The route table lets nobody else pass.
        return Err(Refusal::unauthorized(Code::Unauthenticated, "expected a session of staff"));
    };
    sessions::change_password(&app, &session.user, hash, change, request.address, &by).await?;
    Ok(reply::no_content())
}
