//! Calls and what is known of their recordings.

use async_trait::async_trait;
use leadscribe_engine::api::{Call, CallId, Page, Recording, RecordingState};
use leadscribe_engine::record::CallRecord;
use rusqlite::{Connection, OptionalExtension, ToSql, Transaction, params};

use super::dialect::{Sqlite, bind_all};
use super::leads::row_outcome;
use super::references::{self, Source};
use super::rows::{self, CALL_COLUMNS, Micros, micros};
use super::{SqliteStore, audit};
use crate::storage::filter_sql::{Bind, Sql};
use crate::storage::{
    BatchOutcome, CallQuery, CallStore, Origin, RecordingKey, RowOutcome, Slice, StoreError, WriteError,
};

pub(super) fn find(connection: &Connection, id: CallId) -> rusqlite::Result<Option<Call>> {
    connection
        .prepare_cached(&format!("SELECT {CALL_COLUMNS} FROM calls WHERE id = ?1"))?
        .query_row([id.0], rows::call)
        .optional()
}

/// What is known of a call's recording, and where its bytes are; none unless they are there.
pub(super) fn ready_recording(
    connection: &Connection,
    id: CallId,
) -> rusqlite::Result<Option<(Recording, RecordingKey)>> {
    connection
        .prepare_cached(
            "SELECT recording_state, media_type, channels, sample_rate, duration_seconds, bytes, recording_key
             FROM calls WHERE id = ?1 AND recording_state = 'ready' AND recording_key IS NOT NULL",
        )?
        .query_row([id.0], |row| Ok((rows::recording(row, 0)?, RecordingKey(row.get(6)?))))
        .optional()
}

fn with_params<T>(of: &Call, run: impl FnOnce(&[&dyn ToSql]) -> rusqlite::Result<T>) -> rusqlite::Result<T> {
    run(&[
        &(of.id.0 != 0).then_some(of.id.0),
        &of.lead_id.map(|id| id.0),
        &of.campaign_lead_id.map(|id| id.0),
        &of.campaign_id.map(|id| id.0),
        &of.agent,
        &of.direction.as_str(),
        &of.caller_number,
        &of.callee_number,
        &of.status.as_str(),
        &micros(of.started_at),
        &micros(of.ended_at),
        &Micros(of.created_at),
        &of.recording.state.as_str(),
    ])
}

/// Inserts; an id of 0 becomes one that was never given before.
fn insert(transaction: &Transaction<'_>, new: &mut Call) -> rusqlite::Result<()> {
    let mut statement = transaction.prepare_cached(
        "INSERT INTO calls (id, lead_id, campaign_lead_id, campaign_id, agent, direction, caller_number, callee_number,
             status, started_at, ended_at, created_at, recording_state)
         VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13)",
    )?;
    new.id = CallId(with_params(new, |params| statement.insert(params))?);
    Ok(())
}

fn update(transaction: &Transaction<'_>, call: &Call) -> rusqlite::Result<()> {
    let mut statement = transaction.prepare_cached(
        "UPDATE calls SET lead_id = ?2, campaign_lead_id = ?3, campaign_id = ?4, agent = ?5, direction = ?6,
             caller_number = ?7, callee_number = ?8, status = ?9, started_at = ?10, ended_at = ?11, created_at = ?12,
             recording_state = ?13
         WHERE id = ?1",
    )?;
    with_params(call, |params| statement.execute(params))?;
    Ok(())
}

/// What a call refers to must exist, and it can't end before it begins.
fn check(connection: &Connection, call: &Call, source: Source) -> Result<(), WriteError> {
    if let Some(id) = call.lead_id {
        references::lead(connection, id, source)?;
    }
    if let Some(id) = call.campaign_id {
        references::campaign(connection, id, source)?;
    }
    if let Some(id) = call.campaign_lead_id {
        references::campaign_lead(connection, id, source)?;
    }
    if let (Some(started), Some(ended)) = (call.started_at, call.ended_at)
        && ended < started
    {
        let detail = "expected `ended_at` not to be before `started_at`";
        return Err(source.refuse("ended_at", "out_of_order", detail));
    }
    Ok(())
}

/// A recording becomes ready only when its bytes are there, which is what [`CallStore::set_recording`] says; until then
/// it is pending.
fn hold_back_ready(call: &mut Call, stored: Option<&Call>) {
    let is_ready = stored.is_some_and(|call| call.recording.state == RecordingState::Ready);
    if call.recording.state == RecordingState::Ready && !is_ready {
        call.recording.state = RecordingState::Pending;
    }
}

