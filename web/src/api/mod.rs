//! The panel's only way to the server. No other module sends a request.

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

/// How often something is asked for again whose answer gets lost though the server can be reached.
const TRIES: u32 = 2;

/// How long the server may take to say that it is there, in milliseconds: it does so at once.
const REACHED_WITHIN: u32 = 8_000;

/// What comes back, or why nothing does.
pub type Answer<T> = Result<T, ApiError>;

/// The server, for the one who is logged in; a handle that can be copied anywhere.
#[derive(Clone, Copy)]
pub struct Api {
    session: Session,
    connection: Connection,
}

/// The server, inside the panel's tree of components.
pub fn use_api() -> Api {
    debug_assert!(Owner::current().is_some(), "use_api belongs in the body of a component");
    Api { session: expect_context(), connection: expect_context() }
}

impl Api {
    async fn get<T: DeserializeOwned>(self, url: &str) -> Answer<T> {
        self.send(Method::GET, url, None).await
    }

    /// A whole list, page after page: of what there are few, and which is shown or chosen from as a whole.
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

    /// The same where the server may have nothing, and says so with 204.
    async fn find<T: DeserializeOwned>(self, url: &str) -> Answer<Option<T>> {
        match self.exchange(Method::GET, url, None).await? {
            text if text.is_empty() => Ok(None),
            text => read(&text).map(Some),
        }
    }

    async fn post<T: DeserializeOwned>(self, url: &str, body: &impl Serialize) -> Answer<T> {
        self.send(Method::POST, url, Some(json(body))).await
    }

    /// `body` is JSON text.
    async fn send<T: DeserializeOwned>(self, method: Method, url: &str, body: Option<String>) -> Answer<T> {
        let text = self.exchange(method, url, body).await?;
        read(&text)
    }

    /// The same for what changes nothing, whatever its method: `body` is JSON text.
    async fn ask<T: DeserializeOwned>(self, method: Method, url: &str, body: String) -> Answer<T> {
        let text = self.ask_for(method, url, Some(body)).await?;
        read(&text)
    }

    /// The body of a good answer.
    async fn exchange(self, method: Method, url: &str, body: Option<String>) -> Answer<String> {
        if method == Method::GET {
            return self.ask_for(method, url, body).await;
        }
        self.in_session(|| self.once(method.clone(), url, body.clone())).await
    }

    /// The body of a good answer to what changes nothing: while the server can't be reached it waits, and asks again.
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

    /// What comes of a deed; one that the server refused because the session is over is done again once the password was given.
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

    /// Sends a request this once.
    async fn once(self, method: Method, url: &str, body: Option<String>) -> Answer<String> {
        let heard = self.transmit(self.session.csrf_token(), method, url, body).await?;
        self.judge(heard)
    }

    /// An answer, good or bad. `token` is that of the session, where there is one.
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

    /// A good answer's body, or the refusal; notices the end of the session.
    fn judge(self, heard: Heard) -> Answer<String> {
        let status = heard.status;
        let answer = self.settle(heard);
        let is_over = match &answer {
            // A token of another session: somebody has logged in again in another tab.
            Err(ApiError::Problem(problem)) => status == 401 || problem.code == "csrf_failed",
            Err(_) => status == 401,
            Ok(_) => false,
        };
        if is_over && self.session.csrf_token().is_some() { Err(ApiError::Unauthorized) } else { answer }
    }

    /// A good answer's body, or the refusal.
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

/// An answer, good or bad.
struct Heard {
    status: u16,
    /// How many seconds the server wants to be left alone.
    wait: Option<u64>,
    body: String,
}

impl Heard {
    /// A good answer's body, or the refusal.
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

/// Whether the server answers.
pub async fn is_reachable() -> bool {
    let signal = AbortSignal::timeout_with_u32(REACHED_WITHIN);
    let answer = RequestBuilder::new("/healthz").abort_signal(Some(&signal)).send().await;
    answer.is_ok_and(|answer| !is_of_gateway(answer.status()))
}

/// Whether an answer comes from what stands before the server and doesn't reach it.
fn is_of_gateway(status: u16) -> bool {
    matches!(status, 502..=504)
}

/// A body as JSON text.
fn json(body: &impl Serialize) -> String {
    serde_json::to_string(body).expect("wire types are made of texts, numbers and lists")
}

/// What an answer says. From text: numbers over 2^53 don't pass through JavaScript's own.
fn read<T: DeserializeOwned>(text: &str) -> Answer<T> {
    serde_json::from_str(text).map_err(|_| ApiError::Unexpected { status: 200 })
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;
    use crate::language::{Language, speak};

    #[test]
    fn whoever_asks_too_often_is_told_how_long_to_wait() {
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
        assert_eq!(busy.advice(), "Der Server ist gerade ausgelastet. Versuchen Sie es gleich noch einmal.");
        assert_eq!(told(Some(40)).title(), "Zu viele Versuche");
        assert_eq!(told(Some(40)).advice(), "Versuchen Sie es in 40 Sekunden noch einmal.");
        assert_eq!(told(None).advice(), "Warten Sie eine Minute, und versuchen Sie es dann noch einmal.");
    }
}
