//! Deliveries with a real store and real sockets.

use leadscribe_engine::api::{
    Callback, CallbackMethod, DeliveryState, NewWebhookRequest, NewWebhookResponse, TokenId, WebhookEvent,
};
use leadscribe_engine::diagnostic::Location;
use serde_json::{Value, json};
use standardwebhooks::Webhook;

use super::*;
use crate::config::Config;
use crate::http_client::scripted_server::{ScriptedServer, response};
use crate::service::{leads, webhooks};
use crate::speech::RecognizerProvider;
use crate::storage::{DeliveryQuery, Slice, TranscriptQuery};
use crate::worker::runner::Runner;
use crate::worker::testing::{
    TestInstallation, audit_context, complete_next_transcription, create_recorded_call, create_recorded_call_for,
    create_token, stop_signal, submit_call,
};

const LEASE_DURATION: TimeDelta = TimeDelta::seconds(30);

/// Creates an installation that delivers to this machine.
fn test_installation() -> (TestInstallation, Arc<App>) {
    TestInstallation::with_app(|config| config.callbacks.allowed_networks = "127.0.0.1".parse().unwrap())
}

fn server_url(server: &ScriptedServer) -> String {
    format!("http://{}/hook", server.address)
}

async fn queue_test_delivery(app: &App, token: TokenId, url: &str) {
    let callback = Callback {
        callback_url: url.to_owned(),
        callback_method: CallbackMethod::Post,
        callback_data: Some(json!({ "call": "{call_id}" }).to_string()),
    };
    let target = deliveries::check(app, &callback, |name| Location::Parameter(name.to_owned())).unwrap();
    deliveries::test(app, token, &target, &audit_context(app)).await.unwrap();
}

/// Makes one attempt at the delivery that has waited longest. Returns the delivery and the attempt.
async fn attempt_next(app: &Arc<App>) -> (Delivery, DeliveryAttempt) {
    let queue = DeliverCallback(app.clone());
    let entry = queue.claim(LEASE_DURATION, app.now()).await.unwrap().expect("a delivery that is due");
    let outcome = queue.work(&entry).await;
    assert_eq!(queue.finish(&entry, &outcome, app.now()).await.unwrap(), FencedWrite::Done);
    queue.record_end(&entry, WorkEnd::Finished(&outcome));
    let mut detail = deliveries::read(app, entry.delivery.id).await.unwrap();
    (detail.delivery, detail.attempts.pop().expect("an attempt"))
}

#[tokio::test]
async fn delivery_is_signed_and_accepted() {
    let (_installation, app) = test_installation();
    let token = create_token(&app).await;
    let server = ScriptedServer::start([response(204, &[], "")]).await;
    queue_test_delivery(&app, token, &server_url(&server)).await;
    let (delivery, attempt) = attempt_next(&app).await;
    assert_eq!((delivery.state, delivery.attempts), (DeliveryState::Delivered, 1));
    assert_eq!((attempt.number, attempt.status, attempt.error), (1, Some(204), None));

    let request = server.take_requests().pop().expect("a request");
    assert_eq!(request.line, "POST /hook");
    let body: Value = serde_json::from_slice(&request.body).unwrap();
    assert!(body["call"].is_number(), "{body}");
    // The secret was created for the delivery and is returned now.
    let secret = deliveries::webhook_secret(&app, token).await.unwrap().secret;
    let headers = &request.headers;
    let id = signature::message_id(&delivery, &request.body);
    assert_eq!(headers["webhook-id"], id);
    let seconds: i64 = headers["webhook-timestamp"].to_str().unwrap().parse().unwrap();
    assert_eq!(seconds, attempt.started_at.timestamp());
    let signature = Webhook::new(&secret).unwrap().sign(&id, seconds, &request.body).unwrap();
    assert_eq!(headers["webhook-signature"], signature);
}

#[tokio::test]
async fn event_is_signed_with_the_secret_of_its_webhook() {
    let (_installation, app) = test_installation();
    let server = ScriptedServer::start([response(204, &[], "")]).await;
    let request = NewWebhookRequest {
        url: server_url(&server),
        events: vec![WebhookEvent::LeadChanged],
        token_id: None,
        body_template: None,
        paused: false,
    };
    let NewWebhookResponse { webhook, secret } =
        webhooks::create(&app, request, None, &audit_context(&app)).await.unwrap();
    let test = webhooks::test(&app, webhook.id, None, &audit_context(&app)).await.unwrap();
    let (delivery, _) = attempt_next(&app).await;
    assert_eq!((delivery.id, delivery.state), (test.id, DeliveryState::Delivered));
    let request = server.take_requests().pop().expect("a request");
    assert_eq!(request.headers["content-type"], "application/cloudevents+json");
    let seconds: i64 = request.headers["webhook-timestamp"].to_str().unwrap().parse().unwrap();
    let id = request.headers["webhook-id"].to_str().unwrap();
    let signature = Webhook::new(&secret).unwrap().sign(id, seconds, &request.body).unwrap();
    assert_eq!(request.headers["webhook-signature"], signature);
    let event: Value = serde_json::from_slice(&request.body).unwrap();
    assert_eq!((&event["specversion"], &event["type"]), (&json!("1.0"), &json!("webhook.test")));

    webhooks::delete(&app, webhook.id, None, None, &audit_context(&app)).await.unwrap();
    deliveries::replay(&app, delivery.id, &audit_context(&app)).await.unwrap();
    let (delivery, attempt) = attempt_next(&app).await;
    assert_eq!((delivery.state, attempt.error), (DeliveryState::Failed, Some(work::webhook_deleted())));
}

