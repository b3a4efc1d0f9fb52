//! `GET /api/events`: clients receive changes, and no stream outlives its session or the server.

use std::time::Duration;

use leadscribe_engine::api::RecordingSide;
use leadscribe_server::storage::AfterAttempt;
use serde_json::json;
use tokio::time::timeout;

use crate::harness::{PASSWORD, Server, log_in};

const PATH: &str = "/api/events";

/// Time limit for events, generous for a slow machine.
const PATIENCE: Duration = Duration::from_secs(20);

#[tokio::test]
async fn change_is_sent_to_every_stream() {
    let server = Server::start().await;
    let token = server.speech_token("Acme").await;
    let staff = server.staff("viewer").await;
    let (mut one, mut other) = (staff.events(PATH).await, staff.events(PATH).await);
    assert_eq!(one.header("cache-control"), Some("no-store"));
    assert_eq!(one.header("x-accel-buffering"), Some("no"));
    assert_eq!(one.next().await.as_deref(), Some("retry: 3000"));

    let call = server.recorded_call(json!({})).await;
    server.submit(call, &token).await;
    let told = |state: &str| json!({ "kind": "transcription", "call_id": call, "state": state });
    for events in [&mut one, &mut other] {
        assert_eq!(timeout(PATIENCE, events.data()).await.unwrap(), told("queued"));
    }
    server.complete(call, &[(RecordingSide::Caller, "hello")]).await;
    assert_eq!(timeout(PATIENCE, one.data()).await.unwrap(), told("completed"));

    let holder = server.anonymous().with_header("x-speech-token", &token);
    let asked = holder.get("/api/speech-recognition?callback_url=https://example.com/calls").await.expect(202);
    assert_eq!(asked["call_ids"], json!([call]));
    let delivery = json!({ "kind": "delivery", "delivery_id": 1, "state": "queued" });
    assert_eq!(timeout(PATIENCE, one.data()).await.unwrap(), delivery);
    server.deliver(204, AfterAttempt::Delivered).await;
    let delivery = json!({ "kind": "delivery", "delivery_id": 1, "state": "delivered" });
    assert_eq!(timeout(PATIENCE, one.data()).await.unwrap(), delivery);
}

#[tokio::test]
async fn stream_sends_only_changes_after_its_opening() {
    let server = Server::start().await;
    let token = server.speech_token("Acme").await;
    let staff = server.staff("viewer").await;
    let (before, after) = (server.recorded_call(json!({})).await, server.recorded_call(json!({})).await);
    server.submit(before, &token).await;
    // The poller's first query reaches back, which must not send older changes to this stream.
    let mut first = staff.events(PATH).await;
    assert_eq!(first.next().await.as_deref(), Some("retry: 3000"));
    server.submit(after, &token).await;
    let mut second = staff.events(PATH).await;
    let told = json!({ "kind": "transcription", "call_id": after, "state": "queued" });
    assert_eq!(timeout(PATIENCE, first.data()).await.unwrap(), told);
    server.complete(before, &[(RecordingSide::Caller, "hello")]).await;
    let told = json!({ "kind": "transcription", "call_id": before, "state": "completed" });
    assert_eq!(timeout(PATIENCE, second.data()).await.unwrap(), told);
}

#[tokio::test]
async fn idle_stream_stays_open_until_its_session_ends() {
    // The idle timeout doesn't apply to a silent stream: a heartbeat is sent every 15 s.
    let server = Server::configured(|config| config.http.idle_seconds = 2).await;
    server.user("ann@example.com", "viewer").await;
    let here = server.panel(&log_in(&server.anonymous(), "ann@example.com", PASSWORD).await);
    let there = server.panel(&log_in(&server.anonymous(), "ann@example.com", PASSWORD).await);
    let (mut stays, mut ends) = (here.events(PATH).await, there.events(PATH).await);
    for events in [&mut stays, &mut ends] {
        assert_eq!(events.next().await.as_deref(), Some("retry: 3000"));
    }
    there.delete("/api/session").await.expect(204);
    assert_eq!(timeout(PATIENCE, stays.next()).await.unwrap().as_deref(), Some(": still here"));
    assert_eq!(timeout(PATIENCE, ends.next()).await.unwrap(), None);
}

#[tokio::test]
async fn stream_sends_no_change_after_logout() {
    let server = Server::start().await;
    let token = server.speech_token("Acme").await;
    let call = server.recorded_call(json!({})).await;
    server.user("ann@example.com", "viewer").await;
    let staff = server.panel(&log_in(&server.anonymous(), "ann@example.com", PASSWORD).await);
    let mut events = staff.events(PATH).await;
    assert_eq!(events.next().await.as_deref(), Some("retry: 3000"));
    staff.delete("/api/session").await.expect(204);
    // A session check is cached for a second.
    tokio::time::sleep(Duration::from_millis(1_500)).await;
    server.submit(call, &token).await;
    assert_eq!(timeout(PATIENCE, events.next()).await.unwrap(), None);
}

#[tokio::test]
async fn shutdown_does_not_wait_for_streams() {
    let server = Server::configured(|config| config.http.stop_seconds = 600).await;
    let staff = server.staff("viewer").await;
    let mut events = staff.events(PATH).await;
    assert_eq!(events.next().await.as_deref(), Some("retry: 3000"));
    timeout(PATIENCE, server.stop()).await.expect("it stops at once");
    assert_eq!(events.next().await, None);
}

#[tokio::test]
async fn event_stream_requires_staff_session() {
    let server = Server::start().await;
    server.anonymous().get(PATH).await.refused(401, "unauthenticated");
    server.admin().get(PATH).await.refused(403, "forbidden");
}
