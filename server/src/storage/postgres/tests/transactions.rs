//! Tests of concurrent transactions and of lost connections.

use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};
use std::sync::{Arc, Mutex, mpsc};
use std::time::Duration;

use super::{count_rows, new_database};
use crate::concurrency_limit::run_for_credential;
use crate::storage::postgres::Postgres;
use crate::storage::postgres::testing::TestDatabase;
use crate::storage::sql::{Database, Session, binds};
use crate::storage::{Result, StoreError};

#[tokio::test]
async fn reads_are_read_only_snapshots() {
    let (database, test_database) = new_database();
    let result = database.read(|session| session.execute("DELETE FROM lead_statuses", &[])).await;
    assert!(matches!(result, Err(StoreError::Unavailable(_))), "{result:?}");
    let test_database = Arc::new(test_database);
    let other = Arc::clone(&test_database);
    let counts = database.read(move |session| {
        let before = count_rows(session, "lead_statuses")?;
        other.run("DELETE FROM lead_statuses WHERE name = 'new'");
        Ok((before, count_rows(session, "lead_statuses")?))
    });
    assert_eq!(counts.await.unwrap(), (13, 13));
    assert_eq!(database.read(|session| count_rows(session, "lead_statuses")).await.unwrap(), 12);
}

#[tokio::test]
async fn urgent_reads_and_writes_do_not_wait_for_long_reads() {
    let fresh = TestDatabase::with_schema();
    let database = Arc::new(Postgres::open(&fresh.url(), None, 4).unwrap());
    let (finish, wait) = mpsc::channel::<()>();
    let wait = Arc::new(Mutex::new(wait));
    let start_read = |_| {
        let (database, wait) = (Arc::clone(&database), Arc::clone(&wait));
        tokio::spawn(async move {
            let work = move |_: &dyn Session| {
                let _finished = wait.lock().unwrap().recv();
                Ok(())
            };
            database.read(work).await.unwrap();
        })
    };
    let long: Vec<_> = (0..4).map(start_read).collect();
    while database.connection_stats().waiting == 0 {
        tokio::task::yield_now().await;
    }
    // The long reads don't end on their own.
    database.write(|_| Ok::<_, StoreError>(())).await.unwrap();
    assert_eq!(database.read_point(|session| count_rows(session, "lead_statuses")).await.unwrap(), 13);
    assert_eq!(database.read_urgent(|session| count_rows(session, "lead_statuses")).await.unwrap(), 13);
    drop(finish);
    for read in long {
        read.await.unwrap();
    }
}

#[tokio::test]
async fn one_credential_leaves_reads_to_others() {
    let fresh = TestDatabase::with_schema();
    let database = Arc::new(Postgres::open(&fresh.url(), None, 8).unwrap());
    let (finish, wait) = mpsc::channel::<()>();
    let wait = Arc::new(Mutex::new(wait));
    let start_read = |_| {
        let (database, wait) = (Arc::clone(&database), Arc::clone(&wait));
        tokio::spawn(run_for_credential("key:1".into(), async move {
            let work = move |_: &dyn Session| {
                let _finished = wait.lock().unwrap().recv();
                Ok(())
            };
            database.read(work).await.unwrap();
        }))
    };
    let long: Vec<_> = (0..8).map(start_read).collect();
    while database.connection_stats().waiting == 0 {
        tokio::task::yield_now().await;
    }
    // The long reads don't end on their own.
    let other = database.read(|session| count_rows(session, "lead_statuses"));
    assert_eq!(run_for_credential("key:2".into(), other).await.unwrap(), 13);
    drop(finish);
    for read in long {
        read.await.unwrap();
    }
}

