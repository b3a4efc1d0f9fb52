//! Staff sessions.

use leadscribe_engine::api::{SessionId, SessionResponse, Timestamp, UserId};
use leadscribe_engine::diagnostic::{Diagnostic, Location, account};

use super::users;
use crate::storage::sql::{Row, Session, audit, binds};
use crate::storage::{
    AuditContext, Browser, MAX_CLOCK_DIFFERENCE, NewSession, Result, SecretHash, SessionSelection, StoredSession,
    WriteError,
};

/// A session found by its secret.
pub(super) struct FoundSession {
    pub id: SessionId,
    pub session: SessionResponse,
    pub last_used_at: Option<Timestamp>,
}

pub(super) fn create(
    session: &dyn Session,
    user: UserId,
    password_hash: &str,
    new: &NewSession,
    audit: &AuditContext,
) -> Result<(), WriteError> {
    // Fails if the password was changed after it was compared: such a change ends all sessions, so it must prevent this one too.
    let sql = "UPDATE users SET last_login_at = ?2 WHERE id = ?1 AND password_hash = ?3 AND deactivated_at IS NULL";
    if session.execute(sql, &binds![user.0, audit.at, password_hash])? == 0 {
        return Err(WriteError::Refused(Diagnostic::new(
            Location::default(),
            "unknown_user",
            account::account_changed(),
        )));
    }
    session.execute(
        "INSERT INTO sessions (hash, user_id, csrf_token, created_at, expires_at, last_used_at, address, user_agent)
         VALUES (?1, ?2, ?3, ?4, ?5, ?4, ?6, ?7)",
        &binds![
            new.hash,
            user.0,
            new.csrf_token,
            audit.at,
            new.expires_at,
            new.browser.address,
            new.browser.user_agent
        ],
    )?;
    audit::record(session, "session.create", &user.subject(), audit)?;
    Ok(())
}

pub(super) fn find(
    session: &dyn Session,
    hash: SecretHash,
    now: Timestamp,
    used_since: Timestamp,
) -> Result<Option<FoundSession>> {
    let sql = format!(
        "SELECT {}, s.csrf_token, s.expires_at, s.id, s.last_used_at FROM sessions s JOIN users u ON u.id = s.user_id
         WHERE s.hash = ?1 AND s.expires_at > ?2 AND s.created_at <= ?3
             AND coalesce(s.last_used_at, s.created_at) >= ?4",
        users::COLUMNS
    );
    // A session that starts in the future was opened while the clock was ahead. It would outlive the maximum session length.
    session.find(&sql, &binds![hash, now, now + MAX_CLOCK_DIFFERENCE, used_since], |row| {
        Ok(FoundSession {
            session: SessionResponse { user: users::read_user(row)?, csrf_token: row.get(6)?, expires_at: row.get(7)? },
            id: SessionId(row.get(8)?),
            last_used_at: row.get(9)?,
        })
    })
}

pub(super) fn list_for_user(
    session: &dyn Session,
    user: UserId,
    now: Timestamp,
    used_since: Timestamp,
    limit: u32,
) -> Result<Vec<StoredSession>> {
    let read_session = |row: &dyn Row| {
        Ok(StoredSession {
            id: SessionId(row.get(0)?),
            hash: row.get(1)?,
            created_at: row.get(2)?,
            last_used_at: row.get(3)?,
            expires_at: row.get(4)?,
            browser: Browser { address: row.get(5)?, user_agent: row.get(6)? },
        })
    };
    session.query(
        "SELECT id, hash, created_at, coalesce(last_used_at, created_at), expires_at, address, user_agent FROM sessions
         WHERE user_id = ?1 AND expires_at > ?2 AND created_at <= ?3 AND coalesce(last_used_at, created_at) >= ?5
         ORDER BY coalesce(last_used_at, created_at) DESC, id DESC LIMIT ?4",
        &binds![user.0, now, now + MAX_CLOCK_DIFFERENCE, i64::from(limit), used_since],
        read_session,
    )
}

pub(super) fn end(
    session: &dyn Session,
    user: UserId,
    selection: SessionSelection,
    audit: &AuditContext,
) -> Result<u64> {
    let (count, subject) = match selection {
        SessionSelection::Single(id) => {
            let sql = "DELETE FROM sessions WHERE user_id = ?1 AND id = ?2";
            (session.execute(sql, &binds![user.0, id.0])?, id.subject())
        }
        SessionSelection::AllExcept(current) => {
            let sql = "DELETE FROM sessions WHERE user_id = ?1 AND hash <> ?2";
            (session.execute(sql, &binds![user.0, current])?, user.subject())
        }
        SessionSelection::All => {
            (session.execute("DELETE FROM sessions WHERE user_id = ?1", &binds![user.0])?, user.subject())
        }
    };
    if count > 0 {
        audit::record(session, "session.end", &subject, audit)?;
    }
    Ok(count)
}
