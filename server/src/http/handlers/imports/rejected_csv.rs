//! `GET /api/imports/{import_id}/rejected.csv`.

use std::sync::Arc;

use futures::StreamExt;
use http::{HeaderValue, header};

use super::readable;
use crate::app::App;
use crate::http::export::{self, Sheet};
use crate::http::problem::Refusal;
use crate::http::reply::{self, Response};
use crate::http::request::Request;
use crate::service::imports;

/// Bytes of such a file that are in memory at once, about: a page of rows, and the text that is made of them.
const WEIGHT: usize = 2 * imports::REJECTED_PAGE_BYTES as usize;

/// The rows that an import refused, as a CSV file: line, reason, then the columns of the import, separated as in its file.
///
/// They are kept for 30 days from its start, those of a dry run for one; its counts stay.
/// Formulas have an apostrophe before them, which an import of the file takes off.
/// Of calls it needs the scope `calls:read`, of anything else `leads:read`.
#[utoipa::path(
    get,
    path = "/api/imports/{import_id}/rejected.csv",
    tag = "imports",
    params(("import_id" = i64, Path, minimum = 1), Sheet),
    responses(
        (
            status = 200,
            content_type = "text/csv",
            body = String,
            example = "line,reason,id,email\n17,email: expected an e-mail address,7,ada\n"
        ),
        (status = 404, description = "There is no such import"),
        (status = 410, description = "They are kept no longer")
    )
)]
pub async fn rejected_csv(app: Arc<App>, request: Request) -> Result<Response, Refusal> {
    let id = readable(&app, &request).await?;
    let mut query = request.query.reader();
    let sheet = Sheet::read(&mut query);
    query.finish()?;
    let file = imports::rejected_csv(app, id, sheet.delimiter).await?;
    let head = sheet.head(file.header.into_bytes());
    let file = futures::stream::once(async move { Ok(head) }).chain(file.rows);
    let mut response = reply::stream(HeaderValue::from_static(export::CSV), WEIGHT, file);
    let name = HeaderValue::try_from(format!("attachment; filename=\"import-{id}-rejected.csv\""));
    if let Ok(name) = name {
        response.headers_mut().insert(header::CONTENT_DISPOSITION, name);
    }
    Ok(response)
}
