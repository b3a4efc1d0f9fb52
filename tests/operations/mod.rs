//! Monitoring: metrics change when they should, and alerts, dashboard and runbook refer to them.

mod documents;
mod exposition;

use std::io::Write;
use std::net::TcpStream;
use std::time::{Duration, Instant};

use serde_json::json;

pub use self::exposition::Exposition;
use crate::harness::{
    Client, Endpoint, ServerProcess, SpeechServer, WorkerProcess, eventually, run, sample_recording, wav,
};
use crate::speech::submit_and_wait;

/// Time limit for expected events, generous for a busy machine.
const TIMEOUT: Duration = Duration::from_secs(60);

/// Polls until the metrics are as expected, and returns them.
async fn wait_for_metrics(client: &Client, is_as_expected: impl Fn(&Exposition) -> bool) -> Exposition {
    let deadline = Instant::now() + TIMEOUT;
    loop {
        let metrics = Exposition::fetch(client).await;
        if is_as_expected(&metrics) {
            return metrics;
        }
        assert!(Instant::now() < deadline, "{metrics:#?}");
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
}

#[tokio::test]
async fn metrics_follow_requests_store_and_queues() {
    let temp_dir = tempfile::tempdir().unwrap();
    let key = run(temp_dir.path(), &["api-key", "create", "--name", "test", "--scope", "admin"]);
    let token = run(temp_dir.path(), &["token", "create", "--name", "test"]);
    // Role `api` runs no worker, so that queued jobs stay queued.
    let options = [("LEADSCRIBE_ROLE", "api"), ("LEADSCRIBE_MAX_REQUESTS", "1")];
    let program = ServerProcess::start_with(temp_dir.path(), &options).await;
    let client = program.client().with_key(&key);

    let before = wait_for_metrics(&client, |now| now.value("leadscribe_lead_index_ready", &[]) == Some(1.0)).await;
    assert_eq!(before.value("leadscribe_database_up", &[]), Some(1.0));
    assert_eq!(before.value("leadscribe_build_info", &[("version", env!("CARGO_PKG_VERSION"))]), Some(1.0));
    assert_eq!(before.value("leadscribe_http_requests_rejected_total", &[]), Some(0.0));
    assert_eq!(before.value("leadscribe_transcriptions_pending", &[("state", "queued")]), Some(0.0));
    assert_eq!(before.value("leadscribe_deliveries_pending", &[("state", "queued")]), Some(0.0));
    assert_eq!(before.value("leadscribe_recognizer_ready", &[]), None, "this process transcribes nothing");
    let free_bytes = before.value("leadscribe_data_dir_free_bytes", &[]).unwrap();
    assert!(0.0 < free_bytes && free_bytes < before.value("leadscribe_data_dir_size_bytes", &[]).unwrap());
    let max_connections = before.value("leadscribe_database_connections_max", &[]).unwrap();
    assert!(
        before.value("leadscribe_database_connections_idle", &[]).unwrap() <= max_connections && max_connections >= 1.0
    );
    assert_eq!(before.value("leadscribe_database_waiting", &[("queue", "connections")]), Some(0.0));
    assert!(before.value("leadscribe_lead_index_lag_seconds", &[]).unwrap() < TIMEOUT.as_secs_f64());

    client.create("/api/leads", json!({ "first_name": "Ann" })).await;
    client.create("/api/leads", json!({ "first_name": "Bob" })).await;
    let call = client.create_recorded_call(wav(2, 1.5)).await;
    let submission = json!({ "call_ids": [call], "token": token, "languages": ["en"], "recording_side": "both" });
    client.post("/api/speech-recognition", submission.to_string()).await.expect(200);
    let callback = json!({ "callback_url": "https://example.com/", "callback_method": "PUT", "callback_data": "{}" });
    client.post("/api/speech-tokens/1/test-deliveries", callback.to_string()).await.expect(202);
    cause_rejection(&program, &client).await;

    let after = wait_for_metrics(&client, |now| now.value("leadscribe_lead_index_leads", &[]) == Some(2.0)).await;
    assert!(after.value("leadscribe_lead_index_bytes", &[]) > before.value("leadscribe_lead_index_bytes", &[]));
    let created = [("route", "/api/leads"), ("method", "POST"), ("status", "201")];
    assert_eq!(after.value("leadscribe_http_requests_total", &created), Some(2.0));
    assert_eq!(after.value("leadscribe_http_request_duration_seconds_count", &created[..2]), Some(2.0));
    assert!(after.value("leadscribe_http_requests_rejected_total", &[]) >= Some(1.0));
    assert_eq!(after.value("leadscribe_transcriptions_pending", &[("state", "queued")]), Some(1.0));
    assert_eq!(after.value("leadscribe_deliveries_pending", &[("state", "queued")]), Some(1.0));
    let later =
        wait_for_metrics(&client, |now| now.value("leadscribe_deliveries_oldest_due_seconds", &[]) > Some(0.0)).await;
    assert!(later.value("leadscribe_transcriptions_oldest_queued_seconds", &[]) > Some(0.0));
}

#[tokio::test]
async fn worker_serves_metrics_at_its_own_address() {
    let temp_dir = tempfile::tempdir().unwrap();
    let key = run(temp_dir.path(), &["api-key", "create", "--name", "test", "--scope", "admin"]);
    let address = std::net::TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().to_string();
    let options = [("LEADSCRIBE_METRICS_LISTEN", address.as_str()), ("LEADSCRIBE_RECOGNIZER", "off")];
    let worker = WorkerProcess::start(temp_dir.path(), &options);
    let client = Client::anonymous(&format!("http://{address}"));
    eventually("the worker is ready", async || client.is_reachable("/readyz").await).await;
    client.get("/metrics").await.expect_problem(401, "unauthenticated");
    let metrics = Exposition::fetch(&client.with_key(&key)).await;
    assert_eq!(metrics.value("leadscribe_database_up", &[]), Some(1.0));
    assert_eq!(metrics.value("leadscribe_transcriptions_total", &[("outcome", "completed")]), Some(0.0));
    for unserved_path in ["/", "/api/leads", "/api/session", "/settings"] {
        client.with_key(&key).get(unserved_path).await.expect_problem(404, "not_found");
    }
    worker.kill();
    assert!(!client.is_reachable("/healthz").await);
}

#[tokio::test]
async fn public_metrics_need_no_credentials_on_metrics_address() {
    let temp_dir = tempfile::tempdir().unwrap();
    let address = std::net::TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().to_string();
    let options = [("LEADSCRIBE_METRICS_LISTEN", address.as_str()), ("LEADSCRIBE_METRICS_PUBLIC", "true")];
    let program = ServerProcess::start_with(temp_dir.path(), &options).await;
    let metrics = Exposition::fetch(&Client::anonymous(&format!("http://{address}"))).await;
    assert_eq!(metrics.value("leadscribe_database_up", &[]), Some(1.0));
    program.client().get("/metrics").await.expect_problem(401, "unauthenticated");
}

/// Makes the server reject a request while another, whose body doesn't arrive, takes the only slot.
async fn cause_rejection(program: &ServerProcess, client: &Client) {
    let key = client.authorization();
    let request_head = format!(
        "POST /api/campaigns HTTP/1.1\r\nhost: h\r\nauthorization: {key}\r\ncontent-type: application/json\r\ncontent-length: 9\r\n\r\n"
    );
    let deadline = Instant::now() + TIMEOUT;
    let stalled_request = 'rejected: loop {
        assert!(Instant::now() < deadline, "no request was rejected");
        let mut stalled_request = TcpStream::connect(program.address()).unwrap();
        stalled_request.write_all(request_head.as_bytes()).unwrap();
        // Either request may take the slot. If the one with the missing body is rejected, it is sent again.
        for _ in 0..20 {
            if client.status("/api/leads?limit=1;0").await == 503 {
                break 'rejected stalled_request;
            }
        }
    };
    drop(stalled_request);
    while client.status("/api/leads?limit=1;0").await != 200 {
        assert!(Instant::now() < deadline, "all requests are rejected");
    }
}

