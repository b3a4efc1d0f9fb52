//! What operators see: measurements that move when they should, and the alerts, dashboard and runbook that are made of them.

mod documents;
mod exposition;

use std::io::Write;
use std::net::TcpStream;
use std::time::{Duration, Instant};

use serde_json::json;

pub use self::exposition::Exposition;
use crate::harness::{Client, Endpoint, Program, SpeechServer, Worker, eventually, run, wav};
use crate::speech::{recorded_call, sample, transcribed};

/// How long a test waits for what must come, on a busy machine.
const PATIENCE: Duration = Duration::from_secs(60);

/// Asks until a measurement is as expected, and gives all of that moment.
async fn seen(client: &Client, is_as_expected: impl Fn(&Exposition) -> bool) -> Exposition {
    let deadline = Instant::now() + PATIENCE;
    loop {
        let now = Exposition::of(client).await;
        if is_as_expected(&now) {
            return now;
        }
        assert!(Instant::now() < deadline, "{now:#?}");
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
}

#[tokio::test]
async fn measurements_of_requests_the_store_and_its_queues_move() {
    let home = tempfile::tempdir().unwrap();
    let key = run(home.path(), &["api-key", "create", "--name", "test", "--scope", "admin"]);
    let token = run(home.path(), &["token", "create", "--name", "test"]);
    // Nothing works here, so that what is queued stays so.
    let options = [("LEADSCRIBE_ROLE", "api"), ("LEADSCRIBE_MAX_REQUESTS", "1")];
    let program = Program::start_with(home.path(), &options).await;
    let client = program.client().with_key(&key);

    let before = seen(&client, |now| now.value("leadscribe_lead_index_ready", &[]) == Some(1.0)).await;
    assert_eq!(before.value("leadscribe_store_up", &[]), Some(1.0));
    assert_eq!(before.value("leadscribe_build_info", &[("version", env!("CARGO_PKG_VERSION"))]), Some(1.0));
    assert_eq!(before.value("leadscribe_http_requests_shed_total", &[]), Some(0.0));
    assert_eq!(before.value("leadscribe_transcriptions_open", &[("state", "queued")]), Some(0.0));
    assert_eq!(before.value("leadscribe_deliveries_open", &[("state", "queued")]), Some(0.0));
    assert_eq!(before.value("leadscribe_recognizer_ready", &[]), None, "this process transcribes nothing");
    let free = before.value("leadscribe_data_dir_free_bytes", &[]).unwrap();
    assert!(0.0 < free && free < before.value("leadscribe_data_dir_size_bytes", &[]).unwrap());
    let most = before.value("leadscribe_database_connections_max", &[]).unwrap();
    assert!(before.value("leadscribe_database_connections_idle", &[]).unwrap() <= most && most >= 1.0);
    assert_eq!(before.value("leadscribe_database_waiting", &[("queue", "connections")]), Some(0.0));
    assert!(before.value("leadscribe_lead_index_behind_seconds", &[]).unwrap() < PATIENCE.as_secs_f64());

    client.create("/api/leads", json!({ "first_name": "Ann" })).await;
    client.create("/api/leads", json!({ "first_name": "Bob" })).await;
    let call = recorded_call(&client, wav(2, 1.5)).await;
    let submission = json!({ "call_ids": [call], "token": token, "languages": ["en"], "recording_side": "both" });
    client.post("/api/speech-recognition", submission.to_string()).await.expect(200);
    let callback = json!({ "callback_url": "https://example.com/", "callback_method": "PUT", "callback_data": "{}" });
    client.post("/api/speech-tokens/1/test-deliveries", callback.to_string()).await.expect(202);
    shed(&program, &client).await;

    let after = seen(&client, |now| now.value("leadscribe_lead_index_leads", &[]) == Some(2.0)).await;
    assert!(after.value("leadscribe_lead_index_bytes", &[]) > before.value("leadscribe_lead_index_bytes", &[]));
    let created = [("route", "/api/leads"), ("method", "POST"), ("status", "201")];
    assert_eq!(after.value("leadscribe_http_requests_total", &created), Some(2.0));
    assert_eq!(after.value("leadscribe_http_request_duration_seconds_count", &created[..2]), Some(2.0));
    assert!(after.value("leadscribe_http_requests_shed_total", &[]) >= Some(1.0));
    assert_eq!(after.value("leadscribe_transcriptions_open", &[("state", "queued")]), Some(1.0));
    assert_eq!(after.value("leadscribe_deliveries_open", &[("state", "queued")]), Some(1.0));
    let later = seen(&client, |now| now.value("leadscribe_deliveries_oldest_due_seconds", &[]) > Some(0.0)).await;
    assert!(later.value("leadscribe_transcriptions_oldest_queued_seconds", &[]) > Some(0.0));
}

#[tokio::test]
async fn a_worker_is_watched_at_an_address_of_its_own() {
    let home = tempfile::tempdir().unwrap();
    let key = run(home.path(), &["api-key", "create", "--name", "test", "--scope", "admin"]);
    let address = std::net::TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().to_string();
    let options = [("LEADSCRIBE_METRICS_LISTEN", address.as_str()), ("LEADSCRIBE_RECOGNIZER", "off")];
    let worker = Worker::start(home.path(), &options);
    let client = Client::anonymous(&format!("http://{address}"));
    eventually("the worker is ready", async || client.reaches("/readyz").await).await;
    client.get("/metrics").await.refused(401, "unauthenticated");
    let seen = Exposition::of(&client.with_key(&key)).await;
    assert_eq!(seen.value("leadscribe_store_up", &[]), Some(1.0));
    assert_eq!(seen.value("leadscribe_transcriptions_total", &[("outcome", "completed")]), Some(0.0));
    for elsewhere in ["/", "/api/leads", "/api/session", "/settings"] {
        client.with_key(&key).get(elsewhere).await.refused(404, "not_found");
    }
    worker.kill();
    assert!(!client.reaches("/healthz").await);
}

#[tokio::test]
async fn measurements_that_are_public_are_so_where_those_ask_who_watch() {
    let home = tempfile::tempdir().unwrap();
    let address = std::net::TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().to_string();
    let options = [("LEADSCRIBE_METRICS_LISTEN", address.as_str()), ("LEADSCRIBE_METRICS_PUBLIC", "true")];
    let program = Program::start_with(home.path(), &options).await;
    let watching = Exposition::of(&Client::anonymous(&format!("http://{address}"))).await;
    assert_eq!(watching.value("leadscribe_store_up", &[]), Some(1.0));
    program.client().get("/metrics").await.refused(401, "unauthenticated");
}

/// Has a request refused while another one, whose body doesn't come, takes the only place.
async fn shed(program: &Program, client: &Client) {
    let key = client.authorization();
    let head = format!(
        "POST /api/campaigns HTTP/1.1\r\nhost: h\r\nauthorization: {key}\r\ncontent-type: application/json\r\ncontent-length: 9\r\n\r\n"
    );
    let deadline = Instant::now() + PATIENCE;
    let slow = 'refused: loop {
        assert!(Instant::now() < deadline, "nothing was refused");
        let mut slow = TcpStream::connect(program.address()).unwrap();
        slow.write_all(head.as_bytes()).unwrap();
        // Whichever comes first takes the place: it may itself be the one that is refused, and is sent again then.
        for _ in 0..20 {
            if client.status("/api/leads?limit=1;0").await == 503 {
                break 'refused slow;
            }
        }
    };
    drop(slow);
    while client.status("/api/leads?limit=1;0").await != 200 {
        assert!(Instant::now() < deadline, "everything is refused");
    }
}

