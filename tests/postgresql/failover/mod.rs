//! Failover to a standby that lacks the last transactions, with processes that have seen the lost data.

mod asker;
mod load;
mod pair;

use leadscribe_test_postgres::sql;
use reqwest::StatusCode;
use serde_json::{Value, json};
use tokio::task::block_in_place;

use asker::Asker;
pub use load::fail_over;
use pair::{Pair, is_in_step};

use crate::harness::{Client, Installation, Program, body, eventually};
use crate::operations::Exposition;

/// Leads lost in a failover: more than are created after it, so that their transaction ids are reused.
const LOST: usize = 20;

#[tokio::test(flavor = "multi_thread")]
async fn searches_are_correct_after_lossy_failover() {
    let mut pair = Pair::start();
    let mut installation = Installation::on(&pair.url());
    installation.set("LEADSCRIBE_METRICS_PUBLIC", "true");
    let key = installation.key();
    let apis = [installation.api().await, installation.api().await];
    let clients = apis.each_ref().map(|api| api.client().with_key(&key));
    let campaign = clients[0].create("/api/campaigns", json!({ "name": "kept" })).await;
    let kept = create(&clients[0], "kept", 3).await;
    indexed(&apis).await;
    pair.in_step().await;

    pair.cut_off();
    let lost = create(&clients[0], "lost", LOST).await;
    rename(&clients[0], campaign, "lost").await;
    for client in &clients {
        assert_eq!(found(client, "lost").await, lost);
    }
    pair.crash();
    pair.promote();
    ready(&apis).await;

    let new = create(&clients[0], "new", 3).await;
    for client in &clients {
        assert_eq!(found(client, "new").await, new);
        assert_eq!(found(client, "kept").await, kept);
        assert_eq!(found(client, "lost").await, Vec::<i64>::new());
    }
    indexed(&apis).await;
    let put_in = json!({ "campaign_id": campaign, "lead_id": new[0] });
    clients[0].create("/api/campaign-leads", put_in).await;
    for client in &clients {
        assert_eq!(found(client, "new").await, new);
        let answer = look_up(client, "new").await;
        assert_eq!(answer["leads"][0]["campaigns"][0]["campaign_name"], "kept", "{answer}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn returning_primary_replaces_the_standby() {
    let pair = Pair::start();
    let installation = Installation::on(&pair.url());
    let key = installation.key();
    let apis = [installation.api().await];
    let (client, asker) = (apis[0].client().with_key(&key), Asker::new(&apis[0], &key));
    pair.in_step().await;

    pair.crash();
    eventually("it isn't ready", async || status(&apis[0]).await == StatusCode::SERVICE_UNAVAILABLE).await;
    for _ in 0..20 {
        assert_eq!(status(&apis[0]).await, StatusCode::SERVICE_UNAVAILABLE);
        assert_eq!(asker.look_up(&json!({ "city": "away" })).await, None);
        assert_eq!(asker.make_lead("away").await, None);
    }
    block_in_place(|| pair.primary.start_again().unwrap());
    ready(&apis).await;
    let writes = (0..20).map(|_| client.create("/api/leads", json!({ "city": "back" })));
    let mut written = futures::future::join_all(writes).await;
    written.sort_unstable();
    assert_eq!(found(&client, "back").await, written);
}

#[tokio::test(flavor = "multi_thread")]
async fn replica_on_another_timeline_is_not_read() {
    let mut pair = Pair::start();
    let replica = block_in_place(|| pair.primary.replica().unwrap());
    let mut installation = Installation::on(&pair.url());
    installation.set("LEADSCRIBE_METRICS_PUBLIC", "true");
    installation.set("LEADSCRIBE_LEAD_INDEX", "off");
    installation.set("LEADSCRIBE_READ_DATABASE_URL", &replica.url());
    let key = installation.key();
    let apis = [installation.api().await];
    let client = apis[0].client().with_key(&key);
    read_from_replica(&client).await;

    // The replica gets transactions that the standby, which is the next primary, doesn't have.
    pair.in_step().await;
    pair.cut_off();
    create(&client, "lost", LOST).await;
    let much = "CREATE TABLE much AS SELECT * FROM generate_series(1, 100000)";
    block_in_place(|| sql(&pair.primary.url(), much).unwrap());
    is_in_step(&pair.primary, &replica).await;
    pair.crash();
    pair.promote();
    ready(&apis).await;
    let new = create(&client, "new", 3).await;
    for _ in 0..20 {
        assert_eq!(found(&client, "new").await, new);
        assert_eq!(found(&client, "lost").await, Vec::<i64>::new());
    }

    // A replica of the new primary is read again.
    let port = replica.port();
    let _replica = block_in_place(|| {
        drop(replica);
        pair.primary.replica_on(port).unwrap()
    });
    read_from_replica(&client).await;
    assert_eq!(found(&client, "new").await, new);
}

#[tokio::test(flavor = "multi_thread")]
async fn promoted_replica_is_not_read() {
    let pair = Pair::start();
    let mut installation = Installation::on(&pair.primary.url());
    installation.set("LEADSCRIBE_METRICS_PUBLIC", "true");
    installation.set("LEADSCRIBE_LEAD_INDEX", "off");
    installation.set("LEADSCRIBE_READ_DATABASE_URL", &pair.standby.url());
    let key = installation.key();
    let apis = [installation.api().await];
    let client = apis[0].client().with_key(&key);
    let kept = create(&client, "here", 1).await;
    read_from_replica(&client).await;
    pair.in_step().await;
    block_in_place(|| {
        pair.standby.promote().unwrap();
        sql(&pair.standby.url(), "DELETE FROM leads").unwrap();
    });
    for _ in 0..20 {
        assert_eq!(found(&client, "here").await, kept);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn replica_without_visible_timeline_is_not_read() {
    let pair = Pair::start();
    let admin = |statement: &str| block_in_place(|| sql(&pair.primary.url(), statement).unwrap());
    admin("CREATE ROLE app LOGIN PASSWORD 'app'; CREATE SCHEMA app AUTHORIZATION app");
    let [url, replica_url] =
        [&pair.primary, &pair.standby].map(|server| format!("postgres://app:app@127.0.0.1:{}/postgres", server.port()));
    let mut installation = Installation::on(&url);
    installation.set("LEADSCRIBE_METRICS_PUBLIC", "true");
    installation.set("LEADSCRIBE_LEAD_INDEX", "off");
    installation.set("LEADSCRIBE_READ_DATABASE_URL", &replica_url);
    let key = installation.key();
    let api = installation.api().await;
    let client = api.client().with_key(&key);
    read_from_replica(&client).await;

    let functions = "pg_control_checkpoint(), pg_control_recovery()";
    admin(&format!("REVOKE EXECUTE ON FUNCTION {functions} FROM PUBLIC"));
    pair.in_step().await;
    let before = reads_from_replica(&client).await;
    for round in 0..5 {
        let city = format!("round {round}");
        assert_eq!(create(&client, &city, 1).await, found(&client, &city).await);
    }
    assert_eq!(reads_from_replica(&client).await, before);
    admin("GRANT pg_read_all_stats TO app");
    read_from_replica(&client).await;
}

/// Creates leads in `city`; returns their ids.
async fn create(client: &Client, city: &str, count: usize) -> Vec<i64> {
    let mut ids = Vec::new();
    for _ in 0..count {
        ids.push(client.create("/api/leads", json!({ "city": city })).await);
    }
    ids
}

async fn rename(client: &Client, campaign: i64, name: &str) {
    client.patch(&format!("/api/campaigns/{campaign}"), body(json!({ "name": name }))).await.expect(200);
}

async fn look_up(client: &Client, city: &str) -> Value {
    let filter = json!({ "city": city, "limit": "1000;0", "_order": "id" });
    client.put("/api/leads/extended-data", body(filter)).await.expect(200)
}

/// Returns the ids of the leads in `city`.
async fn found(client: &Client, city: &str) -> Vec<i64> {
    let answer = look_up(client, city).await;
    let ids: Vec<_> = answer["leads"].as_array().unwrap().iter().map(|lead| lead["id"].as_i64().unwrap()).collect();
    assert_eq!(answer["total_leads"], ids.len());
    ids
}

async fn status(api: &Program) -> StatusCode {
    reqwest::get(format!("{}/readyz", api.base)).await.unwrap().status()
}

/// Waits until all processes are ready.
async fn ready(apis: &[Program]) {
    for api in apis {
        eventually("it is ready", async || status(api).await == StatusCode::OK).await;
    }
}

/// Waits until all processes have their lead index.
async fn indexed(apis: &[Program]) {
    for api in apis {
        let client = api.client();
        let is_indexed = async || Exposition::of(&client).await.value("leadscribe_lead_index_ready", &[]) == Some(1.0);
        eventually("lead index built", is_indexed).await;
    }
}

/// Waits until the replica serves reads.
async fn read_from_replica(client: &Client) {
    eventually("the replica is read", async || {
        let before = reads_from_replica(client).await;
        found(client, "nowhere").await;
        reads_from_replica(client).await > before
    })
    .await;
}

/// Returns the number of reads that the replica has served.
async fn reads_from_replica(client: &Client) -> f64 {
    let counted = Exposition::of(client).await.value("leadscribe_database_reads_total", &[("from", "replica")]);
    counted.unwrap_or_default()
}
