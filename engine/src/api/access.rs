//! Permissions and credentials: staff, API keys and speech tokens.

use chrono::{DateTime, Utc};
use serde::{Deserialize, Serialize};

use super::{ApiKeyId, AuditId, SessionId, TokenId, UserId, named_enum};

named_enum! {
    /// A permission of an API key.
    Scope {
        /// Read leads and campaigns.
        LeadsRead = "leads:read",
        /// Create, change and import leads and campaigns.
        LeadsWrite = "leads:write",
        /// Read calls and play recordings.
        CallsRead = "calls:read",
        /// Create, change and import calls, and upload recordings.
        CallsWrite = "calls:write",
        /// Submit calls for speech recognition.
        SpeechSubmit = "speech:submit",
        /// Read the transcripts owned by a token, with that token.
        SpeechRead = "speech:read",
        /// Everything, including users, keys and tokens.
        Admin = "admin",
    }
}

named_enum! {
    /// The permissions of a staff member.
    Role {
        /// Everything.
        Admin = "admin",
        /// Everything except staff, API keys, speech tokens, the audit log and retention.
        Manager = "manager",
        /// Read only.
        Viewer = "viewer",
    }
}

/// A staff member.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct User {
    /// Id of the user.
    pub id: UserId,
    /// Email address in lower case, used to log in.
    pub email: String,
    /// Permissions.
    pub role: Role,
    /// Time of the latest login.
    pub last_login_at: Option<DateTime<Utc>>,
    /// Time of creation.
    pub created_at: DateTime<Utc>,
    /// Time of deactivation. A deactivated user can't log in until an admin activates the account again.
    pub deactivated_at: Option<DateTime<Utc>>,
}

/// A staff member that leads can be assigned to, as shown to other staff.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Assignee {
    /// User id.
    pub id: UserId,
    /// Email address.
    pub email: String,
    /// True if the user can log in. Leads of inactive users can be reassigned.
    pub active: bool,
}

/// `POST /api/session`: log in.
#[derive(Clone, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(deny_unknown_fields)]
pub struct LoginRequest {
    /// Email address.
    pub email: String,
    /// Password.
    pub password: String,
}

/// The current session.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct SessionResponse {
    /// The logged-in user.
    pub user: User,
    /// Send this as `X-CSRF-Token` with every request that changes something.
    pub csrf_token: String,
    /// Time at which the session expires.
    pub expires_at: DateTime<Utc>,
}

/// One of the user's own sessions.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct SessionInfo {
    /// Id of the session.
    pub id: SessionId,
    /// Time of the login.
    pub created_at: DateTime<Utc>,
    /// Time of the latest use, accurate to five minutes.
    pub last_used_at: DateTime<Utc>,
    /// Time at which the session expires.
    pub expires_at: DateTime<Utc>,
    /// Client address at login; null if unknown.
    pub address: Option<String>,
    /// Browser, from the user agent: `Firefox`.
    pub browser: Option<String>,
    /// Operating system, from the user agent: `Windows`.
    pub system: Option<String>,
    /// True for the session that made this request.
    pub current: bool,
}

/// `POST /api/users`: create a staff member.
#[derive(Clone, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(deny_unknown_fields)]
pub struct NewUserRequest {
    /// Email address.
    pub email: String,
    /// Password, 12 to 256 characters. Common passwords are rejected.
    pub password: String,
    /// Permissions.
    pub role: Role,
}

/// `PUT /api/session/password`: change your own password.
#[derive(Clone, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(deny_unknown_fields)]
pub struct ChangePasswordRequest {
    /// Current password.
    pub current_password: String,
    /// New password, 12 to 256 characters. Common passwords are rejected.
    pub password: String,
}

/// `PATCH /api/users/{user_id}`: change a staff member. Absent fields stay the same. A change ends the user's sessions.
#[derive(Clone, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(deny_unknown_fields)]
pub struct UpdateUserRequest {
    /// New permissions.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub role: Option<Role>,
    /// New password, 12 to 256 characters. Common passwords are rejected.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub password: Option<String>,
    /// True if the user may log in.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub active: Option<bool>,
}

