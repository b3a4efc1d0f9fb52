use std::ops::RangeInclusive;

use http::{HeaderValue, StatusCode, header};
use leadscribe_engine::api::{CallId, Peaks};

use crate::http::etag::{self, is_not_modified};
use crate::http::prelude::*;
use crate::recording::files;
use crate::service::calls::recordings;

/// Permitted number of intervals; no screen has more pixels across.
const PERMITTED_COUNT: RangeInclusive<usize> = 1..=4_000;

/// Default of `count`.
const DEFAULT_COUNT: usize = 800;

/// Get the waveform of a recording, for drawing it.
///
/// Supports `If-None-Match` with the `ETag` of an earlier response.
#[utoipa::path(
    get,
    path = "/api/calls/{call_id}/recording/peaks",
    params(
        (
            "count" = Option<usize>,
            Query,
            minimum = 1,
            maximum = 4_000,
            description = "Number of equal intervals; 800 by default"
        )
    ),
    responses(
        (status = 200, body = Peaks),
        (status = 304, description = "The client's copy is up to date"),
        (status = 404, description = "There is no such call, or it has no playable recording"),
        (status = 422, description = "The recording can't be decoded; the detail says why")
    )
)]
pub async fn peaks(app: Arc<App>, request: Request) -> Result<Response, Problem> {
    let mut query = request.query.reader();
    let count = query.integer("count", PERMITTED_COUNT, DEFAULT_COUNT);
    query.finish()?;
    let id: CallId = request.params.id("call_id")?;
    let (recording, key) = recordings::find(&app, id).await?;
    let etag = files::content_id(&key).map(|content_id| etag::quote(format_args!("{content_id}-{count}")));
    let mut response = match &etag {
        Some(etag) if is_not_modified(&request.headers, etag) => {
            reply::with_status(StatusCode::NOT_MODIFIED, Response::default())
        }
        _ => reply::json(&recordings::waveform(&app, &recording, &key, count).await?),
    };
    let headers = response.headers_mut();
    // Revalidation costs no decoding, and the recording may be replaced at any time. The waveform doesn't reveal the conversation.
    headers.insert(header::CACHE_CONTROL, HeaderValue::from_static("private, no-cache"));
    etag::insert_etag(headers, etag);
    Ok(response)
}
