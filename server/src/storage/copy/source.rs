//! Source SQLite database: one snapshot, locked against other processes.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::time::Duration;

use rusqlite::config::DbConfig;
use rusqlite::{Connection, ErrorCode, OpenFlags, OptionalExtension, Statement};

use super::CopyError;
use super::plan::{SKIPPED_TABLES, Table, quote_identifier};
use crate::storage::sql::Bind;

/// Maximum wait for a command that is about to release the file.
const BUSY_TIMEOUT: Duration = Duration::from_secs(2);

/// Database in the data folder.
#[derive(Debug)]
pub(super) struct Source {
    connection: Connection,
    path: PathBuf,
}

impl Source {
    /// Opens the file exclusively and starts the snapshot.
    ///
    /// In exclusive mode, SQLite refuses while another process has the file open, even without writing, and keeps others out until the end.
    /// With only a write lock, a server could keep using the file afterwards, and its writes would be lost.
    pub(super) fn open(path: &Path) -> Result<Self, CopyError> {
        if !path.is_file() {
            return Err(CopyError::SourceNotFound(path.to_owned()));
        }
        let flags = OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_NO_MUTEX;
        let connection = Connection::open_with_flags(path, flags)?;
        connection.busy_timeout(BUSY_TIMEOUT)?;
        // Not even the write-ahead log is changed.
        connection.set_db_config(DbConfig::SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, true)?;
        connection.pragma_update_and_check(None, "locking_mode", "EXCLUSIVE", |_| Ok(()))?;
        connection.execute_batch("BEGIN EXCLUSIVE").map_err(|error| match error.sqlite_error_code() {
            Some(ErrorCode::DatabaseBusy | ErrorCode::DatabaseLocked) => CopyError::SourceInUse(path.to_owned()),
            _ => error.into(),
        })?;
        connection.pragma_update(None, "query_only", true)?;
        Ok(Self { connection, path: path.to_owned() })
    }

    /// Checks the schema version.
    pub(super) fn check_version(&self, expected: i64) -> Result<(), CopyError> {
        let sql = "SELECT max(version) FROM refinery_schema_history";
        let found: Option<i64> = self.connection.query_row(sql, [], |row| row.get(0))?;
        let path = || self.path.clone();
        match found.unwrap_or(0) {
            found if found < expected => Err(CopyError::OlderSchema { path: path(), found, expected }),
            found if found > expected => Err(CopyError::NewerSchema { path: path(), found, expected }),
            _ => Ok(()),
        }
    }

    /// Checks that the source has exactly these tables and columns.
    pub(super) fn check_tables(&self, tables: &[Table]) -> Result<(), CopyError> {
        let expected: BTreeSet<(String, String)> = tables
            .iter()
            .flat_map(|table| table.columns.iter().map(|column| (table.name.clone(), column.name.clone())))
            .collect();
        // Without virtual tables, their shadow tables, and SQLite's own tables.
        let sql = "SELECT t.name, c.name FROM pragma_table_list t JOIN pragma_table_info(t.name) c
             WHERE t.schema = 'main' AND t.type = 'table' AND t.name NOT LIKE 'sqlite~_%' ESCAPE '~'";
        let mut statement = self.connection.prepare(sql)?;
        let actual = statement
            .query_map([], |row| Ok((row.get::<_, String>(0)?, row.get::<_, String>(1)?)))?
            .filter(|column| !column.as_ref().is_ok_and(|(table, _)| SKIPPED_TABLES.contains(&table.as_str())))
            .collect::<Result<BTreeSet<_>, _>>()?;
        match actual.symmetric_difference(&expected).next() {
            None => Ok(()),
            Some((table, column)) => {
                Err(CopyError::TableMismatch(format!("only one of them has the column {table}.{column}")))
            }
        }
    }

    /// Number of rows of a table.
    pub(super) fn count(&self, table: &Table) -> Result<u64, CopyError> {
        let sql = format!("SELECT count(*) FROM {}", quote_identifier(&table.name));
        Ok(self.connection.query_row(&sql, [], |row| row.get(0))?)
    }

    /// Highest id that a table ever assigned, even if its row was deleted; 0 if there was none.
    pub(super) fn highest_id(&self, table: &Table) -> Result<i64, CopyError> {
        let max_id = format!("SELECT coalesce(max(id), 0) FROM {}", quote_identifier(&table.name));
        let max_id: i64 = self.connection.query_row(&max_id, [], |row| row.get(0))?;
        let max_assigned_id = "SELECT seq FROM sqlite_sequence WHERE name = ?1";
        let max_assigned_id: Option<i64> =
            self.connection.query_row(max_assigned_id, [&table.name], |row| row.get(0)).optional()?;
        Ok(max_id.max(max_assigned_id.unwrap_or(0)))
    }

    /// Passes every transcript to `each`: the id of its transcription, and its content.
    pub(super) fn for_each_transcript(
        &self,
        each: &mut dyn FnMut(i64, &str) -> Result<(), CopyError>,
    ) -> Result<(), CopyError> {
        let sql = "SELECT transcription_id, content FROM transcripts ORDER BY transcription_id";
        let mut statement = self.connection.prepare(sql)?;
        let mut rows = statement.query([])?;
        while let Some(row) = rows.next()? {
            each(row.get(0)?, row.get_ref(1)?.as_str().map_err(rusqlite::Error::from)?)?;
        }
        Ok(())
    }

    /// Query for all rows of a table, in key order.
    pub(super) fn select(&self, table: &Table) -> Result<Statement<'_>, CopyError> {
        Ok(self.connection.prepare(&table.select())?)
    }
}

/// Reads a row of [`Source::select`].
///
/// # Errors
/// PostgreSQL can't represent one of its values.
pub(super) fn read_row(table: &Table, row: &rusqlite::Row<'_>) -> Result<Vec<Bind>, CopyError> {
    let mut values = Vec::with_capacity(table.columns.len());
    let mut unsupported = None;
    for (index, column) in table.columns.iter().enumerate() {
        let value = column.kind.read_source(row.get_ref(index)?).unwrap_or_else(|reason| {
            unsupported.get_or_insert((column, reason));
            Bind::Null
        });
        values.push(value);
    }
    match unsupported {
        None => Ok(values),
        Some((column, reason)) => {
            Err(CopyError::UnsupportedValue { row: table.row_name(&values), column: column.name.clone(), reason })
        }
    }
}
