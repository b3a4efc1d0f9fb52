use crate::http::prelude::*;

/// Check that the process is running.
///
/// Also succeeds while the server isn't ready for requests.
#[utoipa::path(
    get,
    path = "/healthz",
    responses((status = 200, content_type = "text/plain", body = String))
)]
pub async fn live(_app: Arc<App>, _request: Request) -> Result<Response, Problem> {
    Ok(reply::bytes("text/plain; charset=utf-8", "ok\n"))
}
