//! Checks of the database servers at startup.

use leadscribe_test_postgres::{Cluster, Options, bin_dir};
use tokio::task::spawn_blocking;

use crate::harness::refusal;

#[tokio::test(flavor = "multi_thread")]
async fn standby_is_rejected_as_the_main_database() {
    let programs = bin_dir().expect("a PostgreSQL server; `cargo xtask test system` brings it");
    let tried = spawn_blocking(move || {
        let primary = Cluster::start(&programs, &Options::default()).unwrap();
        let standby = primary.replica().unwrap();
        let home = tempfile::tempdir().unwrap();
        refusal(&home.path().join("data"), &[("LEADSCRIBE_DATABASE_URL", &standby.url())], &["migrate"])
    });
    let said = tried.await.unwrap();
    assert!(said.contains("of --database-url: the server is a read-only standby"), "{said}");
}
