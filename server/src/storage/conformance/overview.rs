//! Tests of the overview: activity by day, and pending work.

use leadscribe_engine::api::*;
use leadscribe_engine::day::last_days;
use leadscribe_engine::record::CallRecord;

use super::deliveries::{UNLIMITED, set_up_request, target};
use super::speech::new_token;
use super::transcripts::{LEASE_DURATION, claim_at, queue_call, spoken_segment, transcribe};
use super::{TestStore, at, audit_at, call_record, message};
use crate::storage::{Backlog, FencedWrite};

const DAY_SECONDS: i64 = 86_400;

pub async fn activity_is_counted_by_day(store: TestStore) {
    // Noon in UTC is midnight in Auckland.
    for (seconds, status) in [
        (-2 * DAY_SECONDS, CallStatus::Answered),
        (-2, CallStatus::Answered),
        (-1, CallStatus::Busy),
        (0, CallStatus::Failed),
        (1, CallStatus::NoAnswer),
        (2, CallStatus::Answered),
    ] {
        let record = CallRecord { status: Some(status), created_at: Some(at(seconds)), ..call_record() };
        store.create_call(record, &audit_at(0)).await.unwrap();
    }
    let counts =
        async |timezone: &str| {
            let days = last_days(timezone, 2, at(10)).unwrap();
            let activity = store.activity(&days).await.unwrap();
            assert!(activity.days.iter().zip(&days).all(|(counted, day)| {
                (counted.date, counted.start, counted.end) == (day.date, day.start, day.end)
            }));
            activity.days.iter().map(|day| (day.answered, day.unanswered)).collect::<Vec<_>>()
        };
    assert_eq!(counts("UTC").await, [(0, 0), (2, 3)]);
    assert_eq!(counts("Pacific/Auckland").await, [(1, 1), (1, 2)]);
    assert_eq!(store.activity(&[]).await.unwrap().days, []);
}

pub async fn states_are_counted(store: TestStore) {
    let activity_before = store.activity(&[]).await.unwrap();
    assert_eq!((activity_before.transcriptions, activity_before.deliveries), Default::default());

    let token = new_token(&store, 1).await;
    for seconds in [1, 2, 3, 4, 5] {
        queue_call(&store, token, seconds).await;
    }
    // Cancelled transcriptions don't count as failed.
    let cancelled = queue_call(&store, token, 6).await;
    assert_eq!(store.cancel_transcriptions(&[cancelled], &audit_at(7)).await.unwrap(), [cancelled]);
    transcribe(&store, vec![spoken_segment(0.0, RecordingSide::Caller, "good morning")], 10).await;
    for seconds in [20, DAY_SECONDS] {
        let claim = claim_at(&store, seconds).await.unwrap().claim;
        let result = store.fail_transcription(claim, &message("no such codec"), at(seconds)).await.unwrap();
        assert_eq!(result, FencedWrite::Done);
    }
    claim_at(&store, DAY_SECONDS + 1).await.unwrap();
    let days = last_days("UTC", 2, at(DAY_SECONDS + 2)).unwrap();
    let activity = store.activity(&days).await.unwrap();
    let ended: Vec<_> = activity.days.iter().map(|day| (day.transcribed, day.failed)).collect();
    assert_eq!(ended, [(1, 1), (0, 1)]);
    let expected = TranscriptionStates { queued: 1, processing: 1, failed: 2, oldest_queued_at: Some(at(5)) };
    assert_eq!(activity.transcriptions, expected);
}

pub async fn deliveries_are_counted_by_state(store: TestStore) {
    set_up_request(&store, 3).await;
    let deliveries = async || store.activity(&[]).await.unwrap().deliveries;
    assert_eq!(deliveries().await, DeliveryStates { queued: 3, ..DeliveryStates::default() });
    store.claim_delivery(LEASE_DURATION, at(100)).await.unwrap().unwrap();
    assert_eq!(deliveries().await, DeliveryStates { queued: 2, delivering: 1, ..DeliveryStates::default() });
}

pub async fn backlog_is_counted(store: TestStore) {
    assert_eq!(store.backlog().await.unwrap(), Backlog::default());
    let token = new_token(&store, 1).await;
    queue_call(&store, token, 5).await;
    queue_call(&store, token, 6).await;
    store.create_test_delivery(token, &target(), UNLIMITED, &audit_at(7)).await.unwrap();
    store.create_test_delivery(token, &target(), UNLIMITED, &audit_at(8)).await.unwrap();
    let waiting = Backlog {
        transcriptions_queued: 2,
        oldest_queued_at: Some(at(5)),
        deliveries_queued: 2,
        first_due_at: Some(at(7)),
        ..Backlog::default()
    };
    assert_eq!(store.backlog().await.unwrap(), waiting);
    claim_at(&store, 10).await.unwrap();
    store.claim_delivery(LEASE_DURATION, at(10)).await.unwrap().unwrap();
    let processing = Backlog {
        transcriptions_queued: 1,
        oldest_queued_at: Some(at(6)),
        transcriptions_processing: 1,
        deliveries_queued: 1,
        first_due_at: Some(at(8)),
        deliveries_delivering: 1,
    };
    assert_eq!(store.backlog().await.unwrap(), processing);
}
