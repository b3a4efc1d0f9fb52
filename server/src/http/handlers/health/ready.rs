use crate::http::prelude::*;
use crate::service::operations;

/// Check that the store responds.
///
/// The check also succeeds on a full disk: reads still work and writes are refused for a while, so taking the server out of service would
/// not help.
#[utoipa::path(
    get,
    path = "/readyz",
    responses((status = 200, content_type = "text/plain", body = String))
)]
pub async fn ready(app: Arc<App>, _request: Request) -> Result<Response, Problem> {
    operations::check(&app).await?;
    Ok(reply::bytes("text/plain; charset=utf-8", "ready\n"))
}
