use crate::http::prelude::*;
use crate::service::leads::statuses;

/// Delete a status.
///
/// A status that campaign leads have can't be deleted.
#[utoipa::path(
    delete,
    path = "/api/statuses/{name}",
    params(("name" = String, Path, example = "call_back_later")),
    responses(
        (status = 204, description = "Removed"),
        (status = 409, description = "Campaign leads have this status")
    )
)]
pub async fn delete(app: Arc<App>, request: Request) -> Result<Response, Problem> {
    statuses::delete(&app, request.params.text("name"), &request.audit_context(&app)).await?;
    Ok(reply::no_content())
}
