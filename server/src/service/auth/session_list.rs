//! Sessions of the current user: list and end them.

use leadscribe_engine::api::{SessionId, SessionInfo, UserId};

use super::sessions::idle_cutoff;
use super::user_agent;
use crate::service::app::App;
use crate::service::error::{Result, ServiceError};
use crate::storage::{AuditContext, SecretHash, SessionSelection};

/// Maximum number of listed sessions. A person has a few; a script that logs in repeatedly has very many.
const MAX_LISTED_SESSIONS: u32 = 100;

/// Returns the active sessions, most recently used first. `current` is the session of the request.
///
/// # Errors
/// The store failed.
pub async fn list(app: &App, user: UserId, current: SecretHash) -> Result<Vec<SessionInfo>> {
    let sessions = app.store.user_sessions(user, app.now(), idle_cutoff(app), MAX_LISTED_SESSIONS).await?;
    let listed = sessions.into_iter().map(|session| {
        let agent = session.browser.user_agent.as_deref().unwrap_or_default();
        SessionInfo {
            id: session.id,
            created_at: session.created_at,
            last_used_at: session.last_used_at,
            expires_at: session.expires_at,
            address: session.browser.address,
            browser: user_agent::browser(agent).map(str::to_owned),
            system: user_agent::system(agent).map(str::to_owned),
            current: session.hash == current,
        }
    });
    Ok(listed.collect())
}

/// Ends a session of the user.
///
/// # Errors
/// The user has no such session; or storage failed.
pub async fn end(app: &App, user: UserId, id: SessionId, audit: &AuditContext) -> Result<()> {
    let ended = app.store.end_sessions(user, SessionSelection::Single(id), audit).await?;
    if ended > 0 { Ok(()) } else { Err(ServiceError::NotFound("session")) }
}

/// Ends all sessions of the user except the current one.
///
/// # Errors
/// The store failed.
pub async fn end_others(app: &App, user: UserId, current: SecretHash, audit: &AuditContext) -> Result<()> {
    app.store.end_sessions(user, SessionSelection::AllExcept(current), audit).await?;
    Ok(())
}
