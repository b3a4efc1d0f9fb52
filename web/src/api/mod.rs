//! API client of the panel. All requests to the server are sent by this module.

mod access;
mod audit;
mod calls;
mod campaigns;
mod deliveries;
mod error;
mod events;
mod imports;
mod leads;
mod list_query;
mod overview;
mod reference;
mod session;
mod shared;
mod speech;
mod statuses;
mod transcripts;
mod upload;
mod views;

pub use audit::AuditQuery;
pub use calls::{CallQuery, recording_url};
pub use campaigns::CampaignQuery;
pub use deliveries::DeliveryQuery;
pub use error::{ApiError, sentence};
pub use events::Events;
pub use imports::{ImportQuery, Upload, rejected_csv_url};
pub use leads::{EXTENDED_DATA, NamedLead, export_url};
pub use list_query::ListQuery;
pub use reference::{DOCUMENT, Reply, Sender, Stopper};
pub use shared::Shared;
pub use transcripts::{Reading, TranscriptQuery, transcript_url};

use std::future::Future;

use gloo_net::http::{Method, RequestBuilder};
use leadscribe_engine::api::{Page, Problem};
use leptos::prelude::{Owner, expect_context};
use serde::Serialize;
use serde::de::DeserializeOwned;
use web_sys::AbortSignal;

use crate::acts;
use crate::connection::Connection;
use crate::session::Session;

/// Maximum number of retries after lost answers.
const TRIES: u32 = 2;

/// Timeout of the health check, in milliseconds.
const REACHED_WITHIN: u32 = 8_000;

/// Answer of the server, or the error.
pub type Answer<T> = Result<T, ApiError>;

/// API client for the current session. A `Copy` handle.
#[derive(Clone, Copy)]
pub struct Api {
    session: Session,
    connection: Connection,
}

/// Returns the API client. Call in the body of a component.
pub fn use_api() -> Api {
    debug_assert!(Owner::current().is_some(), "use_api belongs in the body of a component");
    Api { session: expect_context(), connection: expect_context() }
}

impl Api {
    async fn get<T: DeserializeOwned>(self, url: &str) -> Answer<T> {
        self.send(Method::GET, url, None).await
    }

    /// Returns a whole list page by page, for short lists that are shown completely.
    async fn whole<T: DeserializeOwned>(self, url: &str) -> Answer<Vec<T>> {
        let mut all = Vec::new();
        loop {
            let Page::<T> { items, total } = self.get(&format!("{url}?limit=1000;{}", all.len())).await?;
            let is_last = items.is_empty();
            all.extend(items);
            if is_last || all.len() as u64 >= total {
                return Ok(all);
            }
        }
    }

    /// Like [`Api::get`], for resources that may be absent (204).
    async fn find<T: DeserializeOwned>(self, url: &str) -> Answer<Option<T>> {
        match self.exchange(Method::GET, url, None).await? {
            text if text.is_empty() => Ok(None),
            text => read(&text).map(Some),
        }
    }

    async fn post<T: DeserializeOwned>(self, url: &str, body: &impl Serialize) -> Answer<T> {
        self.send(Method::POST, url, Some(json(body))).await
    }

    /// Sends a request. `body` is JSON text.
    async fn send<T: DeserializeOwned>(self, method: Method, url: &str, body: Option<String>) -> Answer<T> {
        let text = self.exchange(method, url, body).await?;
        read(&text)
    }

    /// Like [`Api::send`], for requests that change nothing and may be repeated. `body` is JSON text.
    async fn ask<T: DeserializeOwned>(self, method: Method, url: &str, body: String) -> Answer<T> {
        let text = self.ask_for(method, url, Some(body)).await?;
        read(&text)
    }

    /// Sends a request and returns the body of a successful response.
    async fn exchange(self, method: Method, url: &str, body: Option<String>) -> Answer<String> {
        if method == Method::GET {
            return self.ask_for(method, url, body).await;
        }
        self.in_session(|| self.once(method.clone(), url, body.clone())).await
    }

    /// Sends a request that changes nothing and returns the body of a successful response. While the server can't be reached,
    /// it waits and sends the request again.
    async fn ask_for(self, method: Method, url: &str, body: Option<String>) -> Answer<String> {
        let mut tries = 0;
        loop {
            match self.in_session(|| self.once(method.clone(), url, body.clone())).await {
                Err(ApiError::Offline) if tries < TRIES => {
                    tries += 1;
                    self.connection.found().await;
                }
                answer => return answer,
            }
        }
    }

    /// Runs `deed`. If the server refused it because the session has ended, runs it again after the user has logged in.
    async fn in_session<T, F: Future<Output = Answer<T>>>(self, deed: impl Fn() -> F) -> Answer<T> {
        loop {
            let Some(session) = self.session.current() else { return deed().await };
            match deed().await {
                Err(ApiError::Unauthorized) => {
                    if !self.session.renewed(&session).await {
                        return Err(ApiError::Unauthorized);
                    }
                }
                answer => return answer,
            }
        }
    }

    /// Sends a request once.
    async fn once(self, method: Method, url: &str, body: Option<String>) -> Answer<String> {
        let heard = self.transmit(self.session.csrf_token(), method, url, body).await?;
        self.judge(heard)
    }

