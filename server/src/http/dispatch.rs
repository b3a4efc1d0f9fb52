//! Request dispatch, from routing to response: route lookup, authorisation, handler and metrics.
//!
//! All errors end here: causes are logged once, panics are caught, and the common headers are added.

use std::net::IpAddr;
use std::panic::AssertUnwindSafe;
use std::sync::Arc;
use std::time::Duration;

use bytes::Bytes;
use futures::FutureExt;
use http::{HeaderMap, HeaderValue, Method, StatusCode, header};
use tokio::time::Instant;
use tokio_util::sync::CancellationToken;
use tracing::Instrument;

use super::answers::Answers;
use super::auth::Access;
use super::body::Body;
use super::problem::{Code, Refusal};
use super::reply::Response;
use super::request::{Params, Request};
use super::routes::Route;
use super::slots::{Slot, Slots};
use super::table::{Found, Table};
use super::{auth, headers, panel, query};
use crate::app::App;
use crate::config::Watch;
use crate::storage::StoreError;
use crate::telemetry::{self, causes, metrics};

/// Maximum length of a request target, in bytes. Allows a path-segment filter with a few hundred values.
pub(super) const MAX_TARGET: usize = 16_384;

/// All supported methods, for `Allow`.
pub(super) const ALL_METHODS: &str = "GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS";

/// Path prefix of the API. Apart from the server's own paths, everything else belongs to the panel.
const API: &str = "/api";

/// A request as received from the transport.
#[derive(Debug)]
pub struct Incoming {
    /// Request method.
    pub method: Method,
    /// Path, percent-encoded.
    pub path: String,
    /// Query, percent-encoded; may be empty.
    pub query: String,
    /// Request headers.
    pub headers: HeaderMap,
    /// Client address; `None` if the transport has none.
    pub address: Option<IpAddr>,
    /// Body, unread.
    pub body: Body,
    /// Closes the connection when cancelled.
    pub cut: CancellationToken,
}

/// Handles requests.
pub struct Dispatcher {
    app: Arc<App>,
    table: Table,
    slots: Slots,
    answers: Answers,
    has_panel: bool,
    /// True if metrics are public.
    opens_metrics: bool,
}

impl Dispatcher {
    /// Creates a dispatcher for the operations of `table`.
    pub fn new(app: Arc<App>, table: Table) -> Self {
        let http = &app.config.http;
        let slots = Slots::new(http.max_requests, app.config.limits.max_json_bytes);
        let answers = Answers::new(http.max_answer_bytes, http.max_requests);
        // With a separate address for metrics, they are not public on the main one.
        let opens_metrics = http.metrics_public && http.metrics_listen == Watch(None);
        Self { app, table, slots, answers, has_panel: true, opens_metrics }
    }

    /// Returns a dispatcher for the metrics address, which serves only the operations of the table and no panel.
    #[must_use]
    pub fn for_watching(self) -> Self {
        let opens_metrics = self.app.config.http.metrics_public;
        Self { has_panel: false, opens_metrics, ..self }
    }

    /// Returns the application state that handlers use.
    pub fn app(&self) -> &Arc<App> {
        &self.app
    }

    /// Handles a request. Never fails and never panics.
    pub async fn respond(&self, incoming: Incoming) -> Response {
        let started = Instant::now();
        let id = request_id(&incoming.headers);
        let method = incoming.method.clone();
        let is_api = is_api(&incoming.path);
        let running = metrics::running();
        let path = incoming.path.clone();
        let cut = incoming.cut.clone();
        let (mut rest, is_expected) = (incoming.body.rest(), incoming.headers.contains_key(header::EXPECT));
        let found = self.table.find(&path);
        // The path itself must not be logged: it may contain a phone number.
        let route = found.as_ref().map_or(if is_api { "unknown" } else { "panel" }, Found::template).to_owned();
        let span = tracing::info_span!("request", request_id = %id, method = telemetry::method(&method), route);

        let answering = AssertUnwindSafe(self.answer(&id, found, incoming)).catch_unwind();
        let answer = answering.instrument(span.clone()).await.unwrap_or_else(|_| Err(Refusal::internal("a panic")));
        let mut response = match answer {
            Ok(response) => response,
            Err(refusal) => {
                span.in_scope(|| self.log_cause(&refusal));
                // A problem document can be large: it may list a hundred faults.
                let told = self.answers.make_room(refusal.into_response(&id), cut).await;
                told.unwrap_or_else(|no_room| no_room.into_response(&id))
            }
        };
        if !rest.is_read_to_its_end(is_expected).await {
            // hyper closes a connection with an unread body without announcing it.
            response.headers_mut().insert(header::CONNECTION, HeaderValue::from_static("close"));
        }
        headers::complete(&mut response, &id, is_api || route != "panel", self.app.config.http.is_over_tls());
        if method == Method::HEAD {
            without_body(&mut response);
        }
        drop(running);
        let (status, took) = (response.status().as_u16(), started.elapsed());
        // Time spent waiting for a slow client says nothing about the server.
        metrics::request(&method, &route, status, took.saturating_sub(rest.waited()));
        let milliseconds = took.as_secs_f64() * 1000.0;
        span.in_scope(|| tracing::info!(status, duration_ms = (milliseconds * 100.0).round() / 100.0, "answered"));
        response
    }

    /// Answers a request whose head is invalid, so that it has no route.
    pub fn refuse(&self, method: &Method, refusal: Refusal) -> Response {
        let (id, code) = (new_request_id(), refusal.code().as_str());
        let mut response = refusal.into_response(&id);
        headers::complete(&mut response, &id, true, self.app.config.http.is_over_tls());
        if method == Method::HEAD {
            without_body(&mut response);
        }
        let status = response.status().as_u16();
        metrics::request(method, "refused", status, Duration::ZERO);
        tracing::info!(request_id = %id, status, code, "request head rejected");
        response
    }

