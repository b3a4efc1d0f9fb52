//! Ensures that work runs only once per key at a time.

use std::collections::HashSet;
use std::hash::Hash;
use std::sync::{Arc, Mutex, PoisonError};

/// Keys of the work that is running in this process. Clones share them.
#[derive(Debug)]
pub struct InFlightKeys<K>(Arc<Mutex<HashSet<K>>>);

impl<K: Clone + Eq + Hash> InFlightKeys<K> {
    /// Claims a key until the returned guard is dropped. Returns `None` if the key is already claimed.
    pub fn try_acquire(&self, key: K) -> Option<InFlightGuard<K>> {
        let is_free = self.0.lock().unwrap_or_else(PoisonError::into_inner).insert(key.clone());
        is_free.then(|| InFlightGuard { keys: self.clone(), key })
    }
}

impl<K> Clone for InFlightKeys<K> {
    fn clone(&self) -> Self {
        Self(Arc::clone(&self.0))
    }
}

impl<K> Default for InFlightKeys<K> {
    fn default() -> Self {
        Self(Arc::default())
    }
}

/// Claim on one key.
#[derive(Debug)]
pub struct InFlightGuard<K: Clone + Eq + Hash> {
    keys: InFlightKeys<K>,
    key: K,
}

impl<K: Clone + Eq + Hash> Drop for InFlightGuard<K> {
    fn drop(&mut self) {
        self.keys.0.lock().unwrap_or_else(PoisonError::into_inner).remove(&self.key);
    }
}

#[cfg(test)]
mod tests {
    use super::InFlightKeys;

    #[test]
    fn key_is_claimed_once_at_a_time() {
        let keys = InFlightKeys::default();
        let guard = keys.try_acquire((1, "a"));
        assert!(guard.is_some());
        assert!(keys.try_acquire((1, "a")).is_none());
        assert!(keys.try_acquire((2, "a")).is_some(), "another key");
        drop(guard);
        assert!(keys.try_acquire((1, "a")).is_some());
    }
}
