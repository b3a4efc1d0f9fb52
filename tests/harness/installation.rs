//! Installation: the database and the recordings folder that several processes share.

use std::fs;
use std::path::Path;
use std::time::{Duration, Instant};

use serde_json::{Value, json};
use tempfile::TempDir;

use super::{Client, Program, SpeechServer, Worker, outcome, run_with};

/// Upper bound for waits whose duration is not under test.
const PATIENCE: Duration = Duration::from_secs(60);

/// Database and folder of an installation.
pub struct Installation {
    home: TempDir,
    options: Vec<(&'static str, String)>,
}

impl Installation {
    /// Installation with the embedded database in its folder.
    pub fn embedded() -> Self {
        Self { home: tempfile::tempdir().unwrap(), options: Vec::new() }
    }

    /// Installation on an empty PostgreSQL database.
    pub fn on(database_url: &str) -> Self {
        let mut installation = Self::embedded();
        installation.set("LEADSCRIBE_DATABASE_URL", database_url);
        installation
    }

    /// Installation on `database` if given, else on the embedded database in its folder.
    pub fn on_either(database: Option<&leadscribe_test_postgres::Database>) -> Self {
        database.map_or_else(Self::embedded, |database| Self::on(database.url()))
    }

    /// Sets an option for every process that is started afterwards.
    pub fn set(&mut self, variable: &'static str, value: &str) {
        self.options.push((variable, value.to_owned()));
    }

    /// Starts a process that serves the API and transcribes nothing.
    pub async fn api(&self) -> Program {
        Program::start_with(&self.data(), &self.options(&[("LEADSCRIBE_ROLE", "api")])).await
    }

    /// Starts a process with all roles but without a recogniser.
    pub async fn all(&self) -> Program {
        Program::start_with(&self.data(), &self.options(&[("LEADSCRIBE_RECOGNIZER", "off")])).await
    }

    /// Starts a process with all roles that transcribes with `speech`. Takes further options. Doesn't wait until it is
    /// ready.
    pub fn launch(&self, speech: &SpeechServer, others: &[(&str, &str)]) -> Program {
        Program::launch(&self.data(), &self.options(&[&speech.options()[..], others].concat()))
    }

    /// Starts a worker that transcribes with `speech` and serves no requests.
    pub fn worker(&self, speech: &SpeechServer) -> Worker {
        Worker::start(&self.data(), &self.options(&speech.options()))
    }

    /// Checks with `doctor --full` that tables, indexes and references of the database are intact.
    pub fn expect_whole(&self) {
        let (_, said) = outcome(&self.data(), &self.options(&[]), &["doctor", "--full", "--json"]);
        let findings: Value = serde_json::from_str(&said).unwrap_or_else(|error| panic!("{error}: {said}"));
        let ill = |finding: &&Value| {
            finding["verdict"] != "ok" && ["database", "schema"].iter().any(|of| finding["check"] == *of)
        };
        assert_eq!(findings.as_array().unwrap().iter().find(ill), None);
    }

    /// Runs a command and returns the last line of its standard output.
    pub fn run(&self, args: &[&str]) -> String {
        run_with(&self.data(), &self.options(&[]), args)
    }

    /// Creates an API key with the `admin` scope.
    pub fn key(&self) -> String {
        self.run(&["api-key", "create", "--name", "test", "--scope", "admin"])
    }

    /// Creates a speech recognition token.
    pub fn token(&self) -> String {
        self.run(&["token", "create", "--name", "test"])
    }

    /// Imports calls with the ids 1 to `count`, all with the same three seconds of speech.
    pub fn import_calls(&self, count: u64) {
        let home = self.home.path();
        let speech = Path::new(env!("CARGO_MANIFEST_DIR")).join("../server/demo/recordings/librivox_0880.wav");
        fs::copy(speech, home.join("call.wav")).unwrap();
        let rows: String = (1..=count).map(|id| format!("{id},outbound,answered,call.wav\n")).collect();
        let calls = home.join("calls.csv");
        fs::write(&calls, format!("id,direction,status,recording\n{rows}")).unwrap();
        self.run(&["import", "calls", calls.to_str().unwrap(), "--recordings", home.to_str().unwrap()]);
    }

    /// Writes a file next to the data folder and returns its path.
    pub fn write(&self, name: &str, content: &str) -> String {
        let path = self.home.path().join(name);
        fs::write(&path, content).unwrap();
        path.to_str().unwrap().to_owned()
    }

    /// Returns the data folder.
    pub fn data(&self) -> std::path::PathBuf {
        self.home.path().join("data")
    }

    fn options<'a>(&'a self, others: &[(&'a str, &'a str)]) -> Vec<(&'a str, &'a str)> {
        let own = self.options.iter().map(|(variable, value)| (*variable, value.as_str()));
        own.chain(others.iter().copied()).collect()
    }
}

/// Creates a call with three seconds of speech and returns its id.
pub async fn record_call(client: &Client) -> u64 {
    let speech = concat!(env!("CARGO_MANIFEST_DIR"), "/../server/demo/recordings/librivox_0880.wav");
    let call = client.create("/api/calls", json!({ "direction": "inbound", "status": "answered" })).await;
    let audio = client.with_header("content-type", "audio/wav");
    audio.put(&format!("/api/calls/{call}/recording"), fs::read(speech).unwrap()).await.expect(200);
    call.cast_unsigned()
}

/// Returns the request body that submits `calls`.
pub fn submission(token: &str, calls: &[u64]) -> String {
    json!({ "call_ids": calls, "token": token, "languages": ["en"], "recording_side": "both" }).to_string()
}

/// Returns a call's outcome from the response to a submission: `accepted`, or why it was skipped.
pub fn verdict(answer: &Value, call: u64) -> String {
    let outcome = &answer["results"]["calls"][call.to_string()];
    outcome.get("reason").unwrap_or(&outcome["status"]).as_str().unwrap().to_owned()
}

/// Waits until no call waits for a worker. Then checks that each of `calls` has one transcript, made by one
/// transcription, and that every call with a completed transcription has a transcript. Returns the number of
/// transcripts.
pub async fn expect_one_transcript_each(client: &Client, calls: &[u64], text: &str) -> u64 {
    let count = async |state: &str| {
        let path = format!("/api/calls?transcription={state}&limit=0;0");
        client.get(&path).await.expect(200)["total"].as_u64().unwrap()
    };
    let left = async || count("queued").await + count("processing").await;
    // The queue may be long; only its shrinking is required.
    loop {
        let before = left().await;
        if before == 0 {
            break;
        }
        eventually("the work goes on", async || left().await < before).await;
    }
    for call in calls {
        let work = client.get(&format!("/api/calls/{call}/transcriptions")).await.expect(200);
        assert_eq!(
            (work.as_array().unwrap().len(), &work[0]["state"]),
            (1, &json!("completed")),
            "call {call}: {work}"
        );
        let transcript = client.get(&format!("/api/calls/{call}/transcript")).await.expect(200);
        assert_eq!(transcript["segments"][0]["text"], text, "call {call}");
    }
    let completed = count("completed").await;
    assert_eq!(client.get("/api/transcripts?limit=1;0").await.expect(200)["total"], completed);
    completed
}

/// Waits until a condition holds.
pub async fn eventually(what: &str, holds: impl AsyncFn() -> bool) {
    let deadline = Instant::now() + PATIENCE;
    while !holds().await {
        assert!(Instant::now() < deadline, "{what}: not so after {PATIENCE:?}");
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
}
