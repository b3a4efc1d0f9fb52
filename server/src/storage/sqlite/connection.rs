//! Setup of connections: durability, caches, schema, planner statistics.

use std::fs::OpenOptions;
use std::os::unix::fs::OpenOptionsExt;
use std::path::Path;
use std::time::Duration;

use rusqlite::config::DbConfig;
use rusqlite::{Connection, OpenFlags};

use super::error::OpenError;
use crate::storage::snapshot::NewerSchema;

mod embedded {
    refinery::embed_migrations!("migrations/sqlite");
}

/// Page cache of the writer. An import of 100,000 leads touches all indexes, about 40 MB.
const WRITER_CACHE_KIB: i64 = 64 * 1024;

/// Page cache of each reader. Other pages come from the system's cache. No memory map, which would count as resident memory once per
/// connection.
pub(super) const READER_CACHE_KIB: i64 = 16 * 1024;

/// Maximum wait of a write for its turn within this process, and then for another writing process (a backup, or the command line next to the
/// server).
pub(super) const BUSY_TIMEOUT: Duration = Duration::from_secs(10);

/// Page size in bytes: SQLite's default.
const PAGE_BYTES: i64 = 4096;

/// Number of pages in the write-ahead log that triggers a checkpoint: 64 MiB. An import changes the same index pages in every batch; fewer
/// checkpoints mean fewer repeated writes.
const CHECKPOINT_PAGES: i64 = 16 * 1024;

/// Maximum number of prepared statements per connection. The store itself uses about 100; the rest is for filters.
const MAX_PREPARED_STATEMENTS: usize = 256;

/// `PRAGMA synchronous`: lower values lose acknowledged writes on power failure.
const SYNCHRONOUS_FULL: i64 = 2;

/// `PRAGMA optimize`: check all tables (0x10000), analyze those that have grown tenfold (0x02), with a time limit (0x10). 0x01 is a dry
/// run.
const OPTIMIZE_FLAGS: u32 = 0x10012;
const OPTIMIZE_DRY_RUN_FLAGS: u32 = OPTIMIZE_FLAGS | 0x01;

/// Opens the connection that writes, and applies the settings stored in the file.
pub(super) fn open_writer(path: &Path) -> Result<Connection, OpenError> {
    create_private_file(path);
    let connection = Connection::open(path)?;
    // Set first: even the change to WAL mode may have to wait for another process.
    connection.busy_timeout(BUSY_TIMEOUT)?;
    let mode: String = connection.query_row("PRAGMA journal_mode = WAL", [], |row| row.get(0))?;
    if mode != "wal" {
        return Err(OpenError::JournalMode(mode));
    }
    set_up(&connection, WRITER_CACHE_KIB)?;
    // Overwrites deleted data, so that later copies of the file don't contain it.
    connection.pragma_update_and_check(None, "secure_delete", true, |_| Ok(()))?;
    connection.pragma_update(None, "wal_autocheckpoint", CHECKPOINT_PAGES)?;
    // Shrinks the log at the next checkpoint after a large import.
    connection.pragma_update(None, "journal_size_limit", CHECKPOINT_PAGES * PAGE_BYTES)?;
    Ok(connection)
}

/// Creates an empty, owner-only file for a new database. SQLite gives its log the same mode.
fn create_private_file(path: &Path) {
    // SQLite reports errors, and the file may already exist.
    let _ = OpenOptions::new().write(true).create_new(true).mode(0o600).open(path);
}

/// Opens a read-only connection.
pub(super) fn open_reader(path: &Path) -> Result<Connection, OpenError> {
    let flags = OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    let connection = Connection::open_with_flags(path, flags)?;
    connection.busy_timeout(BUSY_TIMEOUT)?;
    set_up(&connection, READER_CACHE_KIB)?;
    Ok(connection)
}

fn set_up(connection: &Connection, cache_kib: i64) -> Result<(), OpenError> {
    connection.pragma_update(None, "synchronous", "FULL")?;
    let synchronous: i64 = connection.query_row("PRAGMA synchronous", [], |row| row.get(0))?;
    if synchronous != SYNCHRONOUS_FULL {
        return Err(OpenError::NotDurable(synchronous));
    }
    connection.pragma_update(None, "foreign_keys", true)?;
    // Negative values are KiB.
    connection.pragma_update(None, "cache_size", -cache_kib)?;
    connection.pragma_update(None, "temp_store", "MEMORY")?;
    // Plans must not depend on bound values; otherwise each new value reparses the statement.
    connection.set_db_config(DbConfig::SQLITE_DBCONFIG_ENABLE_QPSG, true)?;
    connection.set_prepared_statement_cache_capacity(MAX_PREPARED_STATEMENTS);
    rusqlite::vtab::array::load_module(connection)?;
    Ok(())
}

/// Newest schema version that this program knows.
pub fn newest_schema_version() -> i64 {
    let runner = embedded::migrations::runner();
    runner.get_migrations().iter().map(|migration| i64::from(migration.version())).max().unwrap_or(0)
}

/// Migrates the schema in one transaction.
pub(super) fn migrate(connection: &mut Connection) -> Result<(), OpenError> {
    let runner = embedded::migrations::runner().set_grouped(true).set_abort_missing(true).set_abort_divergent(true);
    let known = newest_schema_version();
    runner.run(connection).map(|_| ()).map_err(|error| match error.kind() {
        // The error contains only the first unknown version.
        refinery::error::Kind::MissingVersion(applied) if i64::from(applied.version()) > known => {
            let newest = connection.query_row("SELECT max(version) FROM refinery_schema_history", [], |row| row.get(0));
            NewerSchema { found: newest.unwrap_or(i64::from(applied.version())), known }.into()
        }
        _ => OpenError::Migration(error),
    })
}

/// Migrates a new file to an old schema version; for upgrade tests.
#[cfg(test)]
pub(super) fn migrate_to(connection: &mut Connection, version: i32) -> Result<(), refinery::Error> {
    embedded::migrations::runner().set_target(refinery::Target::Version(version)).run(connection).map(|_| ())
}

/// SQL of all migrations after this version.
#[cfg(test)]
pub(super) fn sql_after(version: i32) -> String {
    let runner = embedded::migrations::runner();
    let mut newer: Vec<_> = runner.get_migrations().iter().filter(|migration| migration.version() > version).collect();
    // The runner sorts migrations by file name.
    newer.sort_by_key(|migration| migration.version());
    newer.into_iter().filter_map(|migration| migration.sql()).collect::<Vec<_>>().join("\n")
}

/// Refreshes statistics of tables that have grown much. True if there were any.
pub(super) fn refresh_statistics(connection: &Connection) -> rusqlite::Result<bool> {
    let is_due =
        connection.prepare(&format!("PRAGMA optimize({OPTIMIZE_DRY_RUN_FLAGS})"))?.query([])?.next()?.is_some();
    if is_due {
        connection.execute_batch(&format!("PRAGMA optimize({OPTIMIZE_FLAGS})"))?;
    }
    Ok(is_due)
}
