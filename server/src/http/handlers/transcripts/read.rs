use http::{HeaderValue, header};
use leadscribe_engine::api::{CallId, PendingTranscript, Transcript};

use super::transcript_format::{self, TranscriptFormat};
use crate::http::prelude::*;
use crate::service::speech::transcripts::{self, TranscriptAvailability};

/// Get the transcript of a call in the format that `format` or `Accept` requests.
///
/// With `format`, the response is a download. Each access is recorded in the audit log.
#[utoipa::path(
    get,
    path = "/api/calls/{call_id}/transcript",
    params(
        (
            "format" = Option<String>, Query,
            description = "Format of the download: `json`, `text`, `vtt` or `srt`", example = "vtt"
        )
    ),
    responses(
        (
            status = 200,
            content(
                (Transcript = "application/json"),
                (String = "text/plain"),
                (String = "text/vtt"),
                (String = "application/x-subrip")
            )
        ),
        (status = 202, body = PendingTranscript, description = "Not available yet; retry after the time in \
             `Retry-After`"),
        (status = 404, description = "There is no such call, or it was never submitted for transcription"),
        (status = 406, description = "None of the types in `Accept` is available; `errors` lists the available ones"),
        (status = 409, description = "The transcription failed; submit the call again"),
        (status = 410, description = "The transcript was purged")
    )
)]
pub async fn read(app: Arc<App>, request: Request) -> Result<Response, Problem> {
    let mut query = request.query.reader();
    let requested_format = query.enum_value("format", TranscriptFormat::from_name, TranscriptFormat::names());
    query.finish()?;
    let format = requested_format.map_or_else(|| TranscriptFormat::negotiate(&request.headers), Ok)?;
    let id: CallId = request.params.id("call_id")?;
    let availability = transcripts::read(&app, id, &request.audit_context(&app)).await?;
    let mut response = transcript_format::to_response(&availability, format);
    if let (Some(requested), TranscriptAvailability::Ready(_)) = (requested_format, &availability)
        && let Ok(name) = HeaderValue::try_from(format!("attachment; filename=\"{}\"", requested.file_name(id)))
    {
        response.headers_mut().insert(header::CONTENT_DISPOSITION, name);
    }
    Ok(response)
}
