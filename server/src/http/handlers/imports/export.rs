//! `GET /api/imports/export`.

use std::sync::Arc;

use crate::app::App;
use crate::http::export::{self, Asked, Sheet};
use crate::http::problem::Refusal;
use crate::http::reply::Response;
use crate::http::request::Request;

/// All imports that meet a query, dry runs apart, as a file: those that the list shows to who asks.
///
/// With the conditions and in the order of the list, all of it: a CSV file, or a line of JSON for each. The file is made while it is
/// sent; when the server can't go on, the connection breaks off. Whatever comes or goes meanwhile, no other import stands twice or
/// is missing. Every export is noted in the audit log.
#[utoipa::path(
    get,
    path = "/api/imports/export",
    tag = "imports",
    params(Asked, Sheet),
    responses((
        status = 200,
        content((String = "text/csv"), (String = "application/jsonl")),
        description = "The file"
    ))
)]
pub async fn export(app: Arc<App>, request: Request) -> Result<Response, Refusal> {
    let mut reader = request.query.reader();
    let (query, asked) = (super::list::import_query(&request, &mut reader)?, Asked::read(&mut reader));
    reader.finish()?;
    export::list(&app, &request, query, asked).await
}
