//! Deliveries of transcripts and events. Implements the trait. `requests` creates deliveries, `attempts` covers one attempt of the next one
//! ([`super::endpoint_queue`]), `endpoints` counts deliveries by URL, `of_webhooks` lets those of a webhook
//! follow it, and `secrets` stores the signing secrets.

use async_trait::async_trait;
use chrono::TimeDelta;
use leadscribe_engine::api::*;
use leadscribe_engine::callback::CallbackTarget;

use super::endpoint_queue::ClaimResult;
use super::lists::{self, KeyType, List, ListKey};
use super::queue::DELIVERIES;
use super::{Bind, Database, Row, Session, SqlStore, binds, idempotency};
use crate::storage::filter_sql::SqlBuilder;
use crate::storage::{
    AttemptResult, AuditContext, Claim, ClaimedDelivery, DeliveryQuery, DeliveryStore, Event, FencedWrite, Result,
    Slice, TranscriptQuery, WriteError,
};

mod attempts;
mod endpoints;
pub(super) mod of_webhooks;
pub(super) mod requests;
mod secrets;

pub(super) use requests::DeliveredItem;

/// List of the states of pending deliveries, as the index `deliveries_open` has it.
macro_rules! pending_states {
    () => {
        "('waiting', 'queued', 'delivering')"
    };
}
pub(super) use pending_states;

/// Time of the next attempt.
macro_rules! next_attempt {
    () => {
        "CASE WHEN state = 'queued' THEN claimable_at END"
    };
}

/// URL of a delivery.
macro_rules! url {
    () => {
        "(SELECT e.url FROM callback_endpoints e WHERE e.id = deliveries.endpoint_id)"
    };
}

/// Columns that [`read_delivery`] reads. The request of a test delivery is hidden.
const DELIVERY_COLUMNS: &str = concat!(
    "id, CASE WHEN call_id IS NOT NULL THEN request_id END, token_id, call_id, ",
    url!(),
    ", coalesce((SELECT r.method FROM speech_requests r WHERE r.id = deliveries.request_id), 'POST'),
     coalesce((SELECT r.template FROM speech_requests r WHERE r.id = deliveries.request_id),
         (SELECT w.template FROM webhooks w WHERE w.id = deliveries.webhook_id)),
     state, attempts, last_status, last_error, ",
    next_attempt!(),
    ", created_at, finished_at, webhook_id, event"
);

fn read_delivery(row: &dyn Row) -> Result<Delivery> {
    let event: Option<Event> = row.json_or_null(15)?;
    Ok(Delivery {
        id: DeliveryId(row.get(0)?),
        speech_request_id: row.get::<Option<i64>>(1)?.map(SpeechRequestId),
        token_id: row.get::<Option<i64>>(2)?.map(TokenId),
        webhook_id: row.get::<Option<i64>>(14)?.map(WebhookId),
        event: event.map(|event| event.event_type),
        call_id: row.get::<Option<i64>>(3)?.map(CallId),
        callback: Callback {
            callback_url: row.get(4)?,
            callback_method: row.get_enum(5, CallbackMethod::from_name)?,
            callback_data: row.get(6)?,
        },
        state: row.get_enum(7, DeliveryState::from_name)?,
        attempts: row.get(8)?,
        last_status: row.get(9)?,
        last_error: row.get(10)?,
        next_attempt_at: row.get(11)?,
        created_at: row.get(12)?,
        finished_at: row.get(13)?,
    })
}

pub(super) fn find(session: &dyn Session, id: DeliveryId) -> Result<Option<Delivery>> {
    session.find(&format!("SELECT {DELIVERY_COLUMNS} FROM deliveries WHERE id = ?1"), &binds![id.0], read_delivery)
}

impl List for DeliveryQuery {
    type SortField = DeliveryOrder;
    type Row = Delivery;
    const FROM: &'static str = "deliveries";
    const ID: &'static str = "id";
    const COLUMNS: &'static str = DELIVERY_COLUMNS;

    fn order(&self) -> Order<DeliveryOrder> {
        self.order
    }

