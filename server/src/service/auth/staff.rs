//! Staff accounts and roles.

use leadscribe_engine::api::{Assignee, NewUserRequest, Page, Role, UpdateUserRequest, User, UserId};
use leadscribe_engine::diagnostic::{Diagnostic, Location, account};

use crate::service::app::App;
use crate::service::error::{Result, ServiceError};
use crate::storage::{AuditContext, SessionSelection, Slice, UserChange};

/// Maximum length of an email address in bytes (RFC 5321, 4.5.3.1.3).
pub const MAX_EMAIL_BYTES: usize = 254;

/// Returns a slice of all staff, by email address.
///
/// # Errors
/// The store failed.
pub async fn list(app: &App, slice: Slice) -> Result<Page<User>> {
    Ok(app.store.users(slice).await?)
}

/// Returns a slice of all staff with the details that colleagues may see, by email address.
///
/// # Errors
/// The store failed.
pub async fn assignees(app: &App, slice: Slice) -> Result<Page<Assignee>> {
    let to_assignee = |user: User| Assignee { id: user.id, email: user.email, active: user.deactivated_at.is_none() };
    let Page { items, total } = app.store.users(slice).await?;
    Ok(Page { items: items.into_iter().map(to_assignee).collect(), total })
}

/// Adds a staff member.
///
/// # Errors
/// The email address or password is invalid (all errors are reported); the email address is taken; or hashing or the store
/// failed.
pub async fn create(app: &App, request: NewUserRequest, audit: &AuditContext) -> Result<User> {
    let email = request.email.trim().to_lowercase();
    let diagnostic = app.login_guard.passwords.check_new(&request.password, &email, pointer("/password")).await?;
    let diagnostics = [check_email(&email), diagnostic];
    ServiceError::ensure_no_diagnostics(diagnostics.into_iter().flatten().collect())?;
    let hash = app.login_guard.passwords.hash(request.password).await?;
    // The fingerprint excludes the password, which could be guessed from it.
    let idempotency = audit.idempotency.as_ref().map(|key| key.with_content(format!("user {email} {}", request.role)));
    let audit = AuditContext { idempotency, ..audit.clone() };
    Ok(app.store.create_user(&email, &hash, request.role, &audit).await?)
}

/// Changes the role, password or activation of a staff member. A change ends their sessions.
///
/// # Errors
/// The new password is invalid; the user doesn't exist; no admin would remain; or hashing or storage failed.
pub async fn update(app: &App, id: UserId, request: UpdateUserRequest, audit: &AuditContext) -> Result<User> {
    let UpdateUserRequest { role, password, active } = request;
    let hash = match password {
        Some(password) => {
            let email = app.store.user(id).await?.map(|user| user.email).unwrap_or_default();
            let diagnostic = app.login_guard.passwords.check_new(&password, &email, pointer("/password")).await?;
            ServiceError::ensure_no_diagnostics(diagnostic.into_iter().collect())?;
            Some(app.login_guard.passwords.hash(password).await?)
        }
        None => None,
    };
    app.store
        .update_user(id, UserChange { role, active, password_hash: hash }, audit)
        .await?
        .ok_or(ServiceError::NotFound("user"))
}

/// Removes a staff member and their sessions.
///
/// # Errors
/// The user doesn't exist or is the last admin; or storage failed.
pub async fn delete(app: &App, id: UserId, audit: &AuditContext) -> Result<()> {
    app.store.delete_user(id, audit).await?.then_some(()).ok_or(ServiceError::NotFound("user"))
}

/// Ends all sessions of a staff member.
///
/// # Errors
/// The user doesn't exist; or storage failed.
pub async fn end_sessions(app: &App, id: UserId, audit: &AuditContext) -> Result<()> {
    if app.store.end_sessions(id, SessionSelection::All, audit).await? > 0 || app.store.user(id).await?.is_some() {
        return Ok(());
    }
    Err(ServiceError::NotFound("user"))
}

/// Adds an admin with a random password and returns the password. For demonstrations.
///
/// # Errors
/// Those of [`create`].
pub async fn create_admin_with_random_password(app: &App, email: &str, audit: &AuditContext) -> Result<String> {
    let password = super::secrets::random_password();
    let request = NewUserRequest { email: email.to_owned(), password: password.clone(), role: Role::Admin };
    create(app, request, audit).await?;
    Ok(password)
}

fn check_email(email: &str) -> Option<Diagnostic> {
    let (name, domain) = email.rsplit_once('@').unwrap_or_default();
    let is_printable = email.chars().all(|character| !character.is_whitespace() && !character.is_control());
    if is_printable && !name.is_empty() && !domain.is_empty() && email.len() <= MAX_EMAIL_BYTES {
        return None;
    }
    let message = if email.is_empty() { account::email_required() } else { account::email_form(MAX_EMAIL_BYTES) };
    Some(Diagnostic::new(pointer("/email"), "invalid_email", message))
}

fn pointer(pointer: &str) -> Location {
    Location::Pointer(pointer.to_owned())
}
