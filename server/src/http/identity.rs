//! Who asks.

use leadscribe_engine::api::{ApiKey, Role, Scope, SessionResponse, TokenId};

use super::problem::{Code, Refusal};
use crate::storage::{Origin, SecretHash};

/// Who asks, proved by what the request carried.
#[derive(Clone, Debug)]
pub enum Identity {
    /// Nobody in particular.
    Anonymous,
    /// A member of staff, by session cookie.
    Staff {
        /// Who, until when, and the token against forged requests.
        session: Box<SessionResponse>,
        /// The session, as the store knows it.
        hash: SecretHash,
    },
    /// A program, by API key.
    Key(Box<ApiKey>),
    /// Whoever holds a speech recognition token, where an operation is about what that token owns.
    Token(TokenId),
}

impl Identity {
    /// How the audit log names it.
    pub fn actor(&self) -> String {
        match self {
            Self::Anonymous => Origin::ANONYMOUS.to_owned(),
            Self::Staff { session, .. } => session.user.id.subject(),
            Self::Key(key) => key.id.subject(),
            Self::Token(token) => token.subject(),
        }
    }

    /// The speech recognition token, whose holder asks.
    ///
    /// # Errors
    /// 401 when it is somebody else: the route table lets nobody else pass to where this is asked.
    pub fn token(&self) -> Result<TokenId, Refusal> {
        match self {
            Self::Token(token) => Ok(*token),
            _ => Err(Refusal::unauthorized(Code::InvalidToken, "expected a speech recognition token")),
        }
    }

    /// The session of the member of staff who asks, and its hash.
    ///
    /// # Errors
    /// 401 when it is somebody else: the route table lets nobody else pass to where this is asked.
    pub fn staff(&self) -> Result<(&SessionResponse, SecretHash), Refusal> {
        match self {
            Self::Staff { session, hash } => Ok((session, *hash)),
            _ => Err(Refusal::unauthorized(Code::Unauthenticated, "expected a session of staff")),
        }
    }

    /// Whether it may do what `scope` covers.
    pub fn has(&self, scope: Scope) -> bool {
        match self {
            Self::Anonymous | Self::Token(_) => false,
            Self::Staff { session, .. } => role_grants(session.user.role, scope),
            Self::Key(key) => key.scopes.contains(&scope) || key.scopes.contains(&Scope::Admin),
        }
    }
}

/// Whether a member of staff with this role may do what `scope` covers: viewers read, managers also write and submit,
/// admins do everything.
pub fn role_grants(role: Role, scope: Scope) -> bool {
    match role {
        Role::Admin => true,
        Role::Manager => scope != Scope::Admin,
        Role::Viewer => matches!(scope, Scope::LeadsRead | Scope::CallsRead | Scope::SpeechRead),
    }
}
