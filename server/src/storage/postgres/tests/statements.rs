//! Tests of statements, values and errors of one session.

use super::{count_rows, new_database};
use crate::storage::StoreError;
use crate::storage::postgres::session::with_dollar_placeholders;
use crate::storage::sql::{Bind, CustomType, Database, binds};
use crate::telemetry::error_chain;

#[test]
fn placeholders_are_numbered() {
    assert_eq!(
        with_dollar_placeholders(r#"SELECT ?1, '?2 it''s ?3', "?4", ?12 FROM t WHERE a ? 'b' AND c = ?3"#),
        r#"SELECT $1, '?2 it''s ?3', "?4", $12 FROM t WHERE a ? 'b' AND c = $3"#
    );
}

#[tokio::test]
async fn sessions_are_set_up() {
    let (database, _test_database) = new_database();
    let values = database.read(|session| {
        let settings = "SELECT current_setting('TimeZone'), current_setting('synchronous_commit'),
                            current_setting('plan_cache_mode'), current_setting('application_name')";
        session.query_one(settings, &[], |row| {
            (0..4).map(|column| row.get::<String>(column)).collect::<Result<Vec<_>, _>>()
        })
    });
    assert_eq!(values.await.unwrap(), ["UTC", "on", "force_custom_plan", "leadscribe"]);
}

#[tokio::test]
async fn encoding_errors_are_not_lost_connections() {
    let (database, _test_database) = new_database();
    let nul_result = database.read(|session| session.query_value::<String>("SELECT '\0'", &[])).await;
    assert!(matches!(nul_result, Err(StoreError::Failed(_))), "{nul_result:?}");
    // The protocol limits placeholders to 16 bits.
    let result = database.read(|session| {
        let values: Vec<_> = (1..=70_000).map(|number| format!("(?{number}::bigint)")).collect();
        let sql = format!("SELECT count(*) FROM (VALUES {}) AS t", values.join(", "));
        session.query_value::<i64>(&sql, &vec![Bind::Integer(1); 70_000])
    });
    let result = result.await;
    assert!(matches!(result, Err(StoreError::Failed(_))), "{result:?}");
}

#[tokio::test]
async fn values_keep_their_types() {
    let (database, _test_database) = new_database();
    let time = "2026-05-04T12:00:00.123456Z".parse::<chrono::DateTime<chrono::Utc>>().unwrap();
    let day = time.date_naive();
    let values = database.read(move |session| {
        let sql =
            "SELECT ?1::bigint, ?2::double precision, ?3::text, ?4::boolean, ?5::timestamptz, ?6::date, ?7::bytea,
                       ?8::json, ?9::jsonb, ?10::bigint + 1, 7::integer, 7::smallint, ?11::numeric";
        let binds = &binds![
            i64::MIN,
            0.1,
            "ä'?1",
            true,
            time,
            day,
            [7_u8; 32],
            r#"{"b": 1e16}"#,
            r#"["de"]"#,
            None::<i64>,
            -120_000_000_i64
        ];
        session.query_one(sql, binds, |row| {
            assert_eq!(row.get::<i64>(0)?, i64::MIN);
            assert_eq!(row.get::<f64>(1)?, 0.1);
            assert_eq!(row.get::<String>(2)?, "ä'?1");
            assert!(row.get::<bool>(3)?);
            assert_eq!(row.time(4)?, Some(time));
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
    values.await.unwrap();

    let integers = database.read(|session| {
        let sql = "SELECT v FROM (VALUES (0::numeric), (10000), (9223372036854775807), (-1.00), (0.5)) AS t (v)";
        session.query(sql, &[], |row| Ok(row.integer(0).ok().flatten()))
    });
    assert_eq!(integers.await.unwrap(), [Some(0), Some(10_000), Some(i64::MAX), Some(-1), None]);

    let match_counts = database.read(|session| {
        let count_matches =
            |list: Bind| session.query_value::<i64>("SELECT count(*) FROM lead_statuses WHERE name = ANY(?1)", &[list]);
        let names = ["new", "busy", "none"].map(|name| Bind::Text(name.to_owned()));
        Ok((count_matches(Bind::List(names.to_vec()))?, count_matches(Bind::List(Vec::new()))?))
    });
    assert_eq!(match_counts.await.unwrap(), (2, 0));
}

#[tokio::test]
async fn nul_characters_and_wrong_types_are_errors() {
    let (database, _test_database) = new_database();
    for bind in [Bind::Text("a\0b".to_owned()), Bind::Integer(1)] {
        let result = database.read(move |session| {
            session.exists("SELECT 1 FROM lead_statuses WHERE name = ?1", std::slice::from_ref(&bind))
        });
        assert!(matches!(result.await, Err(StoreError::Failed(_))));
    }
    let extra_bind_result = database.read(|session| session.exists("SELECT 1", &binds![1_i64]));
    assert!(matches!(extra_bind_result.await, Err(StoreError::Failed(_))));
}

#[tokio::test]
async fn custom_numbers_compare_exactly() {
    let (database, _test_database) = new_database();
    let result = database.write::<_, StoreError>(|session| {
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
            let field = dialect.custom_value("?1", CustomType::Number);
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
        let any = dialect.is_any_of(&dialect.custom_value("?1", CustomType::Number), &operand);
        assert!(session.exists(&format!("SELECT 1 FROM leads l WHERE {any}"), &[dialect.custom_key("f"), list])?);
        let has = dialect.has_custom("?1");
        assert!(session.exists(&format!("SELECT 1 FROM leads l WHERE {has}"), &[dialect.custom_key("t")])?);
        assert!(!session.exists(&format!("SELECT 1 FROM leads l WHERE {has}"), &[dialect.custom_key("a")])?);
        Ok(())
    });
    result.await.unwrap();
}

#[tokio::test]
async fn reserved_ids_are_not_assigned() {
    let (database, _test_database) = new_database();
    let assigned_ids = database.write::<_, StoreError>(|session| {
        let dialect = session.dialect();
        let next = format!("SELECT {}", dialect.next_id("leads"));
        let reserve = |id: i64| {
            session.query_each(&dialect.reserve_id("leads").expect("a statement"), &binds![id], &mut |_| Ok(()))
        };
        reserve(1)?;
        let after_first = session.query_value::<i64>(&next, &[])?;
        reserve(40)?;
        reserve(7)?;
        Ok((after_first, session.query_value::<i64>(&next, &[])?))
    });
    assert_eq!(assigned_ids.await.unwrap(), (2, 41));
}

#[tokio::test]
async fn errors_hide_row_values() {
    let (database, _test_database) = new_database();
    let result =
        database.read(|session| session.exists("SELECT 1 WHERE ?1::text::bigint = 1", &binds!["secret words"]));
    let message = error_chain(&result.await.unwrap_err());
    assert_eq!(message, "storage failed: ERROR: invalid value (SQLSTATE 22P02)");
    let result = database.write_locking(|session| {
        session.execute("INSERT INTO lead_statuses VALUES (?1, 'secret', TRUE, 1)", &binds!["new"])
    });
    let message = error_chain(&result.await.unwrap_err());
    assert_eq!(
        message,
        "storage failed: ERROR: duplicate key value violates unique constraint \"lead_statuses_pkey\" (SQLSTATE 23505)"
    );
}

#[tokio::test]
async fn rows_are_streamed() {
    let (database, _test_database) = new_database();
    let nested_result =
        database.read(|session| session.query("SELECT name FROM lead_statuses", &[], |_| count_rows(session, "leads")));
    let message = error_chain(&nested_result.await.unwrap_err());
    assert_eq!(message, "storage failed: can't run a statement while reading the rows of another");
    // Unread rows don't disturb the next statement.
    let result = database.read(|session| {
        let result = session
            .query_each("SELECT generate_series(1, 100000)", &[], &mut |_| Err(StoreError::Failed("enough".into())));
        Ok((result.is_err(), count_rows(session, "lead_statuses")?))
    });
    assert_eq!(result.await.unwrap(), (true, 13));
}

#[tokio::test]
async fn prepared_statements_are_bounded() {
    let (database, _test_database) = new_database();
    let sum = database.read(|session| {
        (0..1_200)
            .map(|number| session.query_value::<i64>(&format!("SELECT {number}::bigint"), &[]))
            .sum::<Result<i64, _>>()
    });
    assert_eq!(sum.await.unwrap(), 1_200 * 1_199 / 2);
    let statement_count =
        database.read(|session| session.query_value::<i64>("SELECT count(*) FROM pg_prepared_statements", &[]));
    assert!((1..=512).contains(&statement_count.await.unwrap()));
}

#[tokio::test]
async fn statistics_are_refreshed() {
    let (database, _test_database) = new_database();
    let insertion = database.write::<_, StoreError>(|session| {
        let sql = "INSERT INTO audit_log (at, actor, action, subject) SELECT now(), 'a', 'b', 'c' FROM generate_series(1, ?1)";
        session.execute(sql, &binds![5_000_i64])
    });
    insertion.await.unwrap();
    // The server updates its counters with a delay.
    for _ in 0..50 {
        database.refresh_statistics().await.unwrap();
        let row_estimate_sql = "SELECT reltuples::bigint FROM pg_class WHERE oid = 'audit_log'::regclass";
        if database.read(move |session| session.query_value::<i64>(row_estimate_sql, &[])).await.unwrap() == 5_000 {
            return;
        }
        tokio::time::sleep(std::time::Duration::from_millis(100)).await;
    }
    panic!("the planner still doesn't estimate 5,000 rows");
}
