use bytes::Bytes;
use leadscribe_engine::api::ChangeEvent;

use crate::http::auth::Access;
use crate::http::event_stream::{self, AccessCheck, EventSource};
use crate::http::identity::Identity;
use crate::http::prelude::*;
use crate::http::problem::Code;
use crate::service::operations::change_feed::{self, Listener, TimedChange};

/// Comment that keeps an idle stream open.
const HEARTBEAT: &[u8] = b": still here\n\n";

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
    let Identity::Staff { session, .. } = request.identity else {
        return Err(Problem::new(Code::Forbidden, "this requires a staff session"));
    };
    let listener = change_feed::listen(&app, session.user.id).await?;
    let listener = listener.ok_or_else(Problem::too_many_streams)?;
    Ok(event_stream::respond(listener, AccessCheck::new(app, &request.headers, vec![Access::Staff])))
}

impl EventSource for Listener {
    async fn next(&mut self) -> Option<Bytes> {
        Some(format_event(&self.next_change().await?))
    }

    fn heartbeat(&self) -> Bytes {
        Bytes::from_static(HEARTBEAT)
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
