//! Tests of upgrades: databases of every older schema version are migrated with their data, completely or not at all.

use std::fs;
use std::path::Path;
use std::sync::Arc;

use rusqlite::fallible_iterator::FallibleIterator;
use rusqlite::{Batch, Connection};

use super::{SqliteStore, connection};
use crate::storage::conformance::{keys_after_upgrade, undo_after_upgrade};

/// Rows in the tables that every schema version has.
const INSERT_ROWS: &str = "
    INSERT INTO users (email, password_hash, role, created_at) VALUES ('ann@example.com', 'x', 'admin', 0);
    INSERT INTO sessions (hash, user_id, csrf_token, created_at, expires_at) VALUES (randomblob(32), 1, 'x', 0, 1);
    INSERT INTO leads (first_name, do_not_call, blacklisted, custom_fields, created_at, updated_at, global_updated_at)
        VALUES ('Ada', 0, 0, '{}', 0, 0, 0);
    INSERT INTO speech_tokens (name, prefix, hash, created_at) VALUES ('dialer', 'lst_ab', randomblob(32), 0);
    INSERT INTO calls (direction, status, created_at, recording_state) VALUES ('inbound', 'answered', 0, 'none');
    INSERT INTO transcriptions (call_id, token_id, languages, recording_side, min_duration, queued_at)
        VALUES (1, 1, '[\"de\"]', 'both', 1, 0);
    INSERT INTO audit_log (at, actor, action, subject) VALUES (0, 'command_line', 'user.create', 'user:1');";

/// Tables of these rows.
const TABLES: [&str; 7] = ["users", "sessions", "leads", "speech_tokens", "calls", "transcriptions", "audit_log"];

/// Creates a database of an old version with some rows.
pub(crate) fn create_database(path: &Path, version: i32) {
    let mut connection = connection::open_writer(path).unwrap();
    connection::migrate_to(&mut connection, version).unwrap();
    connection.execute_batch(INSERT_ROWS).unwrap();
}

/// Opens a database and checks that it is current and complete.
pub(crate) fn check_upgraded(path: &Path) {
    drop(SqliteStore::open(path).unwrap());
    let connection = Connection::open(path).unwrap();
    assert_eq!(schema_version(&connection), newest_version());
    for table in TABLES {
        let rows: i64 = connection.query_row(&format!("SELECT count(*) FROM {table}"), [], |row| row.get(0)).unwrap();
        assert_eq!(rows, 1, "{table} in {}", path.display());
    }
}

pub(crate) fn newest_version() -> i32 {
    i32::try_from(connection::newest_schema_version()).unwrap()
}

fn schema_version(connection: &Connection) -> i32 {
    connection.query_row("SELECT max(version) FROM refinery_schema_history", [], |row| row.get(0)).unwrap()
}

/// SQL of every table, index and trigger in the file.
fn schema_sql(path: &Path) -> Vec<(String, String)> {
    let connection = Connection::open(path).unwrap();
    let sql = "SELECT name, coalesce(sql, '') FROM sqlite_schema WHERE name NOT LIKE 'sqlite_%' ORDER BY name";
    let mut statement = connection.prepare(sql).unwrap();
    let rows = statement.query_map([], |row| Ok((row.get(0)?, row.get(1)?))).unwrap();
    rows.map(Result::unwrap).collect()
}

#[test]
fn migrates_every_version() {
    let folder = tempfile::tempdir().unwrap();
    let new_path = folder.path().join("fresh.db");
    drop(SqliteStore::open(&new_path).unwrap());
    for version in 1..=newest_version() {
        let path = folder.path().join(format!("{version}.db"));
        create_database(&path, version);
        check_upgraded(&path);
        assert_eq!(schema_sql(&path), schema_sql(&new_path), "from version {version}");
    }
}

