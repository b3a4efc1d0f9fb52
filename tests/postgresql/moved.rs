//! Migration from the embedded database to PostgreSQL: everything continues as before.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use leadscribe_server::app::App;
use leadscribe_server::cli::parts;
use leadscribe_server::clock::SystemClock;
use leadscribe_server::config::Config;
use leadscribe_server::demo;
use leadscribe_server::recording::RecordingFiles;
use leadscribe_server::speech::Provider;
use serde_json::{Value, json};
use tempfile::TempDir;

use crate::harness::{
    Client, PASSWORD, Program, SpeechServer, Worker, body, cookie, eventually, log_in, postgres, refusal, run,
    run_with, submission, verdict,
};

const SPEECH: &str = "/api/speech-recognition";

/// Option that makes a process use PostgreSQL.
const DATABASE_URL: &str = "LEADSCRIBE_DATABASE_URL";

/// Serves requests without running jobs.
const API: (&str, &str) = ("LEADSCRIBE_ROLE", "api");

/// Text that the test's recogniser returns.
const SAID: &str = "the old house in Müllerstraße";

#[tokio::test(flavor = "multi_thread")]
async fn everything_works_after_moving_to_postgresql() {
    let before = Before::with_sample_data().await;
    let database = postgres().await;
    let (data, url) = (before.data(), database.url());
    run_with(&data, &[(DATABASE_URL, url)], &["migrate", "--move"]);

    let program = Program::start_with(&data, &[(DATABASE_URL, url), API]).await;
    let client = program.client().with_key(&before.key);
    let after = answers(&client, before.calls[0]).await;
    for (answer, expected) in after.iter().zip(&before.answers) {
        assert_eq!(answer, expected);
    }

    // The session is still valid, and the token reads its transcript.
    let (cookie, csrf_token) = &before.session;
    let panel = program.client().with_header("cookie", cookie).with_header("x-csrf-token", csrf_token);
    assert_eq!(panel.get("/api/session").await.expect(200)["user"]["email"], "ann@example.com");
    let caller = program.client().with_header("x-speech-token", &before.token);
    let transcript = caller.get(&format!("{SPEECH}/{}", before.calls[0])).await.expect(200);
    assert_eq!(transcript["segments"][0]["text"], SAID);
    let again = submission(&before.token, &before.calls.map(|call| u64::try_from(call).unwrap()));
    let answer = client.post(SPEECH, again).await.expect(200);
    for call in before.calls {
        assert_eq!(verdict(&answer, u64::try_from(call).unwrap()), "already_sent");
    }

    // Pending transcriptions are done.
    let speech = SpeechServer::saying(SAID, Duration::ZERO).await;
    let mut options = vec![(DATABASE_URL, url)];
    options.extend(speech.options());
    let _worker = Worker::start(&data, &options);
    transcribed(&client, before.calls[1]).await;
    assert_eq!(client.get("/api/transcripts?phrase=mullerstrasse").await.expect(200)["total"], 2);

    assert_eq!(
        panel.create("/api/leads", json!({ "city": "Bonn" })).await,
        before.last_lead + 1,
        "no id is given twice"
    );
    // The old database refuses to be used.
    let mark = data.join("MOVED_TO_POSTGRESQL.txt");
    let place = postgres_place(url);
    let text = std::fs::read_to_string(&mark).unwrap();
    assert!(text.contains(&place) && !text.contains(&password(url)), "{text}");
    let leads = before.home.path().join("leads.csv");
    std::fs::write(&leads, "city\nBonn\n").unwrap();
    let commands: [&[&str]; 5] = [
        &["serve"],
        &["import", "leads", leads.to_str().unwrap()],
        &["user", "add", "bob@example.com", "--role", "viewer"],
        &["migrate"],
        &["token", "create", "--name", "late"],
    ];
    for command in commands {
        let refused = refusal(&data, &[], command);
        let said = "the database of this folder was moved to PostgreSQL; set --database-url";
        assert!(refused.contains(said) && refused.contains("delete that file to use the old database"), "{refused}");
    }
    let refused = refusal(&data, &[(DATABASE_URL, url)], &["migrate", "--move"]);
    assert!(refused.contains("the database of this folder was moved to PostgreSQL"), "{refused}");
    std::fs::remove_file(mark).unwrap();
    run_with(&data, &[], &["token", "create", "--name", "old"]);
    let refused = refusal(&data, &[(DATABASE_URL, url)], &["migrate", "--move"]);
    assert!(refused.contains("the PostgreSQL database is not empty: it contains"), "{refused}");
}

/// Returns the database's location as the program displays it.
fn postgres_place(url: &str) -> String {
    let url: url::Url = url.parse().unwrap();
    format!("{} at {}:{}", url.path().trim_start_matches('/'), url.host_str().unwrap(), url.port().unwrap_or(5432))
}

fn password(url: &str) -> String {
    url.parse::<url::Url>().unwrap().password().unwrap().to_owned()
}

#[tokio::test(flavor = "multi_thread")]
async fn move_is_refused_while_a_server_runs() {
    let (home, database) = (tempfile::tempdir().unwrap(), postgres().await);
    let data = home.path().join("data");
    let refused = refusal(&data, &[(DATABASE_URL, database.url())], &["migrate", "--move"]);
    assert!(refused.contains("there is no database at"), "{refused}");
    let mut program = Program::start(&data).await;
    let refused = refusal(&data, &[(DATABASE_URL, database.url())], &["migrate", "--move"]);
    assert!(refused.contains("leadscribe.db is in use; stop the server"), "{refused}");
    program.kill();
    let refused = refusal(&data, &[], &["migrate", "--move"]);
    assert!(refused.contains("--move requires --database-url"), "{refused}");
    run_with(&data, &[(DATABASE_URL, database.url())], &["migrate", "--move"]);
}

