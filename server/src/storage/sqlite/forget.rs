//! What was deleted, taken out of the files for good.
//!
//! The connection that writes overwrites deleted rows with zeros (`secure_delete`). Two places keep more: the index of words
//! only marks what was deleted, until it is merged; and the log beside the file has pages as they were before.

use std::time::Duration;

use rusqlite::Connection;

use super::connection::BUSY_TIMEOUT;

/// Pages of the index that one step writes anew, 2 MB: others who write wait some tens of milliseconds for it.
const STEP_PAGES: i64 = 500;

/// Merges the index of words a step further, the first time into what is to become one piece without what was deleted. True
/// when nothing was left to do.
pub(super) fn merge_words(writer: &Connection, first: bool) -> rusqlite::Result<bool> {
    let changes = || writer.query_row("SELECT total_changes()", [], |row| row.get::<_, i64>(0));
    let before = changes()?;
    let pages = if first { -STEP_PAGES } else { STEP_PAGES };
    writer.execute("INSERT INTO transcript_words (transcript_words, rank) VALUES ('merge', ?1)", [pages])?;
    // The statement itself is one change (FTS5's documentation, 6.7); whatever it merges is more.
    Ok(changes()? - before < 2)
}

/// Moves what the log has into the file, and cuts the log to nothing. False where somebody reads an older state: nobody is
/// waited for.
pub(super) fn empty_log(writer: &Connection) -> rusqlite::Result<bool> {
    writer.busy_timeout(Duration::ZERO)?;
    let busy = writer.query_row("PRAGMA wal_checkpoint(TRUNCATE)", [], |row| row.get::<_, bool>(0));
    writer.busy_timeout(BUSY_TIMEOUT)?;
    Ok(!busy?)
}
