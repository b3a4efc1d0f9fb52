//! PostgreSQL database (version 13 or newer), which several processes can share.
//!
//! [`super::sql`] defines what is stored and how; this module covers the access to PostgreSQL. `target` locates the server, `pool` manages
//! connections, and `schema` creates the tables. `transaction` runs work on a connection and retries it after conflicts or a lost
//! connection. `replica` reads from another server, and `listen` receives notifications from other processes.
//!
//! Connections keep prepared statements, settings and, during a migration, a lock. A pooler in transaction mode must not be used.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use super::sql::{Database, Session, SqlStore, WorkError};
use super::{Connections, Notice, StoreError};
use crate::telemetry::metrics;

mod attempt;
mod bind;
mod connection;
mod dialect;
mod error;
mod identity;
mod listen;
mod pool;
mod replica;
mod row;
mod schema;
mod session;
pub mod survey;
mod target;
#[cfg(test)]
pub(crate) mod testing;
#[cfg(test)]
mod tests;
mod tls;
mod transaction;

pub use error::OpenError;

use connection::Connection;
use error::cut_short;
use pool::Pool;
use replica::Replica;
use target::Target;
use transaction::Kind;

/// Timeout for the response to one small query. Every request runs such a query first.
const ASK_TIMEOUT: Duration = Duration::from_secs(5);

/// Location of the database at `url`, for display: `database calls at db.example:5432`. Without user and password.
///
/// # Errors
/// The URL is invalid.
pub fn place(url: &str) -> Result<String, OpenError> {
    Ok(Target::read(url)?.place())
}

/// Store in a PostgreSQL database.
pub type PostgresStore = SqlStore<Postgres>;

/// A PostgreSQL database.
#[derive(Debug)]
pub struct Postgres {
    pool: Arc<Pool>,
    replica: Option<Arc<Replica>>,
}

impl Postgres {
    /// Connects to the database at `url` and migrates its schema. With `read_url`, reads go to a replica. Opens at most `connections`
    /// connections to each. Blocks.
    ///
    /// URLs follow `libpq`: `postgres://user:password@host:5432/database?sslmode=verify-full`, or
    /// `postgres:///database?host=/var/run/postgresql` for a socket directory.
    ///
    /// # Errors
    /// The URL is invalid; the server can't be reached, refuses the user, is older than version 13, is a standby or can't guarantee durable
    /// commits; the database has another encoding than UTF-8, contains tables of another program, or the user may not create tables; the
    /// schema is newer than this program; or `read_url` is not a replica of this database.
    pub fn open(url: &str, read_url: Option<&str>, connections: usize) -> Result<Self, OpenError> {
        let target = Target::read(url)?;
        // Connections drive their own runtime, so they need a thread without another one.
        let opened = std::thread::scope(|scope| {
            let opening = scope.spawn(|| {
                schema::migrate(&target)?;
                let Some(url) = read_url else { return Ok(None) };
                let primary = Connection::open(&target)?.identity()?;
                let replica = Replica::open(url, connections, &primary);
                replica.map(Some).map_err(|error| OpenError::Reading(Box::new(error)))
            });
            opening.join()
        });
        let replica = opened.unwrap_or_else(|panic| std::panic::resume_unwind(panic))?;
        Ok(Self { pool: Arc::new(Pool::new(target, connections)), replica: replica.map(Arc::new) })
    }

    async fn run_write<T: Send + 'static, E: WorkError>(
        &self,
        kind: Kind,
        work: impl Fn(&dyn Session) -> Result<T, E> + Send + 'static,
    ) -> Result<T, E> {
        let permits = self.pool.write_permits().await;
        let permits = permits.ok_or_else(|| StoreError::Unavailable("other writes took too long".into()))?;
        self.run_with(permits, kind, work).await
    }

    async fn run_with<T: Send + 'static, E: WorkError>(
        &self,
        permit: impl Send + 'static,
        kind: Kind,
        work: impl Fn(&dyn Session) -> Result<T, E> + Send + 'static,
    ) -> Result<T, E> {
        let pool = Arc::clone(&self.pool);
        tokio::task::spawn_blocking(move || {
            let _permit = permit;
            transaction::run(&pool, kind, work)
        })
        .await
        .map_err(cut_short)?
    }
}

