//! Logging in and out.

use gloo_net::http::Method;
use leadscribe_engine::api::{LoginRequest, OwnPasswordRequest, OwnSession, SessionId, SessionResponse};

use super::{Answer, Api, ApiError, json, read};
use crate::session::SessionState;
use crate::storage::tab_storage;

const URL: &str = "/api/session";

impl Api {
    /// Asks who is logged in, and tells the session.
    pub async fn find_session(self) {
        let state = match self.find::<SessionResponse>(URL).await {
            Ok(Some(session)) => SessionState::Staff(session),
            Ok(None) => SessionState::Nobody,
            Err(error) => SessionState::Unreachable(error),
        };
        self.session.set(state);
    }

    /// Looks whether anybody is logged in still, and tells the session when nobody is.
    pub async fn look_for_session(self) {
        if self.once(Method::GET, URL, None).await.is_ok_and(|session| session.is_empty()) {
            self.session.end();
        }
    }

    /// Logs in, and tells the session.
    pub async fn log_in(self, request: &LoginRequest) -> Answer<()> {
        let heard = self.transmit(None, Method::POST, URL, Some(json(request))).await?;
        // A wrong password is no end of a session.
        let session = read(&self.settle(heard)?)?;
        self.session.set(SessionState::Staff(session));
        Ok(())
    }

    /// Changes the password of the one who is logged in; their other sessions end.
    pub async fn change_password(self, request: OwnPasswordRequest) -> Answer<()> {
        self.exchange(Method::PUT, "/api/session/password", Some(json(&request))).await.map(drop)
    }

    /// Where the one who is logged in is.
    pub async fn own_sessions(self) -> Answer<Vec<OwnSession>> {
        self.get("/api/sessions").await
    }

    pub async fn end_session(self, id: SessionId) -> Answer<()> {
        self.exchange(Method::DELETE, &format!("/api/sessions/{id}"), None).await.map(drop)
    }

    /// Ends all but this one.
    pub async fn end_other_sessions(self) -> Answer<()> {
        self.exchange(Method::DELETE, "/api/sessions", None).await.map(drop)
    }

    /// Logs out whoever is logged in with this browser, and forgets what this tab kept of it. Where the session is over another
    /// may have come since, from another tab, and then it is that one which ends. That there is none any more is no error.
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
            // What can't be cleared was never kept.
            _ = storage.clear();
        }
        self.session.set(SessionState::Nobody);
        Ok(())
    }
}
