//! Deliveries of transcripts. The trait stands here; `requests` makes deliveries, `attempts` is the way of one through
//! the queue, and `secrets` keeps what signs them.

use async_trait::async_trait;
use chrono::TimeDelta;
use leadscribe_engine::api::*;
use rusqlite::{Connection, OptionalExtension, Row};

use super::SqliteStore;
use super::dialect::{Sqlite, run};
use super::queue::{After, DELIVERIES};
use super::rows::{Micros, moment, named, slice_params};
use crate::storage::filter_sql::{Bind, Sql};
use crate::storage::{
    AfterAttempt, ByClaim, Claim, ClaimedDelivery, DeliveryQuery, DeliveryStore, Origin, Slice, StoreError, Target,
    TranscriptQuery, WriteError,
};

mod attempts;
mod requests;
mod secrets;

/// What [`delivery`] reads.
const DELIVERY_COLUMNS: &str = "id, request_id, token_id, call_id, url, method, template, state, attempts, last_status, \
     last_error, iif(state = 'queued', ready_at, NULL), created_at, finished_at";

fn delivery(row: &Row<'_>) -> rusqlite::Result<Delivery> {
    Ok(Delivery {
        id: DeliveryId(row.get(0)?),
        speech_request_id: row.get::<_, Option<i64>>(1)?.map(SpeechRequestId),
        token_id: TokenId(row.get(2)?),
        call_id: row.get::<_, Option<i64>>(3)?.map(CallId),
        callback: Callback {
            callback_url: row.get(4)?,
            callback_method: named(row, 5, CallbackMethod::from_name)?,
            callback_data: Some(row.get(6)?),
        },
        state: named(row, 7, DeliveryState::from_name)?,
        attempts: row.get(8)?,
        last_status: row.get(9)?,
        last_error: row.get(10)?,
        next_attempt_at: moment(row, 11)?,
        created_at: row.get::<_, Micros>(12)?.0,
        finished_at: moment(row, 13)?,
    })
}

fn find(connection: &Connection, id: DeliveryId) -> rusqlite::Result<Option<Delivery>> {
    connection
        .prepare_cached(&format!("SELECT {DELIVERY_COLUMNS} FROM deliveries WHERE id = ?1"))?
        .query_row([id.0], delivery)
        .optional()
}

fn push_conditions(sql: &mut Sql<'_>, query: &DeliveryQuery) {
    sql.push(" FROM deliveries WHERE TRUE");
    let equal = [
        (" AND state = ", query.state.map(|state| Bind::Text(state.as_str().to_owned()))),
        (" AND token_id = ", query.token_id.map(|id| Bind::Integer(id.0))),
        (" AND call_id = ", query.call_id.map(|id| Bind::Integer(id.0))),
        (" AND request_id = ", query.speech_request_id.map(|id| Bind::Integer(id.0))),
    ];
    for (condition, value) in equal {
        if let Some(value) = value {
            sql.push(condition).bind(value);
        }
    }
}

fn list(snapshot: &Connection, query: &DeliveryQuery, slice: Slice) -> rusqlite::Result<Page<Delivery>> {
    let mut sql = Sql::new(&Sqlite);
    sql.push("SELECT count(*)");
    push_conditions(&mut sql, query);
    let total = run(snapshot, sql, |row| row.get::<_, u64>(0))?.into_iter().sum();
    let mut sql = Sql::new(&Sqlite);
    sql.push("SELECT ").push(DELIVERY_COLUMNS);
    push_conditions(&mut sql, query);
    let [limit, offset] = slice_params(slice);
    sql.push(" ORDER BY id DESC LIMIT ").bind(Bind::Integer(limit)).push(" OFFSET ").bind(Bind::Integer(offset));
    let items = run(snapshot, sql, delivery)?;
    Ok(Page { items, total })
}

#[async_trait]
impl DeliveryStore for SqliteStore {
    async fn create_speech_request(
        &self,
        token: TokenId,
        query: &TranscriptQuery,
        slice: Slice,
        target: &Target,
        by: &Origin,
    ) -> Result<SpeechRequestResponse, StoreError> {
        let query = TranscriptQuery { token_id: Some(token), ..query.clone() };
        let (target, by) = (target.clone(), by.clone());
        self.write(move |transaction| Ok(requests::create(transaction, token, &query, slice, &target, &by)?)).await
    }

