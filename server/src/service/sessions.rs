//! Staff sessions: log in, look up and log out.

use std::net::IpAddr;
use std::time::Duration;

use chrono::TimeDelta;
use governor::clock::DefaultClock;
use leadscribe_engine::api::{LoginRequest, OwnPasswordRequest, SessionResponse, Timestamp, User};
use leadscribe_engine::diagnostic::{self, Diagnostic, work};

use super::attempts::{Attempts, Source};
use super::devices;
use super::error::ServiceError;
use super::passwords::{PasswordError, Passwords};
use super::secrets::{self, Kind, Secret};
use super::user_agent;
use crate::app::App;
use crate::config::LoginConfig;
use crate::storage::{Browser, NewSession, Origin, SESSION_NOTED_EVERY, SecretHash, StoreError, WriteError};

/// Reason why a log-in failed.
#[derive(Debug, thiserror::Error)]
pub enum LoginError {
    /// E-mail address or password is wrong, or the account is deactivated. The response doesn't reveal which.
    #[error("wrong e-mail or password")]
    Wrong,
    /// Too many attempts.
    #[error("{}", work::too_many_attempts(*seconds))]
    TooMany {
        /// Time until the next attempt is admitted.
        seconds: u64,
    },
    /// The password could not be compared.
    #[error(transparent)]
    Password(#[from] PasswordError),
    /// The store failed.
    #[error(transparent)]
    Store(#[from] StoreError),
}

/// Limits log-in attempts and concurrent password hashing.
pub struct Guard {
    /// Hashes and compares passwords.
    pub passwords: Passwords,
    attempts: Attempts,
}

impl Guard {
    /// Creates a guard with the configured limits.
    pub fn new(config: &LoginConfig) -> Self {
        Self { passwords: Passwords::new(config.max_hashing), attempts: Attempts::new(config, DefaultClock::default()) }
    }

    fn admit(&self, email: &str, from: Source) -> Result<(), LoginError> {
        let too_many = |wait: Duration| LoginError::TooMany { seconds: wait.as_secs() + 1 };
        self.attempts.admit(email, from).map_err(too_many)
    }
}

impl std::fmt::Debug for Guard {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Guard").field("passwords", &self.passwords).finish_non_exhaustive()
    }
}

/// A session that was just created.
pub struct Opened {
    /// Secret for the session cookie.
    pub secret: Secret,
    /// User, CSRF token and expiry.
    pub session: SessionResponse,
    /// New value of the device cookie.
    pub device: String,
}

/// Origin of a log-in.
#[derive(Clone, Copy, Debug)]
pub struct Place<'a> {
    /// Client address; `None` if the transport has none.
    pub address: Option<IpAddr>,
    /// `User-Agent` of the browser.
    pub user_agent: Option<&'a str>,
    /// Device cookie of the browser ([`devices`]).
    pub kept: Option<&'a str>,
    /// Previous session of the browser, which is ended.
    pub left: Option<SecretHash>,
}

