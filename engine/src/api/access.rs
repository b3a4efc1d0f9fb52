//! Who may do what: staff, API keys and speech recognition tokens.

use chrono::{DateTime, Utc};
use serde::{Deserialize, Serialize};

use super::{ApiKeyId, AuditId, SessionId, TokenId, UserId, named_enum};

named_enum! {
    /// What an API key may do.
    Scope {
        /// Read leads and campaigns.
        LeadsRead = "leads:read",
        /// Write leads and campaigns, and import them.
        LeadsWrite = "leads:write",
        /// Read calls and play recordings.
        CallsRead = "calls:read",
        /// Write calls, upload recordings, and import calls.
        CallsWrite = "calls:write",
        /// Submit calls for speech recognition.
        SpeechSubmit = "speech:submit",
        /// Read transcripts, with the token that owns them.
        SpeechRead = "speech:read",
        /// Everything, including users, keys and tokens.
        Admin = "admin",
    }
}

named_enum! {
    /// What a member of staff may do.
    Role {
        /// Everything.
        Admin = "admin",
        /// Everything but staff, API keys, speech recognition tokens, the audit log and retention.
        Manager = "manager",
        /// Read only.
        Viewer = "viewer",
    }
}

/// A member of staff.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct User {
    /// Its id.
    pub id: UserId,
    /// E-mail address, the log-in name, in lower case.
    pub email: String,
    /// What they may do.
    pub role: Role,
    /// When they logged in last.
    pub last_login_at: Option<DateTime<Utc>>,
    /// When the account was created.
    pub created_at: DateTime<Utc>,
    /// When the account was deactivated: who has it can't log in until it is activated again.
    pub deactivated_at: Option<DateTime<Utc>>,
}

/// A member of staff as colleagues know one: somebody leads can be assigned to.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Assignee {
    /// Their id.
    pub id: UserId,
    /// Their e-mail address.
    pub email: String,
    /// Whether they can log in; leads of those who can't may be given to somebody else.
    pub active: bool,
}

/// `POST /api/session`: log in.
#[derive(Clone, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(deny_unknown_fields)]
pub struct LoginRequest {
    /// E-mail address.
    pub email: String,
    /// Password.
    pub password: String,
}

/// Who is logged in.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct SessionResponse {
    /// The member of staff.
    pub user: User,
    /// To be sent as `X-CSRF-Token` with every request that changes something.
    pub csrf_token: String,
    /// When the session ends.
    pub expires_at: DateTime<Utc>,
}

/// A session of one's own, as it is listed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct OwnSession {
    /// Its id.
    pub id: SessionId,
    /// When somebody logged in.
    pub created_at: DateTime<Utc>,
    /// When it was used last, to five minutes.
    pub last_used_at: DateTime<Utc>,
    /// When it ends.
    pub expires_at: DateTime<Utc>,
    /// The address from which somebody logged in; none where that wasn't known.
    pub address: Option<String>,
    /// The browser, as it named itself: `Firefox`.
    pub browser: Option<String>,
    /// The system it runs on: `Windows`.
    pub system: Option<String>,
    /// Whether it is the one that asks.
    pub current: bool,
}

/// `POST /api/users`: create a member of staff.
#[derive(Clone, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(deny_unknown_fields)]
pub struct NewUserRequest {
    /// E-mail address.
    pub email: String,
    /// Password, 12 to 256 characters, and none of those that are guessed first.
    pub password: String,
    /// What they may do.
    pub role: Role,
}

/// `PUT /api/session/password`: change one's own password.
#[derive(Clone, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(deny_unknown_fields)]
pub struct OwnPasswordRequest {
    /// The password as it is.
    pub current_password: String,
    /// The new one, 12 to 256 characters, and none of those that are guessed first.
    pub password: String,
}

/// `PATCH /api/users/{user_id}`: change a member of staff. What is absent stays; what changes ends their sessions.
#[derive(Clone, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(deny_unknown_fields)]
pub struct UpdateUserRequest {
    /// What they may do.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub role: Option<Role>,
    /// A new password, 12 to 256 characters, and none of those that are guessed first.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub password: Option<String>,
    /// Whether they may log in.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub active: Option<bool>,
}

