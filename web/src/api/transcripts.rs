//! Requests for transcripts.

use leadscribe_engine::api::{CallId, PendingTranscript, Transcript};

use super::{Api, ApiResult, parse_response};

/// Transcript of a call, or the state of its transcription.
#[derive(Clone, Debug, PartialEq)]
pub enum TranscriptState {
    Ready(Box<Transcript>),
    /// The transcription hasn't finished.
    Pending(PendingTranscript),
}

impl Api {
    pub async fn transcript(self, call: CallId) -> ApiResult<TranscriptState> {
        let text = self.exchange(gloo_net::http::Method::GET, &format!("/api/calls/{call}/transcript"), None).await?;
        match serde_json::from_str(&text) {
            Ok(transcript) => Ok(TranscriptState::Ready(Box::new(transcript))),
            Err(_) => parse_response(&text).map(TranscriptState::Pending),
        }
    }
}

/// URL of a call's transcript as a file; `format` is `vtt`, `srt`, `text` or `json`.
pub fn transcript_url(call: CallId, format: &str) -> String {
    format!("/api/calls/{call}/transcript?format={format}")
}
