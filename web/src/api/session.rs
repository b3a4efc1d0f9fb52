//! Session of the logged-in user, as a context for the whole panel.
//!
//! If the session expires while the user works, the page stays as it is. The panel asks for the password again, and
//! pending requests wait in [`Session::wait_for_renewal`] until the user has logged in.

use gloo_net::http::Method;
use leadscribe_engine::api::{LoginRequest, Role, UserId};
use leptos::prelude::*;
use serde::Deserialize;

use crate::api::{Api, ApiError, ApiResult, parse_response, to_json};
use crate::browser::scheduler::Notifier;
use crate::browser::storage;
use crate::browser::storage::session_storage;

/// Key of the stored mark that a user is logged in. `web/preload.js` reads it, because scripts can't see the session
/// cookie.
const LOGGED_IN_KEY: &str = "leadscribe.logged-in";

/// Session as the server describes it. Times stay text, because the login page doesn't load the code to parse them.
#[derive(Clone, Debug, PartialEq, Deserialize)]
pub struct CurrentSession {
    pub user: CurrentUser,
    pub csrf_token: String,
}

/// The logged-in user.
#[derive(Clone, Debug, PartialEq, Deserialize)]
pub struct CurrentUser {
    pub id: UserId,
    pub email: String,
    pub role: Role,
    pub last_login_at: Option<String>,
}

#[derive(Clone, Debug, Default, PartialEq)]
pub enum SessionState {
    /// The server hasn't answered yet.
    #[default]
    Unknown,
    /// The session couldn't be loaded, for example because the server can't be reached.
    Unreachable(ApiError),
    /// No user is logged in.
    LoggedOut,
    LoggedIn(CurrentSession),
}

/// Current session. A `Copy` handle.
#[derive(Clone, Copy, Default)]
pub struct Session {
    state: RwSignal<SessionState>,
    /// True if the server no longer accepts the session.
    is_expired: RwSignal<bool>,
    renewal: Notifier,
}

impl Session {
    pub fn state(self) -> SessionState {
        self.state.get()
    }

    pub fn state_untracked(self) -> SessionState {
        self.state.get_untracked()
    }

    /// Sets the state. A new session of the same user with the same rights doesn't notify subscribers.
    pub fn set(self, state: SessionState) {
        match state {
            SessionState::LoggedIn(_) => storage::store(LOGGED_IN_KEY, &true),
            SessionState::LoggedOut => storage::remove(LOGGED_IN_KEY),
            SessionState::Unknown | SessionState::Unreachable(_) => {}
        }
        let is_same = self.state.with_untracked(|previous| has_same_rights(previous, &state));
        if is_same {
            self.state.update_untracked(|previous| *previous = state);
        } else {
            self.state.set(state);
        }
        self.is_expired.set(false);
        self.renewal.notify_all();
    }

    /// Reports that the server no longer accepts the session.
    pub fn expire(self) {
        if self.state.with_untracked(|state| matches!(state, SessionState::LoggedIn(_))) {
            self.is_expired.set(true);
        } else {
            self.set(SessionState::LoggedOut);
        }
    }

    /// True if the session expired and the panel asks for the password.
    pub fn is_expired(self) -> bool {
        self.is_expired.get()
    }

    /// Waits until the user logs in again or logs out. Returns true if the user of the expired session `expired` has a
    /// new session.
    pub async fn wait_for_renewal(self, expired: &CurrentSession) -> bool {
        let is_expired_session =
            |current: Option<CurrentSession>| current.is_some_and(|current| current.csrf_token == expired.csrf_token);
        if is_expired_session(self.current()) {
            self.expire();
            self.renewal.wait().await;
        }
        let current = self.current();
        current.as_ref().is_some_and(|current| current.user.id == expired.user.id) && !is_expired_session(current)
    }

    /// Returns the current session, without subscribing to changes.
    pub fn current(self) -> Option<CurrentSession> {
        self.state.with_untracked(|state| match state {
            SessionState::LoggedIn(session) => Some(session.clone()),
            _ => None,
        })
    }

    pub fn user(self) -> Option<CurrentUser> {
        self.state.with(|state| match state {
            SessionState::LoggedIn(session) => Some(session.user.clone()),
            _ => None,
        })
    }

    /// Token to send with every request that changes something.
    pub fn csrf_token(self) -> Option<String> {
        self.current().map(|session| session.csrf_token)
    }

    fn role(self) -> Option<Role> {
        self.user().map(|user| user.role)
    }

    /// True if the user may change data. The server enforces this; the panel only hides the controls.
    pub fn can_write(self) -> bool {
        matches!(self.role(), Some(Role::Admin | Role::Manager))
    }

    /// True if the user may manage users, keys and tokens.
    pub fn is_admin(self) -> bool {
        self.role() == Some(Role::Admin)
    }
}

pub fn use_session() -> Session {
    expect_context()
}

/// True if both are the same user with the same rights.
fn has_same_rights(previous: &SessionState, current: &SessionState) -> bool {
    let identity = |session: &CurrentSession| (session.user.id, session.user.email.clone(), session.user.role);
    match (previous, current) {
        (SessionState::LoggedIn(previous), SessionState::LoggedIn(current)) => identity(previous) == identity(current),
        _ => false,
    }
}

const SESSION_URL: &str = "/api/session";

impl Api {
    /// Loads the session from the server and stores it in the session context.
    pub async fn load_session(self) {
        let state = match self.get_optional::<CurrentSession>(SESSION_URL).await {
            Ok(Some(session)) => SessionState::LoggedIn(session),
            Ok(None) => SessionState::LoggedOut,
            Err(error) => SessionState::Unreachable(error),
        };
        self.session.set(state);
    }

    /// Checks whether the session is still valid, and ends it in the session context if it isn't.
    pub async fn verify_session(self) {
        if self.exchange_once(Method::GET, SESSION_URL, None).await.is_ok_and(|session| session.is_empty()) {
            self.session.expire();
        }
    }

    /// Logs in and stores the session in the session context.
    pub async fn log_in(self, request: &LoginRequest) -> ApiResult<()> {
        let response = self.transmit(None, Method::POST, SESSION_URL, Some(to_json(request))).await?;
        // A wrong password doesn't end a session, so this doesn't use `check_session`.
        let session = parse_response(&self.check_connection(response)?)?;
        self.session.set(SessionState::LoggedIn(session));
        Ok(())
    }

    /// Logs out and clears the data of this tab. If the session has ended, another tab may have created a new one,
    /// which is ended instead. If there is no session, logout succeeds.
    pub async fn log_out(self) -> ApiResult<()> {
        let mut token = self.session.csrf_token();
        while let Err(error) =
            self.check_session(self.transmit(token.clone(), Method::DELETE, SESSION_URL, None).await?)
        {
            if error != ApiError::Unauthorized {
                return Err(error);
            }
            match self.get_optional::<CurrentSession>(SESSION_URL).await?.map(|session| session.csrf_token) {
                None => break,
                new_token if new_token == token => return Err(error),
                new_token => token = new_token,
            }
        }
        if let Some(storage) = session_storage() {
            // Nothing to do on failure: without storage there is no data.
            _ = storage.clear();
        }
        self.session.set(SessionState::LoggedOut);
        Ok(())
    }
}
