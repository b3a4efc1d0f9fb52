//! Tests that copies match the database at one point in time and contain no deleted data.

use chrono::{TimeDelta, TimeZone, Utc};
use tempfile::NamedTempFile;

use super::*;
use crate::storage::sqlite::SqliteStore;
use crate::storage::{AuditContext, LeadStore, TranscriptStore};
use leadscribe_engine::record::LeadRecord;

/// Text that doesn't occur by chance, nor do its normalized words.
const CANARY: &str = "zyxwvutcanary";

fn audit_context() -> AuditContext {
    let at = Utc.with_ymd_and_hms(2026, 5, 4, 12, 0, 0).unwrap();
    AuditContext::new("command_line", at)
}

fn make_copy(database: &Path) -> NamedTempFile {
    let copy = NamedTempFile::new().unwrap();
    copy_database(database, copy.path()).unwrap();
    copy
}

fn contains(file: &Path, text: &str) -> bool {
    std::fs::read(file).unwrap().windows(text.len()).any(|window| window == text.as_bytes())
}

#[tokio::test]
async fn copy_contains_committed_data() {
    let folder = tempfile::tempdir().unwrap();
    let database = folder.path().join("leadscribe.db");
    let store = SqliteStore::open(&database).unwrap();
    for _ in 0..3 {
        store.create_lead(LeadRecord::default(), &audit_context()).await.unwrap();
    }
    // Another connection is in the middle of a write.
    let writer = Connection::open(&database).unwrap();
    writer.execute_batch("BEGIN IMMEDIATE; DELETE FROM leads WHERE id = 1").unwrap();
    let first = make_copy(&database);
    let first_contents = verify(first.path()).unwrap();
    assert_eq!((first_contents.tables["leads"].rows, first_contents.schema_version), (3, newest_schema_version()));
    assert!(
        first_contents.tables.contains_key("sqlite_sequence")
            && !first_contents.tables.contains_key("transcript_words_data")
    );
    assert_eq!(first_contents, read_contents(&database).unwrap(), "the copy has the same contents");
    writer.execute_batch("COMMIT").unwrap();
    let second_contents = verify(make_copy(&database).path()).unwrap();
    let changed: Vec<_> = first_contents
        .tables
        .keys()
        .filter(|table| first_contents.tables[*table] != second_contents.tables[*table])
        .collect();
    assert_eq!(changed, ["changes", "leads"]);
    // No other file is left next to a copy.
    let has_sibling = |end: &str| std::fs::exists(format!("{}{end}", first.path().display())).unwrap();
    assert!(!has_sibling("-wal") && !has_sibling("-shm") && !has_sibling("-journal"));
}

#[tokio::test]
async fn copy_contains_no_purged_data() {
    let folder = tempfile::tempdir().unwrap();
    let database = folder.path().join("leadscribe.db");
    let store = SqliteStore::open(&database).unwrap();
    let sql = Connection::open(&database).unwrap();
    sql.execute_batch(
        "INSERT INTO speech_tokens (id, name, prefix, hash, created_at) VALUES (1, 't', 't', zeroblob(32), 0)",
    )
    .unwrap();
    for id in 1..=40 {
        let content = if id == 7 { CANARY } else { "other words" };
        sql.execute_batch(&format!(
            "INSERT INTO calls (id, direction, status, created_at, recording_state) VALUES ({id}, 'inbound', 'answered', 0, 'none');
             INSERT INTO transcriptions (id, call_id, token_id, languages, recording_side, min_duration, state, queued_at)
                 VALUES ({id}, {id}, 1, '[]', 'both', 1, 'completed', 0);
             INSERT INTO transcripts (transcription_id, call_id, token_id, languages, duration, content, created_at)
                 VALUES ({id}, {id}, 1, '[]', 1.0, '{{\"text\":\"{content}\"}}', {created});
             INSERT INTO transcript_words (rowid, words) VALUES ({id}, '{content}');",
            created = if id == 7 { 0 } else { 2_000_000_000_000_000_i64 },
        ))
        .unwrap();
    }
    assert!(contains(make_copy(&database).path(), CANARY), "the copy contains stored transcripts");
    assert_eq!(store.purge_transcripts(audit_context().at - TimeDelta::days(1), &audit_context()).await.unwrap(), 1);
    let copy = make_copy(&database);
    assert!(!contains(copy.path(), CANARY), "the copy contains no purged transcripts");
    assert_eq!(verify(copy.path()).unwrap().tables["transcripts"].rows, 39);
    // The words of the other transcripts are still found.
    let words = Connection::open(copy.path()).unwrap();
    let match_count: i64 = words
        .query_row("SELECT count(*) FROM transcript_words WHERE transcript_words MATCH 'words'", [], |row| row.get(0))
        .unwrap();
    assert_eq!(match_count, 39);
}

#[tokio::test]
async fn reports_corrupt_and_foreign_files() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("leadscribe.db");
    let error_message = |path: &Path| verify(path).unwrap_err().to_string();
    assert_eq!(error_message(&path), format!("there is no database at {}", path.display()));
    std::fs::write(&path, "no database, but as long as one would be ".repeat(100)).unwrap();
    assert_eq!(error_message(&path), "the file is not a Leadscribe database");
    std::fs::remove_file(&path).unwrap();
    Connection::open(&path).unwrap().execute_batch("CREATE TABLE notes (text)").unwrap();
    assert_eq!(error_message(&path), "the file is not a Leadscribe database");
    std::fs::remove_file(&path).unwrap();

    let store = SqliteStore::open(&path).unwrap();
    store.create_lead(LeadRecord::default(), &audit_context()).await.unwrap();
    drop(store);
    let damaged_copy = make_copy(&path);
    let connection = Connection::open(damaged_copy.path()).unwrap();
    connection
        .execute_batch(
            "PRAGMA foreign_keys = OFF; INSERT INTO sessions (hash, user_id, csrf_token, created_at, expires_at) VALUES (zeroblob(32), 99, 'x', 0, 0); PRAGMA user_version = 1",
        )
        .unwrap();
    drop(connection);
    assert_eq!(
        error_message(damaged_copy.path()),
        "the database is damaged: a row of sessions refers to a missing row"
    );

    let damaged_copy = make_copy(&path);
    let mut bytes = std::fs::read(damaged_copy.path()).unwrap();
    let half = bytes.len() / 2;
    bytes[half..half + 4_096].fill(0x5a);
    std::fs::write(damaged_copy.path(), bytes).unwrap();
    assert!(
        error_message(damaged_copy.path()).starts_with("the database is damaged: "),
        "{}",
        error_message(damaged_copy.path())
    );

    let newer = Connection::open(&path).unwrap();
    newer.execute_batch("UPDATE refinery_schema_history SET version = 99 WHERE version = 11").unwrap();
    let target = NamedTempFile::new().unwrap();
    let message = copy_database(&path, target.path()).unwrap_err().to_string();
    assert_eq!(
        message,
        format!(
            "the database has schema version 99, but this program supports versions up to {}; use the newer program",
            newest_schema_version()
        )
    );
}
