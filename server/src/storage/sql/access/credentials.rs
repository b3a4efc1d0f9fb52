//! API keys and speech tokens: only hashes of their secrets are here.

use chrono::{DurationRound, TimeDelta};
use leadscribe_engine::api::{ApiKey, ApiKeyId, NewApiKeyRequest, SpeechToken, Timestamp, TokenId};
use leadscribe_engine::fault::{Fault, Place};
use rusqlite::{Connection, OptionalExtension, Row, Transaction, params};

use crate::storage::sqlite::audit;
use crate::storage::sqlite::rows::{Json, Micros, micros, moment};
use crate::storage::{Origin, SecretHash, StoreError, WriteError};

/// What [`api_key`] reads.
const API_KEY_COLUMNS: &str = "id, name, prefix, scopes, created_at, expires_at, last_used_at, revoked_at";

fn api_key(row: &Row<'_>) -> rusqlite::Result<ApiKey> {
    Ok(ApiKey {
        id: ApiKeyId(row.get(0)?),
        name: row.get(1)?,
        prefix: row.get(2)?,
        scopes: row.get::<_, Json<_>>(3)?.0,
        created_at: row.get::<_, Micros>(4)?.0,
        expires_at: moment(row, 5)?,
        last_used_at: moment(row, 6)?,
        revoked_at: moment(row, 7)?,
    })
}

/// What [`speech_token`] reads.
const TOKEN_COLUMNS: &str = "id, name, prefix, transcriptions, created_at, rotated_at, last_used_at, revoked_at";

fn speech_token(row: &Row<'_>) -> rusqlite::Result<SpeechToken> {
    Ok(SpeechToken {
        id: TokenId(row.get(0)?),
        name: row.get(1)?,
        prefix: row.get(2)?,
        transcriptions: row.get(3)?,
        created_at: row.get::<_, Micros>(4)?.0,
        rotated_at: moment(row, 5)?,
        last_used_at: moment(row, 6)?,
        revoked_at: moment(row, 7)?,
    })
}

/// The minute of `now`, when that is a later one than the minute of the last use: so that a busy credential takes the
/// write lock once a minute.
pub(super) fn new_minute(last_used_at: Option<Timestamp>, now: Timestamp) -> Option<Timestamp> {
    let minute = now.duration_trunc(TimeDelta::minutes(1)).unwrap_or(now);
    last_used_at.is_none_or(|last| last < minute).then_some(minute)
}

/// Notes when a credential was used, unless a later use is noted. `table` is one of ours.
pub(super) fn note_use(
    transaction: &Transaction<'_>,
    table: &'static str,
    id: i64,
    minute: Timestamp,
) -> Result<(), StoreError> {
    let sql =
        format!("UPDATE {table} SET last_used_at = ?2 WHERE id = ?1 AND (last_used_at IS NULL OR last_used_at < ?2)");
    transaction.prepare_cached(&sql)?.execute(params![id, Micros(minute)])?;
    Ok(())
}

pub(super) fn api_keys(connection: &Connection) -> rusqlite::Result<Vec<ApiKey>> {
    connection
        .prepare_cached(&format!("SELECT {API_KEY_COLUMNS} FROM api_keys ORDER BY id DESC"))?
        .query_map([], api_key)?
        .collect()
}

pub(super) fn find_api_key(connection: &Connection, hash: SecretHash) -> rusqlite::Result<Option<ApiKey>> {
    connection
        .prepare_cached(&format!("SELECT {API_KEY_COLUMNS} FROM api_keys WHERE hash = ?1"))?
        .query_row([hash], api_key)
        .optional()
}

pub(super) fn create_api_key(
    transaction: &Transaction<'_>,
    request: NewApiKeyRequest,
    hash: SecretHash,
    prefix: &str,
    by: &Origin,
) -> Result<ApiKey, WriteError> {
    let id = transaction
        .prepare_cached(
            "INSERT INTO api_keys (name, prefix, hash, scopes, created_at, expires_at) VALUES (?1, ?2, ?3, ?4, ?5, ?6)",
        )?
        .insert(params![
            request.name,
            prefix,
            hash,
            Json(&request.scopes),
            Micros(by.at),
            micros(request.expires_at)
        ])?;
    audit::record(transaction, "api_key.create", &format!("api_key:{id}"), by)?;
    Ok(ApiKey {
        id: ApiKeyId(id),
        name: request.name,
        prefix: prefix.to_owned(),
        scopes: request.scopes,
        created_at: by.at,
        expires_at: request.expires_at,
        last_used_at: None,
        revoked_at: None,
    })
}

