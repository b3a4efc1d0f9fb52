//! Requests for transcripts.

use leadscribe_engine::api::{CallId, Page, PendingTranscript, Transcript, TranscriptHit, Transcription};

use super::list_query::list_query;
use super::{Api, ApiResult, ListQuery, parse_response};

/// Transcript of a call, or the state of its transcription.
#[derive(Clone, Debug, PartialEq)]
pub enum TranscriptState {
    /// The transcript.
    Ready(Box<Transcript>),
    /// The transcription hasn't finished.
    Pending(PendingTranscript),
}

list_query! {
    /// Query of the transcript search.
    TranscriptQuery of "/api/transcripts":
    search,
    language,
    from,
    till,
    campaign_id,
    lead_id,
    min_duration,
    max_duration,
    token_id,
}

impl Api {
    /// Returns the transcript of a call.
    pub async fn transcript(self, call: CallId) -> ApiResult<TranscriptState> {
        let text = self.exchange(gloo_net::http::Method::GET, &format!("/api/calls/{call}/transcript"), None).await?;
        match serde_json::from_str(&text) {
            Ok(transcript) => Ok(TranscriptState::Ready(Box::new(transcript))),
            Err(_) => parse_response(&text).map(TranscriptState::Pending),
        }
    }

    /// Returns the transcriptions of a call, latest first.
    pub async fn transcriptions(self, call: CallId) -> ApiResult<Vec<Transcription>> {
        self.get(&format!("/api/calls/{call}/transcriptions")).await
    }

    /// Returns a page of transcripts.
    pub async fn transcripts(self, query: TranscriptQuery) -> ApiResult<Page<TranscriptHit>> {
        self.get(&query.url()).await
    }
}

/// URL of a call's transcript as a file; `format` is `vtt`, `srt`, `text` or `json`.
pub fn transcript_url(call: CallId, format: &str) -> String {
    format!("/api/calls/{call}/transcript?format={format}")
}
