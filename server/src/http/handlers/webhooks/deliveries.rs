use leadscribe_engine::api::{Delivery, DeliveryState, Page};

use super::owner;
use crate::http::prelude::*;
use crate::service::webhooks;
use crate::storage::DeliveryQuery;

/// List the deliveries of a webhook.
#[utoipa::path(
    get,
    path = "/api/webhooks/{webhook_id}/deliveries",
    params(
        ("state" = Option<DeliveryState>, Query, description = "Only in this state"),
        ("order" = Option<String>, Query, description = "Field to sort by, descending with a leading `-`; `-id` by \
             default", example = "-attempts"),
        ("limit" = Option<String>, Query, description = "`<count>` or `<count>;<offset>`", example = "100;0")
    ),
    responses((status = 200, body = Page<Delivery>))
)]
pub async fn deliveries(app: Arc<App>, request: Request) -> Result<Response, Problem> {
    let id = request.params.id("webhook_id")?;
    let mut reader = request.query.reader();
    let query = DeliveryQuery {
        state: reader.enum_value("state", DeliveryState::from_name, DeliveryState::names()),
        order: reader.order(),
        ..DeliveryQuery::default()
    };
    let slice = reader.slice(app.config.limits.max_page_size);
    reader.finish()?;
    Ok(reply::json(&webhooks::deliveries(&app, id, owner(&request), query, slice).await?))
}
