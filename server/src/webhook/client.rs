//! Sends a delivery, once, to an endpoint that may be called.

use std::sync::{Arc, OnceLock};
use std::time::Duration;

use http::header::{CONTENT_TYPE, HeaderValue};
use leadscribe_engine::api::{CallbackMethod, Timestamp};
use leadscribe_engine::fault::Place;
use leadscribe_engine::message::work;
use reqwest::{ClientBuilder, Method, StatusCode};

use super::guard::{Refusal, Transport};
use super::resolve::{GuardedResolver, Lookup, SystemLookup};
use super::sign;
use super::target::CallbackUrl;
use crate::config::{CallbacksConfig, Networks};
use crate::outgoing;

/// So much of an answer's body is read, and thrown away: an endpoint that wrote it has then seen it taken. The status
/// alone counts.
const MAX_ANSWER_BYTES: usize = 64 * 1024;

/// One attempt at a delivery.
#[derive(Clone, Copy, Debug)]
pub struct Request<'a> {
    /// Where to, as it was given; judged again now.
    pub url: &'a str,
    /// The method.
    pub method: CallbackMethod,
    /// JSON.
    pub body: &'a [u8],
    /// By what the receiver knows the delivery again.
    pub message_id: &'a str,
    /// What signs it, `whsec_…`, one or more.
    pub secrets: &'a [String],
    /// Now.
    pub at: Timestamp,
}

/// What an outcome means for the delivery.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// The endpoint has taken it.
    Delivered,
    /// Another attempt may succeed.
    Retry,
    /// The endpoint wants nothing more.
    Gone,
    /// No attempt can succeed.
    Never,
}

/// What came of an attempt.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Outcome {
    /// Status of the answer; none where there was none.
    pub status: Option<u16>,
    /// Why it failed, in one line without the URL and without addresses.
    pub error: Option<String>,
    /// The wait that the endpoint asked for, at most a day.
    pub retry_after: Option<Duration>,
    /// What it means.
    pub verdict: Verdict,
}

impl Outcome {
    fn without_answer(verdict: Verdict, error: String) -> Self {
        Self { status: None, error: Some(error), retry_after: None, verdict }
    }
}

/// Sends deliveries. Its connections are used once, so that every attempt resolves the name and judges its addresses.
#[derive(Debug)]
pub struct Client {
    allowed: Arc<Networks>,
    deadline: Duration,
    lookup: Arc<dyn Lookup>,
    trust: fn(ClientBuilder) -> ClientBuilder,
    /// Made when first used: the certificates of the machine are read then, and may be missing.
    tls: OnceLock<reqwest::Client>,
    plain: OnceLock<reqwest::Client>,
}

impl Client {
    /// A client that resolves names and trusts certificates as this machine does.
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

    /// Makes one attempt. Takes as long as the configured deadline at most.
    pub async fn send(&self, request: &Request<'_>) -> Outcome {
        let answer = match self.attempt(request).await {
            Ok(answer) => answer,
            Err(outcome) => return outcome,
        };
        let status = answer.status();
        let verdict = match status {
            StatusCode::GONE => Verdict::Gone,
            _ if status.is_success() => Verdict::Delivered,
            // Also what calls the request wrong: whoever keeps the endpoint may correct it within the days of retries,
            // and the specification advises so.
            _ => Verdict::Retry,
        };
        let retry_after = match verdict {
            Verdict::Retry => outgoing::retry_after(answer.headers(), request.at),
            Verdict::Delivered | Verdict::Gone | Verdict::Never => None,
        };
        // Whatever happens to the rest of an answer doesn't change its status.
        let _ = outgoing::body_up_to(answer, MAX_ANSWER_BYTES).await;
        let status = status.as_u16();
        let error = match (verdict, status) {
            (Verdict::Delivered, _) => None,
            (_, 300..400) => Some(work::redirected(u32::from(status)).to_string()),
            _ => Some(work::answered(u32::from(status)).to_string()),
        };
        Outcome { status: Some(status), error, retry_after, verdict }
    }

    /// The answer, or what came instead of it.
    async fn attempt(&self, request: &Request<'_>) -> Result<reqwest::Response, Outcome> {
        let never = |error: String| Outcome::without_answer(Verdict::Never, error);
        // This judges an address in place of a name, for which the client wouldn't ask its resolver.
        let target = CallbackUrl::parse(request.url, &self.allowed, &Place::default()).map_err(|faults| {
            refused(&faults.into_iter().map(|fault| fault.detail.to_string()).collect::<Vec<_>>().join("; "))
        })?;
        let headers = sign::headers(request.message_id, request.at, request.body, request.secrets)
            .map_err(|error| never(error.to_string()))?;
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
            // It speaks no TLS and needs no certificates.
            Transport::Plain => builder.tls_certs_only([]).build()?,
        };
        Ok(made.get_or_init(|| client))
    }

    fn failed(&self, error: reqwest::Error) -> Outcome {
        match outgoing::cause::<Refusal>(&error) {
            Some(refusal) => refused(&work::not_called(refusal.to_string()).to_string()),
            None => Outcome::without_answer(Verdict::Retry, outgoing::failure(error, self.deadline)),
        }
    }
}

/// What may not be called now may be called later: names are pointed elsewhere, and options mended.
fn refused(error: &str) -> Outcome {
    Outcome::without_answer(Verdict::Retry, error.to_owned())
}
