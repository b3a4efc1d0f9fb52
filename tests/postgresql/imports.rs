//! PostgreSQL crashes during an import: the import waits, resumes by itself, and is complete.

use std::fmt::Write as _;
use std::sync::Arc;

use leadscribe_test_postgres::{Cluster, Options, Shutdown, bin_dir};
use reqwest::StatusCode;
use serde_json::{Value, json};
use tokio::task::spawn_blocking;

use crate::harness::{Client, Installation, eventually};

/// Rows of the file: several batches. One in every 100 is rejected.
const ROW_COUNT: u64 = 20_000;

/// Number of rows read before each crash: within the first batches.
const CRASH_POINTS: [u64; 2] = [1, 8_000];

/// Returns a file of new leads; a batch imported twice would be counted as unchanged.
fn csv_file() -> String {
    let mut file = "original_identifier,lat\n".to_owned();
    for row in 0..ROW_COUNT {
        let lat = if row % 100 == 99 { "north" } else { "52.5" };
        writeln!(file, "{row},{lat}").unwrap();
    }
    file
}

#[tokio::test(flavor = "multi_thread")]
async fn import_resumes_after_a_postgresql_crash() {
    let options = Options { durable: true, ..Options::default() };
    let programs = bin_dir().expect("PostgreSQL is missing; run `cargo xtask test system`");
    let cluster = Arc::new(spawn_blocking(move || Cluster::start(&programs, &options).unwrap()).await.unwrap());
    let installation = Installation::with_database_url(&cluster.url());
    let api = installation.start_api().await;
    let client = api.client().with_key(&installation.create_api_key());
    let has_readiness_status =
        async |status| reqwest::get(format!("{}/readyz", api.base_url)).await.unwrap().status() == status;

    let csv = client.with_header("content-type", "text/csv");
    let created = csv.post("/api/imports/leads?file_name=leads.csv", csv_file()).await.expect(202);
    let path = format!("/api/imports/{}", created["id"]);
    for rows in CRASH_POINTS {
        eventually("some rows are read", async || {
            get_json(&client, &path).await["counts"]["read"].as_u64() >= Some(rows)
        })
        .await;
        let crashing_cluster = cluster.clone();
        spawn_blocking(move || crashing_cluster.stop(Shutdown::Immediate).unwrap()).await.unwrap();
        eventually("the process isn't ready", async || has_readiness_status(StatusCode::SERVICE_UNAVAILABLE).await)
            .await;
        let starting_cluster = cluster.clone();
        spawn_blocking(move || starting_cluster.start_stopped().unwrap()).await.unwrap();
        eventually("the process is ready", async || has_readiness_status(StatusCode::OK).await).await;
        assert_ne!(get_json(&client, &path).await["state"], "failed");
    }
    eventually("the import has ended", async || get_json(&client, &path).await["state"] != "running").await;

    let import = get_json(&client, &path).await;
    let rejected = ROW_COUNT / 100;
    let counts = json!({ "read": ROW_COUNT, "inserted": ROW_COUNT - rejected, "updated": 0, "unchanged": 0, "rejected": rejected, "undialable": 0, "corrected": 0 });
    assert_eq!((&import["state"], &import["counts"]), (&json!("completed"), &counts), "{import}");
    assert_eq!(import["undo"]["to_delete"], ROW_COUNT - rejected);
    assert_eq!(get_json(&client, "/api/leads?limit=1;0").await["total_leads"], ROW_COUNT - rejected);
    assert_eq!(get_json(&client, &format!("{path}/rejected?limit=1;0")).await["total"], rejected);
}

async fn get_json(client: &Client, path: &str) -> Value {
    client.get(path).await.expect(200)
}
