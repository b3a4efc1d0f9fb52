//! Tests of the order of claims, and of the limit on pending deliveries.

use std::collections::BTreeSet;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use chrono::TimeDelta;
use leadscribe_engine::api::*;
use leadscribe_engine::callback::CallbackTarget;

use super::deliveries::{UNLIMITED, target};
use super::speech::new_token;
use super::{FIRST_1000, TestStore, at, audit_at, refused_diagnostic};
use crate::storage::{AttemptResult, Claim, ClaimedDelivery, DeliveryQuery, FencedWrite, TranscriptQuery};

/// Longer than any test takes.
const LEASE_DURATION: TimeDelta = TimeDelta::days(1);

async fn queue(store: &TestStore, token: TokenId, url: &str, seconds: i64) -> DeliveryId {
    let target = CallbackTarget { url: url.to_owned(), ..target() };
    store.create_test_delivery(token, &target, UNLIMITED, &audit_at(seconds)).await.unwrap().id
}

async fn claim_at(store: &TestStore, seconds: i64) -> Option<ClaimedDelivery> {
    store.claim_delivery(LEASE_DURATION, at(seconds)).await.unwrap()
}

async fn finish_attempt(store: &TestStore, claim: Claim<DeliveryId>, result: AttemptResult, seconds: i64) {
    let attempt = DeliveryAttempt { number: 0, started_at: at(seconds), duration_ms: 1, status: None, error: None };
    assert_eq!(store.finish_attempt(claim, &attempt, result, at(seconds)).await.unwrap(), FencedWrite::Done);
}

pub async fn pending_deliveries_of_a_token_are_limited(store: TestStore) {
    let (token, request) = super::deliveries::set_up_request(&store, 3).await;
    let (everything, nothing) =
        (TranscriptQuery::default(), TranscriptQuery { from: Some(at(900)), ..TranscriptQuery::default() });
    let request_with = async |query: &TranscriptQuery, max_pending: u64| {
        store.create_speech_request(token, query, FIRST_1000, &target(), max_pending, &audit_at(1)).await
    };
    let diagnostic = refused_diagnostic(request_with(&everything, 5).await);
    assert_eq!(diagnostic.code, "too_many_pending_deliveries");
    assert_eq!(diagnostic.message, "the token has 3 pending deliveries, and 3 more would exceed the limit of 5");
    assert_eq!(
        diagnostic.suggestion.unwrap().to_string(),
        "wait until some have ended, or request fewer at once (`limit`)"
    );
    let diagnostic = refused_diagnostic(store.create_test_delivery(token, &target(), 3, &audit_at(1)).await);
    assert_eq!(diagnostic.code, "too_many_pending_deliveries");
    let query = DeliveryQuery { token_id: Some(token), ..DeliveryQuery::default() };
    assert_eq!(store.deliveries(&query, FIRST_1000).await.unwrap().total, 3, "nothing was queued");

    request_with(&nothing, 1).await.unwrap();
    let other = new_token(&store, 2).await;
    store.create_test_delivery(other, &target(), 1, &audit_at(1)).await.unwrap();
    // A delivery in flight counts as pending, a finished one doesn't.
    let claim = claim_at(&store, 1).await.unwrap().claim;
    refused_diagnostic(request_with(&everything, 5).await);
    finish_attempt(&store, claim, AttemptResult::Delivered, 2).await;
    request_with(&everything, 5).await.unwrap();
    assert_eq!(store.speech_request(token, request).await.unwrap().unwrap().pending, 2);
}

pub async fn test_delivery_requests_are_hidden(store: TestStore) {
    let token = new_token(&store, 1).await;
    queue(&store, token, "https://example.com/", 0).await;
    for id in 1..3 {
        let id = SpeechRequestId(id);
        assert_eq!(store.speech_request(token, id).await.unwrap(), None);
        let query = DeliveryQuery { speech_request_id: Some(id), ..DeliveryQuery::default() };
        assert_eq!(store.deliveries(&query, FIRST_1000).await.unwrap().total, 0);
    }
}

