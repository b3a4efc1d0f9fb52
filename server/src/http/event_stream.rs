//! Server-sent events: a response that lasts as long as the caller has access.

use std::sync::Arc;
use std::time::Duration;

use bytes::Bytes;
use futures::{Stream, StreamExt};
use http::{HeaderMap, HeaderName, HeaderValue, Method, header};
use tokio::time::{Instant, MissedTickBehavior, interval_at};

use super::auth::{self, Access};
use super::problem::Problem;
use super::reply::{self, Response};
use crate::service::app::App;

/// Start of a stream: sets the delay before a client reconnects, in milliseconds.
const STREAM_START: &[u8] = b"retry: 3000\n\n";

/// Interval between heartbeats. Proxies close a silent connection after 30 to 60 s.
const HEARTBEAT_INTERVAL: Duration = Duration::from_secs(15);

/// Minimum time between checks of the caller.
const ACCESS_CHECK_INTERVAL: Duration = Duration::from_secs(1);

/// Media type of server-sent events.
pub const MEDIA_TYPE: &str = "text/event-stream";

/// Asks proxies such as nginx not to buffer the response.
const ACCEL_BUFFERING: HeaderName = HeaderName::from_static("x-accel-buffering");

/// Source of a stream's events.
pub trait EventSource: Send + 'static {
    /// Returns the next events, formatted; `None` at the end. Few at once: no memory is reserved for them. Cancel safe.
    fn next(&mut self) -> impl Future<Output = Option<Bytes>> + Send;
    /// Block that keeps an idle stream open.
    fn heartbeat(&self) -> Bytes;
}

/// Credentials of the caller, which are checked again while the stream is open.
#[derive(Debug)]
pub struct AccessCheck {
    app: Arc<App>,
    headers: HeaderMap,
    accesses: Vec<Access>,
    checked_at: Instant,
}

impl AccessCheck {
    /// Creates the check for a request with these headers, which has all of `accesses`.
    pub fn new(app: Arc<App>, headers: &HeaderMap, accesses: Vec<Access>) -> Self {
        let mut headers = headers.clone();
        // An open stream doesn't count as activity of the user.
        headers.insert(header::ACCEPT, HeaderValue::from_static(MEDIA_TYPE));
        Self { app, headers, accesses, checked_at: Instant::now() }
    }

    /// True if the caller still has access, or had it at the last check.
    async fn is_passed(&mut self) -> bool {
        if self.checked_at.elapsed() < ACCESS_CHECK_INTERVAL {
            return true;
        }
        self.checked_at = Instant::now();
        for access in &self.accesses {
            let result = auth::authorize(&self.app, *access, &Method::GET, &self.headers).await;
            // While storage is unavailable, the caller can't be checked, and nothing changes either.
            if result.is_err_and(|problem: Problem| problem.code().status().is_client_error()) {
                return false;
            }
        }
        true
    }
}

/// Response with the events of a source.
pub fn respond(source: impl EventSource, access: AccessCheck) -> Response {
    // Sources return little at once, and the number of streams is limited separately.
    let mut response = reply::stream(HeaderValue::from_static(MEDIA_TYPE), 0, event_bytes(source, access));
    response.headers_mut().insert(ACCEL_BUFFERING, HeaderValue::from_static("no"));
    response
}

fn event_bytes(
    source: impl EventSource,
    access: AccessCheck,
) -> impl Stream<Item = Result<Bytes, std::convert::Infallible>> {
    let mut heartbeats = interval_at(Instant::now() + HEARTBEAT_INTERVAL, HEARTBEAT_INTERVAL);
    heartbeats.set_missed_tick_behavior(MissedTickBehavior::Delay);
    let events =
        futures::stream::unfold((source, access, heartbeats), |(mut source, mut access, mut heartbeats)| async {
            let bytes = tokio::select! {
                events = source.next() => events?,
                _ = heartbeats.tick() => source.heartbeat(),
            };
            access.is_passed().await.then_some((Ok(bytes), (source, access, heartbeats)))
        });
    futures::stream::iter([Ok(Bytes::from_static(STREAM_START))]).chain(events)
}
