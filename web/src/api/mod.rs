//! API client of the panel. All requests to the server are sent by this module.

mod connection;
mod endpoints;
mod error;
mod event_stream;
mod list_query;
mod records;
mod session;
mod upload;
pub mod user_activity;
mod versioned;

pub use connection::{Connection, use_connection};
pub use error::{ApiError, ProblemDocument, to_sentence};
pub use event_stream::{EventStream, use_event_stream};
pub use list_query::{
    AuditQuery, CallQuery, CampaignQuery, DeliveryQuery, EndpointQuery, ImportQuery, ListQuery, TranscriptQuery,
};
pub use records::{
    EXTENDED_DATA, ImportUpload, NamedLead, TranscriptState, export_url, recording_url, rejected_csv_url,
    transcript_url,
};
pub use session::{CurrentUser, Session, SessionState, use_session};
pub use versioned::VersionedResource;

use std::cell::Cell;
use std::future::Future;

use gloo_net::http::{Method, RequestBuilder};
use leadscribe_engine::api::Page;
use leptos::prelude::{Owner, expect_context};
use serde::Serialize;
use serde::de::DeserializeOwned;
use web_sys::AbortSignal;

/// Maximum number of retries after lost responses.
const MAX_RETRIES: u32 = 2;

/// Timeout of the health check, in milliseconds.
const HEALTH_CHECK_TIMEOUT_MS: u32 = 8_000;

thread_local! {
    static PENDING_REQUESTS: Cell<usize> = const { Cell::new(0) };
}

/// True while requests other than file uploads are pending.
pub fn has_pending_requests() -> bool {
    PENDING_REQUESTS.get() > 0
}

/// Counts a request as pending until it is dropped.
struct PendingRequest;

impl PendingRequest {
    fn start() -> Self {
        PENDING_REQUESTS.set(PENDING_REQUESTS.get() + 1);
        Self
    }
}

impl Drop for PendingRequest {
    fn drop(&mut self) {
        PENDING_REQUESTS.set(PENDING_REQUESTS.get() - 1);
    }
}

/// Response of the server, or the error.
pub type ApiResult<T> = Result<T, ApiError>;

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
    async fn get<T: DeserializeOwned>(self, url: &str) -> ApiResult<T> {
        self.send(Method::GET, url, None).await
    }

    /// Returns a whole list page by page, for short lists that are shown completely.
    async fn get_all<T: DeserializeOwned>(self, url: &str) -> ApiResult<Vec<T>> {
        let mut all_items = Vec::new();
        loop {
            let Page::<T> { items, total } = self.get(&format!("{url}?limit=1000;{}", all_items.len())).await?;
            let is_last = items.is_empty();
            all_items.extend(items);
            if is_last || all_items.len() as u64 >= total {
                return Ok(all_items);
            }
        }
    }

    pub async fn page<Q: ListQuery>(self, query: Q) -> ApiResult<Page<Q::Item>> {
        self.get(&query.url()).await
    }

    /// Like [`Api::get`], for resources that may be absent (204).
    async fn get_optional<T: DeserializeOwned>(self, url: &str) -> ApiResult<Option<T>> {
        match self.exchange(Method::GET, url, None).await? {
            text if text.is_empty() => Ok(None),
            text => parse_response(&text).map(Some),
        }
    }

    /// Sends a request. `body` is JSON text.
    async fn send<T: DeserializeOwned>(self, method: Method, url: &str, body: Option<String>) -> ApiResult<T> {
        let text = self.exchange(method, url, body).await?;
        parse_response(&text)
    }

    /// Like [`Api::send`], for requests that change nothing and may be repeated. `body` is JSON text.
    async fn send_read_only<T: DeserializeOwned>(self, method: Method, url: &str, body: String) -> ApiResult<T> {
        let text = self.exchange_read_only(method, url, Some(body)).await?;
        parse_response(&text)
    }

    /// Sends a request and returns the body of a successful response.
    async fn exchange(self, method: Method, url: &str, body: Option<String>) -> ApiResult<String> {
        if method == Method::GET {
            return self.exchange_read_only(method, url, body).await;
        }
        self.with_session_renewal(|| self.exchange_once(method.clone(), url, body.clone())).await
    }

    /// Sends a request that changes nothing and returns the body of a successful response. If the server can't be
    /// reached, waits until it can be and sends the request again, at most [`MAX_RETRIES`] times.
    async fn exchange_read_only(self, method: Method, url: &str, body: Option<String>) -> ApiResult<String> {
        let mut retries = 0;
        loop {
            match self.with_session_renewal(|| self.exchange_once(method.clone(), url, body.clone())).await {
                Err(ApiError::Offline) if retries < MAX_RETRIES => {
                    retries += 1;
                    self.connection.wait_until_reachable().await;
                }
                result => return result,
            }
        }
    }

    /// Runs `request`. If the server refused it because the session has ended, runs it again after the user has logged
    /// in.
    async fn with_session_renewal<T, F: Future<Output = ApiResult<T>>>(self, request: impl Fn() -> F) -> ApiResult<T> {
        loop {
            let Some(session) = self.session.current() else { return request().await };
            match request().await {
                Err(ApiError::Unauthorized) => {
                    if !self.session.wait_for_renewal(&session).await {
                        return Err(ApiError::Unauthorized);
                    }
                }
                result => return result,
            }
        }
    }

    /// Sends a request once.
    async fn exchange_once(self, method: Method, url: &str, body: Option<String>) -> ApiResult<String> {
        let response = self.transmit(self.session.csrf_token(), method, url, body).await?;
        self.check_session(response)
    }

    /// Sends a request and returns the response, successful or not. `token` is the session's CSRF token, if there is a
    /// session.
    async fn transmit(
        self,
        token: Option<String>,
        method: Method,
        url: &str,
        body: Option<String>,
    ) -> ApiResult<RawResponse> {
        let mut request = RequestBuilder::new(url).header("Accept", "application/json");
        if method != Method::GET
            && let Some(token) = token
        {
            request = request.header("X-CSRF-Token", &token);
        }
        if user_activity::is_user_idle() {
            request = request.header("X-Background-Request", "true");
        }
        let request = request.method(method);
        let request = match body {
            Some(json) => request.header("Content-Type", "application/json").body(json),
            None => request.build(),
        };
        let to_offline = |_| {
            self.connection.report_lost();
            ApiError::Offline
        };
        let _pending = PendingRequest::start();
        let response = request.map_err(to_offline)?.send().await.map_err(to_offline)?;
        let body = response.text().await.map_err(to_offline)?;
        let retry_after = response.headers().get("Retry-After").and_then(|seconds| seconds.parse().ok());
        Ok(RawResponse { status: response.status(), retry_after, body })
    }

    /// Returns the body of a successful response, or the error. Detects the end of the session.
    fn check_session(self, response: RawResponse) -> ApiResult<String> {
        let status = response.status;
        let result = self.check_connection(response);
        let is_session_over = match &result {
            // Token of another session: the user has logged in again in another tab.
            Err(ApiError::Problem(problem)) => status == 401 || problem.code == "csrf_failed",
            Err(_) => status == 401,
            Ok(_) => false,
        };
        if is_session_over && self.session.csrf_token().is_some() { Err(ApiError::Unauthorized) } else { result }
    }

    /// Returns the body of a successful response, or the error. Updates the connection state.
    fn check_connection(self, response: RawResponse) -> ApiResult<String> {
        let result = response.into_result();
        match &result {
            Ok(_) | Err(ApiError::Problem(_) | ApiError::RetryLater { .. }) => self.connection.report_reachable(),
            Err(ApiError::Offline) => self.connection.report_lost(),
            Err(_) => {}
        }
        result
    }
}

