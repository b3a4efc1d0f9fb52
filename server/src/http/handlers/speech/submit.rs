use super::submission::submission_handler;
use crate::http::prelude::*;
use crate::service::speech::call_submission::SubmissionOwner;

submission_handler! {
    /// Submit calls to speech recognition.
    ///
    /// If the body is invalid, nothing is queued and all errors are reported together. A call that can't be transcribed is skipped with a
    /// reason; the others are accepted. Accepted calls are stored before the response is sent. The transcriptions belong to the token in the
    /// body.
    ///
    /// With `callback_url`, each accepted call is delivered there once, when its transcription is completed, failed or cancelled.
    submit at "/api/speech-recognition",
    body "#/components/schemas/Submission", "The calls, the token and the languages",
    {
        "call_ids": [101, 102],
        "token": "ls_tok_...",
        "languages": ["en", "de"],
        "recording_side": "both",
        "min_duration": 5,
        "from": "2026-05-01T00:00:00Z",
        "till": "2026-05-31 23:59:59",
        "callback_url": "https://example.com/calls"
    },
    responses ((status = 401, description = "The token is unknown or revoked"),),
    |request| SubmissionOwner::TokenInBody
}