    /// Logs the cause of a server error. An unavailable store is logged once, not for each request.
    fn log_cause(&self, refusal: &Refusal) {
        let Some(cause) = refusal.cause() else { return };
        match cause.downcast_ref::<StoreError>() {
            Some(error @ (StoreError::Unavailable(_) | StoreError::CommitUnknown(_))) => self.app.outage.refused(error),
            _ => tracing::error!(code = refusal.code().as_str(), cause = causes(cause), "request failed"),
        }
    }

    async fn answer(&self, id: &str, found: Option<Found<'_, '_>>, incoming: Incoming) -> Result<Response, Refusal> {
        if incoming.path.len() + incoming.query.len() > MAX_TARGET {
            return Err(Refusal::new(Code::UriTooLong, format!("the target is longer than {MAX_TARGET} bytes")));
        }
        if incoming.method == Method::OPTIONS && incoming.path == "*" {
            return Ok(options(ALL_METHODS));
        }
        let Some(found) = found else {
            if is_api(&incoming.path) {
                return Err(Refusal::new(
                    Code::NotFound,
                    "there is no such path; GET /api/openapi.json lists all paths",
                ));
            }
            if !self.has_panel {
                return Err(Refusal::new(
                    Code::NotFound,
                    "only /healthz, /readyz and /metrics are available on this address",
                ));
            }
            return panel::serve(&incoming.method, &incoming.path, &incoming.headers);
        };
        if incoming.method == Method::OPTIONS {
            return Ok(options(&found.allow()));
        }
        let method = if incoming.method == Method::HEAD { &Method::GET } else { &incoming.method };
        let route = found.route(method).ok_or_else(|| method_not_allowed(method, &found.allow()))?;
        let slot = if route.takes_slot { self.slots.take_for(route.may_write)? } else { Slot::default() };
        let access = if self.opens_metrics && route.access == Access::Metrics { Access::Public } else { route.access };
        let identity = auth::authorise(&self.app, access, &incoming.method, &incoming.headers).await?;
        slot.belongs_to(identity.actor())?;
        let query = decoded_query(route, &incoming.query)?;
        let params = decoded_params(&found)?;
        let Incoming { method, headers, address, body, cut, .. } = incoming;
        let is_head = method == Method::HEAD;
        let id = id.to_owned();
        let with_plus = query.with_plus().to_vec();
        let request = Request { id, is_head, identity, address, params, query, headers, body, slot: slot.clone() };
        let answer = (route.handler)(self.app.clone(), request).await;
        let answer = answer.map_err(|refusal| refusal.with_plus_suggestion(&with_plus))?;
        let answer = if route.takes_slot { self.answers.make_room(answer, cut).await? } else { answer };
        drop(slot);
        Ok(answer)
    }
}

/// True if a path belongs to the API.
fn is_api(path: &str) -> bool {
    path.strip_prefix(API).is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
}

/// Returns the client's request id, or a new one. The id goes to the logs, so it is accepted only in the form of an id: no secret, name or
/// phone number has that form.
fn request_id(headers: &HeaderMap) -> String {
    let given = headers.get(headers::REQUEST_ID).and_then(|id| id.to_str().ok()).filter(|id| is_request_id(id));
    given.map_or_else(new_request_id, str::to_owned)
}

/// True for a UUID, with or without hyphens, and for ids that this server makes.
fn is_request_id(id: &str) -> bool {
    let is_hex = id.bytes().all(|byte| byte == b'-' || byte.is_ascii_hexdigit());
    let lengths: Vec<_> = id.split('-').map(str::len).take(6).collect();
    is_hex && matches!(lengths[..], [24] | [32] | [8, 4, 4, 4, 12])
}

fn new_request_id() -> String {
    format!("{:024x}", rand::random::<u128>() >> 32)
}

fn decoded_query(route: &Route, raw: &str) -> Result<query::Query, Refusal> {
    let query = query::Query::parse(raw)?;
    if let Some(known) = &route.query {
        query.only(&known.iter().map(String::as_str).collect::<Vec<_>>())?;
    }
    Ok(query)
}

fn decoded_params(found: &Found<'_, '_>) -> Result<Params, Refusal> {
    let takes_rest = found.template().contains("{*");
    let mut params = Vec::new();
    for (name, value) in found.params() {
        // A rest-of-path parameter is decoded by its handler after splitting, because a value may contain a slash.
        let rest = takes_rest && found.template().contains(&format!("{{*{name}}}"));
        params.push((name.to_owned(), if rest { value.to_owned() } else { query::decode(value, "path")? }));
    }
    Ok(Params::new(params))
}

fn options(allow: &str) -> Response {
    let mut response = Response::default();
    *response.status_mut() = StatusCode::NO_CONTENT;
    response.headers_mut().insert(header::ALLOW, allow_value(allow));
    response
}

/// Returns 405 with the methods that the path supports.
pub(super) fn method_not_allowed(method: &Method, allow: &str) -> Refusal {
    let detail = format!("expected one of {allow}, found {method}");
    Refusal::new(Code::MethodNotAllowed, detail).with_header(header::ALLOW, allow_value(allow))
}

fn allow_value(allow: &str) -> HeaderValue {
    HeaderValue::try_from(allow).expect("names of methods are ASCII")
}

/// Turns a response into one for `HEAD`: the length of the body, but no body.
fn without_body(response: &mut Response) {
    let length = hyper::body::Body::size_hint(response.body()).exact();
    *response.body_mut() = Bytes::new().into();
    if let Some(length) = length {
        response.headers_mut().entry(header::CONTENT_LENGTH).or_insert(length.into());
    }
}
