//! Tests of the lead change log, including rows that a dump brought from another server.

use std::sync::Arc;

use tokio::runtime::Handle;

use super::{count_rows, new_database};
use crate::storage::StoreError;
use crate::storage::postgres::Postgres;
use crate::storage::sql::lead_changes::{self, LeadState, StateComparison};
use crate::storage::sql::{Database, Session};

#[tokio::test]
async fn changes_of_another_server_are_ignored_and_pruned() {
    let (database, _test_database) = new_database();
    let restored = |session: &dyn Session| {
        session.execute("INSERT INTO lead_changes (lead_id, transaction_id) VALUES (1, '99999999999')", &[])?;
        session.execute("UPDATE lead_changes_pruned SET pruned_up_to = '99999999999'", &[])
    };
    database.write(restored).await.unwrap();
    let known = database.read(|session| lead_changes::current_state(session)).await.unwrap();
    assert!(changed_leads(&database, &known).await.unwrap().is_empty());
    let insert_sql = "INSERT INTO lead_changes (lead_id) SELECT * FROM generate_series(7, 8)";
    database.write(|session| session.execute(insert_sql, &[])).await.unwrap();
    assert_eq!(changed_leads(&database, &known).await.unwrap(), [7, 8]);

    // Adds more changes than are kept, so that the first ones are pruned and an index at the old state must be rebuilt.
    database.write(|session| session.execute("SELECT setval('lead_changes_id_seq', 1000000)", &[])).await.unwrap();
    database.write(|session| session.execute(insert_sql, &[])).await.unwrap();
    database.write_locking(|session| lead_changes::prune(session)).await.unwrap();
    assert_eq!(changed_leads(&database, &known).await, None);
    assert_eq!(database.read(|session| count_rows(session, "lead_changes")).await.unwrap(), 2);
}

#[tokio::test]
async fn changes_of_each_lead_column_are_logged() {
    let (database, _test_database) = new_database();
    let unlogged = database.write(|session| lead_changes::unlogged_columns(session)).await.unwrap();
    // The first one never changes, and the other one only with others.
    assert_eq!(unlogged, ["import_id", "global_updated_at"]);
}

#[tokio::test]
async fn id_changes_and_truncates_are_logged() {
    let (database, _test_database) = new_database();
    let insert =
        "INSERT INTO leads (id, do_not_call, blacklisted, custom_fields, created_at, updated_at, global_updated_at)
                  VALUES (1, FALSE, FALSE, '{}', now(), now(), now())";
    database.write(move |session| session.execute(insert, &[])).await.unwrap();
    let known = database.read(|session| lead_changes::current_state(session)).await.unwrap();
    database.write(|session| session.execute("UPDATE leads SET id = 2", &[])).await.unwrap();
    assert_eq!(changed_leads(&database, &known).await.unwrap(), [1, 2]);
    database.write(|session| session.execute("TRUNCATE leads CASCADE", &[])).await.unwrap();
    assert_eq!(changed_leads(&database, &known).await, None);
}

#[tokio::test]
async fn old_changes_are_pruned_in_steps() {
    let (database, _test_database) = new_database();
    let known = database.read(|session| lead_changes::current_state(session)).await.unwrap();
    let insert_sql = "INSERT INTO lead_changes (lead_id) SELECT * FROM generate_series(1, 225000)";
    database.write(|session| session.execute(insert_sql, &[])).await.unwrap();
    let mut remaining = database.read(|session| count_rows(session, "lead_changes")).await.unwrap();
    loop {
        match database.write_locking(|session| lead_changes::prune(session)).await.unwrap() {
            0 => break,
            pruned => {
                assert!(pruned <= 10_000);
                remaining -= i64::try_from(pruned).unwrap();
            }
        }
    }
    assert_eq!(remaining, 200_000);
    assert_eq!(database.read(|session| count_rows(session, "lead_changes")).await.unwrap(), remaining);
    assert_eq!(changed_leads(&database, &known).await, None);
}

#[tokio::test]
async fn pruned_changes_of_a_long_transaction_are_detected() {
    let (database, _test_database) = new_database();
    let (database, runtime) = (Arc::new(database), Handle::current());
    let other = Arc::clone(&database);
    let insert_sql = "INSERT INTO lead_changes (lead_id) VALUES (7)";
    let known = database.write(move |session| {
        session.execute(insert_sql, &[])?;
        // Other transactions follow, whose changes are pruned while this one is open.
        runtime.block_on(other.write(move |session| session.execute(insert_sql, &[])))?;
        let advance_sequence =
            |session: &dyn Session| session.execute("SELECT setval('lead_changes_id_seq', 1000000)", &[]);
        runtime.block_on(other.write(advance_sequence))?;
        runtime.block_on(other.write(move |session| session.execute(insert_sql, &[])))?;
        let known = runtime.block_on(other.read(|session| lead_changes::current_state(session)))?;
        assert_eq!(runtime.block_on(other.write_locking(|session| lead_changes::prune(session)))?, 1);
        assert_eq!(runtime.block_on(changed_leads(&other, &known)), Some(Vec::new()), "the change isn't committed yet");
        Ok::<_, StoreError>(known)
    });
    let known = known.await.unwrap();
    assert_eq!(database.write_locking(|session| lead_changes::prune(session)).await.unwrap(), 1);
    assert_eq!(changed_leads(&database, &known).await, None);
}

#[tokio::test]
async fn replaced_tables_start_a_new_history() {
    let (database, test_database) = new_database();
    let known = database.read(|session| lead_changes::current_state(session)).await.unwrap();
    test_database
        .run("ALTER TABLE lead_changes RENAME TO former; CREATE TABLE lead_changes (LIKE former INCLUDING ALL)");
    let comparison = database.read(move |session| Ok(lead_changes::compare_state(session, &known)?.1));
    assert_eq!(comparison.await.unwrap(), StateComparison::Diverged);
}

#[tokio::test]
async fn transaction_id_reset_starts_a_new_history() {
    let (database, _test_database) = new_database();
    let known =
        database.read(|session| lead_changes::current_state(session)).await.unwrap().with_point("9:99999999999:");
    let comparison = database.read(move |session| Ok(lead_changes::compare_state(session, &known)?.1));
    assert_eq!(comparison.await.unwrap(), StateComparison::Diverged);
}

/// Leads that changed since a state; `None` if some changes were pruned.
async fn changed_leads(database: &Postgres, known: &LeadState) -> Option<Vec<i64>> {
    let known = known.clone();
    let changes = database.read(move |session| {
        let comparison = lead_changes::compare_state(session, &known)?.1;
        let changes = lead_changes::changes_since(session, &known)?;
        let is_empty = changes.as_ref().is_some_and(|changes| !changes.has_other_changes && changes.leads.is_empty());
        assert!(
            comparison == StateComparison::Changed || comparison == StateComparison::Unchanged && is_empty,
            "{comparison:?}: {changes:?}"
        );
        Ok(changes)
    });
    changes.await.unwrap().map(|changes| changes.leads.iter().map(|lead| lead.0).collect())
}
