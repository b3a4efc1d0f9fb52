//! Submission of calls to speech recognition, and access to the results with a token.

pub mod deliver;
pub mod languages;
pub mod recognizer;
pub mod request_status;
pub mod search;
mod submission;
pub mod submit;
pub mod submit_for_token;
pub mod transcript;
pub mod webhook_secret;

use leadscribe_engine::api::SpeechRequestResponse;

use crate::http::reply::{self, Response};

/// Returns the response to a token that ordered deliveries.
fn accepted(request: &SpeechRequestResponse) -> Response {
    reply::accepted(&format!("/api/speech-recognition/requests/{}", request.speech_request_id), request)
}
