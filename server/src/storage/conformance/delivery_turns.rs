//! Tests of the order of claims, and of the limit on open deliveries.

use std::collections::BTreeSet;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use chrono::TimeDelta;
use leadscribe_engine::api::*;

use super::deliveries::{UNLIMITED, target};
use super::speech::new_token;
use super::{ALL, Tested, at, by, refused};
use crate::storage::{AfterAttempt, ByClaim, Claim, ClaimedDelivery, DeliveryQuery, Target, TranscriptQuery};

/// Longer than any test takes.
const LEASE: TimeDelta = TimeDelta::days(1);

async fn queue(store: &Tested, token: TokenId, url: &str, seconds: i64) -> DeliveryId {
    let target = Target { url: url.to_owned(), ..target() };
    store.create_test_delivery(token, &target, UNLIMITED, &by(seconds)).await.unwrap().id
}

async fn claim_at(store: &Tested, seconds: i64) -> Option<ClaimedDelivery> {
    store.claim_delivery(LEASE, at(seconds)).await.unwrap()
}

async fn finish(store: &Tested, claim: Claim<DeliveryId>, after: AfterAttempt, seconds: i64) {
    let attempt = DeliveryAttempt { number: 0, at: at(seconds), duration_ms: 1, status: None, error: None };
    assert_eq!(store.finish_attempt(claim, &attempt, after, at(seconds)).await.unwrap(), ByClaim::Done);
}

pub async fn open_deliveries_of_a_token_are_bounded(store: Tested) {
    let (token, request) = super::deliveries::requested(&store, 3).await;
    let (everything, nothing) =
        (TranscriptQuery::default(), TranscriptQuery { from: Some(at(900)), ..TranscriptQuery::default() });
    let ask = async |query: &TranscriptQuery, max_open: u64| {
        store.create_speech_request(token, query, ALL, &target(), max_open, &by(1)).await
    };
    let fault = refused(ask(&everything, 5).await);
    assert_eq!(fault.code, "too_many_open_deliveries");
    assert_eq!(fault.message, "the token has 3 open deliveries, and 3 more would exceed the limit of 5");
    assert_eq!(
        fault.suggestion.unwrap().to_string(),
        "wait until some have ended, or request fewer at once (`limit`); an endpoint that answers 410 ends all deliveries of its request"
    );
    let fault = refused(store.create_test_delivery(token, &target(), 3, &by(1)).await);
    assert_eq!(fault.code, "too_many_open_deliveries");
    let query = DeliveryQuery { token_id: Some(token), ..DeliveryQuery::default() };
    assert_eq!(store.deliveries(&query, ALL).await.unwrap().total, 3, "nothing was queued");

    ask(&nothing, 1).await.unwrap();
    let other = new_token(&store, 2).await;
    store.create_test_delivery(other, &target(), 1, &by(1)).await.unwrap();
    // A delivery in flight counts as open, a finished one doesn't.
    let claim = claim_at(&store, 1).await.unwrap().claim;
    refused(ask(&everything, 5).await);
    finish(&store, claim, AfterAttempt::Delivered, 2).await;
    ask(&everything, 5).await.unwrap();
    assert_eq!(store.speech_request(token, request).await.unwrap().unwrap().open, 2);
}

pub async fn test_delivery_requests_are_hidden(store: Tested) {
    let token = new_token(&store, 1).await;
    queue(&store, token, "https://example.com/", 0).await;
    for id in 1..3 {
        let id = SpeechRequestId(id);
        assert_eq!(store.speech_request(token, id).await.unwrap(), None);
        let query = DeliveryQuery { speech_request_id: Some(id), ..DeliveryQuery::default() };
        assert_eq!(store.deliveries(&query, ALL).await.unwrap().total, 0);
    }
}

pub async fn delivery_turns_follow_the_clock(store: Tested) {
    const HOUR: i64 = 3_600;
    let token = new_token(&store, 1).await;
    queue(&store, token, "https://example.com/", 0).await;
    let claim = claim_at(&store, 0).await.unwrap().claim;
    finish(&store, claim, AfterAttempt::Retry(at(100)), 10).await;
    assert_eq!(store.correct_times(at(20), at(HOUR + 20)).await.unwrap().jobs, 1);
    assert_eq!(claim_at(&store, HOUR + 99).await, None);
    let claim = claim_at(&store, HOUR + 100).await.unwrap().claim;
    finish(&store, claim, AfterAttempt::Delivered, HOUR + 101).await;

    let ahead = queue(&store, token, "https://example.com/", 3 * HOUR).await;
    assert_eq!(claim_at(&store, 2 * HOUR).await, None);
    assert_eq!(store.correct_times(at(2 * HOUR), at(2 * HOUR)).await.unwrap().jobs, 1);
    assert_eq!(claim_at(&store, 2 * HOUR).await.unwrap().claim.id, ahead);
}

pub async fn deliveries_queued_during_claims_are_claimed(store: Tested) {
    const WRITERS: usize = 3;
    const EACH: usize = 30;
    let token = new_token(&store, 1).await;
    let delivered = Arc::new(AtomicUsize::new(0));
    let writers = (0..WRITERS).map(|_| {
        let store = store.clone();
        tokio::spawn(async move {
            for number in 0..EACH {
                queue(&store, token, &format!("https://example.com/{}", number % 2), 0).await;
            }
        })
    });
    let workers = (0..WRITERS).map(|_| {
        let (store, delivered) = (store.clone(), delivered.clone());
        tokio::spawn(async move {
            let mut retried = BTreeSet::new();
            while delivered.load(Ordering::SeqCst) < WRITERS * EACH {
                let Some(claimed) = claim_at(&store, 1).await else {
                    tokio::time::sleep(Duration::from_millis(1)).await;
                    continue;
                };
                // Half of them are retried once.
                let after = if claimed.attempt == 1 && claimed.claim.id.0 % 2 == 0 && retried.insert(claimed.claim.id) {
                    AfterAttempt::Retry(at(1))
                } else {
                    delivered.fetch_add(1, Ordering::SeqCst);
                    AfterAttempt::Delivered
                };
                finish(&store, claimed.claim, after, 1).await;
            }
        })
    });
    let all: Vec<_> = writers.chain(workers).collect();
    let ended = tokio::time::timeout(Duration::from_secs(120), futures::future::join_all(all)).await;
    ended.expect("all deliveries are claimed").into_iter().for_each(|ended| ended.unwrap());
}

