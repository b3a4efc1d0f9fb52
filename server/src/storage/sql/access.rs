//! Staff, sessions, API keys and speech tokens. Implements the trait; the statements are in `users`, `sessions` and `credentials`.

use std::sync::Arc;
use std::time::Duration;

use async_trait::async_trait;
use leadscribe_engine::api::*;

use super::rows::slice_binds;
use super::{Database, Row, Session, SqlStore, binds};
use crate::storage::{
    AccessStore, NewSession, Origin, SESSION_NOTED_EVERY, SecretHash, Sessions, Slice, StoreError, StoredSession,
    UserChange, WriteError,
};

mod credentials;
mod sessions;
mod users;

pub(super) use credentials::unrevoked_token;

/// Maximum time a request waits until the use of its credential is recorded.
const NOTE_PATIENCE: Duration = Duration::from_millis(50);

/// Reads a slice of a table. `columns`, `table` and `order` must be trusted SQL.
fn list<T>(
    session: &dyn Session,
    (columns, table, order): (&str, &str, &str),
    slice: Slice,
    read: fn(&dyn Row) -> Result<T, StoreError>,
) -> Result<Page<T>, StoreError> {
    let total = session.value(&format!("SELECT count(*) FROM {table}"), &[])?;
    let sql = format!("SELECT {columns} FROM {table} ORDER BY {order} LIMIT ?1 OFFSET ?2");
    Ok(Page { items: session.query(&sql, &slice_binds(slice), read)?, total })
}

impl<D: Database> SqlStore<D> {
    /// Records that a credential was used. A failure doesn't reject the request: with a full disk, reads still work.
    ///
    /// The write continues even if this request stops waiting for it. While it is queued, other requests with the same credential neither
    /// start a second write nor wait.
    async fn note_use(&self, table: &'static str, id: i64, moment: Timestamp) {
        let Some(turn) = self.use_notes.enter((table, id)) else { return };
        let database = Arc::clone(&self.database);
        let note = tokio::spawn(async move {
            let _turn = turn;
            // The statement itself keeps the later of two times, so no other lock is needed.
            let noted = database.claim(move |session| credentials::note_use(session, table, id, moment)).await;
            if let Err(error) = noted {
                tracing::warn!(
                    error = &error as &dyn std::error::Error,
                    table,
                    id,
                    "can't record the use of a credential"
                );
            }
        });
        // A panic in the task was already logged.
        let _ = tokio::time::timeout(NOTE_PATIENCE, note).await;
    }
}

#[async_trait]
impl<D: Database> AccessStore for SqlStore<D> {
    async fn users(&self, slice: Slice) -> Result<Page<User>, StoreError> {
        self.database.read(move |session| users::list(session, slice)).await
    }

    async fn user_by_email(&self, email: &str) -> Result<Option<(User, String)>, StoreError> {
        let email = email.to_owned();
        self.database.ask(move |session| users::find_by_email(session, &email)).await
    }

    async fn user(&self, id: UserId) -> Result<Option<User>, StoreError> {
        self.database.read(move |session| users::find(session, id)).await
    }

    async fn create_user(&self, email: &str, hash: &str, role: Role, by: &Origin) -> Result<User, WriteError> {
        let (email, hash, by) = (email.to_owned(), hash.to_owned(), by.clone());
        self.database.write(move |session| users::create(session, &email, &hash, role, &by)).await
    }

    async fn update_user(&self, id: UserId, change: UserChange, by: &Origin) -> Result<Option<User>, WriteError> {
        let by = by.clone();
        self.database.write(move |session| users::change(session, id, &change, &by)).await
    }

    async fn change_password(&self, id: UserId, hash: &str, kept: SecretHash, by: &Origin) -> Result<bool, StoreError> {
        let (hash, by) = (hash.to_owned(), by.clone());
        self.database.write(move |session| users::change_password(session, id, &hash, kept, &by)).await
    }

    async fn delete_user(&self, id: UserId, by: &Origin) -> Result<bool, WriteError> {
        let by = by.clone();
        self.database.write(move |session| users::delete(session, id, &by)).await
    }

    async fn create_session(
        &self,
        user: UserId,
        password_hash: &str,
        new: &NewSession,
        by: &Origin,
    ) -> Result<(), WriteError> {
        let (password_hash, new, by) = (password_hash.to_owned(), new.clone(), by.clone());
        self.database.write(move |session| sessions::open(session, user, &password_hash, &new, &by)).await
    }

    async fn session(
        &self,
        hash: SecretHash,
        now: Timestamp,
        used_since: Timestamp,
    ) -> Result<Option<SessionResponse>, StoreError> {
        Ok(self
            .database
            .ask(move |session| sessions::find(session, hash, now, used_since))
            .await?
            .map(|found| found.session))
    }

