//! Requests for speech recognition.

use gloo_net::http::Method;
use leadscribe_engine::api::{
    CallId, CancelTranscriptionsRequest, CancelledTranscriptions, RecognizerStatus, SubmissionResponse, TokenId,
};
use leadscribe_engine::submission::MAX_CALL_IDS;

use super::{Answer, Api, json};

impl Api {
    /// Returns the canonical codes of the recognizer's languages.
    pub async fn languages(self) -> Answer<Vec<String>> {
        self.get("/api/speech-recognition/languages").await
    }

    /// Returns whether recordings can be transcribed, and the length of the queue.
    pub async fn recognizer(self) -> Answer<RecognizerStatus> {
        self.get("/api/speech-recognition/recognizer").await
    }

    /// Submits calls for the owner of a token. `body` is JSON text. With `dry_run` nothing is queued.
    pub async fn submit(self, token: TokenId, body: String, dry_run: bool) -> Answer<SubmissionResponse> {
        let dry_run = if dry_run { "?dry_run=true" } else { "" };
        self.send(Method::POST, &format!("/api/speech-tokens/{token}/submissions{dry_run}"), Some(body)).await
    }

    /// Cancels pending and running transcriptions of these calls. Returns the number of calls that had any.
    pub async fn cancel_transcriptions(self, calls: &[CallId]) -> Answer<usize> {
        let mut count = 0;
        for calls in calls.chunks(MAX_CALL_IDS) {
            let body = json(&CancelTranscriptionsRequest { call_ids: calls.to_vec() });
            let answer = self.send(Method::POST, "/api/transcriptions/cancel", Some(body)).await;
            let CancelledTranscriptions { cancelled } = answer?;
            count += cancelled.len();
        }
        Ok(count)
    }
}
