use leadscribe_engine::api::Import;

use super::{read_scope, write_scope};
use crate::http::prelude::*;
use crate::service::imports;

/// Get the progress and result of an import.
///
/// Imports of calls need the scope `calls:read` or `calls:write`, all others `leads:read` or `leads:write`.
#[utoipa::path(
    get,
    path = "/api/imports/{import_id}",
    responses((status = 200, body = Import))
)]
pub async fn read(app: Arc<App>, request: Request) -> Result<Response, Problem> {
    let import = imports::read(&app, request.params.id("import_id")?).await?;
    let sufficient_scopes = [read_scope(import.kind), write_scope(import.kind)];
    if !sufficient_scopes.iter().any(|scope| request.identity.has_scope(*scope)) {
        return Err(Problem::forbidden_without(&sufficient_scopes));
    }
    Ok(reply::json(&import))
}