#[tokio::test]
async fn measurements_of_recognition_and_deliveries_move() {
    let home = tempfile::tempdir().unwrap();
    let key = run(home.path(), &["api-key", "create", "--name", "test", "--scope", "admin"]);
    let token = run(home.path(), &["token", "create", "--name", "test"]);
    let speech = SpeechServer::saying("please send the invoice again", Duration::ZERO).await;
    let options: Vec<_> = speech.options().into_iter().chain([("LEADSCRIBE_CALLBACK_NETWORKS", "127.0.0.1")]).collect();
    let program = Program::start_with(home.path(), &options).await;
    let client = program.client().with_key(&key);
    let call = recorded_call(&client, sample("librivox_0880.wav")).await;
    transcribed(&program, &token, call, &["en"]).await;
    let done =
        |now: &Exposition| now.value("leadscribe_transcriptions_total", &[("outcome", "completed")]) == Some(1.0);
    let now = seen(&client, done).await;
    assert_eq!(now.value("leadscribe_recognizer_ready", &[]), Some(1.0));
    for part in ["transcribed_audio_seconds", "transcription_duration_seconds", "transcription_real_time_factor"] {
        assert_eq!(now.value(&format!("leadscribe_{part}_count"), &[]), Some(1.0), "{part}");
        assert!(now.value(&format!("leadscribe_{part}_sum"), &[]) > Some(0.0), "{part}");
    }

    let endpoint = Endpoint::answering(&[]).await;
    let callback = json!({ "callback_url": endpoint.url, "callback_method": "PUT", "callback_data": "{}" });
    client.post("/api/speech-tokens/1/test-deliveries", callback.to_string()).await.expect(202);
    seen(&client, |now| now.value("leadscribe_delivery_attempts_total", &[("outcome", "delivered")]) == Some(1.0))
        .await;
}

