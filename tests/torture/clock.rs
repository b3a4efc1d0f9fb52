//! Clock changes: the clock is set an hour and thirty days forward and back while the program runs, and while it is
//! killed. No job starts early, gets stuck or runs twice, and no session lasts longer.
//!
//! libfaketime changes the time of the program and of the PostgreSQL server. Their timers use the monotonic clock,
//! which stays unchanged, as when a system's clock is set.

use std::fs::{self, Permissions};
use std::os::unix::fs::PermissionsExt;
use std::path::PathBuf;
use std::time::{Duration, Instant, SystemTime};

use leadscribe_test_postgres::{Cluster, Options, bin_dir, sql};
use serde_json::{Value, json};
use tempfile::TempDir;
use tokio::task::block_in_place;

use crate::harness::{
    Client, Database, Endpoint, Installation, PASSWORD, ServerProcess, SpeechServer, body, create_recorded_call,
    eventually, log_in, on_each_database, session_cookie, submission_body, submission_outcome,
};

/// Clock offsets in order: hours from the true time, and whether the change ends a session. An hour forward ends none.
/// Thirty days forward exceeds the lifetime of a session. After a step back, its age is unknown.
const OFFSETS: [(i64, bool); 8] =
    [(1, false), (0, true), (720, true), (0, true), (-1, true), (0, false), (-720, true), (0, true)];

/// Duration of a recognition. The clock is set during it.
const RECOGNITION_DURATION: Duration = Duration::from_millis(2_500);

/// Minimum pause after a failed delivery: five seconds minus a fifth.
const MIN_RETRY_DELAY: Duration = Duration::from_secs(4);

/// Time limit until the job of a dead worker continues.
const MAX_TAKEOVER_TIME: Duration = Duration::from_secs(60);

/// Fake clock of the programs.
struct FakeClock {
    folder: TempDir,
    library: String,
}

impl FakeClock {
    fn new() -> Self {
        let library =
            std::env::var("LEADSCRIBE_FAKETIME").expect("LEADSCRIBE_FAKETIME is not set; run `cargo xtask torture`");
        let clock = Self { folder: tempfile::tempdir().unwrap(), library };
        // The PostgreSQL server may run as another user.
        fs::set_permissions(clock.folder.path(), Permissions::from_mode(0o755)).unwrap();
        clock.set(0);
        clock
    }

    fn offset_file(&self) -> PathBuf {
        self.folder.path().join("offset")
    }

    fn set(&self, hours: i64) {
        let new_file = self.folder.path().join("new");
        fs::write(&new_file, format!("{hours:+}h\n")).unwrap();
        fs::rename(new_file, self.offset_file()).unwrap();
    }

