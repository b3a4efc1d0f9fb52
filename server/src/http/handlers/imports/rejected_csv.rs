use futures::StreamExt;
use http::{HeaderValue, header};

use super::authorize_read;
use crate::http::export::{self, CsvOptions};
use crate::http::prelude::*;
use crate::service::imports;

/// Approximate memory of a response, in bytes: a page of rows and its text.
const RESPONSE_MEMORY_BYTES: usize = 2 * imports::REJECTED_PAGE_BYTES as usize;

/// Get the rejected rows of an import as CSV.
///
/// The columns are line, reason and the columns of the import, with the delimiter of its file. Formulas are prefixed with an apostrophe,
/// which an import removes. The rows are stored for 30 days from the start of the import, or one day for a dry run. The counts stay.
/// Imports of calls need the scope `calls:read`, all others `leads:read`.
#[utoipa::path(
    get,
    path = "/api/imports/{import_id}/rejected.csv",
    params(CsvOptions),
    responses(
        (
            status = 200,
            content_type = "text/csv",
            body = String,
            example = "line,reason,id,email\n17,email: expected an email address,7,ada\n"
        ),
        (status = 410, description = "The rejected rows were purged")
    )
)]
pub async fn rejected_csv(app: Arc<App>, request: Request) -> Result<Response, Problem> {
    let id = authorize_read(&app, &request).await?;
    let mut query = request.query.reader();
    let csv_options = CsvOptions::from_query(&mut query);
    query.finish()?;
    let file = imports::rejected_csv(app, id, csv_options.delimiter).await?;
    let header_line = csv_options.header_line(file.header.into_bytes());
    let file = futures::stream::once(async move { Ok(header_line) }).chain(file.rows);
    let mut response = reply::stream(HeaderValue::from_static(export::CSV), RESPONSE_MEMORY_BYTES, file);
    let name = HeaderValue::try_from(format!("attachment; filename=\"import-{id}-rejected.csv\""));
    if let Ok(name) = name {
        response.headers_mut().insert(header::CONTENT_DISPOSITION, name);
    }
    Ok(response)
}
