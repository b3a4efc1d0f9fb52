//! Checks before a delivery is queued, and the body of a delivery.

use leadscribe_engine::api::*;
use leadscribe_engine::callback::{Placeholder, Template};
use leadscribe_engine::diagnostic::{Location, Message, work};
use serde_json::{Value, json};

use super::{body, check};
use crate::storage::{Claim, ClaimedDelivery, DeliveredRecords, TranscriptionOutcome};
use crate::worker::testing::{TestInstallation, audit_context};

const NOW: &str = "2026-05-01T09:30:00Z";

fn callback(url: &str, data: Option<&str>) -> Callback {
    Callback {
        callback_url: url.to_owned(),
        callback_method: CallbackMethod::Put,
        callback_data: data.map(str::to_owned),
    }
}

fn claimed_delivery(data: Option<&str>, call_id: Option<CallId>, content: Option<DeliveredRecords>) -> ClaimedDelivery {
    let delivery = Delivery {
        id: DeliveryId(3),
        speech_request_id: call_id.map(|_| SpeechRequestId(2)),
        token_id: Some(TokenId(1)),
        webhook_id: None,
        event: None,
        call_id,
        callback: callback("https://example.com/", data),
        state: DeliveryState::Delivering,
        attempts: 1,
        last_status: None,
        last_error: None,
        next_attempt_at: None,
        created_at: NOW.parse().expect("a time"),
        finished_at: None,
    };
    ClaimedDelivery {
        claim: Claim { id: delivery.id, fencing_token: 1 },
        delivery,
        attempt: 1,
        secrets: Vec::new(),
        event: None,
        content,
    }
}

fn delivered_call() -> DeliveredRecords {
    let call = json!({
        "id": 7, "lead_id": null, "campaign_lead_id": null, "campaign_id": 5, "agent": "Kim", "direction": "inbound",
        "caller_number": null, "callee_number": null, "status": "answered", "started_at": null,
        "ended_at": "2026-05-01T09:29:00.5Z", "created_at": NOW, "recording": {
            "state": "ready", "media_type": null, "channels": 2, "sample_rate": 8000, "duration_seconds": 9.5, "bytes": 9
        }, "transcription_state": "completed",
    });
    let word = json!({ "word": "Hi", "start": 1.0, "end": 2.0, "confidence": 0.9 });
    let segment =
        json!({ "start": 1.0, "end": 2.0, "side": "caller", "text": "Hi", "confidence": 0.9, "words": [word] });
    let transcript = json!({
        "call_id": 7, "transcription_id": 4, "language": "en", "duration": 9.5, "segments": [segment], "sides": [],
        "dropped": [], "redactions": 0, "engine": { "name": "fake", "model": "none" }, "created_at": NOW,
    });
    let transcript = serde_json::from_value(transcript).expect("a transcript");
    DeliveredRecords {
        call: Some(serde_json::from_value(call).expect("a call")),
        outcome: Some(TranscriptionOutcome::Transcribed(transcript)),
        ..DeliveredRecords::default()
    }
}

/// The same call, whose transcription ended without a transcript.
fn delivered_failure(state: TranscriptionState, error: Option<Message>) -> DeliveredRecords {
    let transcription = json!({
        "id": 4, "call_id": 7, "token_id": 1, "languages": ["en"], "recording_side": "both", "min_duration": 1,
        "state": state, "attempts": 1, "error": error, "queued_at": NOW, "started_at": NOW, "finished_at": NOW,
    });
    let transcription = serde_json::from_value(transcription).expect("a transcription");
    DeliveredRecords { outcome: Some(TranscriptionOutcome::NotTranscribed(transcription)), ..delivered_call() }
}

fn parsed_body(claimed: &ClaimedDelivery) -> Value {
    serde_json::from_slice(&body(claimed).expect("a body")).expect("JSON")
}

