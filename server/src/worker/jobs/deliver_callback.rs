//! Sends transcripts to callbacks, and events to webhooks.

use std::sync::Arc;
use std::time::Duration;

use async_trait::async_trait;
use chrono::TimeDelta;
use leadscribe_engine::api::{Delivery, DeliveryAttempt, Timestamp};
use leadscribe_engine::diagnostic::work;
use tokio::sync::Notify;
use tokio::time::Instant;

use crate::service::app::App;
use crate::service::deliveries;
use crate::service::error::ServiceError;
use crate::storage::{AttemptResult, ClaimedDelivery, FencedWrite, StoreError};
use crate::telemetry::{error_chain, metrics};
use crate::webhook::{Disposition, Request, SendOutcome, signature};
use crate::worker::backoff;
use crate::worker::runner::{Queue, WorkEnd};

/// Queue of deliveries.
#[derive(Debug)]
pub struct DeliverCallback(pub Arc<App>);

/// Result of an attempt at a delivery.
#[derive(Clone, Debug, PartialEq)]
pub struct AttemptOutcome {
    /// The attempt to store.
    attempt: DeliveryAttempt,
    /// Next state of the delivery.
    next_state: NextState,
}

/// Next state of a delivery after an attempt.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum NextState {
    /// The endpoint accepted the delivery.
    Delivered,
    /// Retry after this delay.
    Retry(TimeDelta),
    /// The delivery failed permanently.
    Failed,
    /// The delivery and all others of the same request are stopped.
    Stopped,
}

#[async_trait]
impl Queue for DeliverCallback {
    type Entry = ClaimedDelivery;
    type Outcome = AttemptOutcome;

    fn notifier(&self) -> &Notify {
        &self.0.notifiers.deliveries
    }

    async fn is_ready(&self) -> bool {
        true
    }

    async fn claim(&self, lease: TimeDelta, now: Timestamp) -> Result<Option<ClaimedDelivery>, StoreError> {
        self.0.store.claim_delivery(lease, now).await
    }

    async fn extend(&self, entry: &ClaimedDelivery, until: Timestamp) -> Result<FencedWrite, StoreError> {
        self.0.store.extend_delivery(entry.claim, until).await
    }

    async fn work(&self, entry: &ClaimedDelivery) -> AttemptOutcome {
        let (at, started) = (self.0.now(), Instant::now());
        let max_attempts = backoff::MAX_DELIVERY_ATTEMPTS;
        if entry.attempt > max_attempts {
            // An attempt that crashes its worker records no outcome, so the delivery would be claimed first again and again.
            let response =
                SendOutcome::without_response(Disposition::PermanentFailure, work::attempts_interrupted(max_attempts));
            return attempt_outcome(entry, at, started.elapsed(), response);
        }
        let response = match self.attempt(entry, at).await {
            Ok(response) => response,
            Err(error) => {
                let delivery_id = entry.delivery.id;
                tracing::warn!(cause = error_chain(&error), %delivery_id, "can't prepare a delivery");
                SendOutcome::without_response(Disposition::Retry, work::delivery_unprepared())
            }
        };
        attempt_outcome(entry, at, started.elapsed(), response)
    }

    fn panic_outcome(&self, entry: &ClaimedDelivery) -> AttemptOutcome {
        let response = SendOutcome::without_response(Disposition::Retry, work::delivery_crashed());
        attempt_outcome(entry, self.0.now(), Duration::ZERO, response)
    }

    async fn finish(
        &self,
        entry: &ClaimedDelivery,
        outcome: &AttemptOutcome,
        now: Timestamp,
    ) -> Result<FencedWrite, StoreError> {
        let result = match outcome.next_state {
            NextState::Delivered => AttemptResult::Delivered,
            NextState::Retry(delay) => AttemptResult::Retry(now + delay),
            NextState::Failed => AttemptResult::Failed,
            NextState::Stopped => AttemptResult::Stopped,
        };
        self.0.store.finish_attempt(entry.claim, &outcome.attempt, result, now).await
    }

    async fn release(&self, entry: &ClaimedDelivery, now: Timestamp) -> Result<FencedWrite, StoreError> {
        self.0.store.release_delivery(entry.claim, now).await
    }

