//! `DELETE /api/sessions`.

use std::sync::Arc;

use crate::http::problem::Problem;
use crate::http::reply::{self, Response};
use crate::http::request::Request;
use crate::service::app::App;
use crate::service::auth::session_list;

/// End all your sessions except the current one.
#[utoipa::path(
    delete,
    path = "/api/sessions",
    tag = "session",
    responses((status = 204, description = "The sessions have ended"))
)]
pub async fn end_others(app: Arc<App>, request: Request) -> Result<Response, Problem> {
    let (session, hash) = request.identity.staff()?;
    session_list::end_others(&app, session.user.id, hash, &request.audit_context(&app)).await?;
    Ok(reply::no_content())
}
