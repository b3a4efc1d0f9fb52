//! Session of the logged-in user, as a context for the whole panel.
//!
//! If the session expires while the user works, the page stays as it is. The panel asks for the password again, and pending
//! requests wait in [`Session::renewed`] until the user has logged in.

use leadscribe_engine::api::{Role, SessionResponse, User};
use leptos::prelude::*;

use crate::api::ApiError;
use crate::gate::Gate;

/// State of the session.
#[derive(Clone, Debug, PartialEq)]
pub enum SessionState {
    /// The server hasn't answered yet.
    Unknown,
    /// The server couldn't be reached.
    Unreachable(ApiError),
    /// No user is logged in.
    Nobody,
    Staff(SessionResponse),
}

/// Current session. A `Copy` handle.
#[derive(Clone, Copy)]
pub struct Session {
    state: RwSignal<SessionState>,
    /// True if the server no longer accepts the session.
    over: RwSignal<bool>,
    waiting: Gate,
}

impl Session {
    pub fn new() -> Self {
        Self { state: RwSignal::new(SessionState::Unknown), over: RwSignal::new(false), waiting: Gate::new() }
    }

    pub fn state(self) -> SessionState {
        self.state.get()
    }

    pub fn state_untracked(self) -> SessionState {
        self.state.get_untracked()
    }

    /// Sets the state. A new session of the same user with the same rights doesn't notify subscribers.
    pub fn set(self, state: SessionState) {
        let is_same = self.state.with_untracked(|before| is_same(before, &state));
        if is_same {
            self.state.update_untracked(|before| *before = state);
        } else {
            self.state.set(state);
        }
        self.over.set(false);
        self.waiting.open();
    }

    /// Reports that the server no longer accepts the session.
    pub fn end(self) {
        if self.state.with_untracked(|state| matches!(state, SessionState::Staff(_))) {
            self.over.set(true);
        } else {
            self.set(SessionState::Nobody);
        }
    }

    /// True if the session expired and the panel asks for the password.
    pub fn is_over(self) -> bool {
        self.over.get()
    }

    /// Waits until the user logs in again or logs out. Returns true if the user of the expired session `over` has a new session.
    pub async fn renewed(self, over: &SessionResponse) -> bool {
        let is_it = |now: Option<SessionResponse>| now.is_some_and(|now| now.csrf_token == over.csrf_token);
        if is_it(self.current()) {
            self.end();
            self.waiting.wait().await;
        }
        let now = self.current();
        now.as_ref().is_some_and(|now| now.user.id == over.user.id) && !is_it(now)
    }

    /// Returns the current session, without subscribing to changes.
    pub fn current(self) -> Option<SessionResponse> {
        self.state.with_untracked(|state| match state {
            SessionState::Staff(session) => Some(session.clone()),
            _ => None,
        })
    }

    pub fn user(self) -> Option<User> {
        self.state.with(|state| match state {
            SessionState::Staff(session) => Some(session.user.clone()),
            _ => None,
        })
    }

    /// Token to send with every request that changes something.
    pub fn csrf_token(self) -> Option<String> {
        self.current().map(|session| session.csrf_token)
    }

    fn role(self) -> Option<Role> {
        self.state.with(|state| match state {
            SessionState::Staff(session) => Some(session.user.role),
            _ => None,
        })
    }

    /// True if the user may change data. The server enforces this; the panel only hides the controls.
    pub fn may_write(self) -> bool {
        matches!(self.role(), Some(Role::Admin | Role::Manager))
    }

    /// True if the user may manage users, keys and tokens.
    pub fn is_admin(self) -> bool {
        self.role() == Some(Role::Admin)
    }
}

/// Returns the session of this panel.
pub fn use_session() -> Session {
    expect_context()
}

/// True if both are the same user with the same rights.
fn is_same(before: &SessionState, now: &SessionState) -> bool {
    let who = |session: &SessionResponse| (session.user.id, session.user.email.clone(), session.user.role);
    match (before, now) {
        (SessionState::Staff(before), SessionState::Staff(now)) => who(before) == who(now),
        _ => false,
    }
}