/// A response, successful or not.
struct RawResponse {
    status: u16,
    /// Retry delay in seconds that the server asked for.
    retry_after: Option<u64>,
    body: String,
}

impl RawResponse {
    /// Returns the body of a successful response, or the error.
    fn into_result(self) -> ApiResult<String> {
        let Self { status, retry_after, body } = self;
        if (200..300).contains(&status) {
            return Ok(body);
        }
        Err(match (ProblemDocument::parse(&body), retry_after) {
            (Some(problem), Some(seconds)) if matches!(status, 429 | 503) => {
                ApiError::RetryLater { problem: Box::new(problem), seconds }
            }
            (Some(problem), _) => ApiError::Problem(Box::new(problem)),
            (None, _) if is_gateway_error(status) => ApiError::Offline,
            (None, _) => ApiError::Unexpected { status },
        })
    }
}

/// True if the server answers.
pub async fn is_reachable() -> bool {
    let signal = AbortSignal::timeout_with_u32(HEALTH_CHECK_TIMEOUT_MS);
    let response = RequestBuilder::new("/healthz").abort_signal(Some(&signal)).send().await;
    response.is_ok_and(|response| !is_gateway_error(response.status()))
}

/// True if a gateway answered because it can't reach the server.
fn is_gateway_error(status: u16) -> bool {
    matches!(status, 502..=504)
}

/// Serializes a request body.
fn to_json(body: &impl Serialize) -> String {
    serde_json::to_string(body).expect("wire types always serialize")
}

/// Parses a response from text, because JavaScript numbers are exact only up to 2^53.
fn parse_response<T: DeserializeOwned>(text: &str) -> ApiResult<T> {
    serde_json::from_str(text).map_err(|_| ApiError::Unexpected { status: 200 })
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use crate::api::*;
    use crate::i18n::locale::{Language, set_language};

    #[test]
    fn rate_limit_error_contains_the_retry_delay() {
        let body = r#"{"type":"x","title":"Too many attempts","status":429,"code":"too_many_requests","detail":"x"}"#;
        let response = |retry_after| RawResponse { status: 429, retry_after, body: body.to_owned() };
        let error = |retry_after| response(retry_after).into_result().unwrap_err();
        assert_eq!(error(Some(40)).advice(), "Try again in 40 seconds.");
        assert_eq!(error(Some(1)).advice(), "Try again in 1 second.");
        assert_eq!(error(Some(1)).status(), Some(429));
        let busy = r#"{"type":"x","title":"Overloaded","status":503,"code":"overloaded","detail":"try again"}"#;
        let busy = RawResponse { status: 503, retry_after: Some(2), body: busy.to_owned() }.into_result().unwrap_err();
        assert_eq!((busy.advice(), busy.retry_delay()), ("Try again.".to_owned(), Some(Duration::from_secs(2))));
        set_language(Language::German);
        assert_eq!(busy.advice(), "Der Server ist gerade ausgelastet. Versuchen Sie es gleich erneut.");
        assert_eq!(error(Some(40)).title(), "Zu viele Versuche");
        assert_eq!(error(Some(40)).advice(), "Versuchen Sie es in 40 Sekunden erneut.");
        assert_eq!(error(None).advice(), "Versuchen Sie es in einer Minute erneut.");
    }
}
