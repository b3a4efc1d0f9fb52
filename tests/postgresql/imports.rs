//! PostgreSQL crashes during an import: the import waits, resumes by itself, and is complete.

use std::fmt::Write as _;
use std::sync::Arc;

use leadscribe_test_postgres::{Cluster, Options, Shutdown, bin_dir};
use reqwest::StatusCode;
use serde_json::{Value, json};
use tokio::task::spawn_blocking;

use crate::harness::{Client, Installation, eventually};

/// Rows of the file: several batches. One in every 100 is rejected.
const ROWS: u64 = 20_000;

/// Number of rows read before each crash: within the first batches.
const CRASHES: [u64; 2] = [1, 8_000];

/// Returns a file of new leads; a batch imported twice would be counted as unchanged.
fn file() -> String {
    let mut file = "original_identifier,lat\n".to_owned();
    for row in 0..ROWS {
        let lat = if row % 100 == 99 { "north" } else { "52.5" };
        writeln!(file, "{row},{lat}").unwrap();
    }
    file
}

#[tokio::test(flavor = "multi_thread")]
async fn import_resumes_after_a_postgresql_crash() {
    let durable = Options { durable: true, ..Options::default() };
    let programs = bin_dir().expect("a PostgreSQL server; `cargo xtask test system` brings it");
    let cluster = Arc::new(spawn_blocking(move || Cluster::start(&programs, &durable).unwrap()).await.unwrap());
    let installation = Installation::on(&cluster.url());
    let api = installation.api().await;
    let client = api.client().with_key(&installation.key());
    let ready = async |status| reqwest::get(format!("{}/readyz", api.base)).await.unwrap().status() == status;

    let csv = client.with_header("content-type", "text/csv");
    let begun = csv.post("/api/imports/leads?file_name=leads.csv", file()).await.expect(202);
    let path = format!("/api/imports/{}", begun["id"]);
    for rows in CRASHES {
        eventually("some rows are read", async || read(&client, &path).await["counts"]["read"].as_u64() >= Some(rows))
            .await;
        let crashing = cluster.clone();
        spawn_blocking(move || crashing.stop(Shutdown::Immediate).unwrap()).await.unwrap();
        eventually("it isn't ready", async || ready(StatusCode::SERVICE_UNAVAILABLE).await).await;
        let starting = cluster.clone();
        spawn_blocking(move || starting.start_again().unwrap()).await.unwrap();
        eventually("it is ready", async || ready(StatusCode::OK).await).await;
        assert_ne!(read(&client, &path).await["state"], "failed");
    }
    eventually("the import has ended", async || read(&client, &path).await["state"] != "running").await;

    let import = read(&client, &path).await;
    let refused = ROWS / 100;
    let counts = json!({ "read": ROWS, "inserted": ROWS - refused, "updated": 0, "unchanged": 0, "rejected": refused, "undialable": 0, "corrected": 0 });
    assert_eq!((&import["state"], &import["counts"]), (&json!("completed"), &counts), "{import}");
    assert_eq!(import["undo"]["to_delete"], ROWS - refused);
    assert_eq!(read(&client, "/api/leads?limit=1;0").await["total_leads"], ROWS - refused);
    assert_eq!(read(&client, &format!("{path}/rejected?limit=1;0")).await["total"], refused);
}

async fn read(client: &Client, path: &str) -> Value {
    client.get(path).await.expect(200)
}
