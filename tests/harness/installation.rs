//! Installation: the database and the recordings folder that several processes share.

use std::fs;
use std::time::{Duration, Instant};

use serde_json::{Value, json};
use tempfile::TempDir;

use super::{Client, ServerProcess, SpeechServer, WorkerProcess, measure_test, run_to_end, run_with, sample_recording};

/// Upper bound for waits whose duration is not under test.
const TIMEOUT: Duration = Duration::from_secs(60);

/// Database and folder of an installation.
pub struct Installation {
    temp_dir: TempDir,
    options: Vec<(&'static str, String)>,
}

impl Installation {
    /// Installation with the embedded database in its folder.
    pub fn embedded() -> Self {
        measure_test();
        Self { temp_dir: tempfile::tempdir().unwrap(), options: Vec::new() }
    }

    /// Installation on an empty PostgreSQL database.
    pub fn with_database_url(database_url: &str) -> Self {
        let mut installation = Self::embedded();
        installation.set("LEADSCRIBE_DATABASE_URL", database_url);
        installation
    }

    /// Installation on `database` if given, else on the embedded database in its folder.
    pub fn with_database(database: Option<&leadscribe_test_postgres::Database>) -> Self {
        database.map_or_else(Self::embedded, |database| Self::with_database_url(database.url()))
    }

    /// Sets an option for every process that is started afterwards.
    pub fn set(&mut self, variable: &'static str, value: &str) {
        self.options.push((variable, value.to_owned()));
    }

    /// Starts a process that serves the API and transcribes nothing.
    pub async fn start_api(&self) -> ServerProcess {
        ServerProcess::start_with(&self.data_dir(), &self.options(&[("LEADSCRIBE_ROLE", "api")])).await
    }

    /// Starts a process with all roles but without a recognizer.
    pub async fn start_all_roles(&self) -> ServerProcess {
        ServerProcess::start_with(&self.data_dir(), &self.options(&[("LEADSCRIBE_RECOGNIZER", "off")])).await
    }

    /// Starts a process with all roles and `extra_options` that transcribes with `speech`. Doesn't wait until it is
    /// ready.
    pub fn launch(&self, speech: &SpeechServer, extra_options: &[(&str, &str)]) -> ServerProcess {
        ServerProcess::spawn(&self.data_dir(), &self.options(&[&speech.options()[..], extra_options].concat()))
    }

    /// Starts a worker that transcribes with `speech` and serves no requests.
    pub fn start_worker(&self, speech: &SpeechServer) -> WorkerProcess {
        WorkerProcess::start(&self.data_dir(), &self.options(&speech.options()))
    }

    /// Checks with `doctor --full` that tables, indexes and references of the database are intact.
    pub fn assert_database_intact(&self) {
        let (_, output) = run_to_end(&self.data_dir(), &self.options(&[]), &["doctor", "--full", "--json"]);
        let results: Value = serde_json::from_str(&output).unwrap_or_else(|error| panic!("{error}: {output}"));
        let is_database_problem = |result: &&Value| {
            result["status"] != "ok" && ["database", "schema"].iter().any(|check| result["check"] == *check)
        };
        assert_eq!(results.as_array().unwrap().iter().find(is_database_problem), None);
    }

    /// Runs a command and returns the last line of its standard output.
    pub fn run_command(&self, args: &[&str]) -> String {
        run_with(&self.data_dir(), &self.options(&[]), args)
    }

    /// Creates an API key with the `admin` scope.
    pub fn create_api_key(&self) -> String {
        self.run_command(&["api-key", "create", "--name", "test", "--scope", "admin"])
    }

    /// Creates a speech token.
    pub fn create_speech_token(&self) -> String {
        self.run_command(&["token", "create", "--name", "test"])
    }

    /// Imports calls with the ids 1 to `count`, all with the same three seconds of speech.
    pub fn import_calls(&self, count: u64) {
        let folder = self.temp_dir.path();
        fs::write(folder.join("call.wav"), sample_recording("librivox_0880.wav")).unwrap();
        let rows: String = (1..=count).map(|id| format!("{id},outbound,answered,call.wav\n")).collect();
        let calls = folder.join("calls.csv");
        fs::write(&calls, format!("id,direction,status,recording\n{rows}")).unwrap();
        self.run_command(&["import", "calls", calls.to_str().unwrap(), "--recordings", folder.to_str().unwrap()]);
    }

    /// Writes a file next to the data folder and returns its path.
    pub fn write_file(&self, name: &str, content: &str) -> String {
        let path = self.temp_dir.path().join(name);
        fs::write(&path, content).unwrap();
        path.to_str().unwrap().to_owned()
    }

    /// Returns the data folder.
    pub fn data_dir(&self) -> std::path::PathBuf {
        self.temp_dir.path().join("data")
    }

    fn options<'a>(&'a self, extra_options: &[(&'a str, &'a str)]) -> Vec<(&'a str, &'a str)> {
        let own_options = self.options.iter().map(|(variable, value)| (*variable, value.as_str()));
        own_options.chain(extra_options.iter().copied()).collect()
    }
}

/// Creates a call with three seconds of speech and returns its id.
pub async fn create_recorded_call(client: &Client) -> u64 {
    client.create_recorded_call(sample_recording("librivox_0880.wav")).await.cast_unsigned()
}

/// Returns the request body that submits `calls`.
pub fn submission_body(token: &str, calls: &[u64]) -> String {
    json!({ "call_ids": calls, "token": token, "languages": ["en"], "recording_side": "both" }).to_string()
}

/// Returns a call's outcome from the response to a submission: `accepted`, or why it was skipped.
pub fn submission_outcome(response: &Value, call: u64) -> String {
    let outcome = &response["results"]["calls"][call.to_string()];
    outcome.get("reason").unwrap_or(&outcome["status"]).as_str().unwrap().to_owned()
}

/// Waits until no transcription is pending. Then checks that each of `calls` has one transcript with `text`, made by
/// one transcription, and that every call with a completed transcription has a transcript. Returns the number of
/// transcripts.
pub async fn assert_one_transcript_each(client: &Client, calls: &[u64], text: &str) -> u64 {
    let count_in_state = async |state: &str| {
        let path = format!("/api/calls?transcription={state}&limit=0;0");
        client.get(&path).await.expect(200)["total"].as_u64().unwrap()
    };
    let pending = async || count_in_state("queued").await + count_in_state("processing").await;
    // The queue may be long, so the timeout applies to each decrease.
    loop {
        let previous = pending().await;
        if previous == 0 {
            break;
        }
        eventually("the pending work decreases", async || pending().await < previous).await;
    }
    for call in calls {
        let transcriptions = client.get(&format!("/api/calls/{call}/transcriptions")).await.expect(200);
        assert_eq!(
            (transcriptions.as_array().unwrap().len(), &transcriptions[0]["state"]),
            (1, &json!("completed")),
            "call {call}: {transcriptions}"
        );
        let transcript = client.get(&format!("/api/calls/{call}/transcript")).await.expect(200);
        assert_eq!(transcript["segments"][0]["text"], text, "call {call}");
    }
    let completed = count_in_state("completed").await;
    assert_eq!(client.get("/api/transcripts?limit=1;0").await.expect(200)["total"], completed);
    completed
}

/// Waits until a condition holds.
pub async fn eventually(description: &str, condition: impl AsyncFn() -> bool) {
    let deadline = Instant::now() + TIMEOUT;
    while !condition().await {
        assert!(Instant::now() < deadline, "timed out after {TIMEOUT:?} waiting until {description}");
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
}
