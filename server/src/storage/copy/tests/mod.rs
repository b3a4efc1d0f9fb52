//! Tests of copying, of databases that can't be copied, and of the comparison.

use std::fs;
use std::path::PathBuf;
use std::sync::{Arc, Mutex};

use chrono::DateTime;
use leadscribe_engine::api::Timestamp;
use leadscribe_engine::filter::{self, Limits};
use leadscribe_engine::record::LeadRecord;
use rusqlite::Connection;
use tempfile::TempDir;

use super::plan::{self, SKIPPED_TABLES};
use super::{CopiedTable, CopyError, CopyProgress};
use crate::storage::postgres::PostgresStore;
use crate::storage::postgres::testing::TestDatabase;
use crate::storage::sql::{Database, Session};
use crate::storage::sqlite::SqliteStore;
use crate::storage::{AuditContext, LeadStore, Store, StoreError};

/// Database in a folder, with rows in every table.
struct TestSource {
    folder: TempDir,
}

impl TestSource {
    /// Database with only the initial statuses.
    fn empty() -> Self {
        let source = Self { folder: tempfile::tempdir().unwrap() };
        drop(SqliteStore::open(&source.file()).unwrap());
        source
    }

    fn full() -> Self {
        let source = Self::empty();
        source.run(include_str!("rows.sql"));
        source
    }

    fn file(&self) -> PathBuf {
        self.folder.path().join("leadscribe.db")
    }

    fn open(&self) -> Connection {
        let connection = Connection::open(self.file()).unwrap();
        connection.pragma_update(None, "foreign_keys", true).unwrap();
        connection
    }

    fn run(&self, sql: &str) {
        self.open().execute_batch(sql).unwrap();
    }

    /// Files with their bytes, except empty ones.
    fn files(&self) -> Vec<(PathBuf, Vec<u8>)> {
        let paths = fs::read_dir(self.folder.path()).unwrap().map(|entry| entry.unwrap().path());
        let mut files: Vec<_> = paths.map(|path| (path.clone(), fs::read(path).unwrap())).collect();
        files.retain(|(_, bytes)| !bytes.is_empty());
        files.sort();
        files
    }

    async fn copy_to(&self, target: &TestDatabase) -> Result<Vec<CopiedTable>, CopyError> {
        super::copy(&self.file(), &target.url(), |_| ()).await
    }

    /// Copies, expects a failure and an empty target, and returns the error text.
    async fn copy_error(&self, target: &TestDatabase) -> String {
        let error = self.copy_to(target).await.unwrap_err();
        assert_eq!(
            query_value::<i64>(target, "SELECT (SELECT count(*) FROM leads) + (SELECT count(*) FROM calls)").await,
            0
        );
        assert_eq!(query_value::<i64>(target, "SELECT count(*) FROM lead_statuses").await, 13);
        error.to_string()
    }
}

fn open(target: &TestDatabase) -> PostgresStore {
    PostgresStore::open(&target.url(), None, 2).unwrap()
}

/// The single value of a query.
async fn query_value<T: crate::storage::sql::session::FromColumn + Send + 'static>(
    target: &TestDatabase,
    sql: &'static str,
) -> T {
    open(target).database().read(move |session| session.query_value::<T>(sql, &[])).await.unwrap()
}

async fn query_texts(target: &TestDatabase, sql: &'static str) -> Vec<String> {
    let read_names = move |session: &dyn Session| session.query(sql, &[], |row| row.get::<String>(0));
    open(target).database().read(read_names).await.unwrap()
}

fn audit_context() -> AuditContext {
    AuditContext::new("test", now())
}

fn now() -> Timestamp {
    DateTime::from_timestamp(1_777_627_800, 0).unwrap()
}

async fn new_lead(store: &PostgresStore) -> i64 {
    store.create_lead(LeadRecord::default(), &audit_context()).await.unwrap().id.0
}

