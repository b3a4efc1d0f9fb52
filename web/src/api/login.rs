//! Requests for login, logout and sessions.

use gloo_net::http::Method;
use leadscribe_engine::api::LoginRequest;

use super::{Api, ApiError, ApiResult, parse_response, to_json};
use crate::api::{CurrentSession, SessionState};
use crate::browser::storage::session_storage;

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
        // A wrong password doesn't end a session, so this doesn't use `judge`.
        let session = parse_response(&self.check_connection(response)?)?;
        self.session.set(SessionState::LoggedIn(session));
        Ok(())
    }

    /// Logs out and clears the data of this tab. If the session has ended, another tab may have created a new one, which is
    /// ended instead. If there is no session, logout succeeds.
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
