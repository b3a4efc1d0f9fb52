//! Request dispatch, from routing to response: route lookup, authorization, handler and metrics.
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

use super::auth::Access;
use super::body::Body;
use super::compression::{self, ContentCoding};
use super::cors::CorsRequest;
use super::identity::Identity;
use super::problem::{Code, Problem};
use super::reply::{self, Response};
use super::request::{Params, Request};
use super::response_budget::ResponseBudget;
use super::route_table::{RouteMatch, RouteTable};
use super::routes::Route;
use super::slots::{Slot, Slots};
use super::{auth, headers, idempotency, panel, query};
use crate::concurrency_limit::run_for_credential;
use crate::config::MetricsAddress;
use crate::service::app::App;
use crate::service::error::ServiceError;
use crate::storage::StoreError;
use crate::telemetry::{self, error_chain, metrics};

/// Maximum length of a request target, in bytes. Allows a path-segment filter with a few hundred values.
pub(super) const MAX_TARGET_BYTES: usize = 16_384;

/// All supported methods, for `Allow`.
pub(super) const ALL_METHODS: &str = "GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS";

/// Path prefix of the API. Apart from the server's own paths, everything else belongs to the panel.
const API_PREFIX: &str = "/api";

/// A request as received from the transport.
#[derive(Debug)]
pub struct IncomingRequest {
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
    pub disconnect_token: CancellationToken,
}

/// Handles requests.
pub struct Dispatcher {
    app: Arc<App>,
    table: RouteTable,
    slots: Slots,
    response_budget: ResponseBudget,
    has_panel: bool,
    is_metrics_public: bool,
}

impl Dispatcher {
    /// Creates a dispatcher for the operations of `table`.
    pub fn new(app: Arc<App>, table: RouteTable) -> Self {
        let http = &app.config.http;
        let slots = Slots::new(http.max_requests, app.config.limits.max_json_bytes);
        let response_budget = ResponseBudget::new(http.max_pending_response_bytes, http.max_requests);
        // With a separate address for metrics, they are not public on the main one.
        let is_metrics_public = http.metrics_public && http.metrics_listen == MetricsAddress(None);
        Self { app, table, slots, response_budget, has_panel: true, is_metrics_public }
    }

    /// Returns a dispatcher for the metrics address, which serves only the operations of the table and no panel.
    #[must_use]
    pub fn for_metrics_listener(self) -> Self {
        let is_metrics_public = self.app.config.http.metrics_public;
        Self { has_panel: false, is_metrics_public, ..self }
    }

    /// Returns the application state that handlers use.
    pub fn app(&self) -> &Arc<App> {
        &self.app
    }

    /// Handles a request. Never fails and never panics.
    pub async fn respond(&self, incoming: IncomingRequest) -> Response {
        let started = Instant::now();
        let id = request_id(&incoming.headers);
        let method = incoming.method.clone();
        let is_api_request = is_api(&incoming.path);
        let running_metric = metrics::count_running_request();
        let path = incoming.path.clone();
        let disconnect_token = incoming.disconnect_token.clone();
        let cors_origins = &self.app.config.http.cors_origins;
        let cors_request =
            if is_api_request { CorsRequest::new(cors_origins, &method, &incoming.headers) } else { None };
        let coding = compression::negotiate(&incoming.headers, &ContentCoding::ALL);
        let (mut unread_body, expects_continue) =
            (incoming.body.unread(), incoming.headers.contains_key(header::EXPECT));
        let route_match = self.table.find(&path);
        // The path itself must not be logged: it may contain a phone number.
        let route = route_match
            .as_ref()
            .map_or(if is_api_request { "unknown" } else { "panel" }, RouteMatch::template)
            .to_owned();
        let span = tracing::info_span!("request", request_id = %id, method = telemetry::known_method(&method), route);

        let handling = AssertUnwindSafe(self.handle(&id, route_match, coding, incoming)).catch_unwind();
        let result = handling.instrument(span.clone()).await.unwrap_or_else(|_| Err(Problem::internal("a panic")));
        let mut response = match result {
            Ok(response) => response,
            Err(problem) => {
                span.in_scope(|| self.log_cause(&problem));
                // A problem document can be large: it may list a hundred errors.
                let response = compression::compress(problem.into_response(&id), coding).await;
                let reserved = self.response_budget.reserve(response, disconnect_token).await;
                reserved.unwrap_or_else(|overloaded| overloaded.into_response(&id))
            }
        };
        if !unread_body.try_discard(expects_continue).await {
            // hyper closes a connection with an unread body, but doesn't announce that in a header.
            response.headers_mut().insert(header::CONNECTION, HeaderValue::from_static("close"));
        }
        headers::add_common_headers(
            &mut response,
            &id,
            is_api_request || route != "panel",
            self.app.config.http.is_over_tls(),
        );
        if let Some(cors_request) = cors_request {
            cors_request.add_headers(&mut response);
        }
        if method == Method::HEAD {
            remove_body(&mut response);
        }
        drop(running_metric);
        let (status, elapsed) = (response.status().as_u16(), started.elapsed());
        // Time spent waiting for a slow client says nothing about the server.
        metrics::record_request(&method, &route, status, elapsed.saturating_sub(unread_body.wait_time()));
        let milliseconds = elapsed.as_secs_f64() * 1000.0;
        span.in_scope(|| {
            tracing::info!(status, duration_ms = (milliseconds * 100.0).round() / 100.0, "request served")
        });
        response
    }

