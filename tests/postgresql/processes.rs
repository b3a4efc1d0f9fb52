//! Two API processes and two workers act as one service.

use std::collections::BTreeSet;
use std::time::Duration;

use serde_json::json;
use tokio::time::timeout;

use crate::harness::{
    Client, Installation, PASSWORD, SpeechServer, assert_one_transcript_each, body, create_postgres_database, log_in,
    session_cookie, submission_body, submission_outcome,
};

const SUBMISSION_PATH: &str = "/api/speech-recognition";

/// Time limit for any wait of this test.
const TIMEOUT: Duration = Duration::from_secs(20);

#[tokio::test(flavor = "multi_thread")]
async fn calls_get_one_transcript_across_processes() {
    const CALL_COUNT: u64 = 60;
    let database = create_postgres_database().await;
    let installation = Installation::with_database_url(database.url());
    installation.import_calls(CALL_COUNT);
    let (key, token) = (installation.create_api_key(), installation.create_speech_token());
    let (first, second) = (installation.start_api().await, installation.start_api().await);
    let speech = SpeechServer::start("one transcript for each", Duration::from_millis(50)).await;
    let _workers = [installation.start_worker(&speech), installation.start_worker(&speech)];

    // Every call is submitted to both processes at the same time.
    let mut submissions = Vec::new();
    for (client, calls) in (1..=CALL_COUNT)
        .step_by(5)
        .flat_map(|first_call| [&first, &second].map(|api| (api.client(), first_call..first_call + 5)))
    {
        let body = submission_body(&token, &calls.clone().collect::<Vec<_>>());
        submissions.push(tokio::spawn(async move { (calls, client.post(SUBMISSION_PATH, body).await.expect(200)) }));
    }
    let mut accepted = Vec::new();
    for submission in submissions {
        let (calls, response) = submission.await.unwrap();
        for call in calls {
            match submission_outcome(&response, call).as_str() {
                "accepted" => accepted.push(call),
                outcome => assert_eq!(outcome, "already_sent", "call {call}"),
            }
        }
    }
    accepted.sort_unstable();
    let calls: Vec<u64> = (1..=CALL_COUNT).collect();
    assert_eq!(accepted, calls, "each call is accepted once");
    let completed =
        assert_one_transcript_each(&second.client().with_key(&key), &calls, "one transcript for each").await;
    assert_eq!(completed, CALL_COUNT);

    // No worker started a job that another had started.
    let client = first.client().with_key(&key);
    for call in calls {
        let transcriptions = client.get(&format!("/api/calls/{call}/transcriptions")).await.expect(200);
        assert_eq!(transcriptions[0]["attempts"], 1, "call {call}: {transcriptions}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn session_is_shared_by_all_processes() {
    let database = create_postgres_database().await;
    let installation = Installation::with_database_url(database.url());
    let key = installation.create_api_key();
    let (first, second) = (installation.start_api().await, installation.start_api().await);
    let ann = json!({ "email": "ann@example.com", "password": PASSWORD, "role": "manager" });
    first.client().with_key(&key).post("/api/users", body(ann)).await.expect(201);

    let response = log_in(&first.client(), "ann@example.com", PASSWORD).await;
    let csrf_token = response.expect(200)["csrf_token"].as_str().unwrap().to_owned();
    let panel = |client: Client| {
        client.with_header("cookie", &session_cookie(&response)).with_header("x-csrf-token", &csrf_token)
    };
    let (first, second) = (panel(first.client()), panel(second.client()));
    assert_eq!(second.get("/api/session").await.expect(200)["user"]["email"], "ann@example.com");
    let campaign = second.create("/api/campaigns", json!({ "name": "Solar" })).await;
    assert_eq!(first.get(&format!("/api/campaigns/{campaign}")).await.expect(200)["name"], "Solar");

    second.delete("/api/session").await.expect(204);
    first.get("/api/campaigns").await.expect_problem(401, "unauthenticated");
}

#[tokio::test(flavor = "multi_thread")]
async fn idempotency_key_is_shared_by_all_processes() {
    const ROUND_COUNT: u64 = 20;
    let database = create_postgres_database().await;
    let installation = Installation::with_database_url(database.url());
    installation.import_calls(ROUND_COUNT + 2);
    let token = installation.create_speech_token();
    let (first_process, second_process) = (installation.start_api().await, installation.start_api().await);

    let client_with_key = |client: Client, key: &str| client.with_header("idempotency-key", key);
    let first = client_with_key(first_process.client(), "order-66")
        .post(SUBMISSION_PATH, submission_body(&token, &[ROUND_COUNT + 1]))
        .await
        .expect(200);
    assert_eq!(submission_outcome(&first, ROUND_COUNT + 1), "accepted");
    let replayed = client_with_key(second_process.client(), "order-66")
        .post(SUBMISSION_PATH, submission_body(&token, &[ROUND_COUNT + 1]))
        .await;
    assert_eq!((replayed.expect(200), replayed.header("idempotent-replayed")), (first, Some("true")));
    let reused = client_with_key(second_process.client(), "order-66")
        .post(SUBMISSION_PATH, submission_body(&token, &[ROUND_COUNT + 2]))
        .await;
    reused.expect_problem(422, "idempotency_key_reused");

    // Of two concurrent requests, one is executed; the other gets its response or an error that it is in progress.
    for call in 1..=ROUND_COUNT {
        let (key, body) = (format!("round-{call}"), submission_body(&token, &[call]));
        let (first_process, second_process) =
            (client_with_key(first_process.client(), &key), client_with_key(second_process.client(), &key));
        let (a, b) =
            tokio::join!(first_process.post(SUBMISSION_PATH, body.clone()), second_process.post(SUBMISSION_PATH, body));
        let executed: Vec<_> = [a, b].into_iter().filter(|response| response.status != 409).collect();
        assert!(!executed.is_empty());
        for response in executed {
            assert_eq!(submission_outcome(&response.expect(200), call), "accepted");
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn events_are_sent_by_every_process() {
    const CALL_COUNT: u64 = 3;
    let database = create_postgres_database().await;
    let installation = Installation::with_database_url(database.url());
    installation.import_calls(CALL_COUNT);
    let (key, token) = (installation.create_api_key(), installation.create_speech_token());
    let (first, second) = (installation.start_api().await, installation.start_api().await);
    let ann = json!({ "email": "ann@example.com", "password": PASSWORD, "role": "viewer" });
    first.client().with_key(&key).post("/api/users", body(ann)).await.expect(201);
    let session = log_in(&first.client(), "ann@example.com", PASSWORD).await;
    let mut events = first.client().with_header("cookie", &session_cookie(&session)).events("/api/events").await;
    assert_eq!(events.next_block().await.as_deref(), Some("retry: 3000"));

    second.client().post(SUBMISSION_PATH, submission_body(&token, &[1, 2, 3])).await.expect(200);
    let speech = SpeechServer::start("hello", Duration::ZERO).await;
    let _worker = installation.start_worker(&speech);
    let mut completed = BTreeSet::new();
    while completed.len() as u64 != CALL_COUNT {
        let event = timeout(TIMEOUT, events.next_data()).await.expect("an event for every call");
        if event["state"] == "completed" {
            completed.insert(event["call_id"].as_u64().unwrap());
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn search_sees_writes_of_another_process() {
    const ROUND_COUNT: usize = 50;
    let database = create_postgres_database().await;
    let installation = Installation::with_database_url(database.url());
    let key = installation.create_api_key();
    let (first, second) = (installation.start_api().await, installation.start_api().await);
    let (writer, reader) = (first.client().with_key(&key), second.client().with_key(&key));
    let lead = writer.create("/api/leads", json!({ "city": "none" })).await;
    for round in 0..ROUND_COUNT {
        let city = format!("city {round}");
        writer.patch(&format!("/api/leads/{lead}"), body(json!({ "city": city }))).await.expect(200);
        let result = reader.search_leads(json!({ "city": city })).await;
        assert_eq!((&result["total_leads"], &result["leads"][0]["id"]), (&json!(1), &json!(lead)), "{city}");
    }
}
