//! The authenticated caller of a request.

use leadscribe_engine::api::{ApiKey, Role, Scope, SessionResponse, TokenId};

use super::problem::{Code, Problem};
use crate::storage::{AuditContext, SecretHash};

/// The caller of a request, as its credentials prove it.
#[derive(Clone, Debug)]
pub enum Identity {
    /// No credentials.
    Anonymous,
    /// A member of staff, by session cookie.
    Staff {
        /// User, expiry and CSRF token.
        session: Box<SessionResponse>,
        /// Hash of the session secret, by which the store finds the session.
        session_hash: SecretHash,
    },
    /// A program, by API key.
    ApiKey(Box<ApiKey>),
    /// The holder of a speech token, in operations limited to what that token owns.
    Token(TokenId),
}

impl Identity {
    /// Returns the caller's name in the audit log.
    pub fn actor(&self) -> String {
        match self {
            Self::Anonymous => AuditContext::ANONYMOUS.to_owned(),
            Self::Staff { session, .. } => session.user.id.subject(),
            Self::ApiKey(key) => key.id.subject(),
            Self::Token(token) => token.subject(),
        }
    }

    /// Returns the speech token of the caller.
    ///
    /// # Errors
    /// 401 for any other caller. The route table allows no other caller here.
    pub fn token(&self) -> Result<TokenId, Problem> {
        match self {
            Self::Token(token) => Ok(*token),
            _ => Err(Problem::unauthorized(Code::InvalidToken, "expected a speech token")),
        }
    }

    /// Returns the session of the member of staff, and the hash of its secret.
    ///
    /// # Errors
    /// 401 for any other caller. The route table allows no other caller here.
    pub fn staff(&self) -> Result<(&SessionResponse, SecretHash), Problem> {
        match self {
            Self::Staff { session, session_hash } => Ok((session, *session_hash)),
            _ => Err(Problem::unauthorized(Code::Unauthenticated, "this requires a staff session")),
        }
    }

    /// True if the caller has the scope.
    pub fn has_scope(&self, scope: Scope) -> bool {
        match self {
            Self::Anonymous | Self::Token(_) => false,
            Self::Staff { session, .. } => role_grants(session.user.role, scope),
            Self::ApiKey(key) => key.scopes.contains(&scope) || key.scopes.contains(&Scope::Admin),
        }
    }
}

/// True if the role grants the scope: viewers read, managers also write and submit, admins have all scopes.
pub fn role_grants(role: Role, scope: Scope) -> bool {
    match role {
        Role::Admin => true,
        Role::Manager => scope != Scope::Admin,
        Role::Viewer => matches!(scope, Scope::LeadsRead | Scope::CallsRead | Scope::SpeechRead),
    }
}
