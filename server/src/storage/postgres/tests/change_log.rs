//! Tests of the log of changes, including rows that a dump brought from another server.

use std::ops::RangeInclusive;
use std::sync::Arc;
use std::time::{Duration, Instant};

use chrono::TimeDelta;
use tokio::runtime::Handle;

use super::{count_rows, new_database};
use crate::clock::{Clock, SystemClock};
use crate::storage::StoreError;
use crate::storage::postgres::Postgres;
use crate::storage::sql::change_log::{self, LeadState, StateComparison};
use crate::storage::sql::{Database, Session, binds};

/// Adds one change for each of these leads, made `age_days` days ago.
fn add_changes(session: &dyn Session, leads: RangeInclusive<i64>, age_days: i64) -> Result<(), StoreError> {
    let sql = "INSERT INTO changes (type, record_id, lead_id, change, created_at)
        SELECT 'lead', id, id, 'update', now() - CAST(CAST(?3 AS BIGINT) || ' days' AS INTERVAL)
        FROM generate_series(CAST(?1 AS BIGINT), CAST(?2 AS BIGINT)) AS id";
    session.execute(sql, &binds![*leads.start(), *leads.end(), age_days]).map(|_| ())
}

async fn purge(database: &Postgres) -> u64 {
    let before = SystemClock.now() - TimeDelta::days(90);
    database.write_locking(move |session| change_log::purge(session, before)).await.unwrap()
}

/// Purges until at least one change is purged. Waits for transactions of other tests on the same server.
async fn purge_some(database: &Postgres) -> u64 {
    wait_for(async || Some(purge(database).await).filter(|count| *count > 0)).await
}

