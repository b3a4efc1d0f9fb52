//! Deliveries: the result of one call for a search or submission, or an event for a webhook.

use chrono::{DateTime, Utc};
use serde::{Deserialize, Serialize};

use super::transcript::transcript_search;
use super::{
    CallId, CampaignId, DeliveryId, LeadId, SpeechRequestId, TokenId, TranscriptSearch, WebhookEvent, WebhookId,
    named_enum,
};
use crate::diagnostic::Message;

named_enum! {
    /// HTTP method of a delivery.
    CallbackMethod {
        /// POST.
        Post = "POST",
        /// PUT.
        Put = "PUT",
    }
}

named_enum! {
    /// State of a delivery.
    DeliveryState {
        /// Waiting for the transcription of its call, or until its webhook is resumed.
        Waiting = "waiting",
        /// Waiting for its first or next attempt.
        Queued = "queued",
        /// An attempt is under way.
        Delivering = "delivering",
        /// The endpoint accepted the delivery.
        Delivered = "delivered",
        /// Failed after the maximum number of attempts, or with an error that a retry can't fix.
        Failed = "failed",
        /// The endpoint responded with 410, so the request or webhook sends nothing else to it; or the webhook was deleted.
        Stopped = "stopped",
    }
}

/// Destination and body of deliveries.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(deny_unknown_fields)]
pub struct Callback {
    /// An `https` URL without user name, password or fragment, up to 2,000 characters when percent-encoded. `http` is accepted for networks
    /// that the operator has allowed.
    pub callback_url: String,
    /// HTTP method; POST by default.
    #[serde(default = "post")]
    pub callback_method: CallbackMethod,
    /// Body template: JSON text with placeholders such as `{call_id}` inside its strings. The filled body may have up to 32 MiB. Without a
    /// template, the body contains the call's id and the transcript.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub callback_data: Option<String>,
}

fn post() -> CallbackMethod {
    CallbackMethod::Post
}

/// `POST /api/speech-tokens/{token_id}/speech-requests`: deliver the results of a search.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(deny_unknown_fields)]
pub struct NewSpeechRequest {
    /// Search conditions.
    #[serde(default)]
    pub transcripts: TranscriptSearch,
    /// `"<count>;<offset>"` of the calls found; `"100;0"` by default.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub limit: Option<String>,
    /// Destination.
    pub callback: Callback,
}

transcript_search! {
    /// `POST /api/speech-recognition/searches`: deliver the results of a search. Also the parameters of `GET /api/speech-recognition`.
    #[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
    SpeechSearchRequest {
        /// `<count>` or `<count>;<offset>` of the calls to return or deliver; `100;0` by default.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[cfg_attr(feature = "openapi", param(example = "100;0"))]
        pub limit: Option<String>,
        /// URL to deliver the results to: https with a public address.
        #[cfg_attr(feature = "openapi", param(required = false, example = "https://example.com/calls"))]
        pub callback_url: String,
        /// Method of the deliveries; POST by default.
        #[serde(default = "post")]
        #[cfg_attr(feature = "openapi", param(required = false))]
        pub callback_method: CallbackMethod,
        /// Body of the deliveries: JSON with placeholders inside strings; the call's id and transcript by default.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[cfg_attr(
            feature = "openapi",
            param(example = "{\"id\":\"{call_id}\",\"result\":\"{speech_result}\"}")
        )]
        pub callback_data: Option<String>,
    }
}

impl From<SpeechSearchRequest> for NewSpeechRequest {
    fn from(request: SpeechSearchRequest) -> Self {
        let SpeechSearchRequest {
            phrase,
            search,
            language,
            from,
            till,
            campaign_id,
            lead_id,
            min_duration,
            max_duration,
            limit,
            callback_url,
            callback_method,
            callback_data,
        } = request;
        Self {
            transcripts: TranscriptSearch {
                phrase,
                search,
                language,
                from,
                till,
                campaign_id,
                lead_id,
                min_duration,
                max_duration,
            },
            limit,
            callback: Callback { callback_url, callback_method, callback_data },
        }
    }
}

