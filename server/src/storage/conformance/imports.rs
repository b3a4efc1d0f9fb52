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
    store.update_import(&import, &[later.clone(), earlier.clone()], at(10)).await.unwrap();
    assert_eq!(store.import(import.id).await.unwrap().as_ref(), Some(&import));

    import.state = ImportState::Completed;
    import.finished_at = Some(at(30));
    store.update_import(&import, &[], at(30)).await.unwrap();
    assert_eq!(store.import(import.id).await.unwrap().as_ref(), Some(&import));

    let page = store.rejected_rows(import.id, ALL).await.unwrap();
    assert_eq!((page.items, page.total), (vec![earlier, later.clone()], 2));
    let second = store.rejected_rows(import.id, Slice { count: 1, offset: 1 }).await.unwrap();
    assert_eq!((second.items, second.total), (vec![later], 2));
    assert_eq!(store.rejected_rows(ImportId(99), ALL).await.unwrap().total, 0);
    assert_eq!(store.import(ImportId(99)).await.unwrap(), None);
}

pub async fn bytes_that_no_database_takes_are_shown_by_a_sign(store: Tested) {
    let mut import = store.create_import(ImportKind::Leads, "may.csv", &by(0)).await.unwrap();
    import.error = Some("unexpected \0".to_owned());
    let row = RejectedRow { line: 2, faults: Vec::new(), row: "a\0b".to_owned() };
    store.update_import(&import, &[row], at(1)).await.unwrap();
    assert_eq!(store.import(import.id).await.unwrap().unwrap().error.as_deref(), Some("unexpected \u{2400}"));
    assert_eq!(store.rejected_rows(import.id, ALL).await.unwrap().items[0].row, "a\u{2400}b");
}

pub async fn lost_imports_fail(store: Tested) {
    let mut noted = store.create_import(ImportKind::Leads, "a.csv", &by(0)).await.unwrap();
    let silent = store.create_import(ImportKind::Leads, "b.csv", &by(0)).await.unwrap();
    let mut ended = store.create_import(ImportKind::Calls, "c.csv", &by(0)).await.unwrap();
    noted.progress = 0.5;
    store.update_import(&noted, &[], at(30)).await.unwrap();
    ended.state = ImportState::Completed;
    store.update_import(&ended, &[], at(1)).await.unwrap();

    let fail = async |silent_since, now| store.fail_lost_imports("stopped", at(silent_since), at(now)).await.unwrap();
    assert_eq!(fail(-1, 20).await, 0);
    assert_eq!(fail(29, 60).await, 1);
    assert_eq!(fail(29, 70).await, 0);
    let lost =
        Import { state: ImportState::Failed, finished_at: Some(at(60)), error: Some("stopped".to_owned()), ..silent };
    assert_eq!(store.imports(ALL).await.unwrap().items, [ended, lost, noted.clone()]);

    // It was only slow.
    assert_eq!(fail(30, 80).await, 1);
    noted.progress = 0.6;
    store.update_import(&noted, &[], at(90)).await.unwrap();
    assert_eq!(store.import(noted.id).await.unwrap(), Some(noted));
}
