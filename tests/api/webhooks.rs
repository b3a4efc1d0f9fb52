//! `/api/webhooks`: endpoints that events are delivered to. The requests to an endpoint are tested in `worker`.

use leadscribe_engine::api::RecordingSide::Caller;
use leadscribe_engine::diagnostic::work;
use leadscribe_server::service::deliveries;
use leadscribe_server::storage::AttemptResult;
use serde_json::{Value, json};

use super::imports::import;
use crate::harness::{Client, Server, body};

const URL: &str = "https://example.com/events";

/// Creates a webhook and returns its path.
async fn create(client: &Client, members: Value) -> String {
    let mut request = json!({ "url": URL });
    request.as_object_mut().unwrap().extend(members.as_object().unwrap().clone());
    let created = client.post("/api/webhooks", body(request)).await.expect(201);
    format!("/api/webhooks/{}", created["webhook"]["id"])
}

/// Delivers the next delivery, and returns its body.
async fn deliver_next(server: &Server) -> Value {
    let claimed = server.finish_delivery(204, AttemptResult::Delivered).await;
    serde_json::from_slice(&deliveries::body(&claimed).unwrap()).unwrap()
}

#[tokio::test]
async fn webhooks_are_created_changed_and_deleted() {
    let (server, admin) = Server::start_with_admin().await;
    let request =
        json!({ "url": "https://EXAMPLE.com:443/events", "events": ["lead.deleted", "lead.changed", "lead.changed"] });
    let created = admin.post("/api/webhooks", body(request)).await;
    let webhook = created.expect(201)["webhook"].clone();
    let expected = json!({
        "id": 1, "url": URL, "events": ["lead.changed", "lead.deleted"], "token_id": null, "body_template": null,
        "paused": false, "events_lost_at": null, "created_at": "2026-05-01T09:30:00Z", "updated_at": "2026-05-01T09:30:00Z"
    });
    assert_eq!((&webhook, created.header("location")), (&expected, Some("/api/webhooks/1")));
    assert!(created.json()["secret"].as_str().unwrap().starts_with("whsec_"));
    assert_eq!(admin.get("/api/webhooks").await.expect(200), json!({ "items": [webhook], "total": 1 }));
    let read = admin.get("/api/webhooks/1").await;
    assert_eq!(read.expect(200), webhook, "the secret is not repeated");
    let etag = read.header("etag").unwrap().to_owned();
    assert_eq!(admin.with_header("if-none-match", &etag).get("/api/webhooks/1").await.status, 304);

    server.advance(chrono::TimeDelta::minutes(1));
    let change = json!({ "paused": true, "body_template": "[\"{event_id}\"]", "events": ["import.finished"], "url": "https://example.com/2" });
    let changed = admin.with_header("if-match", &etag).patch("/api/webhooks/1", body(change)).await.expect(200);
    assert_eq!(
        (&changed["paused"], &changed["body_template"], &changed["events"], &changed["url"], &changed["updated_at"]),
        (
            &json!(true),
            &json!("[\"{event_id}\"]"),
            &json!(["import.finished"]),
            &json!("https://example.com/2"),
            &json!("2026-05-01T09:31:00Z")
        )
    );
    let outdated = admin.with_header("if-match", &etag);
    outdated.patch("/api/webhooks/1", r#"{"paused":false}"#).await.expect_problem(412, "precondition_failed");
    outdated.delete("/api/webhooks/1").await.expect_problem(412, "precondition_failed");
    let without_template = admin.patch("/api/webhooks/1", r#"{"body_template":null}"#).await.expect(200);
    assert_eq!(without_template["body_template"], Value::Null);
    admin.delete("/api/webhooks/1").await.expect(204);
    for path in ["/api/webhooks/1", "/api/webhooks/1/deliveries"] {
        admin.get(path).await.expect_problem(404, "not_found");
    }
    for path in ["/api/webhooks/1/test", "/api/webhooks/1/rotate-secret"] {
        admin.post(path, "").await.expect_problem(404, "not_found");
    }
    assert_eq!(admin.get("/api/webhooks").await.expect(200)["total"], 0);
    let log = admin.get("/api/audit-log?subject=webhook:1").await.expect(200);
    let actions: Vec<_> =
        log["items"].as_array().unwrap().iter().map(|entry| entry["action"].as_str().unwrap()).collect();
    assert_eq!(actions, ["webhook.delete", "webhook.update", "webhook.update", "webhook.create"]);
}

#[tokio::test]
async fn invalid_webhooks_are_refused() {
    let (server, admin) = Server::start_with_admin().await;
    server.create_speech_token("Acme").await;
    let codes = async |members: Value| {
        let mut request = json!({ "url": URL, "events": ["lead.changed"] });
        request.as_object_mut().unwrap().extend(members.as_object().unwrap().clone());
        let response = admin.post("/api/webhooks", body(request)).await;
        response.expect_problem(400, "invalid_request");
        let errors = response.json()["errors"].as_array().unwrap().clone();
        let line = |error: Value| format!("{} {}", error["pointer"].as_str().unwrap(), error["code"].as_str().unwrap());
        errors.into_iter().map(line).collect::<Vec<_>>()
    };
    for (members, expected) in [
        (json!({ "url": "example.com" }), vec!["/url invalid_url"]),
        (json!({ "url": "ftp://example.com/" }), vec!["/url not_permitted"]),
        (json!({ "url": "http://example.com/" }), vec!["/url callback_not_secure"]),
        (json!({ "url": "https://10.0.0.1/#x" }), vec!["/url callback_not_public", "/url not_permitted"]),
        (json!({ "events": [] }), vec!["/events missing_value"]),
        (json!({ "events": ["webhook.test", "lead.changed"] }), vec!["/events not_permitted"]),
        (json!({ "token_id": 1, "events": ["lead.changed", "call.created"] }), vec!["/events not_permitted"; 2]),
        (json!({ "body_template": "[\"{cal_id}\"]" }), vec!["/body_template unknown_placeholder"]),
        (
            json!({ "url": "x", "events": [], "body_template": "1" }),
            vec!["/events missing_value", "/url invalid_url", "/body_template not_permitted"],
        ),
    ] {
        let found = codes(members.clone()).await;
        // Codes of template errors are tested in the engine.
        let found: Vec<_> = found.iter().map(String::as_str).collect();
        if members["body_template"] == "1" {
            assert_eq!(found[..2], expected[..2], "{members}");
            assert!(found[2].starts_with("/body_template "), "{found:?}");
        } else {
            assert_eq!(found, expected, "{members}");
        }
    }
    let misspelled = admin.post("/api/webhooks", body(json!({ "url": URL, "events": ["lead.chnaged"] }))).await;
    assert_eq!(misspelled.expect_problem(400, "invalid_request").len(), 1);
    let unknown_token = json!({ "url": URL, "events": ["recording.ready"], "token_id": 99 });
    admin.post("/api/webhooks", body(unknown_token)).await.expect_problem(422, "unprocessable");
    admin.delete("/api/speech-tokens/1").await.expect(200);
    let revoked_token = json!({ "url": URL, "events": ["recording.ready"], "token_id": 1 });
    admin.post("/api/webhooks", body(revoked_token)).await.expect_problem(409, "conflict");
    assert_eq!(admin.get("/api/webhooks").await.expect(200)["total"], 0);

    let webhook = create(&admin, json!({ "events": ["lead.changed"] })).await;
    for (change, pointer) in [
        (json!({ "url": "https://127.1/" }), "/url"),
        (json!({ "events": [] }), "/events"),
        (json!({ "body_template": "{" }), "/body_template"),
    ] {
        let refused = admin.patch(&webhook, body(change)).await;
        let errors = refused.expect_problem(400, "invalid_request");
        assert!(errors[0].starts_with(&format!("{pointer:?} ")), "{errors:?}");
    }
}

#[tokio::test]
async fn events_are_cloud_events_with_the_current_record() {
    let (server, admin) = Server::start_with_admin().await;
    let webhook = create(&admin, json!({ "events": ["lead.changed", "lead.deleted", "import.finished"] })).await;
    let lead = admin.create("/api/leads", json!({ "city": "Bonn" })).await;
    server.queue_events(&webhook, 1).await;
    admin.patch(&format!("/api/leads/{lead}"), r#"{"city":"Ulm"}"#).await.expect(200);
    let event = deliver_next(&server).await;
    assert_eq!((&event["data"]["id"], &event["data"]["record"]["city"]), (&json!(lead), &json!("Ulm")));
    let delivery = admin.get(&format!("{webhook}/deliveries")).await.expect(200)["items"][0].clone();
    assert_eq!(
        (&delivery["event"], &delivery["webhook_id"], &delivery["state"], &delivery["callback"]["callback_url"]),
        (&json!("lead.changed"), &json!(1), &json!("delivered"), &json!(URL))
    );
    for (name, value) in [
        ("specversion", json!("1.0")),
        ("source", json!("/api/changes")),
        ("type", json!("lead.changed")),
        ("subject", json!(format!("lead:{lead}"))),
        ("datacontenttype", json!("application/json")),
    ] {
        assert_eq!(event[name], value, "{name}");
    }
    assert!(event["time"].is_string());
    server.queue_events(&webhook, 2).await;
    let second = deliver_next(&server).await;
    assert_ne!(second["id"], event["id"]);
    admin.delete(&format!("/api/leads/{lead}")).await.expect(204);
    server.queue_events(&webhook, 3).await;
    let deleted = deliver_next(&server).await;
    assert_eq!((&deleted["type"], &deleted["data"]), (&json!("lead.deleted"), &json!({ "id": lead, "record": null })));

    let imported = import(&admin, "leads", "original_identifier,city\ncrm-1,Rome\n").await;
    server.queue_events(&webhook, 5).await;
    let events = [deliver_next(&server).await, deliver_next(&server).await];
    let finished = events.iter().find(|event| event["type"] == "import.finished").unwrap();
    assert_eq!(finished["subject"], format!("import:{}", imported["id"]));
    assert_eq!(finished["data"]["record"]["counts"]["inserted"], 1);
    assert_eq!(admin.get("/api/deliveries?webhook_id=1&state=delivered").await.expect(200)["total"], 5);
}

#[tokio::test]
async fn calls_are_told_from_creation_to_transcript() {
    let (server, admin) = Server::start_with_admin().await;
    let token = server.create_speech_token("Acme").await;
    let events = ["call.created", "recording.ready", "transcript.completed", "transcription.failed"];
    let webhook = create(&admin, json!({ "events": events })).await;
    let call = server.create_transcribed_call(&token, json!({}), &[(Caller, "hello")]).await;
    server.queue_events(&webhook, 3).await;
    let failed = server.create_recorded_call(json!({})).await;
    server.submit_call(failed, &token).await;
    server.fail_transcription(failed, work::recording_unreadable()).await;
    server.queue_events(&webhook, 6).await;
    let mut bodies = Vec::new();
    for _ in 0..6 {
        bodies.push(deliver_next(&server).await);
    }
    let data = |event_type: &str, call: i64| {
        let subject = format!("call:{call}");
        let mut matching = bodies.iter().filter(|body| body["type"] == event_type && body["subject"] == subject);
        let found = matching.next().unwrap_or_else(|| panic!("{event_type} of {subject} in {bodies:?}"));
        assert_eq!(matching.next(), None);
        found["data"].clone()
    };
    assert_eq!(data("call.created", call)["record"]["direction"], "inbound");
    let recording = data("recording.ready", call);
    assert_eq!((&recording["call_id"], &recording["recording"]["channels"]), (&json!(call), &json!(2)));
    let completed = data("transcript.completed", call);
    assert_eq!(
        (&completed["transcription_status"], &completed["speech_result"]["segments"][0]["text"], &completed["error"]),
        (&json!("completed"), &json!("hello"), &Value::Null)
    );
    data("call.created", failed);
    data("recording.ready", failed);
    let ended = data("transcription.failed", failed);
    assert_eq!(
        (&ended["call_id"], &ended["transcription_status"], &ended["error"], &ended["speech_result"]),
        (&json!(failed), &json!("failed"), &json!("the recording can't be read"), &Value::Null)
    );
}

#[tokio::test]
async fn template_replaces_the_event() {
    let (server, admin) = Server::start_with_admin().await;
    let template = r#"{"what":"{event_type} {event_subject}","city":"{event_data}","name":"{first_name}"}"#;
    let webhook = create(&admin, json!({ "events": ["lead.changed"], "body_template": template })).await;
    let lead = admin.create("/api/leads", json!({ "first_name": "Ada" })).await;
    server.queue_events(&webhook, 1).await;
    let body = deliver_next(&server).await;
    assert_eq!((&body["what"], &body["name"]), (&json!(format!("lead.changed lead:{lead}")), &json!("Ada")));
    assert_eq!(body["city"]["id"], lead);
}

#[tokio::test]
async fn token_manages_only_its_own_webhooks() {
    let (server, admin) = Server::start_with_admin().await;
    let [own_secret, other_secret] =
        [server.create_speech_token("Own").await, server.create_speech_token("Other").await];
    let client = |secret: &str| server.anonymous().with_header("x-speech-token", secret);
    let (own, other) = (client(&own_secret), client(&other_secret));
    let staff_webhook = create(&admin, json!({ "events": ["lead.changed"] })).await;
    let webhook =
        create(&own, json!({ "events": ["transcript.completed", "transcription.failed", "recording.ready"] })).await;
    assert_eq!(own.get(&webhook).await.expect(200)["token_id"], 1);
    let foreign_owner = json!({ "url": URL, "events": ["transcript.completed"], "token_id": 2 });
    let refused = own.post("/api/webhooks", body(foreign_owner)).await.expect_problem(400, "invalid_request");
    assert!(refused[0].starts_with("\"/token_id\" not_permitted"), "{refused:?}");
    for event in ["call.created", "lead.changed", "import.finished", "webhook.test"] {
        let request = json!({ "url": URL, "events": [event] });
        own.post("/api/webhooks", body(request)).await.expect_problem(400, "invalid_request");
        own.patch(&webhook, body(json!({ "events": [event] }))).await.expect_problem(400, "invalid_request");
    }
    for (client, path) in [(&own, &staff_webhook), (&other, &webhook)] {
        client.get(path).await.expect_problem(404, "not_found");
        client.patch(path, r#"{"paused":true}"#).await.expect_problem(404, "not_found");
        client.delete(path).await.expect_problem(404, "not_found");
        client.get(&format!("{path}/deliveries")).await.expect_problem(404, "not_found");
        client.post(&format!("{path}/test"), "").await.expect_problem(404, "not_found");
        client.post(&format!("{path}/rotate-secret"), "").await.expect_problem(404, "not_found");
    }
    let total = async |client: &Client| client.get("/api/webhooks").await.expect(200)["total"].clone();
    assert_eq!([total(&own).await, total(&other).await, total(&admin).await], [1, 0, 2]);

    server.create_transcribed_call(&other_secret, json!({}), &[(Caller, "a secret")]).await;
    let call = server.create_transcribed_call(&own_secret, json!({}), &[(Caller, "hello")]).await;
    server.queue_events(&webhook, 2).await;
    // The call was submitted before its recording was read from the log. The call of the other token is no event.
    let recording = deliver_next(&server).await;
    assert_eq!((&recording["type"], &recording["data"]["call_id"]), (&json!("recording.ready"), &json!(call)));
    let event = deliver_next(&server).await;
    assert_eq!((&event["type"], &event["subject"]), (&json!("transcript.completed"), &json!(format!("call:{call}"))));
    let delivery = own.get(&format!("{webhook}/deliveries")).await.expect(200)["items"][0].clone();
    assert_eq!((&delivery["call_id"], &delivery["token_id"]), (&json!(call), &json!(1)));

    own.post(&format!("{webhook}/test"), "").await.expect(202);
    admin.delete("/api/speech-tokens/1").await.expect(200);
    admin.post(&format!("{webhook}/test"), "").await.expect_problem(409, "conflict");
}

#[tokio::test]
async fn token_sent_with_a_key_or_session_owns_the_webhook() {
    let server = Server::start().await;
    let token = server.create_speech_token("Acme").await;
    let key = server.client_with_scopes(&["speech:submit", "speech:read"]).await;
    let staff_webhook = create(&server.admin(), json!({ "events": ["lead.changed"] })).await;
    for client in [server.admin(), key, server.logged_in_client("manager").await] {
        let client = client.with_header("x-speech-token", &token);
        let path = create(&client, json!({ "events": ["transcript.completed"] })).await;
        assert!(server.admin().get(&path).await.expect(200)["token_id"].is_i64());
        client.get(&staff_webhook).await.expect_problem(404, "not_found");
    }
    for client in [server.client_with_scopes(&["speech:read"]).await, server.logged_in_client("viewer").await] {
        let response = client.with_header("x-speech-token", &token).post("/api/webhooks", "{}").await;
        response.expect_problem(403, "forbidden");
        assert!(response.text().contains("requires the scope speech:submit"), "{}", response.text());
    }
}

#[tokio::test]
async fn test_event_is_delivered_also_while_paused() {
    let (server, admin) = Server::start_with_admin().await;
    let webhook = create(&admin, json!({ "events": ["lead.changed"], "paused": true })).await;
    admin.create("/api/leads", json!({ "city": "Bonn" })).await;
    let keyed = admin.with_header("idempotency-key", "test");
    let response = keyed.post(&format!("{webhook}/test"), "").await;
    let delivery = response.expect(202);
    assert_eq!((&delivery["event"], &delivery["state"]), (&json!("webhook.test"), &json!("queued")));
    assert_eq!(response.header("location"), Some("/api/webhooks/1/deliveries"));
    let repeated = keyed.post(&format!("{webhook}/test"), "").await;
    assert_eq!((repeated.header("idempotent-replayed"), repeated.expect(202)), (Some("true"), delivery));
    server.queue_events(&webhook, 1).await;
    let event = deliver_next(&server).await;
    assert_eq!((&event["type"], &event["data"]), (&json!("webhook.test"), &json!({ "id": 1 })));
    assert_eq!(event["subject"], "webhook:1");
    admin.patch(&webhook, r#"{"paused":false}"#).await.expect(200);
    server.queue_events(&webhook, 2).await;
    assert_eq!(deliver_next(&server).await["type"], "lead.changed");
}

#[tokio::test]
async fn rotated_secret_signs_with_the_previous_one_for_a_day() {
    let (server, admin) = Server::start_with_admin().await;
    let request = body(json!({ "url": URL, "events": ["lead.changed"] }));
    let keyed = admin.with_header("idempotency-key", "webhook");
    let first = keyed.post("/api/webhooks", request.clone()).await.expect(201)["secret"].clone();
    let repeated = keyed.post("/api/webhooks", request).await.expect_problem(409, "conflict");
    assert!(repeated[0].contains("`webhook:1`; its secret was only in that response"), "{repeated:?}");
    let rotated = admin.post("/api/webhooks/1/rotate-secret", "").await.expect(200);
    assert_ne!(rotated["secret"], first);
    assert_eq!(rotated["previous_valid_until"], "2026-05-02T09:30:00Z");
    for _ in 0..2 {
        admin.post("/api/webhooks/1/test", "").await.expect(202);
    }
    let secrets = |claimed: leadscribe_server::storage::ClaimedDelivery| json!(claimed.secrets);
    let claimed = server.finish_delivery(204, AttemptResult::Delivered).await;
    assert_eq!(secrets(claimed), json!([rotated["secret"], first]));
    server.advance(chrono::TimeDelta::days(1));
    let claimed = server.finish_delivery(204, AttemptResult::Delivered).await;
    assert_eq!(secrets(claimed), json!([rotated["secret"]]));
    let log = admin.get("/api/audit-log?subject=webhook:1").await;
    assert!(!log.text().contains(rotated["secret"].as_str().unwrap()));
}