#[tokio::test(flavor = "multi_thread")]
async fn copies_every_table_and_column() {
    let (source, target) = (TestSource::full(), TestDatabase::empty());
    let before = source.files();
    let copied = source.copy_to(&target).await.unwrap();
    assert!(source.files() == before, "the source is unchanged");

    // Covers every table and column of SQLite; a new one needs a row in `rows.sql`.
    let connection = source.open();
    let sql = "SELECT t.name, c.name FROM pragma_table_list t JOIN pragma_table_info(t.name) c
         WHERE t.schema = 'main' AND t.type = 'table' AND t.name NOT LIKE 'sqlite%'";
    let mut statement = connection.prepare(sql).unwrap();
    let columns = statement.query_map([], |row| Ok((row.get::<_, String>(0)?, row.get::<_, String>(1)?))).unwrap();
    let mut column_count = 0;
    for (table, column) in columns.map(Result::unwrap).filter(|(table, _)| !SKIPPED_TABLES.contains(&table.as_str())) {
        let sql = format!("SELECT count(*), count(\"{column}\") FROM \"{table}\"");
        let (rows, values): (u64, u64) = connection.query_row(&sql, [], |row| Ok((row.get(0)?, row.get(1)?))).unwrap();
        assert!(values > 0, "{table}.{column} has no value in the test");
        assert!(copied.contains(&CopiedTable { table: table.clone(), rows }), "{table} {rows}: {copied:?}");
        column_count += 1;
    }
    assert!(column_count > 150, "{column_count}");
}

#[tokio::test(flavor = "multi_thread")]
async fn copies_values_exactly() {
    let (source, target) = (TestSource::full(), TestDatabase::with_schema());
    source.copy_to(&target).await.unwrap();
    let rows = query_texts(
        &target,
        "SELECT concat_ws('|', id, last_name, address1, purchase_date, birthdate, purchase_amount, lat, lng,
             do_not_call, blacklisted, created_at, updated_at, global_updated_at) FROM leads ORDER BY id",
    );
    assert_eq!(
        rows.await,
        [
            "1|O'Hara \"the\" \\n {NULL} \\N|line 1\nline 2|0001-01-01|9999-12-31|0.1|52.5|-0.1|t|f\
             |2026-05-01 09:30:00+00|2026-05-01 09:30:00.000001+00|2026-05-01 09:31:39.999999+00",
            "2|1970-01-02|1969-12-31|100|5e-324|1.7976931348623157e+308|f|t\
             |0001-01-01 00:00:00+00|9999-12-31 23:59:59.999999+00|9999-12-31 23:59:59.999999+00",
            "40|f|f|1970-01-01 00:00:00.000005+00|1970-01-01 00:00:00.000005+00|1970-01-01 00:00:00.000006+00",
        ]
    );
    let custom_fields_sql = "SELECT CAST(custom_fields AS TEXT) FROM leads ORDER BY id LIMIT 2";
    let expected_custom_fields = "{\"text\":\"it's \\\"so\\\"\\n\\u00e9 🌞\",\"big\":9007199254740993,\"double\":1e16,\"half\":0.5,\
         \"minus\":-9223372036854775808,\"yes\":true,\"no\":false,\"empty\":\"\",\"Ü b.[x]\":\"y\"}";
    assert_eq!(query_texts(&target, custom_fields_sql).await, [expected_custom_fields, "{ \"spaced\" : 1.0 }"]);
    let weights_sql = "SELECT CAST(weight AS TEXT) FROM campaign_leads ORDER BY id LIMIT 2";
    assert_eq!(query_texts(&target, weights_sql).await, ["9223372036854775807", "-9223372036854775808"]);
    let statuses = query_texts(&target, "SELECT name FROM lead_statuses ORDER BY position, name LIMIT 5").await;
    assert_eq!(statuses, ["émigré", "new", "dialing", "Zurück", "answered"]);
    let words = query_texts(&target, "SELECT words FROM transcript_words").await;
    assert_eq!(words, [leadscribe_engine::transcript_search::fold("It's the Müller family, 24/7!")]);
    // The triggers are enabled again, and the change log starts from here.
    assert_eq!(query_value::<i64>(&target, "SELECT count(*) FROM pg_trigger WHERE tgenabled = 'D'").await, 0);
    assert_eq!(query_value::<i64>(&target, "SELECT count(*) FROM changes").await, 1);
}

