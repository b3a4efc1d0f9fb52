//! Clients that disconnect, and clients that start many imports.

use bytes::Bytes;
use futures::stream;
use leadscribe_engine::api::{ImportKind, ImportState, ImportUndoState};
use tokio::time::timeout;

use super::*;
use crate::storage::{ImportQuery, Slice};
use crate::worker::testing::{TestInstallation, audit_context, drop_after_polls, run_with_one_blocking_thread};

const FIRST_100: Slice = Slice { count: 100, offset: 0 };

fn new_lead_import() -> NewImport {
    NewImport { is_undoable: true, ..NewImport::new(ImportKind::Leads, "leads.csv") }
}

/// Two batches of leads.
fn lead_file() -> impl Stream<Item = Result<Bytes, ServiceError>> {
    lead_file_with(2_500)
}

fn lead_file_with(rows: u32) -> impl Stream<Item = Result<Bytes, ServiceError>> {
    let rows: String = (0..rows).map(|row| format!("key-{row}\n")).collect();
    stream::iter([Ok(format!("original_identifier\n{rows}").into())])
}

async fn list_imports(app: &App) -> Vec<Import> {
    app.store.imports(&ImportQuery::default(), FIRST_100).await.unwrap().items
}

#[test]
fn abandoned_imports_finish_or_never_begin() {
    run_with_one_blocking_thread(async {
        let mut started = 0;
        for polls in 1.. {
            let (_installation, app) = TestInstallation::with_app(|_| {});
            let response = receive(&app, new_lead_import(), ImportOptions::default(), lead_file(), audit_context(&app));
            let has_response = drop_after_polls(polls, response).await.is_ok();
            assert!(app.background.finish(Duration::from_secs(60)).await);
            for import in list_imports(&app).await {
                started += 1;
                assert_eq!((import.state, import.counts.inserted), (ImportState::Completed, 2_500), "{polls}");
            }
            if has_response {
                break;
            }
        }
        assert!(started > 1, "abandoned requests count too");
    });
}

#[test]
fn abandoned_undos_finish_or_never_begin() {
    run_with_one_blocking_thread(async {
        let mut completed = 0;
        for polls in 1.. {
            let (_installation, app) = TestInstallation::with_app(|_| {});
            let id = receive(&app, new_lead_import(), ImportOptions::default(), lead_file(), audit_context(&app))
                .await
                .unwrap()
                .id;
            assert!(app.background.finish(Duration::from_secs(60)).await);
            let has_response = drop_after_polls(polls, undo::begin(&app, id, &audit_context(&app))).await.is_ok();
            assert!(app.background.finish(Duration::from_secs(60)).await);
            let undo = read(&app, id).await.unwrap().undo.unwrap();
            match undo.state {
                ImportUndoState::Possible => assert!(!has_response),
                state => assert_eq!((state, undo.deleted), (ImportUndoState::Completed, 2_500), "{polls}"),
            }
            completed += u32::from(undo.state == ImportUndoState::Completed);
            if has_response {
                break;
            }
        }
        assert!(completed > 1, "abandoned requests count too");
    });
}

#[test]
fn imports_leave_blocking_threads_to_the_database() {
    run_with_one_blocking_thread(async {
        let (_installation, app) = TestInstallation::with_app(|_| {});
        let new = NewImport { is_dry_run: true, ..new_lead_import() };
        // More batches than fit between the reader and the database.
        let id =
            receive(&app, new, ImportOptions::default(), lead_file_with(12_000), audit_context(&app)).await.unwrap().id;
        assert!(app.background.finish(Duration::from_secs(60)).await);
        assert_eq!(read(&app, id).await.unwrap().counts.inserted, 12_000);
    });
}

#[tokio::test(start_paused = true)]
async fn concurrent_imports_are_limited_per_credential() {
    let (_installation, app) = TestInstallation::with_app(|_| {});
    let receive = |actor: &str| {
        let audit = AuditContext { actor: actor.to_owned(), ..audit_context(&app) };
        let endless_body = stream::pending::<Result<Bytes, ServiceError>>();
        Box::pin(receive(&app, new_lead_import(), ImportOptions::default(), endless_body, audit))
    };
    let mut own_imports: Vec<_> = (0..MAX_CONCURRENT_IMPORTS_PER_CREDENTIAL).map(|_| receive("api_key:1")).collect();
    for import in &mut own_imports {
        assert!(futures::poll!(import).is_pending());
    }
    let result = timeout(START_TIMEOUT * 2, receive("api_key:1")).await.expect("refused");
    assert!(matches!(result, Err(ServiceError::TooManyImports)), "{result:?}");
    let mut other_import = receive("api_key:2");
    assert!(futures::poll!(&mut other_import).is_pending());
    assert!(app.import_limit.try_acquire("api_key:3").is_some(), "the import waits for its file, not for a permit");
    drop(own_imports);
    assert!(app.import_limit.try_acquire("api_key:1").is_some());
}