/// An API key, without its secret.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct ApiKey {
    /// Its id.
    pub id: ApiKeyId,
    /// What it is for, 1 to 100 characters.
    pub name: String,
    /// First characters of the secret, to tell keys apart.
    pub prefix: String,
    /// What it may do.
    pub scopes: Vec<Scope>,
    /// When it was created.
    pub created_at: DateTime<Utc>,
    /// When it stops working.
    pub expires_at: Option<DateTime<Utc>>,
    /// When it was used last, to the minute.
    pub last_used_at: Option<DateTime<Utc>>,
    /// When it was revoked.
    pub revoked_at: Option<DateTime<Utc>>,
}

/// `POST /api/api-keys`: create an API key.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(deny_unknown_fields)]
pub struct NewApiKeyRequest {
    /// What it is for, 1 to 100 characters.
    pub name: String,
    /// What it may do, at least one scope.
    pub scopes: Vec<Scope>,
    /// When it stops working; none for never.
    #[serde(default)]
    pub expires_at: Option<DateTime<Utc>>,
}

/// A new API key with its secret, shown this once.
#[derive(Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct NewApiKeyResponse {
    /// The key.
    pub api_key: ApiKey,
    /// The secret, for `Authorization: Bearer`.
    pub secret: String,
}

/// A speech recognition token, without its secret.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct SpeechToken {
    /// Its id, kept when the secret is rotated.
    pub id: TokenId,
    /// Whom it was issued to, 1 to 100 characters.
    pub name: String,
    /// First characters of the secret, to tell tokens apart.
    pub prefix: String,
    /// How many transcriptions it owns.
    pub transcriptions: u64,
    /// When it was created.
    pub created_at: DateTime<Utc>,
    /// When its secret was changed last.
    pub rotated_at: Option<DateTime<Utc>>,
    /// When it was used last, by its secret or by staff in its name, to the minute.
    pub last_used_at: Option<DateTime<Utc>>,
    /// When it was revoked.
    pub revoked_at: Option<DateTime<Utc>>,
}

/// `POST /api/speech-tokens`: issue a speech recognition token.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(deny_unknown_fields)]
pub struct NewSpeechTokenRequest {
    /// Whom it is issued to, 1 to 100 characters.
    pub name: String,
}

/// A new or rotated token with its secret, shown this once.
#[derive(Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct NewSpeechTokenResponse {
    /// The token.
    pub token: SpeechToken,
    /// The secret, for the body field `token` and the header `X-Speech-Token`.
    pub secret: String,
}

/// An entry of the audit log: who did what, when.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct AuditEntry {
    /// Its id; later entries have larger ones.
    pub id: AuditId,
    /// When.
    pub at: DateTime<Utc>,
    /// Who: `user:3`, `api_key:5`, `speech_token:2`, `command_line`.
    pub actor: String,
    /// What, such as `lead.update`.
    pub action: String,
    /// To what, such as `lead:17`.
    pub subject: String,
    /// What that is called by now: the name of a lead, campaign, key, token or shared view, the address of a member of staff,
    /// the file of an import, of a lead in a campaign both names. Null where it has none or is gone, as no name is kept in the log.
    #[serde(default)]
    pub subject_name: Option<String>,
    /// The request it came with.
    pub request_id: Option<String>,
    /// The fields that another value was given, by their names in the API; custom fields as `custom.<name>`. Values are never
    /// kept here. Left out where there are none, or where that wasn't kept yet.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub fields: Vec<String>,
}

/// How many days things are kept; none for ever. The audit log is never shortened.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Retention {
    /// Transcripts.
    pub transcript_days: Option<u32>,
    /// Recordings, from the day their call was created.
    pub recording_days: Option<u32>,
    /// Deliveries that have ended, with their attempts.
    pub delivery_days: Option<u32>,
    /// What an import changed, and the rows that it refused, from its start: so long it can be undone.
    pub import_undo_days: u32,
}
