//! Storage quota of a speech token. It counts the bytes of large callback templates, and of the outcomes of skipped calls that
//! are stored for an idempotency key.
//!
//! Both are small for normal clients, but unbounded for a client that repeats requests without effect. Bytes are reserved before they are
//! written, because the write continues if the client disconnects. Each process counts only the bytes that it stores itself, and starts at
//! 0.

use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use leadscribe_engine::api::TokenId;
use tokio::time::Instant;

use crate::storage::{StoreError, WriteError};

/// Maximum number of bytes a token may have stored.
const MAX_BYTES: u64 = 32 * 1024 * 1024;

/// Time in which [`MAX_BYTES`] become available again. Idempotency keys are kept for two days, deliveries for 90 by default:
/// a token needs at most 96 MB for keys and 3 GB for templates.
const REFILL_PERIOD: Duration = Duration::from_hours(24);

/// Bytes of a template that aren't counted. Enough for most templates, and about the size of a stored delivery without its
/// template.
const FREE_TEMPLATE_BYTES: usize = 2_048;

/// Stored bytes of an idempotency key.
const IDEMPOTENCY_KEY_BYTES: u64 = 512;
/// Stored bytes of the outcome of one call.
const OUTCOME_BYTES: u64 = 64;

/// Counts the stored bytes of each token.
#[derive(Debug, Default)]
pub struct StorageQuota(Mutex<HashMap<TokenId, StoredBytes>>);

/// Bytes that a token had stored at a point in time. The count decreases over time.
#[derive(Clone, Copy, Debug)]
struct StoredBytes {
    bytes: u64,
    counted_at: Instant,
}

impl StoredBytes {
    fn current(self) -> u64 {
        let refilled = MAX_BYTES as f64 * self.counted_at.elapsed().as_secs_f64() / REFILL_PERIOD.as_secs_f64();
        self.bytes.saturating_sub(refilled as u64)
    }
}

/// Data that a submission stores besides its accepted calls.
#[derive(Clone, Copy, Debug)]
pub struct SubmissionStorage<'a> {
    /// True if the response is stored under an idempotency key.
    pub has_key: bool,
    /// Template of its callback; empty without a callback.
    pub template: &'a str,
}

impl SubmissionStorage<'_> {
    /// Bytes of a submission with this many skipped and accepted calls. Accepted calls cost nothing, because each call is accepted only
    /// once. The template is stored only if calls are accepted.
    fn bytes(self, skipped: usize, accepted: usize) -> u64 {
        let response = if self.has_key { OUTCOME_BYTES * skipped as u64 } else { 0 };
        if accepted > 0 {
            return response + template_bytes(self.template);
        }
        response + if self.has_key { IDEMPOTENCY_KEY_BYTES } else { 0 }
    }

    /// Largest number of bytes of a submission of this many calls.
    fn max_bytes(self, calls: usize) -> u64 {
        self.bytes(calls, 0) + template_bytes(self.template)
    }
}

/// Counted bytes of a template.
fn template_bytes(template: &str) -> u64 {
    template.len().saturating_sub(FREE_TEMPLATE_BYTES) as u64
}

impl StorageQuota {
    /// Reserves the bytes of a callback's template.
    ///
    /// # Errors
    /// The token has reached its limit, and the template has counted bytes.
    pub fn reserve_template(&self, token: TokenId, template: &str) -> Result<Reservation<'_>, StorageQuotaExceeded> {
        self.reserve(token, template_bytes(template))
    }

    /// Reserves the bytes that a submission of this many calls may store.
    ///
    /// # Errors
    /// The token has reached its limit, and the submission would store counted bytes.
    pub fn reserve_submission(
        &self,
        token: TokenId,
        storage: SubmissionStorage<'_>,
        calls: usize,
    ) -> Result<Reservation<'_>, StorageQuotaExceeded> {
        self.reserve(token, storage.max_bytes(calls))
    }

    /// A reservation of no bytes.
    pub fn empty_reservation(&self, token: TokenId) -> Reservation<'_> {
        Reservation { quota: self, token, bytes: 0 }
    }

    fn reserve(&self, token: TokenId, bytes: u64) -> Result<Reservation<'_>, StorageQuotaExceeded> {
        let mut tokens = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let used_bytes = tokens.get(&token).map_or(0, |stored| stored.current());
        if bytes > 0 {
            if let Some(excess) = used_bytes.checked_sub(MAX_BYTES) {
                // The time until there is room for a whole request, not only for one byte.
                let next_request = SubmissionStorage { has_key: true, template: "" }.max_bytes(1_000);
                let wait = REFILL_PERIOD.as_secs_f64() * (excess + next_request) as f64 / MAX_BYTES as f64;
                return Err(StorageQuotaExceeded { retry_after_seconds: wait as u64 + 1 });
            }
            tokens.insert(token, StoredBytes { bytes: used_bytes + bytes, counted_at: Instant::now() });
        }
        Ok(Reservation { quota: self, token, bytes })
    }

    fn release(&self, token: TokenId, bytes: u64) {
        let mut tokens = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(stored) = tokens.get_mut(&token) {
            stored.bytes = stored.bytes.saturating_sub(bytes);
        }
    }
}

