//! Deliveries of paused webhooks, which wait.

use leadscribe_engine::api::{Timestamp, WebhookId};

use crate::storage::Result;
use crate::storage::sql::{Session, binds};

/// Lets the queued deliveries of a paused webhook wait.
pub(in crate::storage::sql) fn hold_queued(session: &dyn Session, id: WebhookId, now: Timestamp) -> Result<()> {
    let sql = "UPDATE deliveries SET state = 'waiting', changed_at = ?2 WHERE webhook_id = ?1 AND state = 'queued'";
    session.execute(sql, &binds![id.0, now]).map(drop)
}

/// Lets a delivery that was queued again wait if its webhook was paused during the attempt.
pub(super) fn hold_if_paused(session: &dyn Session, id: i64) -> Result<()> {
    let sql = "UPDATE deliveries SET state = 'waiting' WHERE id = ?1 AND state = 'queued'
         AND webhook_id IN (SELECT w.id FROM webhooks w WHERE w.paused)";
    session.execute(sql, &binds![id]).map(drop)
}

/// Pauses the webhook of a delivery. Its endpoint responded with 410.
pub(super) fn pause_gone(session: &dyn Session, delivery: i64, now: Timestamp) -> Result<()> {
    let sql = "UPDATE webhooks SET paused = TRUE, updated_at = ?2
         WHERE id = (SELECT d.webhook_id FROM deliveries d WHERE d.id = ?1) AND NOT paused RETURNING id";
    match session.find(sql, &binds![delivery, now], |row| row.get(0))? {
        Some(id) => hold_queued(session, WebhookId(id), now),
        None => Ok(()),
    }
}
