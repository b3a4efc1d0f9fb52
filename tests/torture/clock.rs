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
    Client, Database, Endpoint, Installation, PASSWORD, Program, SpeechServer, body, cookie, eventually, log_in,
    on_each_database, record_call, submission, verdict,
};

/// Clock offsets in order: hours from the true time, and whether the change ends a session. An hour forward ends none.
/// Thirty days forward exceed the lifetime of a session. After a step back, its age is unknown.
const OFFSETS: [(i64, bool); 8] =
    [(1, false), (0, true), (720, true), (0, true), (-1, true), (0, false), (-720, true), (0, true)];

/// Duration of a recognition. The clock is set during it.
const TAKES: Duration = Duration::from_millis(2_500);

/// Minimum pause after a failed delivery: five seconds minus a fifth.
const PAUSE: Duration = Duration::from_secs(4);

/// Time limit until the job of a dead worker continues.
const GOES_ON_WITHIN: Duration = Duration::from_secs(60);

/// Fake clock of the programs.
struct Clock {
    folder: TempDir,
    library: String,
}

impl Clock {
    fn new() -> Self {
        let library =
            std::env::var("LEADSCRIBE_FAKETIME").expect("LEADSCRIBE_FAKETIME; `cargo xtask torture` names it");
        let clock = Self { folder: tempfile::tempdir().unwrap(), library };
        // The PostgreSQL server may run as another user.
        fs::set_permissions(clock.folder.path(), Permissions::from_mode(0o755)).unwrap();
        clock.set(0);
        clock
    }

    fn file(&self) -> PathBuf {
        self.folder.path().join("offset")
    }

    fn set(&self, hours: i64) {
        let new = self.folder.path().join("new");
        fs::write(&new, format!("{hours:+}h\n")).unwrap();
        fs::rename(new, self.file()).unwrap();
    }

    /// Returns the environment variables of a program with this clock.
    fn environment(&self) -> [(&'static str, String); 5] {
        [
            ("LD_PRELOAD", self.library.clone()),
            ("FAKETIME_TIMESTAMP_FILE", self.file().to_str().unwrap().to_owned()),
            ("FAKETIME_NO_CACHE", "1".to_owned()),
            ("FAKETIME_DONT_FAKE_MONOTONIC", "1".to_owned()),
            ("NO_FAKE_STAT", "1".to_owned()),
        ]
    }

    /// Starts a PostgreSQL server with this clock.
    fn postgres(&self) -> Cluster {
        let programs = bin_dir().expect("a PostgreSQL server; `cargo xtask torture` brings it");
        let environment = self.environment().map(|(name, value)| (name.to_owned(), value)).into();
        block_in_place(|| Cluster::start(&programs, &Options { environment, ..Options::default() }).unwrap())
    }
}

/// Installation with a fake clock.
struct Trial {
    clock: Clock,
    postgres: Option<Cluster>,
    installation: Installation,
    speech: SpeechServer,
    program: Program,
    key: String,
    token: String,
    /// Cookies of sessions that have ended.
    ended: Vec<String>,
    sent: Vec<u64>,
}

impl Trial {
    async fn begin(database: Database) -> Self {
        let clock = Clock::new();
        let postgres = (database == Database::Postgres).then(|| clock.postgres());
        let mut installation = match &postgres {
            Some(server) => Installation::on(&server.url()),
            None => Installation::embedded(),
        };
        for (variable, value) in clock.environment() {
            installation.set(variable, &value);
        }
        for (variable, value) in [
            ("LEADSCRIBE_CALLBACK_NETWORKS", "127.0.0.1"),
            ("LEADSCRIBE_RECOGNITIONS", "2"),
            ("LEADSCRIBE_ACCOUNT_ATTEMPTS", "1000"),
            ("LEADSCRIBE_ADDRESS_ATTEMPTS", "1000"),
            // Nothing expires between thirty days back and thirty days forward.
            ("LEADSCRIBE_TRANSCRIPT_DAYS", "61"),
            ("LEADSCRIBE_RECORDING_DAYS", "61"),
        ] {
            installation.set(variable, value);
        }
        let (key, token) = (installation.key(), installation.token());
        let speech = SpeechServer::saying("what time is it", TAKES).await;
        let program = installation.launch(&speech, &[]).ready().await;
        let ann = json!({ "email": "ann@example.com", "password": PASSWORD, "role": "admin" });
        program.client().with_key(&key).post("/api/users", body(ann)).await.expect(201);
        Self { clock, postgres, installation, speech, program, key, token, ended: Vec::new(), sent: Vec::new() }
    }

    fn client(&self) -> Client {
        self.program.client().with_key(&self.key)
    }

    /// Submits a call, and waits until it is being transcribed.
    async fn send(&mut self) -> u64 {
        let asked = self.speech.asked();
        let call = record_call(&self.client()).await;
        let answer =
            self.program.client().post("/api/speech-recognition", submission(&self.token, &[call])).await.expect(200);
        assert_eq!(verdict(&answer, call), "accepted");
        eventually("it is being recognised", async || self.speech.asked() > asked).await;
        self.sent.push(call);
        call
    }