    /// Responds to a request whose head is invalid, so that it has no route.
    pub fn respond_to_invalid_head(&self, method: &Method, problem: Problem) -> Response {
        let (id, code) = (new_request_id(), problem.code().as_str());
        let mut response = problem.into_response(&id);
        headers::add_common_headers(&mut response, &id, true, self.app.config.http.is_over_tls());
        if method == Method::HEAD {
            remove_body(&mut response);
        }
        let status = response.status().as_u16();
        metrics::record_request(method, "invalid_head", status, Duration::ZERO);
        tracing::info!(request_id = %id, status, code, "request head rejected");
        response
    }

    /// Returns a redirect to the path without its trailing slash, if there is such a path.
    fn redirect_without_slash(&self, incoming: &IncomingRequest) -> Option<Response> {
        let path = incoming.path.strip_suffix('/')?.trim_end_matches('/');
        self.table.find(path)?;
        let location = if incoming.query.is_empty() { path.to_owned() } else { format!("{path}?{}", incoming.query) };
        let mut response = reply::with_status(StatusCode::PERMANENT_REDIRECT, Response::default());
        response.headers_mut().insert(header::LOCATION, HeaderValue::try_from(location).ok()?);
        Some(response)
    }

    /// Logs the cause of a server error. An unavailable store is logged once, not for each request.
    fn log_cause(&self, problem: &Problem) {
        let Some(cause) = problem.cause() else { return };
        match cause.downcast_ref::<StoreError>() {
            Some(error @ (StoreError::Unavailable(_) | StoreError::CommitUnknown(_))) => {
                self.app.outage.record_refusal(error)
            }
            _ => tracing::error!(code = problem.code().as_str(), cause = error_chain(cause), "request failed"),
        }
    }

    async fn handle(
        &self,
        id: &str,
        route_match: Option<RouteMatch<'_, '_>>,
        coding: Option<ContentCoding>,
        incoming: IncomingRequest,
    ) -> Result<Response, Problem> {
        if incoming.path.len() + incoming.query.len() > MAX_TARGET_BYTES {
            return Err(Problem::new(Code::UriTooLong, format!("the target is longer than {MAX_TARGET_BYTES} bytes")));
        }
        if incoming.method == Method::OPTIONS && incoming.path == "*" {
            return Ok(options_response(ALL_METHODS));
        }
        let Some(route_match) = route_match else {
            if let Some(redirect) = self.redirect_without_slash(&incoming) {
                return Ok(redirect);
            }
            if is_api(&incoming.path) {
                return Err(Problem::new(
                    Code::NotFound,
                    "there is no such path; GET /api/openapi.json lists all paths",
                ));
            }
            if !self.has_panel {
                return Err(Problem::new(
                    Code::NotFound,
                    "only /healthz, /readyz and /metrics are available on this address",
                ));
            }
            return panel::serve(&incoming.method, &incoming.path, &incoming.headers);
        };
        if incoming.method == Method::OPTIONS {
            return Ok(options_response(&route_match.allowed_methods()));
        }
        let method = if incoming.method == Method::HEAD { &Method::GET } else { &incoming.method };
        let route =
            route_match.route(method).ok_or_else(|| method_not_allowed(method, &route_match.allowed_methods()))?;
        let slot = if route.needs_slot { self.slots.try_acquire(route.may_write)? } else { Slot::default() };
        let access =
            if self.is_metrics_public && route.access == Access::Metrics { Access::Public } else { route.access };
        let identity = auth::authorize(&self.app, access, &incoming.method, &incoming.headers).await?;
        let credential: Arc<str> = identity.actor().into();
        slot.assign_credential(credential.clone())?;
        let query = parse_query(route, &incoming.query)?;
        let params = decode_params(&route_match)?;
        let target = format!("{} {}?{}\n", incoming.method, incoming.path, incoming.query);
        let idempotency = match route.is_creating {
            true => idempotency::parse(&incoming.headers, identity.actor(), &target)?,
            false => None,
        };
        let _guard = match &idempotency {
            // The owner of the key is the token in the body, which isn't known yet.
            Some(_) if matches!(identity, Identity::Anonymous) => None,
            Some(key) => {
                let in_flight = self.app.keyed_requests.try_acquire((key.owner.clone(), key.key.clone()));
                Some(in_flight.ok_or(ServiceError::RequestInProgress)?)
            }
            None => None,
        };
        let IncomingRequest { method, headers, address, body, disconnect_token, .. } = incoming;
        let is_head = method == Method::HEAD;
        let id = id.to_owned();
        let names_with_plus = query.names_with_plus().to_vec();
        let key = idempotency.clone();
        let request =
            Request { id, is_head, identity, address, params, query, headers, body, slot: slot.clone(), idempotency };
        let response = run_for_credential(credential, (route.handler)(self.app.clone(), request)).await;
        let mut response = response.map_err(|problem| problem.with_plus_suggestion(&names_with_plus))?;
        if key.is_some_and(|key| key.is_replayed()) {
            idempotency::mark_replayed(&mut response);
        }
        let response = if route.returns_secret { response } else { compression::compress(response, coding).await };
        let response =
            if route.needs_slot { self.response_budget.reserve(response, disconnect_token).await? } else { response };
        drop(slot);
        Ok(response)
    }
}