#[tokio::test]
async fn response_decides_next_state_of_delivery() {
    let (_installation, app) = test_installation();
    let token = create_token(&app).await;
    let retry_after = [("retry-after", "3600")];
    let server = ScriptedServer::start([response(503, &retry_after, ""), response(410, &[], "")]).await;
    queue_test_delivery(&app, token, &server_url(&server)).await;
    let (delivery, last_attempt) = attempt_next(&app).await;
    assert_eq!(
        (delivery.state, last_attempt.status, last_attempt.error.as_ref().map(ToString::to_string).as_deref()),
        (DeliveryState::Queued, Some(503), Some("responded with status 503"))
    );
    let delay = delivery.next_attempt_at.expect("another attempt") - last_attempt.started_at;
    assert!(delay >= TimeDelta::hours(1) && delay < TimeDelta::hours(2), "{delay}");

    queue_test_delivery(&app, token, &server_url(&server)).await;
    let (delivery, last_attempt) = attempt_next(&app).await;
    assert_eq!((delivery.state, last_attempt.status), (DeliveryState::Stopped, Some(410)));
}

#[tokio::test]
async fn forbidden_address_is_retried_later() {
    let (installation, app) = test_installation();
    let token = create_token(&app).await;
    queue_test_delivery(&app, token, "http://127.0.0.1:9/hook").await;
    // The operator has removed the network in the meantime.
    let strict_app = installation
        .create_app_with(RecognizerProvider::off(), |config| config.callbacks = Config::default().callbacks);
    let (delivery, last_attempt) = attempt_next(&strict_app).await;
    let error = "127.0.0.1 is not a public address (loopback, RFC 1122)";
    assert_eq!(
        (delivery.state, last_attempt.status, last_attempt.error.as_ref().map(ToString::to_string).as_deref()),
        (DeliveryState::Queued, None, Some(error))
    );
}

#[tokio::test]
async fn revoked_token_fails_its_deliveries() {
    let (_installation, app) = test_installation();
    let token = create_token(&app).await;
    let server = ScriptedServer::start([response(204, &[], "")]).await;
    queue_test_delivery(&app, token, &server_url(&server)).await;
    app.store.revoke_speech_token(token, &audit_context(&app)).await.unwrap();
    let (delivery, last_attempt) = attempt_next(&app).await;
    assert_eq!(
        (delivery.state, last_attempt.error.as_ref().map(ToString::to_string).as_deref()),
        (DeliveryState::Failed, Some("the token was revoked"))
    );
    assert!(server.take_requests().is_empty());
}

#[tokio::test]
async fn purged_transcript_is_not_delivered() {
    let (_installation, app) = test_installation();
    let token = create_token(&app).await;
    let server = ScriptedServer::start([response(204, &[], "")]).await;
    let call = create_recorded_call(&app).await;
    submit_call(&app, token, call).await;
    complete_next_transcription(&app).await;
    let callback =
        Callback { callback_url: server_url(&server), callback_method: CallbackMethod::Post, callback_data: None };
    let target = deliveries::check(&app, &callback, |name| Location::Parameter(name.to_owned())).unwrap();
    let slice = Slice { count: 200, offset: 0 };
    let speech_request =
        deliveries::request(&app, token, TranscriptQuery::default(), slice, &target, &audit_context(&app))
            .await
            .unwrap();
    assert_eq!(speech_request.call_ids, [call]);
    app.store.purge_transcripts(app.now() + TimeDelta::seconds(1), &audit_context(&app)).await.unwrap();

    let (delivery, last_attempt) = attempt_next(&app).await;
    assert_eq!(
        (delivery.state, last_attempt.error.as_ref().map(ToString::to_string).as_deref()),
        (DeliveryState::Failed, Some("the transcript was deleted"))
    );
    assert!(server.take_requests().is_empty());
}

