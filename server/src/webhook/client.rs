//! HTTP client for deliveries, with the address guard.

use std::sync::{Arc, OnceLock};
use std::time::Duration;

use http::header::{CONTENT_TYPE, HeaderValue};
use leadscribe_engine::api::{CallbackMethod, Timestamp};
use leadscribe_engine::diagnostic::{Message, Place, work};
use reqwest::{ClientBuilder, Method, StatusCode};

use super::guard::{Refusal, Transport};
use super::resolve::{GuardedResolver, Lookup, SystemLookup};
use super::sign;
use super::target::CallbackUrl;
use crate::config::{CallbacksConfig, Networks};
use crate::outgoing;

/// Maximum number of bytes read from a response and discarded, so that the endpoint can finish sending. Only the status matters.
const MAX_ANSWER_BYTES: usize = 64 * 1024;

/// One attempt at a delivery.
#[derive(Clone, Copy, Debug)]
pub struct Request<'a> {
    /// Callback URL as stored. Checked again at every attempt.
    pub url: &'a str,
    /// HTTP method.
    pub method: CallbackMethod,
    /// JSON body.
    pub body: &'a [u8],
    /// Id by which the receiver recognises repeated deliveries.
    pub message_id: &'a str,
    /// Signing secrets (`whsec_…`), one or more.
    pub secrets: &'a [String],
    /// Current time.
    pub at: Timestamp,
}

/// Consequence of an attempt for the delivery.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// The endpoint accepted the delivery.
    Delivered,
    /// Another attempt may succeed.
    Retry,
    /// The endpoint wants no further deliveries.
    Gone,
    /// No attempt can succeed.
    Never,
}

/// Result of an attempt.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Outcome {
    /// Status of the response; `None` without a response.
    pub status: Option<u16>,
    /// Description of the failure in one line, without the URL and addresses.
    pub error: Option<Message>,
    /// Wait requested by the endpoint, at most one day.
    pub retry_after: Option<Duration>,
    /// Consequence for the delivery.
    pub verdict: Verdict,
}

impl Outcome {
    fn without_answer(verdict: Verdict, error: Message) -> Self {
        Self { status: None, error: Some(error), retry_after: None, verdict }
    }
}

/// Sends deliveries. Connections aren't reused, so that every attempt resolves the name and checks its addresses.
#[derive(Debug)]
pub struct Client {
    allowed: Arc<Networks>,
    deadline: Duration,
    lookup: Arc<dyn Lookup>,
    trust: fn(ClientBuilder) -> ClientBuilder,
    /// Created on first use, because that reads the machine's certificates, which may be missing.
    tls: OnceLock<reqwest::Client>,
    plain: OnceLock<reqwest::Client>,
}

impl Client {
    /// Creates a client with the name resolution and the trusted certificates of this machine.
    pub fn new(config: &CallbacksConfig) -> Self {
        Self::with(config, Arc::new(SystemLookup), |builder| builder)
    }

    pub(super) fn with(
        config: &CallbacksConfig,
        lookup: Arc<dyn Lookup>,
        trust: fn(ClientBuilder) -> ClientBuilder,
    ) -> Self {
        Self {
            allowed: Arc::new(config.allowed_networks.clone()),
            deadline: Duration::from_secs(config.deadline_seconds),
            lookup,
            trust,
            tls: OnceLock::new(),
            plain: OnceLock::new(),
        }
    }

    /// Makes one attempt. Takes at most the configured deadline.
    pub async fn send(&self, request: &Request<'_>) -> Outcome {
        let answer = match self.attempt(request).await {
            Ok(answer) => answer,
            Err(outcome) => return outcome,
        };
        let status = answer.status();
        let verdict = match status {
            StatusCode::GONE => Verdict::Gone,
            _ if status.is_success() => Verdict::Delivered,
            // Also retry client errors: the endpoint may be corrected within the days of retries. The specification
            // recommends this as well.
            _ => Verdict::Retry,
        };
        let retry_after = match verdict {
            Verdict::Retry => outgoing::retry_after(answer.headers(), request.at),
            Verdict::Delivered | Verdict::Gone | Verdict::Never => None,
        };
        // An error in the rest of the response doesn't change its status.
        let _ = outgoing::body_up_to(answer, MAX_ANSWER_BYTES).await;
        let status = status.as_u16();
        let error = match (verdict, status) {
            (Verdict::Delivered, _) => None,
            (_, 300..400) => Some(work::redirected(u32::from(status))),
            _ => Some(work::answered(u32::from(status))),
        };
        Outcome { status: Some(status), error, retry_after, verdict }
    }

    /// Returns the response, or the outcome of an attempt without a response.
    async fn attempt(&self, request: &Request<'_>) -> Result<reqwest::Response, Outcome> {
        let never = |error: &dyn std::error::Error| Outcome::without_answer(Verdict::Never, error.to_string().into());
        // Checks literal addresses, for which the client wouldn't call its resolver.
        let target = CallbackUrl::parse(request.url, &self.allowed, &Place::default()).map_err(|faults| {
            refused(Message::join(&faults.into_iter().map(|fault| fault.message).collect::<Vec<_>>()))
        })?;
        let headers = sign::headers(request.message_id, request.at, request.body, request.secrets)
            .map_err(|error| never(&error))?;
        let client = self.client(target.transport()).map_err(|error| self.failed(error))?;
        let method = match request.method {
            CallbackMethod::Post => Method::POST,
            CallbackMethod::Put => Method::PUT,
        };
        let sent = client.request(method, target.url().clone()).headers(headers);
        let sent = sent.header(CONTENT_TYPE, HeaderValue::from_static("application/json"));
        sent.body(request.body.to_vec()).send().await.map_err(|error| self.failed(error))
    }

    fn client(&self, transport: Transport) -> reqwest::Result<&reqwest::Client> {
        let made = match transport {
            Transport::Tls => &self.tls,
            Transport::Plain => &self.plain,
        };
        if let Some(client) = made.get() {
            return Ok(client);
        }
        let (lookup, allowed) = (Arc::clone(&self.lookup), Arc::clone(&self.allowed));
        let builder = reqwest::Client::builder()
            .user_agent(outgoing::USER_AGENT)
            .dns_resolver(GuardedResolver { lookup, allowed, transport })
            .https_only(transport == Transport::Tls)
            .redirect(reqwest::redirect::Policy::none())
            .retry(reqwest::retry::never())
            .no_proxy()
            .pool_max_idle_per_host(0)
            .connect_timeout(outgoing::CONNECT)
            .timeout(self.deadline);
        let client = match transport {
            Transport::Tls => (self.trust)(builder).build()?,
            // Plain HTTP needs no certificates.
            Transport::Plain => builder.tls_certs_only([]).build()?,
        };
        Ok(made.get_or_init(|| client))
    }

    fn failed(&self, error: reqwest::Error) -> Outcome {
        match outgoing::cause::<Refusal>(&error) {
            Some(refusal) => refused(work::not_called(refusal.message())),
            None => Outcome::without_answer(Verdict::Retry, outgoing::failure(error, self.deadline)),
        }
    }
}

/// Returns the outcome of an attempt that the guard refused. A later attempt may be permitted: DNS records and options can
/// change.
fn refused(error: Message) -> Outcome {
    Outcome::without_answer(Verdict::Retry, error)
}
