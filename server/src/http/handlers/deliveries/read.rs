use leadscribe_engine::api::DeliveryDetail;

use crate::http::prelude::*;
use crate::service::deliveries;

/// Get a delivery with its attempts.
#[utoipa::path(
    get,
    path = "/api/deliveries/{delivery_id}",
    responses((status = 200, body = DeliveryDetail))
)]
pub async fn read(app: Arc<App>, request: Request) -> Result<Response, Problem> {
    let id = request.params.id("delivery_id")?;
    Ok(reply::json(&deliveries::read(&app, id).await?))
}
