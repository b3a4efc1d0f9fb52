//! Migration from the embedded database to PostgreSQL: everything continues as before.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use leadscribe_server::cli::bootstrap;
use leadscribe_server::clock::SystemClock;
use leadscribe_server::config::Config;
use leadscribe_server::demo;
use leadscribe_server::recording::RecordingFiles;
use leadscribe_server::service::app::App;
use leadscribe_server::speech::RecognizerProvider;
use serde_json::{Value, json};
use tempfile::TempDir;

use crate::harness::{
    Client, PASSWORD, ServerProcess, SpeechServer, WorkerProcess, body, create_postgres_database, eventually, log_in,
    run, run_failing, run_with, sample_recording, session_cookie, submission_body, submission_outcome,
};

const SUBMISSION_PATH: &str = "/api/speech-recognition";

/// Option that makes a process use PostgreSQL.
const DATABASE_URL_VARIABLE: &str = "LEADSCRIBE_DATABASE_URL";

/// Option that makes a process serve requests without running jobs.
const API_ROLE: (&str, &str) = ("LEADSCRIBE_ROLE", "api");

/// Text that the test's recognizer returns.
const TRANSCRIPT_TEXT: &str = "the old house in Müllerstraße";

#[tokio::test(flavor = "multi_thread")]
async fn everything_works_after_moving_to_postgresql() {
    let source = SourceInstallation::create().await;
    let database = create_postgres_database().await;
    let (data, url) = (source.data_dir(), database.url());
    run_with(&data, &[(DATABASE_URL_VARIABLE, url)], &["migrate", "--move"]);

    let program = ServerProcess::start_with(&data, &[(DATABASE_URL_VARIABLE, url), API_ROLE]).await;
    let client = program.client().with_key(&source.key);
    let new_responses = responses(&client, source.calls[0]).await;
    for (response, expected) in new_responses.iter().zip(&source.responses) {
        assert_eq!(response, expected);
    }

    // The session is still valid, and the token reads its transcript.
    let (cookie, csrf_token) = &source.session;
    let panel = program.client().with_header("cookie", cookie).with_header("x-csrf-token", csrf_token);
    assert_eq!(panel.get("/api/session").await.expect(200)["user"]["email"], "ann@example.com");
    let token_client = program.client().with_header("x-speech-token", &source.token);
    let transcript = token_client.get(&format!("{SUBMISSION_PATH}/{}", source.calls[0])).await.expect(200);
    assert_eq!(transcript["segments"][0]["text"], TRANSCRIPT_TEXT);
    let resubmission = submission_body(&source.token, &source.calls.map(|call| u64::try_from(call).unwrap()));
    let response = client.post(SUBMISSION_PATH, resubmission).await.expect(200);
    for call in source.calls {
        assert_eq!(submission_outcome(&response, u64::try_from(call).unwrap()), "already_sent");
    }

    // Pending transcriptions are completed.
    let speech = SpeechServer::start(TRANSCRIPT_TEXT, Duration::ZERO).await;
    let mut options = vec![(DATABASE_URL_VARIABLE, url)];
    options.extend(speech.options());
    let _worker = WorkerProcess::start(&data, &options);
    wait_for_transcript(&client, source.calls[1]).await;
    assert_eq!(client.get("/api/transcripts?phrase=mullerstrasse").await.expect(200)["total"], 2);

    assert_eq!(
        panel.create("/api/leads", json!({ "city": "Bonn" })).await,
        source.last_lead + 1,
        "new ids follow the migrated ones"
    );
    // Commands refuse to use the old database.
    let marker_file = data.join("MOVED_TO_POSTGRESQL.txt");
    let location = database_location(url);
    let text = std::fs::read_to_string(&marker_file).unwrap();
    assert!(text.contains(&location) && !text.contains(&password(url)), "{text}");
    let leads = source.temp_dir.path().join("leads.csv");
    std::fs::write(&leads, "city\nBonn\n").unwrap();
    let commands: [&[&str]; 5] = [
        &["serve"],
        &["import", "leads", leads.to_str().unwrap()],
        &["user", "add", "bob@example.com", "--role", "viewer"],
        &["migrate"],
        &["token", "create", "--name", "late"],
    ];
    for command in commands {
        let output = run_failing(&data, &[], command);
        let message = "the database of this folder was moved to PostgreSQL; set --database-url";
        assert!(output.contains(message) && output.contains("delete that file to use the old database"), "{output}");
    }
    let output = run_failing(&data, &[(DATABASE_URL_VARIABLE, url)], &["migrate", "--move"]);
    assert!(output.contains("the database of this folder was moved to PostgreSQL"), "{output}");
    std::fs::remove_file(marker_file).unwrap();
    run_with(&data, &[], &["token", "create", "--name", "old"]);
    let output = run_failing(&data, &[(DATABASE_URL_VARIABLE, url)], &["migrate", "--move"]);
    assert!(output.contains("the PostgreSQL database is not empty: it contains"), "{output}");
}

