//! What the database notes of changes, with what a dump brings of another server's.

use super::{count, open};
use crate::storage::postgres::Postgres;
use crate::storage::sql::{Database, Session, lead_changes};

#[tokio::test]
async fn what_another_server_noted_is_no_news_and_is_forgotten() {
    let (database, _alive) = open();
    let restored = |session: &dyn Session| {
        session.execute("INSERT INTO lead_changes (lead_id, writer) VALUES (1, '99999999999')", &[])?;
        session.execute("UPDATE lead_changes_pruned SET upto = '99999999999'", &[])
    };
    database.write(restored).await.unwrap();
    let known = database.read(|session| lead_changes::state(session)).await.unwrap();
    assert!(changed(&database, &known).await.unwrap().is_empty());
    let own = "INSERT INTO lead_changes (lead_id) SELECT * FROM generate_series(7, 8)";
    database.write(|session| session.execute(own, &[])).await.unwrap();
    assert_eq!(changed(&database, &known).await.unwrap(), [7, 8]);

    // More than are kept follow, so that the first ones go, and whoever knows no more than before reads all anew.
    database.write(|session| session.execute("SELECT setval('lead_changes_seq_seq', 1000000)", &[])).await.unwrap();
    database.write(|session| session.execute(own, &[])).await.unwrap();
    database.claim(|session| lead_changes::prune(session)).await.unwrap();
    assert_eq!(changed(&database, &known).await, None);
    assert_eq!(database.read(|session| count(session, "lead_changes")).await.unwrap(), 2);
}

#[tokio::test]
async fn a_lead_of_another_id_and_a_table_without_rows_are_noted() {
    let (database, _alive) = open();
    let insert =
        "INSERT INTO leads (id, do_not_call, blacklisted, custom_fields, created_at, updated_at, global_updated_at)
                  VALUES (1, FALSE, FALSE, '{}', now(), now(), now())";
    database.write(move |session| session.execute(insert, &[])).await.unwrap();
    let known = database.read(|session| lead_changes::state(session)).await.unwrap();
    database.write(|session| session.execute("UPDATE leads SET id = 2", &[])).await.unwrap();
    assert_eq!(changed(&database, &known).await.unwrap(), [1, 2]);
    database.write(|session| session.execute("TRUNCATE leads CASCADE", &[])).await.unwrap();
    assert_eq!(changed(&database, &known).await, None);
}

#[tokio::test]
async fn old_notes_are_forgotten_part_by_part() {
    let (database, _alive) = open();
    let known = database.read(|session| lead_changes::state(session)).await.unwrap();
    let noted = "INSERT INTO lead_changes (lead_id) SELECT * FROM generate_series(1, 225000)";
    database.write(|session| session.execute(noted, &[])).await.unwrap();
    let mut left = database.read(|session| count(session, "lead_changes")).await.unwrap();
    loop {
        match database.claim(|session| lead_changes::prune(session)).await.unwrap() {
            0 => break,
            forgotten => {
                assert!(forgotten <= 10_000);
                left -= i64::try_from(forgotten).unwrap();
            }
        }
    }
    assert_eq!(left, 200_000);
    assert_eq!(database.read(|session| count(session, "lead_changes")).await.unwrap(), left);
    assert_eq!(changed(&database, &known).await, None);
}

/// The leads that changed since a state; none when some of them were forgotten.
async fn changed(database: &Postgres, known: &str) -> Option<Vec<i64>> {
    let known = known.to_owned();
    let changes = database.read(move |session| {
        let has_news = lead_changes::news(session, &known)?.1;
        let changes = lead_changes::since(session, &known)?;
        assert!(changes.as_ref().is_none_or(|changes| has_news == (changes.others || !changes.leads.is_empty())));
        Ok(changes)
    });
    changes.await.unwrap().map(|changes| changes.leads.iter().map(|lead| lead.0).collect())
}
