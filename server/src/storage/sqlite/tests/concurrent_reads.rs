//! Tests of concurrent reads: which of them wait, and reads on async threads.

use std::sync::{Arc, Barrier, Mutex, RwLock, mpsc};
use std::thread::available_parallelism;
use std::time::Duration;

use super::{Session, Store, new_sqlite_store, pragma};
use crate::concurrency_limit::run_for_credential;
use crate::storage::sql::Database;

#[test]
fn slow_inline_reads_leave_an_async_thread_free() {
    let threads = available_parallelism().unwrap().get();
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(threads).build().unwrap();
    let (store, _folder) = new_sqlite_store();
    let (store, reads) = (Arc::new(store), threads.min(8));
    // Run concurrently, so that each opens a connection, which stays idle afterwards.
    let barrier = Arc::new(Barrier::new(reads));
    let start_read = |_| {
        let (store, barrier) = (store.clone(), barrier.clone());
        runtime.spawn(async move {
            let work = move |_: &dyn Session| Ok(barrier.wait());
            store.database().point_readers.read(work).await.unwrap();
        })
    };
    let reads_done: Vec<_> = (0..reads).map(start_read).collect();
    reads_done.into_iter().for_each(|task| runtime.block_on(task).unwrap());

    let disk = Arc::new(RwLock::new(()));
    let disk_lock = disk.write().unwrap();
    let (started_sender, started_receiver) = mpsc::channel();
    let start_read = |_| {
        let (store, disk, started_sender) = (store.clone(), disk.clone(), Mutex::new(started_sender.clone()));
        runtime.spawn(async move {
            let work = move |_: &dyn Session| {
                started_sender.lock().unwrap().send(()).unwrap();
                drop(disk.read());
                Ok(())
            };
            store.database().read_point(work).await.unwrap();
        })
    };
    let slow_reads: Vec<_> = (0..reads).map(start_read).collect();
    (0..reads).for_each(|_| started_receiver.recv().unwrap());
    let (result_sender, result_receiver) = mpsc::channel();
    runtime.spawn(async move { result_sender.send(()).unwrap() });
    let result = result_receiver.recv_timeout(Duration::from_secs(30));
    drop(disk_lock);
    slow_reads.into_iter().for_each(|read| runtime.block_on(read).unwrap());
    result.expect("a result that needs no database");
}

#[tokio::test]
async fn small_queries_do_not_wait_for_long_reads() {
    let (store, _folder) = new_sqlite_store();
    let store = Arc::new(store);
    let max = store.database().readers.stats().max;
    let (release_sender, release_receiver) = mpsc::channel::<()>();
    let release_receiver = Arc::new(Mutex::new(release_receiver));
    let start_read = |_| {
        let (store, release_receiver) = (store.clone(), release_receiver.clone());
        tokio::spawn(async move {
            let work = move |_: &dyn Session| {
                let _finished = release_receiver.lock().unwrap().recv();
                Ok(())
            };
            store.database().read(work).await.unwrap();
        })
    };
    let long_reads: Vec<_> = (0..=max).map(start_read).collect();
    while store.database().readers.stats().waiting == 0 {
        tokio::task::yield_now().await;
    }
    // The long reads don't end on their own.
    store.ping().await.unwrap();
    store.database().read_urgent(|_| Ok(())).await.unwrap();
    drop(release_sender);
    for read in long_reads {
        read.await.unwrap();
    }
}

#[tokio::test]
async fn one_credential_leaves_reads_to_others() {
    let (store, _folder) = new_sqlite_store();
    let store = Arc::new(store);
    let max = store.database().readers.stats().max;
    let (release_sender, release_receiver) = mpsc::channel::<()>();
    let release_receiver = Arc::new(Mutex::new(release_receiver));
    let start_read = |_| {
        let (store, release_receiver) = (store.clone(), release_receiver.clone());
        tokio::spawn(run_for_credential("key:1".into(), async move {
            let work = move |_: &dyn Session| {
                let _finished = release_receiver.lock().unwrap().recv();
                Ok(())
            };
            store.database().read(work).await.unwrap();
        }))
    };
    let long_reads: Vec<_> = (0..=max).map(start_read).collect();
    while store.database().readers.stats().waiting < 2 {
        tokio::task::yield_now().await;
    }
    // The long reads don't end on their own.
    run_for_credential("key:2".into(), store.database().read(|_| Ok(()))).await.unwrap();
    drop(release_sender);
    for read in long_reads {
        read.await.unwrap();
    }
}

#[tokio::test]
async fn only_reads_on_blocking_threads_wait_for_locks() {
    let (store, _folder) = new_sqlite_store();
    let timeout = |session: &dyn Session| pragma(session, "busy_timeout");
    assert_eq!(store.database().point_readers.read(timeout).await.unwrap(), 10_000);
    // `None` on a machine with one core.
    if let Some(inline) = store.database().read_inline(timeout) {
        assert_eq!(inline.unwrap(), 0);
    }
    assert_eq!(store.database().point_readers.read(timeout).await.unwrap(), 10_000);
}
