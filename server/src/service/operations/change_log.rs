//! Changes of records, for clients that keep a copy: in pages, or as a stream.

use std::time::Duration;

use leadscribe_engine::api::ChangePage;
use tokio::time::{Instant, sleep};

use crate::service::app::App;
use crate::service::error::{Result, ServiceError};
use crate::storage::{ChangeCursor, ChangeQuery, ChangeResult};

/// Interval between reads of a client that waits for changes. A delay of one second still counts as live.
const POLL_INTERVAL: Duration = Duration::from_secs(1);

/// Returns the end of the log: changes from now on are after it.
///
/// # Errors
/// The store failed.
pub async fn end(app: &App) -> Result<ChangeCursor> {
    Ok(app.store.change_log_end().await?)
}

/// Returns the first page of changes that has an item, or the last page.
///
/// # Errors
/// The cursor has expired; or storage failed.
pub async fn read(app: &App, mut query: ChangeQuery) -> Result<ChangePage> {
    loop {
        match app.store.record_changes(&query).await? {
            ChangeResult::Expired { oldest } => return Err(ServiceError::CursorExpired { oldest }),
            ChangeResult::Page(page) if page.items.is_empty() && page.has_more => {
                query.after = ChangeCursor::parse(&page.next_cursor);
            }
            ChangeResult::Page(page) => return Ok(page),
        }
    }
}

/// Like [`read`], but waits for a change, at most for `wait` and until the server stops.
///
/// # Errors
/// Those of [`read`].
pub async fn read_or_wait(app: &App, mut query: ChangeQuery, wait: Duration) -> Result<ChangePage> {
    let deadline = Instant::now() + wait;
    loop {
        let page = read(app, query.clone()).await?;
        let remaining = deadline.saturating_duration_since(Instant::now());
        if !page.items.is_empty() || remaining.is_zero() {
            return Ok(page);
        }
        query.after = ChangeCursor::parse(&page.next_cursor);
        tokio::select! {
            () = sleep(POLL_INTERVAL.min(remaining)) => {}
            () = app.changes.stopped() => return Ok(page),
        }
    }
}