#[test]
fn callback_check_reports_all_errors_and_normalizes_url() {
    let (_folder, app) = TestInstallation::with_app(|_| ());
    let location = |name: &str| Location::Pointer(format!("/callback/{name}"));
    let target = check(&app, &callback("https://EXAMPLE.com:443", None), location).expect("a target");
    assert_eq!((target.url.as_str(), target.method), ("https://example.com/", CallbackMethod::Put));

    let diagnostics = check(&app, &callback("http://127.1/#x", Some(r#"["{call}"]"#)), location).expect_err("errors");
    let actual: Vec<_> =
        diagnostics.iter().map(|diagnostic| (&diagnostic.location, diagnostic.code.as_str())).collect();
    let (url, data) = (location("callback_url"), location("callback_data"));
    let expected = [(&url, "callback_not_public"), (&url, "not_permitted"), (&data, "unknown_placeholder")];
    assert_eq!(actual, expected);
}

#[test]
fn body_fills_template_with_call_values() {
    let data = r#"{"id": "{call_id}", "of": "{agent} for {campaign_name}", "lead": "{lead_id}", "name": "{first_name}",
        "request": "{speech_request_id}", "way": "{direction}", "ended": "{ended_at}", "started": "{started_at}",
        "seconds": "{duration}", "in": "{language}", "campaign": "{campaign_id}"}"#;
    let expected = json!({
        "id": 7, "of": "Kim for ", "lead": null, "name": null, "request": 2, "way": "inbound",
        "ended": "2026-05-01T09:29:00.500Z", "started": null, "seconds": 9.5, "in": "en", "campaign": 5,
    });
    assert_eq!(parsed_body(&claimed_delivery(Some(data), Some(CallId(7)), Some(delivered_call()))), expected);
    let default = parsed_body(&claimed_delivery(None, Some(CallId(7)), Some(delivered_call())));
    assert_eq!((&default["call_id"], &default["speech_result"]["segments"][0]["text"]), (&json!(7), &json!("Hi")));
}

#[test]
fn body_tells_how_the_transcription_ended() {
    let default = Template::submission_default();
    let ended = |content| parsed_body(&claimed_delivery(Some(default.text()), Some(CallId(7)), Some(content)));
    let completed = ended(delivered_call());
    assert_eq!((&completed["transcription_status"], &completed["error"]), (&json!("completed"), &Value::Null));
    assert_eq!(completed["speech_result"]["segments"][0]["text"], "Hi");
    let expected =
        |status, error| json!({ "call_id": 7, "transcription_status": status, "error": error, "speech_result": null });
    let failed = delivered_failure(TranscriptionState::Failed, Some(work::recording_unreadable()));
    assert_eq!(ended(failed), expected("failed", "the recording can't be read"));
    let cancelled = delivered_failure(TranscriptionState::Cancelled, None);
    assert_eq!(ended(cancelled.clone()), expected("cancelled", "the transcription was cancelled"));

    let placeholders = [Placeholder::TranscriptionId, Placeholder::Agent, Placeholder::Duration];
    let others = [Placeholder::Language, Placeholder::TranscriptText];
    let names: Vec<_> = placeholders.iter().chain(&others).map(|name| format!("{{{name}}}")).collect();
    let body = parsed_body(&claimed_delivery(Some(&json!(names).to_string()), Some(CallId(7)), Some(cancelled)));
    assert_eq!(body, json!([4, "Kim", null, null, null]));
}

#[test]
fn test_delivery_uses_sample_call() {
    assert_eq!(parsed_body(&claimed_delivery(Some(r#"["{agent}"]"#), None, None)), json!(["Jordan Reyes"]));
}

#[test]
fn body_errors_name_their_reason() {
    assert_eq!(body(&claimed_delivery(None, Some(CallId(7)), None)), Err(work::transcript_purged()));
    assert_eq!(body(&claimed_delivery(Some("[{call_id}]"), None, None)), Err(work::invalid_template()));
    let mut long = delivered_call();
    let Some(TranscriptionOutcome::Transcribed(transcript)) = &mut long.outcome else { panic!("{:?}", long.outcome) };
    transcript.segments[0].text = "a".repeat(1024 * 1024);
    let repeated = json!(vec!["{speech_result}"; 64]).to_string();
    assert_eq!(
        body(&claimed_delivery(Some(&repeated), Some(CallId(7)), Some(long))),
        Err(work::body_too_large(33_554_432))
    );
}

#[tokio::test]
async fn test_delivery_is_queued_and_notifies_workers() {
    let (_folder, app) = TestInstallation::with_app(|_| ());
    let audit = audit_context(&app);
    let token = app.store.create_speech_token("crm", [1; 32], "ls_tok_1", &audit).await.expect("a token").id;
    let target = check(&app, &callback("https://example.com/", None), |_| Location::default()).expect("a target");
    let delivery = super::test(&app, token, &target, &audit).await.expect("a delivery");
    assert_eq!((delivery.state, delivery.call_id), (DeliveryState::Queued, None));
    // The notification is already pending, so this doesn't wait.
    app.notifiers.deliveries.notified().await;

    let first = super::webhook_secret(&app, token).await.expect("a secret");
    assert_eq!(super::webhook_secret(&app, token).await.expect("a secret").secret, first.secret);
    let second = super::rotate_webhook_secret(&app, token, &audit).await.expect("a secret");
    assert_ne!(second.secret, first.secret);
    assert_eq!(second.previous_valid_until, Some("2026-05-02T09:30:00Z".parse().expect("a time")));

    app.store.revoke_speech_token(token, &audit).await.expect("a revoked token");
    let error = super::test(&app, token, &target, &audit).await.expect_err("revoked");
    assert_eq!(error.to_string(), format!("refused: token {token} is revoked"));
}
