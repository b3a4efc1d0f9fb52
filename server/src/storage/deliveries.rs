//! What the delivery of transcripts to callbacks asks of a store.

use async_trait::async_trait;
use chrono::TimeDelta;
use leadscribe_engine::api::*;
use leadscribe_engine::callback::Template;

use super::{ByClaim, Claim, Origin, Slice, StoreError, TranscriptQuery, WriteError};

/// Code of the fault with which deliveries of a token are refused that has too many open ones.
pub const TOO_MANY_OPEN_DELIVERIES: &str = "too_many_open_deliveries";

/// Where to, as it was checked.
#[derive(Clone, Debug, PartialEq)]
pub struct Target {
    /// The URL.
    pub url: String,
    /// The method.
    pub method: CallbackMethod,
    /// The body.
    pub template: Template,
}

/// A delivery that a worker has claimed.
#[derive(Clone, Debug, PartialEq)]
pub struct ClaimedDelivery {
    /// The claim.
    pub claim: Claim<DeliveryId>,
    /// The delivery; `attempts` counts this one.
    pub delivery: Delivery,
    /// Which attempt this is since the delivery was made or replayed, from 1. How long to wait for the next one, and
    /// when to give up, goes by it.
    pub attempt: u32,
    /// The secrets that sign it, `whsec_…`, the current one first.
    pub secrets: Vec<String>,
    /// What is delivered; none for a test, and when the transcript was purged since.
    pub content: Option<DeliveredCall>,
}

/// What a delivery is about.
#[derive(Clone, Debug, PartialEq)]
pub struct DeliveredCall {
    /// The call.
    pub call: Call,
    /// Its lead.
    pub lead: Option<Lead>,
    /// Its campaign.
    pub campaign: Option<Campaign>,
    /// Its transcript.
    pub transcript: Transcript,
}

/// What follows an attempt.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AfterAttempt {
    /// The endpoint has taken it.
    Delivered,
    /// Another attempt, at this moment.
    Retry(Timestamp),
    /// It is given up.
    Failed,
    /// It is given up, and all that is still queued of the same request is stopped.
    Stopped,
}

/// Which deliveries a list is about; of several conditions all must hold.
#[derive(Clone, Copy, Debug, Default)]
pub struct DeliveryQuery {
    /// In this state.
    pub state: Option<DeliveryState>,
    /// Of this token.
    pub token_id: Option<TokenId>,
    /// About this call.
    pub call_id: Option<CallId>,
    /// Of this request.
    pub speech_request_id: Option<SpeechRequestId>,
    /// To the URL of this one.
    pub same_url_as: Option<DeliveryId>,
    /// In which order.
    pub order: Order<DeliveryOrder>,
}

/// Deliveries of transcripts to callbacks.
#[async_trait]
pub trait DeliveryStore: Send + Sync {
    /// Searches, and queues a delivery for each call found. `query.token_id` is the token's.
    ///
    /// # Errors
    /// [`TOO_MANY_OPEN_DELIVERIES`] if more than `max_open` deliveries of the token would be open; or the store failed.
    async fn create_speech_request(
        &self,
        token: TokenId,
        query: &TranscriptQuery,
        slice: Slice,
        target: &Target,
        max_open: u64,
        by: &Origin,
    ) -> Result<SpeechRequestResponse, WriteError>;
    /// How far a request of this token is; none when the token has no such request.
    async fn speech_request(
        &self,
        token: TokenId,
        id: SpeechRequestId,
    ) -> Result<Option<SpeechRequestStatus>, StoreError>;
    /// Queues a test delivery. Refused when there is no such token, it is revoked, or more than `max_open` of its
    /// deliveries would be open.
    async fn create_test_delivery(
        &self,
        token: TokenId,
        target: &Target,
        max_open: u64,
        by: &Origin,
    ) -> Result<Delivery, WriteError>;

    /// Claims the next delivery, as [`super::TranscriptStore::claim_transcription`] does. None while another one to the
    /// same URL is under way, so that an endpoint that doesn't answer holds up nobody else's. How many wait for such an
    /// endpoint makes a claim no slower.
    async fn claim_delivery(&self, lease: TimeDelta, now: Timestamp) -> Result<Option<ClaimedDelivery>, StoreError>;
    /// Moves the end of the lease to `until`.
    async fn extend_delivery(&self, claim: Claim<DeliveryId>, until: Timestamp) -> Result<ByClaim, StoreError>;
    /// Notes an attempt and what follows it, in one transaction. `attempt.number` is set by the store.
    async fn finish_attempt(
        &self,
        claim: Claim<DeliveryId>,
        attempt: &DeliveryAttempt,
        after: AfterAttempt,
        now: Timestamp,
    ) -> Result<ByClaim, StoreError>;
    /// Gives an unfinished delivery back at once, as if it had not been begun: for a worker that stops.
    async fn release_delivery(&self, claim: Claim<DeliveryId>, now: Timestamp) -> Result<ByClaim, StoreError>;

    /// A slice of the deliveries that meet the query.
    async fn deliveries(&self, query: &DeliveryQuery, slice: Slice) -> Result<Page<Delivery>, StoreError>;
    /// A slice of the URLs that deliveries went to, the one with the latest delivery first.
    async fn callback_endpoints(&self, slice: Slice) -> Result<Page<CallbackEndpoint>, StoreError>;
    /// One delivery with its attempts, oldest first.
    async fn delivery(&self, id: DeliveryId) -> Result<Option<DeliveryDetail>, StoreError>;
    /// Queues a delivery that has ended once more, under the same message id, and makes it due at once; one that waits
    /// for its next attempt too. None when there is no such delivery; refused while it is under way.
    async fn replay_delivery(&self, id: DeliveryId, by: &Origin) -> Result<Option<Delivery>, WriteError>;

    /// The webhook secret of a token; `fresh` becomes it when the token has none yet. None when there is no such token.
    async fn webhook_secret(&self, token: TokenId, fresh: &str) -> Result<Option<WebhookSecret>, StoreError>;
    /// Makes `fresh` the webhook secret of a token; deliveries are signed with the one before it too, until
    /// `previous_until`. None when there is no such token; refused when it is revoked.
    async fn rotate_webhook_secret(
        &self,
        token: TokenId,
        fresh: &str,
        previous_until: Timestamp,
        by: &Origin,
    ) -> Result<Option<WebhookSecret>, WriteError>;
    /// Forgets deliveries and requests that ended before `before`, with their attempts, and endpoints that are left without
    /// deliveries; gives how many deliveries.
    async fn purge_deliveries(&self, before: Timestamp) -> Result<u64, StoreError>;
}
