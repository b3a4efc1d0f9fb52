//! Staff and their sessions.

use leadscribe_engine::api::{Role, SessionResponse, Timestamp, User, UserId};
use leadscribe_engine::fault::{Fault, Place};

use crate::storage::sql::references::Source;
use crate::storage::sql::{Row, Session, audit, binds};
use crate::storage::{Origin, SecretHash, StoreError, WriteError};

/// What [`user`] reads.
const COLUMNS: &str = "u.id, u.email, u.role, u.last_login_at, u.created_at";

fn user(row: &dyn Row) -> Result<User, StoreError> {
    Ok(User {
        id: UserId(row.get(0)?),
        email: row.get(1)?,
        role: row.named(2, Role::from_name)?,
        last_login_at: row.get(3)?,
        created_at: row.get(4)?,
    })
}

pub(super) fn all(session: &dyn Session) -> Result<Vec<User>, StoreError> {
    session.query(&format!("SELECT {COLUMNS} FROM users u ORDER BY u.email"), &[], user)
}

fn find(session: &dyn Session, id: UserId) -> Result<Option<User>, StoreError> {
    session.find(&format!("SELECT {COLUMNS} FROM users u WHERE u.id = ?1"), &binds![id.0], user)
}

pub(super) fn find_by_email(session: &dyn Session, email: &str) -> Result<Option<(User, String)>, StoreError> {
    let sql = format!("SELECT {COLUMNS}, u.password_hash FROM users u WHERE u.email = ?1");
    session.find(&sql, &binds![email], |row| Ok((user(row)?, row.get(5)?)))
}

pub(super) fn create(
    session: &dyn Session,
    email: &str,
    hash: &str,
    role: Role,
    by: &Origin,
) -> Result<User, WriteError> {
    if session.exists("SELECT 1 FROM users WHERE email = ?1", &binds![email])? {
        let detail = "expected an e-mail address that no member of staff has, but this one is taken";
        return Err(Source::Body.refuse("email", "taken", detail));
    }
    let id = UserId(session.value(
        "INSERT INTO users (email, password_hash, role, created_at) VALUES (?1, ?2, ?3, ?4) RETURNING id",
        &binds![email, hash, role.as_str(), by.at],
    )?);
    audit::record(session, "user.create", &format!("user:{id}"), by)?;
    Ok(User { id, email: email.to_owned(), role, last_login_at: None, created_at: by.at })
}

/// Somebody must be able to give rights to others.
fn another_admin_remains(session: &dyn Session, than: UserId, place: Place) -> Result<(), WriteError> {
    if session.exists("SELECT 1 FROM users WHERE role = 'admin' AND id <> ?1 LIMIT 1", &binds![than.0])? {
        return Ok(());
    }
    let detail = format!("expected an admin to remain, but user {than} is the only one");
    let hint = "make another member of staff an admin first";
    Err(WriteError::Refused(Fault::new(place, "last_admin", detail).hint(hint)))
}

pub(super) fn change(
    session: &dyn Session,
    id: UserId,
    role: Option<Role>,
    hash: Option<&str>,
    by: &Origin,
) -> Result<Option<User>, WriteError> {
    let Some(old) = find(session, id)? else { return Ok(None) };
    let role = role.unwrap_or(old.role);
    if old.role == Role::Admin && role != Role::Admin {
        another_admin_remains(session, id, Source::Body.place("role"))?;
    }
    if role == old.role && hash.is_none() {
        return Ok(Some(old));
    }
    session.execute(
        "UPDATE users SET role = ?2, password_hash = coalesce(?3, password_hash) WHERE id = ?1",
        &binds![id.0, role.as_str(), hash],
    )?;
    if hash.is_some() {
        session.execute("DELETE FROM sessions WHERE user_id = ?1", &binds![id.0])?;
    }
    audit::record(session, "user.update", &format!("user:{id}"), by)?;
    Ok(Some(User { role, ..old }))
}

pub(super) fn delete(session: &dyn Session, id: UserId, by: &Origin) -> Result<bool, WriteError> {
    let Some(user) = find(session, id)? else { return Ok(false) };
    if user.role == Role::Admin {
        another_admin_remains(session, id, Place::default())?;
    }
    // The sessions go with the user: the reference in the schema says so.
    session.execute("DELETE FROM users WHERE id = ?1", &binds![id.0])?;
    audit::record(session, "user.delete", &format!("user:{id}"), by)?;
    Ok(true)
}

pub(super) fn open_session(
    session: &dyn Session,
    user: UserId,
    hash: SecretHash,
    csrf_token: &str,
    expires_at: Timestamp,
    by: &Origin,
) -> Result<(), WriteError> {
    let noted = session.execute("UPDATE users SET last_login_at = ?2 WHERE id = ?1", &binds![user.0, by.at])?;
    if noted == 0 {
        let detail = format!("expected a member of staff, but there is no user {user}");
        return Err(WriteError::Refused(Fault::new(Place::default(), "unknown_user", detail)));
    }
    session.execute(
        "INSERT INTO sessions (hash, user_id, csrf_token, created_at, expires_at) VALUES (?1, ?2, ?3, ?4, ?5)",
        &binds![hash, user.0, csrf_token, by.at, expires_at],
    )?;
    audit::record(session, "session.create", &format!("user:{user}"), by)?;
    Ok(())
}

pub(super) fn session(
    session: &dyn Session,
    hash: SecretHash,
    now: Timestamp,
) -> Result<Option<SessionResponse>, StoreError> {
    let sql = format!(
        "SELECT {COLUMNS}, s.csrf_token, s.expires_at FROM sessions s JOIN users u ON u.id = s.user_id
         WHERE s.hash = ?1 AND s.expires_at > ?2"
    );
    session.find(&sql, &binds![hash, now], |row| {
        Ok(SessionResponse { user: user(row)?, csrf_token: row.get(5)?, expires_at: row.get(6)? })
    })
}
