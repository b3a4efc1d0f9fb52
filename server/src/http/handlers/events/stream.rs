use std::time::Duration;

use bytes::Bytes;
use futures::Stream;
use http::{HeaderName, HeaderValue};
use leadscribe_engine::api::ChangeEvent;
use tokio::time::{Instant, Interval, MissedTickBehavior, interval_at};

use crate::http::identity::Identity;
use crate::http::prelude::*;
use crate::http::problem::Code;
use crate::service::auth::sessions;
use crate::service::operations::change_feed::{self, Listener, TimedChange};
use crate::storage::SecretHash;

/// Start of a stream: sets the delay before a browser reconnects, in milliseconds.
const STREAM_START: &str = "retry: 3000\n\n";

/// Comment that keeps an idle stream open.
const HEARTBEAT: &str = ": still here\n\n";

/// Interval between heartbeats. Proxies close a silent connection after 30 to 60 s.
const HEARTBEAT_INTERVAL: Duration = Duration::from_secs(15);

/// Minimum time between checks of the session.
const SESSION_CHECK_INTERVAL: Duration = Duration::from_secs(1);

/// Asks proxies such as nginx not to buffer the response.
const ACCEL_BUFFERING: HeaderName = HeaderName::from_static("x-accel-buffering");

/// Stream changes as server-sent events.
///
/// `data` of each event is one JSON object: `{"kind":"transcription","call_id":101,"state":"processing"}` or
/// `{"kind":"delivery","delivery_id":7,"state":"delivered"}`. Events are not replayed; reload the data after each connect. The stream
/// ends with the session, when the server stops, and when the client reads too slowly.
#[utoipa::path(
    get,
    path = "/api/events",
    responses((
        status = 200,
        content_type = "text/event-stream",
        body = ChangeEvent,
        description = "Event stream, until the session ends"
    ))
)]
pub async fn stream(app: Arc<App>, request: Request) -> Result<Response, Problem> {
    let Identity::Staff { session, session_hash } = request.identity else {
        return Err(Problem::new(Code::Forbidden, "this requires a staff session"));
    };
    let listener = change_feed::listen(&app, session.user.id).await?;
    let listener =
        listener.ok_or_else(|| Problem::overloaded("too many event streams are open; close some or retry later"))?;
    let media_type = HeaderValue::from_static("text/event-stream");
    // An event is short, and the number of streams is limited separately.
    let mut response = reply::stream(media_type, 0, event_bytes(app, listener, session_hash));
    response.headers_mut().insert(ACCEL_BUFFERING, HeaderValue::from_static("no"));
    Ok(response)
}

/// An open event stream.
struct EventStream {
    app: Arc<App>,
    listener: Listener,
    session_hash: SecretHash,
    /// Time of the last check of the session.
    session_checked_at: Instant,
    heartbeats: Interval,
}

fn event_bytes(
    app: Arc<App>,
    listener: Listener,
    session_hash: SecretHash,
) -> impl Stream<Item = Result<Bytes, std::convert::Infallible>> {
    let mut heartbeats = interval_at(Instant::now() + HEARTBEAT_INTERVAL, HEARTBEAT_INTERVAL);
    heartbeats.set_missed_tick_behavior(MissedTickBehavior::Delay);
    let event_stream = EventStream { app, listener, session_hash, session_checked_at: Instant::now(), heartbeats };
    let events = futures::stream::unfold(event_stream, |mut event_stream| async move {
        Some((Ok(event_stream.next().await?), event_stream))
    });
    futures::StreamExt::chain(futures::stream::iter([Ok(Bytes::from_static(STREAM_START.as_bytes()))]), events)
}

impl EventStream {
    /// Returns the next bytes, or `None` when the stream ends.
    async fn next(&mut self) -> Option<Bytes> {
        let bytes = tokio::select! {
            change = self.listener.next() => format_event(&change?),
            _ = self.heartbeats.tick() => Bytes::from_static(HEARTBEAT.as_bytes()),
        };
        self.is_session_valid().await.then_some(bytes)
    }

    /// True if the session is valid, or was at the last check.
    async fn is_session_valid(&mut self) -> bool {
        if self.session_checked_at.elapsed() < SESSION_CHECK_INTERVAL {
            return true;
        }
        self.session_checked_at = Instant::now();
        // While storage is unavailable, the session can't be checked, and nothing changes either.
        !matches!(sessions::find(&self.app, self.session_hash).await, Ok(None))
    }
}

fn format_event((time, change): &TimedChange) -> Bytes {
    let data = serde_json::to_string(change).expect("ids and names can be serialized");
    format!("id: {}\ndata: {data}\n\n", time.timestamp_micros()).into()
}

#[cfg(test)]
mod tests {
    use leadscribe_engine::api::{CallId, ChangeEvent, TranscriptionState};

    use super::format_event;

    #[test]
    fn event_is_one_data_line_with_timestamp() {
        let change = ChangeEvent::Transcription { call_id: CallId(101), state: TranscriptionState::Processing };
        let time = "2026-05-01T09:30:00.000001Z".parse().expect("a time");
        assert_eq!(
            format_event(&(time, change)),
            "id: 1777627800000001\ndata: {\"kind\":\"transcription\",\"call_id\":101,\"state\":\"processing\"}\n\n"
        );
    }
}
