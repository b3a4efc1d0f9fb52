//! Tests of inline reads on async threads: they never occupy all threads and never wait for a lock.

use std::sync::{Arc, Barrier, Mutex, RwLock, mpsc};
use std::thread::available_parallelism;
use std::time::Duration;

use super::{Session, Store, open, pragma};
use crate::storage::sql::Database;

#[test]
fn slow_inline_reads_leave_an_async_thread_free() {
    let threads = available_parallelism().unwrap().get();
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(threads).build().unwrap();
    let (store, _folder) = open();
    let (store, reads) = (Arc::new(store), threads.min(8));
    // Run concurrently, so that each opens a connection, which stays idle afterwards.
    let together = Arc::new(Barrier::new(reads));
    let ask = |_| {
        let (store, together) = (store.clone(), together.clone());
        runtime.spawn(async move {
            let wait = move |_: &dyn Session| Ok(together.wait());
            store.database().askers.read(wait).await.unwrap();
        })
    };
    let opened: Vec<_> = (0..reads).map(ask).collect();
    opened.into_iter().for_each(|asked| runtime.block_on(asked).unwrap());

    let disk = Arc::new(RwLock::new(()));
    let standstill = disk.write().unwrap();
    let (begun, begin) = mpsc::channel();
    let ask = |_| {
        let (store, disk, begun) = (store.clone(), disk.clone(), Mutex::new(begun.clone()));
        runtime.spawn(async move {
            let wait = move |_: &dyn Session| {
                begun.lock().unwrap().send(()).unwrap();
                drop(disk.read());
                Ok(())
            };
            store.database().ask(wait).await.unwrap();
        })
    };
    let slow: Vec<_> = (0..reads).map(ask).collect();
    (0..reads).for_each(|_| begin.recv().unwrap());
    let (answer, answered) = mpsc::channel();
    runtime.spawn(async move { answer.send(()).unwrap() });
    let answered = answered.recv_timeout(Duration::from_secs(30));
    drop(standstill);
    slow.into_iter().for_each(|read| runtime.block_on(read).unwrap());
    answered.expect("an answer that needs no database");
}

#[tokio::test]
async fn small_queries_do_not_wait_for_long_reads() {
    let (store, _folder) = open();
    let store = Arc::new(store);
    let most = store.database().readers.connections().most;
    let (finish, wait) = mpsc::channel::<()>();
    let wait = Arc::new(Mutex::new(wait));
    let read = |_| {
        let (store, wait) = (store.clone(), wait.clone());
        tokio::spawn(async move {
            let work = move |_: &dyn Session| {
                let _finished = wait.lock().unwrap().recv();
                Ok(())
            };
            store.database().read(work).await.unwrap();
        })
    };
    let long: Vec<_> = (0..=most).map(read).collect();
    while store.database().readers.connections().waiting == 0 {
        tokio::task::yield_now().await;
    }
    // The long read would never end.
    store.ping().await.unwrap();
    store.database().read_urgent(|_| Ok(())).await.unwrap();
    drop(finish);
    for read in long {
        read.await.unwrap();
    }
}

#[tokio::test]
async fn only_reads_on_blocking_threads_wait_for_locks() {
    let (store, _folder) = open();
    let timeout = |session: &dyn Session| pragma(session, "busy_timeout");
    assert_eq!(store.database().askers.read(timeout).await.unwrap(), 10_000);
    // `None` on a machine with one core.
    if let Some(inline) = store.database().ask_inline(timeout) {
        assert_eq!(inline.unwrap(), 0);
    }
    assert_eq!(store.database().askers.read(timeout).await.unwrap(), 10_000);
}
