//! Webhooks, and the deliveries of their events.
//!
//! Each webhook follows the log of changes from its own position. A batch locks the webhook's row, reads changes after the position, queues
//! their deliveries, and stores the new position, all in one transaction.

use std::collections::HashMap;

use async_trait::async_trait;
use leadscribe_engine::api::*;
use leadscribe_engine::diagnostic::{Diagnostic, Location, account, conflict};

use super::change_log::{self, LogBounds, LoggedChange};
use super::deliveries::{self, of_webhooks, pending_states, requests};
use super::input_format::InputFormat;
use super::record::check_version;
use super::rows::slice_binds;
use super::{Bind, Database, Row, Session, SqlStore, audit, binds, endpoint_queue, idempotency, ids};
use crate::storage::{
    AuditContext, ChangeCursor, Event, MAX_WEBHOOKS, QueuedEvents, Result, Slice, TOO_MANY_PENDING_DELIVERIES,
    WebhookStore, WriteError,
};

/// Maximum number of changes that one transaction reads.
const BATCH_SIZE: usize = 1_000;

/// Columns that [`read_webhook`] reads.
const COLUMNS: &str = "id, url, events, token_id, template, paused, events_lost_at, created_at, updated_at";

/// Columns of a new webhook.
const INSERT_COLUMNS: [&str; 10] =
    ["id", "url", "events", "token_id", "template", "paused", "secret", "position", "created_at", "updated_at"];

/// Columns of a new delivery.
const DELIVERY_COLUMNS: [&str; 11] = [
    "id",
    "webhook_id",
    "event",
    "token_id",
    "call_id",
    "transcription_id",
    "state",
    "endpoint_id",
    "claimable_at",
    "changed_at",
    "created_at",
];

fn read_webhook(row: &dyn Row) -> Result<Webhook> {
    Ok(Webhook {
        id: WebhookId(row.get(0)?),
        url: row.get(1)?,
        events: row.json(2)?,
        token_id: row.get::<Option<i64>>(3)?.map(TokenId),
        body_template: row.get(4)?,
        paused: row.get(5)?,
        events_lost_at: row.get(6)?,
        created_at: row.get(7)?,
        updated_at: row.get(8)?,
    })
}

/// Condition: the webhook exists, and belongs to the owner if one is given.
fn exists_for(owner: Option<TokenId>) -> String {
    let owner = owner.map_or_else(String::new, |token| format!(" AND token_id = {token}"));
    format!("deleted_at IS NULL{owner}")
}

pub(super) fn find(session: &dyn Session, id: WebhookId, owner: Option<TokenId>) -> Result<Option<Webhook>> {
    let sql = format!("SELECT {COLUMNS} FROM webhooks WHERE id = ?1 AND {}", exists_for(owner));
    session.find(&sql, &binds![id.0], read_webhook)
}

/// Like [`find`], and locks the webhook until the transaction ends.
fn lock(session: &dyn Session, id: WebhookId, owner: Option<TokenId>) -> Result<Option<Webhook>> {
    let lock = session.dialect().lock_rows();
    let sql = format!("SELECT {COLUMNS} FROM webhooks WHERE id = ?1 AND {} {lock}", exists_for(owner));
    session.find(&sql, &binds![id.0], read_webhook)
}

fn list(session: &dyn Session, owner: Option<TokenId>, slice: Slice) -> Result<Page<Webhook>> {
    let condition = exists_for(owner);
    let total = session.query_value(&format!("SELECT count(*) FROM webhooks WHERE {condition}"), &[])?;
    let sql = format!("SELECT {COLUMNS} FROM webhooks WHERE {condition} ORDER BY id DESC LIMIT ?1 OFFSET ?2");
    Ok(Page { items: session.query(&sql, &slice_binds(slice), read_webhook)?, total })
}

