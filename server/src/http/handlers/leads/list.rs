//! `GET /api/leads?…`.

use leadscribe_engine::api::LeadsResponse;

use super::basic_lookup;
use crate::http::prelude::*;

/// Look up leads as basic records by a filter in the query.
///
/// Every key of a filter is a query parameter: `?country=DE&campaign_id=3&updated_at=2026-05-01%2000:00:00;%3E`. A repeated key matches any
/// of its values; `key[operator]=value` is an operator. Without parameters, all leads are listed.
#[utoipa::path(
    get,
    path = "/api/leads",
    params(
        ("limit" = Option<String>, Query, description = "`<count>` or `<count>;<offset>`", example = "200;0"),
        ("updated_at" = Option<String>, Query, description = "Same syntax as in a filter", example = "2026-05-01 00:00:00;>"),
        ("_order" = Option<String>, Query, description = "Same syntax as in a filter", example = "-updated_at"),
        ("_cursor" = Option<String>, Query, description = "Same syntax as in a filter; empty for the first page"),
        ("_fields" = Option<String>, Query, description = "Same syntax as in a filter, of the basic record's members", example = "id,first_name,phone_normalized")
    ),
    responses((status = 200, body = LeadsResponse))
)]
pub async fn list(app: Arc<App>, request: Request) -> Result<Response, Problem> {
    basic_lookup::look_up(&app, request.query.pairs()).await
}