    /// Returns the environment variables of a program with this clock.
    fn environment_variables(&self) -> [(&'static str, String); 5] {
        [
            ("LD_PRELOAD", self.library.clone()),
            ("FAKETIME_TIMESTAMP_FILE", self.offset_file().to_str().unwrap().to_owned()),
            ("FAKETIME_NO_CACHE", "1".to_owned()),
            ("FAKETIME_DONT_FAKE_MONOTONIC", "1".to_owned()),
            ("NO_FAKE_STAT", "1".to_owned()),
        ]
    }

    /// Starts a PostgreSQL server with this clock.
    fn start_postgres(&self) -> Cluster {
        let programs = bin_dir().expect("PostgreSQL is missing; run `cargo xtask torture`");
        let environment = self.environment_variables().map(|(name, value)| (name.to_owned(), value)).into();
        block_in_place(|| Cluster::start(&programs, &Options { environment, ..Options::default() }).unwrap())
    }
}

/// Installation with a fake clock.
struct ClockTest {
    clock: FakeClock,
    postgres: Option<Cluster>,
    installation: Installation,
    speech: SpeechServer,
    program: ServerProcess,
    key: String,
    token: String,
    /// Cookies of all sessions so far. The last clock change has ended all of them.
    sessions: Vec<String>,
    submitted_calls: Vec<u64>,
}

impl ClockTest {
    async fn start(database: Database) -> Self {
        let clock = FakeClock::new();
        let postgres = (database == Database::Postgres).then(|| clock.start_postgres());
        let mut installation = match &postgres {
            Some(server) => Installation::with_database_url(&server.url()),
            None => Installation::embedded(),
        };
        for (variable, value) in clock.environment_variables() {
            installation.set(variable, &value);
        }
        for (variable, value) in [
            ("LEADSCRIBE_CALLBACK_ALLOWED_NETWORKS", "127.0.0.1"),
            ("LEADSCRIBE_MAX_CONCURRENT_RECOGNITIONS", "2"),
            ("LEADSCRIBE_ACCOUNT_ATTEMPTS", "1000"),
            ("LEADSCRIBE_ADDRESS_ATTEMPTS", "1000"),
            // Nothing expires between thirty days back and thirty days forward.
            ("LEADSCRIBE_TRANSCRIPT_DAYS", "61"),
            ("LEADSCRIBE_RECORDING_DAYS", "61"),
        ] {
            installation.set(variable, value);
        }
        let (key, token) = (installation.create_api_key(), installation.create_speech_token());
        let speech = SpeechServer::start("what time is it", RECOGNITION_DURATION).await;
        let program = installation.launch(&speech, &[]).wait_until_ready().await;
        let ann = json!({ "email": "ann@example.com", "password": PASSWORD, "role": "admin" });
        program.client().with_key(&key).post("/api/users", body(ann)).await.expect(201);
        Self {
            clock,
            postgres,
            installation,
            speech,
            program,
            key,
            token,
            sessions: Vec::new(),
            submitted_calls: Vec::new(),
        }
    }

    fn client(&self) -> Client {
        self.program.client().with_key(&self.key)
    }

    /// Submits a call, and waits until it is being transcribed.
    async fn submit_call(&mut self) -> u64 {
        let request_count = self.speech.request_count();
        let call = create_recorded_call(&self.client()).await;
        let response = self
            .program
            .client()
            .post("/api/speech-recognition", submission_body(&self.token, &[call]))
            .await
            .expect(200);
        assert_eq!(submission_outcome(&response, call), "accepted");
        eventually("the call is being transcribed", async || self.speech.request_count() > request_count).await;
        self.submitted_calls.push(call);
        call
    }

    async fn wait_until_transcribed(&self, call: u64) {
        let state =
            async || self.client().get(&format!("/api/calls/{call}")).await.expect(200)["transcription_state"].clone();
        eventually("the transcription is completed", async || state().await == "completed").await;
    }

    /// Requests delivery of a call's transcript to an endpoint whose first response is 503. Returns after
    /// that response.
    async fn request_delivery(&self, call: u64) -> (Endpoint, Instant) {
        let endpoint = Endpoint::start(&[503]).await;
        let mut query = url::form_urlencoded::Serializer::new(String::new());
        query.append_pair("callback_url", &endpoint.url).append_pair("callback_method", "POST");
        query.append_pair("callback_data", r#"{"call":"{call_id}"}"#).append_pair("limit", "1;0");
        let owner = self.program.client().with_header("x-speech-token", &self.token);
        let response: Value = owner.get(&format!("/api/speech-recognition?{}", query.finish())).await.expect(202);
        assert_eq!(response["call_ids"].as_array().unwrap().len(), 1, "one delivery of call {call}");
        endpoint.wait_for(1).await;
        (endpoint, Instant::now())
    }

    /// Logs in and returns the session cookie.
    async fn log_in(&self) -> String {
        session_cookie(&log_in(&self.program.client(), "ann@example.com", PASSWORD).await)
    }

    async fn is_session_valid(&self, session: &str) -> bool {
        self.program.client().with_header("cookie", session).status("/api/session").await == 200
    }

    /// Sets the clock of the program and its database.
    #[expect(clippy::disallowed_methods, reason = "the true time, which the program isn't shown")]
    fn set_clock(&self, hours: i64) {
        self.clock.set(hours);
        let Some(server) = &self.postgres else { return };
        let database_time =
            block_in_place(|| sql(&server.url(), "SELECT extract(epoch FROM clock_timestamp())::bigint")).unwrap();
        let now = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).unwrap().as_secs().cast_signed();
        let deviation = database_time.parse::<i64>().unwrap() - (now + hours * 3_600);
        assert!(deviation.abs() < 60, "the database's clock is off by {deviation} s");
    }

