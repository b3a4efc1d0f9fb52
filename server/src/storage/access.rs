//! What is asked of a store about those who may do something: staff, sessions, keys and tokens.

use async_trait::async_trait;
use chrono::TimeDelta;
use leadscribe_engine::api::*;

use super::{Origin, Slice, StoreError, WriteError};

/// How often the use of a session is written, by each that is busy.
pub const SESSION_NOTED_EVERY: TimeDelta = TimeDelta::minutes(5);

/// SHA-256 of a secret. Secrets are random and long, so a plain hash is enough; passwords use Argon2id.
pub type SecretHash = [u8; 32];

/// What is changed about a member of staff; what is absent stays.
#[derive(Clone, Debug, Default)]
pub struct UserChange {
    /// What they may do.
    pub role: Option<Role>,
    /// Whether they may log in.
    pub active: Option<bool>,
    /// The Argon2id hash of a new password, in PHC form.
    pub hash: Option<String>,
}

/// What is known of the browser that logs in.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Browser {
    /// From which address.
    pub address: Option<String>,
    /// How it names itself.
    pub user_agent: Option<String>,
}

/// A session to be opened.
#[derive(Clone, Debug)]
pub struct NewSession {
    /// The hash of its secret.
    pub hash: SecretHash,
    /// What requests that change something have to bring.
    pub csrf_token: String,
    /// When it ends.
    pub expires_at: Timestamp,
    /// In which browser it is.
    pub browser: Browser,
}

/// A session, as its owner may know it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StoredSession {
    /// Its id.
    pub id: SessionId,
    /// Its hash.
    pub hash: SecretHash,
    /// When somebody logged in.
    pub created_at: Timestamp,
    /// When it was used last, to five minutes.
    pub last_used_at: Timestamp,
    /// When it ends.
    pub expires_at: Timestamp,
    /// Where somebody logged in.
    pub browser: Browser,
}

/// Which sessions of a member of staff.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sessions {
    /// This one.
    One(SessionId),
    /// All but this one.
    AllBut(SecretHash),
    /// All.
    All,
}

/// Staff, sessions, API keys and speech tokens.
#[async_trait]
pub trait AccessStore: Send + Sync {
    /// A slice of all staff, by e-mail.
    async fn users(&self, slice: Slice) -> Result<Page<User>, StoreError>;
    /// The member of staff with this e-mail (lower case), with the Argon2id hash in PHC form.
    async fn user_by_email(&self, email: &str) -> Result<Option<(User, String)>, StoreError>;
    /// The member of staff with this id.
    async fn user(&self, id: UserId) -> Result<Option<User>, StoreError>;
    /// Adds a member of staff; refused when the e-mail is taken.
    async fn create_user(&self, email: &str, hash: &str, role: Role, by: &Origin) -> Result<User, WriteError>;
    /// Changes a member of staff; what changes ends their sessions. None when there is no such user; refused when no admin
    /// would remain who can log in.
    async fn update_user(&self, id: UserId, change: UserChange, by: &Origin) -> Result<Option<User>, WriteError>;
    /// Changes the password of a member of staff, and ends their sessions but `kept`. False when there is no such user
    /// or no such session of theirs.
    async fn change_password(&self, id: UserId, hash: &str, kept: SecretHash, by: &Origin) -> Result<bool, StoreError>;
    /// Removes a member of staff and their sessions; refused for the last admin. False when there is no such user.
    async fn delete_user(&self, id: UserId, by: &Origin) -> Result<bool, WriteError>;

    /// Opens a session and notes the log-in; refused for whoever is deactivated, and when the hash of their password isn't
    /// `password_hash`, by which they were let in, any more.
    async fn create_session(
        &self,
        user: UserId,
        password_hash: &str,
        new: &NewSession,
        by: &Origin,
    ) -> Result<(), WriteError>;
    /// The session with this hash that hasn't expired, and was used since `used_since`.
    async fn session(
        &self,
        session: SecretHash,
        now: Timestamp,
        used_since: Timestamp,
    ) -> Result<Option<SessionResponse>, StoreError>;
    /// The same, and notes its use, to five minutes.
    async fn use_session(
        &self,
        session: SecretHash,
        now: Timestamp,
        used_since: Timestamp,
    ) -> Result<Option<SessionResponse>, StoreError>;
    /// The sessions of a member of staff that haven't expired and were used since `used_since`, at most `most`, those used
    /// last first.
    async fn sessions_of(
        &self,
        user: UserId,
        now: Timestamp,
        used_since: Timestamp,
        most: u32,
    ) -> Result<Vec<StoredSession>, StoreError>;
    /// Ends sessions of a member of staff, and notes it if there are any; gives how many.
    async fn end_sessions(&self, user: UserId, which: Sessions, by: &Origin) -> Result<u64, StoreError>;
    /// Ends a session.
    async fn delete_session(&self, session: SecretHash) -> Result<(), StoreError>;
    /// Forgets sessions that ended before `before`; gives how many.
    async fn purge_sessions(&self, before: Timestamp) -> Result<u64, StoreError>;

    /// A slice of all API keys, newest first.
    async fn api_keys(&self, slice: Slice) -> Result<Page<ApiKey>, StoreError>;
    /// Stores a new API key.
    async fn create_api_key(
        &self,
        request: &NewApiKeyRequest,
        hash: SecretHash,
        prefix: &str,
        by: &Origin,
    ) -> Result<ApiKey, WriteError>;
    /// The API key with this hash, be it expired or revoked; notes its use, to the minute.
    async fn use_api_key(&self, hash: SecretHash, now: Timestamp) -> Result<Option<ApiKey>, StoreError>;
    /// Revokes an API key. None when there is no such key; revoking twice changes nothing.
    async fn revoke_api_key(&self, id: ApiKeyId, by: &Origin) -> Result<Option<ApiKey>, WriteError>;

    /// A slice of all speech tokens, newest first.
    async fn speech_tokens(&self, slice: Slice) -> Result<Page<SpeechToken>, StoreError>;
    /// The speech token with this id, be it revoked.
    async fn speech_token(&self, id: TokenId) -> Result<Option<SpeechToken>, StoreError>;
    /// Stores a new speech token.
    async fn create_speech_token(
        &self,
        name: &str,
        hash: SecretHash,
        prefix: &str,
        by: &Origin,
    ) -> Result<SpeechToken, WriteError>;
    /// The speech token with this hash, be it revoked; notes its use, to the minute.
    async fn use_speech_token(&self, hash: SecretHash, now: Timestamp) -> Result<Option<SpeechToken>, StoreError>;
    /// Notes that staff do something in the name of a speech token, to the minute.
    async fn note_use_of_speech_token(&self, token: &mut SpeechToken, now: Timestamp);
    /// Changes the secret of a token; what it owns stays its own. None when there is no such token; refused when it is
    /// revoked.
    async fn rotate_speech_token(
        &self,
        id: TokenId,
        hash: SecretHash,
        prefix: &str,
        by: &Origin,
    ) -> Result<Option<SpeechToken>, WriteError>;
    /// Revokes a token. None when there is no such token; revoking twice changes nothing.
    async fn revoke_speech_token(&self, id: TokenId, by: &Origin) -> Result<Option<SpeechToken>, WriteError>;
}
