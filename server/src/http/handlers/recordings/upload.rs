use leadscribe_engine::api::Call;

use crate::http::prelude::*;
use crate::service::calls::recordings;

/// Upload or replace the recording of a call.
///
/// The body is the audio file: WAV (PCM, A-law, µ-law, ADPCM or GSM), MP3, FLAC or Ogg Vorbis, with one or two channels. In stereo, the
/// left channel is the caller. The format is detected from the content. Uploading the same file again has no effect. A recording can't be
/// replaced once it is transcribed.
///
/// `curl -X PUT -H "Authorization: Bearer $KEY" --data-binary @call.wav -H "Content-Type: audio/wav" …/api/calls/101/recording`
#[utoipa::path(
    put,
    path = "/api/calls/{call_id}/recording",
    request_body(content = Vec<u8>, content_type = "audio/*", description = "The audio file"),
    responses(
        (status = 200, body = Call),
        (status = 409, description = "The call's current recording has been or is being transcribed"),
        (status = 413, description = "The file is too large"),
        (status = 422, description = "The file can't be used as a recording; the detail says why and what to do")
    )
)]
pub async fn upload(app: Arc<App>, mut request: Request) -> Result<Response, Problem> {
    // Clients use many media types for audio, and forms and shells send generic ones. The content decides.
    let permitted =
        ["audio/*", "video/*", "application/ogg", "application/octet-stream", "application/x-www-form-urlencoded"];
    request.expect_content_type(&permitted)?;
    request.expect_no_content_encoding()?;
    let id = request.params.id("call_id")?;
    let audit = request.audit_context(&app);
    let body = request.upload(app.config.limits.max_recording_bytes)?;
    let call = recordings::upload(&app, id, body, &audit).await?;
    Ok(reply::json(&call))
}