/// An API key, without its secret.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct ApiKey {
    /// Id of the API key.
    pub id: ApiKeyId,
    /// Purpose of the key, 1 to 100 characters.
    pub name: String,
    /// First characters of the secret, to tell keys apart.
    pub prefix: String,
    /// Permissions.
    pub scopes: Vec<Scope>,
    /// Time of creation.
    pub created_at: DateTime<Utc>,
    /// Time at which the key expires.
    pub expires_at: Option<DateTime<Utc>>,
    /// Time of the latest use, accurate to the minute.
    pub last_used_at: Option<DateTime<Utc>>,
    /// Time of revocation.
    pub revoked_at: Option<DateTime<Utc>>,
}

/// `POST /api/api-keys`: create an API key.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(deny_unknown_fields)]
pub struct NewApiKeyRequest {
    /// Purpose of the key, 1 to 100 characters.
    pub name: String,
    /// Permissions, at least one.
    pub scopes: Vec<Scope>,
    /// Time at which the key expires; null for never.
    #[serde(default)]
    pub expires_at: Option<DateTime<Utc>>,
}

/// A new API key with its secret. The secret is shown only once.
#[derive(Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct NewApiKeyResponse {
    /// The key.
    pub api_key: ApiKey,
    /// The secret, for `Authorization: Bearer`.
    pub secret: String,
}

/// A speech token, without its secret.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct SpeechToken {
    /// Id of the token. It stays the same when the secret is rotated.
    pub id: TokenId,
    /// Name of the owner, 1 to 100 characters.
    pub name: String,
    /// First characters of the secret, to tell tokens apart.
    pub prefix: String,
    /// Number of transcriptions that the token owns.
    pub transcriptions: u64,
    /// Time of creation.
    pub created_at: DateTime<Utc>,
    /// Time of the latest rotation of the secret.
    pub rotated_at: Option<DateTime<Utc>>,
    /// Time of the latest use, by its secret or by staff on its behalf, accurate to the minute.
    pub last_used_at: Option<DateTime<Utc>>,
    /// Time of revocation.
    pub revoked_at: Option<DateTime<Utc>>,
}

/// `POST /api/speech-tokens`: issue a speech token.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(deny_unknown_fields)]
pub struct NewSpeechTokenRequest {
    /// Name of the owner, 1 to 100 characters.
    pub name: String,
}

/// A new or rotated token with its secret. The secret is shown only once.
#[derive(Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct NewSpeechTokenResponse {
    /// The token.
    pub token: SpeechToken,
    /// The secret, for the body field `token` and the header `X-Speech-Token`.
    pub secret: String,
}

/// An audit log entry: an action, its actor and its subject.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct AuditEntry {
    /// Id of the entry. Later entries have larger ids.
    pub id: AuditId,
    /// Time of the action.
    pub created_at: DateTime<Utc>,
    /// Actor: `user:3`, `api_key:5`, `speech_token:2`, `command_line`.
    pub actor: String,
    /// Action, such as `lead.update`.
    pub action: String,
    /// Subject of the action, such as `lead:17`.
    pub subject: String,
    /// Current name of the subject: the name of a lead, campaign, key, token or shared view, the address of a user, the file of an import,
    /// or both names of a campaign lead. Null if the subject has no name or no longer exists: the log itself stores no names.
    #[serde(default)]
    pub subject_name: Option<String>,
    /// Id of the request that caused the action.
    pub request_id: Option<String>,
    /// Names of the changed fields, as in the API; custom fields as `custom.<name>`. The log never stores values. Absent if no fields
    /// changed, and for old entries without this detail.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub fields: Vec<String>,
}

/// Retention periods in days; null keeps data forever. The audit log is never shortened.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Retention {
    /// Retention of transcripts.
    pub transcript_days: Option<u32>,
    /// Retention of recordings, counted from the creation of their call.
    pub recording_days: Option<u32>,
    /// Retention of finished deliveries, including their attempts.
    pub delivery_days: Option<u32>,
    /// Retention of the log of changes, including deletions.
    pub change_days: Option<u32>,
    /// Retention of an import's changes and rejected rows, counted from its start. An import can be undone for this long.
    pub import_undo_days: u32,
}
