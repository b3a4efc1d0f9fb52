//! Failover to a standby that lacks the last transactions, with processes that have seen the lost data.

mod client;
mod load;
mod pair;

use leadscribe_test_postgres::sql;
use reqwest::StatusCode;
use serde_json::{Value, json};
use tokio::task::block_in_place;

use client::FailoverClient;
pub use load::run_failovers;
use pair::{ReplicationPair, wait_until_in_sync};

use crate::harness::{Client, Installation, ServerProcess, body, eventually};
use crate::operations::Exposition;

/// Leads lost in a failover: more than are created after it, so that their transaction ids are reused.
const LOST_LEADS: usize = 20;

#[tokio::test(flavor = "multi_thread")]
async fn searches_are_correct_after_lossy_failover() {
    let mut pair = ReplicationPair::start();
    let mut installation = Installation::with_database_url(&pair.url());
    installation.set("LEADSCRIBE_METRICS_PUBLIC", "true");
    let key = installation.create_api_key();
    let apis = [installation.start_api().await, installation.start_api().await];
    let clients = apis.each_ref().map(|api| api.client().with_key(&key));
    let campaign = clients[0].create("/api/campaigns", json!({ "name": "kept" })).await;
    let kept_ids = create_leads(&clients[0], "kept", 3).await;
    wait_until_indexed(&apis).await;
    pair.wait_until_in_sync().await;

    pair.stop_replication();
    let lost_ids = create_leads(&clients[0], "lost", LOST_LEADS).await;
    rename_campaign(&clients[0], campaign, "lost").await;
    for client in &clients {
        assert_eq!(lead_ids_in_city(client, "lost").await, lost_ids);
    }
    pair.crash();
    pair.promote();
    wait_until_ready(&apis).await;

    let new_ids = create_leads(&clients[0], "new", 3).await;
    for client in &clients {
        assert_eq!(lead_ids_in_city(client, "new").await, new_ids);
        assert_eq!(lead_ids_in_city(client, "kept").await, kept_ids);
        assert_eq!(lead_ids_in_city(client, "lost").await, Vec::<i64>::new());
    }
    wait_until_indexed(&apis).await;
    let campaign_lead = json!({ "campaign_id": campaign, "lead_id": new_ids[0] });
    clients[0].create("/api/campaign-leads", campaign_lead).await;
    for client in &clients {
        assert_eq!(lead_ids_in_city(client, "new").await, new_ids);
        let response = search_city(client, "new").await;
        assert_eq!(response["leads"][0]["campaigns"][0]["campaign_name"], "kept", "{response}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn standby_is_not_used_while_the_primary_is_down() {
    let pair = ReplicationPair::start();
    let installation = Installation::with_database_url(&pair.url());
    let key = installation.create_api_key();
    let apis = [installation.start_api().await];
    let (client, retry_client) = (apis[0].client().with_key(&key), FailoverClient::new(&apis[0], &key));
    pair.wait_until_in_sync().await;

    pair.crash();
    eventually("the process isn't ready", async || readiness_status(&apis[0]).await == StatusCode::SERVICE_UNAVAILABLE)
        .await;
    for _ in 0..20 {
        assert_eq!(readiness_status(&apis[0]).await, StatusCode::SERVICE_UNAVAILABLE);
        assert_eq!(retry_client.search(&json!({ "city": "away" })).await, None);
        assert_eq!(retry_client.create_lead("away").await, None);
    }
    block_in_place(|| pair.primary.start_stopped().unwrap());
    wait_until_ready(&apis).await;
    let writes = (0..20).map(|_| client.create("/api/leads", json!({ "city": "back" })));
    let mut written = futures::future::join_all(writes).await;
    written.sort_unstable();
    assert_eq!(lead_ids_in_city(&client, "back").await, written);
}

#[tokio::test(flavor = "multi_thread")]
async fn replica_on_another_timeline_is_not_read() {
    let mut pair = ReplicationPair::start();
    let replica = block_in_place(|| pair.primary.start_replica().unwrap());
    let mut installation = Installation::with_database_url(&pair.url());
    installation.set("LEADSCRIBE_METRICS_PUBLIC", "true");
    installation.set("LEADSCRIBE_LEAD_INDEX", "off");
    installation.set("LEADSCRIBE_READ_DATABASE_URL", &replica.url());
    let key = installation.create_api_key();
    let apis = [installation.start_api().await];
    let client = apis[0].client().with_key(&key);
    wait_for_replica_reads(&client).await;

    // The replica gets transactions that the standby, which is the next primary, doesn't have.
    pair.wait_until_in_sync().await;
    pair.stop_replication();
    create_leads(&client, "lost", LOST_LEADS).await;
    let large_table = "CREATE TABLE much AS SELECT * FROM generate_series(1, 100000)";
    block_in_place(|| sql(&pair.primary.url(), large_table).unwrap());
    wait_until_in_sync(&pair.primary, &replica).await;
    pair.crash();
    pair.promote();
    wait_until_ready(&apis).await;
    let new_ids = create_leads(&client, "new", 3).await;
    for _ in 0..20 {
        assert_eq!(lead_ids_in_city(&client, "new").await, new_ids);
        assert_eq!(lead_ids_in_city(&client, "lost").await, Vec::<i64>::new());
    }

    // A replica of the new primary is read again.
    let port = replica.port();
    let _replica = block_in_place(|| {
        drop(replica);
        pair.primary.start_replica_on(port).unwrap()
    });
    wait_for_replica_reads(&client).await;
    assert_eq!(lead_ids_in_city(&client, "new").await, new_ids);
}

#[tokio::test(flavor = "multi_thread")]
async fn promoted_replica_is_not_read() {
    let pair = ReplicationPair::start();
    let mut installation = Installation::with_database_url(&pair.primary.url());
    installation.set("LEADSCRIBE_METRICS_PUBLIC", "true");
    installation.set("LEADSCRIBE_LEAD_INDEX", "off");
    installation.set("LEADSCRIBE_READ_DATABASE_URL", &pair.standby.url());
    let key = installation.create_api_key();
    let apis = [installation.start_api().await];
    let client = apis[0].client().with_key(&key);
    let lead_ids = create_leads(&client, "here", 1).await;
    wait_for_replica_reads(&client).await;
    pair.wait_until_in_sync().await;
    block_in_place(|| {
        pair.standby.promote().unwrap();
        sql(&pair.standby.url(), "DELETE FROM leads").unwrap();
    });
    for _ in 0..20 {
        assert_eq!(lead_ids_in_city(&client, "here").await, lead_ids);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn replica_without_visible_timeline_is_not_read() {
    let pair = ReplicationPair::start();
    let run_sql = |statement: &str| block_in_place(|| sql(&pair.primary.url(), statement).unwrap());
    run_sql("CREATE ROLE app LOGIN PASSWORD 'app'; CREATE SCHEMA app AUTHORIZATION app");
    let [url, replica_url] =
        [&pair.primary, &pair.standby].map(|server| format!("postgres://app:app@127.0.0.1:{}/postgres", server.port()));
    let mut installation = Installation::with_database_url(&url);
    installation.set("LEADSCRIBE_METRICS_PUBLIC", "true");
    installation.set("LEADSCRIBE_LEAD_INDEX", "off");
    installation.set("LEADSCRIBE_READ_DATABASE_URL", &replica_url);
    let key = installation.create_api_key();
    let api = installation.start_api().await;
    let client = api.client().with_key(&key);
    wait_for_replica_reads(&client).await;

    let functions = "pg_control_checkpoint(), pg_control_recovery()";
    run_sql(&format!("REVOKE EXECUTE ON FUNCTION {functions} FROM PUBLIC"));
    pair.wait_until_in_sync().await;
    let reads_before = replica_read_count(&client).await;
    for round in 0..5 {
        let city = format!("round {round}");
        assert_eq!(create_leads(&client, &city, 1).await, lead_ids_in_city(&client, &city).await);
    }
    assert_eq!(replica_read_count(&client).await, reads_before);
    run_sql("GRANT pg_read_all_stats TO app");
    wait_for_replica_reads(&client).await;
}

/// Creates leads in `city`; returns their ids.
async fn create_leads(client: &Client, city: &str, count: usize) -> Vec<i64> {
    let mut ids = Vec::new();
    for _ in 0..count {
        ids.push(client.create("/api/leads", json!({ "city": city })).await);
    }
    ids
}

async fn rename_campaign(client: &Client, campaign: i64, name: &str) {
    client.patch(&format!("/api/campaigns/{campaign}"), body(json!({ "name": name }))).await.expect(200);
}

async fn search_city(client: &Client, city: &str) -> Value {
    let filter = json!({ "city": city, "limit": "1000;0", "_order": "id" });
    client.search_leads(filter).await
}

/// Returns the ids of the leads in `city`.
async fn lead_ids_in_city(client: &Client, city: &str) -> Vec<i64> {
    let response = search_city(client, city).await;
    let ids: Vec<_> = response["leads"].as_array().unwrap().iter().map(|lead| lead["id"].as_i64().unwrap()).collect();
    assert_eq!(response["total_leads"], ids.len());
    ids
}

async fn readiness_status(api: &ServerProcess) -> StatusCode {
    reqwest::get(format!("{}/readyz", api.base_url)).await.unwrap().status()
}

/// Waits until all processes are ready.
async fn wait_until_ready(apis: &[ServerProcess]) {
    for api in apis {
        eventually("the process is ready", async || readiness_status(api).await == StatusCode::OK).await;
    }
}

/// Waits until all processes have their lead index.
async fn wait_until_indexed(apis: &[ServerProcess]) {
    for api in apis {
        let client = api.client();
        let has_index =
            async || Exposition::fetch(&client).await.value("leadscribe_lead_index_ready", &[]) == Some(1.0);
        eventually("the lead index is built", has_index).await;
    }
}

/// Waits until the replica serves reads.
async fn wait_for_replica_reads(client: &Client) {
    eventually("reads use the replica", async || {
        let reads_before = replica_read_count(client).await;
        lead_ids_in_city(client, "nowhere").await;
        replica_read_count(client).await > reads_before
    })
    .await;
}

/// Returns the number of reads that the replica has served.
async fn replica_read_count(client: &Client) -> f64 {
    let count = Exposition::fetch(client).await.value("leadscribe_database_reads_total", &[("server", "replica")]);
    count.unwrap_or_default()
}
