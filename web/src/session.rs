//! Who is logged in, as a context for the whole panel.

use leadscribe_engine::api::{Role, SessionResponse, User};
use leptos::prelude::*;

use crate::api::ApiError;

/// What is known of the session.
#[derive(Clone, Debug, PartialEq)]
pub enum SessionState {
    /// The server hasn't answered yet.
    Unknown,
    /// The server couldn't be asked.
    Unreachable(ApiError),
    /// Nobody is logged in; `expired` when somebody was.
    Nobody {
        expired: bool,
    },
    Staff(SessionResponse),
}

/// The session; a handle that can be copied anywhere.
#[derive(Clone, Copy)]
pub struct Session(RwSignal<SessionState>);

impl Session {
    pub fn new() -> Self {
        Self(RwSignal::new(SessionState::Unknown))
    }

    pub fn state(self) -> SessionState {
        self.0.get()
    }

    pub fn state_untracked(self) -> SessionState {
        self.0.get_untracked()
    }

    pub fn set(self, state: SessionState) {
        self.0.set(state);
    }

    /// The server doesn't know this browser any more.
    pub fn end(self) {
        self.0.update(|state| {
            *state = SessionState::Nobody { expired: matches!(state, SessionState::Staff(_)) };
        });
    }

    pub fn user(self) -> Option<User> {
        self.0.with(|state| match state {
            SessionState::Staff(session) => Some(session.user.clone()),
            _ => None,
        })
    }

    /// To be sent with every request that changes something.
    pub fn csrf_token(self) -> Option<String> {
        self.0.with_untracked(|state| match state {
            SessionState::Staff(session) => Some(session.csrf_token.clone()),
            _ => None,
        })
    }

    fn role(self) -> Option<Role> {
        self.0.with(|state| match state {
            SessionState::Staff(session) => Some(session.user.role),
            _ => None,
        })
    }

    /// Whether they may change things. The server decides; this only hides what it would refuse.
    pub fn may_write(self) -> bool {
        matches!(self.role(), Some(Role::Admin | Role::Manager))
    }

    /// Whether they may keep users, keys and tokens.
    pub fn is_admin(self) -> bool {
        self.role() == Some(Role::Admin)
    }
}

/// The session of this panel.
pub fn use_session() -> Session {
    expect_context()
}