fn new_call(record: &CallRecord, by: &Origin, source: Source) -> Result<Call, WriteError> {
    let mut new = record.create(record.id.unwrap_or_default(), by.at).map_err(|fault| source.fault(fault))?;
    hold_back_ready(&mut new, None);
    Ok(new)
}

/// The call as the record has it; none when that is how it is stored.
fn changed(old: &Call, record: &CallRecord) -> Option<Call> {
    let mut new = old.clone();
    record.apply(&mut new);
    hold_back_ready(&mut new, Some(old));
    (new != *old).then_some(new)
}

fn create(transaction: &Transaction<'_>, record: &CallRecord, by: &Origin) -> Result<Call, WriteError> {
    if let Some(id) = record.id {
        references::free_id(transaction, "calls", "call", id.0)?;
    }
    let mut new = new_call(record, by, Source::Body)?;
    check(transaction, &new, Source::Body)?;
    insert(transaction, &mut new)?;
    audit::record(transaction, "call.create", &format!("call:{}", new.id), by)?;
    Ok(new)
}

fn change(
    transaction: &Transaction<'_>,
    id: CallId,
    record: &CallRecord,
    by: &Origin,
) -> Result<Option<Call>, WriteError> {
    let Some(old) = find(transaction, id)? else { return Ok(None) };
    let Some(new) = changed(&old, record) else { return Ok(Some(old)) };
    check(transaction, &new, Source::Body)?;
    update(transaction, &new)?;
    audit::record(transaction, "call.update", &format!("call:{id}"), by)?;
    Ok(Some(new))
}

fn import_one(transaction: &Transaction<'_>, record: &CallRecord, by: &Origin) -> Result<RowOutcome, WriteError> {
    let old = record.id.map(|id| find(transaction, id)).transpose()?.flatten();
    let Some(old) = old else {
        let mut new = new_call(record, by, Source::Row)?;
        check(transaction, &new, Source::Row)?;
        insert(transaction, &mut new)?;
        return Ok(RowOutcome::Inserted);
    };
    let Some(new) = changed(&old, record) else { return Ok(RowOutcome::Unchanged) };
    check(transaction, &new, Source::Row)?;
    update(transaction, &new)?;
    Ok(RowOutcome::Updated)
}

fn set_recording(
    transaction: &Transaction<'_>,
    id: CallId,
    recording: &Recording,
    key: Option<&RecordingKey>,
    by: &Origin,
) -> Result<Option<Option<RecordingKey>>, WriteError> {
    let before: Option<Option<String>> =
        transaction.query_row("SELECT recording_key FROM calls WHERE id = ?1", [id.0], |row| row.get(0)).optional()?;
    let Some(before) = before else { return Ok(None) };
    let key = key.map(|key| key.0.as_str());
    transaction.execute(
        "UPDATE calls SET recording_state = ?2, media_type = ?3, channels = ?4, sample_rate = ?5, duration_seconds = ?6,
             bytes = ?7, recording_key = ?8
         WHERE id = ?1",
        params![
            id.0,
            recording.state.as_str(),
            recording.media_type,
            recording.channels,
            recording.sample_rate,
            recording.duration_seconds,
            recording.bytes,
            key,
        ],
    )?;
    audit::record(transaction, "recording.set", &format!("call:{id}"), by)?;
    Ok(Some(before.filter(|before| Some(before.as_str()) != key).map(RecordingKey)))
}

/// The state of a call's latest transcription.
const LATEST: &str = "(SELECT t.state FROM transcriptions t WHERE t.call_id = calls.id ORDER BY t.id DESC LIMIT 1)";