fn create(
    session: &dyn Session,
    new: &NewWebhookRequest,
    secret: &str,
    audit: &AuditContext,
) -> Result<Webhook, WriteError> {
    if let Some(token) = new.token_id {
        requests::lock_usable_token(session, token, &InputFormat::Body.location("token_id"))?;
    }
    let owner = new.token_id.map_or_else(|| "token_id IS NULL".to_owned(), |token| format!("token_id = {token}"));
    let sql = format!("SELECT count(*) FROM webhooks WHERE deleted_at IS NULL AND {owner}");
    let count: u64 = session.query_value(&sql, &[])?;
    if count >= MAX_WEBHOOKS {
        let diagnostic = Diagnostic::new(Location::default(), "too_many", account::too_many_webhooks(MAX_WEBHOOKS));
        return Err(WriteError::Refused(diagnostic.suggest(account::delete_one_first())));
    }
    let position = change_log::read_bounds(session)?.end.to_string();
    let token = new.token_id.map(|token| token.0);
    let binds = binds![
        None::<i64>,
        new.url,
        Bind::json(&new.events),
        token,
        new.body_template,
        new.paused,
        secret,
        position,
        audit.at,
        audit.at
    ];
    let id = WebhookId(ids::insert(session, "webhooks", &INSERT_COLUMNS, &binds)?);
    audit::record(session, "webhook.create", &id.subject(), audit)?;
    Ok(Webhook {
        id,
        url: new.url.clone(),
        events: new.events.clone(),
        token_id: new.token_id,
        body_template: new.body_template.clone(),
        paused: new.paused,
        events_lost_at: None,
        created_at: audit.at,
        updated_at: audit.at,
    })
}

fn update(
    session: &dyn Session,
    id: WebhookId,
    owner: Option<TokenId>,
    change: &UpdateWebhookRequest,
    expected_versions: Option<&[Timestamp]>,
    audit: &AuditContext,
) -> Result<Option<Webhook>, WriteError> {
    let Some(old) = lock(session, id, owner)? else { return Ok(None) };
    check_version(Some(old.updated_at), expected_versions)?;
    let UpdateWebhookRequest { url, events, body_template, paused } = change.clone();
    let new = Webhook {
        url: url.unwrap_or_else(|| old.url.clone()),
        events: events.unwrap_or_else(|| old.events.clone()),
        body_template: body_template.unwrap_or_else(|| old.body_template.clone()),
        paused: paused.unwrap_or(old.paused),
        updated_at: old.updated_at,
        ..old.clone()
    };
    if new == old {
        return Ok(Some(old));
    }
    session.execute(
        "UPDATE webhooks SET url = ?2, events = ?3, template = ?4, paused = ?5, updated_at = ?6 WHERE id = ?1",
        &binds![id.0, new.url, Bind::json(&new.events), new.body_template, new.paused, audit.at],
    )?;
    if (new.url != old.url || (old.paused && !new.paused)) && count_pending(session, id)? > 0 {
        // Locks the endpoint before deliveries are queued for it.
        let endpoint = endpoint_queue::ensure_endpoint(session, &new.url, audit.at)?;
        session.execute(
            "UPDATE deliveries SET endpoint_id = ?2 WHERE webhook_id = ?1 AND state IN ('waiting', 'queued')",
            &binds![id.0, endpoint],
        )?;
    }
    match (old.paused, new.paused) {
        (false, true) => of_webhooks::hold_queued(session, id, audit.at)?,
        (true, false) => {
            _ = session.execute(
                "UPDATE deliveries SET state = 'queued', claimable_at = ?2, changed_at = ?2
             WHERE webhook_id = ?1 AND state = 'waiting'",
                &binds![id.0, audit.at],
            )?
        }
        _ => {}
    }
    audit::record(session, "webhook.update", &id.subject(), audit)?;
    Ok(Some(Webhook { updated_at: audit.at, ..new }))
}

fn delete(
    session: &dyn Session,
    id: WebhookId,
    owner: Option<TokenId>,
    expected_versions: Option<&[Timestamp]>,
    audit: &AuditContext,
) -> Result<bool, WriteError> {
    let Some(webhook) = lock(session, id, owner)? else { return Ok(false) };
    check_version(Some(webhook.updated_at), expected_versions)?;
    session.execute(
        "UPDATE webhooks SET deleted_at = ?2, template = NULL, secret = NULL, previous_secret = NULL WHERE id = ?1",
        &binds![id.0, audit.at],
    )?;
    session.execute(
        "UPDATE deliveries SET state = 'stopped', finished_at = ?2, changed_at = ?2
         WHERE webhook_id = ?1 AND state IN ('waiting', 'queued')",
        &binds![id.0, audit.at],
    )?;
    audit::record(session, "webhook.delete", &id.subject(), audit)?;
    Ok(true)
}

