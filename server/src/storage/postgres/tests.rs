//! The storage suite on PostgreSQL, and what is PostgreSQL's own: its transactions, lost connections, URLs, versions.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};

use super::pool::Pool;
use super::session::numbered;
use super::target::Target;
use super::testing::{Fresh, on_thread, url_of};
use super::{OpenError, Postgres, PostgresStore, connection, schema};
use crate::storage::StoreError;
use crate::storage::conformance::{self, Tested};
use crate::storage::sql::{Bind, CustomType, Database, Session, binds, lead_changes};

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

#[test]
fn placeholders_are_numbered() {
    assert_eq!(
        numbered(r#"SELECT ?1, '?2 it''s ?3', "?4", ?12 FROM t WHERE a ? 'b' AND c = ?3"#),
        r#"SELECT $1, '?2 it''s ?3', "?4", $12 FROM t WHERE a ? 'b' AND c = $3"#
    );
}

#[tokio::test]
async fn sessions_are_set_up() {
    let (database, _alive) = open();
    let read = database.read(|session| {
        let settings = "SELECT current_setting('TimeZone'), current_setting('synchronous_commit'),
                            current_setting('plan_cache_mode'), current_setting('application_name')";
        session.one(settings, &[], |row| (0..4).map(|column| row.get::<String>(column)).collect::<Result<Vec<_>, _>>())
    });
    assert_eq!(read.await.unwrap(), ["UTC", "on", "force_custom_plan", "leadscribe"]);
}

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

#[tokio::test]
async fn values_keep_their_types() {
    let (database, _alive) = open();
    let moment = "2026-05-04T12:00:00.123456Z".parse::<chrono::DateTime<chrono::Utc>>().unwrap();
    let day = moment.date_naive();
    let read = database.read(move |session| {
        let sql =
            "SELECT ?1::bigint, ?2::double precision, ?3::text, ?4::boolean, ?5::timestamptz, ?6::date, ?7::bytea,
                       ?8::json, ?9::jsonb, ?10::bigint + 1, 7::integer, 7::smallint, ?11::numeric";
        let binds = &binds![
            i64::MIN,
            0.1,
            "ä'?1",
            true,
            moment,
            day,
            [7_u8; 32],
            r#"{"b": 1e16}"#,
            r#"["de"]"#,
            None::<i64>,
            -120_000_000_i64
        ];
        session.one(sql, binds, |row| {
            assert_eq!(row.get::<i64>(0)?, i64::MIN);
            assert_eq!(row.get::<f64>(1)?, 0.1);
            assert_eq!(row.get::<String>(2)?, "ä'?1");
            assert!(row.get::<bool>(3)?);
            assert_eq!(row.time(4)?, Some(moment));
            assert_eq!(row.date(5)?, Some(day));
            assert_eq!(row.get::<[u8; 32]>(6)?, [7; 32]);
            assert_eq!(row.get::<String>(7)?, r#"{"b": 1e16}"#);
            assert_eq!(row.json::<Vec<String>>(8)?, ["de"]);
            assert_eq!(row.get::<Option<i64>>(9)?, None);
            assert_eq!((row.get::<i64>(10)?, row.get::<i64>(11)?), (7, 7));
            assert_eq!(row.get::<i64>(12)?, -120_000_000);
            Ok(())
        })
    });
    read.await.unwrap();

    let sums = database.read(|session| {
        let sql = "SELECT v FROM (VALUES (0::numeric), (10000), (9223372036854775807), (-1.00), (0.5)) AS t (v)";
        session.query(sql, &[], |row| Ok(row.integer(0).ok().flatten()))
    });
    assert_eq!(sums.await.unwrap(), [Some(0), Some(10_000), Some(i64::MAX), Some(-1), None]);

    let lists = database.read(|session| {
        let chosen =
            |list: Bind| session.value::<i64>("SELECT count(*) FROM lead_statuses WHERE name = ANY(?1)", &[list]);
        let names = ["new", "busy", "none"].map(|name| Bind::Text(name.to_owned()));
        Ok((chosen(Bind::List(names.to_vec()))?, chosen(Bind::List(Vec::new()))?))
    });
    assert_eq!(lists.await.unwrap(), (2, 0));
}

#[tokio::test]
async fn a_text_with_a_zero_and_a_wrong_type_are_errors() {
    let (database, _alive) = open();
    for bind in [Bind::Text("a\0b".to_owned()), Bind::Integer(1)] {
        let failed = database.read(move |session| {
            session.exists("SELECT 1 FROM lead_statuses WHERE name = ?1", std::slice::from_ref(&bind))
        });
        assert!(matches!(failed.await, Err(StoreError::Failed(_))));
    }
    let too_many = database.read(|session| session.exists("SELECT 1", &binds![1_i64]));
    assert!(matches!(too_many.await, Err(StoreError::Failed(_))));
}

#[tokio::test]
async fn numbers_of_custom_fields_are_compared_exactly() {
    let (database, _alive) = open();
    let written = database.write::<_, StoreError>(|session| {
        let fields =
            r#"{"a.b": 9007199254740993, "d": 1.152921504606847e18, "m": -9.223372036854776e18, "t": "x", "f": 0.1}"#;
        session.execute(
            "INSERT INTO leads (do_not_call, blacklisted, custom_fields, created_at, updated_at, global_updated_at)
             VALUES (FALSE, FALSE, ?1, now(), now(), now())",
            &binds![fields],
        )?;
        let dialect = session.dialect();
        let compare = |name: &str, operator: &str, value: Bind| {
            let (value, operand) = dialect.custom_operand(value, "?2");
            let field = dialect.custom("?1", CustomType::Number);
            let binds = [dialect.custom_key(name), value];
            session.exists(&format!("SELECT 1 FROM leads l WHERE {field} {operator} {operand}"), &binds)
        };
        assert!(compare("a.b", "=", Bind::Integer(9_007_199_254_740_993))?);
        assert!(compare("a.b", ">", Bind::Number(9_007_199_254_740_992.0))?);
        assert!(compare("d", "=", Bind::Integer(1 << 60))?);
        assert!(compare("d", "=", Bind::Number((1_i64 << 60) as f64))?);
        assert!(compare("m", "=", Bind::Integer(i64::MIN))?);
        assert!(compare("f", "=", Bind::Number(0.1))?);
        assert!(compare("f", ">", Bind::Integer(0))?);
        assert!(compare("f", "<", Bind::Number(1e300))?);
        assert!(!compare("t", "=", Bind::Integer(0))?);

        let list = Bind::List(vec![Bind::Integer(5), Bind::Number(0.1)]);
        let (list, operand) = dialect.custom_operand(list, "?2");
        let any = dialect.is_any_of(&dialect.custom("?1", CustomType::Number), &operand);
        assert!(session.exists(&format!("SELECT 1 FROM leads l WHERE {any}"), &[dialect.custom_key("f"), list])?);
        let has = dialect.has_custom("?1");
        assert!(session.exists(&format!("SELECT 1 FROM leads l WHERE {has}"), &[dialect.custom_key("t")])?);
        assert!(!session.exists(&format!("SELECT 1 FROM leads l WHERE {has}"), &[dialect.custom_key("a")])?);
        Ok(())
    });
    written.await.unwrap();
}

#[tokio::test]
async fn reserved_ids_are_not_given() {
    let (database, _alive) = open();
    let given = database.write::<_, StoreError>(|session| {
        let dialect = session.dialect();
        let next = format!("SELECT {}", dialect.next_id("leads"));
        let reserve = |id: i64| {
            session.query_each(&dialect.reserve_id("leads").expect("a statement"), &binds![id], &mut |_| Ok(()))
        };
        reserve(1)?;
        let after_first = session.value::<i64>(&next, &[])?;
        reserve(40)?;
        reserve(7)?;
        Ok((after_first, session.value::<i64>(&next, &[])?))
    });
    assert_eq!(given.await.unwrap(), (2, 41));
}

#[tokio::test]
async fn reads_can_not_write_and_are_one_snapshot() {
    let (database, fresh) = open();
    let refused = database.read(|session| session.execute("DELETE FROM lead_statuses", &[])).await;
    assert!(matches!(refused, Err(StoreError::Unavailable(_))), "{refused:?}");
    let fresh = Arc::new(fresh);
    let other = Arc::clone(&fresh);
    let counts = database.read(move |session| {
        let before = count(session, "lead_statuses")?;
        other.run("DELETE FROM lead_statuses WHERE name = 'new'");
        Ok((before, count(session, "lead_statuses")?))
    });
    assert_eq!(counts.await.unwrap(), (13, 13));
    assert_eq!(database.read(|session| count(session, "lead_statuses")).await.unwrap(), 12);
}

#[tokio::test]
async fn a_failed_write_leaves_nothing() {
    let (database, _alive) = open();
    let failed = database.write::<(), StoreError>(|session| {
        session.execute("DELETE FROM lead_statuses WHERE name = 'new'", &[])?;
        session.execute("SELECT 1 / 0", &[])?;
        Ok(())
    });
    assert!(matches!(failed.await, Err(StoreError::Failed(_))));
    let swallowed = database.write::<(), StoreError>(|session| {
        session.execute("DELETE FROM lead_statuses WHERE name = 'new'", &[])?;
        let _ = session.execute("SELECT 1 / 0", &[]);
        Ok(())
    });
    assert!(matches!(swallowed.await, Err(StoreError::Failed(_))));
    let panicked = database.write::<(), StoreError>(|session| {
        session.execute("DELETE FROM lead_statuses WHERE name = 'new'", &[])?;
        panic!("on purpose")
    });
    assert!(matches!(panicked.await, Err(StoreError::Failed(_))));
    assert_eq!(database.read(|session| count(session, "lead_statuses")).await.unwrap(), 13);
}

#[tokio::test]
async fn a_failure_does_not_tell_what_is_in_the_row() {
    let (database, _alive) = open();
    let failed =
        database.read(|session| session.exists("SELECT 1 WHERE ?1::text::bigint = 1", &binds!["secret words"]));
    let said = in_full(&failed.await.unwrap_err());
    assert_eq!(said, "the store failed: ERROR: a value was refused (SQLSTATE 22P02)");
    let failed = database
        .claim(|session| session.execute("INSERT INTO lead_statuses VALUES (?1, 'secret', TRUE, 1)", &binds!["new"]));
    let said = in_full(&failed.await.unwrap_err());
    assert_eq!(
        said,
        "the store failed: ERROR: duplicate key value violates unique constraint \"lead_statuses_pkey\" (SQLSTATE 23505)"
    );
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_write_that_others_overtake_is_run_again() {
    let (database, _alive) = open();
    let database = Arc::new(database);
    let runs = Arc::new(AtomicU32::new(0));
    let meet = Arc::new(std::sync::Barrier::new(2));
    let add = |name: &'static str| {
        let (database, runs, meet) = (Arc::clone(&database), Arc::clone(&runs), Arc::clone(&meet));
        let first = AtomicBool::new(true);
        tokio::spawn(async move {
            let written = database.write::<i64, StoreError>(move |session| {
                runs.fetch_add(1, Ordering::Relaxed);
                let position = count(session, "lead_statuses")? + 1;
                if first.swap(false, Ordering::Relaxed) {
                    meet.wait();
                }
                session.execute("INSERT INTO lead_statuses VALUES (?1, ?1, TRUE, ?2)", &binds![name, position])?;
                Ok(position)
            });
            written.await
        })
    };
    let (one, other) = (add("one"), add("other"));
    let mut given = [one.await.unwrap().unwrap(), other.await.unwrap().unwrap()];
    given.sort_unstable();
    assert_eq!(given, [14, 15]);
    assert!(runs.load(Ordering::Relaxed) >= 3);
}

#[tokio::test]
async fn a_write_that_contradicts_what_others_wrote_finds_it() {
    let (database, fresh) = open();
    let first = AtomicBool::new(true);
    let written = database.write::<_, StoreError>(move |session| {
        if session.exists("SELECT 1 FROM lead_statuses WHERE name = 'rare'", &[])? {
            return Ok("it is taken");
        }
        if first.swap(false, Ordering::Relaxed) {
            fresh.run("INSERT INTO lead_statuses VALUES ('rare', 'Rare', TRUE, 14)");
        }
        session.execute("INSERT INTO lead_statuses VALUES ('rare', 'Rare', TRUE, 14)", &[])?;
        Ok("it is added")
    });
    assert_eq!(written.await.unwrap(), "it is taken");
}

#[tokio::test]
async fn a_claim_passes_over_what_others_have_locked() {
    let (database, _alive) = open();
    let database = Arc::new(database);
    let claim = |session: &dyn Session| {
        let lock = session.dialect().lock_next();
        let next = format!("SELECT name FROM lead_statuses ORDER BY position LIMIT 1 {lock}");
        session.value::<String>(&next, &[])
    };
    let (other, runtime) = (Arc::clone(&database), tokio::runtime::Handle::current());
    let claimed = database.claim(move |session| Ok((claim(session)?, runtime.block_on(other.claim(claim))?)));
    assert_eq!(claimed.await.unwrap(), ("new".to_owned(), "dialing".to_owned()));
}

/// Ends all other connections to the database of the session.
fn end_others(session: &dyn Session) -> Result<(), StoreError> {
    let others = "SELECT pg_terminate_backend(pid) FROM pg_stat_activity
                  WHERE datname = current_database() AND pid <> pg_backend_pid()";
    session.query_each(others, &[], &mut |_| Ok(()))
}

#[tokio::test]
async fn a_lost_connection_is_replaced() {
    let (database, fresh) = open();
    let (other, runtime) =
        (Arc::new(Postgres::open(&fresh.url(), None, 1).unwrap()), tokio::runtime::Handle::current());
    database.read(|session| count(session, "leads")).await.unwrap();

    // One that was idle.
    other.read(end_others).await.unwrap();
    assert_eq!(database.read(|session| count(session, "lead_statuses")).await.unwrap(), 13);
    other.read(end_others).await.unwrap();
    let written =
        database.write::<_, StoreError>(|session| session.execute("DELETE FROM lead_statuses WHERE position = 1", &[]));
    assert_eq!(written.await.unwrap(), 1);

    // One in the middle of a write, and then of every write.
    for ends in [1, 2] {
        let (ended, other, runtime) = (AtomicU32::new(0), Arc::clone(&other), runtime.clone());
        let written = database.write::<_, StoreError>(move |session| {
            session.execute("DELETE FROM lead_statuses WHERE position = 2", &[])?;
            if ended.fetch_add(1, Ordering::Relaxed) < ends {
                runtime.block_on(other.read(end_others))?;
            }
            count(session, "lead_statuses")
        });
        match (ends, written.await) {
            (1, Ok(11)) | (2, Err(StoreError::Unavailable(_))) => {}
            (_, other) => panic!("{ends}: {other:?}"),
        }
    }
}

#[tokio::test]
async fn a_commit_that_may_have_arrived_is_not_sent_again() {
    let (database, fresh) = open();
    // At the commit the server ends the connection itself.
    fresh.run(
        "CREATE FUNCTION end_self() RETURNS TRIGGER LANGUAGE plpgsql AS
             $$ BEGIN PERFORM pg_terminate_backend(pg_backend_pid()); RETURN NULL; END $$;
         CREATE CONSTRAINT TRIGGER at_commit AFTER DELETE ON lead_statuses DEFERRABLE INITIALLY DEFERRED
             FOR EACH ROW EXECUTE FUNCTION end_self();",
    );
    let runs = Arc::new(AtomicU32::new(0));
    let counted = Arc::clone(&runs);
    let written = database.write::<_, StoreError>(move |session| {
        counted.fetch_add(1, Ordering::Relaxed);
        session.execute("DELETE FROM lead_statuses WHERE position = 1", &[])
    });
    assert!(matches!(written.await, Err(StoreError::Unavailable(_))));
    assert_eq!(runs.load(Ordering::Relaxed), 1);
    assert_eq!(database.read(|session| count(session, "lead_statuses")).await.unwrap(), 13);
}

#[tokio::test]
async fn rows_are_read_one_after_the_other() {
    let (database, _alive) = open();
    let nested =
        database.read(|session| session.query("SELECT name FROM lead_statuses", &[], |_| count(session, "leads")));
    let said = in_full(&nested.await.unwrap_err());
    assert_eq!(said, "the store failed: a statement was run while the rows of another one were being read");
    // What was left of the rows is in nobody's way.
    let stopped = database.read(|session| {
        let stopped = session
            .query_each("SELECT generate_series(1, 100000)", &[], &mut |_| Err(StoreError::Failed("enough".into())));
        Ok((stopped.is_err(), count(session, "lead_statuses")?))
    });
    assert_eq!(stopped.await.unwrap(), (true, 13));
}

#[tokio::test]
async fn statements_without_end_are_kept_within_bounds() {
    let (database, _alive) = open();
    let read = database.read(|session| {
        (0..1_200).map(|number| session.value::<i64>(&format!("SELECT {number}::bigint"), &[])).sum::<Result<i64, _>>()
    });
    assert_eq!(read.await.unwrap(), 1_200 * 1_199 / 2);
    let kept = database.read(|session| session.value::<i64>("SELECT count(*) FROM pg_prepared_statements", &[]));
    assert!((1..=512).contains(&kept.await.unwrap()));
}

#[tokio::test]
async fn statistics_are_refreshed() {
    let (database, _alive) = open();
    let filled = database.write::<_, StoreError>(|session| {
        let sql = "INSERT INTO audit_log (at, actor, action, subject) SELECT now(), 'a', 'b', 'c' FROM generate_series(1, ?1)";
        session.execute(sql, &binds![5_000_i64])
    });
    filled.await.unwrap();
    // The server counts changes a moment later.
    for _ in 0..50 {
        database.refresh_statistics().await.unwrap();
        let rows = "SELECT reltuples::bigint FROM pg_class WHERE oid = 'audit_log'::regclass";
        if database.read(move |session| session.value::<i64>(rows, &[])).await.unwrap() == 5_000 {
            return;
        }
        tokio::time::sleep(std::time::Duration::from_millis(100)).await;
    }
    panic!("the planner doesn't know of 5,000 rows");
}

#[test]
fn several_may_start_at_once() {
    let empty = Fresh::empty();
    let open = || Postgres::open(&empty.url(), None, 1).map(|_| ());
    std::thread::scope(|scope| {
        let starts: Vec<_> = (0..4).map(|_| scope.spawn(open)).collect();
        for start in starts {
            start.join().unwrap().unwrap();
        }
    });
}

#[test]
fn an_older_schema_is_brought_up_to_date() {
    let empty = Fresh::empty();
    let target = Target::read(&empty.url()).unwrap();
    on_thread(|| schema::migrate_to(&target, 1)).unwrap();
    Postgres::open(&empty.url(), None, 1).unwrap();
}

#[test]
fn a_newer_schema_is_refused() {
    let fresh = Fresh::create();
    fresh.run(
        "INSERT INTO refinery_schema_history (version, name, applied_on, checksum)
         VALUES (9000, 'later', '2030-01-01T00:00:00Z', '1')",
    );
    let error = Postgres::open(&fresh.url(), None, 1).unwrap_err();
    assert!(matches!(error, OpenError::NewerSchema { found: 9_000, .. }), "{error:?}");
    assert!(
        error.to_string().starts_with("the database has schema version 9000, but this program knows versions up to")
    );
}

/// What is said to a start on this database.
fn refused(fresh: &Fresh) -> String {
    in_full(&Postgres::open(&fresh.url(), None, 1).unwrap_err())
}

#[test]
fn tables_of_others_are_left_alone() {
    let fresh = Fresh::empty();
    fresh.run(
        "CREATE TABLE orders (id INT); CREATE VIEW open_orders AS SELECT * FROM orders; CREATE TABLE customers ()",
    );
    let said = "expected an empty database, or one of this program, but its schema public holds tables of another: \
                customers, open_orders, orders; name a database of its own";
    assert_eq!(refused(&fresh), said);
    fresh.run("CREATE TABLE a1 (); CREATE TABLE a2 ()");
    assert!(refused(&fresh).contains("a1, a2, customers and 2 more"));
    // In another schema they are in nobody's way.
    fresh.run("CREATE SCHEMA shop; ALTER TABLE a1 SET SCHEMA shop; DROP TABLE a2, customers, orders CASCADE");
    Postgres::open(&fresh.url(), None, 1).unwrap();
    // Nor are those that somebody adds to ours.
    fresh.run("CREATE TABLE reports (id INT)");
    Postgres::open(&fresh.url(), None, 1).unwrap();
}

#[test]
fn what_another_program_brings_up_to_date_is_left_alone() {
    let fresh = Fresh::empty();
    fresh.run(
        "CREATE TABLE refinery_schema_history
             (version INT PRIMARY KEY, name VARCHAR(255), applied_on VARCHAR(255), checksum VARCHAR(255));
         INSERT INTO refinery_schema_history VALUES (1, 'orders', '2026-01-01T00:00:00Z', '1')",
    );
    assert!(refused(&fresh).contains("holds tables of another: refinery_schema_history;"));
}

#[test]
fn another_encoding_is_refused() {
    let fresh = Fresh::with("ENCODING 'LATIN1' LOCALE 'C' TEMPLATE template0");
    assert_eq!(
        refused(&fresh),
        "expected a database with the encoding UTF8, but it has LATIN1: make one with `ENCODING 'UTF8' TEMPLATE template0`"
    );
}

#[test]
fn a_user_who_may_not_make_tables_is_told_so() {
    let fresh = Fresh::empty();
    let user = fresh.user();
    fresh.run("REVOKE CREATE ON SCHEMA public FROM PUBLIC");
    let said = in_full(&Postgres::open(&user.url, None, 1).unwrap_err());
    assert_eq!(
        said,
        format!(
            "the user {0} may not make tables in the schema public: let the database belong to this user \
             (`ALTER DATABASE … OWNER TO …`), or grant CREATE on the schema",
            user.name
        )
    );
    fresh.run("REVOKE USAGE ON SCHEMA public FROM PUBLIC");
    let said = in_full(&Postgres::open(&user.url, None, 1).unwrap_err());
    assert!(said.contains("has no schema to make tables in"), "{said}");
    fresh.run(&format!("GRANT USAGE, CREATE ON SCHEMA public TO {}", user.name));
    Postgres::open(&user.url, None, 1).unwrap();
}

#[test]
fn an_old_server_is_refused() {
    assert!(connection::check_version(Some("130000"), Some("13.0")).is_ok());
    // Whoever doesn't say may speak the protocol all the same.
    assert!(connection::check_version(None, None).is_ok());
    let error = connection::check_version(Some("120017"), Some("12.17 (Debian)")).unwrap_err();
    assert_eq!(error.to_string(), "expected PostgreSQL 13 or newer, but the server has version 12.17 (Debian)");
}

#[test]
fn what_may_lose_commits_is_set_right() {
    let fresh = Fresh::create();
    fresh.run(
        "DO $$ BEGIN EXECUTE format('ALTER DATABASE %I SET synchronous_commit = off', current_database()); END $$",
    );
    let target = Target::read(&fresh.url()).unwrap();
    let kept = on_thread(|| {
        let mut connection = connection::Connection::open(&target).unwrap();
        connection.client.query_one("SHOW synchronous_commit", &[]).unwrap().get::<_, String>(0)
    });
    assert_eq!(kept, "on");
}

#[tokio::test]
async fn a_server_that_is_down_is_unavailable_at_once() {
    let (database, fresh) = open();
    database.read(|session| count(session, "leads")).await.unwrap();
    drop(fresh);
    let started = std::time::Instant::now();
    for _ in 0..3 {
        let failed = database.read(|session| count(session, "leads")).await;
        assert!(matches!(failed, Err(StoreError::Unavailable(_))), "{failed:?}");
    }
    assert!(started.elapsed() < std::time::Duration::from_secs(2));
}

/// A server that takes connections, and says nothing: the system accepts them until the backlog is full.
fn silent() -> (std::net::TcpListener, String) {
    let listener = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let address = listener.local_addr().unwrap();
    (listener, format!("postgres://ada:hunter2@{address}/calls?connect_timeout=1"))
}

#[tokio::test]
async fn a_server_that_says_nothing_to_a_new_connection_is_unavailable() {
    for mode in ["disable", "prefer", "require"] {
        let (_listener, url) = silent();
        let target = Target::read(&format!("{url}&sslmode={mode}")).unwrap();
        let place = target.place();
        let database = Postgres { pool: Arc::new(Pool::new(target, 1)), replica: None };
        let asked = database.read(|session| count(session, "leads"));
        let said = in_full(&tokio::time::timeout(PATIENCE, asked).await.expect("an answer").unwrap_err());
        assert_eq!(said, format!("the store is unavailable: {place}: the server was not ready within 1 s"));
    }
}

#[test]
fn a_start_ends_where_the_server_says_nothing() {
    let (_listener, url) = silent();
    let said = in_full(&Postgres::open(&url, None, 1).unwrap_err());
    assert!(said.ends_with("the server was not ready within 1 s"), "{said}");
}

#[test]
fn a_connection_has_time_for_each_host() {
    let limit = |url: &str| Target::read(url).unwrap().limit().as_secs();
    assert_eq!(limit("postgres://one/calls"), 8);
    assert_eq!(limit("postgres://one,two/calls"), 11);
    assert_eq!(limit("postgres://one,two/calls?connect_timeout=7"), 14);
}

#[test]
fn errors_of_connections_name_the_place() {
    let said = |url: &str| in_full(&Postgres::open(url, None, 1).unwrap_err());
    let refused = "error connecting to server: Connection refused (os error 111)";
    assert_eq!(
        said("postgres://ada:hunter2@127.0.0.1:1/calls"),
        format!("the database could not be opened: database calls at 127.0.0.1:1: {refused}")
    );
    let unknown = said(&url_of("no_such_database"));
    assert!(unknown.starts_with("the database could not be opened: database no_such_database at "), "{unknown}");
    assert!(unknown.ends_with(r#": FATAL: database "no_such_database" does not exist (SQLSTATE 3D000)"#), "{unknown}");
}

#[test]
fn places_are_named_for_people() {
    let place = |url: &str| super::place(url).unwrap();
    assert_eq!(place("postgres://ada:hunter2@one,two:6000/calls"), "database calls at one:5432, two:6000");
    assert_eq!(place("postgres://ada:hunter2@one"), "database ada at one:5432");
    assert_eq!(place("postgres:///calls?host=/run/pg&port=5433"), "database calls at /run/pg:5433");
    assert_eq!(place("postgres:///calls?hostaddr=::1"), "database calls at ::1:5432");
}

#[test]
fn errors_do_not_tell_the_password() {
    let urls = [
        url_of("no_such_database").replace("127.0.0.1", "localhost"),
        "postgres://ada:hunter2@127.0.0.1:1/calls".to_owned(),
        "postgres://ada:hunter2@127.0.0.1:hunter2/calls".to_owned(),
        "postgres://ada:hunter2@127.0.0.1/calls?hunter2=1".to_owned(),
        "postgres://ada:hunter2@127.0.0.1/calls?hunter2".to_owned(),
        "postgres://ada@127.0.0.1/calls?password=hunter2&more".to_owned(),
        "postgres://ada:hunter2%ff@/calls".to_owned(),
        "postgres://ada:p@hunter2@127.0.0.1:1/calls".to_owned(),
        "postgres://ada:p@ss/hunter2@127.0.0.1:1/calls".to_owned(),
        "postgres://ada:p@hunter2?x@127.0.0.1:1/calls".to_owned(),
        "mysql://ada:hunter2@127.0.0.1/calls".to_owned(),
    ];
    let real = url_of("x").parse::<url::Url>().unwrap();
    for url in urls {
        let error = Postgres::open(&url, None, 1).unwrap_err();
        for said in [in_full(&error), format!("{error:?}")] {
            assert!(!said.contains("hunter2"), "{said}");
            assert!(real.password().is_none_or(|secret| !said.contains(secret)), "{said}");
        }
    }
    let target = Target::read("postgres://ada:hunter2@127.0.0.1/calls").unwrap();
    assert!(!format!("{target:?}").contains("hunter2"));
}

#[test]
fn urls_are_read_as_libpq_reads_them() {
    let read = |url: &str| Target::read(url).map(|target| format!("{target:?}")).map_err(|error| error.to_string());
    let expected =
        |why: &str| Err(format!("expected a URL such as `postgres://user:password@host:5432/database`, but {why}"));
    assert_eq!(
        read("postgresql://ada:p%40%3Fw@db.example:5433/calls?sslmode=require&connect_timeout=2").unwrap(),
        r#"Target { hosts: [Tcp("db.example")], ports: [5433], database: Some("calls"), tls: true }"#
    );
    assert_eq!(
        read("postgres:///calls?host=/var/run/postgresql&sslmode=require").unwrap(),
        r#"Target { hosts: [Unix("/var/run/postgresql")], ports: [], database: Some("calls"), tls: false }"#
    );
    assert_eq!(
        read("postgres://one,two:6000/calls?sslmode=disable&target_session_attrs=read-write").unwrap(),
        r#"Target { hosts: [Tcp("one"), Tcp("two")], ports: [5432, 6000], database: Some("calls"), tls: false }"#
    );
    assert_eq!(read("host=db.example"), expected("it doesn't begin with `postgres://`"));
    assert_eq!(read("postgres://"), expected("it names no host"));
    let hint = "; write an `@` in a user's name or password as `%40`";
    assert_eq!(
        read("postgres://ada:p@ss@db.example/calls"),
        expected(&format!("it has more than one `@` before the options{hint}"))
    );
    assert_eq!(read("postgres://ada:p@s?s@db.example/calls"), expected(&format!("an option in it has no value{hint}")));
    assert_eq!(
        read("postgres://a/b?sslmode=on"),
        expected("its sslmode is not one of disable, prefer, require, verify-ca, verify-full")
    );
    assert_eq!(
        read("postgres://a/b?sslmode=require&sslrootcert=system"),
        expected("`sslrootcert=system` needs `sslmode=verify-full`")
    );
    assert_eq!(
        read("postgres://a/b?sslmode=verify-ca&sslrootcert=/no/such/file"),
        Err("expected certificates in PEM form in /no/such/file, but found none that can be read".to_owned())
    );
}
