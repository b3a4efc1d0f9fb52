use leadscribe_engine::api::CallableOverview;

use crate::http::prelude::*;
use crate::service::operations::overview;

/// Count the leads that can be called now, and the reasons that block the others.
///
/// Each count is the exact total of its filter at `counted_at`. If counting takes long, the response is cached for up to a minute, and
/// counts that time out are null.
#[utoipa::path(
    get,
    path = "/api/overview/callable",
    responses((status = 200, body = CallableOverview))
)]
pub async fn callable(app: Arc<App>, _request: Request) -> Result<Response, Problem> {
    Ok(reply::json(&*overview::callable(&app).await?))
}
