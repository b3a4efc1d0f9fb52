//! Limits login attempts by account and source.
//!
//! An attacker must neither guess passwords quickly nor lock out the owner of an account. Browsers that logged in before therefore have a
//! separate limit. See docs/adr/0021-login-attempts.md.

use std::hash::Hash;
use std::net::{IpAddr, Ipv6Addr};
use std::num::NonZeroU32;
use std::time::Duration;

use governor::clock::{Clock, DefaultClock};
use governor::middleware::NoOpMiddleware;
use governor::state::keyed::DefaultKeyedStateStore;
use governor::{Quota, RateLimiter};

use super::secrets;
use crate::config::LoginConfig;
use crate::storage::SecretHash;

/// Attempts on an account from all addresses together, as a multiple of those from one address.
const ALL_SOURCES_FACTOR: u32 = 10;

/// Number of remembered keys above which idle ones are forgotten.
const MAX_REMEMBERED_KEYS: usize = 10_000;

/// Source of an attempt on an account.
#[derive(Clone, Copy, Debug)]
pub enum AttemptSource {
    /// A source that the owner has used before: a device known to the account, or a session.
    Known(SecretHash),
    /// Any other source, with its address if known.
    Unknown(Option<IpAddr>),
}

type Limiter<K, C> = RateLimiter<K, DefaultKeyedStateStore<K>, C, NoOpMiddleware<<C as Clock>::Instant>>;

/// Counts attempts. Accounts are keyed by the hash of the email address as given, whether or not the account exists: the
/// hash has a fixed length.
pub struct LoginAttemptLimiter<C: Clock = DefaultClock> {
    by_known_source: Limiter<(SecretHash, SecretHash), C>,
    /// Attempts on an account from all known sources together. A login from an unknown browser adds a known source.
    by_account_from_known_sources: Limiter<SecretHash, C>,
    by_account_and_address: Limiter<(SecretHash, Option<IpAddr>), C>,
    by_account: Limiter<SecretHash, C>,
    by_address: Limiter<Option<IpAddr>, C>,
    clock: C,
}

impl<C: Clock + Clone> LoginAttemptLimiter<C> {
    /// Creates the counters with the configured limits.
    pub fn new(config: &LoginConfig, clock: C) -> Self {
        let per_minute = |attempts| Quota::per_minute(NonZeroU32::new(attempts).unwrap_or(NonZeroU32::MIN));
        let per_source = per_minute(config.account_attempts);
        let per_account = per_minute(config.account_attempts.saturating_mul(ALL_SOURCES_FACTOR));
        Self {
            by_known_source: limiter(per_source, &clock),
            by_account_from_known_sources: limiter(per_account, &clock),
            by_account_and_address: limiter(per_source, &clock),
            by_account: limiter(per_account, &clock),
            by_address: limiter(per_minute(config.address_attempts), &clock),
            clock,
        }
    }

    /// Counts an attempt and admits or rejects it.
    ///
    /// # Errors
    /// Time until the next attempt from this source is admitted.
    pub fn admit(&self, email: &str, source: AttemptSource) -> Result<(), Duration> {
        evict_idle(&self.by_known_source);
        evict_idle(&self.by_account_from_known_sources);
        evict_idle(&self.by_account_and_address);
        evict_idle(&self.by_account);
        evict_idle(&self.by_address);
        let account = secrets::hash(email);
        match source {
            AttemptSource::Known(source_hash) => {
                self.check(&self.by_known_source, &(account, source_hash))?;
                self.check(&self.by_account_from_known_sources, &account)
            }
            // Check the address first, so that an exhausted address doesn't use up the attempts of the account.
            AttemptSource::Unknown(address) => {
                let network = address.map(network);
                self.check(&self.by_address, &network)?;
                self.check(&self.by_account_and_address, &(account, network))?;
                self.check(&self.by_account, &account)
            }
        }
    }

    fn check<K: Clone + Eq + Hash>(&self, limiter: &Limiter<K, C>, key: &K) -> Result<(), Duration> {
        limiter.check_key(key).map_err(|rejection| rejection.wait_time_from(self.clock.now()))
    }
}

fn limiter<K: Clone + Eq + Hash, C: Clock + Clone>(quota: Quota, clock: &C) -> Limiter<K, C> {
    RateLimiter::new(quota, DefaultKeyedStateStore::default(), clock.clone())
}

fn evict_idle<K: Clone + Eq + Hash, C: Clock>(limiter: &Limiter<K, C>) {
    if limiter.len() > MAX_REMEMBERED_KEYS {
        limiter.retain_recent();
    }
}

/// Returns the network of one subscriber: an IPv4 address or an IPv6 /64 network.
fn network(address: IpAddr) -> IpAddr {
    match address.to_canonical() {
        IpAddr::V4(address) => address.into(),
        IpAddr::V6(address) => Ipv6Addr::from_bits(address.to_bits() & !u128::from(u64::MAX)).into(),
    }
}

#[cfg(test)]
mod tests;
