//! The secrets that sign deliveries. They are kept as they are: who signs needs them.

use leadscribe_engine::api::{Timestamp, TokenId, WebhookSecret};

use crate::storage::sql::{Session, access, audit, binds};
use crate::storage::{Origin, StoreError, WriteError};

/// The secret of a token; none when it has none, or there is no such token.
pub(super) fn stored(session: &dyn Session, token: TokenId) -> Result<Option<WebhookSecret>, StoreError> {
    session.find(
        "SELECT webhook_secret, previous_webhook_until FROM speech_tokens
         WHERE id = ?1 AND webhook_secret IS NOT NULL",
        &binds![token.0],
        |row| Ok(WebhookSecret { secret: row.get(0)?, previous_until: row.get(1)? }),
    )
}

/// The secret of a token, which is `fresh` from now on when it had none.
pub(super) fn ensure(session: &dyn Session, token: TokenId, fresh: &str) -> Result<Option<WebhookSecret>, StoreError> {
    let sql = "UPDATE speech_tokens SET webhook_secret = ?2 WHERE id = ?1 AND webhook_secret IS NULL";
    session.execute(sql, &binds![token.0, fresh])?;
    stored(session, token)
}

/// Gives a token another secret. None when there is no such token; refused when it is revoked.
pub(super) fn rotate(
    session: &dyn Session,
    token: TokenId,
    fresh: &str,
    previous_until: Timestamp,
    by: &Origin,
) -> Result<Option<WebhookSecret>, WriteError> {
    if access::unrevoked_token(session, token)?.is_none() {
        return Ok(None);
    }
    let previous_until = stored(session, token)?.map(|_| previous_until);
    session.execute(
        "UPDATE speech_tokens
         SET webhook_secret = ?2, previous_webhook_secret = webhook_secret, previous_webhook_until = ?3
         WHERE id = ?1",
        &binds![token.0, fresh, previous_until],
    )?;
    audit::record(session, "webhook_secret.rotate", &token.subject(), by)?;
    Ok(stored(session, token)?)
}

/// What deliveries of a token are signed with now, the current secret first.
pub(super) fn valid(session: &dyn Session, token: TokenId, now: Timestamp) -> Result<Vec<String>, StoreError> {
    let (current, previous): (Option<String>, Option<String>) = session.one(
        "SELECT webhook_secret, CASE WHEN previous_webhook_until > ?2 THEN previous_webhook_secret END
         FROM speech_tokens WHERE id = ?1",
        &binds![token.0, now],
        |row| Ok((row.get(0)?, row.get(1)?)),
    )?;
    Ok(current.into_iter().chain(previous).collect())
}