#[tokio::test]
async fn writes_leave_a_connection_to_reads_and_wait_at_most_10_s() {
    let fresh = TestDatabase::with_schema();
    let database = Arc::new(Postgres::open(&fresh.url(), None, 4).unwrap());
    let (finish, wait) = mpsc::channel::<()>();
    let wait = Arc::new(Mutex::new(wait));
    let write = |_| {
        let (database, wait) = (Arc::clone(&database), Arc::clone(&wait));
        tokio::spawn(async move {
            let work = move |_: &dyn Session| {
                let _finished = wait.lock().unwrap().recv();
                Ok::<_, StoreError>(())
            };
            database.write(work).await.unwrap();
        })
    };
    // Writes use at most two of four connections.
    let slow: Vec<_> = (0..2).map(write).collect();
    while database.connection_stats().in_use < 2 {
        tokio::task::yield_now().await;
    }
    let waiting = {
        let database = Arc::clone(&database);
        tokio::spawn(async move { database.write(|_| Ok::<_, StoreError>(())).await })
    };
    while database.connection_stats().waiting == 0 {
        tokio::task::yield_now().await;
    }
    assert_eq!(database.read(|session| count_rows(session, "lead_statuses")).await.unwrap(), 13);
    tokio::time::pause();
    tokio::time::advance(Duration::from_secs(10)).await;
    assert!(matches!(waiting.await.unwrap(), Err(StoreError::Unavailable(_))));
    drop(finish);
    for write in slow {
        write.await.unwrap();
    }
}

#[tokio::test]
async fn a_failed_write_leaves_nothing() {
    let (database, _test_database) = new_database();
    let failed_write = database.write::<(), StoreError>(|session| {
        session.execute("DELETE FROM lead_statuses WHERE name = 'new'", &[])?;
        session.execute("SELECT 1 / 0", &[])?;
        Ok(())
    });
    assert!(matches!(failed_write.await, Err(StoreError::Failed(_))));
    let swallowed = database.write::<(), StoreError>(|session| {
        session.execute("DELETE FROM lead_statuses WHERE name = 'new'", &[])?;
        let _ = session.execute("SELECT 1 / 0", &[]);
        Ok(())
    });
    assert!(matches!(swallowed.await, Err(StoreError::Failed(_))));
    let panicked = database.write::<(), StoreError>(|session| {
        session.execute("DELETE FROM lead_statuses WHERE name = 'new'", &[])?;
        panic!("on purpose")
    });
    assert!(matches!(panicked.await, Err(StoreError::Failed(_))));
    assert_eq!(database.read(|session| count_rows(session, "lead_statuses")).await.unwrap(), 13);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn conflicting_write_is_retried() {
    let (database, _test_database) = new_database();
    let database = Arc::new(database);
    let runs = Arc::new(AtomicU32::new(0));
    let barrier = Arc::new(std::sync::Barrier::new(2));
    let add = |name: &'static str| {
        let (database, runs, barrier) = (Arc::clone(&database), Arc::clone(&runs), Arc::clone(&barrier));
        let is_first_run = AtomicBool::new(true);
        tokio::spawn(async move {
            let write = database.write::<i64, StoreError>(move |session| {
                runs.fetch_add(1, Ordering::Relaxed);
                let position = count_rows(session, "lead_statuses")? + 1;
                if is_first_run.swap(false, Ordering::Relaxed) {
                    barrier.wait();
                }
                session.execute("INSERT INTO lead_statuses VALUES (?1, ?1, TRUE, ?2)", &binds![name, position])?;
                Ok(position)
            });
            write.await
        })
    };
    let (first_task, second_task) = (add("one"), add("other"));
    let mut positions = [first_task.await.unwrap().unwrap(), second_task.await.unwrap().unwrap()];
    positions.sort_unstable();
    assert_eq!(positions, [14, 15]);
    assert!(runs.load(Ordering::Relaxed) >= 3);
}

#[tokio::test]
async fn retried_write_sees_concurrent_rows() {
    let (database, test_database) = new_database();
    let is_first_run = AtomicBool::new(true);
    let write = database.write::<_, StoreError>(move |session| {
        if session.exists("SELECT 1 FROM lead_statuses WHERE name = 'rare'", &[])? {
            return Ok("it is taken");
        }
        if is_first_run.swap(false, Ordering::Relaxed) {
            test_database.run("INSERT INTO lead_statuses VALUES ('rare', 'Rare', TRUE, 14)");
        }
        session.execute("INSERT INTO lead_statuses VALUES ('rare', 'Rare', TRUE, 14)", &[])?;
        Ok("it is added")
    });
    assert_eq!(write.await.unwrap(), "it is taken");
}

