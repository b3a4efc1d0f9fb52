use leadscribe_engine::api::{Delivery, DeliveryState, Page};

use crate::http::prelude::*;
use crate::http::query::QueryReader;
use crate::service::deliveries;
use crate::storage::DeliveryQuery;

/// List deliveries that match all conditions.
#[utoipa::path(
    get,
    path = "/api/deliveries",
    params(
        ("state" = Option<DeliveryState>, Query, description = "Only in this state"),
        ("token_id" = Option<i64>, Query, minimum = 1, description = "Only of this token"),
        ("webhook_id" = Option<i64>, Query, minimum = 1, description = "Only of this webhook"),
        ("call_id" = Option<i64>, Query, minimum = 1, description = "Only for this call"),
        ("speech_request_id" = Option<i64>, Query, minimum = 1, description = "Only of this request"),
        ("same_url_as" = Option<i64>, Query, minimum = 1, description = "Only to the URL of this delivery"),
        ("order" = Option<String>, Query, description = "Field to sort by, descending with a leading `-`; `-id` by \
             default", example = "-attempts"),
        ("limit" = Option<String>, Query, description = "`<count>` or `<count>;<offset>`", example = "100;0")
    ),
    responses((status = 200, body = Page<Delivery>))
)]
pub async fn list(app: Arc<App>, request: Request) -> Result<Response, Problem> {
    let mut reader = request.query.reader();
    let query = parse_delivery_query(&mut reader);
    let slice = reader.slice(app.config.limits.max_page_size);
    reader.finish()?;
    Ok(reply::json(&deliveries::list(&app, &query, slice).await?))
}

/// Parses the filter of deliveries.
pub fn parse_delivery_query(reader: &mut QueryReader<'_>) -> DeliveryQuery {
    DeliveryQuery {
        state: reader.enum_value("state", DeliveryState::from_name, DeliveryState::names()),
        token_id: reader.id("token_id"),
        webhook_id: reader.id("webhook_id"),
        call_id: reader.id("call_id"),
        speech_request_id: reader.id("speech_request_id"),
        same_url_as_delivery: reader.id("same_url_as"),
        order: reader.order(),
    }
}