#[test]
fn upgrade_normalizes_time_zones_and_countries() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("old.db");
    create_database(&path, 21);
    let connection = Connection::open(&path).unwrap();
    for (zone, country) in [("Europe/Kiev", "de"), ("Europe/Kyiv", "DE"), ("EST", "Atlantis"), ("Etc/UTC", "xx")] {
        let sql =
            "INSERT INTO leads (timezone, country, do_not_call, blacklisted, custom_fields, created_at, updated_at,
            global_updated_at) VALUES (?1, ?2, 0, 0, '{}', 0, 0, 0)";
        connection.execute(sql, [zone, country]).unwrap();
    }
    drop(connection);
    drop(SqliteStore::open(&path).unwrap());
    let connection = Connection::open(&path).unwrap();
    let sql = "SELECT timezone, country FROM leads WHERE timezone IS NOT NULL ORDER BY id";
    let mut statement = connection.prepare(sql).unwrap();
    let rows = statement.query_map([], |row| Ok((row.get::<_, String>(0)?, row.get::<_, String>(1)?))).unwrap();
    let rows: Vec<_> = rows.map(Result::unwrap).collect();
    let expected = [("Europe/Kyiv", "DE"), ("Europe/Kyiv", "DE"), ("EST", "Atlantis"), ("UTC", "xx")];
    assert_eq!(rows, expected.map(|(zone, country)| (zone.to_owned(), country.to_owned())));
}

#[test]
fn migrates_deliveries_to_requests_and_endpoints() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("old.db");
    create_database(&path, 23);
    let connection = Connection::open(&path).unwrap();
    let before = "
        INSERT INTO speech_requests (id, token_id, url, method, template, created_at)
            VALUES (4, 1, 'https://a.example/', 'PUT', '[1]', 0);
        INSERT INTO deliveries (id, request_id, token_id, call_id, url, method, template, state, ready_at, changed_at, created_at)
            VALUES (1, 4, 1, 1, 'https://a.example/', 'PUT', '[1]', 'failed', 3, 0, 0),
                (2, 4, 1, 1, 'https://a.example/', 'PUT', '[1]', 'queued', 7, 0, 0),
                (3, NULL, 1, NULL, 'https://b.example/', 'POST', '[2]', 'delivered', 1, 0, 5),
                (4, 4, 1, 1, 'https://a.example/', 'PUT', '[1]', 'queued', 6, 0, 0),
                (5, NULL, 1, NULL, 'https://a.example/', 'POST', '[3]', 'delivering', 2, 0, 6);
        INSERT INTO delivery_attempts (delivery_id, number, at, duration_ms) VALUES (1, 1, 0, 0), (3, 1, 0, 0);";
    connection.execute_batch(before).unwrap();
    drop(connection);
    drop(SqliteStore::open(&path).unwrap());
    let connection = Connection::open(&path).unwrap();
    let sql = "SELECT format('%d %d %d %s %s %s %s %s', d.id, r.id, r.is_test, d.state, e.url, r.method, r.template, e.due_at)
        FROM deliveries d JOIN speech_requests r ON r.id = d.request_id JOIN callback_endpoints e ON e.id = d.endpoint_id
        ORDER BY d.id";
    let mut statement = connection.prepare(sql).unwrap();
    let rows = statement.query_map([], |row| row.get::<_, String>(0)).unwrap();
    assert_eq!(
        rows.map(Result::unwrap).collect::<Vec<_>>(),
        [
            "1 4 0 failed https://a.example/ PUT [1] 6",
            "2 4 0 queued https://a.example/ PUT [1] 6",
            "3 5 1 delivered https://b.example/ POST [2] ",
            "4 4 0 queued https://a.example/ PUT [1] 6",
            "5 6 1 delivering https://a.example/ POST [3] 6",
        ]
    );
    let attempts = "SELECT count(*) FROM delivery_attempts";
    assert_eq!(connection.query_row(attempts, [], |row| row.get::<_, i64>(0)).unwrap(), 2);
}

#[tokio::test]
async fn changes_before_an_upgrade_can_be_undone() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("old.db");
    create_database(&path, 24);
    let rows = undo_after_upgrade::rows(|micros| micros.to_string());
    Connection::open(&path).unwrap().execute_batch(&rows).unwrap();
    undo_after_upgrade::check_undoable(Arc::new(SqliteStore::open(&path).unwrap())).await;
}

