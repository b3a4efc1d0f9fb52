use crate::http::prelude::*;
use crate::service::operations::metrics_collector;
use crate::telemetry;

/// Get metrics in the Prometheus text format.
#[utoipa::path(
    get,
    path = "/metrics",
    responses((status = 200, content_type = "text/plain", body = String))
)]
pub async fn metrics(app: Arc<App>, _request: Request) -> Result<Response, Problem> {
    metrics_collector::collect(&app).await;
    Ok(reply::bytes("text/plain; version=0.0.4; charset=utf-8", telemetry::metrics::render()))
}