    /// Sets the clock while a call is being transcribed, a delivery is pending and a user is logged in.
    async fn check_clock_change(&mut self, (offset, ends_session): (i64, bool), transcribed_call: u64) -> u64 {
        let session = self.log_in().await;
        let (endpoint, first_attempt) = self.request_delivery(transcribed_call).await;
        let request_count = self.speech.request_count();
        let call = self.submit_call().await;
        self.set_clock(offset);

        self.wait_until_transcribed(call).await;
        endpoint.wait_for(2).await;
        assert!(
            first_attempt.elapsed() >= MIN_RETRY_DELAY,
            "{offset} h: delivered again after {:?}",
            first_attempt.elapsed()
        );
        assert_eq!(self.speech.request_count(), request_count + 1, "{offset} h: the job of a live worker was claimed");
        if ends_session {
            eventually("the session ends", async || !self.is_session_valid(&session).await).await;
        } else {
            assert!(self.is_session_valid(&session).await, "{offset} h: the session lasts twelve hours");
        }
        self.sessions.push(session);
        call
    }

    /// Sets the clock and kills the program during a transcription. Returns how long the call then waits.
    async fn check_clock_change_and_kill(&mut self, offset: i64) -> Duration {
        let request_count = self.speech.request_count();
        let call = self.submit_call().await;
        self.set_clock(offset);
        self.program.kill();
        let killed_at = Instant::now();
        self.program = self.installation.launch(&self.speech, &[]).wait_until_ready().await;
        eventually("the call is transcribed again", async || self.speech.request_count() > request_count + 1).await;
        let takeover_time = killed_at.elapsed();
        assert!(takeover_time <= MAX_TAKEOVER_TIME, "{offset} h: work continued after {takeover_time:?}");
        self.wait_until_transcribed(call).await;
        assert_eq!(
            self.speech.request_count(),
            request_count + 2,
            "{offset} h: expected one recognition before the kill and one after"
        );
        takeover_time
    }
}

async fn jobs_and_sessions_survive_clock_changes(database: Database) {
    let mut test = ClockTest::start(database).await;
    let mut call = test.submit_call().await;
    test.wait_until_transcribed(call).await;
    for offset in OFFSETS {
        call = test.check_clock_change(offset, call).await;
    }
    let mut max_takeover_time = Duration::ZERO;
    for (offset, _) in OFFSETS {
        max_takeover_time = max_takeover_time.max(test.check_clock_change_and_kill(offset).await);
    }
    for session in &test.sessions {
        assert!(!test.is_session_valid(session).await, "an ended session is valid again");
    }
    let client = test.client();
    for call in &test.submitted_calls {
        let transcriptions = client.get(&format!("/api/calls/{call}/transcriptions")).await.expect(200);
        assert_eq!(
            (transcriptions.as_array().unwrap().len(), &transcriptions[0]["state"]),
            (1, &json!("completed")),
            "{transcriptions}"
        );
        client.get(&format!("/api/calls/{call}/transcript")).await.expect(200);
        assert_eq!(client.get(&format!("/api/calls/{call}/recording")).await.status, 200);
    }
    let (clock_changes, calls) = (2 * OFFSETS.len(), test.submitted_calls.len());
    println!(
        "measured: {clock_changes} clock changes, {calls} calls with one result each, jobs of dead workers resumed within {:.0} s",
        max_takeover_time.as_secs_f64()
    );
}
on_each_database!(
    #[ignore = "takes minutes; run with `cargo xtask torture`"]
    jobs_and_sessions_survive_clock_changes
);
