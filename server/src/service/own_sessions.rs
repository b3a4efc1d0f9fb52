//! Sessions of the current user: list and end them.

use leadscribe_engine::api::{OwnSession, SessionId, UserId};

use super::error::ServiceError;
use super::sessions::used_since;
use super::user_agent;
use crate::app::App;
use crate::storage::{Origin, SecretHash, Sessions};

/// Maximum number of listed sessions. A person has a few; a script that logs in repeatedly has very many.
const MOST: u32 = 100;

/// Returns the active sessions, most recently used first. `asking` is the session of the request.
///
/// # Errors
/// The store failed.
pub async fn list(app: &App, user: UserId, asking: SecretHash) -> Result<Vec<OwnSession>, ServiceError> {
    let sessions = app.store.sessions_of(user, app.now(), used_since(app), MOST).await?;
    let listed = sessions.into_iter().map(|session| {
        let agent = session.browser.user_agent.as_deref().unwrap_or_default();
        OwnSession {
            id: session.id,
            created_at: session.created_at,
            last_used_at: session.last_used_at,
            expires_at: session.expires_at,
            address: session.browser.address,
            browser: user_agent::browser(agent).map(str::to_owned),
            system: user_agent::system(agent).map(str::to_owned),
            current: session.hash == asking,
        }
    });
    Ok(listed.collect())
}

/// Ends a session of the user.
///
/// # Errors
/// The user has no such session; or storage failed.
pub async fn end(app: &App, user: UserId, id: SessionId, by: &Origin) -> Result<(), ServiceError> {
    let ended = app.store.end_sessions(user, Sessions::One(id), by).await?;
    if ended > 0 { Ok(()) } else { Err(ServiceError::NotFound("session")) }
}

/// Ends all sessions of the user except that of the request.
///
/// # Errors
/// The store failed.
pub async fn end_others(app: &App, user: UserId, asking: SecretHash, by: &Origin) -> Result<(), ServiceError> {
    app.store.end_sessions(user, Sessions::AllBut(asking), by).await?;
    Ok(())
}
