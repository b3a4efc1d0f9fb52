//! Reads go to a replica, invisibly to clients, even if it lags or goes down.

use std::sync::Arc;
use std::time::Duration;

use leadscribe_test_postgres::{Cluster, Options, Shutdown, bin_dir, sql};
use serde_json::json;
use tokio::task::spawn_blocking;
use tokio::time::sleep;

use crate::harness::{
    Client, Installation, PASSWORD, ServerProcess, body, eventually, log_in, run_failing, session_cookie,
};

/// Server with a replica, and two processes that use both.
struct ReplicatedInstallation {
    _primary: Cluster,
    replica: Arc<Cluster>,
    key: String,
    apis: [ServerProcess; 2],
    _installation: Installation,
}

impl ReplicatedInstallation {
    async fn start() -> Self {
        let start_clusters = || {
            let programs = bin_dir().expect("PostgreSQL is missing; run `cargo xtask test system`");
            let primary = Cluster::start(&programs, &Options::default()).unwrap();
            let replica = primary.start_replica().unwrap();
            (primary, replica)
        };
        let (primary, replica) = spawn_blocking(start_clusters).await.unwrap();
        let mut installation = Installation::with_database_url(&primary.url());
        installation.set("LEADSCRIBE_READ_DATABASE_URL", &replica.url());
        // With the index, searches would hardly read from the database.
        installation.set("LEADSCRIBE_LEAD_INDEX", "off");
        let key = installation.create_api_key();
        let apis = [installation.start_api().await, installation.start_api().await];
        Self { _primary: primary, replica: Arc::new(replica), key, apis, _installation: installation }
    }

    fn client(&self) -> Client {
        self.apis[0].client().with_key(&self.key)
    }

    async fn query_replica(&self, statement: &'static str) -> String {
        let url = self.replica.url();
        spawn_blocking(move || sql(&url, statement).unwrap()).await.unwrap()
    }

    /// Returns the number of lead searches on the replica so far.
    async fn replica_search_count(&self) -> u64 {
        let query = "SELECT seq_scan + coalesce(idx_scan, 0) FROM pg_stat_user_tables WHERE relname = 'leads'";
        self.query_replica(query).await.parse().unwrap()
    }

    /// Sends reads until the replica has served some.
    async fn wait_for_replica_reads(&self) {
        const READ_COUNT: u64 = 50;
        let client = self.client();
        eventually("reads go to the replica", async || {
            let searches_before = self.replica_search_count().await;
            for _ in 0..READ_COUNT {
                client.search_leads(json!({ "city": "Bonn" })).await;
            }
            // A connection reports its statistics within a second.
            sleep(Duration::from_millis(1_500)).await;
            self.replica_search_count().await - searches_before > READ_COUNT / 2
        })
        .await;
    }
}

/// Logs in and returns a client of the session for each process.
async fn session_clients(replicated: &ReplicatedInstallation) -> [Client; 2] {
    let ann = json!({ "email": "ann@example.com", "password": PASSWORD, "role": "manager" });
    replicated.client().post("/api/users", body(ann)).await.expect(201);
    let response = log_in(&replicated.apis[0].client(), "ann@example.com", PASSWORD).await;
    let csrf_token = response.expect(200)["csrf_token"].as_str().unwrap().to_owned();
    let panel_client = |api: &ServerProcess| {
        api.client().with_header("cookie", &session_cookie(&response)).with_header("x-csrf-token", &csrf_token)
    };
    replicated.apis.each_ref().map(panel_client)
}

/// Writes through each process, and immediately reads through both.
async fn assert_reads_own_writes(clients: &[Client; 2], round: u32) {
    for (process_index, writer) in clients.iter().enumerate() {
        let name = format!("campaign {process_index} of round {round}");
        let campaign = writer.create("/api/campaigns", json!({ "name": name })).await;
        let lead = writer.create("/api/leads", json!({ "city": name })).await;
        for reader in clients {
            assert_eq!(reader.get(&format!("/api/campaigns/{campaign}")).await.expect(200)["name"], name);
            let result = reader.search_leads(json!({ "city": name })).await;
            assert_eq!((&result["total_leads"], &result["leads"][0]["id"]), (&json!(1), &json!(lead)), "{name}");
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn session_reads_its_own_writes_despite_replica_lag() {
    const ROUND_COUNT: u32 = 20;
    let replicated = ReplicatedInstallation::start().await;
    replicated.wait_for_replica_reads().await;
    let clients = session_clients(&replicated).await;
    for round in 0..ROUND_COUNT {
        assert_reads_own_writes(&clients, round).await;
    }
    replicated.query_replica("SELECT pg_wal_replay_pause()").await;
    for round in ROUND_COUNT..2 * ROUND_COUNT {
        assert_reads_own_writes(&clients, round).await;
    }
    replicated.query_replica("SELECT pg_wal_replay_resume()").await;
    replicated.wait_for_replica_reads().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn replica_of_another_database_is_rejected() {
    let run_servers = || {
        let programs = bin_dir().expect("PostgreSQL is missing; run `cargo xtask test system`");
        let [primary, other] = [(); 2].map(|()| Cluster::start(&programs, &Options::default()).unwrap());
        sql(&primary.url(), "CREATE DATABASE elsewhere").unwrap();
        let (replica, other_replica) = (primary.start_replica().unwrap(), other.start_replica().unwrap());
        [replica.database_url("elsewhere"), other_replica.url()].map(|url| {
            let data = tempfile::tempdir().unwrap();
            let options = [("LEADSCRIBE_DATABASE_URL", &*primary.url()), ("LEADSCRIBE_READ_DATABASE_URL", &*url)];
            run_failing(data.path(), &options, &["serve", "--listen", "127.0.0.1:0"])
        })
    };
    for output in spawn_blocking(run_servers).await.unwrap() {
        assert!(output.contains("a replica of another primary, or its URL names another database"), "{output}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn server_starts_after_its_replica_was_promoted() {
    let start = || {
        let programs = bin_dir().expect("PostgreSQL is missing; run `cargo xtask test system`");
        Cluster::start(&programs, &Options::default()).unwrap()
    };
    let cluster = spawn_blocking(start).await.unwrap();
    let mut installation = Installation::with_database_url(&cluster.url());
    installation.set("LEADSCRIBE_READ_DATABASE_URL", &cluster.url());
    let program = installation.start_api().await;
    let client = program.client().with_key(&installation.create_api_key());
    let id = client.create("/api/leads", json!({ "first_name": "Ann" })).await;
    assert_eq!(client.get(&format!("/api/leads/{id}")).await.expect(200)["first_name"], "Ann");
}

#[tokio::test(flavor = "multi_thread")]
async fn reads_fall_back_while_the_replica_is_down() {
    let replicated = ReplicatedInstallation::start().await;
    replicated.wait_for_replica_reads().await;
    let clients = session_clients(&replicated).await;
    let stopping_replica = replicated.replica.clone();
    spawn_blocking(move || stopping_replica.stop(Shutdown::Immediate).unwrap()).await.unwrap();
    for round in 0..10 {
        assert_reads_own_writes(&clients, round).await;
    }
    let starting_replica = replicated.replica.clone();
    spawn_blocking(move || starting_replica.start_stopped().unwrap()).await.unwrap();
    replicated.wait_for_replica_reads().await;
}
