use leadscribe_engine::api::Call;

use crate::http::prelude::*;
use crate::service::calls;

/// Get a call.
#[utoipa::path(
    get,
    path = "/api/calls/{call_id}",
    params(("If-None-Match" = Option<String>, Header, description = "`ETag` of an earlier response")),
    responses((status = 200, body = Call), (status = 304, description = "The client's copy is up to date"))
)]
pub async fn read(app: Arc<App>, request: Request) -> Result<Response, Problem> {
    let id = request.params.id("call_id")?;
    let call = calls::read(&app, id).await?;
    Ok(etag::conditional_json(&request.headers, None, &call))
}
