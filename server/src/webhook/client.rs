//! HTTP client for deliveries, with the address guard.

use std::sync::{Arc, OnceLock};
use std::time::Duration;

use http::header::{CONTENT_TYPE, HeaderValue};
use leadscribe_engine::api::{CallbackMethod, Timestamp};
use leadscribe_engine::diagnostic::{Location, Message, common, work};
use reqwest::{ClientBuilder, Method, StatusCode};

use super::address_guard::{AddressRefusal, Transport};
use super::callback_url::CallbackUrl;
use super::resolver::{GuardedResolver, NameLookup, SystemLookup};
use super::signature;
use crate::config::{CallbacksConfig, Networks};
use crate::http_client;

/// Maximum number of bytes read from a response and discarded, so that the endpoint can finish sending. Only the status matters.
const MAX_RESPONSE_BYTES: usize = 64 * 1024;

/// One attempt at a delivery.
#[derive(Clone, Copy, Debug)]
pub struct Request<'a> {
    /// Callback URL as stored. Checked again at every attempt.
    pub url: &'a str,
    /// HTTP method.
    pub method: CallbackMethod,
    /// JSON body.
    pub body: &'a [u8],
    /// Media type of the body.
    pub media_type: &'static str,
    /// Id by which the receiver recognizes repeated deliveries.
    pub message_id: &'a str,
    /// Signing secrets (`whsec_…`), one or more.
    pub secrets: &'a [String],
    /// Current time.
    pub at: Timestamp,
}

/// Consequence of an attempt for the delivery.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Disposition {
    /// The endpoint accepted the delivery.
    Delivered,
    /// Another attempt may succeed.
    Retry,
    /// The endpoint wants no further deliveries.
    Gone,
    /// No attempt can succeed.
    PermanentFailure,
}

/// Result of an attempt.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SendOutcome {
    /// Status of the response; `None` without a response.
    pub status: Option<u16>,
    /// Description of the failure in one line, without the URL and addresses.
    pub error: Option<Message>,
    /// Wait requested by the endpoint, at most one day.
    pub retry_after: Option<Duration>,
    /// Consequence for the delivery.
    pub disposition: Disposition,
}

impl SendOutcome {
    /// Creates the outcome of an attempt without a response.
    pub fn without_response(disposition: Disposition, error: Message) -> Self {
        Self { status: None, error: Some(error), retry_after: None, disposition }
    }
}

/// Sends deliveries. Connections aren't reused, so that every attempt resolves the name and checks its addresses.
#[derive(Debug)]
pub struct Client {
    allowed_networks: Arc<Networks>,
    deadline: Duration,
    lookup: Arc<dyn NameLookup>,
    configure_tls: fn(ClientBuilder) -> ClientBuilder,
    /// Created on first use, because that reads the machine's certificates, which may be missing.
    tls_client: OnceLock<reqwest::Client>,
    plain_client: OnceLock<reqwest::Client>,
}

impl Client {
    /// Creates a client with the name resolution and the trusted certificates of this machine.
    pub fn new(config: &CallbacksConfig) -> Self {
        Self::with_lookup(config, Arc::new(SystemLookup), |builder| builder)
    }

    pub(super) fn with_lookup(
        config: &CallbacksConfig,
        lookup: Arc<dyn NameLookup>,
        configure_tls: fn(ClientBuilder) -> ClientBuilder,
    ) -> Self {
        Self {
            allowed_networks: Arc::new(config.allowed_networks.clone()),
            deadline: Duration::from_secs(config.timeout_seconds),
            lookup,
            configure_tls,
            tls_client: OnceLock::new(),
            plain_client: OnceLock::new(),
        }
    }

