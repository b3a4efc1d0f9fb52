//! Staff sessions: log in, look up and log out.

use std::net::IpAddr;
use std::time::Duration;

use chrono::TimeDelta;
use governor::clock::DefaultClock;
use leadscribe_engine::api::{ChangePasswordRequest, LoginRequest, SessionResponse, Timestamp, User};
use leadscribe_engine::diagnostic::{self, Diagnostic, work};

use super::known_devices;
use super::login_attempts::{AttemptSource, LoginAttemptLimiter};
use super::passwords::{PasswordError, Passwords};
use super::secrets::{self, Secret, SecretKind};
use super::user_agent;
use crate::config::LoginConfig;
use crate::service::app::App;
use crate::service::error::{Result, ServiceError};
use crate::storage::{
    AuditContext, Browser, NewSession, SESSION_USE_RECORD_INTERVAL, SecretHash, StoreError, WriteError,
};

/// Reason why a login failed.
#[derive(Debug, thiserror::Error)]
pub enum LoginError {
    /// Email address or password is wrong, or the account is deactivated. The response doesn't reveal which.
    #[error("incorrect email or password")]
    WrongCredentials,
    #[error("{}", work::too_many_attempts(*seconds))]
    TooManyAttempts {
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

/// Limits login attempts and concurrent password hashing.
pub struct LoginGuard {
    /// Hashes and compares passwords.
    pub passwords: Passwords,
    attempt_limiter: LoginAttemptLimiter,
}

impl LoginGuard {
    /// Creates a guard with the configured limits.
    pub fn new(config: &LoginConfig) -> Self {
        Self {
            passwords: Passwords::new(config.max_concurrent_password_checks),
            attempt_limiter: LoginAttemptLimiter::new(config, DefaultClock::default()),
        }
    }

    fn admit(&self, email: &str, source: AttemptSource) -> Result<(), LoginError> {
        let rejection = |wait: Duration| LoginError::TooManyAttempts { seconds: wait.as_secs() + 1 };
        self.attempt_limiter.admit(email, source).map_err(rejection)
    }
}

impl std::fmt::Debug for LoginGuard {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("LoginGuard").field("passwords", &self.passwords).finish_non_exhaustive()
    }
}

/// A session that was just created.
pub struct OpenedSession {
    /// Secret for the session cookie.
    pub secret: Secret,
    /// User, CSRF token and expiry.
    pub session: SessionResponse,
    /// New value of the device cookie.
    pub device_cookie: String,
}

/// Origin of a login.
#[derive(Clone, Copy, Debug)]
pub struct LoginOrigin<'a> {
    /// Client address; `None` if the transport has none.
    pub address: Option<IpAddr>,
    /// `User-Agent` of the browser.
    pub user_agent: Option<&'a str>,
    /// Device cookie of the browser ([`known_devices`]).
    pub device_cookie: Option<&'a str>,
    /// Previous session of the browser, which is ended.
    pub previous_session: Option<SecretHash>,
}

/// Logs in a staff member. An unknown email address takes as long as a known one.
///
/// # Errors
/// See [`LoginError`].
pub async fn log_in(
    app: &App,
    request: LoginRequest,
    origin: LoginOrigin<'_>,
    audit: &AuditContext,
) -> Result<OpenedSession, LoginError> {
    let LoginOrigin { address, user_agent, device_cookie, previous_session } = origin;
    let email = request.email.trim().to_lowercase();
    let account = app.store.user_by_email(&email).await?;
    let device_id =
        account.as_ref().and_then(|(user, hash)| known_devices::verified_device_id(device_cookie, user.id, hash));
    app.login_guard.admit(
        &email,
        device_id.map_or(AttemptSource::Unknown(address), |id| AttemptSource::Known(secrets::hash(id))),
    )?;
    let (user, hash) = account.unzip();
    let is_correct = app.login_guard.passwords.verify(request.password, hash.clone()).await?;
    let Some((user, hash)) = user.zip(hash).filter(|(user, _)| is_correct && user.deactivated_at.is_none()) else {
        return reject_login(app, audit).await;
    };
    let (secret, csrf_token) = (Secret::new(SecretKind::Session), Secret::new(SecretKind::Csrf).reveal());
    let expires_at = audit.at + TimeDelta::hours(app.config.login.session_hours.into());
    let browser = Browser {
        address: address.map(|address| address.to_canonical().to_string()),
        user_agent: user_agent.and_then(user_agent::sanitize),
    };
    let new_session = NewSession { hash: secret.hash(), csrf_token: csrf_token.clone(), expires_at, browser };
    let user_context = AuditContext { actor: user.id.subject(), ..audit.clone() };
    match app.store.create_session(user.id, &hash, &new_session, &user_context).await {
        Ok(()) => {}
        // The password was changed or the account was deactivated or removed during the comparison.
        Err(WriteError::Refused(_)) => return reject_login(app, audit).await,
        Err(WriteError::Store(error)) => return Err(error.into()),
    }
    if let Some(previous_session) = previous_session {
        app.store.delete_session(previous_session).await?;
    }
    let device_cookie = known_devices::updated_cookie(device_cookie, device_id, user.id, &hash);
    Ok(OpenedSession { secret, session: SessionResponse { user, csrf_token, expires_at }, device_cookie })
}