/// Response to a search whose results are delivered.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct SpeechRequestResponse {
    /// Identifies the request.
    pub speech_request_id: SpeechRequestId,
    /// IDs of the calls, with one delivery each. At most as many as `limit` permits.
    pub call_ids: Vec<CallId>,
    /// Total number of calls found, including those beyond `limit`.
    pub total: u64,
}

/// Progress of a speech request.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct SpeechRequestStatus {
    /// Identifies the request.
    pub speech_request_id: SpeechRequestId,
    /// Time of creation.
    pub created_at: DateTime<Utc>,
    /// Number of deliveries that are running or waiting, including those that wait for a transcription.
    pub pending: u64,
    /// Number of deliveries that were accepted.
    pub delivered: u64,
    /// Number of deliveries that failed or were stopped.
    pub failed: u64,
}

/// A delivery.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Delivery {
    /// Id of the delivery.
    pub id: DeliveryId,
    /// The request that the delivery belongs to; null for a test, and for an event.
    pub speech_request_id: Option<SpeechRequestId>,
    /// The token that owns the transcript or the webhook; null for a staff webhook. The token's secret signs the
    /// delivery if `webhook_id` is null.
    pub token_id: Option<TokenId>,
    /// The webhook that the delivery belongs to, whose secret signs it; null for a request.
    pub webhook_id: Option<WebhookId>,
    /// Type of the event that is delivered; null without a webhook.
    pub event: Option<WebhookEvent>,
    /// The call; null for a test, and for an event of another record.
    pub call_id: Option<CallId>,
    /// Destination.
    pub callback: Callback,
    /// State of the delivery.
    pub state: DeliveryState,
    /// Number of attempts.
    pub attempts: u32,
    /// HTTP status of the latest response.
    pub last_status: Option<u16>,
    /// Error of the latest attempt.
    pub last_error: Option<Message>,
    /// Time of the next attempt.
    pub next_attempt_at: Option<DateTime<Utc>>,
    /// Time of creation.
    pub created_at: DateTime<Utc>,
    /// Time at which the delivery was accepted, failed or was stopped.
    pub finished_at: Option<DateTime<Utc>>,
}

/// A callback URL with counts of the deliveries to it that are still stored.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct CallbackEndpoint {
    /// The URL.
    pub callback_url: String,
    /// The latest delivery to this URL. Pass its id as `same_url_as` to `GET /api/deliveries`.
    pub latest_delivery_id: DeliveryId,
    /// Number of deliveries that are waiting or running.
    pub pending: u64,
    /// Number of deliveries that were accepted.
    pub delivered: u64,
    /// Number of deliveries that failed or were stopped.
    pub failed: u64,
    /// Time of the latest accepted delivery.
    pub last_delivered_at: Option<DateTime<Utc>>,
    /// Time of the latest delivery that failed or was stopped.
    pub last_failed_at: Option<DateTime<Utc>>,
}

/// A delivery attempt.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct DeliveryAttempt {
    /// Number of the attempt, starting at 1.
    pub number: u32,
    /// Start of the attempt.
    pub started_at: DateTime<Utc>,
    /// Duration in milliseconds.
    pub duration_ms: u32,
    /// HTTP status of the response; null without a response.
    pub status: Option<u16>,
    /// Error of the attempt.
    pub error: Option<Message>,
}

/// A delivery with its attempts, oldest first.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct DeliveryDetail {
    /// The delivery.
    pub delivery: Delivery,
    /// Attempts to send the delivery.
    pub attempts: Vec<DeliveryAttempt>,
}

/// The secret that signs the deliveries of a token, in the format of the Standard Webhooks specification.
#[derive(Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct WebhookSecret {
    /// `whsec_` and base64.
    pub secret: String,
    /// Until this time, deliveries are also signed with the previous secret.
    pub previous_valid_until: Option<DateTime<Utc>>,
}
