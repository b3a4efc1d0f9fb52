//! Undoes imports in the background, a few rows at a time. The remaining work is stored, so any server process can resume an
//! undo whose process died.

use std::sync::Arc;
use std::time::Duration;

use chrono::TimeDelta;
use leadscribe_engine::api::{Import, ImportId, Page, SkippedRecord};

use super::send_result;
use crate::concurrency_limit::current_credential;
use crate::service::app::App;
use crate::service::error::{Result, ServiceError};
use crate::storage::{AuditContext, Slice};

/// Time without progress after which an undo counts as stalled. One transaction takes a fraction of a second.
const STALL_TIMEOUT: TimeDelta = TimeDelta::seconds(30);

/// Interval between checks for stalled undos.
const CHECK_INTERVAL: Duration = Duration::from_secs(15);

/// Begins to undo an import and returns its state. The undo runs even if the client disconnects.
///
/// # Errors
/// The import doesn't exist, is running, was already undone or has no recorded changes; or the store failed.
pub async fn begin(app: &Arc<App>, id: ImportId, audit: &AuditContext) -> Result<Import> {
    let (worker, audit) = (app.clone(), audit.clone());
    let result = app.background.spawn_with_result(|sender| async move {
        let import = worker.store.begin_undo(id, &audit).await;
        let has_begun = matches!(import, Ok(Some(_)));
        send_result(sender, import);
        if has_begun {
            run_to_end(&worker, id).await;
        }
    });
    result.await??.ok_or(ServiceError::NotFound("import"))
}

/// Stops the undo of an import after the current step and returns the state of the import.
///
/// # Errors
/// The import doesn't exist or isn't being undone; or the store failed.
pub async fn cancel(app: &App, id: ImportId, audit: &AuditContext) -> Result<Import> {
    app.store.cancel_undo(id, audit).await?.ok_or(ServiceError::NotFound("import"))
}

/// Returns a slice of the records that the undo of an import left unchanged, by id.
///
/// # Errors
/// The import doesn't exist; or the store failed.
pub async fn skipped_rows(app: &App, id: ImportId, slice: Slice) -> Result<Page<SkippedRecord>> {
    super::read(app, id).await?;
    Ok(app.store.rows_skipped_by_undo(id, slice).await?)
}

/// Undoes the rest of an import. A failure is logged; [`watch`] resumes the undo later.
async fn run_to_end(app: &Arc<App>, id: ImportId) {
    loop {
        let permit = app.bulk_writes.acquire(&current_credential()).await;
        let step = app.store.undo_import_step(id, app.now()).await;
        drop(permit);
        match step {
            Ok(true) => {}
            Ok(false) => return,
            Err(error) => return app.outage.record_failure("undo an import", &error),
        }
    }
}

/// Resumes stalled undos: immediately, then every 15 seconds. Never returns.
pub async fn watch(app: &Arc<App>) {
    let mut ticks = tokio::time::interval(CHECK_INTERVAL);
    ticks.set_missed_tick_behavior(tokio::time::MissedTickBehavior::Delay);
    loop {
        ticks.tick().await;
        resume(app).await;
    }
}

/// Resumes the undos that made no progress for [`STALL_TIMEOUT`].
async fn resume(app: &Arc<App>) {
    match app.store.stalled_undos(app.now() - STALL_TIMEOUT).await {
        Ok(stalled) => {
            for id in stalled {
                tracing::info!(import = id.0, "resuming the undo of an import");
                run_to_end(app, id).await;
            }
        }
        Err(error) => app.outage.record_failure("check for unfinished undos of imports", &error),
    }
}

#[cfg(test)]
mod tests {
    use leadscribe_engine::api::{ImportKind, ImportState, ImportUndoState};
    use leadscribe_engine::record::LeadRecord;

    use super::*;
    use crate::speech::RecognizerProvider;
    use crate::storage::{ImportBatch, ImportRows, NewImport};
    use crate::worker::testing::TestInstallation;

    #[tokio::test]
    async fn undo_resumes_after_restart() {
        let (installation, app) = TestInstallation::with_app(|_| {});
        let audit = AuditContext::new("user:1", app.now());
        let new = NewImport { is_undoable: true, ..NewImport::new(ImportKind::Leads, "") };
        let mut import = app.store.create_import(&new, &audit).await.unwrap();
        let rows = (0..700).map(|_| LeadRecord::default()).collect();
        let batch = ImportBatch::new(import.id, 700, true, ImportRows::Leads(rows, None));
        app.store.import_batch(batch.into(), &audit).await.unwrap();
        import.state = ImportState::Completed;
        app.store.update_import(&import, &[], app.now()).await.unwrap();

        // The process dies between two transactions.
        app.store.begin_undo(import.id, &audit).await.unwrap();
        assert!(app.store.undo_import_step(import.id, app.now()).await.unwrap());
        drop(app);
        let app = installation.create_app(RecognizerProvider::off());
        let undo = async || app.store.import(import.id).await.unwrap().unwrap().undo.unwrap();
        installation.clock.advance(STALL_TIMEOUT - TimeDelta::seconds(1));
        resume(&app).await;
        assert_eq!(undo().await.state, ImportUndoState::Running, "another process may be running it");
        installation.clock.advance(TimeDelta::seconds(1));
        resume(&app).await;
        let finished = undo().await;
        assert_eq!((finished.state, finished.deleted), (ImportUndoState::Completed, 700));
    }
}
