use http::{HeaderValue, StatusCode, header};
use leadscribe_engine::api::{CallId, Recording};

use super::range::{self, Part};
use crate::http::etag::{self, has_if_range_mismatch, is_not_modified};
use crate::http::prelude::*;
use crate::http::problem::Code;
use crate::recording::files;
use crate::service::calls::recordings;
use crate::storage::RecordingKey;

/// Approximate memory of a response, in bytes: a chunk as it is read from a file or a bucket.
const RESPONSE_MEMORY_BYTES: usize = 64 * 1024;

/// Play the recording of a call.
///
/// Supports `Range` with a single byte range, and `If-Range` and `If-None-Match` with the `ETag` of an earlier response.
#[utoipa::path(
    get,
    path = "/api/calls/{call_id}/recording",
    params(("Range" = Option<String>, Header, description = "Range of bytes", example = "bytes=0-65535")),
    responses(
        (status = 200, content_type = "audio/*", body = Vec<u8>, description = "The audio file"),
        (status = 206, content_type = "audio/*", body = Vec<u8>, description = "The requested bytes"),
        (status = 304, description = "The client's copy is up to date"),
        (status = 404, description = "There is no such call, or it has no playable recording"),
        (status = 416, description = "The range starts after the end of the recording")
    )
)]
pub async fn play(app: Arc<App>, request: Request) -> Result<Response, Problem> {
    let id: CallId = request.params.id("call_id")?;
    let (recording, key) = recordings::find(&app, id).await?;
    let length = recording.bytes.unwrap_or(0);
    let etag = files::content_id(&key).map(etag::quote);
    let mut response = match &etag {
        Some(etag) if is_not_modified(&request.headers, etag) => {
            reply::with_status(StatusCode::NOT_MODIFIED, Response::default())
        }
        _ => match requested_part(&request, etag.as_deref(), length) {
            Part::Whole => stream_audio(&app, &recording, &key, 0..length).await?,
            Part::Bytes(range) => {
                let content_range = format!("bytes {}-{}/{length}", range.start, range.end - 1);
                let mut part = stream_audio(&app, &recording, &key, range).await?;
                part.headers_mut().insert(header::CONTENT_RANGE, ascii_header(content_range));
                reply::with_status(StatusCode::PARTIAL_CONTENT, part)
            }
            Part::Outside => {
                let detail = format!("the range starts after the end of the recording, which has {length} bytes");
                let problem = Problem::new(Code::RangeNotSatisfiable, detail);
                return Err(problem.with_header(header::CONTENT_RANGE, ascii_header(format!("bytes */{length}"))));
            }
        },
    };
    let headers = response.headers_mut();
    headers.insert(header::ACCEPT_RANGES, HeaderValue::from_static("bytes"));
    let name = format!("inline; filename=\"call-{id}.{}\"", files::extension(&key));
    headers.insert(header::CONTENT_DISPOSITION, ascii_header(name));
    etag::insert_etag(headers, etag);
    Ok(response)
}

/// Returns the requested part, or the whole recording if it was replaced since the client read the other parts.
fn requested_part(request: &Request, etag: Option<&str>, length: u64) -> Part {
    if has_if_range_mismatch(&request.headers, etag) {
        Part::Whole
    } else {
        range::parse(request.header("range"), length)
    }
}

/// Streams a range of the recording.
async fn stream_audio(
    app: &App,
    recording: &Recording,
    key: &RecordingKey,
    range: std::ops::Range<u64>,
) -> Result<Response, Problem> {
    let media_type = recording.media_type.as_deref().and_then(|name| HeaderValue::from_str(name).ok());
    let media_type = media_type.unwrap_or(HeaderValue::from_static("application/octet-stream"));
    let length = range.end - range.start;
    let mut response =
        reply::stream(media_type, RESPONSE_MEMORY_BYTES, recordings::stream_bytes(app, key, range).await?);
    response.headers_mut().insert(header::CONTENT_LENGTH, length.into());
    Ok(response)
}

fn ascii_header(text: String) -> HeaderValue {
    HeaderValue::try_from(text).expect("numbers and fixed words are ASCII")
}
