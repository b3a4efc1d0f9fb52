//! Bytes that the requests of a speech recognition token may have stored: large templates of callbacks, and the verdicts on skipped
//! calls that an idempotency key replays.
//!
//! Both are small beside the calls of honest clients, and unbounded for a client that repeats requests without effect. Each process
//! counts what it stores itself, and forgets that when it ends.

use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use leadscribe_engine::api::TokenId;
use tokio::time::Instant;

use super::error::ServiceError;

/// Bytes that a token may have stored at once.
const MAX_BYTES: u64 = 32 * 1024 * 1024;

/// Time in which so many bytes may be stored again. Idempotency keys are kept for two days, deliveries for 90 by default: a token
/// takes 96 MB for keys, and 3 GB for templates at most.
const PERIOD: Duration = Duration::from_hours(24);

/// Bytes of a template that don't count: those of most, about as much as is stored of a delivery itself.
const FREE_TEMPLATE_BYTES: usize = 2_048;

/// Bytes of the row of an idempotency key, and of the verdict on one call.
const KEY_BYTES: u64 = 512;
const VERDICT_BYTES: u64 = 64;

/// Counts the bytes of each token.
#[derive(Debug, Default)]
pub struct Allowance(Mutex<HashMap<TokenId, StoredBytes>>);

/// Bytes that a token had stored at a moment. They count less as time goes by.
#[derive(Clone, Copy, Debug)]
struct StoredBytes {
    bytes: u64,
    at: Instant,
}

impl StoredBytes {
    fn now(self) -> u64 {
        let allowed = MAX_BYTES as f64 * self.at.elapsed().as_secs_f64() / PERIOD.as_secs_f64();
        self.bytes.saturating_sub(allowed as u64)
    }
}

impl Allowance {
    /// Checks that a token may have more stored.
    ///
    /// # Errors
    /// [`ServiceError::AllowanceUsed`] when it has as much stored as it may.
    pub fn check(&self, token: TokenId) -> Result<(), ServiceError> {
        let used = self.0.lock().unwrap_or_else(PoisonError::into_inner).get(&token).map_or(0, |used| used.now());
        let Some(over) = used.checked_sub(MAX_BYTES) else { return Ok(()) };
        // Until there is room for a request again, and not only for one byte.
        let wait = PERIOD.as_secs_f64() * (over + KEY_BYTES + VERDICT_BYTES * 1_000) as f64 / MAX_BYTES as f64;
        Err(ServiceError::AllowanceUsed { seconds: wait as u64 + 1 })
    }

    /// Counts a callback's template.
    pub fn count_template(&self, token: TokenId, template: &str) {
        self.count(token, template.len().saturating_sub(FREE_TEMPLATE_BYTES) as u64);
    }

    /// Counts the answer of which a key replays so many verdicts on skipped calls. Accepted calls cost nothing: each is sent once.
    pub fn count_answer(&self, token: TokenId, skipped: usize, accepted: usize) {
        let row = if accepted == 0 { KEY_BYTES } else { 0 };
        self.count(token, row + VERDICT_BYTES * skipped as u64);
    }

    fn count(&self, token: TokenId, bytes: u64) {
        if bytes == 0 {
            return;
        }
        let mut tokens = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let before = tokens.get(&token).map_or(0, |used| used.now());
        tokens.insert(token, StoredBytes { bytes: before + bytes, at: Instant::now() });
    }
}

#[cfg(test)]
mod tests {
    use leadscribe_engine::api::TokenId;
    use tokio::time::advance;

    use super::{Allowance, FREE_TEMPLATE_BYTES, MAX_BYTES, PERIOD};
    use crate::service::error::ServiceError;

    const TOKEN: TokenId = TokenId(1);

    #[tokio::test(start_paused = true)]
    async fn token_waits_once_its_bytes_are_used_up() {
        let allowance = Allowance::default();
        let mut taken = 0;
        let seconds = loop {
            match allowance.check(TOKEN) {
                Ok(()) => allowance.count_answer(TOKEN, 1_000, 0),
                Err(ServiceError::AllowanceUsed { seconds }) => break seconds,
                Err(error) => panic!("{error}"),
            }
            taken += 1;
        };
        assert_eq!(taken, MAX_BYTES.div_ceil(64_512));
        allowance.check(TokenId(2)).expect("another token");
        advance(std::time::Duration::from_secs(seconds)).await;
        allowance.check(TOKEN).expect("room for one more");
        allowance.count_answer(TOKEN, 2_000, 0);
        allowance.check(TOKEN).expect_err("and no room for two");
        advance(PERIOD * 2).await;
        allowance.count_answer(TOKEN, 1, 0);
        allowance.check(TOKEN).expect("nothing is left of it");
    }

    #[tokio::test(start_paused = true)]
    async fn common_requests_cost_nothing() {
        let allowance = Allowance::default();
        allowance.count_template(TOKEN, &"x".repeat(FREE_TEMPLATE_BYTES));
        allowance.count_answer(TOKEN, 0, 1_000);
        assert!(allowance.0.lock().unwrap().is_empty());
    }
}
