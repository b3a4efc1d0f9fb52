//! Store interface for submissions to speech recognition.

use async_trait::async_trait;
use leadscribe_engine::api::*;
use leadscribe_engine::submission::Submission;

use super::{AuditContext, Result};

/// Idempotency key of a submission.
#[derive(Clone, Debug)]
pub struct IdempotencyKey {
    /// Key chosen by the client, 1 to 255 visible ASCII characters.
    pub key: String,
    /// SHA-256 over the request. Another fingerprint under the same key is refused.
    pub fingerprint: [u8; 32],
    /// False if only the response to an earlier submission may be replayed, and no new one is stored.
    pub can_store: bool,
}

/// Outcome of a submission.
#[derive(Clone, Debug, PartialEq)]
pub enum SubmitOutcome {
    /// The submission was carried out now.
    Done(SubmissionResponse),
    /// The submission was carried out earlier under the same idempotency key; this was the response.
    Replayed(SubmissionResponse),
    /// A different submission was sent earlier under the same idempotency key.
    KeyReused,
    /// The idempotency key is new, but no outcome may be stored under it. Nothing was done.
    NotStored,
}

/// Submissions and transcriptions.
#[async_trait]
pub trait SpeechStore: Send + Sync {
    /// Decides on every call of the submission and queues the accepted ones, in one durable transaction. With `is_dry_run`, nothing is
    /// written and the minutes are counted.
    ///
    /// A call is accepted again once its transcription has failed or was cancelled. Idempotency keys belong to the token.
    async fn submit(
        &self,
        submission: &Submission,
        token: TokenId,
        is_dry_run: bool,
        idempotency: Option<&IdempotencyKey>,
        audit: &AuditContext,
    ) -> Result<SubmitOutcome>;
    /// Cancels the open transcriptions of these calls. Workers that have claimed them can't write any more. Returns the calls that had open
    /// transcriptions, by id.
    async fn cancel_transcriptions(&self, calls: &[CallId], audit: &AuditContext) -> Result<Vec<CallId>>;
    /// Deletes idempotency keys used before `before`. Returns their number.
    async fn purge_idempotency_keys(&self, before: Timestamp) -> Result<u64>;
    /// Number of queued transcriptions, and the time at which the oldest was queued.
    async fn queue_depth(&self) -> Result<(u64, Option<Timestamp>)>;
}