#[tokio::test]
async fn metrics_follow_recognition_and_deliveries() {
    let temp_dir = tempfile::tempdir().unwrap();
    let key = run(temp_dir.path(), &["api-key", "create", "--name", "test", "--scope", "admin"]);
    let token = run(temp_dir.path(), &["token", "create", "--name", "test"]);
    let speech = SpeechServer::start("please send the invoice again", Duration::ZERO).await;
    let options: Vec<_> =
        speech.options().into_iter().chain([("LEADSCRIBE_CALLBACK_ALLOWED_NETWORKS", "127.0.0.1")]).collect();
    let program = ServerProcess::start_with(temp_dir.path(), &options).await;
    let client = program.client().with_key(&key);
    let call = client.create_recorded_call(sample_recording("librivox_0880.wav")).await;
    submit_and_wait(&program, &token, call, &["en"]).await;
    let is_completed = |metrics: &Exposition| {
        metrics.value("leadscribe_transcriptions_total", &[("outcome", "completed")]) == Some(1.0)
    };
    let metrics = wait_for_metrics(&client, is_completed).await;
    assert_eq!(metrics.value("leadscribe_recognizer_ready", &[]), Some(1.0));
    for part in ["transcribed_audio_seconds", "transcription_duration_seconds", "transcription_real_time_factor"] {
        assert_eq!(metrics.value(&format!("leadscribe_{part}_count"), &[]), Some(1.0), "{part}");
        assert!(metrics.value(&format!("leadscribe_{part}_sum"), &[]) > Some(0.0), "{part}");
    }

    let endpoint = Endpoint::start(&[]).await;
    let callback = json!({ "callback_url": endpoint.url, "callback_method": "PUT", "callback_data": "{}" });
    client.post("/api/speech-tokens/1/test-deliveries", callback.to_string()).await.expect(202);
    wait_for_metrics(&client, |metrics| {
        metrics.value("leadscribe_delivery_attempts_total", &[("outcome", "delivered")]) == Some(1.0)
    })
    .await;
}

