//! What submissions to speech recognition ask of a store.

use async_trait::async_trait;
use leadscribe_engine::api::*;
use leadscribe_engine::submission::Submission;

use super::{Origin, StoreError};

/// A key under which a submission may be repeated.
#[derive(Clone, Debug)]
pub struct IdempotencyKey {
    /// The sender's key, 1 to 255 visible ASCII characters.
    pub key: String,
    /// SHA-256 over what was sent; another fingerprint under the same key is refused.
    pub fingerprint: [u8; 32],
    /// False if only the answer to an earlier submission may be replayed, and no new one is stored.
    pub may_store: bool,
}

/// What became of a submission.
#[derive(Clone, Debug, PartialEq)]
pub enum SubmitOutcome {
    /// It was carried out now.
    Done(SubmissionResponse),
    /// It was carried out before under the same idempotency key; this was the answer.
    Replayed(SubmissionResponse),
    /// Something else was sent before under the same idempotency key.
    KeyReused,
    /// Nothing was sent before under the idempotency key, and nothing may be stored under it. Nothing was carried out.
    NotStored,
}

/// Submissions and transcriptions.
#[async_trait]
pub trait SpeechStore: Send + Sync {
    /// Decides on every call of the submission and queues those accepted, in one transaction that is on disk when this
    /// returns. With `dry_run` nothing is written, and the minutes are counted.
    ///
    /// A call is accepted again once its transcription has failed or was cancelled. Idempotency keys belong to the token.
    async fn submit(
        &self,
        submission: &Submission,
        token: TokenId,
        dry_run: bool,
        idempotency: Option<&IdempotencyKey>,
        by: &Origin,
    ) -> Result<SubmitOutcome, StoreError>;
    /// Gives up what is waiting or under way for these calls: a worker that has it can write nothing
    /// any more. Gives the calls of which something was, in the order of their ids.
    async fn cancel_transcriptions(&self, calls: &[CallId], by: &Origin) -> Result<Vec<CallId>, StoreError>;
    /// Forgets idempotency keys used before `before`; gives how many.
    async fn purge_idempotency_keys(&self, before: Timestamp) -> Result<u64, StoreError>;
    /// How many transcriptions are queued, and since when the oldest is.
    async fn queue_depth(&self) -> Result<(u64, Option<Timestamp>), StoreError>;
}
