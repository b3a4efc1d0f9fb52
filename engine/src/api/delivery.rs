//! Callbacks: searches whose results are delivered, and the deliveries, one call each.

use std::fmt;
use std::marker::PhantomData;

use chrono::{DateTime, Utc};
use serde::de::value::MapAccessDeserializer;
use serde::de::{MapAccess, Visitor};
use serde::{Deserialize, Deserializer, Serialize};

use super::{CallId, DeliveryId, SpeechRequestId, TokenId, TranscriptSearch, named_enum};

named_enum! {
    /// The method of a delivery.
    CallbackMethod {
        /// POST.
        Post = "POST",
        /// PUT.
        Put = "PUT",
    }
}

named_enum! {
    /// How far a delivery is.
    DeliveryState {
        /// It waits for its first attempt or its next.
        Queued = "queued",
        /// An attempt is under way.
        Delivering = "delivering",
        /// The endpoint has taken it.
        Delivered = "delivered",
        /// Given up after the permitted attempts, or because no attempt could succeed.
        Failed = "failed",
        /// The endpoint answered 410: nothing more is to be sent for this request.
        Stopped = "stopped",
    }
}

/// Where results are delivered, and as what.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(deny_unknown_fields)]
pub struct Callback {
    /// An `https` URL without user name, password and fragment, up to 2,000 characters once it is percent-encoded. `http`
    /// is taken for networks that the operator has allowed.
    pub callback_url: String,
    /// The method; POST by default.
    #[serde(default = "post")]
    pub callback_method: CallbackMethod,
    /// The body: JSON text with placeholders such as `{call_id}` inside its strings, filled in up to 32 MiB. Without one: the
    /// call's id and the transcript.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub callback_data: Option<String>,
}

fn post() -> CallbackMethod {
    CallbackMethod::Post
}

/// `POST /api/speech-tokens/{token_id}/speech-requests`: deliver what a search finds.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(deny_unknown_fields)]
pub struct NewSpeechRequest {
    /// What is searched.
    #[serde(default, deserialize_with = "object")]
    pub search: TranscriptSearch,
    /// `"<count>;<offset>"` of the calls found; `"100;0"` by default.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub limit: Option<String>,
    /// Where to.
    #[serde(deserialize_with = "object")]
    pub callback: Callback,
}

/// Reads an object. Derived code alone would take an array too, its items for the members in their order.
fn object<'de, D: Deserializer<'de>, T: Deserialize<'de>>(deserializer: D) -> Result<T, D::Error> {
    struct Object<T>(PhantomData<T>);

    impl<'de, T: Deserialize<'de>> Visitor<'de> for Object<T> {
        type Value = T;

        fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            f.write_str("a JSON object")
        }

        fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<T, A::Error> {
            T::deserialize(MapAccessDeserializer::new(map))
        }
    }

    deserializer.deserialize_map(Object(PhantomData))
}

/// What was found and is being delivered.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct SpeechRequestResponse {
    /// Identifies the request.
    pub speech_request_id: SpeechRequestId,
    /// The calls, one delivery each: no more than `limit` says.
    pub call_ids: Vec<CallId>,
    /// How many calls the search found: those that `limit` leaves out too.
    pub total: u64,
}

/// How far a request is.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct SpeechRequestStatus {
    /// Identifies the request.
    pub speech_request_id: SpeechRequestId,
    /// When it was made.
    pub created_at: DateTime<Utc>,
    /// Deliveries that wait or are under way.
    pub open: u64,
    /// Deliveries that were taken.
    pub delivered: u64,
    /// Deliveries that were given up or stopped.
    pub failed: u64,
}

/// A delivery.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Delivery {
    /// Its id.
    pub id: DeliveryId,
    /// The request it belongs to; none for a test.
    pub speech_request_id: Option<SpeechRequestId>,
    /// The token whose transcript is delivered, and whose secret signs it.
    pub token_id: TokenId,
    /// The call; none for a test.
    pub call_id: Option<CallId>,
    /// Where to.
    pub callback: Callback,
    /// How far it is.
    pub state: DeliveryState,
    /// How often it was attempted.
    pub attempts: u32,
    /// Status of the latest answer.
    pub last_status: Option<u16>,
    /// Why the latest attempt failed.
    pub last_error: Option<String>,
    /// When the next attempt is due.
    pub next_attempt_at: Option<DateTime<Utc>>,
    /// When it was made.
    pub created_at: DateTime<Utc>,
    /// When it was taken or given up.
    pub finished_at: Option<DateTime<Utc>>,
}

/// A URL that results were delivered to, with what became of the deliveries that are still kept.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct CallbackEndpoint {
    /// The URL.
    pub callback_url: String,
    /// The latest delivery to it; `same_url_as` of `GET /api/deliveries` takes its id.
    pub latest_delivery_id: DeliveryId,
    /// Deliveries that wait or are under way.
    pub open: u64,
    /// Deliveries that were taken.
    pub delivered: u64,
    /// Deliveries that were given up or stopped.
    pub failed: u64,
    /// When the latest was taken.
    pub last_delivered_at: Option<DateTime<Utc>>,
    /// When the latest was given up or stopped.
    pub last_failed_at: Option<DateTime<Utc>>,
}

/// An attempt to deliver.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct DeliveryAttempt {
    /// Counted from 1.
    pub number: u32,
    /// When it began.
    pub at: DateTime<Utc>,
    /// How long it took, in milliseconds.
    pub duration_ms: u32,
    /// Status of the answer; none where there was none.
    pub status: Option<u16>,
    /// Why it failed.
    pub error: Option<String>,
}

/// A delivery with its attempts, oldest first.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct DeliveryDetail {
    /// The delivery.
    pub delivery: Delivery,
    /// Its attempts.
    pub attempts: Vec<DeliveryAttempt>,
}

/// The secret with which deliveries of a token are signed, as the Standard Webhooks specification says.
#[derive(Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct WebhookSecret {
    /// `whsec_` and base64.
    pub secret: String,
    /// Until when deliveries are signed with the secret before it too.
    pub previous_until: Option<DateTime<Utc>>,
}
