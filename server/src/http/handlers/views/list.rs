use leadscribe_engine::api::{Page, SavedView};

use super::viewer;
use crate::http::prelude::*;
use crate::service::leads::views;

/// List your own saved views and the shared ones, by name.
#[utoipa::path(get, path = "/api/views", tag = "views", responses((status = 200, body = Page<SavedView>)))]
pub async fn list(app: Arc<App>, request: Request) -> Result<Response, Problem> {
    let items = views::list(&app, viewer(&request)?).await?;
    let total = items.len() as u64;
    Ok(reply::json(&Page { items, total }))
}
