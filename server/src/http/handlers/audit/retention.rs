use leadscribe_engine::api::Retention;

use crate::http::prelude::*;
use crate::service::operations;

/// Get the retention periods.
///
/// The operator configures them. Audit log entries are never deleted.
#[utoipa::path(get, path = "/api/retention", tag = "audit-log", responses((status = 200, body = Retention)))]
pub async fn retention(app: Arc<App>, _request: Request) -> Result<Response, Problem> {
    Ok(reply::json(&operations::retention(&app)))
}
