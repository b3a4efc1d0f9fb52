use super::*;
use crate::storage::postgres::Postgres;
use crate::storage::postgres::testing::TestDatabase;
use crate::storage::sql::{Database, Session, binds};
use crate::storage::{Result, StoreError};

const CAMPAIGN_COLUMNS: [&str; 7] =
    ["id", "name", "active", "calling_hours", "freeze_minutes", "created_at", "updated_at"];

fn open() -> (Postgres, TestDatabase) {
    let test_database = TestDatabase::with_schema();
    (Postgres::open(&test_database.url(), None, 2).unwrap(), test_database)
}

fn campaign_row(id: Option<i64>, name: &str, calling_hours: Option<&str>) -> Vec<Bind> {
    let now = chrono::DateTime::from_timestamp_micros(1_700_000_000_000_001).unwrap();
    binds![id, name, true, calling_hours.map_or(Bind::Null, Bind::from), 0_i64, now, now].to_vec()
}

/// Ids, names and calling hours.
fn read_campaigns(session: &dyn Session) -> Result<Vec<(i64, String, Option<String>)>> {
    session.query("SELECT id, name, calling_hours FROM campaigns ORDER BY id", &[], |row| {
        Ok((row.get(0)?, row.get(1)?, row.get(2)?))
    })
}

#[test]
fn rows_are_sent_in_few_batches() {
    let row = |bytes: usize| vec![Bind::Null, Bind::Text("x".repeat(bytes))];
    let lengths = |rows: &[Vec<Bind>]| split_into_batches(rows).map(<[_]>::len).collect::<Vec<_>>();
    assert_eq!(lengths(&[]), [0; 0]);
    assert_eq!(lengths(&[row(1), row(2), row(3)]), [3]);
    let half = MAX_STATEMENT_BYTES / 2;
    assert_eq!(lengths(&[row(half), row(half), row(1), row(2 * half + 1), row(2 * half + 1), row(1)]), [2, 1, 1, 1, 1]);
}

#[tokio::test]
async fn rows_are_written_together() {
    let (database, _test_database) = open();
    let insertion = database.write(|session| {
        let rows = [
            campaign_row(None, "given", Some("{\"b\": [\"ä\", null]}")),
            campaign_row(Some(7), "own", None),
            campaign_row(None, "it's {NULL}", None),
        ];
        session.insert_many("campaigns", &CAMPAIGN_COLUMNS, &rows)?;
        let inserted = read_campaigns(session)?;
        session.update_many(
            "campaigns",
            &["id", "calling_hours"],
            &[binds![inserted[0].0, Bind::Null].to_vec(), binds![7_i64, "{}"].to_vec()],
        )?;
        session.insert_many("campaigns", &CAMPAIGN_COLUMNS, &[])?;
        let plan_cache_mode: String = session.query_value("SHOW plan_cache_mode", &[])?;
        Ok::<_, StoreError>((inserted, read_campaigns(session)?, plan_cache_mode))
    });
    let (inserted, updated, plan_cache_mode) = insertion.await.unwrap();
    let expected = |id: i64, name: &str, hours: Option<&str>| (id, name.to_owned(), hours.map(str::to_owned));
    let hours = Some("{\"b\": [\"ä\", null]}");
    assert_eq!(inserted, [expected(1, "given", hours), expected(2, "it's {NULL}", None), expected(7, "own", None)]);
    assert_eq!(updated, [expected(1, "given", None), expected(2, "it's {NULL}", None), expected(7, "own", Some("{}"))]);
    assert_eq!(plan_cache_mode, "force_custom_plan");
}

#[tokio::test]
async fn refused_row_rolls_back_the_bulk_insert() {
    let (database, _test_database) = open();
    let rows = || [campaign_row(None, "one", None), campaign_row(None, "one", None)];
    // Not retried outside a write, where no conflict can be the reason.
    let result = database.write_locking(move |session| session.insert_many("campaigns", &CAMPAIGN_COLUMNS, &rows()));
    let error = result.await.unwrap_err();
    assert!(matches!(&error, StoreError::Failed(cause) if cause.to_string().contains("23505")), "{error:?}");
    let (remaining, plan_cache_mode) = database
        .read(|session| Ok((read_campaigns(session)?, session.query_value::<String>("SHOW plan_cache_mode", &[])?)))
        .await
        .unwrap();
    assert_eq!((remaining.len(), plan_cache_mode.as_str()), (0, "force_custom_plan"));
}