    fn key(&self, field: DeliveryOrder, _sql: &SqlBuilder) -> ListKey {
        match field {
            DeliveryOrder::Id => ListKey::new(KeyType::Integer, Self::ID),
            DeliveryOrder::CreatedAt => ListKey::new(KeyType::Time, "created_at"),
            DeliveryOrder::FinishedAt => ListKey::nullable(KeyType::Time, "finished_at"),
            DeliveryOrder::NextAttemptAt => ListKey::nullable(KeyType::Time, next_attempt!()),
            DeliveryOrder::State => ListKey::new(KeyType::Text, "state"),
            DeliveryOrder::Attempts => ListKey::new(KeyType::Integer, "attempts"),
            DeliveryOrder::LastStatus => ListKey::nullable(KeyType::Integer, "last_status"),
            DeliveryOrder::TokenId => ListKey::nullable(KeyType::Integer, "token_id"),
            DeliveryOrder::CallId => ListKey::nullable(KeyType::Integer, "call_id"),
            DeliveryOrder::CallbackUrl => ListKey::new(KeyType::Text, url!()),
        }
    }

    fn push_conditions(&self, sql: &mut SqlBuilder) {
        let equalities = [
            (" AND state = ", self.state.map(|state| Bind::from(state.as_str()))),
            (" AND token_id = ", self.token_id.map(|id| Bind::Integer(id.0))),
            (" AND webhook_id = ", self.webhook_id.map(|id| Bind::Integer(id.0))),
            (" AND call_id = ", self.call_id.map(|id| Bind::Integer(id.0))),
            (" AND call_id IS NOT NULL AND request_id = ", self.speech_request_id.map(|id| Bind::Integer(id.0))),
        ];
        for (condition, value) in equalities {
            if let Some(value) = value {
                sql.push(condition).push_bind(value);
            }
        }
        if let Some(id) = self.same_url_as_delivery {
            sql.push(" AND endpoint_id = (SELECT endpoint_id FROM deliveries WHERE id = ")
                .push_bind(Bind::Integer(id.0))
                .push(")");
        }
    }

    fn read(&self, row: &dyn Row) -> Result<Delivery> {
        read_delivery(row)
    }

    fn id(row: &Delivery) -> i64 {
        row.id.0
    }

    fn entries(_session: &dyn Session, rows: Vec<Delivery>) -> Result<Vec<Delivery>> {
        Ok(rows)
    }
}

super::idempotency::created_record!(Delivery, DeliveryId, created_at, find);

#[async_trait]
impl<D: Database> DeliveryStore for SqlStore<D> {
    async fn create_speech_request(
        &self,
        token: TokenId,
        query: &TranscriptQuery,
        slice: Slice,
        target: &CallbackTarget,
        max_pending: u64,
        audit: &AuditContext,
    ) -> Result<SpeechRequestResponse, WriteError> {
        let query = TranscriptQuery { token_id: Some(token), ..query.clone() };
        let search = move |session: &dyn Session| {
            let call_ids: Vec<_> = lists::ids(session, &query, slice)?.into_iter().map(CallId).collect();
            Ok((call_ids, lists::count_total(session, &query)?))
        };
        // Runs outside the write transaction, which blocks other writers.
        let (call_ids, total) = self.database.read_primary(search).await?;
        let (target, audit) = (target.clone(), audit.clone());
        let create = move |session: &dyn Session| {
            idempotency::run_once(session, &audit, || {
                let items = call_ids.iter().map(|call| DeliveredItem { call: *call, transcription: None }).collect();
                let id = requests::create(session, token, items, &target, max_pending, &audit)?;
                Ok(SpeechRequestResponse { speech_request_id: id, call_ids: call_ids.clone(), total })
            })
        };
        self.database.write_locking(create).await
    }

    async fn speech_request(&self, token: TokenId, id: SpeechRequestId) -> Result<Option<SpeechRequestStatus>> {
        self.database.read(move |session| requests::find_status(session, token, id)).await
    }

    async fn create_test_delivery(
        &self,
        token: TokenId,
        target: &CallbackTarget,
        max_pending: u64,
        audit: &AuditContext,
    ) -> Result<Delivery, WriteError> {
        let (target, audit) = (target.clone(), audit.clone());
        let create = move |session: &dyn Session| {
            idempotency::create_record(session, &audit, || {
                requests::create_test(session, token, &target, max_pending, &audit)
            })
        };
        self.database.write_locking(create).await
    }