pub async fn delivery_times_follow_the_clock(store: TestStore) {
    const HOUR_SECONDS: i64 = 3_600;
    let token = new_token(&store, 1).await;
    queue(&store, token, "https://example.com/", 0).await;
    let claim = claim_at(&store, 0).await.unwrap().claim;
    finish_attempt(&store, claim, AttemptResult::Retry(at(100)), 10).await;
    assert_eq!(store.correct_times(at(20), at(HOUR_SECONDS + 20)).await.unwrap().jobs, 1);
    assert_eq!(claim_at(&store, HOUR_SECONDS + 99).await, None);
    let claim = claim_at(&store, HOUR_SECONDS + 100).await.unwrap().claim;
    finish_attempt(&store, claim, AttemptResult::Delivered, HOUR_SECONDS + 101).await;

    let future_delivery = queue(&store, token, "https://example.com/", 3 * HOUR_SECONDS).await;
    assert_eq!(claim_at(&store, 2 * HOUR_SECONDS).await, None);
    assert_eq!(store.correct_times(at(2 * HOUR_SECONDS), at(2 * HOUR_SECONDS)).await.unwrap().jobs, 1);
    assert_eq!(claim_at(&store, 2 * HOUR_SECONDS).await.unwrap().claim.id, future_delivery);
}

pub async fn deliveries_queued_during_claims_are_claimed(store: TestStore) {
    const WRITERS: usize = 3;
    const DELIVERIES_PER_WRITER: usize = 30;
    let token = new_token(&store, 1).await;
    let writers = (0..WRITERS).map(|_| {
        let store = store.clone();
        tokio::spawn(async move {
            for number in 0..DELIVERIES_PER_WRITER {
                queue(&store, token, &format!("https://example.com/{}", number % 2), 0).await;
            }
        })
    });
    deliver_concurrently(&store, WRITERS * DELIVERIES_PER_WRITER, writers).await;
}

/// Delivers this many deliveries while the writers queue them.
pub(super) async fn deliver_concurrently(
    store: &TestStore,
    count: usize,
    writers: impl Iterator<Item = tokio::task::JoinHandle<()>>,
) {
    const WORKERS: usize = 3;
    let delivered = Arc::new(AtomicUsize::new(0));
    let workers = (0..WORKERS).map(|_| {
        let (store, delivered) = (store.clone(), delivered.clone());
        tokio::spawn(async move {
            let mut retried = BTreeSet::new();
            while delivered.load(Ordering::SeqCst) < count {
                let Some(claimed) = claim_at(&store, 1).await else {
                    tokio::time::sleep(Duration::from_millis(1)).await;
                    continue;
                };
                // Half of them are retried once.
                let result = if claimed.attempt == 1 && claimed.claim.id.0 % 2 == 0 && retried.insert(claimed.claim.id)
                {
                    AttemptResult::Retry(at(1))
                } else {
                    delivered.fetch_add(1, Ordering::SeqCst);
                    AttemptResult::Delivered
                };
                finish_attempt(&store, claimed.claim, result, 1).await;
            }
        })
    });
    let tasks: Vec<_> = writers.chain(workers).collect();
    let outcome = tokio::time::timeout(Duration::from_secs(120), futures::future::join_all(tasks)).await;
    outcome.expect("all deliveries are claimed").into_iter().for_each(|outcome| outcome.unwrap());
}

/// Model of a delivery, following the documentation.
#[derive(Debug)]
struct ModelDelivery {
    id: DeliveryId,
    url: usize,
    created: i64,
    state: ModelState,
}

#[derive(Debug)]
enum ModelState {
    Waiting { due: i64 },
    Claimed { claim: Claim<DeliveryId> },
    Ended { at: i64 },
}

/// Deterministic pseudo-random numbers.
struct TestRng(u64);

impl TestRng {
    fn below(&mut self, limit: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        usize::try_from(self.0 >> 33).unwrap() % limit
    }

    fn pick<'a, T>(&mut self, items: Vec<&'a mut T>) -> Option<&'a mut T> {
        let index = self.below(items.len().max(1));
        items.into_iter().nth(index)
    }
}

/// Index of the delivery that is claimed next: the one that has been due longest among the due deliveries whose endpoints have none in
/// flight.
fn expected_claim(deliveries: &[ModelDelivery], now: i64) -> Option<usize> {
    let is_busy = |url| {
        deliveries.iter().any(|delivery| delivery.url == url && matches!(delivery.state, ModelState::Claimed { .. }))
    };
    let waiting = deliveries.iter().enumerate().filter_map(|(index, delivery)| match delivery.state {
        ModelState::Waiting { due } if due <= now && !is_busy(delivery.url) => Some((due, index)),
        _ => None,
    });
    waiting.min().map(|(_, index)| index)
}

