//! Storage conformance suite on SQLite, and tests of SQLite specifics: durability, query plans, schema versions.

use std::os::unix::fs::MetadataExt;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex};

use chrono::{TimeDelta, TimeZone, Utc};
use leadscribe_engine::api::*;
use leadscribe_engine::diagnostic::Location;
use leadscribe_engine::filter::{self, Limits};
use leadscribe_engine::record::{LeadAction, LeadRecord};
use leadscribe_engine::transcript_search::Search;
use rusqlite::Connection;
use tempfile::TempDir;

use super::{OpenError, Sqlite, SqliteStore, connection};
use crate::storage::conformance::{self, TestStore};
use crate::storage::snapshot::NewerSchema;
use crate::storage::sql::{self, Bind, Database, DatabaseWork, Dialect, Row, Session, SqlStore, WorkError};
use crate::storage::{
    AccessStore, AttemptResult, AuditContext, CallStore, Claim, ClockStore, ConnectionStats, DeliveryStore,
    FencedWrite, ImportBatch, ImportRows, ImportStore, LeadStore, NewImport, OverviewStore, Result, Slice, Store,
    StoreError, TranscriptQuery, TranscriptStore,
};
use crate::transcript::NewTranscript;

fn new_sqlite_store() -> (SqliteStore, TempDir) {
    let folder = tempfile::tempdir().unwrap();
    (SqliteStore::open(&folder.path().join("leadscribe.db")).unwrap(), folder)
}

async fn new_store() -> (TestStore, TempDir) {
    let (store, folder) = new_sqlite_store();
    (Arc::new(store), folder)
}

conformance::suite!(new_store);

mod concurrent_reads;
mod deliveries;
mod slow_writes;

mod with_the_lead_index {
    use super::*;

    async fn new_indexed_store() -> (TestStore, TempDir) {
        let (store, folder) = new_sqlite_store();
        (Arc::new(store.with_lead_index().await), folder)
    }

    conformance::suite!(new_indexed_store);
}

#[tokio::test]
async fn new_database_files_are_private() {
    let (_store, folder) = new_sqlite_store();
    for file in std::fs::read_dir(folder.path()).unwrap() {
        let file = file.unwrap();
        assert_eq!(file.metadata().unwrap().mode() & 0o777, 0o600, "{:?}", file.file_name());
    }
}

fn now() -> Timestamp {
    Utc.with_ymd_and_hms(2026, 5, 4, 12, 0, 0).unwrap()
}

fn audit_context() -> AuditContext {
    AuditContext::new("command_line", now())
}

fn pragma(session: &dyn Session, name: &str) -> Result<i64> {
    session.query_value(&format!("PRAGMA {name}"), &[])
}

/// Runs statements in a separate transaction.
async fn run(store: &SqliteStore, statements: &'static [&'static str]) -> Result<()> {
    let run_all =
        move |session: &dyn Session| statements.iter().try_for_each(|sql| session.execute(sql, &[]).map(|_| ()));
    store.database().write(run_all).await
}

#[tokio::test]
async fn commits_are_durable_and_reads_are_read_only() {
    let (store, _folder) = new_sqlite_store();
    let writer_pragmas: Result<_> =
        store.database().write(|session| Ok((pragma(session, "synchronous")?, pragma(session, "foreign_keys")?))).await;
    assert_eq!(writer_pragmas.unwrap(), (2, 1));
    let reader_pragmas =
        store.database().read(|session| Ok((pragma(session, "synchronous")?, pragma(session, "foreign_keys")?))).await;
    assert_eq!(reader_pragmas.unwrap(), (2, 1));
    let result = store.database().read(|session| session.execute("DELETE FROM lead_statuses", &[])).await;
    assert!(matches!(result, Err(StoreError::Unavailable(_))), "{result:?}");
}

#[tokio::test]
async fn data_survives_reopening() {
    let (store, folder) = new_sqlite_store();
    store.create_lead(LeadRecord::default(), &audit_context()).await.unwrap();
    drop(store);
    let store = SqliteStore::open(&folder.path().join("leadscribe.db")).unwrap();
    assert!(store.lead(LeadId(1), now()).await.unwrap().is_some());
}

