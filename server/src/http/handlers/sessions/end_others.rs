//! `DELETE /api/sessions`.

use std::sync::Arc;

use crate::app::App;
use crate::http::problem::Refusal;
use crate::http::reply::{self, Response};
use crate::http::request::Request;
use crate::service::own_sessions;

/// End all your sessions except the current one.
#[utoipa::path(
    delete,
    path = "/api/sessions",
    tag = "session",
    responses((status = 204, description = "The sessions have ended"))
)]
pub async fn end_others(app: Arc<App>, request: Request) -> Result<Response, Refusal> {
    let (session, hash) = request.identity.staff()?;
    own_sessions::end_others(&app, session.user.id, hash, &request.origin(&app)).await?;
    Ok(reply::no_content())
}