/// A token has reached its storage limit.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "this token's requests have reached their storage limit; use templates of up to 2 kB, and omit Idempotency-Key for \
     calls that may be skipped"
)]
pub struct StorageQuotaExceeded {
    /// Time until bytes are available again, in seconds.
    pub retry_after_seconds: u64,
}

/// Reserved bytes. They stay counted unless they are released, even if the request is dropped during the write.
#[derive(Debug)]
#[must_use]
pub struct Reservation<'a> {
    quota: &'a StorageQuota,
    token: TokenId,
    bytes: u64,
}

impl Reservation<'_> {
    /// Releases all bytes, because nothing was stored.
    pub fn release(self) {
        self.quota.release(self.token, self.bytes);
    }

    /// Releases all bytes unless the write stored something, or may have.
    pub fn keep_if_stored(self, stored: Result<bool, &WriteError>) {
        if !matches!(stored, Ok(true) | Err(WriteError::Store(StoreError::CommitUnknown(_)))) {
            self.release();
        }
    }

    /// Keeps the bytes that a submission takes, and releases the rest.
    pub fn keep_submission(self, storage: SubmissionStorage<'_>, skipped: usize, accepted: usize) {
        self.quota.release(self.token, self.bytes.saturating_sub(storage.bytes(skipped, accepted)));
    }
}

#[cfg(test)]
mod tests {
    use leadscribe_engine::api::TokenId;
    use tokio::time::advance;

    use super::{
        FREE_TEMPLATE_BYTES, MAX_BYTES, REFILL_PERIOD, Reservation, StorageQuota, StorageQuotaExceeded,
        SubmissionStorage,
    };

    const TOKEN: TokenId = TokenId(1);
    const WITH_KEY: SubmissionStorage<'_> = SubmissionStorage { has_key: true, template: "" };

    impl StorageQuota {
        fn reserve_response(&self, token: TokenId, calls: usize) -> Result<Reservation<'_>, StorageQuotaExceeded> {
            self.reserve_submission(token, WITH_KEY, calls)
        }

        fn bytes(&self) -> u64 {
            self.0.lock().unwrap()[&TOKEN].bytes
        }
    }

    #[tokio::test(start_paused = true)]
    async fn token_must_wait_when_quota_is_used() {
        let quota = StorageQuota::default();
        let mut reservations = 0;
        let seconds = loop {
            match quota.reserve_response(TOKEN, 1_000) {
                // The reservation is dropped, as when the client closes its connection.
                Ok(_) => reservations += 1,
                Err(StorageQuotaExceeded { retry_after_seconds }) => break retry_after_seconds,
            }
        };
        assert_eq!(reservations, MAX_BYTES.div_ceil(64_512));
        let large = "x".repeat(FREE_TEMPLATE_BYTES + 1);
        let _ = quota.reserve_template(TOKEN, &large).expect_err("the limit is reached");
        let _ = quota.reserve_template(TOKEN, "").expect("small templates are free");
        let _ = quota.reserve_response(TokenId(2), 1).expect("another token");
        advance(std::time::Duration::from_secs(seconds)).await;
        let _ = quota.reserve_response(TOKEN, 2_000).expect("the token is below its limit again");
        let _ = quota.reserve_response(TOKEN, 1).expect_err("the limit is reached");
        advance(REFILL_PERIOD * 2).await;
        let _ = quota.reserve_response(TOKEN, 1).expect("all bytes are available again");
    }

    #[tokio::test(start_paused = true)]
    async fn common_requests_use_no_quota() {
        let quota = StorageQuota::default();
        let _ = quota.reserve_template(TOKEN, &"x".repeat(FREE_TEMPLATE_BYTES)).unwrap();
        for _ in 0..10_000 {
            quota.reserve_response(TOKEN, 1_000).expect("enough bytes").keep_submission(WITH_KEY, 0, 1_000);
            quota.reserve_response(TOKEN, 1_000).expect("enough bytes").release();
        }
        assert_eq!(quota.bytes(), 0);
    }

    #[tokio::test(start_paused = true)]
    async fn submission_counts_the_template_once_stored() {
        let quota = StorageQuota::default();
        let large = "x".repeat(FREE_TEMPLATE_BYTES + 10);
        let storage = SubmissionStorage { has_key: false, template: &large };
        let reserve = || quota.reserve_submission(TOKEN, storage, 5).expect("enough bytes");
        reserve().keep_submission(storage, 5, 0);
        assert_eq!(quota.bytes(), 0, "nothing was accepted, so the template isn't stored");
        reserve().keep_submission(storage, 2, 3);
        assert_eq!(quota.bytes(), 10);
    }
}
