//! Store interface for submissions to speech recognition.

use async_trait::async_trait;
use leadscribe_engine::api::*;
use leadscribe_engine::submission::Submission;

use super::{AuditContext, Result, WriteError};

/// Submissions and transcriptions.
#[async_trait]
pub trait SpeechStore: Send + Sync {
    /// Decides on every call of the submission and queues the accepted ones, in one durable transaction. With `is_dry_run`, nothing is
    /// written and the minutes are counted.
    ///
    /// A call is accepted again once its transcription has failed or was cancelled.
    ///
    /// With a callback, each accepted call gets a delivery that waits for the end of its transcription.
    ///
    /// # Errors
    /// [`super::TOO_MANY_PENDING_DELIVERIES`] if the token would have more than `max_pending` pending deliveries; or storage failed.
    async fn submit(
        &self,
        submission: &Submission,
        token: TokenId,
        is_dry_run: bool,
        max_pending: u64,
        audit: &AuditContext,
    ) -> Result<SubmissionResponse, WriteError>;
    /// Cancels the open transcriptions of these calls and queues the deliveries that waited for them. Workers that have
    /// claimed them can't write anymore. Returns the calls that had open transcriptions, by id.
    async fn cancel_transcriptions(&self, calls: &[CallId], audit: &AuditContext) -> Result<Vec<CallId>>;
    /// Deletes idempotency keys used before `before`. Returns their number.
    async fn purge_idempotency_keys(&self, before: Timestamp) -> Result<u64>;
    /// Number of queued transcriptions, and the time at which the oldest was queued.
    async fn queue_depth(&self) -> Result<(u64, Option<Timestamp>)>;
}
