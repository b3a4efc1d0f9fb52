use leadscribe_engine::api::{LeadActionEntry, Page};

use crate::http::prelude::*;
use crate::service::leads::lead_actions;

/// Maximum number of actions in a response.
const MAX_PAGE_ENTRIES: u32 = 100;

/// List bulk actions on leads, newest first.
///
/// Actions are listed as long as they can be undone, which is at least 7 days. An action in several parts is listed once for each part.
#[utoipa::path(
    get,
    path = "/api/leads/actions",
    params(
        ("undone" = Option<bool>, Query, description = "Only actions that were undone (true) or weren't (false)", example = false),
        ("limit" = Option<String>, Query, description = "`<count>` or `<count>;<offset>`; 100 at most", example = "20;0")
    ),
    responses((status = 200, body = Page<LeadActionEntry>))
)]
pub async fn list(app: Arc<App>, request: Request) -> Result<Response, Problem> {
    let mut reader = request.query.reader();
    let undone = reader.enum_value("undone", |text| text.parse().ok(), ["true", "false"].into_iter());
    let slice = reader.slice(MAX_PAGE_ENTRIES);
    reader.finish()?;
    Ok(reply::json(&lead_actions::list(&app, undone, slice).await?))
}