async fn wait_for<T>(result: impl AsyncFn() -> Option<T>) -> T {
    let deadline = Instant::now() + Duration::from_secs(60);
    loop {
        if let Some(result) = result().await {
            return result;
        }
        assert!(Instant::now() < deadline, "timed out");
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
}

#[tokio::test]
async fn changes_of_another_server_are_ignored_and_purged() {
    let (database, _test_database) = new_database();
    let restored = |session: &dyn Session| {
        let sql = "INSERT INTO changes (type, record_id, lead_id, change, transaction_id, created_at)
            VALUES ('lead', 1, 1, 'update', '99999999999', now() - INTERVAL '91 days')";
        session.execute(sql, &[])?;
        session.execute("UPDATE change_log SET purged_transaction = '99999999999'", &[])
    };
    database.write(restored).await.unwrap();
    let known = database.read(|session| change_log::current_state(session)).await.unwrap();
    assert!(changed_leads(&database, &known).await.unwrap().is_empty());
    database.write(|session| add_changes(session, 7..=8, 0)).await.unwrap();
    assert_eq!(changed_leads(&database, &known).await.unwrap(), [7, 8]);
    assert_eq!(purge(&database).await, 1);
    assert_eq!(changed_leads(&database, &known).await.unwrap(), [7, 8]);
    assert_eq!(database.read(|session| count_rows(session, "changes")).await.unwrap(), 2);
}

#[tokio::test]
async fn id_changes_and_truncates_are_logged() {
    let (database, _test_database) = new_database();
    let insert =
        "INSERT INTO leads (id, do_not_call, blacklisted, custom_fields, created_at, updated_at, global_updated_at)
                  VALUES (1, FALSE, FALSE, '{}', now(), now(), now())";
    database.write(move |session| session.execute(insert, &[])).await.unwrap();
    let known = database.read(|session| change_log::current_state(session)).await.unwrap();
    database.write(|session| session.execute("UPDATE leads SET id = 2", &[])).await.unwrap();
    assert_eq!(changed_leads(&database, &known).await.unwrap(), [1, 2]);
    database.write(|session| session.execute("TRUNCATE leads CASCADE", &[])).await.unwrap();
    assert_eq!(changed_leads(&database, &known).await, None);
}

#[tokio::test]
async fn old_changes_are_purged_in_steps() {
    let (database, _test_database) = new_database();
    let known = database.read(|session| change_log::current_state(session)).await.unwrap();
    database.write(|session| add_changes(session, 1..=25_000, 91)).await.unwrap();
    database.write(|session| add_changes(session, 1..=2, 89)).await.unwrap();
    let purged = [purge_some(&database).await, purge_some(&database).await, purge_some(&database).await];
    assert_eq!(purged, [10_000, 10_000, 5_000]);
    assert_eq!(purge(&database).await, 0);
    assert_eq!(database.read(|session| count_rows(session, "changes")).await.unwrap(), 2);
    assert_eq!(changed_leads(&database, &known).await, None);
}

#[tokio::test]
async fn index_that_is_far_behind_is_rebuilt() {
    let (database, _test_database) = new_database();
    let known = database.read(|session| change_log::current_state(session)).await.unwrap();
    database.write(|session| add_changes(session, 1..=200_000, 0)).await.unwrap();
    assert_eq!(changed_leads(&database, &known).await, None);
}

#[tokio::test]
async fn changes_wait_for_earlier_transactions() {
    let (database, _test_database) = new_database();
    let (database, runtime) = (Arc::new(database), Handle::current());
    let other = Arc::clone(&database);
    let known = database.write(move |session| {
        add_changes(session, 7..=7, 91)?;
        // Another transaction begins later and ends first.
        runtime.block_on(other.write(|session| add_changes(session, 8..=8, 91)))?;
        let known = runtime.block_on(other.read(|session| change_log::current_state(session)))?;
        assert_eq!(runtime.block_on(purge(&other)), 0, "clients haven't read the running transaction's changes yet");
        assert_eq!(runtime.block_on(read_page(&other)), [0; 0]);
        assert_eq!(runtime.block_on(changed_leads(&other, &known)), Some(Vec::new()), "the change isn't committed yet");
        Ok::<_, StoreError>(known)
    });
    let known = known.await.unwrap();
    assert_eq!(changed_leads(&database, &known).await.unwrap(), [7]);
    wait_for(async || (read_page(&database).await == [7, 8]).then_some(())).await;
    assert_eq!(purge_some(&database).await, 2);
    assert_eq!(changed_leads(&database, &known).await, None);
}

/// Ids of the logged changes that clients can read.
async fn read_page(database: &Postgres) -> Vec<i64> {
    let sql = "SELECT record_id FROM changes WHERE {} ORDER BY {}";
    database
        .read(move |session| {
            let dialect = session.dialect();
            let sql = sql.replacen("{}", dialect.follows_position(), 1).replacen("{}", dialect.change_order(), 1);
            session.query(&sql, &binds![0_i64, 0_i64], |row| row.get(0))
        })
        .await
        .unwrap()
}

#[tokio::test]
async fn replaced_tables_start_a_new_history() {
    let (database, test_database) = new_database();
    let known = database.read(|session| change_log::current_state(session)).await.unwrap();
    test_database.run("ALTER TABLE changes RENAME TO former; CREATE TABLE changes (LIKE former INCLUDING ALL)");
    let comparison = database.read(move |session| Ok(change_log::compare_state(session, &known)?.1));
    assert_eq!(comparison.await.unwrap(), StateComparison::Diverged);
}

#[tokio::test]
async fn transaction_id_reset_starts_a_new_history() {
    let (database, _test_database) = new_database();
    let known = database.read(|session| change_log::current_state(session)).await.unwrap().with_point("9:99999999999:");
    let comparison = database.read(move |session| Ok(change_log::compare_state(session, &known)?.1));
    assert_eq!(comparison.await.unwrap(), StateComparison::Diverged);
}

/// Leads that changed since a state; `None` if some changes were purged or there are too many.
async fn changed_leads(database: &Postgres, known: &LeadState) -> Option<Vec<i64>> {
    let known = known.clone();
    let changes = database.read(move |session| {
        let comparison = change_log::compare_state(session, &known)?.1;
        let changes = change_log::changes_since(session, &known)?;
        let is_empty = changes.as_ref().is_some_and(|changes| !changes.has_other_changes && changes.leads.is_empty());
        assert!(
            comparison == StateComparison::Changed || comparison == StateComparison::Unchanged && is_empty,
            "{comparison:?}: {changes:?}"
        );
        Ok(changes)
    });
    changes.await.unwrap().map(|changes| changes.leads.iter().map(|lead| lead.0).collect())
}
