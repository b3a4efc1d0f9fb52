//! Limits concurrent use in total and for each credential.

use std::collections::HashMap;
use std::pin::pin;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use tokio::sync::Notify;
use tokio::time::timeout;

/// Counts the places in use. Clones share the counts.
#[derive(Clone, Debug)]
pub struct Quota(Arc<Counts>);

#[derive(Debug)]
struct Counts {
    max_total: usize,
    max_each: usize,
    taken: Mutex<HashMap<String, usize>>,
    released: Notify,
}

impl Counts {
    fn taken(&self) -> MutexGuard<'_, HashMap<String, usize>> {
        self.taken.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Quota {
    /// Creates a quota of `max_total` places, of which one credential may take `max_each`.
    pub fn new(max_total: usize, max_each: usize) -> Self {
        Self(Arc::new(Counts { max_total, max_each, taken: Mutex::default(), released: Notify::new() }))
    }

    /// Takes a place for this credential until the returned guard is dropped. Returns `None` if the total or the credential's limit is
    /// reached.
    pub fn take(&self, credential: &str) -> Option<Place> {
        let mut taken = self.0.taken();
        let own = taken.get(credential).copied().unwrap_or(0);
        if own >= self.0.max_each || taken.values().sum::<usize>() >= self.0.max_total {
            return None;
        }
        taken.insert(credential.to_owned(), own + 1);
        Some(Place { quota: self.clone(), credential: credential.to_owned() })
    }

    /// Takes a place like [`Quota::take`], and waits for one at most `patience`.
    pub async fn take_within(&self, patience: Duration, credential: &str) -> Option<Place> {
        let taking = async {
            loop {
                let mut released = pin!(self.0.released.notified());
                released.as_mut().enable();
                if let Some(place) = self.take(credential) {
                    return place;
                }
                released.await;
            }
        };
        timeout(patience, taking).await.ok()
    }
}

/// A place in use.
#[derive(Debug)]
pub struct Place {
    quota: Quota,
    credential: String,
}

impl Drop for Place {
    fn drop(&mut self) {
        let mut taken = self.quota.0.taken();
        if let Some(count) = taken.get_mut(&self.credential) {
            *count -= 1;
            if *count == 0 {
                taken.remove(&self.credential);
            }
        }
        drop(taken);
        self.quota.0.released.notify_waiters();
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::Quota;

    #[test]
    fn one_credential_cannot_take_all_places() {
        let quota = Quota::new(3, 2);
        let own: Vec<_> = (0..2).map(|_| quota.take("key:1").expect("a place")).collect();
        assert!(quota.take("key:1").is_none(), "it has its part");
        let other = quota.take("key:2").expect("a place of the others");
        assert!(quota.take("key:3").is_none(), "all are taken");
        drop(own);
        assert!(quota.take("key:1").is_some());
        drop(other);
        assert!(quota.0.taken().is_empty());
    }

    #[tokio::test(start_paused = true)]
    async fn waits_for_a_free_place() {
        let (quota, patience) = (Quota::new(2, 1), Duration::from_secs(1));
        let own = quota.take("key:1").expect("a place");
        assert!(quota.take_within(patience, "key:1").await.is_none());
        let (waited, ()) = tokio::join!(quota.take_within(patience, "key:1"), async { drop(own) });
        assert!(waited.is_some());
    }
}
