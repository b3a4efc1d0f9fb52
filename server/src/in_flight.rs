//! Ensures that work runs only once per key at a time.

use std::collections::HashSet;
use std::hash::Hash;
use std::sync::{Arc, Mutex, PoisonError};

/// Keys of the work that is running in this process. Clones share them.
#[derive(Debug)]
pub struct InFlight<K>(Arc<Mutex<HashSet<K>>>);

impl<K: Clone + Eq + Hash> InFlight<K> {
    /// Claims a key until the returned guard is dropped. Returns `None` if the key is already claimed.
    pub fn enter(&self, key: K) -> Option<Turn<K>> {
        let is_free = self.0.lock().unwrap_or_else(PoisonError::into_inner).insert(key.clone());
        is_free.then(|| Turn { keys: self.clone(), key })
    }
}

impl<K> Clone for InFlight<K> {
    fn clone(&self) -> Self {
        Self(Arc::clone(&self.0))
    }
}

impl<K> Default for InFlight<K> {
    fn default() -> Self {
        Self(Arc::default())
    }
}

/// Claim on one key.
#[derive(Debug)]
pub struct Turn<K: Clone + Eq + Hash> {
    keys: InFlight<K>,
    key: K,
}

impl<K: Clone + Eq + Hash> Drop for Turn<K> {
    fn drop(&mut self) {
        self.keys.0.lock().unwrap_or_else(PoisonError::into_inner).remove(&self.key);
    }
}

#[cfg(test)]
mod tests {
    use super::InFlight;

    #[test]
    fn key_is_claimed_once_at_a_time() {
        let keys = InFlight::default();
        let turn = keys.enter((1, "a"));
        assert!(turn.is_some());
        assert!(keys.enter((1, "a")).is_none());
        assert!(keys.enter((2, "a")).is_some(), "another key");
        drop(turn);
        assert!(keys.enter((1, "a")).is_some());
    }
}