#[test]
fn refuses_a_newer_schema() {
    let (store, folder) = new_sqlite_store();
    drop(store);
    let path = folder.path().join("leadscribe.db");
    let connection = Connection::open(&path).unwrap();
    connection
        .execute(
            "INSERT INTO refinery_schema_history (version, name, applied_on, checksum)
             VALUES (8999, 'late', '2030-01-01T00:00:00Z', '1'), (9000, 'later', '2030-01-01T00:00:00Z', '1')",
            [],
        )
        .unwrap();
    drop(connection);
    let error = SqliteStore::open(&path).unwrap_err();
    assert!(matches!(error, OpenError::NewerSchema(NewerSchema { found: 9_000, .. })), "{error:?}");
    assert!(
        error.to_string().starts_with("the database has schema version 9000, but this program supports versions up to")
    );
}

#[tokio::test]
async fn claims_jobs_queued_by_older_versions() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("leadscribe.db");
    let mut old = Connection::open(&path).unwrap();
    connection::migrate_to(&mut old, 1).unwrap();
    old.execute_batch(
        "INSERT INTO speech_tokens (name, prefix, hash, created_at) VALUES ('dialer', 'lst_ab', randomblob(32), 0);
         INSERT INTO calls (direction, status, created_at, recording_state, recording_key)
             VALUES ('inbound', 'answered', 0, 'ready', 'a'), ('inbound', 'answered', 0, 'ready', 'b');",
    )
    .unwrap();
    let queue = "INSERT INTO transcriptions (call_id, token_id, languages, recording_side, min_duration, queued_at)
                 VALUES (?1, 1, '[\"de\"]', 'both', 1, ?2)";
    for (call, queued_at) in [(1, now()), (2, now() - TimeDelta::seconds(1))] {
        old.execute(queue, (call, queued_at.timestamp_micros())).unwrap();
    }
    drop(old);
    let store = SqliteStore::open(&path).unwrap();
    let mut claimed = Vec::new();
    while let Some(next) = store.claim_transcription(TimeDelta::seconds(60), now()).await.unwrap() {
        claimed.push((next.transcription.call_id, next.recording.unwrap().1.0));
    }
    assert_eq!(claimed, [(CallId(2), "b".to_owned()), (CallId(1), "a".to_owned())]);
    let call = store.call(CallId(1)).await.unwrap().unwrap();
    assert_eq!(call.transcription_state, Some(TranscriptionState::Processing));
}

#[tokio::test]
async fn purged_transcripts_leave_no_words() {
    let (store, folder) = new_sqlite_store();
    run(
        &store,
        &[
            "INSERT INTO speech_tokens (name, prefix, hash, created_at) VALUES ('a', 'lst_ab', randomblob(32), 0)",
            "INSERT INTO calls (direction, status, created_at, recording_state)
             VALUES ('inbound', 'answered', 0, 'ready')",
            "INSERT INTO transcriptions (call_id, token_id, languages, recording_side, min_duration, queued_at, state)
             VALUES (1, 1, '[\"de\"]', 'both', 1, 0, 'processing')",
        ],
    )
    .await
    .unwrap();
    let segment = Segment {
        start: 0.0,
        end: 1.0,
        side: RecordingSide::Both,
        // Longer than a page, so that part of it is on overflow pages.
        text: "zebrasecret ".repeat(1_000),
        confidence: 1.0,
        words: Vec::new(),
    };
    let new = NewTranscript {
        language: None,
        duration: 1.0,
        segments: vec![segment],
        sides: Vec::new(),
        dropped: Vec::new(),
        redactions: 0,
        engine: SpeechEngine { name: "fake".to_owned(), model: "none".to_owned() },
    };
    let claim = Claim { id: TranscriptionId(1), fencing_token: 0 };
    assert_eq!(store.complete_transcription(claim, &new, now()).await.unwrap(), FencedWrite::Done);
    let count_indexed = async || {
        let sql = "SELECT count(*) FROM transcript_words WHERE transcript_words MATCH 'zebrasecret'";
        store.database().read(|session| session.query_value::<u64>(sql, &[])).await.unwrap()
    };
    assert_eq!(count_indexed().await, 1);
    assert_eq!(store.purge_transcripts(now() + TimeDelta::seconds(1), &audit_context()).await.unwrap(), 1);
    assert_eq!(count_indexed().await, 0);

    // The text is in none of the files.
    let files_with_text = || -> Vec<_> {
        let files = std::fs::read_dir(folder.path()).unwrap().map(|file| file.unwrap().path());
        let contains_text = |file: &std::path::PathBuf| {
            std::fs::read(file).unwrap().windows(10).any(|bytes| bytes.eq_ignore_ascii_case(b"ebrasecret"))
        };
        files.filter(contains_text).map(|file| file.file_name().unwrap().to_owned()).collect()
    };
    assert_eq!(files_with_text(), ["leadscribe.db-wal"]);
    store.erase_deleted_data(true).await.unwrap();
    assert_eq!(files_with_text(), [""; 0]);
}