/// Contents of the embedded database.
struct Before {
    home: TempDir,
    key: String,
    token: String,
    /// Calls with a recording: the first has a transcript, the second is queued.
    calls: [i64; 2],
    /// Session cookie and CSRF token of a user.
    session: (String, String),
    /// Id of a deleted lead, the last id assigned.
    last_lead: i64,
    answers: Vec<Value>,
}

impl Before {
    /// Loads the sample data and adds changes by users and workers.
    async fn with_sample_data() -> Self {
        let home = tempfile::tempdir().unwrap();
        let data = home.path().join("data");
        let key = run(&data, &["api-key", "create", "--name", "test", "--scope", "admin"]);
        let token = run(&data, &["token", "create", "--name", "test"]);
        load_sample(&data).await;
        let mut program = Program::start_with(&data, &[API]).await;
        let client = program.client().with_key(&key);

        let speech = SpeechServer::saying(SAID, Duration::ZERO).await;
        let speech_wav =
            std::fs::read(Path::new(env!("CARGO_MANIFEST_DIR")).join("../server/demo/recordings/librivox_0880.wav"));
        let speech_wav = speech_wav.unwrap();
        let mut calls = Vec::new();
        for _ in 0..2 {
            let call = client.create("/api/calls", json!({ "direction": "inbound", "status": "answered" })).await;
            let audio = client.with_header("content-type", "audio/wav");
            audio.put(&format!("/api/calls/{call}/recording"), speech_wav.clone()).await.expect(200);
            calls.push(call);
        }
        let calls: [i64; 2] = calls.try_into().unwrap();
        send(&client, &token, calls[0]).await;
        let worker = Worker::start(&data, &speech.options());
        transcribed(&client, calls[0]).await;
        worker.kill();
        send(&client, &token, calls[1]).await;

        let custom = json!({ "last_name": "O'Hara \"x\" 👩‍👩‍👧", "birthdate": "0001-01-01",
            "custom_fields": { "size": 0.1, "big": 9_007_199_254_740_993_i64, "yes": true, "text": "ﬁ" } });
        client.create("/api/leads", custom).await;
        let last_lead = client.create("/api/leads", json!({ "city": "Bonn" })).await;
        client.delete(&format!("/api/leads/{last_lead}")).await.expect(204);
        let ann = json!({ "email": "ann@example.com", "password": PASSWORD, "role": "manager" });
        client.post("/api/users", body(ann)).await.expect(201);
        let session = log_in(&program.client(), "ann@example.com", PASSWORD).await;
        let csrf_token = session.expect(200)["csrf_token"].as_str().unwrap().to_owned();
        let session = (cookie(&session), csrf_token);

        let answers = answers(&client, calls[0]).await;
        program.kill();
        Self { home, key, token, calls, session, last_lead, answers }
    }

    fn data(&self) -> PathBuf {
        self.home.path().join("data")
    }
}

/// Loads the data of `serve --demo`.
async fn load_sample(data: &Path) {
    let mut config = Config::default();
    config.storage.data_dir = data.to_owned();
    let store = parts::open_store(&config).await.unwrap();
    let recordings = RecordingFiles::open(&config).await.unwrap();
    let app = App::new(store, recordings, Provider::off(), Arc::new(SystemClock), Arc::new(config));
    demo::load(&app).await.unwrap();
}

async fn send(client: &Client, token: &str, call: i64) {
    let call = u64::try_from(call).unwrap();
    let answer = client.post(SPEECH, submission(token, &[call])).await.expect(200);
    assert_eq!(verdict(&answer, call), "accepted", "{answer}");
}

async fn transcribed(client: &Client, call: i64) {
    let path = format!("/api/calls/{call}/transcript");
    eventually("there is a transcript", async || client.get(&path).await.status == 200).await;
}

/// Returns the responses to searches, lists, a transcript search, and a recording.
async fn answers(client: &Client, call: i64) -> Vec<Value> {
    let mut answers = Vec::new();
    for filter in [
        json!({ "limit": "1000;0" }),
        json!({ "_order": "-global_updated_at", "limit": "50;10", "_campaigns": "all" }),
        json!({ "status": ["new", "busy"], "last_name": { "contains": "a" } }),
        json!({ "custom.big": 9_007_199_254_740_993_i64 }),
        json!({ "birthdate": "0001-01-01" }),
    ] {
        let mut answer = client.put("/api/leads/extended-data", body(filter)).await.expect(200);
        assert_ne!(answer["total_leads"], 0, "{answer}");
        forget_when(&mut answer);
        answers.push(answer);
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
        answers.push(client.get(path).await.expect(200));
    }
    answers.push(client.get(&format!("/api/calls/{call}/transcript")).await.expect(200));
    answers.push(json!(client.get(&format!("/api/calls/{call}/recording")).await.body.len()));
    answers
}

/// Removes members that depend on the time of the request.
fn forget_when(answer: &mut Value) {
    match answer {
        Value::Object(members) => {
            members
                .retain(|name, _| !["callable", "not_callable_reasons", "next_callable_at"].contains(&name.as_str()));
            members.values_mut().for_each(forget_when);
        }
        Value::Array(values) => values.iter_mut().for_each(forget_when),
        _ => {}
    }
}
