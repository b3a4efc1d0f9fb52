//! Undoing an import: in the background, some rows at a time. What is to be done stands in the store, so that an undo goes on
//! wherever a server runs, when the one that began it has stopped.

use std::sync::Arc;
use std::time::Duration;

use chrono::TimeDelta;
use leadscribe_engine::api::{Import, ImportId, LeftRow, Page};

use super::tell;
use crate::app::App;
use crate::outage;
use crate::service::error::ServiceError;
use crate::storage::{Origin, Slice};

/// How long an undo under way may be silent: one transaction takes a fraction of a second.
const SILENCE: TimeDelta = TimeDelta::seconds(30);

/// How often those are looked for that were silent for longer.
const EVERY: Duration = Duration::from_secs(15);

/// Begins to undo an import; returns it as it is then. The undo is carried out even if the client goes away.
///
/// # Errors
/// There is no such import; it is running, undone already, or what it changed is not kept; or the store failed.
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

/// Stops the undo of an import after the rows under way; gives the import as it is then.
///
/// # Errors
/// There is no such import; it isn't being undone; or the store failed.
pub async fn cancel(app: &App, id: ImportId, by: &Origin) -> Result<Import, ServiceError> {
    app.store.cancel_undo(id, by).await?.ok_or(ServiceError::NotFound("import"))
}

/// A slice of what the undo of an import left as it was, by id.
///
/// # Errors
/// There is no such import; or the store failed.
pub async fn left(app: &App, id: ImportId, slice: Slice) -> Result<Page<LeftRow>, ServiceError> {
    super::read(app, id).await?;
    Ok(app.store.left_rows(id, slice).await?)
}

/// Undoes what is left of an import. A failure is noted; [`watch`] takes it up again.
async fn go_on(app: &Arc<App>, id: ImportId) {
    loop {
        let turn = app.bulk_writes.turn().await;
        let step = app.store.undo_import_step(id, app.now()).await;
        drop(turn);
        match step {
            Ok(true) => {}
            Ok(false) => return,
            Err(error) => return outage::failed(app, "undo an import", &error),
        }
    }
}

/// Goes on with undos that have lost their process, for ever: at once, then every quarter of a minute.
pub async fn watch(app: &Arc<App>) {
    let mut ticks = tokio::time::interval(EVERY);
    ticks.set_missed_tick_behavior(tokio::time::MissedTickBehavior::Delay);
    loop {
        ticks.tick().await;
        resume(app).await;
    }
}

/// Goes on with the undos that have been silent for too long.
async fn resume(app: &Arc<App>) {
    match app.store.stalled_undos(app.now() - SILENCE).await {
        Ok(stalled) => {
            for id in stalled {
                tracing::info!(import = id.0, "goes on with the undo of an import");
                go_on(app, id).await;
            }
        }
        Err(error) => outage::failed(app, "look for undos of imports", &error),
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
    async fn an_undo_goes_on_after_a_restart() {
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
