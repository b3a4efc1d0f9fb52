//! Storage conformance suite on PostgreSQL, and tests of PostgreSQL specifics: transactions, lost connections, URLs, versions.

mod change_log;
mod inspection;
mod lost_commit_responses;
mod startup;
mod statements;
mod transactions;
mod unreachable_servers;

use std::sync::Arc;

use super::testing::TestDatabase;
use super::{Postgres, PostgresStore};
use crate::storage::Result;
use crate::storage::conformance::{self, TestStore};
use crate::storage::sql::Session;

/// Timeout for steps whose duration isn't tested.
const TIMEOUT: std::time::Duration = std::time::Duration::from_secs(60);

/// Number of connections to each tested database; small, so that connections are reused.
const CONNECTION_COUNT: usize = 4;

async fn test_database() -> (TestStore, TestDatabase) {
    let test_database = TestDatabase::with_schema();
    (Arc::new(PostgresStore::open(&test_database.url(), None, CONNECTION_COUNT).unwrap()), test_database)
}

conformance::suite!(test_database);

mod with_the_lead_index {
    use super::*;

    async fn new_indexed_store() -> (TestStore, TestDatabase) {
        let test_database = TestDatabase::with_schema();
        let store = PostgresStore::open(&test_database.url(), None, CONNECTION_COUNT).unwrap();
        (Arc::new(store.with_lead_index().await), test_database)
    }

    conformance::suite!(new_indexed_store);
}

fn new_database() -> (Postgres, TestDatabase) {
    let test_database = TestDatabase::with_schema();
    (Postgres::open(&test_database.url(), None, CONNECTION_COUNT).unwrap(), test_database)
}

fn count_rows(session: &dyn Session, table: &str) -> Result<i64> {
    session.query_value(&format!("SELECT count(*) FROM {table}"), &[])
}

#[tokio::test]
async fn endpoints_are_purged_after_a_change_of_url() {
    let test_database = TestDatabase::with_schema();
    let store = PostgresStore::open(&test_database.url(), None, CONNECTION_COUNT).unwrap();
    conformance::webhooks::check_endpoint_purge_after_url_change(store).await;
}