/// Logs in a staff member. An unknown e-mail address takes as long as a known one.
///
/// # Errors
/// See [`LoginError`].
pub async fn log_in(app: &App, request: LoginRequest, place: Place<'_>, by: &Origin) -> Result<Opened, LoginError> {
    let Place { address, user_agent, kept, left } = place;
    let email = request.email.trim().to_lowercase();
    let account = app.store.user_by_email(&email).await?;
    let device = account.as_ref().and_then(|(user, hash)| devices::known(kept, user.id, hash));
    app.guard.admit(&email, device.map_or(Source::Unknown(address), |id| Source::Known(secrets::hash(id))))?;
    let (user, hash) = account.unzip();
    let right = app.guard.passwords.verify(request.password, hash.clone()).await?;
    let Some((user, hash)) = user.zip(hash).filter(|(user, _)| right && user.deactivated_at.is_none()) else {
        return refuse(app, by).await;
    };
    let (secret, csrf_token) = (Secret::new(Kind::Session), Secret::new(Kind::Csrf).reveal());
    let expires_at = by.at + TimeDelta::hours(app.config.login.session_hours.into());
    let browser = Browser {
        address: address.map(|address| address.to_canonical().to_string()),
        user_agent: user_agent.and_then(user_agent::kept),
    };
    let new = NewSession { hash: secret.hash(), csrf_token: csrf_token.clone(), expires_at, browser };
    let themselves = Origin { actor: user.id.subject(), ..by.clone() };
    match app.store.create_session(user.id, &hash, &new, &themselves).await {
        Ok(()) => {}
        // The password was changed or the account was deactivated or removed during the comparison.
        Err(WriteError::Refused(_)) => return refuse(app, by).await,
        Err(WriteError::Store(error)) => return Err(error.into()),
    }
    if let Some(left) = left {
        app.store.delete_session(left).await?;
    }
    let device = devices::remember(kept, device, user.id, &hash);
    Ok(Opened { secret, session: SessionResponse { user, csrf_token, expires_at }, device })
}

async fn refuse(app: &App, by: &Origin) -> Result<Opened, LoginError> {
    // Don't record the e-mail address: users may type a password into the wrong field.
    app.store.note("session.refused", "session", by).await?;
    Err(LoginError::Wrong)
}

/// Changes the password of the current user and ends their other sessions. Attempts are limited like log-ins, for this
/// session only. Returns the new device cookie, because a password change invalidates `kept`.
///
/// # Errors
/// The current password is wrong; the new password breaks a rule; too many attempts; or hashing or storage failed.
pub async fn change_password(
    app: &App,
    user: &User,
    session: SecretHash,
    request: OwnPasswordRequest,
    kept: Option<&str>,
    by: &Origin,
) -> Result<String, ServiceError> {
    // Limit attempts first: even the strength check takes a core for a while.
    app.guard.admit(&user.email, Source::Known(session))?;
    let place = diagnostic::Place::Pointer("/password".to_owned());
    let fault = app.guard.passwords.check_new(&request.password, &user.email, place).await?;
    ServiceError::unless_empty(fault.into_iter().collect())?;
    let hash = app.store.user_by_email(&user.email).await?.map(|(_, hash)| hash);
    if !app.guard.passwords.verify(request.current_password, hash).await? {
        let place = diagnostic::Place::Pointer("/current_password".to_owned());
        let fault = Diagnostic::new(place, "wrong_password", "the current password is wrong");
        return Err(ServiceError::InvalidRequest(vec![fault]));
    }
    let hash = app.guard.passwords.hash(request.password).await?;
    let changed = app.store.change_password(user.id, &hash, session, by).await?;
    changed.then(|| devices::remember(kept, None, user.id, &hash)).ok_or(ServiceError::NotFound("session"))
}

/// Returns the session with this secret hash if it is active, and records its use.
///
/// # Errors
/// The store failed.
pub async fn find_used(app: &App, session: SecretHash) -> Result<Option<SessionResponse>, StoreError> {
    app.store.use_session(session, app.now(), used_since(app)).await
}

/// Returns the session like [`find_used`] but doesn't record its use. For background requests of an open panel.
///
/// # Errors
/// The store failed.
pub async fn find(app: &App, session: SecretHash) -> Result<Option<SessionResponse>, StoreError> {
    app.store.session(session, app.now(), used_since(app)).await
}

/// Returns the idle limit: sessions last used before this time have ended.
pub(super) fn used_since(app: &App) -> Timestamp {
    app.now() - TimeDelta::minutes(app.config.login.session_idle_minutes.into()) - SESSION_NOTED_EVERY
}

/// Ends a session permanently.
///
/// # Errors
/// The store failed.
pub async fn log_out(app: &App, session: SecretHash, by: &Origin) -> Result<(), StoreError> {
    app.store.delete_session(session).await?;
    app.store.note("session.delete", "session", by).await
}