#[tokio::test]
async fn webhook_id_changes_only_with_the_body() {
    let (installation, app) = test_installation();
    let token = create_token(&app).await;
    let error_responses = [response(503, &[], ""), response(503, &[], ""), response(503, &[], "")];
    let server =
        ScriptedServer::start(error_responses.into_iter().chain([response(204, &[], ""), response(204, &[], "")]))
            .await;
    let lead = leads::create(&app, r#"{"first_name":"Ada"}"#, &audit_context(&app)).await.unwrap().id;
    let call = create_recorded_call_for(&app, Some(lead)).await;
    submit_call(&app, token, call).await;
    complete_next_transcription(&app).await;
    let callback = Callback {
        callback_url: server_url(&server),
        callback_method: CallbackMethod::Post,
        callback_data: Some(json!({ "who": "{first_name}" }).to_string()),
    };
    let target = deliveries::check(&app, &callback, |name| Location::Parameter(name.to_owned())).unwrap();
    let slice = Slice { count: 200, offset: 0 };
    deliveries::request(&app, token, TranscriptQuery::default(), slice, &target, &audit_context(&app)).await.unwrap();

    attempt_next(&app).await;
    installation.clock.advance(TimeDelta::hours(1));
    attempt_next(&app).await;
    leads::update(&app, lead, r#"{"first_name":"Bea"}"#, None, &audit_context(&app)).await.unwrap();
    installation.clock.advance(TimeDelta::hours(1));
    attempt_next(&app).await;
    leads::delete(&app, lead, None, &audit_context(&app)).await.unwrap();
    installation.clock.advance(TimeDelta::hours(2));
    let (delivery, _) = attempt_next(&app).await;
    deliveries::replay(&app, delivery.id, &audit_context(&app)).await.unwrap();
    attempt_next(&app).await;

    let received = server.take_requests();
    let names: Vec<Value> =
        received.iter().map(|request| serde_json::from_slice::<Value>(&request.body).unwrap()["who"].clone()).collect();
    assert_eq!(names, [json!("Ada"), json!("Ada"), json!("Bea"), Value::Null, Value::Null]);
    let ids: Vec<_> = received.iter().map(|request| request.headers["webhook-id"].to_str().unwrap()).collect();
    assert_eq!((ids[0], ids[3]), (ids[1], ids[4]));
    assert!(ids[0] != ids[2] && ids[2] != ids[3] && ids[0] != ids[3], "{ids:?}");
}

#[tokio::test]
async fn delivery_fails_after_last_attempt() {
    let (_installation, app) = test_installation();
    let token = create_token(&app).await;
    queue_test_delivery(&app, token, "http://127.0.0.1:9/hook").await;
    let queue = DeliverCallback(app.clone());
    let mut entry = queue.claim(LEASE_DURATION, app.now()).await.unwrap().unwrap();
    assert!(matches!(queue.panic_outcome(&entry).next_state, NextState::Retry(_)));
    entry.attempt = 9;
    assert!(matches!(queue.panic_outcome(&entry).next_state, NextState::Retry(_)));
    entry.attempt = 10;
    assert_eq!(queue.panic_outcome(&entry).next_state, NextState::Failed);
}

#[tokio::test]
async fn crashing_delivery_fails_after_maximum_attempts() {
    let (installation, app) = test_installation();
    let token = create_token(&app).await;
    let server = ScriptedServer::start([response(204, &[], "")]).await;
    queue_test_delivery(&app, token, &server_url(&server)).await;
    for _ in 0..10 {
        assert!(app.store.claim_delivery(LEASE_DURATION, app.now()).await.unwrap().is_some());
        installation.clock.advance(LEASE_DURATION);
    }
    let (delivery, last_attempt) = attempt_next(&app).await;
    let error = "gave up after 10 attempts; the worker stopped during the last one";
    assert_eq!(
        (delivery.state, delivery.attempts, last_attempt.error.as_ref().map(ToString::to_string).as_deref()),
        (DeliveryState::Failed, 11, Some(error))
    );
    assert!(server.take_requests().is_empty());

    // A replay starts new attempts.
    deliveries::replay(&app, delivery.id, &audit_context(&app)).await.unwrap();
    assert_eq!(attempt_next(&app).await.0.state, DeliveryState::Delivered);
}

#[tokio::test]
async fn runner_delivers_on_notification_and_stops() {
    let (_installation, app) = test_installation();
    let token = create_token(&app).await;
    let server = ScriptedServer::start([response(204, &[], "")]).await;
    let (sender, stop) = stop_signal();
    let queue = DeliverCallback(app.clone());
    let running =
        tokio::spawn(Runner { queue, slots: 2, lease: LEASE_DURATION, clock: app.clock_watch.clone() }.run(stop));
    queue_test_delivery(&app, token, &server_url(&server)).await;
    let query = DeliveryQuery { state: Some(DeliveryState::Delivered), ..DeliveryQuery::default() };
    let slice = Slice { count: 10, offset: 0 };
    while deliveries::list(&app, &query, slice).await.unwrap().items.is_empty() {
        tokio::task::yield_now().await;
    }
    drop(sender);
    running.await.unwrap();
}
