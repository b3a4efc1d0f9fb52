//! Tests of compaction and of dropping the index.

use std::sync::mpsc;
use std::thread;
use std::time::Duration;

use chrono::DateTime;
use leadscribe_engine::filter::{self, Limits};
use tempfile::TempDir;

use super::*;
use crate::storage::StoreError;
use crate::storage::sql::binds;
use crate::storage::sqlite::Sqlite;

/// Timeout for steps whose duration isn't tested.
const TIMEOUT: Duration = Duration::from_secs(60);

/// Number of out-of-order leads after which an index needs compaction.
const COMPACTION_THRESHOLD: i64 = 10_100;

fn database() -> (Sqlite, TempDir) {
    let folder = tempfile::tempdir().unwrap();
    (Sqlite::open(&folder.path().join("leadscribe.db")).unwrap(), folder)
}

/// Adds leads with these ids.
async fn add_leads(database: &Sqlite, first: i64, last: i64) {
    let inserted = database.write::<_, StoreError>(move |session| {
        session.execute(
            "WITH RECURSIVE n (id) AS (SELECT ?1 UNION ALL SELECT id + 1 FROM n WHERE id < ?2)
             INSERT INTO leads (id, do_not_call, blacklisted, custom_fields, created_at, updated_at, global_updated_at)
             SELECT id, 0, 0, '{}', id, id, id FROM n",
            &binds![first, last],
        )
    });
    inserted.await.unwrap();
}

fn now() -> Timestamp {
    DateTime::from_timestamp(1_777_627_800, 0).unwrap()
}

