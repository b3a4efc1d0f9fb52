//! Sends transcripts to callbacks.

use std::sync::Arc;
use std::time::Duration;

use async_trait::async_trait;
use chrono::TimeDelta;
use leadscribe_engine::api::{Delivery, DeliveryAttempt, Timestamp};
use leadscribe_engine::diagnostic::{Message, work};
use tokio::sync::Notify;
use tokio::time::Instant;

use crate::app::App;
use crate::service::deliveries;
use crate::service::error::ServiceError;
use crate::storage::{AfterAttempt, ByClaim, ClaimedDelivery, StoreError};
use crate::telemetry::{causes, metrics};
use crate::webhook::{self, Request, Verdict, sign};
use crate::worker::backoff;
use crate::worker::runner::{End, Queue};

/// Queue of deliveries.
#[derive(Debug)]
pub struct DeliverCallback(pub Arc<App>);

/// Result of an attempt at a delivery.
#[derive(Clone, Debug, PartialEq)]
pub struct Outcome {
    /// The attempt to store.
    attempt: DeliveryAttempt,
    /// Next state of the delivery.
    next: Next,
}

/// Next state of a delivery after an attempt.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Next {
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
    type Outcome = Outcome;

    fn bell(&self) -> &Notify {
        &self.0.bells.deliveries
    }

    async fn is_ready(&self) -> bool {
        true
    }

    async fn claim(&self, lease: TimeDelta, now: Timestamp) -> Result<Option<ClaimedDelivery>, StoreError> {
        self.0.store.claim_delivery(lease, now).await
    }

    async fn extend(&self, entry: &ClaimedDelivery, until: Timestamp) -> Result<ByClaim, StoreError> {
        self.0.store.extend_delivery(entry.claim, until).await
    }

    async fn work(&self, entry: &ClaimedDelivery) -> Outcome {
        let (at, begun) = (self.0.now(), Instant::now());
        let most = backoff::DELIVERY_ATTEMPTS;
        if entry.attempt > most {
            // An attempt that crashes its worker records no outcome, so the delivery would be claimed first again and again.
            let done = without_answer(Verdict::Never, work::attempts_broke_off(most));
            return outcome(entry, at, begun.elapsed(), done);
        }
        let done = match self.attempt(entry, at).await {
            Ok(done) => done,
            Err(error) => {
                let delivery_id = entry.delivery.id;
                tracing::warn!(cause = causes(&error), %delivery_id, "can't prepare a delivery");
                without_answer(Verdict::Retry, work::delivery_unprepared())
            }
        };
        outcome(entry, at, begun.elapsed(), done)
    }

    fn broken_off(&self, entry: &ClaimedDelivery) -> Outcome {
        let done = without_answer(Verdict::Retry, work::delivery_broke());
        outcome(entry, self.0.now(), Duration::ZERO, done)
    }

    async fn finish(&self, entry: &ClaimedDelivery, outcome: &Outcome, now: Timestamp) -> Result<ByClaim, StoreError> {
        let after = match outcome.next {
            Next::Delivered => AfterAttempt::Delivered,
            Next::Retry(pause) => AfterAttempt::Retry(now + pause),
            Next::Failed => AfterAttempt::Failed,
            Next::Stopped => AfterAttempt::Stopped,
        };
        self.0.store.finish_attempt(entry.claim, &outcome.attempt, after, now).await
    }

    async fn release(&self, entry: &ClaimedDelivery, now: Timestamp) -> Result<ByClaim, StoreError> {
        self.0.store.release_delivery(entry.claim, now).await
    }

    /// Waits for a whole attempt, so that an endpoint that has begun to receive a delivery doesn't receive it twice.
    fn patience(&self) -> Duration {
        let config = &self.0.config;
        let stop = Duration::from_secs(config.http.stop_seconds).saturating_sub(crate::worker::GIVING_BACK);
        stop.min(Duration::from_secs(config.callbacks.deadline_seconds))
    }

    fn store_failed(&self, deed: &str, error: &StoreError) {
        self.0.outage.failed(deed, error);
    }

    fn note(&self, entry: &ClaimedDelivery, end: End<'_, Outcome>) {
        let Delivery { id: delivery_id, attempts: attempt, .. } = &entry.delivery;
        let name = match end {
            End::Finished(Outcome { attempt: DeliveryAttempt { status, error, duration_ms, .. }, next }) => {
                let error = error.as_ref().map(ToString::to_string);
                tracing::info!(%delivery_id, attempt, status, error, duration_ms, ?next, "delivery attempted");
                match next {
                    Next::Delivered => "delivered",
                    Next::Retry(_) => "retried",
                    Next::Failed => "failed",
                    Next::Stopped => "stopped",
                }
            }
            End::Lost => {
                tracing::warn!(%delivery_id, attempt, "delivery was taken over by another worker; result discarded");
                "lost"
            }
            End::Unknown => {
                tracing::warn!(%delivery_id, attempt, "the storage's response was lost; the result of the delivery may \
                     have been stored");
                "unknown"
            }
            End::Released => {
                tracing::info!(%delivery_id, "delivery released because the worker is stopping");
                "released"
            }
        };
        metrics::delivery(name);
    }
}

impl DeliverCallback {
    async fn attempt(&self, entry: &ClaimedDelivery, at: Timestamp) -> Result<webhook::Outcome, ServiceError> {
        let delivery = &entry.delivery;
        let token = self.0.store.speech_token(delivery.token_id).await?;
        if token.is_some_and(|token| token.revoked_at.is_some()) {
            return Ok(without_answer(Verdict::Never, work::token_revoked()));
        }
        let body = match deliveries::body(entry) {
            Ok(body) => body,
            Err(error) => return Ok(without_answer(Verdict::Never, error)),
        };
        let mut secrets = entry.secrets.clone();
        if secrets.is_empty() {
            // The secret is created on first use and returned to later requests for it.
            secrets.push(deliveries::webhook_secret(&self.0, delivery.token_id).await?.secret);
        }
        let request = Request {
            url: &delivery.callback.callback_url,
            method: delivery.callback.callback_method,
            body: &body,
            message_id: &sign::message_id(delivery, &body),
            secrets: &secrets,
            at,
        };
        Ok(self.0.webhook.send(&request).await)
    }
}

fn without_answer(verdict: Verdict, error: Message) -> webhook::Outcome {
    webhook::Outcome { status: None, error: Some(error), retry_after: None, verdict }
}

/// Converts the result of an attempt to what is stored.
fn outcome(entry: &ClaimedDelivery, at: Timestamp, took: Duration, done: webhook::Outcome) -> Outcome {
    let webhook::Outcome { status, error, retry_after, verdict } = done;
    let next = match verdict {
        Verdict::Delivered => Next::Delivered,
        Verdict::Retry => {
            backoff::delivery(entry.attempt, retry_after, rand::random()).map_or(Next::Failed, Next::Retry)
        }
        Verdict::Gone => Next::Stopped,
        Verdict::Never => Next::Failed,
    };
    let duration_ms = took.as_millis().try_into().unwrap_or(u32::MAX);
    // The store numbers the attempts.
    Outcome { attempt: DeliveryAttempt { number: 0, at, duration_ms, status, error }, next }
}

#[cfg(test)]
mod tests;
