//! The storage suite on PostgreSQL, and what is PostgreSQL's own: its transactions, lost connections, URLs, versions.

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

/// How long anything may take that nobody waits for with a clock in hand.
const PATIENCE: std::time::Duration = std::time::Duration::from_secs(60);

/// Connections to each database under test: few, so that they are used again.
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

/// The error and its causes, as the log shows them.
fn in_full(error: &dyn std::error::Error) -> String {
    let causes = std::iter::successors(error.source(), |cause| cause.source());
    causes.fold(error.to_string(), |said, cause| format!("{said}: {cause}"))
}
