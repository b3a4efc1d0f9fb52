//! Retries for imports: waits while the store is unavailable or locked, so that the import continues where it stopped.

use std::sync::Arc;
use std::time::Duration;

use tokio::time::Instant;

use crate::service::app::App;
use crate::service::error::{Result, ServiceError};
use crate::storage::{StoreError, WriteError};

/// Delay before the second try. Doubles with each further try, up to [`MAX_RETRY_DELAY`].
const INITIAL_RETRY_DELAY: Duration = Duration::from_millis(100);

/// Maximum delay. Far shorter than the time after which a silent import counts as lost.
const MAX_RETRY_DELAY: Duration = Duration::from_secs(5);

/// Maximum time to wait for locks: longer than repairing or indexing a table takes. Bounded, because a statement that always
/// times out fails in the same way.
const MAX_LOCK_WAIT: Duration = Duration::from_secs(10 * 60);

/// Retries `operation` while the store is unavailable, without limit, and while it is locked, for [`MAX_LOCK_WAIT`]. A try may have
/// succeeded even though its result was lost, so `operation` must be idempotent.
///
/// # Errors
/// The store was locked for too long; or any other failure.
pub async fn with_retries<T, E, F>(app: &Arc<App>, operation: impl Fn() -> F) -> Result<T>
where
    E: Into<ServiceError>,
    F: Future<Output = Result<T, E>>,
{
    let mut delay = INITIAL_RETRY_DELAY;
    let (mut locked_since, mut outage_guard) = (None, None);
    loop {
        let error = match operation().await {
            Ok(value) => return Ok(value),
            Err(error) => error.into(),
        };
        let (ServiceError::Store(cause) | ServiceError::Write(WriteError::Store(cause))) = &error else {
            return Err(error);
        };
        let is_temporary = match cause {
            StoreError::Unavailable(_) | StoreError::CommitUnknown(_) => {
                locked_since = None;
                outage_guard.get_or_insert_with(|| app.outage.wait_guard());
                true
            }
            StoreError::Busy(_) => {
                outage_guard = None;
                locked_since.get_or_insert_with(Instant::now).elapsed() < MAX_LOCK_WAIT
            }
            StoreError::Conflict(_) | StoreError::Failed(_) => false,
        };
        if !is_temporary {
            return Err(error);
        }
        app.outage.record_failure("continue an import", cause);
        tokio::time::sleep(delay).await;
        delay = (delay * 2).min(MAX_RETRY_DELAY);
    }
}

#[cfg(test)]
mod tests {
    use std::future::ready;
    use std::sync::atomic::{AtomicUsize, Ordering};

    use super::*;
    use crate::telemetry::testing::LogCapture;
    use crate::worker::testing::TestInstallation;

    fn busy() -> StoreError {
        StoreError::Busy("another writer holds the lock".into())
    }

    /// Calls a store that fails the given number of times. Returns that number or the last error.
    async fn failures_survived<E: Into<ServiceError>>(failures: usize, failure: impl Fn() -> E) -> Result<usize> {
        let (_installation, app) = TestInstallation::with_app(|_| {});
        let attempts = AtomicUsize::new(0);
        let operation = || {
            let failed_attempts = attempts.fetch_add(1, Ordering::Relaxed);
            ready(if failed_attempts < failures { Err(failure()) } else { Ok(failed_attempts) })
        };
        with_retries(&app, operation).await
    }

    #[tokio::test(start_paused = true)]
    async fn retries_temporary_failures() {
        let unavailable = || StoreError::Unavailable("connection refused".into());
        assert_eq!(failures_survived(20, unavailable).await.unwrap(), 20);
        assert_eq!(failures_survived(20, || WriteError::Store(unavailable())).await.unwrap(), 20);
        // A locked store used to end the import.
        assert_eq!(failures_survived(20, busy).await.unwrap(), 20);
        assert_eq!(failures_survived(20, || WriteError::Store(busy())).await.unwrap(), 20);
        assert!(failures_survived(1, || StoreError::Failed("no such table".into())).await.is_err());
    }

    #[tokio::test(start_paused = true)]
    async fn outage_lasts_until_the_waiting_import_continues() {
        let logs = LogCapture::default();
        let _logging = logs.capture();
        // Regression: while an import waited, successful writes of the outage monitor ended the outage again and again.
        let (_installation, app) = TestInstallation::with_app(|_| {});
        let attempts = AtomicUsize::new(0);
        let operation = || {
            let failed_attempts = attempts.fetch_add(1, Ordering::Relaxed);
            ready(if failed_attempts < 10 { Err(StoreError::Unavailable("the disk is full".into())) } else { Ok(()) })
        };
        let started = Instant::now();
        with_retries(&app, operation).await.unwrap();
        assert!(started.elapsed() > Duration::from_secs(25), "{:?}", started.elapsed());
        tokio::time::sleep(Duration::from_secs(5)).await;
        let levels: Vec<_> = logs.lines().iter().map(|line| line["level"].as_str().unwrap().to_owned()).collect();
        assert_eq!(levels, ["ERROR", "WARN", "WARN", "INFO"]);
    }

    #[tokio::test(start_paused = true)]
    async fn wait_for_locks_is_bounded() {
        let started = Instant::now();
        let error = failures_survived(usize::MAX, busy).await.unwrap_err();
        assert!(matches!(error, ServiceError::Store(StoreError::Busy(_))), "{error:?}");
        let waited = started.elapsed();
        assert!((MAX_LOCK_WAIT..MAX_LOCK_WAIT + 2 * MAX_RETRY_DELAY).contains(&waited), "{waited:?}");
    }
}
