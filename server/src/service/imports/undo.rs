//! Undoes imports in the background, a few rows at a time. The remaining work is stored, so any server process can resume an
//! undo whose process died.

use std::sync::Arc;
use std::time::Duration;

use chrono::TimeDelta;
use leadscribe_engine::api::{Import, ImportId, LeftRow, Page};

use super::tell;
use crate::app::App;
use crate::service::error::ServiceError;
use crate::storage::{Origin, Slice};

/// Time without progress after which an undo counts as stalled. One transaction takes a fraction of a second.
const SILENCE: TimeDelta = TimeDelta::seconds(30);

/// Interval between checks for stalled undos.
const EVERY: Duration = Duration::from_secs(15);

/// Begins to undo an import and returns its state. The undo runs even if the client disconnects.
///
/// # Errors
/// The import doesn't exist, is running, was already undone or has no recorded changes; or the store failed.
pub async fn begin(app: &Arc<App>, id: ImportId, by: &Origin) -> Result<Import, ServiceError> {
    let (worker, by) = (app.clone(), by.clone());
    let begun = app.background.begin(|first| async move {
        let import = worker.store.begin_undo(id, &by).await;
        let has_begun = matches!(import, Ok(Some(_)));
        tell(first, import);
        if has_begun {
            go_on(&worker, id).await;
        }
    });
    begun.await??.ok_or(ServiceError::NotFound("import"))
}

/// Stops the undo of an import after the current step and returns the state of the import.
///
/// # Errors
/// The import doesn't exist or isn't being undone; or the store failed.
pub async fn cancel(app: &App, id: ImportId, by: &Origin) -> Result<Import, ServiceError> {
    app.store.cancel_undo(id, by).await?.ok_or(ServiceError::NotFound("import"))
}

/// Returns a slice of the records that the undo of an import left unchanged, by id.
///
/// # Errors
/// The import doesn't exist; or the store failed.
pub async fn left(app: &App, id: ImportId, slice: Slice) -> Result<Page<LeftRow>, ServiceError> {
    super::read(app, id).await?;
    Ok(app.store.left_rows(id, slice).await?)
}

/// Undoes the rest of an import. A failure is logged; [`watch`] resumes the undo later.
async fn go_on(app: &Arc<App>, id: ImportId) {
    loop {
        let turn = app.bulk_writes.turn().await;
        let step = app.store.undo_import_step(id, app.now()).await;
        drop(turn);
        match step {
            Ok(true) => {}
            Ok(false) => return,
            Err(error) => return app.outage.failed("undo an import", &error),
        }
    }
}

/// Resumes stalled undos, now and then every 15 seconds. Never returns.
pub async fn watch(app: &Arc<App>) {
    let mut ticks = tokio::time::interval(EVERY);
    ticks.set_missed_tick_behavior(tokio::time::MissedTickBehavior::Delay);
    loop {
        ticks.tick().await;
        resume(app).await;
    }
}

/// Resumes the undos that made no progress for [`SILENCE`].
async fn resume(app: &Arc<App>) {
    match app.store.stalled_undos(app.now() - SILENCE).await {
        Ok(stalled) => {
            for id in stalled {
                tracing::info!(import = id.0, "resuming the undo of an import");
                go_on(app, id).await;
            }
        }
        Err(error) => app.outage.failed("check for unfinished undos of imports", &error),
    }
}

#[cfg(test)]
mod tests {
    use leadscribe_engine::api::{ImportKind, ImportState, ImportUndoState};
    use leadscribe_engine::record::LeadRecord;

    use super::*;
    use crate::speech::Provider;
    use crate::storage::{ImportBatch, ImportRows, NewImport};
    use crate::worker::testing::Data;

    #[tokio::test]
    async fn undo_resumes_after_restart() {
        let data = Data::empty(|_| {});
        let app = data.process(Provider::off());
        let by = Origin { actor: "user:1".to_owned(), request_id: None, at: app.now() };
        let new = NewImport { undoable: true, ..NewImport::new(ImportKind::Leads, "") };
        let mut import = app.store.create_import(&new, &by).await.unwrap();
        let rows = (0..700).map(|_| LeadRecord::default()).collect();
        let batch = ImportBatch::new(import.id, 700, true, ImportRows::Leads(rows, None));
        app.store.import_batch(batch.into(), &by).await.unwrap();
        import.state = ImportState::Completed;
        app.store.update_import(&import, &[], app.now()).await.unwrap();

        // The process dies between two transactions.
        app.store.begin_undo(import.id, &by).await.unwrap();
        assert!(app.store.undo_import_step(import.id, app.now()).await.unwrap());
        drop(app);
        let app = data.process(Provider::off());
        let undo = async || app.store.import(import.id).await.unwrap().unwrap().undo.unwrap();
        data.clock.advance(SILENCE - TimeDelta::seconds(1));
        resume(&app).await;
        assert_eq!(undo().await.state, ImportUndoState::Running, "it may be under way elsewhere");
        data.clock.advance(TimeDelta::seconds(1));
        resume(&app).await;
        let undone = undo().await;
        assert_eq!((undone.state, undone.deleted), (ImportUndoState::Completed, 700));
    }
}
