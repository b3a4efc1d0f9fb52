//! Webhooks of deliveries: deliveries follow the URL of their webhook, wait while it is paused, and report lost events.

use leadscribe_engine::api::{DeliveryId, Timestamp, WebhookEvent, WebhookId};

use crate::storage::sql::{Session, binds, endpoint_queue};
use crate::storage::{Event, Result};

/// Lets the queued deliveries of a paused webhook wait.
pub(in crate::storage::sql) fn hold_queued(session: &dyn Session, id: WebhookId, now: Timestamp) -> Result<()> {
    let sql = "UPDATE deliveries SET state = 'waiting', changed_at = ?2 WHERE webhook_id = ?1 AND state = 'queued'";
    session.execute(sql, &binds![id.0, now]).map(drop)
}

/// Moves a delivery to the current URL of its webhook, and locks the webhook. Returns true if the delivery must wait
/// because the webhook is paused.
pub(super) fn follow_webhook(session: &dyn Session, id: DeliveryId, now: Timestamp) -> Result<bool> {
    let lock = session.dialect().lock_rows_shared();
    let sql = format!(
        "SELECT url, paused FROM webhooks
         WHERE id = (SELECT d.webhook_id FROM deliveries d WHERE d.id = ?1) AND deleted_at IS NULL {lock}"
    );
    let webhook = session.find(&sql, &binds![id.0], |row| Ok((row.get::<String>(0)?, row.get::<bool>(1)?)))?;
    let Some((url, is_paused)) = webhook else { return Ok(false) };
    let sql =
        "SELECT e.url FROM callback_endpoints e WHERE e.id = (SELECT d.endpoint_id FROM deliveries d WHERE d.id = ?1)";
    let previous_url: String = session.query_value(sql, &binds![id.0])?;
    if url != previous_url {
        let endpoint = endpoint_queue::ensure_endpoint(session, &url, now)?;
        session.execute("UPDATE deliveries SET endpoint_id = ?2 WHERE id = ?1", &binds![id.0, endpoint])?;
    }
    Ok(is_paused)
}

/// Like [`follow_webhook`], for a delivery that was queued again. Lets it wait if it must.
pub(super) fn follow_or_hold(session: &dyn Session, id: DeliveryId, now: Timestamp) -> Result<()> {
    if follow_webhook(session, id, now)? {
        let sql = "UPDATE deliveries SET state = 'waiting' WHERE id = ?1 AND state = 'queued'";
        session.execute(sql, &binds![id.0])?;
    }
    Ok(())
}

/// Pauses the webhook of a delivery. Its endpoint responded with 410. The delivery is repeated when the webhook is
/// resumed.
pub(super) fn pause_gone(session: &dyn Session, id: DeliveryId, now: Timestamp) -> Result<()> {
    let sql = "UPDATE webhooks SET paused = TRUE, updated_at = ?2
         WHERE id = (SELECT d.webhook_id FROM deliveries d WHERE d.id = ?1) AND NOT paused RETURNING id";
    if let Some(webhook) = session.find(sql, &binds![id.0, now], |row| row.get(0))? {
        hold_queued(session, WebhookId(webhook), now)?;
    }
    let sql = "UPDATE deliveries SET state = 'waiting', finished_at = NULL
         WHERE id = ?1 AND webhook_id IN (SELECT w.id FROM webhooks w WHERE w.deleted_at IS NULL)";
    session.execute(sql, &binds![id.0]).map(drop)
}

/// Reports to the webhook that an event is lost, because the last attempt of its delivery failed.
pub(super) fn report_lost_event(session: &dyn Session, id: DeliveryId, now: Timestamp) -> Result<()> {
    let sql = "SELECT event FROM deliveries WHERE id = ?1";
    let event: Option<Event> = session.query_one(sql, &binds![id.0], |row| row.json_or_null(0))?;
    if event.is_some_and(|event| event.event_type != WebhookEvent::Test) {
        let sql = "UPDATE webhooks SET events_lost_at = ?2
             WHERE id = (SELECT d.webhook_id FROM deliveries d WHERE d.id = ?1)";
        session.execute(sql, &binds![id.0, now])?;
    }
    Ok(())
}
