//! API keys and speech tokens. Only the hashes of their secrets are stored.

use chrono::{DurationRound, TimeDelta};
use leadscribe_engine::api::{ApiKey, ApiKeyId, NewApiKeyRequest, Page, SpeechToken, Timestamp, TokenId};
use leadscribe_engine::diagnostic::{Diagnostic, Location, account};

use crate::storage::sql::{Bind, Row, Session, audit, binds};
use crate::storage::{AuditContext, Result, SecretHash, Slice, WriteError};

/// Columns that [`read_api_key`] reads.
const API_KEY_COLUMNS: &str = "id, name, prefix, scopes, created_at, expires_at, last_used_at, revoked_at";

fn read_api_key(row: &dyn Row) -> Result<ApiKey> {
    Ok(ApiKey {
        id: ApiKeyId(row.get(0)?),
        name: row.get(1)?,
        prefix: row.get(2)?,
        scopes: row.json(3)?,
        created_at: row.get(4)?,
        expires_at: row.get(5)?,
        last_used_at: row.get(6)?,
        revoked_at: row.get(7)?,
    })
}

/// Columns that [`read_speech_token`] reads.
const SPEECH_TOKEN_COLUMNS: &str = "id, name, prefix, transcriptions, created_at, rotated_at, last_used_at, revoked_at";

fn read_speech_token(row: &dyn Row) -> Result<SpeechToken> {
    Ok(SpeechToken {
        id: TokenId(row.get(0)?),
        name: row.get(1)?,
        prefix: row.get(2)?,
        transcriptions: row.get(3)?,
        created_at: row.get(4)?,
        rotated_at: row.get(5)?,
        last_used_at: row.get(6)?,
        revoked_at: row.get(7)?,
    })
}

/// Minimum interval between two recorded uses of a credential.
pub(super) const USE_RECORD_INTERVAL: TimeDelta = TimeDelta::minutes(1);

/// Returns the start of the interval of length `interval` that contains `now`, if the last use was before it.
pub(super) fn next_recorded_use(
    last_used_at: Option<Timestamp>,
    now: Timestamp,
    interval: TimeDelta,
) -> Option<Timestamp> {
    let interval_start = now.duration_trunc(interval).unwrap_or(now);
    last_used_at.is_none_or(|last_use| last_use < interval_start).then_some(interval_start)
}

/// Records when a credential was used, unless the same or a later use is already recorded, possibly by another process. `table` must be
/// trusted SQL.
pub(super) fn record_use(session: &dyn Session, table: &'static str, id: i64, used_at: Timestamp) -> Result<()> {
    let sql =
        format!("UPDATE {table} SET last_used_at = ?2 WHERE id = ?1 AND (last_used_at IS NULL OR last_used_at < ?2)");
    session.execute(&sql, &binds![id, used_at])?;
    Ok(())
}

/// Revokes a credential that is not revoked yet. Returns true if that changed anything. `table` must be trusted SQL.
fn revoke(session: &dyn Session, table: &'static str, id: i64, revoked_at: Timestamp) -> Result<bool> {
    let sql = format!("UPDATE {table} SET revoked_at = ?2 WHERE id = ?1 AND revoked_at IS NULL");
    Ok(session.execute(&sql, &binds![id, revoked_at])? > 0)
}

pub(super) fn api_keys(session: &dyn Session, slice: Slice) -> Result<Page<ApiKey>> {
    super::list(session, (API_KEY_COLUMNS, "api_keys", "id DESC"), slice, read_api_key)
}

pub(super) fn find_api_key(session: &dyn Session, hash: SecretHash) -> Result<Option<ApiKey>> {
    session.find(&format!("SELECT {API_KEY_COLUMNS} FROM api_keys WHERE hash = ?1"), &binds![hash], read_api_key)
}

pub(super) fn create_api_key(
    session: &dyn Session,
    request: &NewApiKeyRequest,
    hash: SecretHash,
    prefix: &str,
    audit: &AuditContext,
) -> Result<ApiKey, WriteError> {
    let id = ApiKeyId(session.query_value(
        "INSERT INTO api_keys (name, prefix, hash, scopes, created_at, expires_at) VALUES (?1, ?2, ?3, ?4, ?5, ?6)
         RETURNING id",
        &binds![request.name, prefix, hash, Bind::json(&request.scopes), audit.at, request.expires_at],
    )?);
    audit::record(session, "api_key.create", &id.subject(), audit)?;
    Ok(ApiKey {
        id,
        name: request.name.clone(),
        prefix: prefix.to_owned(),
        scopes: request.scopes.clone(),
        created_at: audit.at,
        expires_at: request.expires_at,
        last_used_at: None,
        revoked_at: None,
    })
}

