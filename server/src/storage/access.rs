//! Store interface for access control: staff, sessions, API keys and speech tokens.

use async_trait::async_trait;
use chrono::TimeDelta;
use leadscribe_engine::api::*;

use super::{AuditContext, Result, Slice, WriteError};

/// Minimum interval between two recorded uses of a session.
pub const SESSION_USE_RECORD_INTERVAL: TimeDelta = TimeDelta::minutes(5);

/// SHA-256 of a secret. Secrets are random and long, so a plain hash is sufficient; passwords use Argon2id.
pub type SecretHash = [u8; 32];

/// Changes to a staff user; absent fields keep their values.
#[derive(Clone, Debug, Default)]
pub struct UserChange {
    /// Role of the user.
    pub role: Option<Role>,
    /// False to deactivate the user, true to reactivate them.
    pub active: Option<bool>,
    /// Argon2id hash of the new password, in PHC format.
    pub password_hash: Option<String>,
}

/// Browser of a login.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Browser {
    /// IP address.
    pub address: Option<String>,
    /// User agent.
    pub user_agent: Option<String>,
}

/// A session to create.
#[derive(Clone, Debug)]
pub struct NewSession {
    /// Hash of the session's secret.
    pub hash: SecretHash,
    /// CSRF token that mutating requests must send.
    pub csrf_token: String,
    /// Expiry time.
    pub expires_at: Timestamp,
    /// Browser of the session.
    pub browser: Browser,
}

/// A session as shown to its owner.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StoredSession {
    /// Id of the session.
    pub id: SessionId,
    /// Hash of the session's secret.
    pub hash: SecretHash,
    /// Time of the login.
    pub created_at: Timestamp,
    /// Time of last use, accurate to five minutes.
    pub last_used_at: Timestamp,
    /// Expiry time.
    pub expires_at: Timestamp,
    /// Browser of the login.
    pub browser: Browser,
}

/// Selection of a user's sessions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SessionSelection {
    /// The session with this id.
    Single(SessionId),
    /// All sessions but this one.
    AllExcept(SecretHash),
    /// All sessions.
    All,
}

/// Staff, sessions, API keys and speech tokens.
#[async_trait]
pub trait AccessStore: Send + Sync {
    /// Slice of all users, by email.
    async fn users(&self, slice: Slice) -> Result<Page<User>>;
    /// User with this email (lower case), with the Argon2id hash in PHC format.
    async fn user_by_email(&self, email: &str) -> Result<Option<(User, String)>>;
    /// User with this id.
    async fn user(&self, id: UserId) -> Result<Option<User>>;
    /// Creates a user. Refused if the email is taken.
    async fn create_user(&self, email: &str, hash: &str, role: Role, audit: &AuditContext) -> Result<User, WriteError>;
    /// Changes a user; an actual change ends the user's sessions. `None` if the user doesn't exist; refused if no active admin would
    /// remain.
    async fn update_user(
        &self,
        id: UserId,
        change: UserChange,
        audit: &AuditContext,
    ) -> Result<Option<User>, WriteError>;
    /// Changes the password of a user and ends all their sessions but `current_session`. False if the user or that session doesn't exist.
    async fn change_password(
        &self,
        id: UserId,
        hash: &str,
        current_session: SecretHash,
        audit: &AuditContext,
    ) -> Result<bool>;
    /// Deletes a user and their sessions. False if the user doesn't exist; refused for the last admin.
    async fn delete_user(&self, id: UserId, audit: &AuditContext) -> Result<bool, WriteError>;

    /// Creates a session and records the login. Refused if the user is deactivated, or if their password hash is no longer `password_hash`,
    /// against which the login was checked.
    async fn create_session(
        &self,
        user: UserId,
        password_hash: &str,
        new: &NewSession,
        audit: &AuditContext,
    ) -> Result<(), WriteError>;
    /// Unexpired session with this hash, if it was used since `used_since`.
    async fn session(
        &self,
        session: SecretHash,
        now: Timestamp,
        used_since: Timestamp,
    ) -> Result<Option<SessionResponse>>;
    /// Like [`AccessStore::session`], but also records the use of the session, accurate to five minutes.
    async fn use_session(
        &self,
        session: SecretHash,
        now: Timestamp,
        used_since: Timestamp,
    ) -> Result<Option<SessionResponse>>;
    /// Unexpired sessions of a user that were used since `used_since`, at most `limit`, the most recently used first.
    async fn user_sessions(
        &self,
        user: UserId,
        now: Timestamp,
        used_since: Timestamp,
        limit: u32,
    ) -> Result<Vec<StoredSession>>;
    /// Ends sessions of a user. Adds an audit entry if there were any. Returns their number.
    async fn end_sessions(&self, user: UserId, selection: SessionSelection, audit: &AuditContext) -> Result<u64>;
    /// Ends a session.
    async fn delete_session(&self, session: SecretHash) -> Result<()>;
    /// Deletes sessions that ended before `before`. Returns their number.
    async fn purge_sessions(&self, before: Timestamp) -> Result<u64>;

    /// Slice of all API keys, newest first.
    async fn api_keys(&self, slice: Slice) -> Result<Page<ApiKey>>;
    /// Stores a new API key.
    async fn create_api_key(
        &self,
        request: &NewApiKeyRequest,
        hash: SecretHash,
        prefix: &str,
        audit: &AuditContext,
    ) -> Result<ApiKey, WriteError>;
    /// API key with this hash, even if it is expired or revoked. Records its use, accurate to a minute.
    async fn use_api_key(&self, hash: SecretHash, now: Timestamp) -> Result<Option<ApiKey>>;
    /// Revokes an API key. `None` if the key doesn't exist; revoking twice changes nothing.
    async fn revoke_api_key(&self, id: ApiKeyId, audit: &AuditContext) -> Result<Option<ApiKey>, WriteError>;

    /// Slice of all speech tokens, newest first.
    async fn speech_tokens(&self, slice: Slice) -> Result<Page<SpeechToken>>;
    /// Speech token with this id, even if it is revoked.
    async fn speech_token(&self, id: TokenId) -> Result<Option<SpeechToken>>;
    /// Stores a new speech token.
    async fn create_speech_token(
        &self,
        name: &str,
        hash: SecretHash,
        prefix: &str,
        audit: &AuditContext,
    ) -> Result<SpeechToken, WriteError>;
    /// Speech token with this hash, even if it is revoked. Records its use, accurate to a minute.
    async fn use_speech_token(&self, hash: SecretHash, now: Timestamp) -> Result<Option<SpeechToken>>;
    /// Records that a staff user acts on behalf of a speech token, accurate to a minute.
    async fn record_speech_token_use(&self, token: &mut SpeechToken, now: Timestamp);
    /// Replaces the secret of a token, which keeps everything it owns. `None` if the token doesn't exist; refused if it is revoked.
    async fn rotate_speech_token(
        &self,
        id: TokenId,
        hash: SecretHash,
        prefix: &str,
        audit: &AuditContext,
    ) -> Result<Option<SpeechToken>, WriteError>;
    /// Revokes a token. `None` if the token doesn't exist; revoking twice changes nothing.
    async fn revoke_speech_token(&self, id: TokenId, audit: &AuditContext) -> Result<Option<SpeechToken>, WriteError>;
}