fn rotate_secret(
    session: &dyn Session,
    id: WebhookId,
    owner: Option<TokenId>,
    new_secret: &str,
    previous_valid_until: Timestamp,
    audit: &AuditContext,
) -> Result<bool, WriteError> {
    let sql = format!(
        "UPDATE webhooks SET previous_secret = secret, previous_secret_expires_at = ?3, secret = ?2
         WHERE id = ?1 AND {}",
        exists_for(owner)
    );
    let is_rotated = session.execute(&sql, &binds![id.0, new_secret, previous_valid_until])? > 0;
    if is_rotated {
        audit::record(session, "webhook.rotate", &id.subject(), audit)?;
    }
    Ok(is_rotated)
}

fn create_test(
    session: &dyn Session,
    id: WebhookId,
    owner: Option<TokenId>,
    max_pending: u64,
    audit: &AuditContext,
) -> Result<Option<Delivery>, WriteError> {
    let Some(webhook) = lock(session, id, owner)? else { return Ok(None) };
    let pending_count = count_pending(session, id)?;
    if pending_count >= max_pending {
        let message = conflict::too_many_pending_deliveries(pending_count, max_pending, 1_u64);
        let diagnostic = Diagnostic::new(Location::default(), TOO_MANY_PENDING_DELIVERIES, message);
        return Err(WriteError::Refused(diagnostic.suggest(conflict::wait_for_deliveries())));
    }
    let event = Event {
        id: format!("test-{id}-{}", audit.at.timestamp_micros()),
        event_type: WebhookEvent::Test,
        time: audit.at,
        record_id: id.0,
    };
    let endpoint = endpoint_queue::ensure_endpoint(session, &webhook.url, audit.at)?;
    let row = new_delivery(&webhook, &event, Subject::default(), endpoint, audit.at);
    let delivery = DeliveryId(ids::insert(session, "deliveries", &DELIVERY_COLUMNS, &row)?);
    audit::record(session, "webhook.test", &id.subject(), audit)?;
    Ok(deliveries::find(session, delivery)?)
}

fn count_pending(session: &dyn Session, id: WebhookId) -> Result<u64> {
    let sql = concat!("SELECT count(*) FROM deliveries WHERE webhook_id = ?1 AND state IN ", pending_states!());
    session.query_value(sql, &binds![id.0])
}

/// Parses the position of a webhook; `None` if changes after it were purged, or if it is of another history.
fn readable_position(position: &str, bounds: &LogBounds) -> Option<ChangeCursor> {
    ChangeCursor::parse(position).filter(|position| *position >= bounds.oldest && *position <= bounds.end)
}

/// Webhooks that have changes to read and fewer than `max_pending` pending deliveries.
fn find_behind(session: &dyn Session, max_pending: u64) -> Result<Vec<WebhookId>> {
    let sql = "SELECT id, position FROM webhooks WHERE deleted_at IS NULL AND NOT paused AND NOT EXISTS (
             SELECT 1 FROM speech_tokens t WHERE t.id = webhooks.token_id AND t.revoked_at IS NOT NULL)
         ORDER BY id";
    let positions = session.query(sql, &[], |row| Ok((WebhookId(row.get(0)?), row.get::<String>(1)?)))?;
    if positions.is_empty() {
        return Ok(Vec::new());
    }
    let bounds = change_log::read_bounds(session)?;
    let mut behind = Vec::new();
    for (id, position) in positions {
        let has_changes = match readable_position(&position, &bounds) {
            Some(position) => !change_log::read_changes(session, &position, 1)?.is_empty(),
            None => true,
        };
        if has_changes && count_pending(session, id)? < max_pending {
            behind.push(id);
        }
    }
    Ok(behind)
}