pub(super) fn revoke_api_key(
    transaction: &Transaction<'_>,
    id: ApiKeyId,
    by: &Origin,
) -> Result<Option<ApiKey>, WriteError> {
    let revoked = transaction
        .prepare_cached("UPDATE api_keys SET revoked_at = ?2 WHERE id = ?1 AND revoked_at IS NULL")?
        .execute(params![id.0, Micros(by.at)])?;
    if revoked > 0 {
        audit::record(transaction, "api_key.revoke", &format!("api_key:{id}"), by)?;
    }
    let key = transaction
        .prepare_cached(&format!("SELECT {API_KEY_COLUMNS} FROM api_keys WHERE id = ?1"))?
        .query_row([id.0], api_key)
        .optional()?;
    Ok(key)
}

pub(super) fn speech_tokens(connection: &Connection) -> rusqlite::Result<Vec<SpeechToken>> {
    connection
        .prepare_cached(&format!("SELECT {TOKEN_COLUMNS} FROM speech_tokens ORDER BY id DESC"))?
        .query_map([], speech_token)?
        .collect()
}

fn token(connection: &Connection, id: TokenId) -> rusqlite::Result<Option<SpeechToken>> {
    connection
        .prepare_cached(&format!("SELECT {TOKEN_COLUMNS} FROM speech_tokens WHERE id = ?1"))?
        .query_row([id.0], speech_token)
        .optional()
}

pub(super) fn find_speech_token(connection: &Connection, hash: SecretHash) -> rusqlite::Result<Option<SpeechToken>> {
    connection
        .prepare_cached(&format!("SELECT {TOKEN_COLUMNS} FROM speech_tokens WHERE hash = ?1"))?
        .query_row([hash], speech_token)
        .optional()
}

pub(super) fn create_speech_token(
    transaction: &Transaction<'_>,
    name: String,
    hash: SecretHash,
    prefix: String,
    by: &Origin,
) -> Result<SpeechToken, WriteError> {
    let id = transaction
        .prepare_cached("INSERT INTO speech_tokens (name, prefix, hash, created_at) VALUES (?1, ?2, ?3, ?4)")?
        .insert(params![name, prefix, hash, Micros(by.at)])?;
    audit::record(transaction, "speech_token.create", &format!("speech_token:{id}"), by)?;
    Ok(SpeechToken {
        id: TokenId(id),
        name,
        prefix,
        transcriptions: 0,
        created_at: by.at,
        rotated_at: None,
        last_used_at: None,
        revoked_at: None,
    })
}

pub(super) fn rotate_speech_token(
    transaction: &Transaction<'_>,
    id: TokenId,
    hash: SecretHash,
    prefix: &str,
    by: &Origin,
) -> Result<Option<SpeechToken>, WriteError> {
    let Some(old) = token(transaction, id)? else { return Ok(None) };
    if old.revoked_at.is_some() {
        let detail = format!("expected a token that isn't revoked, but token {id} is");
        let fault = Fault::new(Place::default(), "revoked", detail).hint("issue a new token instead");
        return Err(WriteError::Refused(fault));
    }
    transaction
        .prepare_cached("UPDATE speech_tokens SET hash = ?2, prefix = ?3, rotated_at = ?4 WHERE id = ?1")?
        .execute(params![id.0, hash, prefix, Micros(by.at)])?;
    audit::record(transaction, "speech_token.rotate", &format!("speech_token:{id}"), by)?;
    Ok(token(transaction, id)?)
}

pub(super) fn revoke_speech_token(
    transaction: &Transaction<'_>,
    id: TokenId,
    by: &Origin,
) -> Result<Option<SpeechToken>, WriteError> {
    let revoked = transaction
        .prepare_cached("UPDATE speech_tokens SET revoked_at = ?2 WHERE id = ?1 AND revoked_at IS NULL")?
        .execute(params![id.0, Micros(by.at)])?;
    if revoked > 0 {
        audit::record(transaction, "speech_token.revoke", &format!("speech_token:{id}"), by)?;
    }
    Ok(token(transaction, id)?)
}
