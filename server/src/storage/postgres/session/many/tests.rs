use super::*;
use crate::storage::StoreError;
use crate::storage::postgres::Postgres;
use crate::storage::postgres::testing::Fresh;
use crate::storage::sql::{Database, Session, binds};

const CAMPAIGN: [&str; 7] = ["id", "name", "active", "calling_hours", "freeze_minutes", "created_at", "updated_at"];

fn open() -> (Postgres, Fresh) {
    let fresh = Fresh::create();
    (Postgres::open(&fresh.url(), None, 2).unwrap(), fresh)
}

fn campaign(id: Option<i64>, name: &str, calling_hours: Option<&str>) -> Vec<Bind> {
    let now = chrono::DateTime::from_timestamp_micros(1_700_000_000_000_001).unwrap();
    binds![id, name, true, calling_hours.map_or(Bind::Null, Bind::from), 0_i64, now, now].to_vec()
}

/// Ids, names and calling hours.
fn campaigns(session: &dyn Session) -> Result<Vec<(i64, String, Option<String>)>, StoreError> {
    session.query("SELECT id, name, calling_hours FROM campaigns ORDER BY id", &[], |row| {
        Ok((row.get(0)?, row.get(1)?, row.get(2)?))
    })
}

#[test]
fn rows_are_sent_in_few_batches() {
    let row = |bytes: usize| vec![Bind::Null, Bind::Text("x".repeat(bytes))];
    let lengths = |rows: &[Vec<Bind>]| pieces(rows).map(<[_]>::len).collect::<Vec<_>>();
    assert_eq!(lengths(&[]), [0; 0]);
    assert_eq!(lengths(&[row(1), row(2), row(3)]), [3]);
    let half = STATEMENT_BYTES / 2;
    assert_eq!(lengths(&[row(half), row(half), row(1), row(2 * half + 1), row(2 * half + 1), row(1)]), [2, 1, 1, 1, 1]);
}

#[tokio::test]
async fn rows_are_written_together() {
    let (database, _alive) = open();
    let written = database.write(|session| {
        let rows = [
            campaign(None, "given", Some("{\"b\": [\"ä\", null]}")),
            campaign(Some(7), "own", None),
            campaign(None, "it's {NULL}", None),
        ];
        session.insert_many("campaigns", &CAMPAIGN, &rows)?;
        let inserted = campaigns(session)?;
        session.update_many(
            "campaigns",
            &["id", "calling_hours"],
            &[binds![inserted[0].0, Bind::Null].to_vec(), binds![7_i64, "{}"].to_vec()],
        )?;
        session.insert_many("campaigns", &CAMPAIGN, &[])?;
        let planning: String = session.value("SHOW plan_cache_mode", &[])?;
        Ok::<_, StoreError>((inserted, campaigns(session)?, planning))
    });
    let (inserted, updated, planning) = written.await.unwrap();
    let expect = |id: i64, name: &str, hours: Option<&str>| (id, name.to_owned(), hours.map(str::to_owned));
    let hours = Some("{\"b\": [\"ä\", null]}");
    assert_eq!(inserted, [expect(1, "given", hours), expect(2, "it's {NULL}", None), expect(7, "own", None)]);
    assert_eq!(updated, [expect(1, "given", None), expect(2, "it's {NULL}", None), expect(7, "own", Some("{}"))]);
    assert_eq!(planning, "force_custom_plan");
}

#[tokio::test]
async fn refused_row_rolls_back_the_bulk_insert() {
    let (database, _alive) = open();
    let rows = || [campaign(None, "one", None), campaign(None, "one", None)];
    // Not retried outside a write, where no conflict can be the reason.
    let refused = database.claim(move |session| session.insert_many("campaigns", &CAMPAIGN, &rows()));
    let error = refused.await.unwrap_err();
    assert!(matches!(&error, StoreError::Failed(cause) if cause.to_string().contains("23505")), "{error:?}");
    let (left, planning) = database
        .read(|session| Ok((campaigns(session)?, session.value::<String>("SHOW plan_cache_mode", &[])?)))
        .await
        .unwrap();
    assert_eq!((left.len(), planning.as_str()), (0, "force_custom_plan"));
}
