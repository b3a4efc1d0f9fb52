//! Staff users.

use leadscribe_engine::api::{Page, Role, User, UserId};
use leadscribe_engine::diagnostic::{Diagnostic, Location, account, conflict};

use crate::storage::sql::input_format::InputFormat;
use crate::storage::sql::{Row, Session, audit, binds, views};
use crate::storage::{AuditContext, Result, SecretHash, Slice, UserChange, WriteError};

/// Columns that [`read_user`] reads.
pub(super) const COLUMNS: &str = "u.id, u.email, u.role, u.last_login_at, u.created_at, u.deactivated_at";

pub(super) fn read_user(row: &dyn Row) -> Result<User> {
    Ok(User {
        id: UserId(row.get(0)?),
        email: row.get(1)?,
        role: row.get_enum(2, Role::from_name)?,
        last_login_at: row.get(3)?,
        created_at: row.get(4)?,
        deactivated_at: row.get(5)?,
    })
}

pub(super) fn list(session: &dyn Session, slice: Slice) -> Result<Page<User>> {
    super::list(session, (COLUMNS, "users u", "u.email"), slice, read_user)
}

pub(in crate::storage::sql) fn find(session: &dyn Session, id: UserId) -> Result<Option<User>> {
    session.find(&format!("SELECT {COLUMNS} FROM users u WHERE u.id = ?1"), &binds![id.0], read_user)
}

pub(super) fn find_by_email(session: &dyn Session, email: &str) -> Result<Option<(User, String)>> {
    let sql = format!("SELECT {COLUMNS}, u.password_hash FROM users u WHERE u.email = ?1");
    session.find(&sql, &binds![email], |row| Ok((read_user(row)?, row.get(6)?)))
}

pub(super) fn create(
    session: &dyn Session,
    email: &str,
    hash: &str,
    role: Role,
    audit: &AuditContext,
) -> Result<User, WriteError> {
    if session.exists("SELECT 1 FROM users WHERE email = ?1", &binds![email])? {
        return Err(InputFormat::Body.refuse("email", "taken", account::email_taken()));
    }
    let id = UserId(session.query_value(
        "INSERT INTO users (email, password_hash, role, created_at) VALUES (?1, ?2, ?3, ?4) RETURNING id",
        &binds![email, hash, role.as_str(), audit.at],
    )?);
    audit::record(session, "user.create", &id.subject(), audit)?;
    Ok(User { id, email: email.to_owned(), role, last_login_at: None, created_at: audit.at, deactivated_at: None })
}

/// True if the user is an active admin, and so can grant rights to others.
fn is_active_admin(user: &User) -> bool {
    user.role == Role::Admin && user.deactivated_at.is_none()
}

/// Refuses unless an active admin other than `user` remains.
fn check_other_admin_remains(session: &dyn Session, user: UserId, location: Location) -> Result<(), WriteError> {
    let sql = "SELECT 1 FROM users WHERE role = 'admin' AND deactivated_at IS NULL AND id <> ?1 LIMIT 1";
    if session.exists(sql, &binds![user.0])? {
        return Ok(());
    }
    let diagnostic = Diagnostic::new(location, "last_admin", conflict::last_admin());
    Err(WriteError::Refused(diagnostic.suggest(conflict::add_admin_first())))
}

pub(super) fn change(
    session: &dyn Session,
    id: UserId,
    change: &UserChange,
    audit: &AuditContext,
) -> Result<Option<User>, WriteError> {
    let Some(old) = find(session, id)? else { return Ok(None) };
    let deactivated_at = match change.active {
        None => old.deactivated_at,
        Some(true) => None,
        Some(false) => old.deactivated_at.or(Some(audit.at)),
    };
    let new = User { role: change.role.unwrap_or(old.role), deactivated_at, ..old.clone() };
    if is_active_admin(&old) && !is_active_admin(&new) {
        let changed_member = if new.role == old.role { "active" } else { "role" };
        check_other_admin_remains(session, id, InputFormat::Body.location(changed_member))?;
    }
    if new == old && change.password_hash.is_none() {
        return Ok(Some(old));
    }
    session.execute(
        "UPDATE users SET role = ?2, deactivated_at = ?3, password_hash = coalesce(?4, password_hash) WHERE id = ?1",
        &binds![id.0, new.role.as_str(), new.deactivated_at, change.password_hash],
    )?;
    // A change of role or password, or deactivation, ends all sessions of the user.
    session.execute("DELETE FROM sessions WHERE user_id = ?1", &binds![id.0])?;
    let subject = id.subject();
    if new.role != old.role || change.password_hash.is_some() {
        audit::record(session, "user.update", &subject, audit)?;
    }
    if new.deactivated_at != old.deactivated_at {
        let action = if new.deactivated_at.is_some() { "user.deactivate" } else { "user.activate" };
        audit::record(session, action, &subject, audit)?;
    }
    Ok(Some(new))
}

pub(super) fn change_password(
    session: &dyn Session,
    id: UserId,
    hash: &str,
    current_session: SecretHash,
    audit: &AuditContext,
) -> Result<bool> {
    // The password was compared earlier. If another request has changed it since, that ended this session.
    let sql = "UPDATE users SET password_hash = ?2 WHERE id = ?1 \
               AND EXISTS (SELECT 1 FROM sessions s WHERE s.user_id = users.id AND s.hash = ?3)";
    if session.execute(sql, &binds![id.0, hash, current_session])? == 0 {
        return Ok(false);
    }
    session.execute("DELETE FROM sessions WHERE user_id = ?1 AND hash <> ?2", &binds![id.0, current_session])?;
    audit::record(session, "user.change_password", &id.subject(), audit)?;
    Ok(true)
}

pub(super) fn delete(session: &dyn Session, id: UserId, audit: &AuditContext) -> Result<bool, WriteError> {
    let Some(user) = find(session, id)? else { return Ok(false) };
    if is_active_admin(&user) {
        check_other_admin_remains(session, id, Location::default())?;
    }
    views::delete_private_views(session, id)?;
    // The schema deletes the user's sessions with the user.
    session.execute("DELETE FROM users WHERE id = ?1", &binds![id.0])?;
    audit::record(session, "user.delete", &id.subject(), audit)?;
    Ok(true)
}