    async fn use_session(
        &self,
        hash: SecretHash,
        now: Timestamp,
        used_since: Timestamp,
    ) -> Result<Option<SessionResponse>, StoreError> {
        let Some(found) = self.database.ask(move |session| sessions::find(session, hash, now, used_since)).await?
        else {
            return Ok(None);
        };
        if let Some(moment) = credentials::new_moment(found.last_used_at, now, SESSION_NOTED_EVERY) {
            self.note_use("sessions", found.id.0, moment).await;
        }
        Ok(Some(found.session))
    }

    async fn sessions_of(
        &self,
        user: UserId,
        now: Timestamp,
        used_since: Timestamp,
        most: u32,
    ) -> Result<Vec<StoredSession>, StoreError> {
        self.database.read(move |session| sessions::of_user(session, user, now, used_since, most)).await
    }

    async fn end_sessions(&self, user: UserId, which: Sessions, by: &Origin) -> Result<u64, StoreError> {
        let by = by.clone();
        self.database.write(move |session| sessions::end(session, user, which, &by)).await
    }

    async fn delete_session(&self, hash: SecretHash) -> Result<(), StoreError> {
        let sql = "DELETE FROM sessions WHERE hash = ?1";
        self.database.write(move |session| session.execute(sql, &binds![hash])).await?;
        Ok(())
    }

    async fn purge_sessions(&self, before: Timestamp) -> Result<u64, StoreError> {
        let sql = "DELETE FROM sessions WHERE expires_at < ?1";
        self.database.write(move |session| session.execute(sql, &binds![before])).await
    }

    async fn api_keys(&self, slice: Slice) -> Result<Page<ApiKey>, StoreError> {
        self.database.read(move |session| credentials::api_keys(session, slice)).await
    }

    async fn create_api_key(
        &self,
        request: &NewApiKeyRequest,
        hash: SecretHash,
        prefix: &str,
        by: &Origin,
    ) -> Result<ApiKey, WriteError> {
        let (request, prefix, by) = (request.clone(), prefix.to_owned(), by.clone());
        self.database.write(move |session| credentials::create_api_key(session, &request, hash, &prefix, &by)).await
    }

    async fn use_api_key(&self, hash: SecretHash, now: Timestamp) -> Result<Option<ApiKey>, StoreError> {
        let found = self.database.ask(move |session| credentials::find_api_key(session, hash)).await?;
        let Some(mut key) = found else { return Ok(None) };
        if let Some(moment) = credentials::new_moment(key.last_used_at, now, credentials::NOTED_EVERY) {
            self.note_use("api_keys", key.id.0, moment).await;
            key.last_used_at = Some(moment);
        }
        Ok(Some(key))
    }

    async fn revoke_api_key(&self, id: ApiKeyId, by: &Origin) -> Result<Option<ApiKey>, WriteError> {
        let by = by.clone();
        self.database.write(move |session| credentials::revoke_api_key(session, id, &by)).await
    }

    async fn speech_tokens(&self, slice: Slice) -> Result<Page<SpeechToken>, StoreError> {
        self.database.read(move |session| credentials::speech_tokens(session, slice)).await
    }

    async fn speech_token(&self, id: TokenId) -> Result<Option<SpeechToken>, StoreError> {
        self.database.read(move |session| credentials::speech_token(session, id)).await
    }

    async fn create_speech_token(
        &self,
        name: &str,
        hash: SecretHash,
        prefix: &str,
        by: &Origin,
    ) -> Result<SpeechToken, WriteError> {
        let (name, prefix, by) = (name.to_owned(), prefix.to_owned(), by.clone());
        self.database.write(move |session| credentials::create_speech_token(session, &name, hash, &prefix, &by)).await
    }

    async fn use_speech_token(&self, hash: SecretHash, now: Timestamp) -> Result<Option<SpeechToken>, StoreError> {
        let found = self.database.ask(move |session| credentials::find_speech_token(session, hash)).await?;
        let Some(mut token) = found else { return Ok(None) };
        self.note_use_of_speech_token(&mut token, now).await;
        Ok(Some(token))
    }

    async fn note_use_of_speech_token(&self, token: &mut SpeechToken, now: Timestamp) {
        if let Some(moment) = credentials::new_moment(token.last_used_at, now, credentials::NOTED_EVERY) {
            self.note_use("speech_tokens", token.id.0, moment).await;
            token.last_used_at = Some(moment);
        }
    }

    async fn rotate_speech_token(
        &self,
        id: TokenId,
        hash: SecretHash,
        prefix: &str,
        by: &Origin,
    ) -> Result<Option<SpeechToken>, WriteError> {
        let (prefix, by) = (prefix.to_owned(), by.clone());
        self.database.write(move |session| credentials::rotate_speech_token(session, id, hash, &prefix, &by)).await
    }

    async fn revoke_speech_token(&self, id: TokenId, by: &Origin) -> Result<Option<SpeechToken>, WriteError> {
        let by = by.clone();
        self.database.write(move |session| credentials::revoke_speech_token(session, id, &by)).await
    }
}
