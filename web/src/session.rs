//! Who is logged in, as a context for the whole panel.
//!
//! A session that ends while somebody works takes nothing from the page: it is known whose it was until they have given their
//! password again, and what was asked of the server meanwhile waits for that in [`Session::renewed`].

use leadscribe_engine::api::{Role, SessionResponse, User};
use leptos::prelude::*;

use crate::api::ApiError;
use crate::gate::Gate;

/// What is known of the session.
#[derive(Clone, Debug, PartialEq)]
pub enum SessionState {
    /// The server hasn't answered yet.
    Unknown,
    /// The server couldn't be asked.
    Unreachable(ApiError),
    /// Nobody is logged in.
    Nobody,
    Staff(SessionResponse),
}

/// The session; a handle that can be copied anywhere.
#[derive(Clone, Copy)]
pub struct Session {
    state: RwSignal<SessionState>,
    /// Whether the server doesn't know it any more.
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

    /// Takes in what is known now. Another session of the same member of staff is no news to those who show who is logged in.
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

    /// The server doesn't know this browser any more.
    pub fn end(self) {
        if self.state.with_untracked(|state| matches!(state, SessionState::Staff(_))) {
            self.over.set(true);
        } else {
            self.set(SessionState::Nobody);
        }
    }

    /// Whether it is over, and the password asked for.
    pub fn is_over(self) -> bool {
        self.over.get()
    }

    /// Whether the member of staff whose session `over` was has another one: waits until the password was given, or until
    /// somebody logged out instead.
    pub async fn renewed(self, over: &SessionResponse) -> bool {
        let is_it = |now: Option<SessionResponse>| now.is_some_and(|now| now.csrf_token == over.csrf_token);
        if is_it(self.current()) {
            self.end();
            self.waiting.wait().await;
        }
        let now = self.current();
        now.as_ref().is_some_and(|now| now.user.id == over.user.id) && !is_it(now)
    }

    /// That of who is logged in, without following its changes.
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

    /// To be sent with every request that changes something.
    pub fn csrf_token(self) -> Option<String> {
        self.current().map(|session| session.csrf_token)
    }

    fn role(self) -> Option<Role> {
        self.state.with(|state| match state {
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

/// Whether the same member of staff is logged in, with the same rights.
fn is_same(before: &SessionState, now: &SessionState) -> bool {
    let who = |session: &SessionResponse| (session.user.id, session.user.email.clone(), session.user.role);
    match (before, now) {
        (SessionState::Staff(before), SessionState::Staff(now)) => who(before) == who(now),
        _ => false,
    }
}
