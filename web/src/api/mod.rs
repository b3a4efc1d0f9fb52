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
mod overview;
mod reference;
mod session;
mod speech;
mod statuses;
mod transcripts;
mod views;

pub use audit::AuditQuery;
pub use calls::{CallQuery, recording_url};
pub use campaigns::CampaignQuery;
pub use deliveries::DeliveryQuery;
pub use error::{ApiError, sentence};
pub use events::Events;
pub use imports::{Upload, rejected_csv_url};
pub use leads::{EXTENDED_DATA, export_url};
pub use reference::{DOCUMENT, Reply, Sender, Stopper};
pub use transcripts::{Reading, TranscriptQuery, transcript_url};

use gloo_net::http::{Method, RequestBuilder};
use leadscribe_engine::api::Problem;
use leptos::prelude::{Owner, expect_context};
use serde::Serialize;
use serde::de::DeserializeOwned;

use crate::session::Session;

/// What comes back, or why nothing does.
pub type Answer<T> = Result<T, ApiError>;

/// The server, for the one who is logged in; a handle that can be copied anywhere.
#[derive(Clone, Copy)]
pub struct Api {
    session: Session,
}

/// The server, inside the panel's tree of components.
pub fn use_api() -> Api {
    debug_assert!(Owner::current().is_some(), "use_api belongs in the body of a component");
    Api { session: expect_context() }
}

impl Api {
    async fn get<T: DeserializeOwned>(self, url: &str) -> Answer<T> {
        self.send(Method::GET, url, None).await
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

    /// The body of a good answer.
    async fn exchange(self, method: Method, url: &str, body: Option<String>) -> Answer<String> {
        let mut request = RequestBuilder::new(url).header("Accept", "application/json");
        if method != Method::GET
            && let Some(token) = self.session.csrf_token()
        {
            request = request.header("X-CSRF-Token", &token);
        }
        let request = request.method(method);
        let request = match body {
            Some(json) => request.header("Content-Type", "application/json").body(json),
            None => request.build(),
        };
        let response = request.map_err(|_| ApiError::Offline)?.send().await.map_err(|_| ApiError::Offline)?;
        let status = response.status();
        let text = response.text().await.map_err(|_| ApiError::Offline)?;
        self.judge(status, text)
    }

    /// A good answer's body, or the refusal; notices the end of the session.
    fn judge(self, status: u16, body: String) -> Answer<String> {
        if (200..300).contains(&status) {
            return Ok(body);
        }
        let refusal = serde_json::from_str::<Problem>(&body);
        if status == 401 && self.session.csrf_token().is_some() {
            self.session.end();
            return Err(ApiError::Unauthorized);
        }
        Err(refusal.map_or(ApiError::Unexpected { status }, |problem| ApiError::Problem(Box::new(problem))))
    }
}

/// A body as JSON text.
fn json(body: &impl Serialize) -> String {
    serde_json::to_string(body).expect("wire types are made of texts, numbers and lists")
}

/// What an answer says. From text: numbers over 2^53 don't pass through JavaScript's own.
fn read<T: DeserializeOwned>(text: &str) -> Answer<T> {
    serde_json::from_str(text).map_err(|_| ApiError::Unexpected { status: 200 })
}