pub(super) fn revoke_api_key(
    session: &dyn Session,
    id: ApiKeyId,
    audit: &AuditContext,
) -> Result<Option<ApiKey>, WriteError> {
    if revoke(session, "api_keys", id.0, audit.at)? {
        audit::record(session, "api_key.revoke", &id.subject(), audit)?;
    }
    Ok(session.find(&format!("SELECT {API_KEY_COLUMNS} FROM api_keys WHERE id = ?1"), &binds![id.0], read_api_key)?)
}

pub(super) fn speech_tokens(session: &dyn Session, slice: Slice) -> Result<Page<SpeechToken>> {
    super::list(session, (SPEECH_TOKEN_COLUMNS, "speech_tokens", "id DESC"), slice, read_speech_token)
}

pub(super) fn speech_token(session: &dyn Session, id: TokenId) -> Result<Option<SpeechToken>> {
    session.find(
        &format!("SELECT {SPEECH_TOKEN_COLUMNS} FROM speech_tokens WHERE id = ?1"),
        &binds![id.0],
        read_speech_token,
    )
}

pub(super) fn find_speech_token(session: &dyn Session, hash: SecretHash) -> Result<Option<SpeechToken>> {
    session.find(
        &format!("SELECT {SPEECH_TOKEN_COLUMNS} FROM speech_tokens WHERE hash = ?1"),
        &binds![hash],
        read_speech_token,
    )
}

pub(super) fn create_speech_token(
    session: &dyn Session,
    name: &str,
    hash: SecretHash,
    prefix: &str,
    audit: &AuditContext,
) -> Result<SpeechToken, WriteError> {
    let id = TokenId(session.query_value(
        "INSERT INTO speech_tokens (name, prefix, hash, created_at) VALUES (?1, ?2, ?3, ?4) RETURNING id",
        &binds![name, prefix, hash, audit.at],
    )?);
    audit::record(session, "speech_token.create", &id.subject(), audit)?;
    Ok(SpeechToken {
        id,
        name: name.to_owned(),
        prefix: prefix.to_owned(),
        transcriptions: 0,
        created_at: audit.at,
        rotated_at: None,
        last_used_at: None,
        revoked_at: None,
    })
}

/// Returns the token whose secret is about to be replaced. `None` if the token doesn't exist; refused if it is revoked.
pub(in crate::storage::sql) fn find_unrevoked_token(
    session: &dyn Session,
    id: TokenId,
) -> Result<Option<SpeechToken>, WriteError> {
    let stored_token = speech_token(session, id)?;
    if stored_token.as_ref().is_some_and(|token| token.revoked_at.is_some()) {
        let diagnostic = Diagnostic::new(Location::default(), "revoked", account::token_is_revoked(id.0));
        return Err(WriteError::Refused(diagnostic.suggest(account::issue_new_token())));
    }
    Ok(stored_token)
}

pub(super) fn rotate_speech_token(
    session: &dyn Session,
    id: TokenId,
    hash: SecretHash,
    prefix: &str,
    audit: &AuditContext,
) -> Result<Option<SpeechToken>, WriteError> {
    let Some(old) = find_unrevoked_token(session, id)? else { return Ok(None) };
    session.execute(
        "UPDATE speech_tokens SET hash = ?2, prefix = ?3, rotated_at = ?4 WHERE id = ?1",
        &binds![id.0, hash, prefix, audit.at],
    )?;
    audit::record(session, "speech_token.rotate", &id.subject(), audit)?;
    Ok(Some(SpeechToken { prefix: prefix.to_owned(), rotated_at: Some(audit.at), ..old }))
}

pub(super) fn revoke_speech_token(
    session: &dyn Session,
    id: TokenId,
    audit: &AuditContext,
) -> Result<Option<SpeechToken>, WriteError> {
    if revoke(session, "speech_tokens", id.0, audit.at)? {
        audit::record(session, "speech_token.revoke", &id.subject(), audit)?;
    }
    Ok(speech_token(session, id)?)
}
