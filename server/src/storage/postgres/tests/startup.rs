//! Tests of starting on various databases.

use std::sync::Arc;

use crate::storage::conformance::{keys_after_upgrade, undo_after_upgrade};
use crate::storage::postgres::target::Target;
use crate::storage::postgres::testing::{TestDatabase, on_thread};
use crate::storage::postgres::{OpenError, Postgres, PostgresStore, connection, schema};
use crate::storage::snapshot::NewerSchema;
use crate::telemetry::error_chain;

/// Rows in the tables that every schema version has.
const INSERT_ROWS: &str = "
    INSERT INTO users (email, password_hash, role, created_at) VALUES ('ann@example.com', 'x', 'admin', now());
    INSERT INTO sessions (hash, user_id, csrf_token, created_at, expires_at)
        VALUES (sha256('a session'), 1, 'x', now(), now());
    INSERT INTO leads (first_name, do_not_call, blacklisted, custom_fields, created_at, updated_at, global_updated_at)
        VALUES ('Ada', FALSE, FALSE, '{}', now(), now(), now());
    INSERT INTO speech_tokens (name, prefix, hash, created_at) VALUES ('dialer', 'lst_ab', sha256('a token'), now());
    INSERT INTO calls (direction, status, created_at, recording_state) VALUES ('inbound', 'answered', now(), 'none');
    INSERT INTO transcriptions (call_id, token_id, languages, recording_side, min_duration, queued_at)
        VALUES (1, 1, '[\"de\"]', 'both', 1, now());
    INSERT INTO audit_log (at, actor, action, subject) VALUES (now(), 'command_line', 'user.create', 'user:1')";

/// Creates a database of an old schema version, without rows.
fn old_database(version: i32) -> TestDatabase {
    let database = TestDatabase::empty();
    let target = Target::parse_primary(&database.url()).unwrap();
    on_thread(|| schema::migrate_to(&target, version)).unwrap();
    database
}

/// Row counts of these tables.
const COUNT_ROWS: &str = "
    SELECT concat_ws(' ', (SELECT count(*) FROM users), (SELECT count(*) FROM sessions), (SELECT count(*) FROM leads),
        (SELECT count(*) FROM speech_tokens), (SELECT count(*) FROM calls), (SELECT count(*) FROM transcriptions),
        (SELECT count(*) FROM audit_log))";

#[test]
fn concurrent_starts_migrate_once() {
    let empty = TestDatabase::empty();
    let open = || Postgres::open(&empty.url(), None, 1).map(|_| ());
    std::thread::scope(|scope| {
        let starts: Vec<_> = (0..4).map(|_| scope.spawn(open)).collect();
        for start in starts {
            start.join().unwrap().unwrap();
        }
    });
}

#[test]
fn migrates_every_version() {
    let test_database = TestDatabase::with_schema();
    let newest = column_list(&test_database);
    for version in 1..i32::try_from(schema::newest_version()).unwrap() {
        let database = old_database(version);
        database.run(INSERT_ROWS);
        Postgres::open(&database.url(), None, 1).unwrap();
        assert_eq!(column_list(&database), newest, "from version {version}");
        assert_eq!(database.query_text(COUNT_ROWS), "1 1 1 1 1 1 1", "from version {version}");
    }
}