/// Returns the database's location as the program displays it.
fn database_location(url: &str) -> String {
    let url: url::Url = url.parse().unwrap();
    format!("{} at {}:{}", url.path().trim_start_matches('/'), url.host_str().unwrap(), url.port().unwrap_or(5432))
}

fn password(url: &str) -> String {
    url.parse::<url::Url>().unwrap().password().unwrap().to_owned()
}

#[tokio::test(flavor = "multi_thread")]
async fn move_is_refused_while_a_server_runs() {
    let (temp_dir, database) = (tempfile::tempdir().unwrap(), create_postgres_database().await);
    let data_dir = temp_dir.path().join("data");
    let output = run_failing(&data_dir, &[(DATABASE_URL_VARIABLE, database.url())], &["migrate", "--move"]);
    assert!(output.contains("there is no database at"), "{output}");
    let mut program = ServerProcess::start(&data_dir).await;
    let output = run_failing(&data_dir, &[(DATABASE_URL_VARIABLE, database.url())], &["migrate", "--move"]);
    assert!(output.contains("leadscribe.db is in use; stop the server"), "{output}");
    program.kill();
    let output = run_failing(&data_dir, &[], &["migrate", "--move"]);
    assert!(output.contains("--move requires --database-url"), "{output}");
    run_with(&data_dir, &[(DATABASE_URL_VARIABLE, database.url())], &["migrate", "--move"]);
}

/// Installation with an embedded database, and what it contains.
struct SourceInstallation {
    temp_dir: TempDir,
    key: String,
    token: String,
    /// Calls with a recording: the first has a transcript, the second is queued.
    calls: [i64; 2],
    /// Session cookie and CSRF token of a user.
    session: (String, String),
    /// Id of a deleted lead, the last id assigned.
    last_lead: i64,
    responses: Vec<Value>,
}