#[test]
fn upgrade_killed_at_any_statement_starts_over() {
    let folder = tempfile::tempdir().unwrap();
    for old_version in 1..newest_version() {
        let path = folder.path().join("old.db");
        create_database(&path, old_version);
        let connection = connection::open_writer(&path).unwrap();
        // A tiny cache makes uncommitted pages spill to the file immediately.
        connection.execute_batch("PRAGMA cache_size = 1; PRAGMA cache_spill = 1; BEGIN IMMEDIATE").unwrap();
        let (sql, mut number) = (connection::sql_after(old_version), 0);
        let mut statements = Batch::new(&connection, &sql);
        while let Some(mut statement) = statements.next().unwrap() {
            statement.raw_execute().unwrap();
            number += 1;
            // Upgrades from the first version cover all migrations.
            if old_version == 1 {
                check_interrupted_upgrade(&path, old_version, number);
            }
        }
        check_interrupted_upgrade(&path, old_version, number);
        drop(connection);
        check_upgraded(&path);
        fs::remove_file(&path).unwrap();
    }
}

/// Copies the files as a killed process would leave them, and opens the copy.
fn check_interrupted_upgrade(path: &Path, old_version: i32, statement: usize) {
    let folder = tempfile::tempdir().unwrap();
    let copied_path = folder.path().join("old.db");
    for suffix in ["", "-wal"] {
        let name = |path: &Path| format!("{}{suffix}", path.display());
        fs::copy(name(path), name(&copied_path)).unwrap();
    }
    let found_version = schema_version(&Connection::open(&copied_path).unwrap());
    assert_eq!(found_version, old_version, "killed after statement {statement} from version {old_version}");
    check_upgraded(&copied_path);
}

#[test]
fn upgrade_stopped_at_any_version_changes_nothing() {
    let folder = tempfile::tempdir().unwrap();
    for stop in 2..=newest_version() {
        let path = folder.path().join(format!("{stop}.db"));
        create_database(&path, 1);
        let before = schema_sql(&path);
        let trigger = format!(
            "CREATE TRIGGER stop BEFORE INSERT ON refinery_schema_history WHEN new.version = {stop}
             BEGIN SELECT RAISE(ABORT, 'stopped'); END"
        );
        Connection::open(&path).unwrap().execute_batch(&trigger).unwrap();
        SqliteStore::open(&path).unwrap_err();
        let connection = Connection::open(&path).unwrap();
        assert_eq!(schema_version(&connection), 1, "stopped at version {stop}");
        connection.execute_batch("DROP TRIGGER stop").unwrap();
        assert_eq!(schema_sql(&path), before, "stopped at version {stop}");
        check_upgraded(&path);
    }
}

#[test]
fn failed_upgrade_changes_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("old.db");
    create_database(&path, 5);
    let before = schema_sql(&path);
    // A table of the ninth migration already exists.
    Connection::open(&path).unwrap().execute_batch("CREATE TABLE saved_views (id INTEGER)").unwrap();
    SqliteStore::open(&path).unwrap_err();
    Connection::open(&path).unwrap().execute_batch("DROP TABLE saved_views").unwrap();
    assert_eq!(schema_sql(&path), before);
    check_upgraded(&path);
}

#[test]
fn renames_audited_actions() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("old.db");
    create_database(&path, 25);
    let connection = Connection::open(&path).unwrap();
    for action in ["session.refused", "session.create", "status.put", "user.password"] {
        let sql = "INSERT INTO audit_log (at, actor, action, subject) VALUES (0, 'user:1', ?1, 'user:1')";
        connection.execute(sql, [action]).unwrap();
    }
    drop(connection);
    drop(SqliteStore::open(&path).unwrap());
    let connection = Connection::open(&path).unwrap();
    let mut statement = connection.prepare("SELECT action FROM audit_log ORDER BY id").unwrap();
    let actions = statement.query_map([], |row| row.get(0)).unwrap();
    let actions: Vec<String> = actions.map(Result::unwrap).collect();
    assert_eq!(actions, ["user.create", "session.reject", "session.create", "status.save", "user.change_password"]);
}

#[test]
fn deletes_idempotency_keys_of_whole_records() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("old.db");
    create_database(&path, 32);
    Connection::open(&path).unwrap().execute_batch(&keys_after_upgrade::insert_sql("randomblob(32)", "0")).unwrap();
    drop(SqliteStore::open(&path).unwrap());
    let sql = "SELECT group_concat(key ORDER BY key) FROM idempotency_keys";
    let kept: String = Connection::open(&path).unwrap().query_row(sql, [], |row| row.get(0)).unwrap();
    assert_eq!(kept, keys_after_upgrade::KEPT);
}