    async fn speech_request(
        &self,
        token: TokenId,
        id: SpeechRequestId,
    ) -> Result<Option<SpeechRequestStatus>, StoreError> {
        self.read(move |snapshot| Ok(requests::status(snapshot, token, id)?)).await
    }

    async fn create_test_delivery(&self, token: TokenId, target: &Target, by: &Origin) -> Result<Delivery, WriteError> {
        let (target, by) = (target.clone(), by.clone());
        self.write(move |transaction| requests::create_test(transaction, token, &target, &by)).await
    }

    async fn claim_delivery(&self, lease: TimeDelta, now: Timestamp) -> Result<Option<ClaimedDelivery>, StoreError> {
        self.write(move |transaction| Ok(attempts::claim(transaction, lease, now)?)).await
    }

    async fn extend_delivery(&self, claim: Claim<DeliveryId>, until: Timestamp) -> Result<ByClaim, StoreError> {
        let claim = Claim { id: claim.id.0, fence: claim.fence };
        self.write(move |transaction| Ok(DELIVERIES.extend(transaction, claim, until)?)).await
    }

    async fn finish_attempt(
        &self,
        claim: Claim<DeliveryId>,
        attempt: &DeliveryAttempt,
        after: AfterAttempt,
        now: Timestamp,
    ) -> Result<ByClaim, StoreError> {
        let attempt = attempt.clone();
        self.write(move |transaction| Ok(attempts::finish(transaction, claim, &attempt, after, now)?)).await
    }

    async fn release_delivery(&self, claim: Claim<DeliveryId>, now: Timestamp) -> Result<ByClaim, StoreError> {
        let claim = Claim { id: claim.id.0, fence: claim.fence };
        self.write(move |transaction| Ok(DELIVERIES.settle(transaction, claim, After::Released, now)?)).await
    }

    async fn deliveries(&self, query: &DeliveryQuery, slice: Slice) -> Result<Page<Delivery>, StoreError> {
        let query = *query;
        self.read(move |snapshot| Ok(list(snapshot, &query, slice)?)).await
    }

    async fn delivery(&self, id: DeliveryId) -> Result<Option<DeliveryDetail>, StoreError> {
        self.read(move |snapshot| {
            let Some(delivery) = find(snapshot, id)? else { return Ok(None) };
            Ok(Some(DeliveryDetail { delivery, attempts: attempts::of_delivery(snapshot, id)? }))
        })
        .await
    }

    async fn replay_delivery(&self, id: DeliveryId, by: &Origin) -> Result<Option<Delivery>, WriteError> {
        let by = by.clone();
        self.write(move |transaction| requests::replay(transaction, id, &by)).await
    }

    async fn webhook_secret(&self, token: TokenId, fresh: &str) -> Result<Option<WebhookSecret>, StoreError> {
        // Most tokens have one: who only reads it needn't wait for those who write.
        if let Some(stored) = self.read(move |snapshot| Ok(secrets::stored(snapshot, token)?)).await? {
            return Ok(Some(stored));
        }
        let fresh = fresh.to_owned();
        self.write(move |transaction| Ok(secrets::ensure(transaction, token, &fresh)?)).await
    }

    async fn rotate_webhook_secret(
        &self,
        token: TokenId,
        fresh: &str,
        previous_until: Timestamp,
        by: &Origin,
    ) -> Result<Option<WebhookSecret>, WriteError> {
        let (fresh, by) = (fresh.to_owned(), by.clone());
        self.write(move |transaction| Ok(secrets::rotate(transaction, token, &fresh, previous_until, &by)?)).await
    }

    async fn purge_deliveries(&self, before: Timestamp) -> Result<u64, StoreError> {
        let mut purged = 0;
        // Transaction by transaction, so that other writes get their turn.
        loop {
            let batch = self.write::<_, StoreError>(move |transaction| Ok(requests::purge(transaction, before)?));
            match batch.await? {
                0 => return Ok(purged),
                more => purged += more,
            }
        }
    }
}
