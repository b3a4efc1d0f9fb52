//! Sending calls to speech recognition.

use gloo_net::http::Method;
use leadscribe_engine::api::{RecognizerStatus, SubmissionResponse, TokenId};

use super::{Answer, Api};

impl Api {
    /// The recogniser's languages, as canonical codes.
    pub async fn languages(self) -> Answer<Vec<String>> {
        self.get("/api/speech-recognition/languages").await
    }

    /// Whether recordings can be transcribed, and what waits.
    pub async fn recognizer(self) -> Answer<RecognizerStatus> {
        self.get("/api/speech-recognition/recognizer").await
    }

    /// Sends calls for the owner of a token; `body` is JSON text. With `dry_run` nothing is queued.
    pub async fn submit(self, token: TokenId, body: String, dry_run: bool) -> Answer<SubmissionResponse> {
        let dry_run = if dry_run { "?dry_run=true" } else { "" };
        self.send(Method::POST, &format!("/api/speech-tokens/{token}/submissions{dry_run}"), Some(body)).await
    }
}