    /// Waits for a whole attempt, so that an endpoint that has begun to receive a delivery doesn't receive it twice.
    fn stop_timeout(&self) -> Duration {
        let config = &self.0.config;
        let stop_timeout =
            Duration::from_secs(config.http.shutdown_timeout_seconds).saturating_sub(crate::worker::RELEASE_TIMEOUT);
        stop_timeout.min(Duration::from_secs(config.callbacks.timeout_seconds))
    }

    fn report_store_failure(&self, operation: &str, error: &StoreError) {
        self.0.outage.record_failure(operation, error);
    }

    fn record_end(&self, entry: &ClaimedDelivery, end: WorkEnd<'_, AttemptOutcome>) {
        let Delivery { id: delivery_id, attempts: attempt, .. } = &entry.delivery;
        let outcome = match end {
            WorkEnd::Finished(AttemptOutcome {
                attempt: DeliveryAttempt { status, error, duration_ms, .. },
                next_state,
            }) => {
                let error = error.as_ref().map(ToString::to_string);
                tracing::info!(%delivery_id, attempt, status, error, duration_ms, ?next_state, "delivery attempted");
                match next_state {
                    NextState::Delivered => "delivered",
                    NextState::Retry(_) => "retried",
                    NextState::Failed => "failed",
                    NextState::Stopped => "stopped",
                }
            }
            WorkEnd::Lost => {
                tracing::warn!(%delivery_id, attempt, "delivery was taken over by another worker; result discarded");
                "lost"
            }
            WorkEnd::Unknown => {
                tracing::warn!(%delivery_id, attempt, "the storage's response was lost; the result of the delivery may \
                     have been stored");
                "unknown"
            }
            WorkEnd::Released => {
                tracing::info!(%delivery_id, "delivery released because the worker is stopping");
                "released"
            }
        };
        metrics::count_delivery(outcome);
    }
}

impl DeliverCallback {
    async fn attempt(&self, entry: &ClaimedDelivery, at: Timestamp) -> Result<SendOutcome, ServiceError> {
        let delivery = &entry.delivery;
        let token = match delivery.token_id {
            Some(id) => self.0.store.speech_token(id).await?,
            None => None,
        };
        if token.is_some_and(|token| token.revoked_at.is_some()) {
            return Ok(SendOutcome::without_response(Disposition::PermanentFailure, work::token_revoked()));
        }
        let body = match deliveries::body(entry) {
            Ok(body) => body,
            Err(error) => return Ok(SendOutcome::without_response(Disposition::PermanentFailure, error)),
        };
        let mut secrets = entry.secrets.clone();
        match (delivery.webhook_id, delivery.token_id) {
            (Some(_), _) if secrets.is_empty() => {
                return Ok(SendOutcome::without_response(Disposition::PermanentFailure, work::webhook_deleted()));
            }
            // The secret is created on first use and returned to later requests for it.
            (None, Some(token)) if secrets.is_empty() => {
                secrets.push(deliveries::webhook_secret(&self.0, token).await?.secret);
            }
            _ => {}
        }
        let request = Request {
            url: &delivery.callback.callback_url,
            method: delivery.callback.callback_method,
            body: &body,
            media_type: deliveries::media_type(entry),
            message_id: &signature::message_id(delivery, &body),
            secrets: &secrets,
            at,
        };
        Ok(self.0.webhook_client.send(&request).await)
    }
}

/// Converts the result of an attempt to its stored form.
fn attempt_outcome(
    entry: &ClaimedDelivery,
    at: Timestamp,
    duration: Duration,
    response: SendOutcome,
) -> AttemptOutcome {
    let SendOutcome { status, error, retry_after, disposition } = response;
    let next_state = match disposition {
        Disposition::Delivered => NextState::Delivered,
        Disposition::Retry => backoff::delivery_delay(entry.attempt, retry_after, rand::random())
            .map_or(NextState::Failed, NextState::Retry),
        Disposition::Gone => NextState::Stopped,
        Disposition::PermanentFailure => NextState::Failed,
    };
    let duration_ms = duration.as_millis().try_into().unwrap_or(u32::MAX);
    // The store numbers the attempts.
    AttemptOutcome { attempt: DeliveryAttempt { number: 0, started_at: at, duration_ms, status, error }, next_state }
}

#[cfg(test)]
mod tests;
