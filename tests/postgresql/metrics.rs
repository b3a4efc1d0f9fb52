//! Metrics while the database is down.

use leadscribe_test_postgres::{Cluster, Options, Shutdown, bin_dir};
use tokio::task::spawn_blocking;

use crate::harness::{Installation, eventually};
use crate::operations::Exposition;

#[tokio::test(flavor = "multi_thread")]
async fn metrics_report_an_unreachable_database() {
    let programs = bin_dir().expect("PostgreSQL is missing; run `cargo xtask test system`");
    let cluster = spawn_blocking(move || Cluster::start(&programs, &Options::default()).unwrap()).await.unwrap();
    let mut installation = Installation::with_database_url(&cluster.url());
    installation.set("LEADSCRIBE_METRICS_PUBLIC", "true");
    let program = installation.start_api().await;
    let client = program.client();
    let database_up = async || Exposition::fetch(&client).await.value("leadscribe_database_up", &[]);
    assert_eq!(database_up().await, Some(1.0));
    let max_connections = Exposition::fetch(&client).await.value("leadscribe_database_connections_max", &[]);
    assert_eq!(max_connections, Some(16.0));

    cluster.stop(Shutdown::Fast).unwrap();
    eventually("the database is unreachable", async || database_up().await == Some(0.0)).await;
    cluster.start_stopped().unwrap();
    eventually("the database is reachable again", async || database_up().await == Some(1.0)).await;
}
