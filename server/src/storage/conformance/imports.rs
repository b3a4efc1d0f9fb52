//! Imports and the rows they refused.

use leadscribe_engine::api::*;
use leadscribe_engine::fault::{Fault, Place};

use super::{ALL, Tested, at, by};
use crate::storage::Slice;

pub async fn imports_are_kept(store: Tested) {
    let mut import = store.create_import(ImportKind::CampaignLeads, "may.csv", &by(0)).await.unwrap();
    assert_eq!((import.state, import.started_at, import.finished_at), (ImportState::Running, at(0), None));
    assert_eq!(store.import(import.id).await.unwrap().as_ref(), Some(&import));

    import.counts = ImportCounts { read: 6, inserted: 2, updated: 1, unchanged: 1, rejected: 2 };
    import.progress = 0.5;
    import.new_statuses = vec!["vip".to_owned()];
    import.columns = vec!["id".to_owned(), "custom.a\"b".to_owned()];
    let fault = Fault::new(Place::Column("lead_id".to_owned()), "unknown_lead", "there is no lead 9")
        .hint("import it first")
        .permitted(["1", "2"]);
    let later = RejectedRow { line: 9, faults: vec![fault.clone(), fault.clone()], row: "9,\"a\nb\"".to_owned() };
    let earlier = RejectedRow { line: 3, faults: vec![fault], row: String::new() };
    store.update_import(&import, &[later.clone(), earlier.clone()]).await.unwrap();
    assert_eq!(store.import(import.id).await.unwrap().as_ref(), Some(&import));

    import.state = ImportState::Completed;
    import.finished_at = Some(at(30));
    store.update_import(&import, &[]).await.unwrap();
    assert_eq!(store.import(import.id).await.unwrap().as_ref(), Some(&import));

    let page = store.rejected_rows(import.id, ALL).await.unwrap();
    assert_eq!((page.items, page.total), (vec![earlier, later.clone()], 2));
    let second = store.rejected_rows(import.id, Slice { count: 1, offset: 1 }).await.unwrap();
    assert_eq!((second.items, second.total), (vec![later], 2));
    assert_eq!(store.rejected_rows(ImportId(99), ALL).await.unwrap().total, 0);
    assert_eq!(store.import(ImportId(99)).await.unwrap(), None);
}

pub async fn running_imports_fail_at_start(store: Tested) {
    let first = store.create_import(ImportKind::Leads, "a.csv", &by(0)).await.unwrap();
    let mut second = store.create_import(ImportKind::Calls, "b.csv", &by(1)).await.unwrap();
    second.state = ImportState::Completed;
    store.update_import(&second, &[]).await.unwrap();
    assert_eq!(store.fail_running_imports("the server stopped", at(60)).await.unwrap(), 1);
    assert_eq!(store.fail_running_imports("the server stopped", at(70)).await.unwrap(), 0);
    let page = store.imports(ALL).await.unwrap();
    assert_eq!(page.items.iter().map(|import| import.id).collect::<Vec<_>>(), [second.id, first.id]);
    let failed = &page.items[1];
    assert_eq!((failed.state, failed.finished_at), (ImportState::Failed, Some(at(60))));
    assert_eq!(failed.error.as_deref(), Some("the server stopped"));
}
