//! Durability: kill -9 while calls are being submitted, then check that every accepted call exists.

use crate::harness::Database;
use crate::torture::durability::check_kills;

#[tokio::test(flavor = "multi_thread")]
async fn killed_server_loses_no_accepted_call() {
    check_kills(Database::Sqlite, 8, 4).await;
}
