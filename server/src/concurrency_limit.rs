//! Limits concurrent use in total and for each credential. Waiting credentials take turns.

use std::collections::{HashMap, VecDeque};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use tokio::sync::oneshot;
use tokio::time::timeout;

tokio::task_local! {
    static CREDENTIAL: Arc<str>;
}

/// Runs a future on behalf of a credential.
pub async fn run_for_credential<F: Future>(credential: Arc<str>, future: F) -> F::Output {
    CREDENTIAL.scope(credential, future).await
}

/// Credential on whose behalf the current task runs; empty if it runs for the server itself.
pub fn current_credential() -> Arc<str> {
    CREDENTIAL.try_with(Arc::clone).unwrap_or_default()
}

/// Limits the permits in use. A permit that becomes free goes to the waiting credential that uses the fewest; of several, to
/// the one that has waited longest since it last used one. So many requests of one credential delay another one by one turn. Clones share
/// the permits.
#[derive(Clone, Debug)]
pub struct ConcurrencyLimit(Arc<Shared>);

#[derive(Debug)]
struct Shared {
    max_total: usize,
    max_per_credential: usize,
    state: Mutex<State>,
}

#[derive(Debug, Default)]
struct State {
    in_use: usize,
    /// Credentials that use permits or wait for them.
    credentials: HashMap<Arc<str>, Usage>,
    /// Next value of [`Usage::turn`].
    next_turn: u64,
}

#[derive(Debug)]
struct Usage {
    in_use: usize,
    /// Increases with the time of the last release, or else of the first request.
    turn: u64,
    /// Requests that wait, in the order of their arrival.
    waiting: VecDeque<oneshot::Sender<ConcurrencyPermit>>,
}

impl ConcurrencyLimit {
    /// Creates a limit of `max_total` permits, at most `max_per_credential` of them per credential.
    pub fn new(max_total: usize, max_per_credential: usize) -> Self {
        Self(Arc::new(Shared { max_total, max_per_credential, state: Mutex::default() }))
    }

    /// Takes a permit for this credential until the returned guard is dropped. Returns `None` if the total or the credential's limit is
    /// reached.
    pub fn try_acquire(&self, credential: &str) -> Option<ConcurrencyPermit> {
        self.try_take(&mut self.lock_state(), credential)
    }

    /// Takes a permit like [`ConcurrencyLimit::try_acquire`], and waits until there is one.
    pub async fn acquire(&self, credential: &str) -> ConcurrencyPermit {
        let receiver = {
            let mut state = self.lock_state();
            if let Some(permit) = self.try_take(&mut state, credential) {
                return permit;
            }
            // A limit without permits has no releases that would do this.
            state.remove_unused();
            let (sender, receiver) = oneshot::channel();
            state.usage_of(credential.into()).waiting.push_back(sender);
            receiver
        };
        receiver.await.expect("a waiting request is kept until it gets a permit")
    }

    /// Takes a permit like [`ConcurrencyLimit::acquire`], and waits at most `wait`.
    pub async fn acquire_timeout(&self, wait: Duration, credential: &str) -> Option<ConcurrencyPermit> {
        timeout(wait, self.acquire(credential)).await.ok()
    }

    /// Number of free permits.
    pub fn available_permits(&self) -> usize {
        self.0.max_total - self.lock_state().in_use
    }

    fn try_take(&self, state: &mut State, credential: &str) -> Option<ConcurrencyPermit> {
        let own_count = state.credentials.get(credential).map_or(0, |usage| usage.in_use);
        if own_count >= self.0.max_per_credential || state.in_use >= self.0.max_total {
            return None;
        }
        let credential: Arc<str> = credential.into();
        state.in_use += 1;
        state.usage_of(credential.clone()).in_use += 1;
        Some(ConcurrencyPermit { limit: self.clone(), credential })
    }

