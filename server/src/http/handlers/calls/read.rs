//! `GET /api/calls/{call_id}`.

use leadscribe_engine::api::Call;

use crate::http::prelude::*;
use crate::service::calls;

/// Get a call.
#[utoipa::path(
    get,
    path = "/api/calls/{call_id}",
    responses((status = 200, body = Call))
)]
pub async fn read(app: Arc<App>, request: Request) -> Result<Response, Problem> {
    let id = request.params.id("call_id")?;
    Ok(reply::json(&calls::read(&app, id).await?))
}
