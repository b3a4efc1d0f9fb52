//! `GET /api/deliveries/{delivery_id}`.

use std::sync::Arc;

use leadscribe_engine::api::DeliveryDetail;

use crate::http::problem::Problem;
use crate::http::reply::{self, Response};
use crate::http::request::Request;
use crate::service::app::App;
use crate::service::deliveries;

/// Get a delivery with its attempts.
#[utoipa::path(
    get,
    path = "/api/deliveries/{delivery_id}",
    tag = "deliveries",
    params(("delivery_id" = i64, Path, minimum = 1)),
    responses((status = 200, body = DeliveryDetail), (status = 404, description = "There is no such delivery"))
)]
pub async fn read(app: Arc<App>, request: Request) -> Result<Response, Problem> {
    let id = request.params.id("delivery_id")?;
    Ok(reply::json(&deliveries::read(&app, id).await?))
}
