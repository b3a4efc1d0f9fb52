//! `GET /api/events`: clients receive changes, and no stream outlives its session or the server.

use std::time::Duration;

use leadscribe_engine::api::RecordingSide;
use leadscribe_server::storage::AttemptResult;
use serde_json::json;
use tokio::time::timeout;

use crate::harness::{PASSWORD, Server, log_in};

const PATH: &str = "/api/events";

/// Time limit for events, generous for a slow machine.
const TIMEOUT: Duration = Duration::from_secs(20);

#[tokio::test]
async fn change_is_sent_to_every_stream() {
    let server = Server::start().await;
    let token = server.create_speech_token("Acme").await;
    let viewer = server.logged_in_client("viewer").await;
    let (mut first_stream, mut second_stream) = (viewer.events(PATH).await, viewer.events(PATH).await);
    assert_eq!(first_stream.header("cache-control"), Some("no-store"));
    assert_eq!(first_stream.header("x-accel-buffering"), Some("no"));
    assert_eq!(first_stream.next_block().await.as_deref(), Some("retry: 3000"));

    let call = server.create_recorded_call(json!({})).await;
    server.submit_call(call, &token).await;
    let expected_event = |state: &str| json!({ "kind": "transcription", "call_id": call, "state": state });
    for events in [&mut first_stream, &mut second_stream] {
        assert_eq!(timeout(TIMEOUT, events.next_data()).await.unwrap(), expected_event("queued"));
    }
    server.complete_transcription(call, &[(RecordingSide::Caller, "hello")]).await;
    assert_eq!(timeout(TIMEOUT, first_stream.next_data()).await.unwrap(), expected_event("completed"));

    let token_client = server.anonymous().with_header("x-speech-token", &token);
    let delivery_request =
        token_client.get("/api/speech-recognition?callback_url=https://example.com/calls").await.expect(202);
    assert_eq!(delivery_request["call_ids"], json!([call]));
    let delivery = json!({ "kind": "delivery", "delivery_id": 1, "state": "queued" });
    assert_eq!(timeout(TIMEOUT, first_stream.next_data()).await.unwrap(), delivery);
    server.finish_delivery(204, AttemptResult::Delivered).await;
    let delivery = json!({ "kind": "delivery", "delivery_id": 1, "state": "delivered" });
    assert_eq!(timeout(TIMEOUT, first_stream.next_data()).await.unwrap(), delivery);
}

#[tokio::test]
async fn stream_omits_earlier_changes() {
    let server = Server::start().await;
    let token = server.create_speech_token("Acme").await;
    let viewer = server.logged_in_client("viewer").await;
    let (earlier_call, later_call) =
        (server.create_recorded_call(json!({})).await, server.create_recorded_call(json!({})).await);
    server.submit_call(earlier_call, &token).await;
    // The poller's first query also returns older changes. They must not be sent to this stream.
    let mut first_stream = viewer.events(PATH).await;
    assert_eq!(first_stream.next_block().await.as_deref(), Some("retry: 3000"));
    server.submit_call(later_call, &token).await;
    let mut second_stream = viewer.events(PATH).await;
    let expected_event = json!({ "kind": "transcription", "call_id": later_call, "state": "queued" });
    assert_eq!(timeout(TIMEOUT, first_stream.next_data()).await.unwrap(), expected_event);
    server.complete_transcription(earlier_call, &[(RecordingSide::Caller, "hello")]).await;
    let expected_event = json!({ "kind": "transcription", "call_id": earlier_call, "state": "completed" });
    assert_eq!(timeout(TIMEOUT, second_stream.next_data()).await.unwrap(), expected_event);
}

#[tokio::test]
async fn idle_stream_stays_open_until_its_session_ends() {
    // The idle timeout doesn't apply to a silent stream: a heartbeat is sent every 15 s.
    let server = Server::start_configured(|config| config.http.idle_timeout_seconds = 2).await;
    server.create_user("ann@example.com", "viewer").await;
    let first_session = server.panel_client(&log_in(&server.anonymous(), "ann@example.com", PASSWORD).await);
    let second_session = server.panel_client(&log_in(&server.anonymous(), "ann@example.com", PASSWORD).await);
    let (mut open_stream, mut ended_stream) = (first_session.events(PATH).await, second_session.events(PATH).await);
    for events in [&mut open_stream, &mut ended_stream] {
        assert_eq!(events.next_block().await.as_deref(), Some("retry: 3000"));
    }
    second_session.delete("/api/session").await.expect(204);
    assert_eq!(timeout(TIMEOUT, open_stream.next_block()).await.unwrap().as_deref(), Some(": still here"));
    assert_eq!(timeout(TIMEOUT, ended_stream.next_block()).await.unwrap(), None);
}

#[tokio::test]
async fn stream_sends_no_change_after_logout() {
    let server = Server::start().await;
    let token = server.create_speech_token("Acme").await;
    let call = server.create_recorded_call(json!({})).await;
    server.create_user("ann@example.com", "viewer").await;
    let viewer = server.panel_client(&log_in(&server.anonymous(), "ann@example.com", PASSWORD).await);
    let mut events = viewer.events(PATH).await;
    assert_eq!(events.next_block().await.as_deref(), Some("retry: 3000"));
    viewer.delete("/api/session").await.expect(204);
    // A session check is cached for a second.
    tokio::time::sleep(Duration::from_millis(1_500)).await;
    server.submit_call(call, &token).await;
    assert_eq!(timeout(TIMEOUT, events.next_block()).await.unwrap(), None);
}

#[tokio::test]
async fn shutdown_does_not_wait_for_streams() {
    let server = Server::start_configured(|config| config.http.shutdown_timeout_seconds = 600).await;
    let viewer = server.logged_in_client("viewer").await;
    let mut events = viewer.events(PATH).await;
    assert_eq!(events.next_block().await.as_deref(), Some("retry: 3000"));
    timeout(TIMEOUT, server.stop()).await.expect("the server stops without waiting");
    assert_eq!(events.next_block().await, None);
}
