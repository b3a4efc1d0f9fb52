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

use super::sql::{Database, DatabaseWork, SqlStore, WorkError};
use super::{ConnectionStats, Notice, Result, StoreError};
use crate::telemetry::metrics;

mod bind;
mod connection;
mod connection_attempts;
mod dialect;
mod error;
mod identity;
pub(crate) mod inspection;
mod listen;
mod pool;
mod replica;
mod row;
mod schema;
mod session;
mod target;
#[cfg(test)]
pub(crate) mod testing;
#[cfg(test)]
mod tests;
mod tls;
mod transaction;

pub use error::OpenError;

use connection::Connection;
use pool::Pool;
use replica::Replica;
use target::Target;
use transaction::TransactionKind;

/// Timeout for the response to one small query. Every request runs such a query first.
const POINT_READ_TIMEOUT: Duration = Duration::from_secs(5);

/// Location of the database at `url`, for display: `database calls at db.example:5432`. Without user and password.
///
/// # Errors
/// The URL is invalid.
pub fn location(url: &str) -> Result<String, OpenError> {
    Ok(Target::parse_primary(url)?.location())
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
        let target = Target::parse_primary(url)?;
        // Connections drive their own runtime, so they need a thread without another one.
        let result = std::thread::scope(|scope| {
            let thread = scope.spawn(|| {
                schema::migrate(&target)?;
                let Some(url) = read_url else { return Ok(None) };
                let primary = Connection::open(&target)?.identity()?;
                let replica = Replica::open(url, connections, &primary);
                replica.map(Some).map_err(|error| OpenError::Replica(Box::new(error)))
            });
            thread.join()
        });
        let replica = result.unwrap_or_else(|panic| std::panic::resume_unwind(panic))?;
        Ok(Self { pool: Arc::new(Pool::new(target, connections)), replica: replica.map(Arc::new) })
    }

    async fn run_write<T: Send + 'static, E: WorkError>(
        &self,
        kind: TransactionKind,
        work: impl DatabaseWork<T, E>,
    ) -> Result<T, E> {
        let permits = self.pool.write_permits().await;
        let permits = permits.ok_or_else(|| StoreError::Unavailable("other writes took too long".into()))?;
        self.run_with(permits, kind, work).await
    }

    async fn run_with<T: Send + 'static, E: WorkError>(
        &self,
        permit: impl Send + 'static,
        kind: TransactionKind,
        work: impl DatabaseWork<T, E>,
    ) -> Result<T, E> {
        let pool = Arc::clone(&self.pool);
        tokio::task::spawn_blocking(move || {
            let _permit = permit;
            transaction::run(&pool, kind, work)
        })
        .await
        .map_err(StoreError::from)?
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
    async fn read<T: Send + 'static>(&self, work: impl DatabaseWork<T>) -> Result<T> {
        let Some(replica) = &self.replica else { return self.read_primary(work).await };
        let Some(permit) = replica.permit().await else {
            metrics::count_read("primary");
            return self.read_primary(work).await;
        };
        let primary_permit = self.pool.permit().await;
        let (replica, primary) = (Arc::clone(replica), Arc::clone(&self.pool));
        let task = tokio::task::spawn_blocking(move || {
            let _permit = permit;
            let result = replica.read(&primary, primary_permit, &work);
            (result, work)
        });
        let (result, work) = task.await?;
        metrics::count_read(if result.is_some() { "replica" } else { "primary" });
        match result {
            Some(result) => result,
            None => self.read_primary(work).await,
        }
    }

    async fn read_point<T: Send + 'static>(&self, work: impl DatabaseWork<T>) -> Result<T> {
        // A server that doesn't respond in time counts as unavailable.
        let point_read = async {
            let permit = self.pool.urgent_permit().await;
            self.run_with(permit, TransactionKind::SingleStatement, work).await
        };
        tokio::time::timeout(POINT_READ_TIMEOUT, point_read)
            .await
            .unwrap_or_else(|_| Err(StoreError::Unavailable("PostgreSQL doesn't respond".into())))
    }

    async fn read_primary<T: Send + 'static>(&self, work: impl DatabaseWork<T>) -> Result<T> {
        let permits = self.pool.read_permits().await;
        self.run_with(permits, TransactionKind::Read, work).await
    }

    async fn read_urgent<T: Send + 'static>(&self, work: impl DatabaseWork<T>) -> Result<T> {
        let permit = self.pool.urgent_permit().await;
        self.run_with(permit, TransactionKind::Read, work).await
    }

    async fn write<T: Send + 'static, E: WorkError>(&self, work: impl DatabaseWork<T, E>) -> Result<T, E> {
        self.run_write(TransactionKind::Write, work).await
    }

    async fn write_locking<T: Send + 'static, E: WorkError>(&self, work: impl DatabaseWork<T, E>) -> Result<T, E> {
        self.run_write(TransactionKind::Locking, work).await
    }

    fn connection_stats(&self) -> ConnectionStats {
        self.pool.stats()
    }

    async fn refresh_statistics(&self) -> Result<()> {
        let permit = self.pool.permit().await;
        let pool = Arc::clone(&self.pool);
        tokio::task::spawn_blocking(move || {
            let _permit = permit;
            let mut connection = pool.check_out()?;
            connection.refresh_statistics()?;
            pool.check_in(connection);
            Ok(())
        })
        .await?
    }

    async fn listen(&self, on_notice: Arc<dyn Fn(Notice) + Send + Sync>) {
        let stop_guard = StopOnDrop(Arc::default());
        let (pool, stop_flag) = (Arc::clone(&self.pool), Arc::clone(&stop_guard.0));
        let listener = tokio::task::spawn_blocking(move || listen::listen(pool.target(), &stop_flag, &*on_notice));
        if let Err(error) = listener.await {
            tracing::error!(%error, "no longer receiving notifications from other processes");
        }
        // The caller runs this next to the server, which works without notifications.
        std::future::pending().await
    }
}

/// Stops the listener when the future is dropped.
struct StopOnDrop(Arc<AtomicBool>);

impl Drop for StopOnDrop {
    fn drop(&mut self) {
        self.0.store(true, Ordering::Relaxed);
    }
}
