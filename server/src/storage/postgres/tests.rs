//! Storage conformance suite on PostgreSQL, and tests of PostgreSQL specifics: transactions, lost connections, URLs, versions.

mod changes;
mod lost_answers;
mod servers;
mod starts;
mod statements;
mod surveyed;
mod transactions;

use std::sync::Arc;

use super::testing::Fresh;
use super::{Postgres, PostgresStore};
use crate::storage::StoreError;
use crate::storage::conformance::{self, Tested};
use crate::storage::sql::Session;

/// Timeout for steps whose duration isn't tested.
const PATIENCE: std::time::Duration = std::time::Duration::from_secs(60);

/// Number of connections to each tested database; small, so that connections are reused.
const CONNECTIONS: usize = 4;

async fn fresh() -> (Tested, Fresh) {
    let fresh = Fresh::create();
    (Arc::new(PostgresStore::open(&fresh.url(), None, CONNECTIONS).unwrap()), fresh)
}

conformance::suite!(fresh);

mod with_the_lead_index {
    use super::*;

    async fn indexed() -> (Tested, Fresh) {
        let fresh = Fresh::create();
        let store = PostgresStore::open(&fresh.url(), None, CONNECTIONS).unwrap();
        (Arc::new(store.indexed().await), fresh)
    }

    conformance::suite!(indexed);
}

fn open() -> (Postgres, Fresh) {
    let fresh = Fresh::create();
    (Postgres::open(&fresh.url(), None, CONNECTIONS).unwrap(), fresh)
}

fn count(session: &dyn Session, table: &str) -> Result<i64, StoreError> {
    session.value(&format!("SELECT count(*) FROM {table}"), &[])
}

/// The error with its causes, as the log shows it.
fn in_full(error: &dyn std::error::Error) -> String {
    let causes = std::iter::successors(error.source(), |cause| cause.source());
    causes.fold(error.to_string(), |said, cause| format!("{said}: {cause}"))
}