/// Reads one batch of changes and queues their deliveries.
fn queue_batch(session: &dyn Session, id: WebhookId, max_pending: u64, now: Timestamp) -> Result<QueuedEvents> {
    let nothing = QueuedEvents::default();
    let Some(webhook) = lock(session, id, None)?.filter(|webhook| !webhook.paused) else { return Ok(nothing) };
    if count_pending(session, id)? >= max_pending {
        return Ok(nothing);
    }
    let position: String = session.query_value("SELECT position FROM webhooks WHERE id = ?1", &binds![id.0])?;
    let bounds = change_log::read_bounds(session)?;
    let Some(position) = readable_position(&position, &bounds) else {
        tracing::warn!(webhook_id = %id, "events of a webhook were lost: their changes were purged, or the database was restored");
        let sql = "UPDATE webhooks SET position = ?2, events_lost_at = ?3 WHERE id = ?1";
        session.execute(sql, &binds![id.0, bounds.end.to_string(), now])?;
        return Ok(nothing);
    };
    let changes = change_log::read_changes(session, &position, BATCH_SIZE)?;
    let Some(last) = changes.last() else { return Ok(nothing) };
    let mut events = Vec::new();
    for (change, event_type) in select_events(&changes, &webhook.events) {
        if let Some(subject) = find_subject(session, change, event_type, webhook.token_id)? {
            let record_id = subject.call.map_or(change.record_id, |call| call.0);
            events.push((
                Event { id: change.cursor.to_string(), event_type, time: change.created_at, record_id },
                subject,
            ));
        }
    }
    if !events.is_empty() {
        let endpoint = endpoint_queue::ensure_endpoint(session, &webhook.url, now)?;
        let row = |(event, subject): &(Event, Subject)| new_delivery(&webhook, event, *subject, endpoint, now);
        let rows: Vec<_> = events.iter().map(row).collect();
        ids::insert_many(session, "deliveries", &DELIVERY_COLUMNS, &rows)?;
    }
    session.execute("UPDATE webhooks SET position = ?2 WHERE id = ?1", &binds![id.0, last.cursor.to_string()])?;
    Ok(QueuedEvents { deliveries: events.len(), has_more: changes.len() == BATCH_SIZE })
}

/// Events of these types, in the order of their changes. Of several such events of one record, only the last one counts:
/// deliveries have the record as it is when they are sent.
fn select_events<'a>(
    changes: &'a [LoggedChange],
    types: &[WebhookEvent],
) -> impl Iterator<Item = (&'a LoggedChange, WebhookEvent)> {
    let mut last_events: HashMap<(&str, i64), (usize, WebhookEvent)> = HashMap::new();
    for (index, change) in changes.iter().enumerate() {
        if let Some(event_type) = event_type(change).filter(|event_type| types.contains(event_type)) {
            last_events.insert((&change.record_type, change.record_id), (index, event_type));
        }
    }
    let mut selected: Vec<_> = last_events.into_values().collect();
    selected.sort_unstable_by_key(|(index, _)| *index);
    selected.into_iter().map(|(index, event_type)| (&changes[index], event_type))
}

/// Type of the event that a change is; `None` if it is none.
fn event_type(change: &LoggedChange) -> Option<WebhookEvent> {
    match (change.record_type.as_str(), change.change) {
        ("lead", RecordChangeKind::Delete) => Some(WebhookEvent::LeadDeleted),
        ("lead", _) => Some(WebhookEvent::LeadChanged),
        ("campaign_lead", RecordChangeKind::Delete) => Some(WebhookEvent::CampaignLeadDeleted),
        ("campaign_lead", _) => Some(WebhookEvent::CampaignLeadChanged),
        ("call", RecordChangeKind::Insert) => Some(WebhookEvent::CallCreated),
        ("recording", _) => Some(WebhookEvent::RecordingReady),
        ("transcript", RecordChangeKind::Insert) => Some(WebhookEvent::TranscriptCompleted),
        ("transcription", _) => Some(WebhookEvent::TranscriptionFailed),
        ("import", _) => Some(WebhookEvent::ImportFinished),
        _ => None,
    }
}

/// Call and transcription that a delivery refers to. Other calls can be deleted, so no delivery may refer to them.
#[derive(Clone, Copy, Debug, Default)]
struct Subject {
    call: Option<CallId>,
    transcription: Option<TranscriptionId>,
}

/// Subject of an event; `None` if the webhook belongs to a token and the event isn't about one of its calls.
fn find_subject(
    session: &dyn Session,
    change: &LoggedChange,
    event_type: WebhookEvent,
    token: Option<TokenId>,
) -> Result<Option<Subject>> {
    let owner = token.map_or_else(String::new, |token| format!(" AND token_id = {token}"));
    let find_call = |from_where: &str| {
        let sql = format!("SELECT call_id FROM {from_where} = ?1{owner} LIMIT 1");
        session.find(&sql, &binds![change.record_id], |row| Ok(CallId(row.get(0)?)))
    };
    Ok(match event_type {
        WebhookEvent::TranscriptCompleted => {
            find_call("transcripts WHERE call_id")?.map(|call| Subject { call: Some(call), transcription: None })
        }
        WebhookEvent::TranscriptionFailed => {
            let transcription = Some(TranscriptionId(change.record_id));
            find_call("transcriptions WHERE id")?.map(|call| Subject { call: Some(call), transcription })
        }
        _ if token.is_none() => Some(Subject::default()),
        WebhookEvent::RecordingReady => {
            // A call belongs to the token that submitted it last.
            let latest = "transcriptions t WHERE id = (SELECT max(l.id) FROM transcriptions l WHERE l.call_id = t.call_id) AND call_id";
            find_call(latest)?.map(|_| Subject::default())
        }
        _ => None,
    })
}