/// Total, and the ids of a page in the middle; `None` if the lookup would have to use SQL.
async fn look_up_page(database: &Sqlite, index: &Arc<IndexCache>) -> Option<(u64, Vec<i64>)> {
    let filter = filter::parse_and_check(r#"{"limit":"2;10099"}"#, &Limits::default()).unwrap();
    let page = look_up(database, index, &filter, now()).await.unwrap()?;
    Some((page.total, page.leads.iter().map(|lead| lead.lead.id().0).collect()))
}

#[tokio::test(flavor = "multi_thread")]
async fn compacted_index_keeps_following_changes() {
    let (database, _guard) = database();
    let (database, index) = (Arc::new(database), Arc::<IndexCache>::default());
    add_leads(&database, 20_001, 20_010).await;
    rebuild(&*database, &index).await.unwrap();
    add_leads(&database, 1, COMPACTION_THRESHOLD).await;
    assert!(update_index(&*database, &index).await.unwrap());
    assert!(index.needs_compaction());
    let expected = (10_110, vec![10_100, 20_001]);
    assert_eq!(look_up_page(&database, &index).await, Some(expected));

    let (index_handle, database_handle) = (Arc::clone(&index), Arc::clone(&database));
    let maintenance = tokio::spawn(async move { update_periodically(&*database_handle, &index_handle).await });
    let compaction = async {
        while index.needs_compaction() || index.is_compacting.load(Ordering::Relaxed) {
            assert!(index.is_built(), "the index stays available during compaction");
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
    };
    tokio::time::timeout(TIMEOUT, compaction).await.expect("compaction finishes");
    assert_eq!(look_up_page(&database, &index).await, Some((10_110, vec![10_100, 20_001])));
    add_leads(&database, 15_000, 15_000).await;
    assert_eq!(look_up_page(&database, &index).await, Some((10_111, vec![10_100, 15_000])));
    maintenance.abort();
}

#[tokio::test(flavor = "multi_thread")]
async fn compaction_loses_no_change() {
    let (database, _guard) = database();
    let (database, index) = (Arc::new(database), Arc::<IndexCache>::default());
    add_leads(&database, 20_001, 20_010).await;
    rebuild(&*database, &index).await.unwrap();
    let write = async {
        for id in (1..=200).rev() {
            add_leads(&database, id, id).await;
            let page = look_up_page(&database, &index).await;
            assert!(page.is_none_or(|(total, _)| total == 211 - u64::try_from(id).unwrap()), "after {id}");
        }
    };
    let compact = async {
        for _ in 0..50 {
            compact_index(&index).await;
            tokio::task::yield_now().await;
        }
    };
    tokio::join!(write, compact);
    assert_eq!(look_up_page(&database, &index).await.unwrap().0, 210);
}

#[tokio::test]
async fn waiting_for_an_index_update_blocks_no_other_query() {
    let (database, _guard) = database();
    let index = Arc::<IndexCache>::default();
    add_leads(&database, 1, 3).await;
    rebuild(&database, &index).await.unwrap();
    let (started_sender, started_receiver) = mpsc::channel();
    let (end_sender, end_receiver) = mpsc::channel::<()>();
    let (reader_index, writer_index) = (Arc::clone(&index), Arc::clone(&index));
    let reader = thread::spawn(move || {
        let _guard = reader_index.read();
        started_sender.send(()).unwrap();
        let _ = end_receiver.recv_timeout(TIMEOUT);
    });
    started_receiver.recv().unwrap();
    let writer = thread::spawn(move || drop(writer_index.index.write()));
    while index.try_read().is_some() {
        tokio::time::sleep(Duration::from_millis(1)).await;
    }

    // Runs on the only thread of this test.
    let mut lookup = Box::pin(look_up_page(&database, &index));
    let result = tokio::time::timeout(Duration::from_millis(20), &mut lookup).await;
    assert!(result.is_err(), "the lookup yields to other tasks");
    drop(end_sender);
    assert_eq!(lookup.await, Some((3, vec![])));
    reader.join().unwrap();
    writer.join().unwrap();
}

#[tokio::test]
async fn short_lookups_overtake_costly_ones_after_a_change() {
    let (database, _guard) = database();
    let index = Arc::<IndexCache>::default();
    add_leads(&database, 1, 3).await;
    rebuild(&database, &index).await.unwrap();
    let (end_slow_sender, end_slow_receiver) = mpsc::channel::<()>();
    let end_slow_receiver = Arc::new(Mutex::new(end_slow_receiver));
    let slow_lookups = (0..core_count()).map(|_| {
        let end_receiver = Arc::clone(&end_slow_receiver);
        tokio::spawn(SLOW_LOOKUP_POOL.run(move || end_receiver.lock().unwrap().recv_timeout(TIMEOUT)))
    });
    let slow_lookups: Vec<_> = slow_lookups.collect();
    let state = database.read(|session| change_log::current_state(session)).await.unwrap();
    let (started_sender, started_receiver) = mpsc::channel();
    let (end_change_sender, end_change_receiver) = mpsc::channel::<()>();
    let index_handle = Arc::clone(&index);
    let change = thread::spawn(move || {
        index_handle.apply_change(state, |_| {
            started_sender.send(()).unwrap();
            let _ = end_change_receiver.recv_timeout(TIMEOUT);
        })
    });
    started_receiver.recv().unwrap();

    let mut lookup = Box::pin(look_up_page(&database, &index));
    assert!(tokio::time::timeout(Duration::from_millis(20), &mut lookup).await.is_err());
    drop(end_change_sender);
    assert_eq!(lookup.await, Some((3, vec![])));
    assert!(slow_lookups.iter().all(|slow_lookup| !slow_lookup.is_finished()));
    assert!(change.join().unwrap());
    drop(end_slow_sender);
}

#[tokio::test]
async fn changes_do_not_wait_for_costly_lookups() {
    let (database, _guard) = database();
    let index = Arc::<IndexCache>::default();
    add_leads(&database, 1, 3).await;
    rebuild(&database, &index).await.unwrap();
    let filter = filter::parse_and_check(r#"{"limit":"9;0"}"#, &Limits::default()).unwrap();
    let (started_sender, started_receiver) = tokio::sync::oneshot::channel();
    let (end_sender, end_receiver) = mpsc::channel::<()>();
    let costly_index = Arc::clone(&index);
    let costly = tokio::spawn(async move {
        let look_up_in_two_steps = move |index: &LeadIndex| {
            let total = query_index(index, &filter, now()).total;
            started_sender.send(()).unwrap();
            end_receiver.recv_timeout(TIMEOUT).unwrap();
            let result = query_index(index, &filter, now());
            (total, result.total, result.leads.len())
        };
        query_on_slow_pool(&costly_index, look_up_in_two_steps).await
    });
    started_receiver.await.unwrap();

    add_leads(&database, 4, 4).await;
    let short = tokio::time::timeout(TIMEOUT, look_up_page(&database, &index)).await.expect("the change is applied");
    assert_eq!(short, Some((4, vec![])));
    assert!(!costly.is_finished());
    end_sender.send(()).unwrap();
    assert_eq!(costly.await.unwrap().unwrap(), Some((3, 3, 3)), "the result reflects one state");
}

#[tokio::test]
async fn waiting_lookups_hold_no_connection() {
    let (database, _guard) = database();
    let (database, index) = (Arc::new(database), Arc::<IndexCache>::default());
    add_leads(&database, 1, 3).await;
    rebuild(&*database, &index).await.unwrap();
    add_leads(&database, 4, 4).await;
    let guard = Arc::clone(&index.update_lock).lock_owned().await;
    let lookups = (0..100).map(|_| {
        let (database, index) = (Arc::clone(&database), Arc::clone(&index));
        tokio::spawn(async move { look_up_page(&database, &index).await })
    });
    let lookups: Vec<_> = lookups.collect();
    tokio::time::timeout(TIMEOUT, database.read(|session| change_log::current_state(session))).await.unwrap().unwrap();
    assert!(lookups.iter().all(|lookup| !lookup.is_finished()));
    drop(guard);
    for lookup in lookups {
        assert_eq!(lookup.await.unwrap(), Some((4, vec![])));
    }
}

#[tokio::test]
async fn index_and_sql_are_used_during_compaction() {
    let (database, _guard) = database();
    let index = Arc::<IndexCache>::default();
    add_leads(&database, 1, 3).await;
    rebuild(&database, &index).await.unwrap();
    index.is_compacting.store(true, Ordering::Relaxed);
    assert_eq!(look_up_page(&database, &index).await, Some((3, vec![])));
    add_leads(&database, 4, 4).await;
    assert_eq!(look_up_page(&database, &index).await, None, "a result without the fourth lead would be wrong");
    index.is_compacting.store(false, Ordering::Relaxed);
    assert_eq!(look_up_page(&database, &index).await, Some((4, vec![])));
}

#[tokio::test]
async fn panicking_change_drops_the_index() {
    let (database, _guard) = database();
    let index = Arc::<IndexCache>::default();
    add_leads(&database, 1, 3).await;
    rebuild(&database, &index).await.unwrap();
    let state = database.read(|session| change_log::current_state(session)).await.unwrap();
    let succeeded = index.apply_change(state, |index| {
        index.apply(LeadId(1), None);
        panic!("on purpose");
    });
    assert!(!succeeded);
    assert_eq!(look_up_page(&database, &index).await, None, "the lookup uses SQL");
    rebuild(&database, &index).await.unwrap();
    assert_eq!(look_up_page(&database, &index).await, Some((3, vec![])));
}

#[tokio::test]
async fn purged_unseen_changes_drop_the_index() {
    let (database, _guard) = database();
    let index = Arc::<IndexCache>::default();
    rebuild(&database, &index).await.unwrap();
    add_leads(&database, 1, 3).await;
    let purge = |session: &dyn Session| {
        session.execute("UPDATE change_log SET purged_id = (SELECT max(id) FROM changes)", &[])?;
        session.execute("DELETE FROM changes", &[])
    };
    database.write::<_, StoreError>(purge).await.unwrap();
    assert_eq!(look_up_page(&database, &index).await, None, "the lookup uses SQL");
}

#[tokio::test]
async fn reverted_state_drops_the_index() {
    let (database, _guard) = database();
    let index = Arc::<IndexCache>::default();
    add_leads(&database, 1, 3).await;
    rebuild(&database, &index).await.unwrap();
    database.write::<_, StoreError>(|session| session.execute("DELETE FROM changes", &[])).await.unwrap();
    assert_eq!(look_up_page(&database, &index).await, None, "the lookup uses SQL");
    rebuild(&database, &index).await.unwrap();
    assert_eq!(look_up_page(&database, &index).await, Some((3, vec![])));
}
