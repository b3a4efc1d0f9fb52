//! Deliveries with a real store and real sockets.

use leadscribe_engine::api::{Callback, CallbackMethod, DeliveryState, TokenId};
use leadscribe_engine::diagnostic::Place;
use serde_json::{Value, json};
use standardwebhooks::Webhook;

use super::*;
use crate::config::Config;
use crate::outgoing::scripted::{ScriptedServer, answer};
use crate::service::leads;
use crate::speech::Provider;
use crate::storage::{DeliveryQuery, Slice, TranscriptQuery};
use crate::worker::runner::Runner;
use crate::worker::testing::{Data, by, complete, recorded_call, recorded_call_with, send, stop, token};

const LEASE: TimeDelta = TimeDelta::seconds(30);

fn data() -> Data {
    Data::empty(|config| config.callbacks.allowed_networks = "127.0.0.1".parse().unwrap())
}

fn url(server: &ScriptedServer) -> String {
    format!("http://{}/hook", server.address)
}

async fn queue_test(app: &App, token: TokenId, url: &str) {
    let callback = Callback {
        callback_url: url.to_owned(),
        callback_method: CallbackMethod::Post,
        callback_data: Some(json!({ "call": "{call_id}" }).to_string()),
    };
    let target = deliveries::check(app, &callback, |name| Place::Parameter(name.to_owned())).unwrap();
    deliveries::test(app, token, &target, &by(app)).await.unwrap();
}

/// Makes one attempt at the delivery that has waited longest. Returns the delivery and the attempt.
async fn attempt(app: &Arc<App>) -> (Delivery, DeliveryAttempt) {
    let queue = DeliverCallback(app.clone());
    let entry = queue.claim(LEASE, app.now()).await.unwrap().expect("a delivery that is due");
    let outcome = queue.work(&entry).await;
    assert_eq!(queue.finish(&entry, &outcome, app.now()).await.unwrap(), ByClaim::Done);
    queue.note(&entry, End::Finished(&outcome));
    let mut detail = deliveries::read(app, entry.delivery.id).await.unwrap();
    (detail.delivery, detail.attempts.pop().expect("an attempt"))
}

#[tokio::test]
async fn delivery_is_signed_and_accepted() {
    let data = data();
    let app = data.process(Provider::off());
    let token = token(&app).await;
    let server = ScriptedServer::start([answer(204, &[], "")]).await;
    queue_test(&app, token, &url(&server)).await;
    let (delivery, attempt) = attempt(&app).await;
    assert_eq!((delivery.state, delivery.attempts), (DeliveryState::Delivered, 1));
    assert_eq!((attempt.number, attempt.status, attempt.error), (1, Some(204), None));

    let request = server.received().pop().expect("a request");
    assert_eq!(request.line, "POST /hook");
    let body: Value = serde_json::from_slice(&request.body).unwrap();
    assert!(body["call"].is_number(), "{body}");
    // The secret was created for the delivery and is returned now.
    let secret = deliveries::webhook_secret(&app, token).await.unwrap().secret;
    let headers = &request.headers;
    let id = sign::message_id(&delivery, &request.body);
    assert_eq!(headers["webhook-id"], id);
    let seconds: i64 = headers["webhook-timestamp"].to_str().unwrap().parse().unwrap();
    assert_eq!(seconds, attempt.at.timestamp());
    let signature = Webhook::new(&secret).unwrap().sign(&id, seconds, &request.body).unwrap();
    assert_eq!(headers["webhook-signature"], signature);
}

