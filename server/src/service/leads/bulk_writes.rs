//! Concurrency limit for long writes: import batches, undo steps, actions on many leads, and webhooks whose deliveries follow.
//!
//! Each takes a good part of a second, and SQLite queues all writes. Without the limit, a client that starts a hundred of
//! them would delay every other write by all of them.

use crate::concurrency_limit::{ConcurrencyLimit, current_credential};
use crate::config::StorageConfig;
use crate::service::app::App;
use crate::service::error::Result;
use crate::storage::WriteError;

/// Creates one permit for SQLite, where a second long write would only delay other writes. PostgreSQL has two, so that one write can proceed
/// while the other waits for a lock.
///
/// Run the write on its own task and move the permit there: a transaction continues when its client disconnects.
pub fn concurrency_limit(config: &StorageConfig) -> ConcurrencyLimit {
    let permits = if config.database_url.reveal().is_some() { 2 } else { 1 };
    ConcurrencyLimit::new(permits, permits)
}

/// Waits for a permit and runs a write on its own task, so that the transaction and its follow-up continue if the client
/// disconnects.
pub(in crate::service) async fn run<T: Send + 'static>(
    app: &App,
    write: impl Future<Output = Result<T, WriteError>> + Send + 'static,
) -> Result<T> {
    run_with_permit(app, app.bulk_writes.acquire(&current_credential()).await, write).await
}

/// Runs work on its own task, which holds the permit until the work ends, even if the client disconnects.
pub(super) async fn run_with_permit<T: Send + 'static>(
    app: &App,
    permit: impl Send + 'static,
    work: impl Future<Output = Result<T, WriteError>> + Send + 'static,
) -> Result<T> {
    let outcome = app.background.spawn_with_result(|result| async move {
        let outcome = work.await;
        drop(permit);
        let _disconnected = result.send(outcome);
    });
    Ok(outcome.await??)
}
