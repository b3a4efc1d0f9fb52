//! Requests that the server sends to callbacks and webhooks.

use leadscribe_engine::api::{Transcript, TranscriptionState, WebhookEvent};
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
    let operation = |id: &str,
                     tag: &str,
                     summary: &str,
                     description: &str,
                     media_type: &str,
                     schema: Value,
                     gone: &str| {
        json!({ "post": {
            // Clients don't send it; openapi-generator would write an invalid method for it.
            "x-internal": true,
            "operationId": id,
            "tags": [tag],
            "summary": summary,
            "description": format!(
                "{description} Signed according to the Standard Webhooks specification. Any response other than 2xx and 410 is \
                 retried for about three days."
            ),
            "security": [],
            "parameters": [
                header("webhook-id", "Identifies the delivery and its body, so that duplicates can be detected.", "msg_31_Vn5T2"),
                header("webhook-timestamp", "Time of the attempt, in seconds since 1970. Reject old times.", "1777627800"),
                header("webhook-signature", "Signatures with the valid secrets, separated by spaces.", "v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4=")
            ],
            "requestBody": { "required": true, "content": { media_type: { "schema": schema } } },
            "responses": {
                "2XX": { "description": "Accepted." },
                "410": { "description": gone }
            }
        } })
    };
    json!({
        "transcript": operation(
            "deliver_transcript",
            "deliveries",
            "Deliver the transcript of a call, or the reason why there is none, to a callback.",
            "Sent with the method of the callback. `callback_data` replaces this body with a template. The webhook secret of the speech token \
             signs it.",
            "application/json",
            transcript_schema(),
            "Stops all deliveries of the same request.",
        ),
        "event": operation(
            "deliver_event",
            "webhooks",
            "Deliver an event to a webhook.",
            "`body_template` replaces this body with a template, with the media type `application/json`. The secret of the webhook signs it.",
            "application/cloudevents+json",
            event_schema(),
            "Pauses the webhook.",
        ),
    })
}

fn transcript_schema() -> Value {
    let transcript = format!("#/components/schemas/{}", Transcript::name());
    json!({
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
    })
}

fn event_schema() -> Value {
    let text =
        |description: &str, example: &str| json!({ "type": "string", "description": description, "example": example });
    json!({
        "type": "object",
        "required": ["specversion", "id", "source", "type", "subject", "time", "datacontenttype", "data"],
        "properties": {
            "specversion": text("Version of CloudEvents.", "1.0"),
            "id": text("ID of the event, the same for every attempt.", "1f0c9a7be2d4.812.4711"),
            "source": text("Always the same.", "/api/changes"),
            "type": { "$ref": format!("#/components/schemas/{}", WebhookEvent::name()) },
            "subject": text("The record.", "lead:17"),
            "time": { "type": "string", "format": "date-time", "description": "Time of the event." },
            "datacontenttype": text("Media type of the data.", "application/json"),
            "data": {
                "type": "object",
                "description": "The record as it is now. Its members depend on the type.",
                "example": { "id": 17, "record": { "id": 17, "city": "Bonn" } }
            }
        }
    })
}