/// Row of a delivery that is due now.
fn new_delivery(webhook: &Webhook, event: &Event, subject: Subject, endpoint: i64, now: Timestamp) -> Vec<Bind> {
    let token = webhook.token_id.map(|token| token.0);
    let (call, transcription) = (subject.call.map(|id| id.0), subject.transcription.map(|id| id.0));
    let state = DeliveryState::Queued.as_str();
    let event = Bind::json(event);
    binds![None::<i64>, webhook.id.0, event, token, call, transcription, state, endpoint, now, now, now].to_vec()
}

super::idempotency::created_record!(Webhook, WebhookId, created_at, |session, id| find(session, id, None));

#[async_trait]
impl<D: Database> WebhookStore for SqlStore<D> {
    async fn webhooks(&self, owner: Option<TokenId>, slice: Slice) -> Result<Page<Webhook>> {
        self.database.read(move |session| list(session, owner, slice)).await
    }

    async fn webhook(&self, id: WebhookId, owner: Option<TokenId>) -> Result<Option<Webhook>> {
        self.database.read(move |session| find(session, id, owner)).await
    }

    async fn create_webhook(
        &self,
        new: &NewWebhookRequest,
        secret: &str,
        audit: &AuditContext,
    ) -> Result<Webhook, WriteError> {
        let (new, secret, own_audit) = (new.clone(), secret.to_owned(), audit.clone());
        self.create_record(audit, move |session| create(session, &new, &secret, &own_audit)).await
    }

    async fn update_webhook(
        &self,
        id: WebhookId,
        owner: Option<TokenId>,
        change: &UpdateWebhookRequest,
        expected_versions: Option<Vec<Timestamp>>,
        audit: &AuditContext,
    ) -> Result<Option<Webhook>, WriteError> {
        let (change, audit) = (change.clone(), audit.clone());
        self.database
            .write_locking(move |session| update(session, id, owner, &change, expected_versions.as_deref(), &audit))
            .await
    }

    async fn delete_webhook(
        &self,
        id: WebhookId,
        owner: Option<TokenId>,
        expected_versions: Option<Vec<Timestamp>>,
        audit: &AuditContext,
    ) -> Result<bool, WriteError> {
        let audit = audit.clone();
        self.database
            .write_locking(move |session| delete(session, id, owner, expected_versions.as_deref(), &audit))
            .await
    }

    async fn rotate_secret_of_webhook(
        &self,
        id: WebhookId,
        owner: Option<TokenId>,
        new_secret: &str,
        previous_valid_until: Timestamp,
        audit: &AuditContext,
    ) -> Result<bool, WriteError> {
        let (new_secret, audit) = (new_secret.to_owned(), audit.clone());
        self.database
            .write_locking(move |session| rotate_secret(session, id, owner, &new_secret, previous_valid_until, &audit))
            .await
    }

    async fn create_webhook_test(
        &self,
        id: WebhookId,
        owner: Option<TokenId>,
        max_pending: u64,
        audit: &AuditContext,
    ) -> Result<Option<Delivery>, WriteError> {
        let audit = audit.clone();
        self.database
            .write_locking(move |session| {
                let create = || create_test(session, id, owner, max_pending, &audit).map(Vec::from_iter);
                Ok(idempotency::create_records(session, &audit, create)?.pop())
            })
            .await
    }

    async fn queue_events(&self, max_pending: u64, now: Timestamp) -> Result<QueuedEvents> {
        let (mut total, mut first_error) = (QueuedEvents::default(), None);
        for id in self.database.read_primary(move |session| find_behind(session, max_pending)).await? {
            match self.database.write_locking(move |session| queue_batch(session, id, max_pending, now)).await {
                Ok(queued) => {
                    total.deliveries += queued.deliveries;
                    total.has_more |= queued.has_more;
                }
                // The other webhooks don't wait for this one.
                Err(error) => _ = first_error.get_or_insert(error),
            }
        }
        first_error.map_or(Ok(total), Err)
    }
}
