//! Tests of jobs and sessions after the clock was set.

use chrono::TimeDelta;
use leadscribe_engine::api::*;

use super::speech::new_token;
use super::transcripts::{claim_at, queue_call};
use super::{TestStore, access, at, audit_at, message};
use crate::storage::{Browser, CorrectedTimes, FencedWrite, MAX_LEASE_DURATION, MIN_CLOCK_STEP};

const HOUR_SECONDS: i64 = 3_600;
const MONTH_SECONDS: i64 = 30 * 24 * HOUR_SECONDS;

/// Corrects the times for a clock that was expected to show `expected` and shows `now`.
async fn correct_times(store: &TestStore, expected: i64, now: i64) -> CorrectedTimes {
    store.correct_times(at(expected), at(now)).await.unwrap()
}

fn corrected_jobs(jobs: u64) -> CorrectedTimes {
    CorrectedTimes { jobs, sessions: 0 }
}

pub async fn jobs_keep_their_delay_when_the_clock_is_set_forward(store: TestStore) {
    let token = new_token(&store, 1).await;
    queue_call(&store, token, 0).await;
    let retried = claim_at(&store, 0).await.unwrap().claim;
    assert_eq!(store.retry_transcription(retried, &message("busy"), at(100), at(10)).await.unwrap(), FencedWrite::Done);
    queue_call(&store, token, 10).await;
    let claimed = store.claim_transcription(TimeDelta::seconds(30), at(10)).await.unwrap().unwrap().claim;

    for (before_step, step) in [(20, HOUR_SECONDS), (30, MONTH_SECONDS)] {
        // Two processes detect the step, one of them slightly later.
        assert_eq!(correct_times(&store, before_step, step + before_step).await, corrected_jobs(2));
        assert_eq!(correct_times(&store, before_step + 1, step + before_step + 1).await, corrected_jobs(0));
        assert_eq!(claim_at(&store, step + before_step + 19).await, None, "jobs of running workers are not claimed");
        assert_eq!(
            correct_times(&store, step + before_step + 2, before_step + 2).await,
            corrected_jobs(2),
            "the clock is set back"
        );
    }
    assert_eq!(store.extend_transcription(claimed, at(200)).await.unwrap(), FencedWrite::Done);
    // The remaining delay was recomputed from a time two seconds later.
    assert_eq!(claim_at(&store, 100 + 3).await, None);
    assert_eq!(claim_at(&store, 100 + 4).await.unwrap().claim.id, retried.id);
}

pub async fn jobs_are_not_stuck_when_the_clock_is_set_back(store: TestStore) {
    let token = new_token(&store, 1).await;
    for step in [HOUR_SECONDS, MONTH_SECONDS] {
        queue_call(&store, token, step).await;
        let stalled = claim_at(&store, step).await.unwrap().claim;
        queue_call(&store, token, step).await;
        let retried = claim_at(&store, step).await.unwrap().claim;
        assert_eq!(
            store.retry_transcription(retried, &message("busy"), at(step + 40), at(step)).await.unwrap(),
            FencedWrite::Done
        );
        queue_call(&store, token, step).await;

        // No process detected the clock step.
        assert_eq!(claim_at(&store, 0).await, None);
        assert_eq!(correct_times(&store, 0, 0).await, corrected_jobs(3));
        assert_eq!(correct_times(&store, 1, 1).await, corrected_jobs(0));
        let fresh = claim_at(&store, 1).await.unwrap();
        assert_eq!(claim_at(&store, 39).await, None);
        let second = claim_at(&store, 40).await.unwrap().claim;
        assert_eq!(second.id, retried.id);
        assert_eq!(claim_at(&store, 49).await, None);
        let third = claim_at(&store, MAX_LEASE_DURATION.num_seconds()).await.unwrap().claim;
        assert_eq!(third.id, stalled.id);
        for claim in [fresh.claim, second, third] {
            assert_eq!(store.fail_transcription(claim, &message("over"), at(51)).await.unwrap(), FencedWrite::Done);
        }
    }
}

pub async fn released_jobs_are_due_immediately(store: TestStore) {
    let token = new_token(&store, 1).await;
    queue_call(&store, token, MONTH_SECONDS).await;
    assert_eq!(correct_times(&store, MONTH_SECONDS, 0).await, corrected_jobs(1));
    let claim = claim_at(&store, 1).await.unwrap().claim;
    assert_eq!(store.release_transcription(claim, at(2)).await.unwrap(), FencedWrite::Done);
    assert_eq!(claim_at(&store, 2).await.unwrap().claim.id, claim.id, "the clock was ahead when it was queued");
}

pub async fn small_clock_differences_are_ignored(store: TestStore) {
    let token = new_token(&store, 1).await;
    let step = MIN_CLOCK_STEP.num_seconds();
    queue_call(&store, token, step).await;
    store.claim_transcription(MAX_LEASE_DURATION, at(step)).await.unwrap().unwrap();
    queue_call(&store, token, step).await;
    assert_eq!(correct_times(&store, 0, 0).await, corrected_jobs(0), "another machine's clock is a little ahead");
    assert_eq!(claim_at(&store, 0).await, None);
    queue_call(&store, token, step + 1).await;
    assert_eq!(correct_times(&store, 0, 0).await, corrected_jobs(1));
}

pub async fn sessions_do_not_last_longer_when_the_clock_is_set(store: TestStore) {
    let user = store.create_user("ada@example.com", "hash", Role::Admin, &audit_at(0)).await.unwrap();
    let open_session = async |number: u8, opened: i64| {
        access::open_session(&store, user.id, number, opened + 600, &Browser::default(), opened).await.unwrap();
    };
    let is_open = async |number: u8, now: i64| {
        store.session([number; 32], at(now), Timestamp::UNIX_EPOCH).await.unwrap().is_some()
    };
    open_session(1, 0).await;
    assert_eq!(correct_times(&store, 10, HOUR_SECONDS).await, corrected_jobs(0));
    assert!(!is_open(1, HOUR_SECONDS).await);
    open_session(2, MONTH_SECONDS).await;
    assert!(is_open(2, MONTH_SECONDS).await && !is_open(2, 10).await, "a session in the future is not open");
    // Ended sessions stay ended, and open ones would end too late.
    assert_eq!(correct_times(&store, MONTH_SECONDS + 10, 20).await, CorrectedTimes { jobs: 0, sessions: 2 });
    assert!(!is_open(1, 20).await && !is_open(2, MONTH_SECONDS + 20).await);
    open_session(3, 20).await;
    assert_eq!(correct_times(&store, 40, 30).await, corrected_jobs(0));
    assert!(is_open(3, 30).await, "clocks of several machines are never the same");
}
