//! Staff, sessions, API keys and speech tokens. Implements the trait; the statements are in `users`, `sessions` and `credentials`.

use std::sync::Arc;
use std::time::Duration;

use async_trait::async_trait;
use leadscribe_engine::api::*;

use super::rows::slice_binds;
use super::{Database, Row, Session, SqlStore, binds};
use crate::storage::{
    AccessStore, AuditContext, NewSession, Result, SESSION_USE_RECORD_INTERVAL, SecretHash, SessionSelection, Slice,
    StoredSession, UserChange, WriteError,
};

mod credentials;
mod sessions;
mod users;

pub(super) use credentials::find_unrevoked_token;
pub(super) use users::find as find_user;

/// Maximum time a request waits until the use of its credential is recorded.
const USE_RECORD_TIMEOUT: Duration = Duration::from_millis(50);

/// Reads a slice of a table. `columns`, `table` and `order` must be trusted SQL.
fn list<T>(
    session: &dyn Session,
    (columns, table, order): (&str, &str, &str),
    slice: Slice,
    read: fn(&dyn Row) -> Result<T>,
) -> Result<Page<T>> {
    let total = session.query_value(&format!("SELECT count(*) FROM {table}"), &[])?;
    let sql = format!("SELECT {columns} FROM {table} ORDER BY {order} LIMIT ?1 OFFSET ?2");
    Ok(Page { items: session.query(&sql, &slice_binds(slice), read)?, total })
}

super::idempotency::created_record!(User, UserId, created_at, find_user);

impl<D: Database> SqlStore<D> {
    /// Records that a credential was used. A failure doesn't reject the request: with a full disk, reads still work.
    ///
    /// The write continues even if this request stops waiting for it. While it is queued, other requests with the same credential neither
    /// start a second write nor wait.
    async fn record_use(&self, table: &'static str, id: i64, used_at: Timestamp) {
        let Some(guard) = self.pending_uses.try_acquire((table, id)) else { return };
        let database = Arc::clone(&self.database);
        let task = tokio::spawn(async move {
            let _guard = guard;
            // The statement itself keeps the later of two times, so no other lock is needed.
            let result =
                database.write_locking(move |session| credentials::record_use(session, table, id, used_at)).await;
            if let Err(error) = result {
                tracing::warn!(
                    error = &error as &dyn std::error::Error,
                    table,
                    id,
                    "can't record the use of a credential"
                );
            }
        });
        // A panic in the task was already logged.
        let _ = tokio::time::timeout(USE_RECORD_TIMEOUT, task).await;
    }
}

#[async_trait]
impl<D: Database> AccessStore for SqlStore<D> {
    async fn users(&self, slice: Slice) -> Result<Page<User>> {
        self.database.read(move |session| users::list(session, slice)).await
    }

    async fn user_by_email(&self, email: &str) -> Result<Option<(User, String)>> {
        let email = email.to_owned();
        self.database.read_point(move |session| users::find_by_email(session, &email)).await
    }

    async fn user(&self, id: UserId) -> Result<Option<User>> {
        self.database.read(move |session| users::find(session, id)).await
    }

    async fn create_user(&self, email: &str, hash: &str, role: Role, audit: &AuditContext) -> Result<User, WriteError> {
        let (email, hash, own_audit) = (email.to_owned(), hash.to_owned(), audit.clone());
        self.create_record(audit, move |session| users::create(session, &email, &hash, role, &own_audit)).await
    }

    async fn update_user(
        &self,
        id: UserId,
        change: UserChange,
        audit: &AuditContext,
    ) -> Result<Option<User>, WriteError> {
        let audit = audit.clone();
        self.database.write(move |session| users::change(session, id, &change, &audit)).await
    }

    async fn change_password(
        &self,
        id: UserId,
        hash: &str,
        current_session: SecretHash,
        audit: &AuditContext,
    ) -> Result<bool> {
        let (hash, audit) = (hash.to_owned(), audit.clone());
        self.database.write(move |session| users::change_password(session, id, &hash, current_session, &audit)).await
    }

    async fn delete_user(&self, id: UserId, audit: &AuditContext) -> Result<bool, WriteError> {
        let audit = audit.clone();
        self.database.write(move |session| users::delete(session, id, &audit)).await
    }

    async fn create_session(
        &self,
        user: UserId,
        password_hash: &str,
        new: &NewSession,
        audit: &AuditContext,
    ) -> Result<(), WriteError> {
        let (password_hash, new, audit) = (password_hash.to_owned(), new.clone(), audit.clone());
        self.database.write(move |session| sessions::create(session, user, &password_hash, &new, &audit)).await
    }

    async fn session(
        &self,
        hash: SecretHash,
        now: Timestamp,
        used_since: Timestamp,
    ) -> Result<Option<SessionResponse>> {
        Ok(self
            .database
            .read_point(move |session| sessions::find(session, hash, now, used_since))
            .await?
            .map(|record| record.session))
    }

