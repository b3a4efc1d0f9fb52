//! Tests of jobs and sessions after the clock was set.

use chrono::TimeDelta;
use leadscribe_engine::api::*;

use super::speech::new_token;
use super::transcripts::{claim_at, queued};
use super::{Tested, access, at, by};
use crate::storage::{Browser, ByClaim, CorrectedTimes, MAX_LEASE, MIN_CLOCK_STEP};

const HOUR: i64 = 3_600;
const MONTH: i64 = 30 * 24 * HOUR;

/// Corrects the times for a clock that was expected to show `expected` and shows `now`.
async fn set(store: &Tested, expected: i64, now: i64) -> CorrectedTimes {
    store.correct_times(at(expected), at(now)).await.unwrap()
}

fn jobs(jobs: u64) -> CorrectedTimes {
    CorrectedTimes { jobs, sessions: 0 }
}

pub async fn jobs_keep_their_delay_when_the_clock_is_set_forward(store: Tested) {
    let token = new_token(&store, 1).await;
    queued(&store, token, 0).await;
    let retried = claim_at(&store, 0).await.unwrap().claim;
    assert_eq!(store.retry_transcription(retried, &"busy".into(), at(100), at(10)).await.unwrap(), ByClaim::Done);
    queued(&store, token, 10).await;
    let held = store.claim_transcription(TimeDelta::seconds(30), at(10)).await.unwrap().unwrap().claim;

    for (then, ahead) in [(20, HOUR), (30, MONTH)] {
        // Two processes detect the step, one of them slightly later.
        assert_eq!(set(&store, then, ahead + then).await, jobs(2));
        assert_eq!(set(&store, then + 1, ahead + then + 1).await, jobs(0));
        assert_eq!(claim_at(&store, ahead + then + 19).await, None, "a living worker's job is never taken");
        assert_eq!(set(&store, ahead + then + 2, then + 2).await, jobs(2), "it is set back");
    }
    assert_eq!(store.extend_transcription(held, at(200)).await.unwrap(), ByClaim::Done);
    // The remaining delay was recomputed from a time two seconds later.
    assert_eq!(claim_at(&store, 100 + 3).await, None);
    assert_eq!(claim_at(&store, 100 + 4).await.unwrap().claim.id, retried.id);
}

pub async fn jobs_are_not_stuck_when_the_clock_is_set_back(store: Tested) {
    let token = new_token(&store, 1).await;
    for ahead in [HOUR, MONTH] {
        queued(&store, token, ahead).await;
        let lost = claim_at(&store, ahead).await.unwrap().claim;
        queued(&store, token, ahead).await;
        let retried = claim_at(&store, ahead).await.unwrap().claim;
        assert_eq!(
            store.retry_transcription(retried, &"busy".into(), at(ahead + 40), at(ahead)).await.unwrap(),
            ByClaim::Done
        );
        queued(&store, token, ahead).await;

        // No process detected when it was set.
        assert_eq!(claim_at(&store, 0).await, None);
        assert_eq!(set(&store, 0, 0).await, jobs(3));
        assert_eq!(set(&store, 1, 1).await, jobs(0));
        let fresh = claim_at(&store, 1).await.unwrap();
        assert_eq!(claim_at(&store, 39).await, None);
        let second = claim_at(&store, 40).await.unwrap().claim;
        assert_eq!(second.id, retried.id);
        assert_eq!(claim_at(&store, 49).await, None);
        let again = claim_at(&store, MAX_LEASE.num_seconds()).await.unwrap().claim;
        assert_eq!(again.id, lost.id);
        for claim in [fresh.claim, second, again] {
            assert_eq!(store.fail_transcription(claim, &"over".into(), at(51)).await.unwrap(), ByClaim::Done);
        }
    }
}

pub async fn released_jobs_are_due_immediately(store: Tested) {
    let token = new_token(&store, 1).await;
    queued(&store, token, MONTH).await;
    assert_eq!(set(&store, MONTH, 0).await, jobs(1));
    let claim = claim_at(&store, 1).await.unwrap().claim;
    assert_eq!(store.release_transcription(claim, at(2)).await.unwrap(), ByClaim::Done);
    assert_eq!(claim_at(&store, 2).await.unwrap().claim.id, claim.id, "the clock was ahead when it was queued");
}

pub async fn small_clock_differences_are_ignored(store: Tested) {
    let token = new_token(&store, 1).await;
    let step = MIN_CLOCK_STEP.num_seconds();
    queued(&store, token, step).await;
    store.claim_transcription(MAX_LEASE, at(step)).await.unwrap().unwrap();
    queued(&store, token, step).await;
    assert_eq!(set(&store, 0, 0).await, jobs(0), "another machine's clock is a little ahead");
    assert_eq!(claim_at(&store, 0).await, None);
    queued(&store, token, step + 1).await;
    assert_eq!(set(&store, 0, 0).await, jobs(1));
}

pub async fn sessions_do_not_last_longer_when_the_clock_is_set(store: Tested) {
    let user = store.create_user("ada@example.com", "hash", Role::Admin, &by(0)).await.unwrap();
    let open = async |number: u8, opened: i64| {
        access::open(&store, user.id, number, opened + 600, &Browser::default(), opened).await.unwrap();
    };
    let is_open = async |number: u8, now: i64| {
        store.session([number; 32], at(now), Timestamp::UNIX_EPOCH).await.unwrap().is_some()
    };
    open(1, 0).await;
    assert_eq!(set(&store, 10, HOUR).await, jobs(0));
    assert!(!is_open(1, HOUR).await);
    open(2, MONTH).await;
    assert!(is_open(2, MONTH).await && !is_open(2, 10).await, "one that is yet to begin");
    // Ended sessions stay ended, and open ones would end too late.
    assert_eq!(set(&store, MONTH + 10, 20).await, CorrectedTimes { jobs: 0, sessions: 2 });
    assert!(!is_open(1, 20).await && !is_open(2, MONTH + 20).await);
    open(3, 20).await;
    assert_eq!(set(&store, 40, 30).await, jobs(0));
    assert!(is_open(3, 30).await, "clocks of several machines are never the same");
}
