//! The secrets that sign deliveries. They are kept as they are: who signs needs them.

use leadscribe_engine::api::{Timestamp, TokenId, WebhookSecret};
use rusqlite::{Connection, OptionalExtension, Transaction, params};

use crate::storage::Origin;
use crate::storage::sqlite::audit;
use crate::storage::sqlite::rows::{Micros, moment};

/// The secret of a token; none when it has none, or there is no such token.
pub(super) fn stored(connection: &Connection, token: TokenId) -> rusqlite::Result<Option<WebhookSecret>> {
    connection
        .prepare_cached(
            "SELECT webhook_secret, previous_webhook_until FROM speech_tokens
             WHERE id = ?1 AND webhook_secret IS NOT NULL",
        )?
        .query_row([token.0], |row| Ok(WebhookSecret { secret: row.get(0)?, previous_until: moment(row, 1)? }))
        .optional()
}

/// The secret of a token, which is `fresh` from now on when it had none.
pub(super) fn ensure(
    transaction: &Transaction<'_>,
    token: TokenId,
    fresh: &str,
) -> rusqlite::Result<Option<WebhookSecret>> {
    transaction
        .prepare_cached("UPDATE speech_tokens SET webhook_secret = ?2 WHERE id = ?1 AND webhook_secret IS NULL")?
        .execute(params![token.0, fresh])?;
    stored(transaction, token)
}

pub(super) fn rotate(
    transaction: &Transaction<'_>,
    token: TokenId,
    fresh: &str,
    previous_until: Timestamp,
    by: &Origin,
) -> rusqlite::Result<Option<WebhookSecret>> {
    let rotated = transaction
        .prepare_cached(
            "UPDATE speech_tokens
             SET webhook_secret = ?2, previous_webhook_secret = webhook_secret,
                 previous_webhook_until = iif(webhook_secret IS NULL, NULL, ?3)
             WHERE id = ?1",
        )?
        .execute(params![token.0, fresh, Micros(previous_until)])?;
    if rotated > 0 {
        audit::record(transaction, "webhook_secret.rotate", &format!("speech_token:{token}"), by)?;
    }
    stored(transaction, token)
}

/// What deliveries of a token are signed with now, the current secret first.
pub(super) fn valid(connection: &Connection, token: TokenId, now: Timestamp) -> rusqlite::Result<Vec<String>> {
    let (current, previous): (Option<String>, Option<String>) = connection
        .prepare_cached(
            "SELECT webhook_secret, iif(previous_webhook_until > ?2, previous_webhook_secret, NULL)
             FROM speech_tokens WHERE id = ?1",
        )?
        .query_row(params![token.0, Micros(now)], |row| Ok((row.get(0)?, row.get(1)?)))?;
    Ok(current.into_iter().chain(previous).collect())
}