#[tokio::test]
async fn claim_skips_locked_rows() {
    let (database, _test_database) = new_database();
    let database = Arc::new(database);
    let lock_first = |session: &dyn Session| {
        let lock = session.dialect().lock_next_row();
        let next = format!("SELECT name FROM lead_statuses ORDER BY position LIMIT 1 {lock}");
        session.query_value::<String>(&next, &[])
    };
    let (other, runtime) = (Arc::clone(&database), tokio::runtime::Handle::current());
    let claimed = database.write_locking::<_, StoreError>(move |session| {
        Ok((lock_first(session)?, runtime.block_on(other.write_locking(lock_first))?))
    });
    assert_eq!(claimed.await.unwrap(), ("new".to_owned(), "dialing".to_owned()));
}

/// Terminates all other connections to the session's database.
fn terminate_other_connections(session: &dyn Session) -> Result<()> {
    let others = "SELECT pg_terminate_backend(pid) FROM pg_stat_activity
                  WHERE datname = current_database() AND pid <> pg_backend_pid()";
    session.query_each(others, &[], &mut |_| Ok(()))
}

#[tokio::test]
async fn lost_connection_is_replaced() {
    let (database, test_database) = new_database();
    let (other, runtime) =
        (Arc::new(Postgres::open(&test_database.url(), None, 1).unwrap()), tokio::runtime::Handle::current());
    database.read(|session| count_rows(session, "leads")).await.unwrap();

    // Idle connection.
    other.read(terminate_other_connections).await.unwrap();
    assert_eq!(database.read(|session| count_rows(session, "lead_statuses")).await.unwrap(), 13);
    other.read(terminate_other_connections).await.unwrap();
    let write =
        database.write::<_, StoreError>(|session| session.execute("DELETE FROM lead_statuses WHERE position = 1", &[]));
    assert_eq!(write.await.unwrap(), 1);

    // Connection lost once during a write, then during every write.
    for max_losses in [1, 2] {
        let (losses, other, runtime) = (AtomicU32::new(0), Arc::clone(&other), runtime.clone());
        let write = database.write::<_, StoreError>(move |session| {
            session.execute("DELETE FROM lead_statuses WHERE position = 2", &[])?;
            if losses.fetch_add(1, Ordering::Relaxed) < max_losses {
                runtime.block_on(other.read(terminate_other_connections))?;
            }
            count_rows(session, "lead_statuses")
        });
        match (max_losses, write.await) {
            (1, Ok(11)) | (2, Err(StoreError::Unavailable(_))) => {}
            (_, other) => panic!("{max_losses}: {other:?}"),
        }
    }
}

#[tokio::test]
async fn uncertain_commit_is_not_retried() {
    let (database, test_database) = new_database();
    // The server itself ends the connection at the commit.
    test_database.run(
        "CREATE FUNCTION end_self() RETURNS TRIGGER LANGUAGE plpgsql AS
             $$ BEGIN PERFORM pg_terminate_backend(pg_backend_pid()); RETURN NULL; END $$;
         CREATE CONSTRAINT TRIGGER at_commit AFTER DELETE ON lead_statuses DEFERRABLE INITIALLY DEFERRED
             FOR EACH ROW EXECUTE FUNCTION end_self();",
    );
    let runs = Arc::new(AtomicU32::new(0));
    let run_counter = Arc::clone(&runs);
    let write = database.write::<_, StoreError>(move |session| {
        run_counter.fetch_add(1, Ordering::Relaxed);
        session.execute("DELETE FROM lead_statuses WHERE position = 1", &[])
    });
    assert!(matches!(write.await, Err(StoreError::CommitUnknown(_))));
    assert_eq!(runs.load(Ordering::Relaxed), 1);
    assert_eq!(database.read(|session| count_rows(session, "lead_statuses")).await.unwrap(), 13);
}