    async fn use_session(
        &self,
        hash: SecretHash,
        now: Timestamp,
        used_since: Timestamp,
    ) -> Result<Option<SessionResponse>> {
        let Some(record) =
            self.database.read_point(move |session| sessions::find(session, hash, now, used_since)).await?
        else {
            return Ok(None);
        };
        if let Some(used_at) = credentials::next_recorded_use(record.last_used_at, now, SESSION_USE_RECORD_INTERVAL) {
            self.record_use("sessions", record.id.0, used_at).await;
        }
        Ok(Some(record.session))
    }

    async fn user_sessions(
        &self,
        user: UserId,
        now: Timestamp,
        used_since: Timestamp,
        limit: u32,
    ) -> Result<Vec<StoredSession>> {
        self.database.read(move |session| sessions::list_for_user(session, user, now, used_since, limit)).await
    }

    async fn end_sessions(&self, user: UserId, selection: SessionSelection, audit: &AuditContext) -> Result<u64> {
        let audit = audit.clone();
        self.database.write(move |session| sessions::end(session, user, selection, &audit)).await
    }

    async fn delete_session(&self, hash: SecretHash) -> Result<()> {
        let sql = "DELETE FROM sessions WHERE hash = ?1";
        self.database.write(move |session| session.execute(sql, &binds![hash])).await?;
        Ok(())
    }

    async fn purge_sessions(&self, before: Timestamp) -> Result<u64> {
        let sql = "DELETE FROM sessions WHERE expires_at < ?1";
        self.database.write(move |session| session.execute(sql, &binds![before])).await
    }

    async fn api_keys(&self, slice: Slice) -> Result<Page<ApiKey>> {
        self.database.read(move |session| credentials::api_keys(session, slice)).await
    }

    async fn create_api_key(
        &self,
        request: &NewApiKeyRequest,
        hash: SecretHash,
        prefix: &str,
        audit: &AuditContext,
    ) -> Result<ApiKey, WriteError> {
        let (request, prefix, own_audit) = (request.clone(), prefix.to_owned(), audit.clone());
        let create =
            move |session: &dyn Session| credentials::create_api_key(session, &request, hash, &prefix, &own_audit);
        self.create(audit, create).await
    }

    async fn use_api_key(&self, hash: SecretHash, now: Timestamp) -> Result<Option<ApiKey>> {
        let stored_key = self.database.read_point(move |session| credentials::find_api_key(session, hash)).await?;
        let Some(mut key) = stored_key else { return Ok(None) };
        if let Some(used_at) = credentials::next_recorded_use(key.last_used_at, now, credentials::USE_RECORD_INTERVAL) {
            self.record_use("api_keys", key.id.0, used_at).await;
            key.last_used_at = Some(used_at);
        }
        Ok(Some(key))
    }

    async fn revoke_api_key(&self, id: ApiKeyId, audit: &AuditContext) -> Result<Option<ApiKey>, WriteError> {
        let audit = audit.clone();
        self.database.write(move |session| credentials::revoke_api_key(session, id, &audit)).await
    }

    async fn speech_tokens(&self, slice: Slice) -> Result<Page<SpeechToken>> {
        self.database.read(move |session| credentials::speech_tokens(session, slice)).await
    }

    async fn speech_token(&self, id: TokenId) -> Result<Option<SpeechToken>> {
        self.database.read(move |session| credentials::speech_token(session, id)).await
    }

    async fn create_speech_token(
        &self,
        name: &str,
        hash: SecretHash,
        prefix: &str,
        audit: &AuditContext,
    ) -> Result<SpeechToken, WriteError> {
        let (name, prefix, own_audit) = (name.to_owned(), prefix.to_owned(), audit.clone());
        let create =
            move |session: &dyn Session| credentials::create_speech_token(session, &name, hash, &prefix, &own_audit);
        self.create(audit, create).await
    }

    async fn use_speech_token(&self, hash: SecretHash, now: Timestamp) -> Result<Option<SpeechToken>> {
        let stored_token =
            self.database.read_point(move |session| credentials::find_speech_token(session, hash)).await?;
        let Some(mut token) = stored_token else { return Ok(None) };
        self.record_speech_token_use(&mut token, now).await;
        Ok(Some(token))
    }

    async fn record_speech_token_use(&self, token: &mut SpeechToken, now: Timestamp) {
        if let Some(used_at) = credentials::next_recorded_use(token.last_used_at, now, credentials::USE_RECORD_INTERVAL)
        {
            self.record_use("speech_tokens", token.id.0, used_at).await;
            token.last_used_at = Some(used_at);
        }
    }

    async fn rotate_speech_token(
        &self,
        id: TokenId,
        hash: SecretHash,
        prefix: &str,
        audit: &AuditContext,
    ) -> Result<Option<SpeechToken>, WriteError> {
        let (prefix, audit) = (prefix.to_owned(), audit.clone());
        self.database.write(move |session| credentials::rotate_speech_token(session, id, hash, &prefix, &audit)).await
    }

    async fn revoke_speech_token(&self, id: TokenId, audit: &AuditContext) -> Result<Option<SpeechToken>, WriteError> {
        let audit = audit.clone();
        self.database.write(move |session| credentials::revoke_speech_token(session, id, &audit)).await
    }
}