    async fn claim_delivery(&self, lease: TimeDelta, now: Timestamp) -> Result<Option<ClaimedDelivery>> {
        loop {
            match self.database.write_locking(move |session| attempts::claim(session, lease, now)).await? {
                ClaimResult::Entry(delivery) => return Ok(Some(delivery)),
                ClaimResult::NothingDue => return Ok(None),
                ClaimResult::Retry => {}
            }
        }
    }

    async fn extend_delivery(&self, claim: Claim<DeliveryId>, until: Timestamp) -> Result<FencedWrite> {
        let claim = Claim { id: claim.id.0, fencing_token: claim.fencing_token };
        self.database.write(move |session| DELIVERIES.extend(session, claim, until)).await
    }

    async fn finish_attempt(
        &self,
        claim: Claim<DeliveryId>,
        attempt: &DeliveryAttempt,
        result: AttemptResult,
        now: Timestamp,
    ) -> Result<FencedWrite> {
        let attempt = attempt.clone();
        self.database.write_locking(move |session| attempts::finish(session, claim, &attempt, result, now)).await
    }

    async fn release_delivery(&self, claim: Claim<DeliveryId>, now: Timestamp) -> Result<FencedWrite> {
        self.database.write_locking(move |session| attempts::release(session, claim, now)).await
    }

    async fn deliveries(&self, query: &DeliveryQuery, slice: Slice) -> Result<Page<Delivery>> {
        let query = *query;
        self.database.read(move |session| lists::page(session, &query, slice)).await
    }

    async fn callback_endpoints(&self, slice: Slice) -> Result<Page<CallbackEndpoint>> {
        self.database.read(move |session| endpoints::list(session, slice)).await
    }

    async fn delivery(&self, id: DeliveryId) -> Result<Option<DeliveryDetail>> {
        self.database
            .read(move |session| {
                let Some(delivery) = find(session, id)? else { return Ok(None) };
                Ok(Some(DeliveryDetail { delivery, attempts: attempts::list_for_delivery(session, id)? }))
            })
            .await
    }

    async fn replay_delivery(&self, id: DeliveryId, audit: &AuditContext) -> Result<Option<Delivery>, WriteError> {
        let audit = audit.clone();
        self.database.write_locking(move |session| requests::replay(session, id, &audit)).await
    }

    async fn webhook_secret(&self, token: TokenId, new_secret: &str) -> Result<Option<WebhookSecret>> {
        // Most tokens already have a secret, so a plain read avoids waiting for writers.
        if let Some(existing) = self.database.read(move |session| secrets::find_secret(session, token)).await? {
            return Ok(Some(existing));
        }
        let new_secret = new_secret.to_owned();
        self.database.write(move |session| secrets::ensure_secret(session, token, &new_secret)).await
    }

    async fn rotate_webhook_secret(
        &self,
        token: TokenId,
        new_secret: &str,
        previous_valid_until: Timestamp,
        audit: &AuditContext,
    ) -> Result<Option<WebhookSecret>, WriteError> {
        let (new_secret, audit) = (new_secret.to_owned(), audit.clone());
        self.database
            .write(move |session| secrets::rotate(session, token, &new_secret, previous_valid_until, &audit))
            .await
    }

    async fn purge_deliveries(&self, before: Timestamp) -> Result<u64> {
        let mut purged = 0;
        // One transaction per batch, so that other writers aren't blocked.
        loop {
            match self.database.write(move |session| requests::purge_deliveries(session, before)).await? {
                0 => break,
                count => purged += count,
            }
        }
        // The read finds the endpoints, because that takes long with many endpoints and a write blocks other writers.
        let empty_endpoints = self.database.read_primary(requests::find_empty_endpoints).await?;
        if !empty_endpoints.is_empty() {
            let delete = move |session: &dyn Session| requests::delete_empty_endpoints(session, &empty_endpoints);
            self.database.write(delete).await?;
        }
        while self.database.write(move |session| requests::purge_empty_requests(session, before)).await? > 0 {}
        Ok(purged)
    }
}
