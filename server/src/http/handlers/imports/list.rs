//! `GET /api/imports`.

use std::sync::Arc;

use leadscribe_engine::api::{Import, ImportKind, ImportState, Page};

use super::reading;
use crate::app::App;
use crate::http::problem::Refusal;
use crate::http::query::Reader;
use crate::http::reply::{self, Response};
use crate::http::request::Request;
use crate::service::imports;
use crate::storage::ImportQuery;

/// List imports that match all conditions, without dry runs.
///
/// Imports of calls are listed with the scope `calls:read`, all others with `leads:read`.
#[utoipa::path(
    get,
    path = "/api/imports",
    tag = "imports",
    params(
        ("kind" = Option<ImportKind>, Query, description = "Only imports of this kind"),
        ("state" = Option<ImportState>, Query, description = "Only in this state"),
        ("name" = Option<String>, Query, description = "Text contained in the file name", example = "spring"),
        ("order" = Option<String>, Query, description = "Field to sort by, descending with a leading `-`; `-id` by \
             default", example = "-counts.rejected"),
        ("limit" = Option<String>, Query, description = "`<count>` or `<count>;<offset>`", example = "100;0")
    ),
    responses((status = 200, body = Page<Import>))
)]
pub async fn list(app: Arc<App>, request: Request) -> Result<Response, Refusal> {
    let mut reader = request.query.reader();
    let query = import_query(&request, &mut reader)?;
    let slice = reader.slice(app.config.limits.max_page);
    reader.finish()?;
    Ok(reply::json(&imports::list(&app, &query, slice).await?))
}

/// Reads the filter of imports, limited to the kinds that the caller may read.
pub(super) fn import_query(request: &Request, reader: &mut Reader<'_>) -> Result<ImportQuery, Refusal> {
    let may_read = |kind: &ImportKind| request.identity.has(reading(*kind));
    let kinds = match reader.named("kind", ImportKind::from_name, ImportKind::names()) {
        Some(kind) if !may_read(&kind) => return Err(Refusal::forbidden(reading(kind))),
        Some(kind) => vec![kind],
        None => ImportKind::ALL.iter().copied().filter(may_read).collect(),
    };
    Ok(ImportQuery {
        kinds,
        state: reader.named("state", ImportState::from_name, ImportState::names()),
        name: reader.one("name").map(str::to_owned),
        order: reader.order(),
    })
}
