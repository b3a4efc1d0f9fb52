//! Copies of the database, made while it is in use, and their verification.

use std::collections::BTreeMap;
use std::path::Path;

use rusqlite::Connection;
use rusqlite::types::ValueRef;
use sha2::{Digest, Sha256};

use super::connection;
pub use super::connection::newest_schema_version;
use super::error::OpenError;
use crate::storage::RecordingKey;
use crate::storage::snapshot::{DatabaseContents, NewerSchema, SnapshotError, TableContents};

/// Maximum number of reported errors of a corrupt file; the first is usually enough.
const MAX_REPORTED_ERRORS: usize = 3;

/// Copies the database at `source` into the empty file at `target`, as of now, including everything committed. Doesn't block other
/// processes. Blocks the calling thread.
///
/// Rows are rewritten one by one, so the copy contains no deleted bytes. Words of deleted transcripts, which the full-text index drops only
/// over time, are removed from the copy.
///
/// # Errors
/// The source doesn't exist or is newer than this program, or one of the files can't be used.
pub fn copy_database(source: &Path, target: &Path) -> Result<(), SnapshotError> {
    let reader = open_existing(source)?;
    NewerSchema::check(schema_version(&reader)?, newest_schema_version())?;
    let path = target.to_str().ok_or_else(|| SnapshotError::Failed("the path of the copy is not UTF-8".into()))?;
    reader.execute("VACUUM INTO ?1", [path])?;
    drop(reader);
    let copy = Connection::open(target)?;
    // Leaves no journal file next to the copy. The copy needn't survive a crash, because it can be made again.
    copy.pragma_update_and_check(None, "journal_mode", "MEMORY", |_| Ok(()))?;
    copy.pragma_update_and_check(None, "secure_delete", true, |_| Ok(()))?;
    // Older schemas have no transcripts.
    if has_table(&copy, "transcript_words")? {
        copy.execute("INSERT INTO transcript_words (transcript_words) VALUES ('optimize')", [])?;
    }
    Ok(())
}

/// Contents of the database in a file that isn't in use. Blocks.
///
/// # Errors
/// The file is not a database of this program, or can't be read.
pub fn read_contents(path: &Path) -> Result<DatabaseContents, SnapshotError> {
    read_contents_of(&open_existing(path)?)
}

/// Like [`read_contents`], after SQLite has checked the whole file and all foreign keys.
///
/// # Errors
/// Like [`read_contents`]; or the file is corrupt.
pub fn verify(path: &Path) -> Result<DatabaseContents, SnapshotError> {
    let connection = open_existing(path)?;
    if let Some(message) = integrity_errors(&connection, "integrity_check")?.first() {
        return Err(SnapshotError::Corrupt(message.clone()));
    }
    if let Some(table) = tables_with_broken_references(&connection)?.first() {
        return Err(SnapshotError::Corrupt(format!("a row of {table} refers to a missing row")));
    }
    read_contents_of(&connection)
}

/// Starts a new history of the log of changes in a restored database that isn't in use, so that cursors of the replaced one are refused.
/// Blocks.
///
/// # Errors
/// The file can't be changed.
pub fn renew_change_history(path: &Path) -> Result<(), SnapshotError> {
    let database = Connection::open(path)?;
    // Databases of older versions get a new history when they are upgraded.
    if has_table(&database, "change_log")? {
        database.pragma_update_and_check(None, "journal_mode", "MEMORY", |_| Ok(()))?;
        database.execute("UPDATE change_log SET history = lower(hex(randomblob(6)))", [])?;
    }
    Ok(())
}

/// Recordings that the calls of a database refer to now, ordered by key. The database may be in use. Blocks.
///
/// # Errors
/// The file can't be read.
pub fn recording_keys(path: &Path) -> Result<Vec<RecordingKey>, SnapshotError> {
    read_recording_keys(&open_existing(path)?)
}

/// First errors that `PRAGMA integrity_check` or `quick_check` reports.
pub(super) fn integrity_errors(connection: &Connection, check: &str) -> rusqlite::Result<Vec<String>> {
    let mut statement = connection.prepare(&format!("PRAGMA {check}({MAX_REPORTED_ERRORS})"))?;
    let lines = statement.query_map([], |row| row.get::<_, String>(0))?.collect::<rusqlite::Result<Vec<_>>>()?;
    Ok(lines.into_iter().filter(|line| line != "ok").collect())
}

/// Tables with rows whose references are broken.
pub(super) fn tables_with_broken_references(connection: &Connection) -> rusqlite::Result<Vec<String>> {
    let mut statement = connection.prepare("SELECT DISTINCT \"table\" FROM pragma_foreign_key_check")?;
    statement.query_map([], |row| row.get(0))?.collect()
}