#[test]
fn migrates_deliveries_to_requests_and_endpoints() {
    let database = old_database(23);
    database.run(INSERT_ROWS);
    database.run(
        "INSERT INTO speech_requests (id, token_id, url, method, template, created_at)
             VALUES (4, 1, 'https://a.example/', 'PUT', '[1]', now());
         SELECT setval('speech_requests_id_seq', 4);
         INSERT INTO deliveries (id, request_id, token_id, call_id, url, method, template, state, ready_at, changed_at, created_at)
             VALUES (1, 4, 1, 1, 'https://a.example/', 'PUT', '[1]', 'failed', to_timestamp(3), now(), now()),
                 (2, 4, 1, 1, 'https://a.example/', 'PUT', '[1]', 'queued', to_timestamp(7), now(), now()),
                 (3, NULL, 1, NULL, 'https://b.example/', 'POST', '[2]', 'delivered', to_timestamp(1), now(), now()),
                 (4, 4, 1, 1, 'https://a.example/', 'PUT', '[1]', 'queued', to_timestamp(6), now(), now()),
                 (5, NULL, 1, NULL, 'https://a.example/', 'POST', '[3]', 'delivering', to_timestamp(2), now(), now());
         INSERT INTO delivery_attempts (delivery_id, number, at, duration_ms) VALUES (1, 1, now(), 0), (3, 1, now(), 0);",
    );
    Postgres::open(&database.url(), None, 1).unwrap();
    let rows = database.query_text(
        "SELECT string_agg(concat_ws(' ', d.id, r.id, r.is_test, d.state, e.url, r.method, r.template, extract(epoch FROM e.due_at)::int),
             E'\\n' ORDER BY d.id)
         FROM deliveries d JOIN speech_requests r ON r.id = d.request_id JOIN callback_endpoints e ON e.id = d.endpoint_id",
    );
    assert_eq!(
        rows.lines().collect::<Vec<_>>(),
        [
            "1 4 f failed https://a.example/ PUT [1] 6",
            "2 4 f queued https://a.example/ PUT [1] 6",
            "3 5 t delivered https://b.example/ POST [2]",
            "4 4 f queued https://a.example/ PUT [1] 6",
            "5 6 t delivering https://a.example/ POST [3] 6",
        ]
    );
    assert_eq!(database.query_text("SELECT count(*)::text FROM delivery_attempts"), "2");
}

#[tokio::test]
async fn changes_before_an_upgrade_can_be_undone() {
    let database = old_database(24);
    database.run(INSERT_ROWS);
    database
        .run(&undo_after_upgrade::rows(|micros| format!("TIMESTAMPTZ 'epoch' + {micros} * INTERVAL '1 microsecond'")));
    undo_after_upgrade::check_undoable(Arc::new(PostgresStore::open(&database.url(), None, 2).unwrap())).await;
}

#[test]
fn deletes_idempotency_keys_of_whole_records() {
    let database = old_database(32);
    database.run(&keys_after_upgrade::insert_sql("sha256('a request')", "now()"));
    Postgres::open(&database.url(), None, 1).unwrap();
    let kept = database.query_text("SELECT string_agg(key, ',' ORDER BY key) FROM idempotency_keys");
    assert_eq!(kept, keys_after_upgrade::KEPT);
}

/// All columns with their types.
fn column_list(database: &TestDatabase) -> String {
    database.query_text(
        "SELECT string_agg(table_name || '.' || column_name || ' ' || data_type || ' ' || is_nullable, ', '
             ORDER BY table_name, column_name)
         FROM information_schema.columns WHERE table_schema = current_schema()",
    )
}

#[test]
fn failed_upgrade_changes_nothing() {
    let database = old_database(5);
    let before = column_list(&database);
    // A table of the ninth migration already exists.
    database.run("CREATE TABLE saved_views (id BIGINT)");
    Postgres::open(&database.url(), None, 1).unwrap_err();
    database.run("DROP TABLE saved_views");
    assert_eq!(column_list(&database), before);
    Postgres::open(&database.url(), None, 1).unwrap();
}

#[test]
fn refuses_a_newer_schema() {
    let test_database = TestDatabase::with_schema();
    test_database.run(
        "INSERT INTO refinery_schema_history (version, name, applied_on, checksum)
         VALUES (8999, 'late', '2030-01-01T00:00:00Z', '1'), (9000, 'later', '2030-01-01T00:00:00Z', '1')",
    );
    let error = Postgres::open(&test_database.url(), None, 1).unwrap_err();
    assert!(matches!(error, OpenError::NewerSchema(NewerSchema { found: 9_000, .. })), "{error:?}");
    assert!(
        error.to_string().starts_with("the database has schema version 9000, but this program supports versions up to")
    );
}

#[test]
fn distinguishes_replica_errors() {
    let test_database = TestDatabase::with_schema();
    let other = TestDatabase::with_schema();
    for url in [&other.url(), "mysql://127.0.0.1/calls"] {
        let error = Postgres::open(&test_database.url(), Some(url), 1).unwrap_err();
        assert!(matches!(error, OpenError::Replica(_)), "{error:?}");
    }
}

