use leadscribe_engine::api::Delivery;

use crate::http::prelude::*;
use crate::service::deliveries;

/// Deliver again, or deliver a waiting delivery now.
///
/// A delivery that has ended is queued again; one that waits for its next attempt becomes due now. An unchanged body keeps its
/// `webhook-id`, by which a receiver can detect duplicates.
#[utoipa::path(
    post,
    path = "/api/deliveries/{delivery_id}/replay",
    responses(
        (
            status = 202,
            body = Delivery,
            description = "The delivery is queued",
            headers(("Location" = String, description = "URL of its progress"))
        ),
        (status = 409, description = "The delivery is running, or its token is revoked")
    )
)]
pub async fn replay(app: Arc<App>, request: Request) -> Result<Response, Problem> {
    let id = request.params.id("delivery_id")?;
    let delivery = deliveries::replay(&app, id, &request.audit_context(&app)).await?;
    Ok(reply::accepted(&format!("/api/deliveries/{}", delivery.id), &delivery))
}