impl SourceInstallation {
    /// Loads the sample data and adds changes by users and workers.
    async fn create() -> Self {
        let temp_dir = tempfile::tempdir().unwrap();
        let data_dir = temp_dir.path().join("data");
        let key = run(&data_dir, &["api-key", "create", "--name", "test", "--scope", "admin"]);
        let token = run(&data_dir, &["token", "create", "--name", "test"]);
        load_sample(&data_dir).await;
        let mut program = ServerProcess::start_with(&data_dir, &[API_ROLE]).await;
        let client = program.client().with_key(&key);

        let speech = SpeechServer::start(TRANSCRIPT_TEXT, Duration::ZERO).await;
        let recording = sample_recording("librivox_0880.wav");
        let calls =
            [client.create_recorded_call(recording.clone()).await, client.create_recorded_call(recording).await];
        submit_call(&client, &token, calls[0]).await;
        let worker = WorkerProcess::start(&data_dir, &speech.options());
        wait_for_transcript(&client, calls[0]).await;
        worker.kill();
        submit_call(&client, &token, calls[1]).await;

        let lead = json!({ "last_name": "O'Hara \"x\" 👩‍👩‍👧", "birthdate": "0001-01-01",
            "custom_fields": { "size": 0.1, "big": 9_007_199_254_740_993_i64, "yes": true, "text": "ﬁ" } });
        client.create("/api/leads", lead).await;
        let last_lead = client.create("/api/leads", json!({ "city": "Bonn" })).await;
        client.delete(&format!("/api/leads/{last_lead}")).await.expect(204);
        let ann = json!({ "email": "ann@example.com", "password": PASSWORD, "role": "manager" });
        client.post("/api/users", body(ann)).await.expect(201);
        let session = log_in(&program.client(), "ann@example.com", PASSWORD).await;
        let csrf_token = session.expect(200)["csrf_token"].as_str().unwrap().to_owned();
        let session = (session_cookie(&session), csrf_token);

        let responses = responses(&client, calls[0]).await;
        program.kill();
        Self { temp_dir, key, token, calls, session, last_lead, responses }
    }

    fn data_dir(&self) -> PathBuf {
        self.temp_dir.path().join("data")
    }
}

/// Loads the data of `serve --demo`.
async fn load_sample(data: &Path) {
    let mut config = Config::default();
    config.storage.data_dir = data.to_owned();
    let store = bootstrap::open_store(&config).await.unwrap();
    let recordings = RecordingFiles::open(&config).await.unwrap();
    let app = App::new(store, recordings, RecognizerProvider::off(), Arc::new(SystemClock), Arc::new(config));
    demo::load(&app).await.unwrap();
}

async fn submit_call(client: &Client, token: &str, call: i64) {
    let call = u64::try_from(call).unwrap();
    let response = client.post(SUBMISSION_PATH, submission_body(token, &[call])).await.expect(200);
    assert_eq!(submission_outcome(&response, call), "accepted", "{response}");
}

async fn wait_for_transcript(client: &Client, call: i64) {
    let path = format!("/api/calls/{call}/transcript");
    eventually("there is a transcript", async || client.get(&path).await.status == 200).await;
}

/// Returns the responses to searches, lists, a transcript search, and a recording.
async fn responses(client: &Client, call: i64) -> Vec<Value> {
    let mut responses = Vec::new();
    for filter in [
        json!({ "limit": "1000;0" }),
        json!({ "_order": "-global_updated_at", "limit": "50;10", "_campaigns": "all" }),
        json!({ "status": ["new", "busy"], "last_name": { "contains": "a" } }),
        json!({ "custom.big": 9_007_199_254_740_993_i64 }),
        json!({ "birthdate": "0001-01-01" }),
    ] {
        let mut response = client.search_leads(filter).await;
        assert_ne!(response["total_leads"], 0, "{response}");
        remove_time_dependent_members(&mut response);
        responses.push(response);
    }
    for path in [
        "/api/campaigns",
        "/api/statuses",
        "/api/calls?limit=500;0",
        "/api/users",
        "/api/speech-tokens",
        "/api/transcripts?phrase=mullerstrasse",
        "/api/transcripts?phrase=%22old%20house%22",
    ] {
        responses.push(client.get(path).await.expect(200));
    }
    responses.push(client.get(&format!("/api/calls/{call}/transcript")).await.expect(200));
    responses.push(json!(client.get(&format!("/api/calls/{call}/recording")).await.body.len()));
    responses
}

/// Removes members that depend on the time of the request.
fn remove_time_dependent_members(response: &mut Value) {
    match response {
        Value::Object(members) => {
            members
                .retain(|name, _| !["callable", "not_callable_reasons", "next_callable_at"].contains(&name.as_str()));
            members.values_mut().for_each(remove_time_dependent_members);
        }
        Value::Array(values) => values.iter_mut().for_each(remove_time_dependent_members),
        _ => {}
    }
}
