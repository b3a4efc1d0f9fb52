//! Two API processes and two workers act as one service.

use std::collections::BTreeSet;
use std::time::Duration;

use serde_json::json;
use tokio::time::timeout;

use crate::harness::{
    Client, Installation, PASSWORD, SpeechServer, body, cookie, expect_one_transcript_each, log_in, postgres,
    submission, verdict,
};

const SPEECH: &str = "/api/speech-recognition";

/// Time limit for any wait of this test.
const PATIENCE: Duration = Duration::from_secs(20);

#[tokio::test(flavor = "multi_thread")]
async fn calls_get_one_transcript_across_processes() {
    const CALLS: u64 = 60;
    let database = postgres().await;
    let installation = Installation::on(database.url());
    installation.import_calls(CALLS);
    let (key, token) = (installation.key(), installation.token());
    let (one, other) = (installation.api().await, installation.api().await);
    let speech = SpeechServer::saying("one transcript for each", Duration::from_millis(50)).await;
    let _workers = [installation.worker(&speech), installation.worker(&speech)];

    // Every call is submitted to both processes at the same time.
    let mut sent = Vec::new();
    for (client, calls) in
        (1..=CALLS).step_by(5).flat_map(|first| [&one, &other].map(|api| (api.client(), first..first + 5)))
    {
        let body = submission(&token, &calls.clone().collect::<Vec<_>>());
        sent.push(tokio::spawn(async move { (calls, client.post(SPEECH, body).await.expect(200)) }));
    }
    let mut accepted = Vec::new();
    for sent in sent {
        let (calls, answer) = sent.await.unwrap();
        for call in calls {
            match verdict(&answer, call).as_str() {
                "accepted" => accepted.push(call),
                other => assert_eq!(other, "already_sent", "call {call}"),
            }
        }
    }
    accepted.sort_unstable();
    let calls: Vec<u64> = (1..=CALLS).collect();
    assert_eq!(accepted, calls, "each call is accepted once");
    let completed = expect_one_transcript_each(&other.client().with_key(&key), &calls, "one transcript for each").await;
    assert_eq!(completed, CALLS);

    // No worker started a job that another had started.
    let client = one.client().with_key(&key);
    for call in calls {
        let work = client.get(&format!("/api/calls/{call}/transcriptions")).await.expect(200);
        assert_eq!(work[0]["attempts"], 1, "call {call}: {work}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn session_is_shared_by_all_processes() {
    let database = postgres().await;
    let installation = Installation::on(database.url());
    let key = installation.key();
    let (one, other) = (installation.api().await, installation.api().await);
    let ann = json!({ "email": "ann@example.com", "password": PASSWORD, "role": "manager" });
    one.client().with_key(&key).post("/api/users", body(ann)).await.expect(201);

    let answer = log_in(&one.client(), "ann@example.com", PASSWORD).await;
    let csrf_token = answer.expect(200)["csrf_token"].as_str().unwrap().to_owned();
    let panel =
        |client: Client| client.with_header("cookie", &cookie(&answer)).with_header("x-csrf-token", &csrf_token);
    let (one, other) = (panel(one.client()), panel(other.client()));
    assert_eq!(other.get("/api/session").await.expect(200)["user"]["email"], "ann@example.com");
    let campaign = other.create("/api/campaigns", json!({ "name": "Solar" })).await;
    assert_eq!(one.get(&format!("/api/campaigns/{campaign}")).await.expect(200)["name"], "Solar");

    other.delete("/api/session").await.expect(204);
    one.get("/api/campaigns").await.refused(401, "unauthenticated");
}

#[tokio::test(flavor = "multi_thread")]
async fn idempotency_key_is_shared_by_all_processes() {
    const ROUNDS: u64 = 20;
    let database = postgres().await;
    let installation = Installation::on(database.url());
    installation.import_calls(ROUNDS + 2);
    let token = installation.token();
    let (one, other) = (installation.api().await, installation.api().await);

    let keyed = |client: Client, key: &str| client.with_header("idempotency-key", key);
    let first = keyed(one.client(), "order-66").post(SPEECH, submission(&token, &[ROUNDS + 1])).await.expect(200);
    assert_eq!(verdict(&first, ROUNDS + 1), "accepted");
    let replayed = keyed(other.client(), "order-66").post(SPEECH, submission(&token, &[ROUNDS + 1])).await;
    assert_eq!((replayed.expect(200), replayed.header("idempotent-replayed")), (first, Some("true")));
    let reused = keyed(other.client(), "order-66").post(SPEECH, submission(&token, &[ROUNDS + 2])).await;
    reused.refused(422, "idempotency_key_reused");

    // Of two concurrent requests, one is executed; the other gets its response or an error that it is in progress.
    for call in 1..=ROUNDS {
        let (key, body) = (format!("round-{call}"), submission(&token, &[call]));
        let (one, other) = (keyed(one.client(), &key), keyed(other.client(), &key));
        let (a, b) = tokio::join!(one.post(SPEECH, body.clone()), other.post(SPEECH, body));
        let carried_out: Vec<_> = [a, b].into_iter().filter(|answer| answer.status != 409).collect();
        assert!(!carried_out.is_empty());
        for answer in carried_out {
            assert_eq!(verdict(&answer.expect(200), call), "accepted");
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn events_are_sent_by_every_process() {
    const CALLS: u64 = 3;
    let database = postgres().await;
    let installation = Installation::on(database.url());
    installation.import_calls(CALLS);
    let (key, token) = (installation.key(), installation.token());
    let (one, other) = (installation.api().await, installation.api().await);
    let ann = json!({ "email": "ann@example.com", "password": PASSWORD, "role": "viewer" });
    one.client().with_key(&key).post("/api/users", body(ann)).await.expect(201);
    let session = log_in(&one.client(), "ann@example.com", PASSWORD).await;
    let mut events = one.client().with_header("cookie", &cookie(&session)).events("/api/events").await;
    assert_eq!(events.next().await.as_deref(), Some("retry: 3000"));

    other.client().post(SPEECH, submission(&token, &[1, 2, 3])).await.expect(200);
    let speech = SpeechServer::saying("hello", Duration::ZERO).await;
    let _worker = installation.worker(&speech);
    let mut completed = BTreeSet::new();
    while completed.len() as u64 != CALLS {
        let event = timeout(PATIENCE, events.data()).await.expect("an event for every call");
        if event["state"] == "completed" {
            completed.insert(event["call_id"].as_u64().unwrap());
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn search_sees_writes_of_another_process() {
    const ROUNDS: usize = 50;
    let database = postgres().await;
    let installation = Installation::on(database.url());
    let key = installation.key();
    let (one, other) = (installation.api().await, installation.api().await);
    let (writer, reader) = (one.client().with_key(&key), other.client().with_key(&key));
    let lead = writer.create("/api/leads", json!({ "city": "none" })).await;
    for round in 0..ROUNDS {
        let city = format!("city {round}");
        writer.patch(&format!("/api/leads/{lead}"), body(json!({ "city": city }))).await.expect(200);
        let found = reader.put("/api/leads/extended-data", body(json!({ "city": city }))).await.expect(200);
        assert_eq!((&found["total_leads"], &found["leads"][0]["id"]), (&json!(1), &json!(lead)), "{city}");
    }
}
