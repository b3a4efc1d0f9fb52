//! Metrics while the database is down.

use leadscribe_test_postgres::{Cluster, Options, Shutdown, bin_dir};
use tokio::task::spawn_blocking;

use crate::harness::{Installation, eventually};
use crate::operations::Exposition;

#[tokio::test(flavor = "multi_thread")]
async fn metrics_report_an_unreachable_database() {
    let programs = bin_dir().expect("a PostgreSQL server; `cargo xtask test system` brings it");
    let cluster = spawn_blocking(move || Cluster::start(&programs, &Options::default()).unwrap()).await.unwrap();
    let mut installation = Installation::on(&cluster.url());
    installation.set("LEADSCRIBE_METRICS_PUBLIC", "true");
    let program = installation.api().await;
    let client = program.client();
    let up = async || Exposition::of(&client).await.value("leadscribe_store_up", &[]);
    assert_eq!(up().await, Some(1.0));
    let most = Exposition::of(&client).await.value("leadscribe_database_connections_max", &[]);
    assert_eq!(most, Some(16.0));

    cluster.stop(Shutdown::Fast).unwrap();
    eventually("the database is away", async || up().await == Some(0.0)).await;
    cluster.start_again().unwrap();
    eventually("the database is back", async || up().await == Some(1.0)).await;
}
