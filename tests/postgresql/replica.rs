//! Reads go to a replica, invisibly to clients, even if it lags or goes down.

use std::sync::Arc;
use std::time::Duration;

use leadscribe_test_postgres::{Cluster, Options, Shutdown, bin_dir, sql};
use serde_json::json;
use tokio::task::spawn_blocking;
use tokio::time::sleep;

use crate::harness::{Client, Installation, PASSWORD, Program, body, cookie, eventually, log_in, refusal};

/// Server with a replica, and two processes that use both.
struct Replicated {
    _primary: Cluster,
    replica: Arc<Cluster>,
    key: String,
    apis: [Program; 2],
    _installation: Installation,
}

impl Replicated {
    async fn start() -> Self {
        let clusters = || {
            let programs = bin_dir().expect("a PostgreSQL server; `cargo xtask test system` brings it");
            let primary = Cluster::start(&programs, &Options::default()).unwrap();
            let replica = primary.replica().unwrap();
            (primary, replica)
        };
        let (primary, replica) = spawn_blocking(clusters).await.unwrap();
        let mut installation = Installation::on(&primary.url());
        installation.set("LEADSCRIBE_READ_DATABASE_URL", &replica.url());
        // With the index, searches would hardly read from the database.
        installation.set("LEADSCRIBE_LEAD_INDEX", "off");
        let key = installation.key();
        let apis = [installation.api().await, installation.api().await];
        Self { _primary: primary, replica: Arc::new(replica), key, apis, _installation: installation }
    }

    fn client(&self) -> Client {
        self.apis[0].client().with_key(&self.key)
    }

    async fn on_replica(&self, statement: &'static str) -> String {
        let url = self.replica.url();
        spawn_blocking(move || sql(&url, statement).unwrap()).await.unwrap()
    }

    /// Returns the number of lead searches on the replica so far.
    async fn look_ups(&self) -> u64 {
        let count = "SELECT seq_scan + coalesce(idx_scan, 0) FROM pg_stat_user_tables WHERE relname = 'leads'";
        self.on_replica(count).await.parse().unwrap()
    }

    /// Sends reads until the replica has served some.
    async fn expect_reads_on_replica(&self) {
        const READS: u64 = 50;
        let client = self.client();
        eventually("reads go to the replica", async || {
            let before = self.look_ups().await;
            for _ in 0..READS {
                client.put("/api/leads/extended-data", body(json!({ "city": "Bonn" }))).await.expect(200);
            }
            // A connection reports its statistics within a second.
            sleep(Duration::from_millis(1_500)).await;
            self.look_ups().await - before > READS / 2
        })
        .await;
    }
}

/// Logs in and returns a client of the session for each process.
async fn session(replicated: &Replicated) -> [Client; 2] {
    let ann = json!({ "email": "ann@example.com", "password": PASSWORD, "role": "manager" });
    replicated.client().post("/api/users", body(ann)).await.expect(201);
    let answer = log_in(&replicated.apis[0].client(), "ann@example.com", PASSWORD).await;
    let csrf_token = answer.expect(200)["csrf_token"].as_str().unwrap().to_owned();
    let panel =
        |api: &Program| api.client().with_header("cookie", &cookie(&answer)).with_header("x-csrf-token", &csrf_token);
    replicated.apis.each_ref().map(panel)
}

/// Writes through each process, and immediately reads through both.
async fn expect_own_writes(session: &[Client; 2], round: u32) {
    for (number, writer) in session.iter().enumerate() {
        let name = format!("campaign {number} of round {round}");
        let campaign = writer.create("/api/campaigns", json!({ "name": name })).await;
        let lead = writer.create("/api/leads", json!({ "city": name })).await;
        for reader in session {
            assert_eq!(reader.get(&format!("/api/campaigns/{campaign}")).await.expect(200)["name"], name);
            let found = reader.put("/api/leads/extended-data", body(json!({ "city": name }))).await.expect(200);
            assert_eq!((&found["total_leads"], &found["leads"][0]["id"]), (&json!(1), &json!(lead)), "{name}");
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn session_reads_its_own_writes_despite_replica_lag() {
    const ROUNDS: u32 = 20;
    let replicated = Replicated::start().await;
    replicated.expect_reads_on_replica().await;
    let session = session(&replicated).await;
    for round in 0..ROUNDS {
        expect_own_writes(&session, round).await;
    }
    replicated.on_replica("SELECT pg_wal_replay_pause()").await;
    for round in ROUNDS..2 * ROUNDS {
        expect_own_writes(&session, round).await;
    }
    replicated.on_replica("SELECT pg_wal_replay_resume()").await;
    replicated.expect_reads_on_replica().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn replica_of_another_database_is_rejected() {
    let refusals = || {
        let programs = bin_dir().expect("a PostgreSQL server; `cargo xtask test system` brings it");
        let [primary, other] = [(); 2].map(|()| Cluster::start(&programs, &Options::default()).unwrap());
        sql(&primary.url(), "CREATE DATABASE elsewhere").unwrap();
        let (replica, of_other) = (primary.replica().unwrap(), other.replica().unwrap());
        [replica.database_url("elsewhere"), of_other.url()].map(|url| {
            let data = tempfile::tempdir().unwrap();
            let options = [("LEADSCRIBE_DATABASE_URL", &*primary.url()), ("LEADSCRIBE_READ_DATABASE_URL", &*url)];
            refusal(data.path(), &options, &["serve", "--listen", "127.0.0.1:0"])
        })
    };
    for told in spawn_blocking(refusals).await.unwrap() {
        assert!(told.contains("a replica of another primary, or its URL names another database"), "{told}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn server_starts_after_its_replica_was_promoted() {
    let start = || {
        let programs = bin_dir().expect("a PostgreSQL server; `cargo xtask test system` brings it");
        Cluster::start(&programs, &Options::default()).unwrap()
    };
    let cluster = spawn_blocking(start).await.unwrap();
    let mut installation = Installation::on(&cluster.url());
    installation.set("LEADSCRIBE_READ_DATABASE_URL", &cluster.url());
    let program = installation.api().await;
    let client = program.client().with_key(&installation.key());
    let id = client.create("/api/leads", json!({ "first_name": "Ann" })).await;
    assert_eq!(client.get(&format!("/api/leads/{id}")).await.expect(200)["first_name"], "Ann");
}

#[tokio::test(flavor = "multi_thread")]
async fn reads_fall_back_while_the_replica_is_down() {
    let replicated = Replicated::start().await;
    replicated.expect_reads_on_replica().await;
    let session = session(&replicated).await;
    let gone = replicated.replica.clone();
    spawn_blocking(move || gone.stop(Shutdown::Immediate).unwrap()).await.unwrap();
    for round in 0..10 {
        expect_own_writes(&session, round).await;
    }
    let back = replicated.replica.clone();
    spawn_blocking(move || back.start_again().unwrap()).await.unwrap();
    replicated.expect_reads_on_replica().await;
}
