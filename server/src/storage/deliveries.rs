//! Store interface for deliveries: of transcripts to callbacks, and of events to webhooks.

use async_trait::async_trait;
use chrono::TimeDelta;
use leadscribe_engine::api::*;
use leadscribe_engine::callback::CallbackTarget;

use super::{AuditContext, Claim, Event, FencedWrite, Result, Slice, TranscriptQuery, WriteError};

/// Diagnostic code for a token that has too many pending deliveries.
pub const TOO_MANY_PENDING_DELIVERIES: &str = "too_many_pending_deliveries";

/// A delivery claimed by a worker.
#[derive(Clone, Debug, PartialEq)]
pub struct ClaimedDelivery {
    /// Claim on the delivery.
    pub claim: Claim<DeliveryId>,
    /// The delivery; `attempts` includes this attempt.
    pub delivery: Delivery,
    /// Number of this attempt since the delivery was created or replayed, from 1. Determines the retry delay and when to give up.
    pub attempt: u32,
    /// Secrets that sign the delivery, `whsec_…`, the current one first.
    pub secrets: Vec<String>,
    /// Event to deliver, if the delivery belongs to a webhook.
    pub event: Option<Event>,
    /// Data to deliver; `None` for a test delivery, and if the transcript was purged.
    pub content: Option<DeliveredRecords>,
}

/// Records that are delivered, as they are now. A record that was deleted is missing.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct DeliveredRecords {
    /// The call.
    pub call: Option<Call>,
    /// The lead, or that of the call or campaign lead.
    pub lead: Option<Lead>,
    /// Campaign of the call or campaign lead.
    pub campaign: Option<Campaign>,
    /// The campaign lead.
    pub campaign_lead: Option<CampaignLead>,
    /// The import.
    pub import: Option<Import>,
    /// Outcome of the call's transcription.
    pub outcome: Option<TranscriptionOutcome>,
}

/// Outcome of a transcription that has ended.
#[derive(Clone, Debug, PartialEq)]
pub enum TranscriptionOutcome {
    /// It was completed with this transcript.
    Transcribed(Transcript),
    /// It failed or was cancelled.
    NotTranscribed(Transcription),
}

/// Result of an attempt.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AttemptResult {
    /// The endpoint accepted the delivery.
    Delivered,
    /// Retry at this time.
    Retry(Timestamp),
    /// The delivery failed for the last time.
    Failed,
    /// The delivery failed. All queued deliveries of the same request are stopped, and its webhook is paused.
    Stopped,
}

/// Filter and order of a list of deliveries. All given conditions must hold.
#[derive(Clone, Copy, Debug, Default)]
pub struct DeliveryQuery {
    /// State of the delivery.
    pub state: Option<DeliveryState>,
    /// Token of the delivery.
    pub token_id: Option<TokenId>,
    /// Webhook of the delivery.
    pub webhook_id: Option<WebhookId>,
    /// Call of the delivery.
    pub call_id: Option<CallId>,
    /// Request of the delivery.
    pub speech_request_id: Option<SpeechRequestId>,
    /// Delivery with the same URL.
    pub same_url_as_delivery: Option<DeliveryId>,
    /// Order of the list.
    pub order: Order<DeliveryOrder>,
}

/// Deliveries of transcripts to callbacks.
#[async_trait]
pub trait DeliveryStore: Send + Sync {
    /// Searches transcripts and queues a delivery for each call found. `query.token_id` must be the token.
    ///
    /// # Errors
    /// [`TOO_MANY_PENDING_DELIVERIES`] if the token would have more than `max_pending` pending deliveries; or storage failed.
    async fn create_speech_request(
        &self,
        token: TokenId,
        query: &TranscriptQuery,
        slice: Slice,
        target: &CallbackTarget,
        max_pending: u64,
        audit: &AuditContext,
    ) -> Result<SpeechRequestResponse, WriteError>;
    /// Progress of a request of this token; `None` if the token has no such request.
    async fn speech_request(&self, token: TokenId, id: SpeechRequestId) -> Result<Option<SpeechRequestStatus>>;
    /// Queues a test delivery. Refused if the token doesn't exist, is revoked, or would have more than `max_pending` pending deliveries.
    async fn create_test_delivery(
        &self,
        token: TokenId,
        target: &CallbackTarget,
        max_pending: u64,
        audit: &AuditContext,
    ) -> Result<Delivery, WriteError>;

    /// Claims the next delivery, like [`super::TranscriptStore::claim_transcription`]. Skips deliveries to a URL that has one in flight, so
    /// that an unresponsive endpoint doesn't delay others. The number of deliveries queued for such an endpoint doesn't slow the claim.
    async fn claim_delivery(&self, lease: TimeDelta, now: Timestamp) -> Result<Option<ClaimedDelivery>>;
    /// Extends the lease to `until`.
    async fn extend_delivery(&self, claim: Claim<DeliveryId>, until: Timestamp) -> Result<FencedWrite>;
    /// Records an attempt and its result, in one transaction. The store sets `attempt.number`.
    async fn finish_attempt(
        &self,
        claim: Claim<DeliveryId>,
        attempt: &DeliveryAttempt,
        result: AttemptResult,
        now: Timestamp,
    ) -> Result<FencedWrite>;
    /// Requeues an unfinished delivery as if it had not been started. Used by a worker that stops.
    async fn release_delivery(&self, claim: Claim<DeliveryId>, now: Timestamp) -> Result<FencedWrite>;

    /// Slice of the deliveries that match the query.
    async fn deliveries(&self, query: &DeliveryQuery, slice: Slice) -> Result<Page<Delivery>>;
    /// Slice of the URLs that deliveries went to, the one with the latest delivery first.
    async fn callback_endpoints(&self, slice: Slice) -> Result<Page<CallbackEndpoint>>;
    /// A single delivery with its attempts, oldest first.
    async fn delivery(&self, id: DeliveryId) -> Result<Option<DeliveryDetail>>;
    /// Requeues a finished delivery under the same message id, due immediately. Also makes a delivery that waits for a retry due
    /// immediately. `None` if the delivery doesn't exist; refused while it is in flight or its call is being transcribed.
    async fn replay_delivery(&self, id: DeliveryId, audit: &AuditContext) -> Result<Option<Delivery>, WriteError>;

    /// Webhook secret of a token, set to `new_secret` if it has none yet. `None` if the token doesn't exist.
    async fn webhook_secret(&self, token: TokenId, new_secret: &str) -> Result<Option<WebhookSecret>>;
    /// Sets the webhook secret of a token to `new_secret`. Until `previous_valid_until`, the previous secret signs deliveries too.
    /// `None` if the token doesn't exist; refused if it is revoked.
    async fn rotate_webhook_secret(
        &self,
        token: TokenId,
        new_secret: &str,
        previous_valid_until: Timestamp,
        audit: &AuditContext,
    ) -> Result<Option<WebhookSecret>, WriteError>;
    /// Deletes deliveries and requests that ended before `before`, with their attempts, and endpoints left without deliveries. Returns the
    /// number of deliveries.
    async fn purge_deliveries(&self, before: Timestamp) -> Result<u64>;
}
