//! Checks of the database servers at startup.

use leadscribe_test_postgres::{Cluster, Options, bin_dir};
use tokio::task::spawn_blocking;

use crate::harness::run_failing;

#[tokio::test(flavor = "multi_thread")]
async fn standby_is_rejected_as_the_main_database() {
    let programs = bin_dir().expect("PostgreSQL is missing; run `cargo xtask test system`");
    let output_task = spawn_blocking(move || {
        let primary = Cluster::start(&programs, &Options::default()).unwrap();
        let standby = primary.start_replica().unwrap();
        let temp_dir = tempfile::tempdir().unwrap();
        run_failing(&temp_dir.path().join("data"), &[("LEADSCRIBE_DATABASE_URL", &standby.url())], &["migrate"])
    });
    let output = output_task.await.unwrap();
    assert!(output.contains("of --database-url: the server is a read-only standby"), "{output}");
}