    /// Makes one attempt. Takes at most the configured deadline.
    pub async fn send(&self, request: &Request<'_>) -> SendOutcome {
        let response = match self.attempt(request).await {
            Ok(response) => response,
            Err(outcome) => return outcome,
        };
        let status = response.status();
        let disposition = match status {
            StatusCode::GONE => Disposition::Gone,
            _ if status.is_success() => Disposition::Delivered,
            // Also retry client errors: the endpoint may be corrected within the days of retries. The specification
            // recommends this as well.
            _ => Disposition::Retry,
        };
        let retry_after = match disposition {
            Disposition::Retry => http_client::retry_after(response.headers(), request.at),
            Disposition::Delivered | Disposition::Gone | Disposition::PermanentFailure => None,
        };
        // An error in the rest of the response doesn't change its status.
        let _ = http_client::read_body(response, MAX_RESPONSE_BYTES).await;
        let status = status.as_u16();
        let error = match (disposition, status) {
            (Disposition::Delivered, _) => None,
            (_, 300..400) => Some(work::redirected(u32::from(status))),
            _ => Some(work::response_status(u32::from(status))),
        };
        SendOutcome { status: Some(status), error, retry_after, disposition }
    }

    /// Returns the response, or the outcome of an attempt without a response.
    async fn attempt(&self, request: &Request<'_>) -> Result<reqwest::Response, SendOutcome> {
        let permanent_failure = |error: &dyn std::error::Error| {
            let message = common::labeled(work::delivery_unprepared(), error.to_string());
            SendOutcome::without_response(Disposition::PermanentFailure, message)
        };
        // Checks literal addresses, for which the client wouldn't call its resolver.
        let target =
            CallbackUrl::parse(request.url, &self.allowed_networks, &Location::default()).map_err(|diagnostics| {
                refused_outcome(Message::join(
                    &diagnostics.into_iter().map(|diagnostic| diagnostic.message).collect::<Vec<_>>(),
                ))
            })?;
        let headers = signature::headers(request.message_id, request.at, request.body, request.secrets)
            .map_err(|error| permanent_failure(&error))?;
        let client = self.client_for(target.transport()).map_err(|error| self.error_outcome(error))?;
        let method = match request.method {
            CallbackMethod::Post => Method::POST,
            CallbackMethod::Put => Method::PUT,
        };
        let http_request = client.request(method, target.url().clone()).headers(headers);
        let http_request = http_request.header(CONTENT_TYPE, HeaderValue::from_static(request.media_type));
        http_request.body(request.body.to_vec()).send().await.map_err(|error| self.error_outcome(error))
    }

    fn client_for(&self, transport: Transport) -> reqwest::Result<&reqwest::Client> {
        let cell = match transport {
            Transport::Tls => &self.tls_client,
            Transport::Plain => &self.plain_client,
        };
        if let Some(client) = cell.get() {
            return Ok(client);
        }
        let (lookup, allowed_networks) = (Arc::clone(&self.lookup), Arc::clone(&self.allowed_networks));
        let builder = reqwest::Client::builder()
            .user_agent(http_client::USER_AGENT)
            .dns_resolver(GuardedResolver { lookup, allowed_networks, transport })
            .https_only(transport == Transport::Tls)
            .redirect(reqwest::redirect::Policy::none())
            .retry(reqwest::retry::never())
            .no_proxy()
            .pool_max_idle_per_host(0)
            .connect_timeout(http_client::CONNECT_TIMEOUT)
            .timeout(self.deadline);
        let client = match transport {
            Transport::Tls => (self.configure_tls)(builder).build()?,
            // Plain HTTP needs no certificates.
            Transport::Plain => builder.tls_certs_only([]).build()?,
        };
        Ok(cell.get_or_init(|| client))
    }

    fn error_outcome(&self, error: reqwest::Error) -> SendOutcome {
        match http_client::find_source::<AddressRefusal>(&error) {
            Some(refusal) => refused_outcome(work::endpoint_refused(refusal.message())),
            None => {
                SendOutcome::without_response(Disposition::Retry, http_client::describe_error(error, self.deadline))
            }
        }
    }
}

/// Returns the outcome of an attempt that the guard refused. A later attempt may be permitted: DNS records and options can
/// change.
fn refused_outcome(error: Message) -> SendOutcome {
    SendOutcome::without_response(Disposition::Retry, error)
}
