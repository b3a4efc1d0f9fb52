//! `GET /api/calls/{call_id}/recording/peaks`.

use std::ops::RangeInclusive;
use std::sync::Arc;

use http::{HeaderValue, StatusCode, header};
use leadscribe_engine::api::{CallId, Peaks};

use super::etag::{self, has_it};
use crate::app::App;
use crate::http::problem::Refusal;
use crate::http::reply::{self, Response};
use crate::http::request::Request;
use crate::recording::files;
use crate::service::recordings;

/// Permitted number of intervals; no screen has more pixels across.
const COUNTS: RangeInclusive<usize> = 1..=4_000;

/// Number of intervals without `count`.
const DEFAULT_COUNT: usize = 800;

/// Get the waveform of a recording, for drawing it.
///
/// Supports `If-None-Match` with the `ETag` of an earlier response.
#[utoipa::path(
    get,
    path = "/api/calls/{call_id}/recording/peaks",
    tag = "recordings",
    params(
        ("call_id" = i64, Path, minimum = 1),
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
pub async fn peaks(app: Arc<App>, request: Request) -> Result<Response, Refusal> {
    let mut query = request.query.reader();
    let count = query.whole("count", COUNTS, DEFAULT_COUNT);
    query.finish()?;
    let id: CallId = request.params.id("call_id")?;
    let (recording, key) = recordings::find(&app, id).await?;
    let etag = files::content_id(&key).map(|content| etag::quoted(format_args!("{content}-{count}")));
    let mut response = match &etag {
        Some(etag) if has_it(&request.headers, etag) => {
            reply::with_status(StatusCode::NOT_MODIFIED, Response::default())
        }
        _ => reply::json(&recordings::peaks(&app, &recording, &key, count).await?),
    };
    let headers = response.headers_mut();
    // Revalidation costs no decoding, and the recording may be replaced at any time. The waveform doesn't reveal the conversation.
    headers.insert(header::CACHE_CONTROL, HeaderValue::from_static("private, no-cache"));
    etag::tell(headers, etag);
    Ok(response)
}