/// True if a path belongs to the API.
fn is_api(path: &str) -> bool {
    path.strip_prefix(API_PREFIX).is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
}

/// Returns the client's request id, or a new one. The id goes to the logs, so it is accepted only in the form of an id: no secret, name or
/// phone number has that form.
fn request_id(headers: &HeaderMap) -> String {
    let sent_id = headers.get(headers::REQUEST_ID).and_then(|id| id.to_str().ok()).filter(|id| is_request_id(id));
    sent_id.map_or_else(new_request_id, str::to_owned)
}

/// True for a UUID, with or without hyphens, and for ids that this server generates.
fn is_request_id(id: &str) -> bool {
    let is_hex = id.bytes().all(|byte| byte == b'-' || byte.is_ascii_hexdigit());
    let lengths: Vec<_> = id.split('-').map(str::len).take(6).collect();
    is_hex && matches!(lengths[..], [24] | [32] | [8, 4, 4, 4, 12])
}

fn new_request_id() -> String {
    format!("{:024x}", rand::random::<u128>() >> 32)
}

fn parse_query(route: &Route, raw: &str) -> Result<query::Query, Problem> {
    let query = query::Query::parse(raw)?;
    if let Some(permitted) = &route.query_names {
        query.ensure_known(&permitted.iter().map(String::as_str).collect::<Vec<_>>())?;
    }
    Ok(query)
}

fn decode_params(route_match: &RouteMatch<'_, '_>) -> Result<Params, Problem> {
    let has_rest_parameter = route_match.template().contains("{*");
    let mut params = Vec::new();
    for (name, value) in route_match.params() {
        // A rest-of-path parameter is decoded by its handler after splitting, because a value may contain a slash.
        let is_rest = has_rest_parameter && route_match.template().contains(&format!("{{*{name}}}"));
        params.push((name.to_owned(), if is_rest { value.to_owned() } else { query::percent_decode(value, "path")? }));
    }
    Ok(Params::new(params))
}

fn options_response(allow: &str) -> Response {
    let mut response = Response::default();
    *response.status_mut() = StatusCode::NO_CONTENT;
    response.headers_mut().insert(header::ALLOW, allow_value(allow));
    response
}

/// Returns 405 with the methods that the path supports.
pub(super) fn method_not_allowed(method: &Method, allow: &str) -> Problem {
    let detail = format!("expected one of {allow}, found {method}");
    Problem::new(Code::MethodNotAllowed, detail).with_header(header::ALLOW, allow_value(allow))
}

fn allow_value(allow: &str) -> HeaderValue {
    HeaderValue::try_from(allow).expect("names of methods are ASCII")
}

/// Turns a response into one for `HEAD`: the length of the body, but no body.
fn remove_body(response: &mut Response) {
    let length = hyper::body::Body::size_hint(response.body()).exact();
    *response.body_mut() = Bytes::new().into();
    if let Some(length) = length {
        response.headers_mut().entry(header::CONTENT_LENGTH).or_insert(length.into());
    }
}