    fn lock_state(&self) -> MutexGuard<'_, State> {
        self.0.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl State {
    fn usage_of(&mut self, credential: Arc<str>) -> &mut Usage {
        let next_turn = &mut self.next_turn;
        self.credentials.entry(credential).or_insert_with(|| Usage {
            in_use: 0,
            turn: take_turn(next_turn),
            waiting: VecDeque::new(),
        })
    }

    /// Records that a credential no longer uses a permit.
    fn release(&mut self, credential: &str) {
        self.in_use -= 1;
        if let Some(usage) = self.credentials.get_mut(credential) {
            usage.in_use -= 1;
            usage.turn = take_turn(&mut self.next_turn);
        }
        self.remove_unused();
    }

    /// Removes abandoned requests and unused credentials.
    fn remove_unused(&mut self) {
        self.credentials.retain(|_, usage| {
            usage.waiting.retain(|sender| !sender.is_closed());
            usage.in_use > 0 || !usage.waiting.is_empty()
        });
    }

    /// Removes the request that gets the next permit.
    fn next_waiting(&mut self, max_per_credential: usize) -> Option<(Arc<str>, oneshot::Sender<ConcurrencyPermit>)> {
        let is_ready = |usage: &Usage| usage.in_use < max_per_credential && !usage.waiting.is_empty();
        let ready = self.credentials.iter_mut().filter(|(_, usage)| is_ready(usage));
        let (credential, usage) = ready.min_by_key(|(_, usage)| (usage.in_use, usage.turn))?;
        Some((credential.clone(), usage.waiting.pop_front()?))
    }
}

fn take_turn(next_turn: &mut u64) -> u64 {
    *next_turn += 1;
    *next_turn
}

/// A permit in use.
#[derive(Debug)]
pub struct ConcurrencyPermit {
    limit: ConcurrencyLimit,
    credential: Arc<str>,
}

impl Drop for ConcurrencyPermit {
    fn drop(&mut self) {
        let mut state = self.limit.lock_state();
        state.release(&self.credential);
        let next = state.next_waiting(self.limit.0.max_per_credential).and_then(|(credential, sender)| {
            let permit = self.limit.try_take(&mut state, &credential)?;
            Some((sender, permit))
        });
        drop(state);
        if let Some((sender, permit)) = next {
            // If the request was abandoned, its permit is dropped here, and the next one gets it.
            let _abandoned = sender.send(permit);
        }
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use futures::stream::FuturesUnordered;
    use futures::{FutureExt, StreamExt};

    use super::{ConcurrencyLimit, current_credential, run_for_credential};

    #[test]
    fn one_credential_cannot_take_all_permits() {
        let limit = ConcurrencyLimit::new(3, 2);
        let own_permits: Vec<_> = (0..2).map(|_| limit.try_acquire("key:1").expect("a permit")).collect();
        assert!(limit.try_acquire("key:1").is_none(), "the limit per credential applies");
        let other_permit = limit.try_acquire("key:2").expect("a permit of another credential");
        assert!(limit.try_acquire("key:3").is_none(), "the total limit applies");
        drop(own_permits);
        assert!(limit.try_acquire("key:1").is_some());
        drop(other_permit);
        assert!(limit.lock_state().credentials.is_empty());
    }

    #[tokio::test(start_paused = true)]
    async fn waits_for_a_free_permit() {
        let (limit, wait) = (ConcurrencyLimit::new(2, 1), Duration::from_secs(1));
        let own_permit = limit.try_acquire("key:1").expect("a permit");
        assert!(limit.acquire_timeout(wait, "key:1").await.is_none());
        let (acquired, ()) = tokio::join!(limit.acquire_timeout(wait, "key:1"), async { drop(own_permit) });
        assert!(acquired.is_some());
    }

    #[tokio::test]
    async fn waiting_credentials_take_turns() {
        for max in [1, 2] {
            let limit = ConcurrencyLimit::new(max, max);
            let mut permits: Vec<_> = (0..max).map(|_| limit.try_acquire("key:1").expect("a permit")).collect();
            let mut waiting = FuturesUnordered::new();
            for credential in ["key:1", "key:1", "key:1", "key:2", "key:3", "key:2"] {
                let mut permit = Box::pin(limit.acquire(credential));
                assert!((&mut permit).now_or_never().is_none());
                waiting.push(permit);
            }
            let mut order = Vec::new();
            while !permits.is_empty() {
                drop(permits.remove(0));
                if let Some(permit) = waiting.next().now_or_never().flatten() {
                    order.push(permit.credential.to_string());
                    permits.push(permit);
                }
            }
            assert_eq!(order, ["key:2", "key:3", "key:1", "key:2", "key:1", "key:1"], "{max} permits");
            assert_eq!((limit.available_permits(), limit.lock_state().credentials.len()), (max, 0));
        }
    }

    #[tokio::test]
    async fn abandoned_requests_get_no_permit() {
        let limit = ConcurrencyLimit::new(1, 1);
        let permit = limit.acquire("key:1").await;
        let mut abandoned = Box::pin(limit.acquire("key:2"));
        let mut granted = Box::pin(limit.acquire("key:2"));
        let mut last = Box::pin(limit.acquire("key:2"));
        for waiting in [&mut abandoned, &mut granted, &mut last] {
            assert!(waiting.now_or_never().is_none());
        }
        drop(abandoned);
        drop(permit);
        assert_eq!(limit.available_permits(), 0);
        drop(granted);
        let last = last.now_or_never().expect("the permit that an abandoned request had got");
        drop(last);
        assert_eq!((limit.available_permits(), limit.lock_state().credentials.len()), (1, 0));
    }

    #[tokio::test]
    async fn abandoned_requests_are_forgotten_without_a_release() {
        let limit = ConcurrencyLimit::new(0, 0);
        for credential in ["key:1", "key:2", "key:2"] {
            assert!(limit.acquire(credential).now_or_never().is_none());
        }
        let state = limit.lock_state();
        assert_eq!(state.credentials.values().map(|usage| usage.waiting.len()).sum::<usize>(), 1);
    }

    #[tokio::test]
    async fn credential_of_a_task_is_known() {
        assert_eq!(&*current_credential(), "");
        run_for_credential("key:1".into(), async { assert_eq!(&*current_credential(), "key:1") }).await;
    }
}