#[tokio::test(flavor = "multi_thread")]
async fn copied_ids_are_never_reused() {
    let (source, target) = (TestSource::full(), TestDatabase::with_schema());
    source.copy_to(&target).await.unwrap();
    assert_eq!(new_lead(&open(&target)).await, 42, "id 41 belonged to a deleted lead");
    let sql = "SELECT nextval('rejected_rows_id_seq')";
    assert_eq!(query_value_in_write(&target, sql).await, 7);
    assert_eq!(query_value_in_write(&target, "SELECT nextval('deliveries_id_seq')").await, 10);
}

async fn query_value_in_write(target: &TestDatabase, sql: &'static str) -> i64 {
    open(target).database().write_locking(move |session| session.query_value::<i64>(sql, &[])).await.unwrap()
}

#[tokio::test(flavor = "multi_thread")]
async fn copies_an_empty_database() {
    let (source, target) = (TestSource::empty(), TestDatabase::empty());
    let copied = source.copy_to(&target).await.unwrap();
    assert_eq!(copied.iter().map(|copied| copied.rows).sum::<u64>(), 14, "the statuses and the installation id");
    assert_eq!(new_lead(&open(&target)).await, 1);
}

#[tokio::test(flavor = "multi_thread")]
async fn copy_keeps_the_installation_id() {
    let (source, target) = (TestSource::empty(), TestDatabase::with_schema());
    let id: String = source.open().query_row("SELECT id FROM installation", [], |row| row.get(0)).unwrap();
    assert_ne!(open(&target).installation_id().await.unwrap().0, id);
    source.copy_to(&target).await.unwrap();
    assert_eq!(query_texts(&target, "SELECT id FROM installation").await, [id]);
}

#[tokio::test(flavor = "multi_thread")]
async fn copies_in_batches_and_reports_progress() {
    let (source, target) = (TestSource::full(), TestDatabase::with_schema());
    source.run(
        "WITH RECURSIVE n (id) AS (SELECT 100 UNION ALL SELECT id + 1 FROM n WHERE id < 5099)
         INSERT INTO leads (id, first_name, do_not_call, blacklisted, custom_fields, created_at, updated_at,
             global_updated_at)
         SELECT id, 'lead ' || id, 0, 0, '{}', id, id, id FROM n",
    );
    let reports: Arc<Mutex<Vec<CopyProgress>>> = Arc::default();
    let report_sink = reports.clone();
    let report_progress = move |progress: &CopyProgress| report_sink.lock().unwrap().push(progress.clone());
    super::copy(&source.file(), &target.url(), report_progress).await.unwrap();
    assert_eq!(query_value::<i64>(&target, "SELECT count(*) FROM leads").await, 5003);
    let reports = reports.lock().unwrap();
    let last = reports.last().unwrap();
    assert_eq!(last.done, last.total);
    assert!(reports.is_sorted_by_key(|progress| progress.done));
    assert!(reports.iter().any(|progress| progress.step == "comparing leads"), "{last:?}");
}