#[tokio::test]
async fn response_decides_next_state_of_delivery() {
    let data = data();
    let app = data.process(Provider::off());
    let token = token(&app).await;
    let asked_to_wait = [("retry-after", "3600")];
    let server = ScriptedServer::start([answer(503, &asked_to_wait, ""), answer(410, &[], "")]).await;
    queue_test(&app, token, &url(&server)).await;
    let (delivery, kept) = attempt(&app).await;
    assert_eq!(
        (delivery.state, kept.status, kept.error.as_ref().map(ToString::to_string).as_deref()),
        (DeliveryState::Queued, Some(503), Some("answered 503"))
    );
    let pause = delivery.next_attempt_at.expect("another attempt") - kept.at;
    assert!(pause >= TimeDelta::hours(1) && pause < TimeDelta::hours(2), "{pause}");

    queue_test(&app, token, &url(&server)).await;
    let (delivery, kept) = attempt(&app).await;
    assert_eq!((delivery.state, kept.status), (DeliveryState::Stopped, Some(410)));
}

#[tokio::test]
async fn forbidden_address_is_retried_later() {
    let data = data();
    let app = data.process(Provider::off());
    let token = token(&app).await;
    queue_test(&app, token, "http://127.0.0.1:9/hook").await;
    // The operator has removed the network in the meantime.
    let strict = data.process_with(Provider::off(), |config| config.callbacks = Config::default().callbacks);
    let (delivery, kept) = attempt(&strict).await;
    let refused = "expected a public address, found 127.0.0.1 (loopback, RFC 1122)";
    assert_eq!(
        (delivery.state, kept.status, kept.error.as_ref().map(ToString::to_string).as_deref()),
        (DeliveryState::Queued, None, Some(refused))
    );
}

#[tokio::test]
async fn revoked_token_fails_its_deliveries() {
    let data = data();
    let app = data.process(Provider::off());
    let token = token(&app).await;
    let server = ScriptedServer::start([answer(204, &[], "")]).await;
    queue_test(&app, token, &url(&server)).await;
    app.store.revoke_speech_token(token, &by(&app)).await.unwrap();
    let (delivery, kept) = attempt(&app).await;
    assert_eq!(
        (delivery.state, kept.error.as_ref().map(ToString::to_string).as_deref()),
        (DeliveryState::Failed, Some("the token was revoked"))
    );
    assert!(server.received().is_empty());
}

#[tokio::test]
async fn purged_transcript_is_not_delivered() {
    let data = data();
    let app = data.process(Provider::off());
    let token = token(&app).await;
    let server = ScriptedServer::start([answer(204, &[], "")]).await;
    let call = recorded_call(&app).await;
    send(&app, token, call).await;
    complete(&app).await;
    let callback = Callback { callback_url: url(&server), callback_method: CallbackMethod::Post, callback_data: None };
    let target = deliveries::check(&app, &callback, |name| Place::Parameter(name.to_owned())).unwrap();
    let all = Slice { count: 200, offset: 0 };
    let asked = deliveries::request(&app, token, TranscriptQuery::default(), all, &target, &by(&app)).await.unwrap();
    assert_eq!(asked.call_ids, [call]);
    app.store.purge_transcripts(app.now() + TimeDelta::seconds(1), &by(&app)).await.unwrap();

    let (delivery, kept) = attempt(&app).await;
    assert_eq!(
        (delivery.state, kept.error.as_ref().map(ToString::to_string).as_deref()),
        (DeliveryState::Failed, Some("the transcript was purged"))
    );
    assert!(server.received().is_empty());
}

