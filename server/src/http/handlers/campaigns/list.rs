use leadscribe_engine::api::{Campaign, Page};

use crate::http::prelude::*;
use crate::http::query::QueryReader;
use crate::service::leads::campaigns;
use crate::storage::CampaignQuery;

/// List campaigns.
#[utoipa::path(
    get,
    path = "/api/campaigns",
    params(
        ("search" = Option<String>, Query, description = "Text contained in the name", example = "spring"),
        ("order" = Option<String>, Query, description = "Field to sort by, descending with a leading `-`; `id` by \
             default", example = "-created_at"),
        ("limit" = Option<String>, Query, description = "`<count>` or `<count>;<offset>`", example = "100;0")
    ),
    responses((status = 200, body = Page<Campaign>))
)]
pub async fn list(app: Arc<App>, request: Request) -> Result<Response, Problem> {
    let mut reader = request.query.reader();
    let query = parse_campaign_query(&mut reader);
    let slice = reader.slice(app.config.limits.max_page_size);
    reader.finish()?;
    Ok(reply::json(&campaigns::list(&app, &query, slice).await?))
}

/// Parses the filter of campaigns.
pub fn parse_campaign_query(reader: &mut QueryReader<'_>) -> CampaignQuery {
    CampaignQuery { search: reader.value("search").map(str::to_owned), order: reader.order() }
}