#[tokio::test(flavor = "multi_thread")]
async fn server_on_the_target_sees_copied_leads() {
    let (source, target) = (TestSource::full(), TestDatabase::with_schema());
    let server = open(&target).with_lead_index().await;
    let filter = filter::parse_and_check(r#"{"limit":"200;0"}"#, &Limits::default()).unwrap();
    assert_eq!(server.look_up(&filter, now()).await.unwrap().total, 0);
    source.copy_to(&target).await.unwrap();
    let page = server.look_up(&filter, now()).await.unwrap();
    assert_eq!(page.leads.iter().map(|lead| lead.lead.id().0).collect::<Vec<_>>(), [1, 2, 40]);
}

#[tokio::test(flavor = "multi_thread")]
async fn refuses_to_copy_a_database_in_use() {
    let (source, target) = (TestSource::full(), TestDatabase::with_schema());
    // An idle server may still write later.
    let server = SqliteStore::open(&source.file()).unwrap();
    let message = source.copy_error(&target).await;
    assert!(message.ends_with("is in use; stop the server and other programs that use it"), "{message}");
    drop(server);
    source.copy_to(&target).await.unwrap();
}

#[tokio::test(flavor = "multi_thread")]
async fn refuses_a_missing_source() {
    let (folder, target) = (tempfile::tempdir().unwrap(), TestDatabase::with_schema());
    let file = folder.path().join("leadscribe.db");
    let error = super::copy(&file, &target.url(), |_| ()).await.unwrap_err();
    assert_eq!(error.to_string(), format!("there is no database at {}", file.display()));
    assert!(!file.exists());
}

#[tokio::test(flavor = "multi_thread")]
async fn refuses_a_target_with_data() {
    let (source, target) = (TestSource::full(), TestDatabase::with_schema());
    new_lead(&open(&target)).await;
    let error = source.copy_to(&target).await.unwrap_err().to_string();
    assert_eq!(error, "the PostgreSQL database is not empty: it contains audit_log (1), leads (1)");
    let target = TestDatabase::with_schema();
    target.run("UPDATE lead_statuses SET label = 'Changed' WHERE name = 'new'");
    let message = source.copy_error(&target).await;
    assert_eq!(
        message,
        "the PostgreSQL database is not empty: it contains statuses other than those of a new database"
    );
    let target = TestDatabase::with_schema();
    source.copy_to(&target).await.unwrap();
    let error = source.copy_to(&target).await.unwrap_err().to_string();
    for table in ["leads (3)", "transcripts (1)", "delivery_attempts (2)"] {
        assert!(error.contains(table), "{error}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn refuses_a_source_of_another_version() {
    let (source, target) = (TestSource::full(), TestDatabase::with_schema());
    source
        .run("DELETE FROM refinery_schema_history WHERE version = (SELECT max(version) FROM refinery_schema_history)");
    let message = source.copy_error(&target).await;
    assert!(
        message.ends_with("run `leadscribe migrate` on the data folder first, without --database-url"),
        "{message}"
    );
    source.run(
        "INSERT INTO refinery_schema_history (version, name, applied_on, checksum) VALUES (9000, 'later', '', '1')",
    );
    let message = source.copy_error(&target).await;
    assert!(message.contains("has schema version 9000, but this program copies version"), "{message}");
    assert!(message.ends_with("use the newer program"), "{message}");
}

#[tokio::test(flavor = "multi_thread")]
async fn detects_tables_missing_from_the_copy() {
    let (source, target) = (TestSource::full(), TestDatabase::with_schema());
    source.run("CREATE TABLE more (id INTEGER PRIMARY KEY)");
    let message = source.copy_error(&target).await;
    assert_eq!(message, "the tables of the two databases differ: only one of them has the column more.id");
    source.run("DROP TABLE more");
    target.run("ALTER TABLE calls ADD COLUMN more BIGINT");
    let message = source.copy_error(&target).await;
    assert_eq!(message, "the tables of the two databases differ: only one of them has the column calls.more");
    target.run("ALTER TABLE calls ALTER COLUMN more TYPE INTERVAL USING NULL");
    let message = source.copy_error(&target).await;
    assert_eq!(message, "the tables of the two databases differ: the column calls.more is of the type interval");
}

#[tokio::test(flavor = "multi_thread")]
async fn names_values_that_postgresql_cannot_store() {
    let cases = [
        (
            "UPDATE leads SET city = 'a' || char(0) || 'b' WHERE id = 40",
            "leads, id 40: city contains the character U+0000",
        ),
        (
            "UPDATE leads SET custom_fields = '{\"a\":[\"\\u0000\"]}' WHERE id = 2",
            "leads, id 2: custom_fields contains the character U+0000, as an escape in JSON",
        ),
        (
            "UPDATE imports SET columns = '[\"\\ud800\"]' WHERE id = 1",
            "imports, id 1: columns contains JSON that can't be read",
        ),
        (
            "UPDATE calls SET ended_at = 9223372036854775807 WHERE id = 11",
            "calls, id 11: ended_at contains a time before 4713 BC or beyond the calendar",
        ),
        (
            "UPDATE calls SET ended_at = -212000000000000000 WHERE id = 11",
            "calls, id 11: ended_at contains a time before 4713 BC or beyond the calendar",
        ),
        ("UPDATE leads SET birthdate = 1 WHERE id = 40", "leads, id 40: birthdate contains a date with a time of day"),
        (
            "UPDATE idempotency_keys SET response = '\"\\u0000\"' WHERE key = 'Z'",
            "idempotency_keys, owner \"speech_token:1\", key \"Z\": response contains the character U+0000, as an escape in JSON",
        ),
        (
            "UPDATE sessions SET csrf_token = char(0) WHERE csrf_token = 'a'",
            "sessions, id 2: csrf_token contains the character U+0000",
        ),
        (
            "UPDATE leads SET city = CAST(x'ff' AS TEXT) WHERE id = 40",
            "leads, id 40: city contains a text that is not UTF-8",
        ),
    ];
    for (change, expected) in cases {
        let (source, target) = (TestSource::full(), TestDatabase::with_schema());
        source.run(change);
        assert_eq!(source.copy_error(&target).await, format!("{expected}, which PostgreSQL can't store"), "{change}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn names_rows_that_postgresql_refuses() {
    let (source, target) = (TestSource::full(), TestDatabase::with_schema());
    // Incompressible and too long for an index entry.
    source.run("UPDATE campaigns SET name = hex(randomblob(20000)) WHERE id = 2");
    let error = source.copy_to(&target).await.unwrap_err();
    assert_eq!(error.to_string(), "campaigns, id 2: PostgreSQL rejected this row");
    let CopyError::RowRefused { cause: StoreError::Failed(cause), .. } = error else { panic!("{error:?}") };
    assert!(cause.to_string().contains("54000"), "{cause}");
    assert_eq!(source.copy_error(&target).await, "campaigns, id 2: PostgreSQL rejected this row");
}

#[tokio::test(flavor = "multi_thread")]
async fn comparison_finds_every_difference() {
    let cases = [
        // Rounds to seconds.
        (
            "ALTER TABLE calls ALTER COLUMN ended_at TYPE TIMESTAMPTZ(0)",
            "calls, id 10: ended_at differs between the databases",
        ),
        (
            "CREATE RULE lost AS ON INSERT TO leads WHERE id = 2 DO INSTEAD NOTHING",
            "expected the row `leads, id 2` in the PostgreSQL database, found `leads, id 40`",
        ),
        (
            "CREATE RULE lost AS ON INSERT TO deliveries WHERE id = 9 DO INSTEAD NOTHING",
            "deliveries, id 9: this row is not in the PostgreSQL database",
        ),
        (
            "CREATE RULE more AS ON INSERT TO leads WHERE id = 2 DO ALSO
                 INSERT INTO audit_log (id, at, actor, action, subject) VALUES (901, now(), '', '', '')",
            "audit_log, id 901: this row is only in the PostgreSQL database",
        ),
        (
            "CREATE RULE other AS ON INSERT TO transcript_words DO ALSO UPDATE transcript_words SET words = 'other'",
            "transcript_words, transcription_id 5: words differs between the databases",
        ),
    ];
    for (statement, expected) in cases {
        let (source, target) = (TestSource::full(), TestDatabase::with_schema());
        target.run(statement);
        assert_eq!(source.copy_error(&target).await, expected, "{statement}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn tables_are_ordered_by_references() {
    let target = TestDatabase::with_schema();
    let tables = open(&target).database().read(|session| Ok(plan::read_tables(session)?)).await.unwrap();
    let position = |name: &str| tables.iter().position(|table| table.name == name).unwrap();
    for (from_table, to_table) in
        [("calls", "campaign_leads"), ("campaign_leads", "leads"), ("delivery_attempts", "deliveries")]
    {
        assert!(position(from_table) > position(to_table), "{from_table} {to_table}");
    }
    let attempts = &tables[position("delivery_attempts")];
    assert_eq!((attempts.has_sequence, attempts.key.as_slice()), (false, [0, 1].as_slice()));
    assert!(tables[position("leads")].has_sequence);
}