#[tokio::test]
async fn webhook_id_changes_with_the_body_only() {
    let data = data();
    let app = data.process(Provider::off());
    let token = token(&app).await;
    let retries = [answer(503, &[], ""), answer(503, &[], ""), answer(503, &[], "")];
    let server = ScriptedServer::start(retries.into_iter().chain([answer(204, &[], ""), answer(204, &[], "")])).await;
    let lead = leads::create(&app, r#"{"first_name":"Ada"}"#, &by(&app)).await.unwrap().id;
    let call = recorded_call_with(&app, Some(lead)).await;
    send(&app, token, call).await;
    complete(&app).await;
    let callback = Callback {
        callback_url: url(&server),
        callback_method: CallbackMethod::Post,
        callback_data: Some(json!({ "who": "{first_name}" }).to_string()),
    };
    let target = deliveries::check(&app, &callback, |name| Place::Parameter(name.to_owned())).unwrap();
    let all = Slice { count: 200, offset: 0 };
    deliveries::request(&app, token, TranscriptQuery::default(), all, &target, &by(&app)).await.unwrap();

    attempt(&app).await;
    data.clock.advance(TimeDelta::hours(1));
    attempt(&app).await;
    leads::update(&app, lead, r#"{"first_name":"Bea"}"#, None, &by(&app)).await.unwrap();
    data.clock.advance(TimeDelta::hours(1));
    attempt(&app).await;
    leads::delete(&app, lead, &by(&app)).await.unwrap();
    data.clock.advance(TimeDelta::hours(2));
    let (delivery, _) = attempt(&app).await;
    deliveries::replay(&app, delivery.id, &by(&app)).await.unwrap();
    attempt(&app).await;

    let received = server.received();
    let names: Vec<Value> =
        received.iter().map(|one| serde_json::from_slice::<Value>(&one.body).unwrap()["who"].clone()).collect();
    assert_eq!(names, [json!("Ada"), json!("Ada"), json!("Bea"), Value::Null, Value::Null]);
    let ids: Vec<_> = received.iter().map(|one| one.headers["webhook-id"].to_str().unwrap()).collect();
    assert_eq!((ids[0], ids[3]), (ids[1], ids[4]));
    assert!(ids[0] != ids[2] && ids[2] != ids[3] && ids[0] != ids[3], "{ids:?}");
}

#[tokio::test]
async fn delivery_fails_after_last_attempt() {
    let data = data();
    let app = data.process(Provider::off());
    let token = token(&app).await;
    queue_test(&app, token, "http://127.0.0.1:9/hook").await;
    let queue = DeliverCallback(app.clone());
    let mut entry = queue.claim(LEASE, app.now()).await.unwrap().unwrap();
    assert!(matches!(queue.broken_off(&entry).next, Next::Retry(_)));
    entry.attempt = 9;
    assert!(matches!(queue.broken_off(&entry).next, Next::Retry(_)));
    entry.attempt = 10;
    assert_eq!(queue.broken_off(&entry).next, Next::Failed);
}

#[tokio::test]
async fn crashing_delivery_fails_after_maximum_attempts() {
    let data = data();
    let app = data.process(Provider::off());
    let token = token(&app).await;
    let server = ScriptedServer::start([answer(204, &[], "")]).await;
    queue_test(&app, token, &url(&server)).await;
    for _ in 0..10 {
        assert!(app.store.claim_delivery(LEASE, app.now()).await.unwrap().is_some());
        data.clock.advance(LEASE);
    }
    let (delivery, kept) = attempt(&app).await;
    let error = "10 attempts were begun, and the last broke off with its worker";
    assert_eq!(
        (delivery.state, delivery.attempts, kept.error.as_ref().map(ToString::to_string).as_deref()),
        (DeliveryState::Failed, 11, Some(error))
    );
    assert!(server.received().is_empty());

    // A replay starts new attempts.
    deliveries::replay(&app, delivery.id, &by(&app)).await.unwrap();
    assert_eq!(self::attempt(&app).await.0.state, DeliveryState::Delivered);
}

#[tokio::test]
async fn runner_delivers_on_notification_and_stops() {
    let data = data();
    let app = data.process(Provider::off());
    let token = token(&app).await;
    let server = ScriptedServer::start([answer(204, &[], "")]).await;
    let (sender, stop) = stop();
    let queue = DeliverCallback(app.clone());
    let running = tokio::spawn(Runner { queue, slots: 2, lease: LEASE, clock: app.clock_watch.clone() }.run(stop));
    queue_test(&app, token, &url(&server)).await;
    let query = DeliveryQuery { state: Some(DeliveryState::Delivered), ..DeliveryQuery::default() };
    let all = Slice { count: 10, offset: 0 };
    while deliveries::list(&app, &query, all).await.unwrap().items.is_empty() {
        tokio::task::yield_now().await;
    }
    drop(sender);
    running.await.unwrap();
}