    /// Sends a request and returns the response, successful or not. `token` is the session's CSRF token, if there is a session.
    async fn transmit(self, token: Option<String>, method: Method, url: &str, body: Option<String>) -> Answer<Heard> {
        let mut request = RequestBuilder::new(url).header("Accept", "application/json");
        if method != Method::GET
            && let Some(token) = token
        {
            request = request.header("X-CSRF-Token", &token);
        }
        if acts::is_unattended() {
            request = request.header("X-Unattended", "true");
        }
        let request = request.method(method);
        let request = match body {
            Some(json) => request.header("Content-Type", "application/json").body(json),
            None => request.build(),
        };
        let lost = |_| {
            self.connection.lose();
            ApiError::Offline
        };
        let response = request.map_err(lost)?.send().await.map_err(lost)?;
        let body = response.text().await.map_err(lost)?;
        let wait = response.headers().get("Retry-After").and_then(|seconds| seconds.parse().ok());
        Ok(Heard { status: response.status(), wait, body })
    }

    /// Returns the body of a successful response, or the error. Detects the end of the session.
    fn judge(self, heard: Heard) -> Answer<String> {
        let status = heard.status;
        let answer = self.settle(heard);
        let is_over = match &answer {
            // Token of another session: the user has logged in again in another tab.
            Err(ApiError::Problem(problem)) => status == 401 || problem.code == "csrf_failed",
            Err(_) => status == 401,
            Ok(_) => false,
        };
        if is_over && self.session.csrf_token().is_some() { Err(ApiError::Unauthorized) } else { answer }
    }

    /// Returns the body of a successful response, or the error. Updates the connection state.
    fn settle(self, heard: Heard) -> Answer<String> {
        let answer = heard.read();
        match &answer {
            Ok(_) | Err(ApiError::Problem(_) | ApiError::Later { .. }) => self.connection.find(),
            Err(ApiError::Offline) => self.connection.lose(),
            Err(_) => {}
        }
        answer
    }
}

/// A response, successful or not.
struct Heard {
    status: u16,
    /// Retry delay in seconds that the server asked for.
    wait: Option<u64>,
    body: String,
}

impl Heard {
    /// Returns the body of a successful response, or the error.
    fn read(self) -> Answer<String> {
        let Self { status, wait, body } = self;
        if (200..300).contains(&status) {
            return Ok(body);
        }
        Err(match (serde_json::from_str::<Problem>(&body), wait) {
            (Ok(problem), Some(seconds)) if matches!(status, 429 | 503) => {
                ApiError::Later { problem: Box::new(problem), seconds }
            }
            (Ok(problem), _) => ApiError::Problem(Box::new(problem)),
            (Err(_), _) if is_of_gateway(status) => ApiError::Offline,
            (Err(_), _) => ApiError::Unexpected { status },
        })
    }
}

/// True if the server answers.
pub async fn is_reachable() -> bool {
    let signal = AbortSignal::timeout_with_u32(REACHED_WITHIN);
    let answer = RequestBuilder::new("/healthz").abort_signal(Some(&signal)).send().await;
    answer.is_ok_and(|answer| !is_of_gateway(answer.status()))
}

/// True if a gateway answered because it can't reach the server.
fn is_of_gateway(status: u16) -> bool {
    matches!(status, 502..=504)
}

/// Serializes a request body.
fn json(body: &impl Serialize) -> String {
    serde_json::to_string(body).expect("wire types are made of texts, numbers and lists")
}

/// Parses a response from text, because JavaScript numbers are exact only up to 2^53.
fn read<T: DeserializeOwned>(text: &str) -> Answer<T> {
    serde_json::from_str(text).map_err(|_| ApiError::Unexpected { status: 200 })
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;
    use crate::language::{Language, speak};

    #[test]
    fn rate_limit_error_contains_the_retry_delay() {
        let body = r#"{"type":"x","title":"Too many attempts","status":429,"code":"too_many_requests","detail":"x"}"#;
        let heard = |wait| Heard { status: 429, wait, body: body.to_owned() };
        let told = |wait| heard(wait).read().unwrap_err();
        assert_eq!(told(Some(40)).advice(), "Try again in 40 seconds.");
        assert_eq!(told(Some(1)).advice(), "Try again in 1 second.");
        assert_eq!(told(Some(1)).status(), Some(429));
        let busy = r#"{"type":"x","title":"Overloaded","status":503,"code":"overloaded","detail":"try again"}"#;
        let busy = Heard { status: 503, wait: Some(2), body: busy.to_owned() }.read().unwrap_err();
        assert_eq!((busy.advice(), busy.cured_in()), ("Try again.".to_owned(), Some(Duration::from_secs(2))));
        speak(Language::German);
        assert_eq!(busy.advice(), "Der Server ist gerade ausgelastet. Versuchen Sie es gleich erneut.");
        assert_eq!(told(Some(40)).title(), "Zu viele Versuche");
        assert_eq!(told(Some(40)).advice(), "Versuchen Sie es in 40 Sekunden erneut.");
        assert_eq!(told(None).advice(), "Versuchen Sie es in einer Minute erneut.");
    }
}
