use super::submission::submission_handler;
use crate::http::prelude::*;
use crate::service::speech::call_submission::SubmissionOwner;

submission_handler! {
    /// Submit calls to speech recognition for a token, without its secret.
    ///
    /// Body and response are those of `POST /api/speech-recognition`, except that the body has no `token`.
    submit_for_token at "/api/speech-tokens/{token_id}/submissions",
    body "#/components/schemas/SubmissionForToken", "The calls and their languages",
    { "call_ids": [101, 102], "languages": ["en"], "recording_side": "caller" },
    responses (),
    |request| SubmissionOwner::Token(request.params.id("token_id")?)
}