/// The conditions of a query, each on its own.
fn push_conditions(sql: &mut Sql<'_>, query: &CallQuery) {
    sql.push(" FROM calls WHERE TRUE");
    if !query.ids.is_empty() {
        sql.push(" AND ").any_of("id", query.ids.iter().map(|id| Bind::Integer(id.0)).collect());
    }
    let equal = [
        ("lead_id", query.lead_id.map(|id| Bind::Integer(id.0))),
        ("campaign_id", query.campaign_id.map(|id| Bind::Integer(id.0))),
        ("direction", query.direction.map(|one| Bind::Text(one.as_str().to_owned()))),
        ("status", query.status.map(|one| Bind::Text(one.as_str().to_owned()))),
        ("recording_state", query.recording.map(|one| Bind::Text(one.as_str().to_owned()))),
    ];
    for (column, value) in equal {
        if let Some(value) = value {
            sql.push(" AND ").push(column).push(" = ").bind(value);
        }
    }
    match query.transcription {
        None => {}
        Some(None) => _ = sql.push(" AND ").push(LATEST).push(" IS NULL"),
        Some(Some(state)) => _ = sql.push(" AND ").push(LATEST).push(" = ").bind(Bind::Text(state.as_str().to_owned())),
    }
    if let Some(from) = query.from {
        sql.push(" AND created_at >= ").bind(Bind::Time(from));
    }
    if let Some(till) = query.till {
        sql.push(" AND created_at <= ").bind(Bind::Time(till));
    }
    if let Some(search) = &query.search {
        let columns = ["agent", "caller_number", "callee_number"];
        for (place, column) in columns.into_iter().enumerate() {
            sql.push(if place == 0 { " AND (instr(lower(" } else { " OR instr(lower(" }).push(column).push("), ");
            sql.bind(Bind::Text(search.to_ascii_lowercase())).push(") > 0");
        }
        sql.push(")");
    }
}

fn list(snapshot: &Connection, query: &CallQuery, slice: Slice) -> rusqlite::Result<Page<Call>> {
    let mut sql = Sql::new(&Sqlite);
    sql.push("SELECT count(*)");
    push_conditions(&mut sql, query);
    let (text, binds) = sql.finish();
    let mut statement = snapshot.prepare_cached(&text)?;
    bind_all(&mut statement, &binds)?;
    let total = statement.raw_query().next()?.map_or(Ok(0), |row| row.get(0))?;

    let mut sql = Sql::new(&Sqlite);
    sql.push("SELECT ").push(CALL_COLUMNS);
    push_conditions(&mut sql, query);
    sql.push(if query.oldest_first { " ORDER BY created_at, id" } else { " ORDER BY created_at DESC, id DESC" });
    let [limit, offset] = rows::slice_params(slice);
    sql.push(" LIMIT ").bind(Bind::Integer(limit)).push(" OFFSET ").bind(Bind::Integer(offset));
    let (text, binds) = sql.finish();
    let mut statement = snapshot.prepare_cached(&text)?;
    bind_all(&mut statement, &binds)?;
    let mut found = statement.raw_query();
    let mut items = Vec::new();
    while let Some(row) = found.next()? {
        items.push(rows::call(row)?);
    }
    Ok(Page { items, total })
}

#[async_trait]
impl CallStore for SqliteStore {
    async fn calls(&self, query: &CallQuery, slice: Slice) -> Result<Page<Call>, StoreError> {
        let query = query.clone();
        self.read(move |snapshot| Ok(list(snapshot, &query, slice)?)).await
    }

    async fn call(&self, id: CallId) -> Result<Option<Call>, StoreError> {
        self.read(move |snapshot| Ok(find(snapshot, id)?)).await
    }

    async fn create_call(&self, record: CallRecord, by: &Origin) -> Result<Call, WriteError> {
        let by = by.clone();
        self.write(move |transaction| create(transaction, &record, &by)).await
    }

    async fn update_call(&self, id: CallId, record: CallRecord, by: &Origin) -> Result<Option<Call>, WriteError> {
        let by = by.clone();
        self.write(move |transaction| change(transaction, id, &record, &by)).await
    }

    async fn import_calls(&self, rows: Vec<CallRecord>, by: &Origin) -> Result<BatchOutcome, StoreError> {
        let by = by.clone();
        let outcome = self
            .write(move |transaction| {
                let rows = rows.iter().map(|record| row_outcome(import_one(transaction, record, &by)));
                Ok::<_, StoreError>(BatchOutcome { rows: rows.collect::<Result<_, _>>()?, new_statuses: Vec::new() })
            })
            .await?;
        self.refresh_statistics().await?;
        Ok(outcome)
    }

    async fn set_recording(
        &self,
        id: CallId,
        recording: &Recording,
        key: Option<&RecordingKey>,
        by: &Origin,
    ) -> Result<Option<Option<RecordingKey>>, WriteError> {
        let (recording, key, by) = (recording.clone(), key.cloned(), by.clone());
        self.write(move |transaction| set_recording(transaction, id, &recording, key.as_ref(), &by)).await
    }

    async fn recording_key(&self, id: CallId) -> Result<Option<(Recording, RecordingKey)>, StoreError> {
        self.read(move |snapshot| Ok(ready_recording(snapshot, id)?)).await
    }
}
