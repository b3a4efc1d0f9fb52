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
const PATIENCE: Duration = Duration::from_secs(60);

/// Number of out-of-order leads that makes an index want a rebuild.
const MANY: i64 = 10_100;

fn database() -> (Sqlite, TempDir) {
    let folder = tempfile::tempdir().unwrap();
    (Sqlite::open(&folder.path().join("leadscribe.db")).unwrap(), folder)
}

/// Adds leads with these ids.
async fn add(database: &Sqlite, first: i64, last: i64) {
    let written = database.write::<_, StoreError>(move |session| {
        session.execute(
            "WITH RECURSIVE n (id) AS (SELECT ?1 UNION ALL SELECT id + 1 FROM n WHERE id < ?2)
             INSERT INTO leads (id, do_not_call, blacklisted, custom_fields, created_at, updated_at, global_updated_at)
             SELECT id, 0, 0, '{}', id, id, id FROM n",
            &binds![first, last],
        )
    });
    written.await.unwrap();
}

fn now() -> Timestamp {
    DateTime::from_timestamp(1_777_627_800, 0).unwrap()
}

/// Total, and the ids of a page in the middle; `None` if SQL would have to answer.
async fn look(database: &Sqlite, index: &Arc<KeptIndex>) -> Option<(u64, Vec<i64>)> {
    let filter = filter::read(r#"{"limit":"2;10099"}"#, &Limits::default()).unwrap();
    let found = look_up(database, index, &filter, now()).await.unwrap()?;
    Some((found.total, found.leads.iter().map(|found| found.lead.id().0).collect()))
}

#[tokio::test(flavor = "multi_thread")]
async fn compacted_index_keeps_following_changes() {
    let (database, _alive) = database();
    let (database, index) = (Arc::new(database), Arc::<KeptIndex>::default());
    add(&database, 20_001, 20_010).await;
    rebuild(&*database, &index).await.unwrap();
    add(&database, 1, MANY).await;
    assert!(follow(&*database, &index).await.unwrap());
    assert!(index.wants_rebuild());
    let expected = (10_110, vec![10_100, 20_001]);
    assert_eq!(look(&database, &index).await, Some(expected));

    let (kept, of) = (Arc::clone(&index), Arc::clone(&database));
    let keeping = tokio::spawn(async move { keep_up(&*of, &kept).await });
    let in_order = async {
        while index.wants_rebuild() || index.in_repair.load(Ordering::Relaxed) {
            assert!(index.is_there(), "nobody is sent to SQL for want of an index");
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
    };
    tokio::time::timeout(PATIENCE, in_order).await.expect("the index is put in order");
    assert_eq!(look(&database, &index).await, Some((10_110, vec![10_100, 20_001])));
    add(&database, 15_000, 15_000).await;
    assert_eq!(look(&database, &index).await, Some((10_111, vec![10_100, 15_000])));
    keeping.abort();
}

#[tokio::test(flavor = "multi_thread")]
async fn compaction_loses_no_change() {
    let (database, _alive) = database();
    let (database, index) = (Arc::new(database), Arc::<KeptIndex>::default());
    add(&database, 20_001, 20_010).await;
    rebuild(&*database, &index).await.unwrap();
    let writing = async {
        for id in (1..=200).rev() {
            add(&database, id, id).await;
            let found = look(&database, &index).await;
            assert!(found.is_none_or(|(total, _)| total == 211 - u64::try_from(id).unwrap()), "after {id}");
        }
    };
    let repairing = async {
        for _ in 0..50 {
            put_in_order(&index).await;
            tokio::task::yield_now().await;
        }
    };
    tokio::join!(writing, repairing);
    assert_eq!(look(&database, &index).await.unwrap().0, 210);
}

#[tokio::test]
async fn waiting_for_an_index_update_blocks_no_other_query() {
    let (database, _alive) = database();
    let index = Arc::<KeptIndex>::default();
    add(&database, 1, 3).await;
    rebuild(&database, &index).await.unwrap();
    let (begun, has_begun) = mpsc::channel();
    let (end, ends) = mpsc::channel::<()>();
    let (read, written) = (Arc::clone(&index), Arc::clone(&index));
    let reader = thread::spawn(move || {
        let _reading = read.read();
        begun.send(()).unwrap();
        let _ = ends.recv_timeout(PATIENCE);
    });
    has_begun.recv().unwrap();
    let writer = thread::spawn(move || drop(written.index.write()));
    while index.try_read().is_some() {
        tokio::time::sleep(Duration::from_millis(1)).await;
    }

    // Runs on the only thread of this test.
    let mut looking = Box::pin(look(&database, &index));
    let waits = tokio::time::timeout(Duration::from_millis(20), &mut looking).await;
    assert!(waits.is_err(), "the thread went on to what else there is");
    drop(end);
    assert_eq!(looking.await, Some((3, vec![])));
    reader.join().unwrap();
    writer.join().unwrap();
}

#[tokio::test]
async fn short_look_ups_overtake_costly_ones_after_a_change() {
    let (database, _alive) = database();
    let index = Arc::<KeptIndex>::default();
    add(&database, 1, 3).await;
    rebuild(&database, &index).await.unwrap();
    let (end_costly, costly_ends) = mpsc::channel::<()>();
    let costly_ends = Arc::new(Mutex::new(costly_ends));
    let costly = (0..cores()).map(|_| {
        let ends = Arc::clone(&costly_ends);
        tokio::spawn(COSTLY.run(move || ends.lock().unwrap().recv_timeout(PATIENCE)))
    });
    let costly: Vec<_> = costly.collect();
    let state = database.read(|session| lead_changes::state(session)).await.unwrap();
    let (begun, has_begun) = mpsc::channel();
    let (end_change, change_ends) = mpsc::channel::<()>();
    let changed = Arc::clone(&index);
    let change = thread::spawn(move || {
        changed.change(state, |_| {
            begun.send(()).unwrap();
            let _ = change_ends.recv_timeout(PATIENCE);
        })
    });
    has_begun.recv().unwrap();

    let mut looking = Box::pin(look(&database, &index));
    assert!(tokio::time::timeout(Duration::from_millis(20), &mut looking).await.is_err());
    drop(end_change);
    assert_eq!(looking.await, Some((3, vec![])));
    assert!(costly.iter().all(|costly| !costly.is_finished()));
    assert!(change.join().unwrap());
    drop(end_costly);
}

#[tokio::test]
async fn changes_do_not_wait_for_costly_look_ups() {
    let (database, _alive) = database();
    let index = Arc::<KeptIndex>::default();
    add(&database, 1, 3).await;
    rebuild(&database, &index).await.unwrap();
    let filter = filter::read(r#"{"limit":"9;0"}"#, &Limits::default()).unwrap();
    let (begun, has_begun) = tokio::sync::oneshot::channel();
    let (finish, finishes) = mpsc::channel::<()>();
    let costly_index = Arc::clone(&index);
    let costly = tokio::spawn(async move {
        let look_up_in_two_steps = move |index: &LeadIndex| {
            let total = found(index, &filter, now()).total;
            begun.send(()).unwrap();
            finishes.recv_timeout(PATIENCE).unwrap();
            let found = found(index, &filter, now());
            (total, found.total, found.leads.len())
        };
        look_up_behind(&costly_index, look_up_in_two_steps).await
    });
    has_begun.await.unwrap();

    add(&database, 4, 4).await;
    let short = tokio::time::timeout(PATIENCE, look(&database, &index)).await.expect("the change is applied");
    assert_eq!(short, Some((4, vec![])));
    assert!(!costly.is_finished());
    finish.send(()).unwrap();
    assert_eq!(costly.await.unwrap().unwrap(), Some((3, 3, 3)), "the answer is of one state");
}

#[tokio::test]
async fn waiting_look_ups_hold_no_connection() {
    let (database, _alive) = database();
    let (database, index) = (Arc::new(database), Arc::<KeptIndex>::default());
    add(&database, 1, 3).await;
    rebuild(&*database, &index).await.unwrap();
    add(&database, 4, 4).await;
    let turn = Arc::clone(&index.turn).lock_owned().await;
    let look_ups = (0..100).map(|_| {
        let (database, index) = (Arc::clone(&database), Arc::clone(&index));
        tokio::spawn(async move { look(&database, &index).await })
    });
    let look_ups: Vec<_> = look_ups.collect();
    tokio::time::timeout(PATIENCE, database.read(|session| lead_changes::state(session))).await.unwrap().unwrap();
    assert!(look_ups.iter().all(|look_up| !look_up.is_finished()));
    drop(turn);
    for look_up in look_ups {
        assert_eq!(look_up.await.unwrap(), Some((4, vec![])));
    }
}

#[tokio::test]
async fn index_and_sql_answer_during_compaction() {
    let (database, _alive) = database();
    let index = Arc::<KeptIndex>::default();
    add(&database, 1, 3).await;
    rebuild(&database, &index).await.unwrap();
    index.in_repair.store(true, Ordering::Relaxed);
    assert_eq!(look(&database, &index).await, Some((3, vec![])));
    add(&database, 4, 4).await;
    assert_eq!(look(&database, &index).await, None, "an answer without the fourth lead would be wrong");
    index.in_repair.store(false, Ordering::Relaxed);
    assert_eq!(look(&database, &index).await, Some((4, vec![])));
}

#[tokio::test]
async fn panicking_change_drops_the_index() {
    let (database, _alive) = database();
    let index = Arc::<KeptIndex>::default();
    add(&database, 1, 3).await;
    rebuild(&database, &index).await.unwrap();
    let state = database.read(|session| lead_changes::state(session)).await.unwrap();
    let half_changed = index.change(state, |index| {
        index.apply(LeadId(1), None);
        panic!("on purpose");
    });
    assert!(!half_changed);
    assert_eq!(look(&database, &index).await, None, "SQL answers");
    rebuild(&database, &index).await.unwrap();
    assert_eq!(look(&database, &index).await, Some((3, vec![])));
}

#[tokio::test]
async fn pruned_unseen_changes_drop_the_index() {
    let (database, _alive) = database();
    let index = Arc::<KeptIndex>::default();
    rebuild(&database, &index).await.unwrap();
    add(&database, 1, 3).await;
    let forget = |session: &dyn Session| {
        session.execute("UPDATE lead_changes_pruned SET upto = (SELECT max(seq) FROM lead_changes)", &[])?;
        session.execute("DELETE FROM lead_changes", &[])
    };
    database.write::<_, StoreError>(forget).await.unwrap();
    assert_eq!(look(&database, &index).await, None, "SQL answers");
}

#[tokio::test]
async fn reverted_state_drops_the_index() {
    let (database, _alive) = database();
    let index = Arc::<KeptIndex>::default();
    add(&database, 1, 3).await;
    rebuild(&database, &index).await.unwrap();
    database.write::<_, StoreError>(|session| session.execute("DELETE FROM lead_changes", &[])).await.unwrap();
    assert_eq!(look(&database, &index).await, None, "SQL answers");
    rebuild(&database, &index).await.unwrap();
    assert_eq!(look(&database, &index).await, Some((3, vec![])));
}
