//! Cancels running imports. The request is stored, because another process may run the import, and is checked before each
//! batch. Rows that were already written stay and can be undone.

use std::sync::Arc;

use leadscribe_engine::api::{Import, ImportId};

use super::retry::with_retries;
use crate::service::app::App;
use crate::service::error::{Result, ServiceError};
use crate::storage::AuditContext;

/// Requests cancellation of an import and returns its current state.
///
/// # Errors
/// The import doesn't exist or has ended; or storage failed.
pub async fn request(app: &App, id: ImportId, audit: &AuditContext) -> Result<Import> {
    app.store.cancel_import(id, audit).await?.ok_or(ServiceError::NotFound("import"))
}

/// Returns whether cancellation of an import was requested.
pub(super) async fn is_requested(app: &Arc<App>, id: ImportId) -> Result<bool> {
    let import = with_retries(app, || app.store.import(id)).await?;
    Ok(import.is_some_and(|import| import.cancel_requested_at.is_some()))
}

#[cfg(test)]
mod tests {
    use std::io::Cursor;
    use std::sync::mpsc;

    use leadscribe_engine::api::{ImportCounts, ImportKind, ImportState, ImportUndoState};

    use super::super::{ImportOptions, ImportProgress, run, start};
    use super::*;
    use crate::storage::NewImport;
    use crate::worker::testing::{TestInstallation, audit_context};

    /// Imports 5,000 leads in batches of 2,000 and cancels after the second batch. Returns the ended import and the number
    /// of inserted leads.
    async fn run_and_cancel(dry_run: bool) -> (Import, u64) {
        let (_installation, app) = TestInstallation::with_app(|_| {});
        let new = NewImport { is_dry_run: dry_run, is_undoable: true, ..NewImport::new(ImportKind::Leads, "") };
        let import = start(&app, &new, &audit_context(&app)).await.unwrap();
        let id = import.id;
        let rows: String = (0..5_000).map(|row| format!("key-{row}\n")).collect();
        let (release, wait_for_release) = mpsc::channel();
        let file = Cursor::new(format!("original_identifier\n{rows}"));
        let (second_batch_sender, mut second_batch) = tokio::sync::mpsc::unbounded_channel();
        let worker = app.clone();
        let import_task = tokio::spawn(async move {
            let audit = audit_context(&worker);
            let wait_after_second = move |progress: ImportProgress<'_>| {
                if let ImportProgress::BatchWritten(Import {
                    counts: ImportCounts { read: 4_000, .. },
                    state: ImportState::Running,
                    ..
                }) = progress
                {
                    second_batch_sender.send(()).unwrap();
                    wait_for_release.recv().unwrap();
                }
            };
            run(&worker, import, file, None, ImportOptions::default(), wait_after_second, &audit).await
        });
        second_batch.recv().await.unwrap();
        let cancelling = request(&app, id, &audit_context(&app)).await.unwrap();
        assert_eq!((cancelling.state, cancelling.cancel_requested_at.is_some()), (ImportState::Running, true));
        release.send(()).unwrap();
        let ended = import_task.await.unwrap().unwrap();
        assert_eq!(app.store.import(id).await.unwrap().unwrap().error, ended.error);
        let leads = app.store.import(id).await.unwrap().unwrap().undo.map_or(0, |undo| undo.to_delete);
        assert!(request(&app, id, &audit_context(&app)).await.is_err(), "the import has ended");
        (ended, leads)
    }

    #[tokio::test(flavor = "multi_thread", worker_threads = 2)]
    async fn cancelled_import_stops_between_batches() {
        let (import, leads) = run_and_cancel(false).await;
        assert_eq!((import.state, import.counts.inserted, leads), (ImportState::Cancelled, 4_000, 4_000));
        assert_eq!(import.error, None);
        assert_eq!(import.undo.unwrap().state, ImportUndoState::Possible);
    }

    #[tokio::test(flavor = "multi_thread", worker_threads = 2)]
    async fn cancelled_dry_run_stops_between_batches() {
        let (import, leads) = run_and_cancel(true).await;
        assert_eq!((import.state, import.counts.inserted, leads), (ImportState::Cancelled, 4_000, 0));
    }
}
