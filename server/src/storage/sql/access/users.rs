//! Staff and their sessions.

use leadscribe_engine::api::{Role, SessionResponse, Timestamp, User, UserId};
use leadscribe_engine::fault::{Fault, Place};
use rusqlite::{Connection, OptionalExtension, Row, Transaction, params};

use crate::storage::sqlite::audit;
use crate::storage::sqlite::references::{Source, exists};
use crate::storage::sqlite::rows::{Micros, count, moment, named};
use crate::storage::{Origin, SecretHash, WriteError};

/// What [`user`] reads.
const COLUMNS: &str = "u.id, u.email, u.role, u.last_login_at, u.created_at";

fn user(row: &Row<'_>) -> rusqlite::Result<User> {
    Ok(User {
        id: UserId(row.get(0)?),
        email: row.get(1)?,
        role: named(row, 2, Role::from_name)?,
        last_login_at: moment(row, 3)?,
        created_at: row.get::<_, Micros>(4)?.0,
    })
}

pub(super) fn all(connection: &Connection) -> rusqlite::Result<Vec<User>> {
    connection
        .prepare_cached(&format!("SELECT {COLUMNS} FROM users u ORDER BY u.email"))?
        .query_map([], user)?
        .collect()
}

fn find(connection: &Connection, id: UserId) -> rusqlite::Result<Option<User>> {
    connection
        .prepare_cached(&format!("SELECT {COLUMNS} FROM users u WHERE u.id = ?1"))?
        .query_row([id.0], user)
        .optional()
}

pub(super) fn find_by_email(connection: &Connection, email: &str) -> rusqlite::Result<Option<(User, String)>> {
    connection
        .prepare_cached(&format!("SELECT {COLUMNS}, u.password_hash FROM users u WHERE u.email = ?1"))?
        .query_row([email], |row| Ok((user(row)?, row.get(5)?)))
        .optional()
}

pub(super) fn create(
    transaction: &Transaction<'_>,
    email: &str,
    hash: &str,
    role: Role,
    by: &Origin,
) -> Result<User, WriteError> {
    if exists(transaction, "SELECT 1 FROM users WHERE email = ?1", [email])? {
        let detail = "expected an e-mail address that no member of staff has, but this one is taken";
        return Err(Source::Body.refuse("email", "taken", detail));
    }
    let id = transaction
        .prepare_cached("INSERT INTO users (email, password_hash, role, created_at) VALUES (?1, ?2, ?3, ?4)")?
        .insert(params![email, hash, role.as_str(), Micros(by.at)])?;
    audit::record(transaction, "user.create", &format!("user:{id}"), by)?;
    Ok(User { id: UserId(id), email: email.to_owned(), role, last_login_at: None, created_at: by.at })
}

/// Somebody must be able to give rights to others.
fn another_admin_remains(connection: &Connection, than: UserId, place: Place) -> Result<(), WriteError> {
    if count(connection, "SELECT count(*) FROM users WHERE role = 'admin' AND id <> ?1", [than.0])? > 0 {
        return Ok(());
    }
    let detail = format!("expected an admin to remain, but user {than} is the only one");
    let hint = "make another member of staff an admin first";
    Err(WriteError::Refused(Fault::new(place, "last_admin", detail).hint(hint)))
}

pub(super) fn change(
    transaction: &Transaction<'_>,
    id: UserId,
    role: Option<Role>,
    hash: Option<&str>,
    by: &Origin,
) -> Result<Option<User>, WriteError> {
    let Some(old) = find(transaction, id)? else { return Ok(None) };
    let role = role.unwrap_or(old.role);
    if old.role == Role::Admin && role != Role::Admin {
        another_admin_remains(transaction, id, Source::Body.place("role"))?;
    }
    if role == old.role && hash.is_none() {
        return Ok(Some(old));
    }
    transaction.execute(
        "UPDATE users SET role = ?2, password_hash = coalesce(?3, password_hash) WHERE id = ?1",
        params![id.0, role.as_str(), hash],
    )?;
    if hash.is_some() {
        transaction.execute("DELETE FROM sessions WHERE user_id = ?1", [id.0])?;
    }
    audit::record(transaction, "user.update", &format!("user:{id}"), by)?;
    Ok(Some(User { role, ..old }))
}

pub(super) fn delete(transaction: &Transaction<'_>, id: UserId, by: &Origin) -> Result<bool, WriteError> {
    let Some(user) = find(transaction, id)? else { return Ok(false) };
    if user.role == Role::Admin {
        another_admin_remains(transaction, id, Place::default())?;
    }
    // The sessions go with the user: the reference in the schema says so.
    transaction.execute("DELETE FROM users WHERE id = ?1", [id.0])?;
    audit::record(transaction, "user.delete", &format!("user:{id}"), by)?;
    Ok(true)
}

pub(super) fn open_session(
    transaction: &Transaction<'_>,
    user: UserId,
    session: SecretHash,
    csrf_token: &str,
    expires_at: Timestamp,
    by: &Origin,
) -> Result<(), WriteError> {
    let noted =
        transaction.execute("UPDATE users SET last_login_at = ?2 WHERE id = ?1", params![user.0, Micros(by.at)])?;
    if noted == 0 {
        let detail = format!("expected a member of staff, but there is no user {user}");
        return Err(WriteError::Refused(Fault::new(Place::default(), "unknown_user", detail)));
    }
    transaction.execute("DELETE FROM sessions WHERE expires_at <= ?1", [Micros(by.at)])?;
    transaction.execute(
        "INSERT INTO sessions (hash, user_id, csrf_token, created_at, expires_at) VALUES (?1, ?2, ?3, ?4, ?5)",
        params![session, user.0, csrf_token, Micros(by.at), Micros(expires_at)],
    )?;
    audit::record(transaction, "session.create", &format!("user:{user}"), by)?;
    Ok(())
}

pub(super) fn session(
    connection: &Connection,
    session: SecretHash,
    now: Timestamp,
) -> rusqlite::Result<Option<SessionResponse>> {
    connection
        .prepare_cached(&format!(
            "SELECT {COLUMNS}, s.csrf_token, s.expires_at FROM sessions s JOIN users u ON u.id = s.user_id
             WHERE s.hash = ?1 AND s.expires_at > ?2"
        ))?
        .query_row(params![session, Micros(now)], |row| {
            Ok(SessionResponse { user: user(row)?, csrf_token: row.get(5)?, expires_at: row.get::<_, Micros>(6)?.0 })
        })
        .optional()
}