#[tokio::test]
async fn recognizer_failures_are_counted() {
    let temp_dir = tempfile::tempdir().unwrap();
    let key = run(temp_dir.path(), &["api-key", "create", "--name", "test", "--scope", "admin"]);
    let token = run(temp_dir.path(), &["token", "create", "--name", "test"]);
    // Nothing listens at this address.
    let options = [("LEADSCRIBE_RECOGNIZER", "http"), ("LEADSCRIBE_SPEECH_URL", "http://127.0.0.1:1")];
    let program = ServerProcess::start_with(temp_dir.path(), &options).await;
    let client = program.client().with_key(&key);
    let call = client.create_recorded_call(sample_recording("librivox_0880.wav")).await;
    let submission = json!({ "call_ids": [call], "token": token, "languages": ["en"], "recording_side": "both" });
    client.post("/api/speech-recognition", submission.to_string()).await.expect(200);
    let failed = [("reason", "unavailable")];
    let metrics = wait_for_metrics(&client, |metrics| {
        metrics.value("leadscribe_recognizer_failures_total", &failed) >= Some(1.0)
    })
    .await;
    assert_eq!(metrics.value("leadscribe_recognizer_failures_total", &[("reason", "refused")]), Some(0.0));
    wait_for_metrics(&client, |metrics| {
        metrics.value("leadscribe_transcriptions_total", &[("outcome", "retried")]) >= Some(1.0)
    })
    .await;
}

#[tokio::test]
async fn labels_have_fixed_sets_of_values() {
    let temp_dir = tempfile::tempdir().unwrap();
    let program = ServerProcess::start_with(temp_dir.path(), &[("LEADSCRIBE_METRICS_PUBLIC", "true")]).await;
    let client = program.client();
    for path in
        ["/api/leads/17", "/api/nothing/12125550142", "/elsewhere/ann@example.com", "/api/leads?phone=12125550142"]
    {
        client.get(path).await;
    }
    let metrics = Exposition::fetch(&client).await;
    let permitted_labels =
        ["route", "method", "status", "state", "outcome", "reason", "queue", "server", "version", "le"];
    for (name, value) in metrics.labels() {
        assert!(permitted_labels.contains(&name), "{name}");
        assert!(!value.contains("2125550142") && !value.contains('@') && value != "/api/leads/17", "{name}={value}");
    }
}
