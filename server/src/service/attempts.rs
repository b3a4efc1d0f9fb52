//! How many log-in attempts are taken, and from where.
//!
//! Who guesses passwords must not get far, and must not keep anybody out: who has logged in with a browser before has attempts
//! there that nobody else can use up. docs/adr/0021-log-in-attempts.md has the reasons.

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

/// How many times as many attempts an account has from all addresses together as from one: many addresses don't guess more
/// than ten do.
const EVERYWHERE: u32 = 10;

/// Once so many of a kind are remembered, those that have rested are forgotten.
const REMEMBERED: usize = 10_000;

/// Where an attempt at an account comes from.
#[derive(Clone, Copy, Debug)]
pub enum Source {
    /// Where its owner has proved to be: a browser that is known to the account, or a session.
    Known(SecretHash),
    /// Anywhere else.
    Unknown(Option<IpAddr>),
}

type Limiter<K, C> = RateLimiter<K, DefaultKeyedStateStore<K>, C, NoOpMiddleware<<C as Clock>::Instant>>;

/// Counts attempts. An account stands for whoever says its e-mail, there or not; its hash does, for an e-mail may be long.
pub struct Attempts<C: Clock = DefaultClock> {
    known: Limiter<(SecretHash, SecretHash), C>,
    /// Attempts of an account from all its known places together. A log-in from an unknown browser adds a known place.
    all_known: Limiter<SecretHash, C>,
    accounts: Limiter<(SecretHash, Option<IpAddr>), C>,
    everywhere: Limiter<SecretHash, C>,
    addresses: Limiter<Option<IpAddr>, C>,
    clock: C,
}

impl<C: Clock + Clone> Attempts<C> {
    /// With the limits of the options.
    pub fn new(config: &LoginConfig, clock: C) -> Self {
        let per_minute = |attempts| Quota::per_minute(NonZeroU32::new(attempts).unwrap_or(NonZeroU32::MIN));
        let of_account = per_minute(config.account_attempts);
        let everywhere = per_minute(config.account_attempts.saturating_mul(EVERYWHERE));
        Self {
            known: limiter(of_account, &clock),
            all_known: limiter(everywhere, &clock),
            accounts: limiter(of_account, &clock),
            everywhere: limiter(everywhere, &clock),
            addresses: limiter(per_minute(config.address_attempts), &clock),
            clock,
        }
    }

    /// Counts an attempt, and takes it or not.
    ///
    /// # Errors
    /// How long it takes until the next is taken from there.
    pub fn admit(&self, email: &str, from: Source) -> Result<(), Duration> {
        forget_rested(&self.known);
        forget_rested(&self.all_known);
        forget_rested(&self.accounts);
        forget_rested(&self.everywhere);
        forget_rested(&self.addresses);
        let account = secrets::hash(email);
        match from {
            Source::Known(place) => {
                self.take(&self.known, &(account, place))?;
                self.take(&self.all_known, &account)
            }
            // What one address has used up is not taken from what the account has everywhere.
            Source::Unknown(address) => {
                let network = address.map(network);
                self.take(&self.addresses, &network)?;
                self.take(&self.accounts, &(account, network))?;
                self.take(&self.everywhere, &account)
            }
        }
    }

    fn take<K: Clone + Eq + Hash>(&self, limiter: &Limiter<K, C>, key: &K) -> Result<(), Duration> {
        limiter.check_key(key).map_err(|until| until.wait_time_from(self.clock.now()))
    }
}

fn limiter<K: Clone + Eq + Hash, C: Clock + Clone>(quota: Quota, clock: &C) -> Limiter<K, C> {
    RateLimiter::new(quota, DefaultKeyedStateStore::default(), clock.clone())
}

fn forget_rested<K: Clone + Eq + Hash, C: Clock>(limiter: &Limiter<K, C>) {
    if limiter.len() > REMEMBERED {
        limiter.retain_recent();
    }
}

/// What one subscriber has: an IPv4 address, or an IPv6 network of 64 bits.
fn network(address: IpAddr) -> IpAddr {
    match address.to_canonical() {
        IpAddr::V4(address) => address.into(),
        IpAddr::V6(address) => Ipv6Addr::from_bits(address.to_bits() & !u128::from(u64::MAX)).into(),
    }
}

#[cfg(test)]
mod tests;
