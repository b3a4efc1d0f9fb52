//! Requests for speech recognition.

use gloo_net::http::Method;
use leadscribe_engine::api::{
    CallId, CancelTranscriptionsRequest, CancelledTranscriptions, RecognizerStatus, SubmissionResponse, TokenId,
};
use leadscribe_engine::submission::MAX_CALL_IDS;

use super::{Api, ApiResult, to_json};

impl Api {
    /// Returns the canonical codes of the recognizer's languages.
    pub async fn languages(self) -> ApiResult<Vec<String>> {
        self.get("/api/speech-recognition/languages").await
    }

    /// Returns whether recordings can be transcribed, and the length of the queue.
    pub async fn recognizer_status(self) -> ApiResult<RecognizerStatus> {
        self.get("/api/speech-recognition/recognizer").await
    }

    /// Submits calls for the owner of a token. `body` is JSON text. With `is_dry_run` nothing is queued.
    pub async fn submit_calls(self, token: TokenId, body: String, is_dry_run: bool) -> ApiResult<SubmissionResponse> {
        let query = if is_dry_run { "?dry_run=true" } else { "" };
        self.send(Method::POST, &format!("/api/speech-tokens/{token}/submissions{query}"), Some(body)).await
    }

    /// Cancels pending and running transcriptions of these calls. Returns the number of calls that had any.
    pub async fn cancel_transcriptions(self, calls: &[CallId]) -> ApiResult<usize> {
        let mut count = 0;
        for calls in calls.chunks(MAX_CALL_IDS) {
            let body = to_json(&CancelTranscriptionsRequest { call_ids: calls.to_vec() });
            let response = self.send(Method::POST, "/api/transcriptions/cancel", Some(body)).await;
            let CancelledTranscriptions { cancelled } = response?;
            count += cancelled.len();
        }
        Ok(count)
    }
}