#[tokio::test]
async fn what_the_recogniser_can_not_take_is_counted() {
    let home = tempfile::tempdir().unwrap();
    let key = run(home.path(), &["api-key", "create", "--name", "test", "--scope", "admin"]);
    let token = run(home.path(), &["token", "create", "--name", "test"]);
    // Nothing listens there.
    let options = [("LEADSCRIBE_RECOGNIZER", "http"), ("LEADSCRIBE_SPEECH_URL", "http://127.0.0.1:1")];
    let program = Program::start_with(home.path(), &options).await;
    let client = program.client().with_key(&key);
    let call = recorded_call(&client, sample("librivox_0880.wav")).await;
    let submission = json!({ "call_ids": [call], "token": token, "languages": ["en"], "recording_side": "both" });
    client.post("/api/speech-recognition", submission.to_string()).await.expect(200);
    let failed = [("reason", "unavailable")];
    let now = seen(&client, |now| now.value("leadscribe_recognizer_failures_total", &failed) >= Some(1.0)).await;
    assert_eq!(now.value("leadscribe_recognizer_failures_total", &[("reason", "refused")]), Some(0.0));
    seen(&client, |now| now.value("leadscribe_transcriptions_total", &[("outcome", "retried")]) >= Some(1.0)).await;
}

#[tokio::test]
async fn labels_come_from_closed_lists() {
    let home = tempfile::tempdir().unwrap();
    let program = Program::start_with(home.path(), &[("LEADSCRIBE_METRICS_PUBLIC", "true")]).await;
    let client = program.client();
    for path in
        ["/api/leads/17", "/api/nothing/12125550142", "/elsewhere/ann@example.com", "/api/leads?phone=12125550142"]
    {
        client.get(path).await;
    }
    let now = Exposition::of(&client).await;
    let permitted = ["route", "method", "status", "state", "outcome", "reason", "queue", "from", "version", "le"];
    for (name, value) in now.labels() {
        assert!(permitted.contains(&name), "{name}");
        assert!(!value.contains("2125550142") && !value.contains('@') && value != "/api/leads/17", "{name}={value}");
    }
}