#[tokio::test]
async fn failed_write_changes_nothing() {
    let (store, _folder) = new_sqlite_store();
    const TWICE: &str = "INSERT INTO lead_statuses VALUES ('x', 'X', 1, 99)";
    let result = run(&store, &[TWICE, TWICE]).await;
    assert!(matches!(result, Err(StoreError::Failed(_))), "{result:?}");
    assert_eq!(store.statuses().await.unwrap().len(), 13);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn reads_ignore_writers_and_panics_do_not_poison() {
    let (store, _folder) = new_sqlite_store();
    let store = Arc::new(store);
    let (started_sender, mut started_receiver) = tokio::sync::mpsc::unbounded_channel();
    let (continue_sender, continue_receiver) = std::sync::mpsc::channel::<()>();
    let writer = Arc::clone(&store);
    let write_task = tokio::spawn(async move {
        let work = move |session: &dyn Session| -> Result<()> {
            session.execute("DELETE FROM lead_statuses WHERE name = 'new'", &[])?;
            started_sender.send(()).unwrap();
            continue_receiver.recv().unwrap();
            Ok(())
        };
        writer.database().write(work).await
    });
    started_receiver.recv().await.unwrap();
    for _ in 0..20 {
        assert_eq!(store.statuses().await.unwrap().len(), 13);
    }
    continue_sender.send(()).unwrap();
    write_task.await.unwrap().unwrap();
    assert_eq!(store.statuses().await.unwrap().len(), 12);

    let panicked = store.database().read::<()>(|_| panic!("on purpose")).await;
    assert!(matches!(panicked, Err(StoreError::Failed(_))));
    let panicked = store.database().write::<(), StoreError>(|_| panic!("on purpose")).await;
    assert!(matches!(panicked, Err(StoreError::Failed(_))));
    store.ping().await.unwrap();
}

#[tokio::test]
async fn common_filters_use_their_indexes() {
    let (store, _folder) = explaining_store();
    let plans = [
        (r#"{"id":[1,2,3]}"#, "INTEGER PRIMARY KEY"),
        (r#"{"email":"a@example.com"}"#, "leads_email"),
        (r#"{"phone_normalized":"+442079460000"}"#, "leads_phone"),
        (r#"{"campaign_id":3}"#, "COVERING INDEX campaign_leads_campaign"),
        (r#"{"campaign_name":"Spring"}"#, "(campaign_id=?)"),
        (r#"{"campaign_id":3,"global_updated_at":"2026-01-01 00:00:00;>"}"#, "sqlite_autoindex_campaign_leads_1"),
    ];
    for (text, index) in plans {
        let filter = filter::parse_and_check(text, &Limits::default()).unwrap();
        store.look_up(&filter, now()).await.unwrap();
        let plan = store.database().take_plan();
        assert!(plan.contains(index), "{text}\n{plan}");
    }
}

#[tokio::test]
async fn queues_and_transcript_searches_use_their_indexes() {
    let (store, _folder) = explaining_store();
    store.claim_transcription(TimeDelta::seconds(1), now()).await.unwrap();
    let claim = store.database().take_plan();
    for index in ["transcriptions_claimed", "transcriptions_queued"] {
        assert!(
            claim.contains(&format!("INDEX {index} (claimable_at<?)")) && !claim.contains("TEMP B-TREE"),
            "{claim}"
        );
    }
    let token = store.create_speech_token("dialer", [1; 32], "lst_ab", &audit_context()).await.unwrap().id;
    store.database().take_plan();
    store.create_test_delivery(token, &conformance::deliveries::target(), 1, &audit_context()).await.unwrap();
    let queued = store.database().take_plan();
    assert!(queued.contains("COVERING INDEX deliveries_open (token_id=? AND state=?"), "{queued}");
    store.claim_delivery(TimeDelta::seconds(1), now()).await.unwrap().expect("a delivery");
    let claim = store.database().take_plan();
    let steps = [
        "INDEX deliveries_claimed (claimable_at<?)",
        "INDEX callback_endpoints_due (due_at<?)",
        "INDEX deliveries_by_endpoint (endpoint_id=? AND state=?)",
        "INDEX deliveries_queued_by_endpoint (endpoint_id=?)",
    ];
    for step in steps {
        assert!(claim.contains(step) && !claim.contains("TEMP B-TREE"), "expected {step}\n{claim}");
    }
    store.correct_times(now(), now()).await.unwrap();
    let correction = store.database().take_plan();
    for index in ["transcriptions_changed", "deliveries_changed"] {
        assert!(correction.contains(&format!("INDEX {index} (changed_at>?)")), "{correction}");
    }
    assert!(!correction.contains("SCAN"), "{correction}");
    store.backlog().await.unwrap();
    let backlog = store.database().take_plan();
    assert!(!backlog.lines().any(|step| step.starts_with("SCAN") && !step.contains("INDEX")), "{backlog}");
    store.changes_since(now()).await.unwrap();
    let changes = store.database().take_plan();
    assert!(changes.contains("transcriptions_changed") && changes.contains("deliveries_changed"), "{changes}");
    assert!(!changes.contains("SCAN transcriptions") && !changes.contains("SCAN deliveries"), "{changes}");

    let empty_endpoint = "INSERT INTO callback_endpoints (url) VALUES ('https://example.com/empty')";
    store.database().write(|session| session.execute(empty_endpoint, &[])).await.unwrap();
    store.database().take_plan();
    store.purge_deliveries(now()).await.unwrap();
    let purge = store.database().take_plan();
    assert!(purge.contains("speech_requests_created (created_at<?)"), "{purge}");
    assert!(purge.contains("SEARCH callback_endpoints USING INTEGER PRIMARY KEY (rowid=?)"), "{purge}");
    // Only the read looks at all endpoints.
    let scans: Vec<_> =
        purge.lines().filter(|step| step.starts_with("SCAN") && !step.starts_with("SCAN rarray")).collect();
    assert_eq!(scans, ["SCAN e USING COVERING INDEX sqlite_autoindex_callback_endpoints_1"]);

    let default_query = TranscriptQuery::default;
    let plans = [
        (TranscriptQuery { token_id: Some(TokenId(1)), ..default_query() }, "transcripts_token"),
        (TranscriptQuery { campaign_id: Some(CampaignId(1)), ..default_query() }, "calls_campaign"),
        (TranscriptQuery { lead_id: Some(LeadId(1)), ..default_query() }, "calls_lead"),
        (TranscriptQuery { from: Some(now()), ..default_query() }, "calls_created"),
        (
            TranscriptQuery { search: Some(Search::parse("a b*", Location::default()).unwrap()), ..default_query() },
            "USING INTEGER PRIMARY KEY",
        ),
    ];
    for (query, index) in plans {
        store.search_transcripts(&query, Slice { count: 10, offset: 0 }).await.unwrap();
        let plan = store.database().take_plan();
        assert!(plan.contains(index), "expected {index}\n{plan}");
    }
}

#[tokio::test]
async fn change_checks_read_the_end_of_an_index() {
    let (store, _folder) = explaining_store();
    let known = store.database().read(|session| sql::change_log::current_state(session)).await.unwrap();
    store.database().take_plan();
    store.database().read(move |session| sql::change_log::compare_state(session, &known)).await.unwrap();
    let plan = store.database().take_plan();
    assert!(plan.contains("USING INTEGER PRIMARY KEY (rowid>?)"), "{plan}");
}

#[tokio::test]
async fn statement_count_is_independent_of_deliveries() {
    let (store, _folder) = explaining_store();
    let store = Arc::new(store);
    let tested: TestStore = store.clone();
    let (token, _) = conformance::deliveries::set_up_request(&tested, 3).await;
    let target = conformance::deliveries::target();
    let mut clock = now();
    let mut statements = Vec::new();
    for count in [1, 3] {
        store.database().take_statement_count();
        let (query, slice) = (TranscriptQuery::default(), Slice { count, offset: 0 });
        let audit = AuditContext::new("user:1", clock);
        let response = store.create_speech_request(token, &query, slice, &target, 10, &audit).await.unwrap();
        assert_eq!(response.call_ids.len(), count as usize);
        let requested = store.database().take_statement_count();
        for _ in 0..count {
            let claim = store.claim_delivery(TimeDelta::seconds(30), clock).await.unwrap().unwrap().claim;
            let attempt =
                DeliveryAttempt { number: 0, started_at: clock, duration_ms: 1, status: Some(503), error: None };
            let retry = AttemptResult::Retry(clock + TimeDelta::days(2));
            assert_eq!(store.finish_attempt(claim, &attempt, retry, clock).await.unwrap(), FencedWrite::Done);
        }
        store.database().take_statement_count();
        // The clock is set forward, and then back by less.
        let later = clock + TimeDelta::days(1);
        assert!(store.correct_times(clock + TimeDelta::hours(1), later).await.unwrap().jobs >= count.into());
        clock = later - TimeDelta::hours(1);
        assert!(store.correct_times(later, clock).await.unwrap().jobs >= count.into());
        statements.push((requested, store.database().take_statement_count()));
    }
    assert_eq!(statements[0], statements[1]);
}

#[tokio::test]
async fn failed_statistics_refresh_does_not_fail_the_request() {
    let folder = tempfile::tempdir().unwrap();
    let store = SqlStore::new(FailingRefresh(Sqlite::open(&folder.path().join("leadscribe.db")).unwrap()));
    let audit = AuditContext::new("user:1", now());
    store.import_leads(vec![LeadRecord::default()], &audit).await.unwrap();
    let json = r#"{"lead_ids": [1], "set": {"do_not_call": true}}"#;
    let action = LeadAction::from_json(json, &Limits::default()).unwrap();
    let changed = store.run_lead_action(&action, &audit).await.unwrap();
    store.undo_lead_action(changed.id.unwrap(), &audit).await.unwrap().unwrap();
    store.import_campaign_leads(Vec::new(), &audit).await.unwrap();
    store.import_calls(Vec::new(), &audit).await.unwrap();

    let new = NewImport { is_undoable: true, ..NewImport::new(ImportKind::Leads, "a.csv") };
    let mut import = store.create_import(&new, &audit).await.unwrap();
    let batch = ImportBatch::new(import.id, 1, true, ImportRows::Leads(vec![LeadRecord::default()], None));
    store.import_batch(Arc::new(batch), &audit).await.unwrap();
    import.state = ImportState::Completed;
    store.update_import(&import, &[], now()).await.unwrap();
    store.begin_undo(import.id, &audit).await.unwrap();
    assert!(!store.undo_import_step(import.id, now()).await.unwrap());
    assert!(store.lead(LeadId(2), now()).await.unwrap().is_none(), "undone");
}

/// Database that can't refresh its statistics. Locking writes fail too.
#[derive(Debug)]
struct FailingRefresh(Sqlite);

impl Database for FailingRefresh {
    async fn read<T: Send + 'static>(&self, work: impl DatabaseWork<T>) -> Result<T> {
        self.0.read(work).await
    }

    async fn write<T: Send + 'static, E: WorkError>(&self, work: impl DatabaseWork<T, E>) -> Result<T, E> {
        self.0.write(work).await
    }

    async fn write_locking<T: Send + 'static, E: WorkError>(&self, _work: impl DatabaseWork<T, E>) -> Result<T, E> {
        Err(StoreError::Busy("the database is locked".into()).into())
    }

    fn connection_stats(&self) -> ConnectionStats {
        self.0.connection_stats()
    }

    async fn refresh_statistics(&self) -> Result<()> {
        Err(StoreError::Busy("the database is locked".into()))
    }
}

/// Database that records SQLite's query plan of each statement. Plans don't depend on bound values.
#[derive(Debug)]
struct ExplainingDatabase {
    sqlite: Sqlite,
    steps: Arc<Mutex<String>>,
    statements: Arc<AtomicU64>,
}

fn explaining_store() -> (SqlStore<ExplainingDatabase>, TempDir) {
    let folder = tempfile::tempdir().unwrap();
    let sqlite = Sqlite::open(&folder.path().join("leadscribe.db")).unwrap();
    (SqlStore::new(ExplainingDatabase { sqlite, steps: Arc::default(), statements: Arc::default() }), folder)
}

impl ExplainingDatabase {
    /// Plan steps of all statements since the last call.
    fn take_plan(&self) -> String {
        std::mem::take(&mut self.steps.lock().unwrap())
    }

    /// Number of statements since the last call.
    fn take_statement_count(&self) -> u64 {
        self.statements.swap(0, Ordering::Relaxed)
    }

    fn explained_work<T, E>(&self, inner: impl DatabaseWork<T, E>) -> impl DatabaseWork<T, E> {
        let (steps, statements) = (Arc::clone(&self.steps), Arc::clone(&self.statements));
        move |session| inner(&ExplainingSession { session, steps: &steps, statements: &statements })
    }
}

impl Database for ExplainingDatabase {
    async fn read<T: Send + 'static>(&self, work: impl DatabaseWork<T>) -> Result<T> {
        self.sqlite.read(self.explained_work(work)).await
    }

    async fn write<T: Send + 'static, E: WorkError>(&self, work: impl DatabaseWork<T, E>) -> Result<T, E> {
        self.sqlite.write(self.explained_work(work)).await
    }

    async fn write_locking<T: Send + 'static, E: WorkError>(&self, work: impl DatabaseWork<T, E>) -> Result<T, E> {
        self.sqlite.write_locking(self.explained_work(work)).await
    }

    fn connection_stats(&self) -> ConnectionStats {
        self.sqlite.connection_stats()
    }

    async fn refresh_statistics(&self) -> Result<()> {
        self.sqlite.refresh_statistics().await
    }
}

struct ExplainingSession<'s> {
    session: &'s dyn Session,
    steps: &'s Mutex<String>,
    statements: &'s AtomicU64,
}

impl ExplainingSession<'_> {
    fn explain(&self, sql: &str, binds: &[Bind]) -> Result<()> {
        let steps = self.session.query(&format!("EXPLAIN QUERY PLAN {sql}"), binds, |row| row.get::<String>(3))?;
        *self.steps.lock().unwrap() += &(steps.join("\n") + "\n");
        self.statements.fetch_add(1, Ordering::Relaxed);
        Ok(())
    }
}

impl Session for ExplainingSession<'_> {
    fn dialect(&self) -> &'static dyn Dialect {
        self.session.dialect()
    }

    fn query_each(&self, sql: &str, binds: &[Bind], each: &mut dyn FnMut(&dyn Row) -> Result<()>) -> Result<()> {
        self.explain(sql, binds)?;
        self.session.query_each(sql, binds, each)
    }

    fn execute(&self, sql: &str, binds: &[Bind]) -> Result<u64> {
        self.explain(sql, binds)?;
        self.session.execute(sql, binds)
    }

    fn insert_many(&self, table: &'static str, columns: &[&str], rows: &[Vec<Bind>]) -> Result<()> {
        self.statements.fetch_add(1, Ordering::Relaxed);
        self.session.insert_many(table, columns, rows)
    }
}