impl PostgresStore {
    /// Opens the store in the database at `url`; see [`Postgres::open`].
    ///
    /// # Errors
    /// See [`Postgres::open`].
    pub fn open(url: &str, read_url: Option<&str>, connections: usize) -> Result<Self, OpenError> {
        Ok(Self::new(Postgres::open(url, read_url, connections)?))
    }
}

impl Database for Postgres {
    async fn read<T: Send + 'static>(
        &self,
        work: impl Fn(&dyn Session) -> Result<T, StoreError> + Send + 'static,
    ) -> Result<T, StoreError> {
        let Some(replica) = &self.replica else { return self.read_primary(work).await };
        let Some(permit) = replica.permit().await else {
            metrics::read("primary");
            return self.read_primary(work).await;
        };
        let asking = self.pool.permit().await;
        let (replica, primary) = (Arc::clone(replica), Arc::clone(&self.pool));
        let tried = tokio::task::spawn_blocking(move || {
            let _permit = permit;
            let done = replica.read(&primary, asking, &work);
            (done, work)
        });
        let (done, work) = tried.await.map_err(cut_short)?;
        metrics::read(if done.is_some() { "replica" } else { "primary" });
        match done {
            Some(done) => done,
            None => self.read_primary(work).await,
        }
    }

    async fn ask<T: Send + 'static>(
        &self,
        work: impl Fn(&dyn Session) -> Result<T, StoreError> + Send + 'static,
    ) -> Result<T, StoreError> {
        // A server that says nothing is as good as gone, and those who ask are told so.
        let ask = async {
            let permit = self.pool.urgent_permit().await;
            self.run_with(permit, Kind::Ask, work).await
        };
        tokio::time::timeout(ASK_TIMEOUT, ask)
            .await
            .unwrap_or_else(|_| Err(StoreError::Unavailable("PostgreSQL doesn't respond".into())))
    }

    async fn read_primary<T: Send + 'static>(
        &self,
        work: impl Fn(&dyn Session) -> Result<T, StoreError> + Send + 'static,
    ) -> Result<T, StoreError> {
        let permits = self.pool.read_permits().await;
        self.run_with(permits, Kind::Read, work).await
    }

    async fn read_urgent<T: Send + 'static>(
        &self,
        work: impl Fn(&dyn Session) -> Result<T, StoreError> + Send + 'static,
    ) -> Result<T, StoreError> {
        let permit = self.pool.urgent_permit().await;
        self.run_with(permit, Kind::Read, work).await
    }

    async fn write<T: Send + 'static, E: WorkError>(
        &self,
        work: impl Fn(&dyn Session) -> Result<T, E> + Send + 'static,
    ) -> Result<T, E> {
        self.run_write(Kind::Write, work).await
    }

    async fn claim<T: Send + 'static, E: WorkError>(
        &self,
        work: impl Fn(&dyn Session) -> Result<T, E> + Send + 'static,
    ) -> Result<T, E> {
        self.run_write(Kind::Claim, work).await
    }

    fn connections(&self) -> Connections {
        self.pool.connections()
    }

    async fn refresh_statistics(&self) -> Result<(), StoreError> {
        let permit = self.pool.permit().await;
        let pool = Arc::clone(&self.pool);
        tokio::task::spawn_blocking(move || {
            let _permit = permit;
            let mut connection = pool.check_out()?;
            connection.refresh_statistics()?;
            pool.check_in(connection);
            Ok(())
        })
        .await
        .map_err(cut_short)?
    }

    async fn listen(&self, heard: Arc<dyn Fn(Notice) + Send + Sync>) {
        let stop = Stop(Arc::default());
        let (pool, stopped) = (Arc::clone(&self.pool), Arc::clone(&stop.0));
        let listening = tokio::task::spawn_blocking(move || listen::listen(pool.target(), &stopped, &*heard));
        if let Err(error) = listening.await {
            tracing::error!(%error, "no longer receiving notifications from other processes");
        }
        // The caller runs this beside the server, which works without notifications.
        std::future::pending().await
    }
}

/// Stops the listener when the future is dropped.
struct Stop(Arc<AtomicBool>);

impl Drop for Stop {
    fn drop(&mut self) {
        self.0.store(true, Ordering::Relaxed);
    }
}