/// Model of a delivery, following the documentation.
#[derive(Debug)]
struct ModelDelivery {
    id: DeliveryId,
    url: usize,
    created: i64,
    state: State,
}

#[derive(Debug)]
enum State {
    Waiting { due: i64 },
    UnderWay { claim: Claim<DeliveryId> },
    Ended { at: i64 },
}

/// Deterministic pseudo-random numbers.
struct Numbers(u64);

impl Numbers {
    fn below(&mut self, limit: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        usize::try_from(self.0 >> 33).unwrap() % limit
    }

    fn pick<'a, T>(&mut self, from: Vec<&'a mut T>) -> Option<&'a mut T> {
        let place = self.below(from.len().max(1));
        from.into_iter().nth(place)
    }
}

/// Index of the delivery that is claimed next: the one that has been due longest among the due deliveries whose endpoints have none in
/// flight.
fn expected(all: &[ModelDelivery], now: i64) -> Option<usize> {
    let is_busy = |url| all.iter().any(|one| one.url == url && matches!(one.state, State::UnderWay { .. }));
    let waiting = all.iter().enumerate().filter_map(|(place, one)| match one.state {
        State::Waiting { due } if due <= now && !is_busy(one.url) => Some((due, place)),
        _ => None,
    });
    waiting.min().map(|(_, place)| place)
}

pub async fn claims_follow_the_documented_order(store: Tested) {
    const STEPS: i64 = 400;
    let token = new_token(&store, 1).await;
    let mut numbers = Numbers(24);
    let mut all: Vec<ModelDelivery> = Vec::new();
    // No two are due at the same time: events happen at even seconds, and retries are due at odd ones.
    let mut put_off = BTreeSet::new();
    for now in (0..STEPS).map(|step| step * 2) {
        let under_way = |all: &mut Vec<ModelDelivery>, numbers: &mut Numbers| {
            let some = all.iter_mut().filter(|one| matches!(one.state, State::UnderWay { .. })).collect();
            let one = numbers.pick(some)?;
            let State::UnderWay { claim } = one.state else { return None };
            Some((claim, one.id))
        };
        match numbers.below(12) {
            0..=3 => {
                let url = numbers.below(4);
                let id = queue(&store, token, &format!("https://example.com/{url}"), now).await;
                all.push(ModelDelivery { id, url, created: now, state: State::Waiting { due: now } });
            }
            4..=6 => {
                let claimed = claim_at(&store, now).await;
                let place = expected(&all, now);
                let id = claimed.as_ref().map(|claimed| claimed.claim.id);
                assert_eq!(id, place.map(|place| all[place].id), "at {now} s of {all:?}");
                if let (Some(place), Some(claimed)) = (place, claimed) {
                    all[place].state = State::UnderWay { claim: claimed.claim };
                }
            }
            7..=9 => {
                let Some((claim, id)) = under_way(&mut all, &mut numbers) else { continue };
                let one = all.iter_mut().find(|one| one.id == id).unwrap();
                let mut due = now + 1 + 2 * i64::try_from(numbers.below(20)).unwrap();
                while !put_off.insert(due) {
                    due += 2;
                }
                let (after, state) = match numbers.below(4) {
                    0 => (AfterAttempt::Delivered, State::Ended { at: now }),
                    1 => (AfterAttempt::Stopped, State::Ended { at: now }),
                    _ => (AfterAttempt::Retry(at(due)), State::Waiting { due }),
                };
                finish(&store, claim, after, now).await;
                one.state = state;
            }
            10 => {
                let Some((claim, id)) = under_way(&mut all, &mut numbers) else { continue };
                assert_eq!(store.release_delivery(claim, at(now)).await.unwrap(), ByClaim::Done);
                let one = all.iter_mut().find(|one| one.id == id).unwrap();
                one.state = State::Waiting { due: one.created };
            }
            _ if now % 5 == 0 => {
                store.purge_deliveries(at(now - 100)).await.unwrap();
                all.retain(|one| !matches!(one.state, State::Ended { at } if at < now - 100));
            }
            _ => {
                let some = all.iter_mut().filter(|one| !matches!(one.state, State::UnderWay { .. })).collect();
                let Some(one) = numbers.pick(some) else { continue };
                store.replay_delivery(one.id, &by(now)).await.unwrap().unwrap();
                let due = if let State::Waiting { due } = one.state { due.min(now) } else { now };
                one.state = State::Waiting { due };
            }
        }
    }
    let end = 10 * STEPS;
    for one in &all {
        if let State::UnderWay { claim } = one.state {
            finish(&store, claim, AfterAttempt::Delivered, end).await;
        }
    }
    let waiting = all.iter().filter(|one| matches!(one.state, State::Waiting { .. })).count();
    for _ in 0..waiting {
        let claim = claim_at(&store, end).await.expect("what waits is found").claim;
        finish(&store, claim, AfterAttempt::Delivered, end).await;
    }
    assert_eq!(claim_at(&store, end).await, None);
}
