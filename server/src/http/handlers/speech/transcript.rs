use leadscribe_engine::api::{PendingTranscript, Transcript};

use crate::http::handlers::transcripts::transcript_format::{self, TranscriptFormat};
use crate::http::prelude::*;
use crate::service::speech::transcripts;

/// Get the transcript of a call in the format that `Accept` requests.
///
/// Only for the token that submitted the call. Calls of other tokens, calls that were never submitted and unknown calls get the same
/// response.
#[utoipa::path(
    get,
    path = "/api/speech-recognition/{call_id}",
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
        (status = 404, description = "The token hasn't submitted this call"),
        (status = 406, description = "None of the types in `Accept` is available; `errors` lists the available ones"),
        (
            status = 409,
            description = "The transcription failed or was cancelled; `message` has the reason. Submit the call again"
        ),
        (status = 410, description = "The transcript was purged")
    )
)]
pub async fn transcript(app: Arc<App>, request: Request) -> Result<Response, Problem> {
    let token = request.identity.token()?;
    let format = TranscriptFormat::negotiate(&request.headers)?;
    let id = request.params.id("call_id")?;
    let availability = transcripts::read_own(&app, id, token, &request.audit_context(&app)).await?;
    Ok(transcript_format::to_response(&availability, format))
}