pub async fn claims_follow_the_documented_order(store: TestStore) {
    const STEPS: i64 = 400;
    let token = new_token(&store, 1).await;
    let mut rng = TestRng(24);
    let mut deliveries: Vec<ModelDelivery> = Vec::new();
    // No two are due at the same time: events happen at even seconds, and retries are due at odd ones.
    let mut retry_times = BTreeSet::new();
    for now in (0..STEPS).map(|step| step * 2) {
        let pick_claimed = |deliveries: &mut Vec<ModelDelivery>, rng: &mut TestRng| {
            let candidates =
                deliveries.iter_mut().filter(|delivery| matches!(delivery.state, ModelState::Claimed { .. })).collect();
            let delivery = rng.pick(candidates)?;
            let ModelState::Claimed { claim } = delivery.state else { return None };
            Some((claim, delivery.id))
        };
        match rng.below(12) {
            0..=3 => {
                let url = rng.below(4);
                let id = queue(&store, token, &format!("https://example.com/{url}"), now).await;
                deliveries.push(ModelDelivery { id, url, created: now, state: ModelState::Waiting { due: now } });
            }
            4..=6 => {
                let claimed = claim_at(&store, now).await;
                let index = expected_claim(&deliveries, now);
                let id = claimed.as_ref().map(|claimed| claimed.claim.id);
                assert_eq!(id, index.map(|index| deliveries[index].id), "at {now} s of {deliveries:?}");
                if let (Some(index), Some(claimed)) = (index, claimed) {
                    deliveries[index].state = ModelState::Claimed { claim: claimed.claim };
                }
            }
            7..=9 => {
                let Some((claim, id)) = pick_claimed(&mut deliveries, &mut rng) else { continue };
                let delivery = deliveries.iter_mut().find(|delivery| delivery.id == id).unwrap();
                let mut due = now + 1 + 2 * i64::try_from(rng.below(20)).unwrap();
                while !retry_times.insert(due) {
                    due += 2;
                }
                let (result, state) = match rng.below(4) {
                    0 => (AttemptResult::Delivered, ModelState::Ended { at: now }),
                    1 => (AttemptResult::Stopped, ModelState::Ended { at: now }),
                    _ => (AttemptResult::Retry(at(due)), ModelState::Waiting { due }),
                };
                finish_attempt(&store, claim, result, now).await;
                delivery.state = state;
            }
            10 => {
                let Some((claim, id)) = pick_claimed(&mut deliveries, &mut rng) else { continue };
                assert_eq!(store.release_delivery(claim, at(now)).await.unwrap(), FencedWrite::Done);
                let delivery = deliveries.iter_mut().find(|delivery| delivery.id == id).unwrap();
                delivery.state = ModelState::Waiting { due: delivery.created };
            }
            _ if now % 5 == 0 => {
                store.purge_deliveries(at(now - 100)).await.unwrap();
                deliveries.retain(|delivery| !matches!(delivery.state, ModelState::Ended { at } if at < now - 100));
            }
            _ => {
                let candidates = deliveries
                    .iter_mut()
                    .filter(|delivery| !matches!(delivery.state, ModelState::Claimed { .. }))
                    .collect();
                let Some(delivery) = rng.pick(candidates) else { continue };
                store.replay_delivery(delivery.id, &audit_at(now)).await.unwrap().unwrap();
                let due = if let ModelState::Waiting { due } = delivery.state { due.min(now) } else { now };
                delivery.state = ModelState::Waiting { due };
            }
        }
    }
    let end_seconds = 10 * STEPS;
    for delivery in &deliveries {
        if let ModelState::Claimed { claim } = delivery.state {
            finish_attempt(&store, claim, AttemptResult::Delivered, end_seconds).await;
        }
    }
    let waiting = deliveries.iter().filter(|delivery| matches!(delivery.state, ModelState::Waiting { .. })).count();
    for _ in 0..waiting {
        let claim = claim_at(&store, end_seconds).await.expect("a waiting delivery").claim;
        finish_attempt(&store, claim, AttemptResult::Delivered, end_seconds).await;
    }
    assert_eq!(claim_at(&store, end_seconds).await, None);
}
