//! Limits concurrent use in total and for each credential.

use std::collections::HashMap;
use std::pin::pin;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use tokio::sync::Notify;
use tokio::time::timeout;

/// Counts the permits in use. Clones share the counts.
#[derive(Clone, Debug)]
pub struct ConcurrencyLimit(Arc<Counts>);

#[derive(Debug)]
struct Counts {
    max_total: usize,
    max_per_credential: usize,
    in_use: Mutex<HashMap<String, usize>>,
    released: Notify,
}

impl Counts {
    fn lock_in_use(&self) -> MutexGuard<'_, HashMap<String, usize>> {
        self.in_use.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl ConcurrencyLimit {
    /// Creates a limit of `max_total` permits, at most `max_per_credential` of them per credential.
    pub fn new(max_total: usize, max_per_credential: usize) -> Self {
        Self(Arc::new(Counts { max_total, max_per_credential, in_use: Mutex::default(), released: Notify::new() }))
    }

    /// Takes a permit for this credential until the returned guard is dropped. Returns `None` if the total or the credential's limit is
    /// reached.
    pub fn try_acquire(&self, credential: &str) -> Option<ConcurrencyPermit> {
        let mut in_use = self.0.lock_in_use();
        let own_count = in_use.get(credential).copied().unwrap_or(0);
        if own_count >= self.0.max_per_credential || in_use.values().sum::<usize>() >= self.0.max_total {
            return None;
        }
        in_use.insert(credential.to_owned(), own_count + 1);
        Some(ConcurrencyPermit { limit: self.clone(), credential: credential.to_owned() })
    }

    /// Takes a permit like [`ConcurrencyLimit::try_acquire`], and waits for one at most `wait`.
    pub async fn acquire_timeout(&self, wait: Duration, credential: &str) -> Option<ConcurrencyPermit> {
        let acquire = async {
            loop {
                let mut released = pin!(self.0.released.notified());
                released.as_mut().enable();
                if let Some(permit) = self.try_acquire(credential) {
                    return permit;
                }
                released.await;
            }
        };
        timeout(wait, acquire).await.ok()
    }
}

/// A permit in use.
#[derive(Debug)]
pub struct ConcurrencyPermit {
    limit: ConcurrencyLimit,
    credential: String,
}

impl Drop for ConcurrencyPermit {
    fn drop(&mut self) {
        let mut in_use = self.limit.0.lock_in_use();
        if let Some(count) = in_use.get_mut(&self.credential) {
            *count -= 1;
            if *count == 0 {
                in_use.remove(&self.credential);
            }
        }
        drop(in_use);
        self.limit.0.released.notify_waiters();
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::ConcurrencyLimit;

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
        assert!(limit.0.lock_in_use().is_empty());
    }

    #[tokio::test(start_paused = true)]
    async fn waits_for_a_free_permit() {
        let (limit, wait) = (ConcurrencyLimit::new(2, 1), Duration::from_secs(1));
        let own_permit = limit.try_acquire("key:1").expect("a permit");
        assert!(limit.acquire_timeout(wait, "key:1").await.is_none());
        let (acquired, ()) = tokio::join!(limit.acquire_timeout(wait, "key:1"), async { drop(own_permit) });
        assert!(acquired.is_some());
    }
}
