//! Permanent removal of deleted data from the database files.
//!
//! The writing connection overwrites deleted rows with zeros (`secure_delete`). Deleted data remains in two other places: the full-text
//! index only marks it until a merge, and the write-ahead log contains earlier page versions.

use std::time::Duration;

use rusqlite::Connection;

use super::connection::BUSY_TIMEOUT;

/// Maximum number of index pages that one step rewrites, 2 MB. Blocks other writers for some tens of milliseconds.
const MAX_STEP_PAGES: i64 = 500;

/// Runs one step of merging the full-text index. The first step starts a full merge, which drops deleted data. True if nothing is left to
/// do.
pub(super) fn merge_words(writer: &Connection, is_first: bool) -> rusqlite::Result<bool> {
    let changes = || writer.query_row("SELECT total_changes()", [], |row| row.get::<_, i64>(0));
    let before = changes()?;
    let pages = if is_first { -MAX_STEP_PAGES } else { MAX_STEP_PAGES };
    writer.execute("INSERT INTO transcript_words (transcript_words, rank) VALUES ('merge', ?1)", [pages])?;
    // The statement counts as one change itself (FTS5 documentation, 6.7); each merge adds more.
    Ok(changes()? - before < 2)
}

/// Checkpoints the log into the file and truncates it. False if a reader uses an older state; doesn't wait for it.
pub(super) fn truncate_log(writer: &Connection) -> rusqlite::Result<bool> {
    writer.busy_timeout(Duration::ZERO)?;
    let is_busy = writer.query_row("PRAGMA wal_checkpoint(TRUNCATE)", [], |row| row.get::<_, bool>(0));
    writer.busy_timeout(BUSY_TIMEOUT)?;
    Ok(!is_busy?)
}
