//! Requests for log-in, log-out and sessions.

use gloo_net::http::Method;
use leadscribe_engine::api::{LoginRequest, OwnPasswordRequest, OwnSession, SessionId, SessionResponse};

use super::{Answer, Api, ApiError, json, read};
use crate::session::SessionState;
use crate::storage::tab_storage;

const URL: &str = "/api/session";

impl Api {
    /// Loads the session from the server and stores it in the session context.
    pub async fn find_session(self) {
        let state = match self.find::<SessionResponse>(URL).await {
            Ok(Some(session)) => SessionState::Staff(session),
            Ok(None) => SessionState::Nobody,
            Err(error) => SessionState::Unreachable(error),
        };
        self.session.set(state);
    }

    /// Checks whether the session is still valid, and ends it in the session context if it isn't.
    pub async fn look_for_session(self) {
        if self.once(Method::GET, URL, None).await.is_ok_and(|session| session.is_empty()) {
            self.session.end();
        }
    }

    /// Logs in and stores the session in the session context.
    pub async fn log_in(self, request: &LoginRequest) -> Answer<()> {
        let heard = self.transmit(None, Method::POST, URL, Some(json(request))).await?;
        // A wrong password doesn't end a session, so this doesn't use `judge`.
        let session = read(&self.settle(heard)?)?;
        self.session.set(SessionState::Staff(session));
        Ok(())
    }

    /// Changes the password of the logged-in user. Their other sessions end.
    pub async fn change_password(self, request: OwnPasswordRequest) -> Answer<()> {
        self.exchange(Method::PUT, "/api/session/password", Some(json(&request))).await.map(drop)
    }

    /// Returns the sessions of the logged-in user.
    pub async fn own_sessions(self) -> Answer<Vec<OwnSession>> {
        self.get("/api/sessions").await
    }

    pub async fn end_session(self, id: SessionId) -> Answer<()> {
        self.exchange(Method::DELETE, &format!("/api/sessions/{id}"), None).await.map(drop)
    }

    /// Ends all sessions of the user except this one.
    pub async fn end_other_sessions(self) -> Answer<()> {
        self.exchange(Method::DELETE, "/api/sessions", None).await.map(drop)
    }

    /// Logs out and clears the data of this tab. If the session has ended, another tab may have created a new one, which is
    /// ended instead. If there is no session, log-out succeeds.
    pub async fn log_out(self) -> Answer<()> {
        let mut token = self.session.csrf_token();
        while let Err(error) = self.judge(self.transmit(token.clone(), Method::DELETE, URL, None).await?) {
            if error != ApiError::Unauthorized {
                return Err(error);
            }
            match self.find::<SessionResponse>(URL).await?.map(|session| session.csrf_token) {
                None => break,
                now if now == token => return Err(error),
                now => token = now,
            }
        }
        if let Some(storage) = tab_storage() {
            // Nothing to do on failure: without storage there is no data.
            _ = storage.clear();
        }
        self.session.set(SessionState::Nobody);
        Ok(())
    }
}
