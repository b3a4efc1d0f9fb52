//! Clients that disconnect, and clients that start many imports.

use bytes::Bytes;
use futures::stream;
use leadscribe_engine::api::{ImportKind, ImportState, ImportUndoState};
use tokio::time::timeout;

use super::*;
use crate::speech::Provider;
use crate::storage::{ImportQuery, Slice};
use crate::worker::testing::{Data, abandon_after, by, on_two_threads};

const ALL: Slice = Slice { count: 100, offset: 0 };

fn of_leads() -> NewImport {
    NewImport { undoable: true, ..NewImport::new(ImportKind::Leads, "leads.csv") }
}

/// Two batches of leads.
fn file() -> impl Stream<Item = Result<Bytes, ServiceError>> {
    file_of(2_500)
}

fn file_of(rows: u32) -> impl Stream<Item = Result<Bytes, ServiceError>> {
    let rows: String = (0..rows).map(|row| format!("key-{row}\n")).collect();
    stream::iter([Ok(format!("original_identifier\n{rows}").into())])
}

async fn imports(app: &App) -> Vec<Import> {
    app.store.imports(&ImportQuery::default(), ALL).await.unwrap().items
}

#[test]
fn abandoned_imports_finish_or_never_begin() {
    on_two_threads(async {
        let mut begun = 0;
        for polls in 1.. {
            let data = Data::empty(|_| {});
            let app = data.process(Provider::off());
            let received = receive(&app, of_leads(), Given::default(), file(), by(&app));
            let is_answered = abandon_after(polls, received).await.is_ok();
            assert!(app.background.finish(Duration::from_secs(60)).await);
            for import in imports(&app).await {
                begun += 1;
                assert_eq!((import.state, import.counts.inserted), (ImportState::Completed, 2_500), "{polls}");
            }
            if is_answered {
                break;
            }
        }
        assert!(begun > 1, "also by a client that was gone");
    });
}

#[test]
fn abandoned_undos_finish_or_never_begin() {
    on_two_threads(async {
        let mut undone = 0;
        for polls in 1.. {
            let data = Data::empty(|_| {});
            let app = data.process(Provider::off());
            let id = receive(&app, of_leads(), Given::default(), file(), by(&app)).await.unwrap().id;
            assert!(app.background.finish(Duration::from_secs(60)).await);
            let is_answered = abandon_after(polls, undo::begin(&app, id, &by(&app))).await.is_ok();
            assert!(app.background.finish(Duration::from_secs(60)).await);
            let undo = read(&app, id).await.unwrap().undo.unwrap();
            match undo.state {
                ImportUndoState::Possible => assert!(!is_answered),
                state => assert_eq!((state, undo.deleted), (ImportUndoState::Completed, 2_500), "{polls}"),
            }
            undone += u32::from(undo.state == ImportUndoState::Completed);
            if is_answered {
                break;
            }
        }
        assert!(undone > 1, "also by a client that was gone");
    });
}

#[test]
fn imports_leave_blocking_threads_to_the_database() {
    on_two_threads(async {
        let data = Data::empty(|_| {});
        let app = data.process(Provider::off());
        let new = NewImport { dry_run: true, ..of_leads() };
        // More batches than fit between the reader and the database.
        let id = receive(&app, new, Given::default(), file_of(12_000), by(&app)).await.unwrap().id;
        assert!(app.background.finish(Duration::from_secs(60)).await);
        assert_eq!(read(&app, id).await.unwrap().counts.inserted, 12_000);
    });
}

#[tokio::test(start_paused = true)]
async fn concurrent_imports_are_limited_per_credential() {
    let data = Data::empty(|_| {});
    let app = data.process(Provider::off());
    let receive = |actor: &str| {
        let by = Origin { actor: actor.to_owned(), ..by(&app) };
        let never = stream::pending::<Result<Bytes, ServiceError>>();
        Box::pin(receive(&app, of_leads(), Given::default(), never, by))
    };
    let mut own: Vec<_> = (0..MAX_OWN_IMPORTS).map(|_| receive("api_key:1")).collect();
    for import in &mut own {
        assert!(futures::poll!(import).is_pending());
    }
    let refused = timeout(PATIENCE * 2, receive("api_key:1")).await.expect("refused");
    assert!(matches!(refused, Err(ServiceError::TooManyImports)), "{refused:?}");
    let mut other = receive("api_key:2");
    assert!(futures::poll!(&mut other).is_pending());
    assert!(app.imports.take("api_key:3").is_some(), "it waits for its file, and not for a place");
    drop(own);
    assert!(app.imports.take("api_key:1").is_some());
}
