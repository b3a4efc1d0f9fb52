//! Cancels running imports. The request is stored, because another process may run the import, and is checked before each
//! batch. Rows that were already written stay and can be undone.

use std::sync::Arc;

use leadscribe_engine::api::{Import, ImportId};

use super::patience::patiently;
use crate::app::App;
use crate::service::error::ServiceError;
use crate::storage::Origin;

/// Requests cancellation of an import and returns its current state.
///
/// # Errors
/// The import doesn't exist or has ended; or storage failed.
pub async fn ask(app: &App, id: ImportId, by: &Origin) -> Result<Import, ServiceError> {
    app.store.cancel_import(id, by).await?.ok_or(ServiceError::NotFound("import"))
}

/// Returns whether cancellation of an import was requested.
pub(super) async fn is_asked(app: &Arc<App>, id: ImportId) -> Result<bool, ServiceError> {
    let import = patiently(app, || app.store.import(id)).await?;
    Ok(import.is_some_and(|import| import.cancel_requested_at.is_some()))
}

#[cfg(test)]
mod tests {
    use std::io::Cursor;
    use std::sync::mpsc;

    use leadscribe_engine::api::{ImportCounts, ImportKind, ImportState, ImportUndoState};

    use super::super::{Given, Progress, run, start};
    use super::*;
    use crate::speech::Provider;
    use crate::storage::NewImport;
    use crate::worker::testing::{Data, by};

    /// Imports 5,000 leads in batches of 2,000 and cancels after the second batch. Returns the ended import and the number
    /// of inserted leads.
    async fn cancelled(dry_run: bool) -> (Import, u64) {
        let data = Data::empty(|_| {});
        let app = data.process(Provider::off());
        let new = NewImport { dry_run, undoable: true, ..NewImport::new(ImportKind::Leads, "") };
        let import = start(&app, &new, &by(&app)).await.unwrap();
        let id = import.id;
        let rows: String = (0..5_000).map(|row| format!("key-{row}\n")).collect();
        let (release, held) = mpsc::channel();
        let file = Cursor::new(format!("original_identifier\n{rows}"));
        let (told, mut second) = tokio::sync::mpsc::unbounded_channel();
        let worker = app.clone();
        let running = tokio::spawn(async move {
            let by = by(&worker);
            let wait_after_second = move |progress: Progress<'_>| {
                if let Progress::Rows(Import {
                    counts: ImportCounts { read: 4_000, .. },
                    state: ImportState::Running,
                    ..
                }) = progress
                {
                    told.send(()).unwrap();
                    held.recv().unwrap();
                }
            };
            run(&worker, import, file, None, Given::default(), wait_after_second, &by).await
        });
        second.recv().await.unwrap();
        let asked = ask(&app, id, &by(&app)).await.unwrap();
        assert_eq!((asked.state, asked.cancel_requested_at.is_some()), (ImportState::Running, true));
        release.send(()).unwrap();
        let ended = running.await.unwrap().unwrap();
        assert_eq!(app.store.import(id).await.unwrap().unwrap().error, ended.error);
        let leads = app.store.import(id).await.unwrap().unwrap().undo.map_or(0, |undo| undo.to_delete);
        assert!(ask(&app, id, &by(&app)).await.is_err(), "it has ended");
        (ended, leads)
    }

    #[tokio::test(flavor = "multi_thread", worker_threads = 2)]
    async fn cancelled_import_stops_between_batches() {
        let (import, leads) = cancelled(false).await;
        assert_eq!((import.state, import.counts.inserted, leads), (ImportState::Cancelled, 4_000, 4_000));
        assert_eq!(import.error, None);
        assert_eq!(import.undo.unwrap().state, ImportUndoState::Possible);
    }

    #[tokio::test(flavor = "multi_thread", worker_threads = 2)]
    async fn cancelled_dry_run_stops_between_batches() {
        let (import, leads) = cancelled(true).await;
        assert_eq!((import.state, import.counts.inserted, leads), (ImportState::Cancelled, 4_000, 0));
    }
}