    async fn wait_for(&self, call: u64) {
        let state =
            async || self.client().get(&format!("/api/calls/{call}")).await.expect(200)["transcription_state"].clone();
        eventually("it is completed", async || state().await == "completed").await;
    }

    /// Orders delivery of a call's transcript to an endpoint whose first response is 503. Returns after that response.
    async fn deliver(&self, call: u64) -> (Endpoint, Instant) {
        let endpoint = Endpoint::answering(&[503]).await;
        let mut query = url::form_urlencoded::Serializer::new(String::new());
        query.append_pair("callback_url", &endpoint.url).append_pair("callback_method", "POST");
        query.append_pair("callback_data", r#"{"call":"{call_id}"}"#).append_pair("limit", "1;0");
        let owner = self.program.client().with_header("x-speech-token", &self.token);
        let asked: Value = owner.get(&format!("/api/speech-recognition?{}", query.finish())).await.expect(202);
        assert_eq!(asked["call_ids"].as_array().unwrap().len(), 1, "of call {call} at least");
        endpoint.wait_for(1).await;
        (endpoint, Instant::now())
    }

    /// Logs in and returns the session cookie.
    async fn log_in(&self) -> String {
        cookie(&log_in(&self.program.client(), "ann@example.com", PASSWORD).await)
    }

    async fn is_open(&self, session: &str) -> bool {
        self.program.client().with_header("cookie", session).status("/api/session").await == 200
    }

    /// Sets the clock of the program and its database.
    #[expect(clippy::disallowed_methods, reason = "the true time, which the program isn't shown")]
    fn set_clock(&self, hours: i64) {
        self.clock.set(hours);
        let Some(server) = &self.postgres else { return };
        let shown =
            block_in_place(|| sql(&server.url(), "SELECT extract(epoch FROM clock_timestamp())::bigint")).unwrap();
        let now = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).unwrap().as_secs().cast_signed();
        let off = shown.parse::<i64>().unwrap() - (now + hours * 3_600);
        assert!(off.abs() < 60, "the database's clock is off by {off} s");
    }

    /// Sets the clock while a call is being transcribed, a delivery is pending and a user is logged in.
    async fn set(&mut self, (offset, ends): (i64, bool), before: u64) -> u64 {
        let session = self.log_in().await;
        let (endpoint, first) = self.deliver(before).await;
        let asked = self.speech.asked();
        let call = self.send().await;
        self.set_clock(offset);

        self.wait_for(call).await;
        endpoint.wait_for(2).await;
        assert!(first.elapsed() >= PAUSE, "{offset} h: delivered again after {:?}", first.elapsed());
        assert_eq!(self.speech.asked(), asked + 1, "{offset} h: a living worker's job was taken");
        if ends {
            eventually("the session ends", async || !self.is_open(&session).await).await;
        } else {
            assert!(self.is_open(&session).await, "{offset} h: it lasts twelve hours");
        }
        self.ended.push(session);
        call
    }

    /// Sets the clock and kills the program during a transcription. Returns how long the call then waits.
    async fn set_and_kill(&mut self, offset: i64) -> Duration {
        let asked = self.speech.asked();
        let call = self.send().await;
        self.set_clock(offset);
        self.program.kill();
        let dead = Instant::now();
        self.program = self.installation.launch(&self.speech, &[]).ready().await;
        eventually("it is recognised again", async || self.speech.asked() > asked + 1).await;
        let waited = dead.elapsed();
        assert!(waited <= GOES_ON_WITHIN, "{offset} h: it went on after {waited:?}");
        self.wait_for(call).await;
        assert_eq!(self.speech.asked(), asked + 2, "{offset} h: once before it was killed, and once after");
        waited
    }
}

async fn jobs_and_sessions_survive_clock_changes(database: Database) {
    let mut trial = Trial::begin(database).await;
    let mut call = trial.send().await;
    trial.wait_for(call).await;
    for offset in OFFSETS {
        call = trial.set(offset, call).await;
    }
    let mut longest = Duration::ZERO;
    for (offset, _) in OFFSETS {
        longest = longest.max(trial.set_and_kill(offset).await);
    }
    for session in &trial.ended {
        assert!(!trial.is_open(session).await, "a session that had ended is open again");
    }
    let client = trial.client();
    for call in &trial.sent {
        let work = client.get(&format!("/api/calls/{call}/transcriptions")).await.expect(200);
        assert_eq!((work.as_array().unwrap().len(), &work[0]["state"]), (1, &json!("completed")), "{work}");
        client.get(&format!("/api/calls/{call}/transcript")).await.expect(200);
        assert_eq!(client.get(&format!("/api/calls/{call}/recording")).await.status, 200);
    }
    let (sets, calls) = (2 * OFFSETS.len(), trial.sent.len());
    println!(
        "measured: the clock set {sets} times, {calls} calls with one result each, a dead worker's job went on within {:.0} s",
        longest.as_secs_f64()
    );
}
on_each_database!(
    #[ignore = "minutes: run it by `cargo xtask torture`"]
    jobs_and_sessions_survive_clock_changes
);
