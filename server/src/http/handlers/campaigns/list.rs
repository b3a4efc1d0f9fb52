//! `GET /api/campaigns`.

use std::sync::Arc;

use leadscribe_engine::api::{Campaign, Page};

use crate::app::App;
use crate::http::problem::Refusal;
use crate::http::reply::{self, Response};
use crate::http::request::Request;
use crate::service::campaigns;

/// Campaigns, by id.
#[utoipa::path(
    get,
    path = "/api/campaigns",
    tag = "campaigns",
    params(
        ("search" = Option<String>, Query, description = "Only those whose name contains this", example = "spring"),
        ("limit" = Option<String>, Query, description = "`<count>` or `<count>;<offset>`", example = "100;0")
    ),
    responses((status = 200, body = Page<Campaign>))
)]
pub async fn list(app: Arc<App>, request: Request) -> Result<Response, Refusal> {
    let mut query = request.query.reader();
    let search = query.one("search");
    let slice = query.slice(app.config.limits.max_page);
    query.finish()?;
    Ok(reply::json(&campaigns::list(&app, search, slice).await?))
}
