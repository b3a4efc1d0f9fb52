//! Sessions of staff: log in, who is it, log out.

use std::net::{IpAddr, Ipv6Addr};
use std::num::NonZeroU32;

use chrono::TimeDelta;
use governor::clock::{Clock as _, DefaultClock};
use governor::{DefaultKeyedRateLimiter, Quota, RateLimiter};
use leadscribe_engine::api::{LoginRequest, OwnPasswordRequest, SessionResponse, User};
use leadscribe_engine::fault::{Fault, Place};

use super::error::ServiceError;
use super::passwords::{self, PasswordError, Passwords};
use super::secrets::{self, Kind, Secret};
use crate::app::App;
use crate::config::LoginConfig;
use crate::storage::{Origin, SecretHash, StoreError, WriteError};

/// Once so many accounts or addresses are remembered, those that have rested are forgotten.
const REMEMBERED: usize = 10_000;

/// Somebody could not log in.
#[derive(Debug, thiserror::Error)]
pub enum LoginError {
    /// E-mail or password is wrong, or the account is deactivated; which of them is not told.
    #[error("wrong e-mail or password")]
    Wrong,
    /// Too many attempts.
    #[error("too many log-in attempts; the next is taken after {seconds} seconds")]
    TooMany {
        /// When the next is taken.
        seconds: u64,
    },
    /// The password could not be compared.
    #[error(transparent)]
    Password(#[from] PasswordError),
    /// The session could not be opened.
    #[error(transparent)]
    Write(#[from] WriteError),
    /// The store failed.
    #[error(transparent)]
    Store(#[from] StoreError),
}

/// Bounds log-in attempts, and the work of hashing passwords.
pub struct Guard {
    /// Hashes and compares passwords.
    pub passwords: Passwords,
    accounts: DefaultKeyedRateLimiter<(String, Option<IpAddr>)>,
    addresses: DefaultKeyedRateLimiter<Option<IpAddr>>,
}

impl Guard {
    /// With the limits of the options.
    pub fn new(config: &LoginConfig) -> Self {
        let per_minute = |attempts| Quota::per_minute(NonZeroU32::new(attempts).unwrap_or(NonZeroU32::MIN));
        Self {
            passwords: Passwords::new(config.max_hashing),
            accounts: RateLimiter::keyed(per_minute(config.account_attempts)),
            addresses: RateLimiter::keyed(per_minute(config.address_attempts)),
        }
    }

    /// Counts an attempt. An account is counted per address: whoever guesses elsewhere can't lock its owner out.
    fn admit(&self, email: &str, address: Option<IpAddr>) -> Result<(), LoginError> {
        let now = DefaultClock::default().now();
        let network = address.map(network);
        let too_many = |wait: std::time::Duration| LoginError::TooMany { seconds: wait.as_secs() + 1 };
        self.addresses.check_key(&network).map_err(|until| too_many(until.wait_time_from(now)))?;
        self.accounts.check_key(&(email.to_owned(), network)).map_err(|until| too_many(until.wait_time_from(now)))?;
        if self.accounts.len() > REMEMBERED {
            self.accounts.retain_recent();
        }
        if self.addresses.len() > REMEMBERED {
            self.addresses.retain_recent();
        }
        Ok(())
    }
}

impl std::fmt::Debug for Guard {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Guard").field("passwords", &self.passwords).finish_non_exhaustive()
    }
}

/// What one subscriber has: an IPv4 address, or an IPv6 network of 64 bits.
fn network(address: IpAddr) -> IpAddr {
    match address.to_canonical() {
        IpAddr::V4(address) => address.into(),
        IpAddr::V6(address) => Ipv6Addr::from_bits(address.to_bits() & !u128::from(u64::MAX)).into(),
    }
}

/// A session that was just opened.
pub struct Opened {
    /// For the cookie.
    pub secret: Secret,
    /// Who, until when.
    pub session: SessionResponse,
}

/// Logs a member of staff in. An unknown e-mail costs as much time as a known one.
///
/// # Errors
/// See [`LoginError`].
pub async fn log_in(
    app: &App,
    request: LoginRequest,
    address: Option<IpAddr>,
    by: &Origin,
) -> Result<Opened, LoginError> {
    let email = request.email.trim().to_lowercase();
    app.guard.admit(&email, address)?;
    let (user, hash) = app.store.user_by_email(&email).await?.unzip();
    let right = app.guard.passwords.verify(request.password, hash).await?;
    let Some(user) = user.filter(|user| right && user.deactivated_at.is_none()) else {
        // Not the e-mail itself: people type passwords into the wrong field.
        app.store.note("session.refused", "session", by).await?;
        return Err(LoginError::Wrong);
    };
    let (secret, csrf_token) = (Secret::new(Kind::Session), Secret::new(Kind::Csrf).reveal());
    let expires_at = by.at + TimeDelta::hours(app.config.login.session_hours.into());
    let by = Origin { actor: format!("user:{}", user.id), ..by.clone() };
    app.store.create_session(user.id, secret.hash(), &csrf_token, expires_at, &by).await?;
    Ok(Opened { secret, session: SessionResponse { user, csrf_token, expires_at } })
}

/// Changes the password of the one who asks, and ends their sessions but the one they ask in. Wrong attempts are counted
/// like those to log in.
///
/// # Errors
/// The current password is wrong, or the new one breaks a rule; too many attempts; hashing or the store failed.
pub async fn change_password(
    app: &App,
    user: &User,
    session: SecretHash,
    request: OwnPasswordRequest,
    address: Option<IpAddr>,
    by: &Origin,
) -> Result<(), ServiceError> {
    let fault = passwords::check_new(&request.password, Place::Pointer("/password".to_owned()));
    ServiceError::unless_empty(fault.into_iter().collect())?;
    app.guard.admit(&user.email, address)?;
    let hash = app.store.user_by_email(&user.email).await?.map(|(_, hash)| hash);
    if !app.guard.passwords.verify(request.current_password, hash).await? {
        let place = Place::Pointer("/current_password".to_owned());
        let fault = Fault::new(place, "wrong_password", "expected your password as it is now");
        return Err(ServiceError::InvalidRequest(vec![fault]));
    }
    let hash = app.guard.passwords.hash(request.password).await?;
    let changed = app.store.change_password(user.id, &hash, session, by).await?;
    changed.then_some(()).ok_or(ServiceError::NotFound("user"))
}

/// The session with this secret, if it hasn't ended.
///
/// # Errors
/// The store failed.
pub async fn find(app: &App, secret: &str) -> Result<Option<SessionResponse>, StoreError> {
    find_by_hash(app, secrets::hash(secret)).await
}

/// The session with this hash of its secret, if it hasn't ended.
///
/// # Errors
/// The store failed.
pub async fn find_by_hash(app: &App, session: SecretHash) -> Result<Option<SessionResponse>, StoreError> {
    app.store.session(session, app.now()).await
}

/// Ends a session for good.
///
/// # Errors
/// The store failed.
pub async fn log_out(app: &App, session: SecretHash, by: &Origin) -> Result<(), StoreError> {
    app.store.delete_session(session).await?;
    app.store.note("session.delete", "session", by).await
}

#[cfg(test)]
mod tests {
    use super::{Guard, LoginError, network};
    use crate::config::Config;

    #[test]
    fn an_account_is_limited_per_address_and_its_owner_is_not_locked_out() {
        let mut config = Config::default().login;
        (config.account_attempts, config.address_attempts) = (2, 3);
        let guard = Guard::new(&config);
        let (here, there) = ("192.0.2.1".parse().ok(), "192.0.2.2".parse().ok());
        assert!(guard.admit("a@b.example", here).is_ok());
        assert!(guard.admit("a@b.example", here).is_ok());
        assert!(matches!(guard.admit("a@b.example", here), Err(LoginError::TooMany { seconds: 1..=61 })));
        assert!(guard.admit("a@b.example", there).is_ok());
        assert!(guard.admit("c@b.example", here).is_err(), "the address has had its three attempts");
    }

    #[test]
    fn an_ipv6_subscriber_counts_once() {
        let network = |text: &str| network(text.parse().expect("an address"));
        assert_eq!(network("2001:db8::1"), network("2001:db8::ffff:1"));
        assert_ne!(network("2001:db8:0:1::1"), network("2001:db8::1"));
        assert_eq!(network("::ffff:192.0.2.1"), network("192.0.2.1"));
    }
}