/// Schema version of a database.
pub(super) fn schema_version(connection: &Connection) -> Result<i64, SnapshotError> {
    if !has_table(connection, "refinery_schema_history")? {
        return Err(SnapshotError::NotOurDatabase);
    }
    let version: Option<i64> =
        connection.query_row("SELECT max(version) FROM refinery_schema_history", [], |row| row.get(0))?;
    version.ok_or(SnapshotError::NotOurDatabase)
}

/// Opens an existing database read-only.
pub(super) fn open_existing(path: &Path) -> Result<Connection, SnapshotError> {
    if !path.is_file() {
        return Err(SnapshotError::NotFound(path.to_owned()));
    }
    connection::open_reader(path).map_err(|error| match error {
        OpenError::Sqlite(error) => error.into(),
        other => SnapshotError::Failed(Box::new(other)),
    })
}

fn read_contents_of(connection: &Connection) -> Result<DatabaseContents, SnapshotError> {
    let schema_version = schema_version(connection)?;
    let mut tables = BTreeMap::new();
    for table in table_names(connection)? {
        let contents = table_contents(connection, &table)?;
        tables.insert(table, contents);
    }
    Ok(DatabaseContents { schema_version, tables, recordings: read_recording_keys(connection)? })
}

/// Names of the ordinary tables and of `sqlite_sequence`. Excludes virtual tables, shadow tables and planner statistics.
fn table_names(connection: &Connection) -> rusqlite::Result<Vec<String>> {
    let sql = "SELECT name FROM pragma_table_list WHERE schema = 'main' AND type = 'table'
         AND (name NOT LIKE 'sqlite~_%' ESCAPE '~' OR name = 'sqlite_sequence')";
    let mut statement = connection.prepare(sql)?;
    statement.query_map([], |row| row.get(0))?.collect()
}

fn table_contents(connection: &Connection, table: &str) -> rusqlite::Result<TableContents> {
    let key = "SELECT name FROM pragma_table_info(?1) WHERE pk > 0 ORDER BY pk";
    let mut statement = connection.prepare(key)?;
    let mut key: Vec<String> = statement.query_map([table], |row| row.get(0))?.collect::<rusqlite::Result<_>>()?;
    if key.is_empty() {
        key.push("rowid".to_owned());
    }
    let mut statement = connection.prepare(&format!("SELECT * FROM \"{table}\" ORDER BY {}", key.join(", ")))?;
    let columns = statement.column_count();
    let mut rows = statement.query([])?;
    let (mut count, mut hash) = (0, Sha256::new());
    while let Some(row) = rows.next()? {
        count += 1;
        for column in 0..columns {
            hash_value(&mut hash, row.get_ref(column)?);
        }
    }
    let sha256 = hash.finalize().iter().map(|byte| format!("{byte:02x}")).collect();
    Ok(TableContents { rows: count, sha256 })
}

/// Hashes a value, prefixed by its type and length, so that different rows never hash the same bytes.
fn hash_value(hash: &mut Sha256, value: ValueRef<'_>) {
    let mut update = |kind: &[u8], bytes: &[u8]| {
        hash.update(kind);
        hash.update((bytes.len() as u64).to_le_bytes());
        hash.update(bytes);
    };
    match value {
        ValueRef::Null => update(b"n", &[]),
        ValueRef::Integer(number) => update(b"i", &number.to_le_bytes()),
        ValueRef::Real(number) => update(b"r", &number.to_bits().to_le_bytes()),
        ValueRef::Text(bytes) => update(b"t", bytes),
        ValueRef::Blob(bytes) => update(b"b", bytes),
    }
}

fn read_recording_keys(connection: &Connection) -> Result<Vec<RecordingKey>, SnapshotError> {
    let sql = "SELECT recording_key FROM calls WHERE recording_key IS NOT NULL ORDER BY recording_key";
    let mut statement = connection.prepare(sql)?;
    let keys = statement.query_map([], |row| Ok(RecordingKey(row.get(0)?)))?;
    Ok(keys.collect::<rusqlite::Result<_>>()?)
}

fn has_table(connection: &Connection, name: &str) -> rusqlite::Result<bool> {
    connection.query_row("SELECT EXISTS (SELECT 1 FROM sqlite_schema WHERE name = ?1)", [name], |row| row.get(0))
}

impl From<rusqlite::Error> for SnapshotError {
    /// Converts an error, and reports it as corruption if the file is the cause.
    fn from(error: rusqlite::Error) -> Self {
        match error.sqlite_error_code() {
            Some(rusqlite::ErrorCode::NotADatabase) => Self::NotOurDatabase,
            Some(rusqlite::ErrorCode::DatabaseCorrupt) => Self::Corrupt(error.to_string()),
            _ => Self::Failed(Box::new(error)),
        }
    }
}

#[cfg(test)]
mod tests;
