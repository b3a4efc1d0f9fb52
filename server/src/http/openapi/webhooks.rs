//! Requests that the server sends to callbacks.

use leadscribe_engine::api::{Transcript, TranscriptionState};
use serde_json::{Value, json};
use utoipa::ToSchema;

/// Returns the `webhooks` section.
pub(super) fn describe() -> Value {
    let header = |name: &str, description: &str, example: &str| {
        json!({
            "name": name, "in": "header", "required": true, "description": description,
            "schema": { "type": "string" }, "example": example
        })
    };
    let transcript = format!("#/components/schemas/{}", Transcript::name());
    json!({ "transcript": { "post": {
        // Clients don't send it; openapi-generator would write an invalid method for it.
        "x-internal": true,
        "operationId": "deliver_transcript",
        "tags": ["deliveries"],
        "summary": "Deliver the transcript of a call, or the reason why there is none, to a callback.",
        "description": "Sent with the method of the callback. `callback_data` replaces this body with a template. Signed according to the \
            Standard Webhooks specification with the webhook secret of the speech token. Any response other than 2xx and 410 is \
            retried for about three days.",
        "security": [],
        "parameters": [
            header("webhook-id", "Identifies the delivery and its body, so that duplicates can be detected.", "msg_31_Vn5T2"),
            header("webhook-timestamp", "Time of the attempt, in seconds since 1970. Reject old times.", "1777627800"),
            header("webhook-signature", "Signatures with the valid secrets, separated by spaces.", "v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4=")
        ],
        "requestBody": { "required": true, "content": { "application/json": { "schema": {
            "type": "object",
            "required": ["call_id", "speech_result"],
            "properties": {
                "call_id": { "type": "integer", "format": "int64", "description": "The call." },
                "speech_result": { "oneOf": [{ "$ref": transcript }, { "type": "null" }], "description": "Its transcript." },
                "transcription_status": {
                    "type": "string",
                    "enum": [TranscriptionState::Completed, TranscriptionState::Failed, TranscriptionState::Cancelled],
                    "description": "How the transcription ended. Only for callbacks of submissions."
                },
                "error": {
                    "type": ["string", "null"],
                    "description": "Why there is no transcript. Only for callbacks of submissions."
                }
            }
        } } } },
        "responses": {
            "2XX": { "description": "Accepted." },
            "410": { "description": "Stops all deliveries of the same request." }
        }
    } } })
}
