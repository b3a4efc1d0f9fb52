//! Idempotency keys, which make a repeated creation return the result of the first one.

use std::fmt;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use chrono::TimeDelta;
use sha2::{Digest, Sha256};

/// Time for which a key chosen by a client is kept. No reasonable client repeats a request after a longer time.
pub const IDEMPOTENCY_KEY_LIFETIME: TimeDelta = TimeDelta::days(2);

/// Diagnostic code of a write whose idempotency key was used for another request.
pub const IDEMPOTENCY_KEY_REUSED: &str = "idempotency_key_reused";

/// Diagnostic code of a write whose idempotency key is new, but may not be stored.
pub const IDEMPOTENCY_KEY_NOT_STORED: &str = "idempotency_key_not_stored";

/// Idempotency key of a request. Clones share the fingerprint and the outcome.
#[derive(Clone)]
pub struct IdempotencyKey {
    /// Caller, as in the audit log. Keys of different callers are independent.
    pub owner: String,
    /// Key chosen by the client, 1 to 255 visible ASCII characters; or a key derived from the request.
    pub key: String,
    /// Time after which a repeated request is carried out again.
    pub(super) lifetime: TimeDelta,
    /// False if only the result of an earlier request may be returned, and no new one is stored.
    pub(super) can_store: bool,
    /// Hash of the request so far. Another request under the same key is refused.
    hash: Arc<Mutex<Sha256>>,
    is_replayed: Arc<AtomicBool>,
}

impl IdempotencyKey {
    /// Creates the key of a request that begins with `content`.
    pub fn new(owner: String, key: String, content: impl AsRef<[u8]>) -> Self {
        let hash = Arc::new(Mutex::new(Sha256::new_with_prefix(content)));
        Self { owner, key, lifetime: IDEMPOTENCY_KEY_LIFETIME, can_store: true, hash, is_replayed: Arc::default() }
    }

    /// Creates the key of a request without one: the same `content` has the same key. A client can't choose this key, because it contains
    /// a space.
    pub fn derived(owner: String, content: &[u8], lifetime: TimeDelta) -> Self {
        let key = format!("sha256 {}", STANDARD.encode(Sha256::digest(content)));
        Self { lifetime, ..Self::new(owner, key, content) }
    }

    /// The same key of another caller.
    #[must_use]
    pub fn owned_by(self, owner: String) -> Self {
        Self { owner, ..self }
    }

    /// The same key, with or without storing a result.
    #[must_use]
    pub fn with_storage(self, can_store: bool) -> Self {
        Self { can_store, ..self }
    }

    /// The same key for a request that consists of `content` only.
    #[must_use]
    pub fn with_content(&self, content: impl AsRef<[u8]>) -> Self {
        Self { hash: Arc::new(Mutex::new(Sha256::new_with_prefix(content))), ..self.clone() }
    }

    /// Adds a part of the request.
    pub fn add_content(&self, content: &[u8]) {
        self.hash.lock().unwrap_or_else(PoisonError::into_inner).update(content);
    }

    /// SHA-256 over the request.
    pub(super) fn fingerprint(&self) -> [u8; 32] {
        self.hash.lock().unwrap_or_else(PoisonError::into_inner).clone().finalize().into()
    }

    /// True if an earlier request under this key was carried out, and this one returned its result.
    pub fn is_replayed(&self) -> bool {
        self.is_replayed.load(Ordering::Relaxed)
    }

    pub(super) fn set_replayed(&self, is_replayed: bool) {
        self.is_replayed.store(is_replayed, Ordering::Relaxed);
    }
}

impl fmt::Debug for IdempotencyKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("IdempotencyKey").field("owner", &self.owner).field("key", &self.key).finish_non_exhaustive()
    }
}