#[test]
fn starts_with_a_promoted_replica() {
    let test_database = TestDatabase::with_schema();
    Postgres::open(&test_database.url(), Some(&test_database.url()), 1).unwrap();
}

/// Error of a start on this database.
fn open_error(test_database: &TestDatabase) -> String {
    error_chain(&Postgres::open(&test_database.url(), None, 1).unwrap_err())
}

#[test]
fn refuses_tables_of_other_programs() {
    let test_database = TestDatabase::empty();
    test_database.run(
        "CREATE TABLE orders (id INT); CREATE VIEW open_orders AS SELECT * FROM orders; CREATE TABLE customers ()",
    );
    let message = "the schema public contains tables of another program: customers, open_orders, orders; use a separate \
                database";
    assert_eq!(open_error(&test_database), message);
    test_database.run("CREATE TABLE a1 (); CREATE TABLE a2 ()");
    assert!(open_error(&test_database).contains("a1, a2, customers and 2 more"));
    // In another schema they don't conflict.
    test_database.run("CREATE SCHEMA shop; ALTER TABLE a1 SET SCHEMA shop; DROP TABLE a2, customers, orders CASCADE");
    Postgres::open(&test_database.url(), None, 1).unwrap();
    // Additional tables don't conflict either.
    test_database.run("CREATE TABLE reports (id INT)");
    Postgres::open(&test_database.url(), None, 1).unwrap();
}

#[test]
fn refuses_migrations_of_other_programs() {
    let test_database = TestDatabase::empty();
    test_database.run(
        "CREATE TABLE refinery_schema_history
             (version INT PRIMARY KEY, name VARCHAR(255), applied_on VARCHAR(255), checksum VARCHAR(255));
         INSERT INTO refinery_schema_history VALUES (1, 'orders', '2026-01-01T00:00:00Z', '1')",
    );
    assert!(open_error(&test_database).contains("contains tables of another program: refinery_schema_history;"));
}

#[test]
fn refuses_other_encodings() {
    let test_database = TestDatabase::with_options("ENCODING 'LATIN1' LOCALE 'C' TEMPLATE template0");
    assert_eq!(
        open_error(&test_database),
        "the database has the encoding LATIN1 instead of UTF8; create one with `ENCODING 'UTF8' TEMPLATE template0`"
    );
}

#[test]
fn refuses_users_without_create_privilege() {
    let test_database = TestDatabase::empty();
    let user = test_database.create_user();
    test_database.run("REVOKE CREATE ON SCHEMA public FROM PUBLIC");
    let message = error_chain(&Postgres::open(&user.url, None, 1).unwrap_err());
    assert_eq!(
        message,
        format!(
            "the user {0} can't create tables in the schema public: let the database belong to this user \
             (`ALTER DATABASE … OWNER TO …`), or grant CREATE on the schema",
            user.name
        )
    );
    test_database.run("REVOKE USAGE ON SCHEMA public FROM PUBLIC");
    let message = error_chain(&Postgres::open(&user.url, None, 1).unwrap_err());
    assert!(message.contains("has no schema for tables"), "{message}");
    test_database.run(&format!("GRANT USAGE, CREATE ON SCHEMA public TO {}", user.name));
    Postgres::open(&user.url, None, 1).unwrap();
}

#[test]
fn refuses_old_servers() {
    assert!(connection::check_version(Some("130000"), Some("13.0")).is_ok());
    // A server without a version may still speak the protocol.
    assert!(connection::check_version(None, None).is_ok());
    let error = connection::check_version(Some("120017"), Some("12.17 (Debian)")).unwrap_err();
    assert_eq!(error.to_string(), "PostgreSQL 12.17 (Debian) is not supported; use version 13 or newer");
}

#[test]
fn synchronous_commit_is_switched_on() {
    let test_database = TestDatabase::with_schema();
    test_database.run(
        "DO $$ BEGIN EXECUTE format('ALTER DATABASE %I SET synchronous_commit = off', current_database()); END $$",
    );
    let target = Target::parse_primary(&test_database.url()).unwrap();
    let setting = on_thread(|| {
        let mut connection = connection::Connection::open(&target).unwrap();
        connection.client.query_one("SHOW synchronous_commit", &[]).unwrap().get::<_, String>(0)
    });
    assert_eq!(setting, "on");
}
