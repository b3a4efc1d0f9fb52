//! Retries for imports: waits while the store is unavailable or locked, so that the import continues where it stopped.

use std::sync::Arc;
use std::time::Duration;

use tokio::time::Instant;

use crate::app::App;
use crate::service::error::ServiceError;
use crate::storage::{StoreError, WriteError};

/// Delay before the second try. Doubles with each further try, up to [`LONGEST`].
const FIRST: Duration = Duration::from_millis(100);

/// Maximum delay. Far shorter than the time after which a silent import counts as lost.
const LONGEST: Duration = Duration::from_secs(5);

/// Maximum time to wait for locks: longer than repairing or indexing a table takes. Bounded, because a statement that always
/// times out fails in the same way.
const HELD: Duration = Duration::from_secs(10 * 60);

/// Retries `ask` while the store is unavailable, without limit, and while it is locked, for [`HELD`]. A try may have
/// succeeded even though its result was lost, so `ask` must be idempotent.
///
/// # Errors
/// The store was locked for too long; or any other failure.
pub async fn patiently<T, E, F>(app: &Arc<App>, ask: impl Fn() -> F) -> Result<T, ServiceError>
where
    E: Into<ServiceError>,
    F: Future<Output = Result<T, E>>,
{
    let mut pause = FIRST;
    let (mut held_since, mut waiting) = (None, None);
    loop {
        let error = match ask().await {
            Ok(answer) => return Ok(answer),
            Err(error) => error.into(),
        };
        let (ServiceError::Store(cause) | ServiceError::Write(WriteError::Store(cause))) = &error else {
            return Err(error);
        };
        let passes = match cause {
            StoreError::Unavailable(_) | StoreError::CommitUnknown(_) => {
                held_since = None;
                waiting.get_or_insert_with(|| app.outage.wait());
                true
            }
            StoreError::Busy(_) => {
                waiting = None;
                held_since.get_or_insert_with(Instant::now).elapsed() < HELD
            }
            StoreError::Conflict(_) | StoreError::Failed(_) => false,
        };
        if !passes {
            return Err(error);
        }
        app.outage.failed("continue an import", cause);
        tokio::time::sleep(pause).await;
        pause = (pause * 2).min(LONGEST);
    }
}

#[cfg(test)]
mod tests {
    use std::future::ready;
    use std::sync::atomic::{AtomicUsize, Ordering};

    use super::*;
    use crate::speech::Provider;
    use crate::telemetry::testing::Written;
    use crate::worker::testing::Data;

    fn busy() -> StoreError {
        StoreError::Busy("others write".into())
    }

    /// Calls a store that fails the given number of times. Returns that number or the last error.
    async fn asked<E: Into<ServiceError>>(failures: usize, failure: impl Fn() -> E) -> Result<usize, ServiceError> {
        let data = Data::empty(|_| {});
        let app = data.process(Provider::off());
        let tries = AtomicUsize::new(0);
        let ask = || {
            let failed = tries.fetch_add(1, Ordering::Relaxed);
            ready(if failed < failures { Err(failure()) } else { Ok(failed) })
        };
        patiently(&app, ask).await
    }

    #[tokio::test(start_paused = true)]
    async fn retries_temporary_failures() {
        let away = || StoreError::Unavailable("connection refused".into());
        assert_eq!(asked(20, away).await.unwrap(), 20);
        assert_eq!(asked(20, || WriteError::Store(away())).await.unwrap(), 20);
        // A locked store used to end the import.
        assert_eq!(asked(20, busy).await.unwrap(), 20);
        assert_eq!(asked(20, || WriteError::Store(busy())).await.unwrap(), 20);
        assert!(asked(1, || StoreError::Failed("no such table".into())).await.is_err());
    }

    #[tokio::test(start_paused = true)]
    async fn outage_lasts_until_the_waiting_import_continues() {
        let written = Written::default();
        let _logging = written.logging();
        // Regression: while an import waited, successful writes of the outage monitor ended the outage again and again.
        let data = Data::empty(|_| {});
        let app = data.process(Provider::off());
        let tries = AtomicUsize::new(0);
        let ask = || {
            let failed = tries.fetch_add(1, Ordering::Relaxed);
            ready(if failed < 10 { Err(StoreError::Unavailable("the disk is full".into())) } else { Ok(()) })
        };
        let begun = Instant::now();
        patiently(&app, ask).await.unwrap();
        assert!(begun.elapsed() > Duration::from_secs(25), "{:?}", begun.elapsed());
        tokio::time::sleep(Duration::from_secs(5)).await;
        let levels: Vec<_> = written.lines().iter().map(|line| line["level"].as_str().unwrap().to_owned()).collect();
        assert_eq!(levels, ["ERROR", "WARN", "WARN", "INFO"]);
    }

    #[tokio::test(start_paused = true)]
    async fn wait_for_locks_is_bounded() {
        let begun = Instant::now();
        let error = asked(usize::MAX, busy).await.unwrap_err();
        assert!(matches!(error, ServiceError::Store(StoreError::Busy(_))), "{error:?}");
        let waited = begun.elapsed();
        assert!((HELD..HELD + 2 * LONGEST).contains(&waited), "{waited:?}");
    }
}