async fn reject_login(app: &App, audit: &AuditContext) -> Result<OpenedSession, LoginError> {
    // Don't record the email address: users may type a password into the wrong field.
    app.store.record_event("session.reject", "session", audit).await?;
    Err(LoginError::WrongCredentials)
}

/// Changes the password of the current user and ends their other sessions. Attempts are limited like logins, for this
/// session only. Returns the new device cookie, because a password change invalidates `device_cookie`.
///
/// # Errors
/// The current password is wrong; the new password is invalid; there were too many attempts; or hashing or storage failed.
pub async fn change_password(
    app: &App,
    user: &User,
    session: SecretHash,
    request: ChangePasswordRequest,
    device_cookie: Option<&str>,
    audit: &AuditContext,
) -> Result<String> {
    // Limit attempts first: even the strength check takes a core for a while.
    app.login_guard.admit(&user.email, AttemptSource::Known(session))?;
    let location = diagnostic::Location::Pointer("/password".to_owned());
    let diagnostic = app.login_guard.passwords.check_new(&request.password, &user.email, location).await?;
    ServiceError::ensure_no_diagnostics(diagnostic.into_iter().collect())?;
    let hash = app.store.user_by_email(&user.email).await?.map(|(_, hash)| hash);
    if !app.login_guard.passwords.verify(request.current_password, hash).await? {
        let location = diagnostic::Location::Pointer("/current_password".to_owned());
        let diagnostic = Diagnostic::new(location, "wrong_password", diagnostic::account::wrong_password());
        return Err(ServiceError::InvalidRequest(vec![diagnostic]));
    }
    let hash = app.login_guard.passwords.hash(request.password).await?;
    let changed = app.store.change_password(user.id, &hash, session, audit).await?;
    changed
        .then(|| known_devices::updated_cookie(device_cookie, None, user.id, &hash))
        .ok_or(ServiceError::NotFound("session"))
}

/// Returns the session with this secret hash if it is active, and records its use.
///
/// # Errors
/// The store failed.
pub async fn find_and_touch(app: &App, session: SecretHash) -> Result<Option<SessionResponse>, StoreError> {
    app.store.use_session(session, app.now(), idle_cutoff(app)).await
}

/// Returns the session like [`find_and_touch`] but doesn't record its use. For background requests of an open panel.
///
/// # Errors
/// The store failed.
pub async fn find(app: &App, session: SecretHash) -> Result<Option<SessionResponse>, StoreError> {
    app.store.session(session, app.now(), idle_cutoff(app)).await
}

/// Returns the idle limit: sessions last used before this time have ended.
pub(in crate::service) fn idle_cutoff(app: &App) -> Timestamp {
    app.now() - TimeDelta::minutes(app.config.login.session_idle_minutes.into()) - SESSION_USE_RECORD_INTERVAL
}

/// Ends a session permanently.
///
/// # Errors
/// The store failed.
pub async fn log_out(app: &App, session: SecretHash, audit: &AuditContext) -> Result<(), StoreError> {
    app.store.delete_session(session).await?;
    app.store.record_event("session.delete", "session", audit).await
}
