//! `GET /metrics`.

use std::sync::Arc;

use crate::http::problem::Problem;
use crate::http::reply::{self, Response};
use crate::http::request::Request;
use crate::service::app::App;
use crate::service::operations::metrics_collector;
use crate::telemetry;

/// Get metrics in the Prometheus text format.
#[utoipa::path(
    get,
    path = "/metrics",
    tag = "server",
    responses((status = 200, content_type = "text/plain", body = String))
)]
pub async fn metrics(app: Arc<App>, _request: Request) -> Result<Response, Problem> {
    metrics_collector::collect(&app).await;
    Ok(reply::bytes("text/plain; version=0.0.4; charset=utf-8", telemetry::metrics::render()))
}
