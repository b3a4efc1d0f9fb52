use leadscribe_engine::api::{Import, ImportKind, ImportState, Page};

use super::read_scope;
use crate::http::prelude::*;
use crate::http::query::QueryReader;
use crate::service::imports;
use crate::storage::ImportQuery;

/// List imports that match all conditions, without dry runs.
///
/// Imports of calls are listed with the scope `calls:read`, all others with `leads:read`.
#[utoipa::path(
    get,
    path = "/api/imports",
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
pub async fn list(app: Arc<App>, request: Request) -> Result<Response, Problem> {
    let mut reader = request.query.reader();
    let query = parse_import_query(&request, &mut reader)?;
    let slice = reader.slice(app.config.limits.max_page_size);
    reader.finish()?;
    Ok(reply::json(&imports::list(&app, &query, slice).await?))
}

/// Parses the filter of imports, limited to the kinds that the caller may read.
pub fn parse_import_query(request: &Request, reader: &mut QueryReader<'_>) -> Result<ImportQuery, Problem> {
    let can_read = |kind: &ImportKind| request.identity.has_scope(read_scope(*kind));
    let kinds = match reader.enum_value("kind", ImportKind::from_name, ImportKind::names()) {
        Some(kind) if !can_read(&kind) => return Err(Problem::forbidden(read_scope(kind))),
        Some(kind) => vec![kind],
        None => ImportKind::ALL.iter().copied().filter(can_read).collect(),
    };
    Ok(ImportQuery {
        kinds,
        state: reader.enum_value("state", ImportState::from_name, ImportState::names()),
        name: reader.value("name").map(str::to_owned),
        order: reader.order(),
    })
}
