//! Secrets that sign deliveries. They are stored in plain text, because signing needs them.

use leadscribe_engine::api::{Delivery, Timestamp, TokenId, WebhookSecret};

use crate::storage::sql::{Session, access, audit, binds};
use crate::storage::{AuditContext, Result, WriteError};

/// Secret of a token; `None` if it has none or the token doesn't exist.
pub(super) fn find_secret(session: &dyn Session, token: TokenId) -> Result<Option<WebhookSecret>> {
    session.find(
        "SELECT webhook_secret, previous_webhook_secret_expires_at FROM speech_tokens
         WHERE id = ?1 AND webhook_secret IS NOT NULL",
        &binds![token.0],
        |row| Ok(WebhookSecret { secret: row.get(0)?, previous_valid_until: row.get(1)? }),
    )
}

/// Returns the secret of a token, after setting it to `new_secret` if it had none.
pub(super) fn ensure_secret(session: &dyn Session, token: TokenId, new_secret: &str) -> Result<Option<WebhookSecret>> {
    let sql = "UPDATE speech_tokens SET webhook_secret = ?2 WHERE id = ?1 AND webhook_secret IS NULL";
    session.execute(sql, &binds![token.0, new_secret])?;
    find_secret(session, token)
}

/// Replaces the secret of a token. `None` if the token doesn't exist; refused if it is revoked.
pub(super) fn rotate(
    session: &dyn Session,
    token: TokenId,
    new_secret: &str,
    previous_valid_until: Timestamp,
    audit: &AuditContext,
) -> Result<Option<WebhookSecret>, WriteError> {
    if access::find_unrevoked_token(session, token)?.is_none() {
        return Ok(None);
    }
    let previous_valid_until = find_secret(session, token)?.map(|_| previous_valid_until);
    session.execute(
        "UPDATE speech_tokens
         SET webhook_secret = ?2, previous_webhook_secret = webhook_secret, previous_webhook_secret_expires_at = ?3
         WHERE id = ?1",
        &binds![token.0, new_secret, previous_valid_until],
    )?;
    audit::record(session, "webhook_secret.rotate", &token.subject(), audit)?;
    Ok(find_secret(session, token)?)
}

/// Secrets that sign a delivery now, the current one first: those of its webhook, if it has one, or of its token.
pub(super) fn valid_secrets(session: &dyn Session, delivery: &Delivery, now: Timestamp) -> Result<Vec<String>> {
    let (sql, id) = match delivery.webhook_id {
        Some(webhook) => (
            "SELECT secret, CASE WHEN previous_secret_expires_at > ?2 THEN previous_secret END
             FROM webhooks WHERE id = ?1",
            Some(webhook.0),
        ),
        None => (
            "SELECT webhook_secret, CASE WHEN previous_webhook_secret_expires_at > ?2 THEN previous_webhook_secret END
             FROM speech_tokens WHERE id = ?1",
            delivery.token_id.map(|token| token.0),
        ),
    };
    let (current, previous): (Option<String>, Option<String>) =
        session.query_one(sql, &binds![id, now], |row| Ok((row.get(0)?, row.get(1)?)))?;
    Ok(current.into_iter().chain(previous).collect())
}
