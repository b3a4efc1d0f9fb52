use leadscribe_engine::api::{CampaignProgress, Page};

use crate::http::prelude::*;
use crate::service::leads::campaigns;

/// List the progress of campaigns: their leads by state.
///
/// The order is that of `GET /api/campaigns` with the same parameters.
#[utoipa::path(
    get,
    path = "/api/campaigns/progress",
    params(
        ("search" = Option<String>, Query, description = "Text contained in the name", example = "spring"),
        ("order" = Option<String>, Query, description = "Field to sort by, descending with a leading `-`; `id` by \
             default", example = "-created_at"),
        ("limit" = Option<String>, Query, description = "`<count>` or `<count>;<offset>`", example = "100;0")
    ),
    responses((status = 200, body = Page<CampaignProgress>))
)]
pub async fn progress(app: Arc<App>, request: Request) -> Result<Response, Problem> {
    let mut reader = request.query.reader();
    let query = super::list::parse_campaign_query(&mut reader);
    let slice = reader.slice(app.config.limits.max_page_size);
    reader.finish()?;
    Ok(reply::json(&campaigns::progress(&app, &query, slice).await?))
}
