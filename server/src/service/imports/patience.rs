//! Waiting for a store that can't be used for a while, or for what others hold of it, so that an import goes on where it was.

use std::sync::Arc;
use std::time::Duration;

use tokio::time::Instant;

use crate::app::App;
use crate::outage;
use crate::service::error::ServiceError;
use crate::storage::{StoreError, WriteError};

/// The pause before the second try; each further one is twice as long, up to [`LONGEST`].
const FIRST: Duration = Duration::from_millis(100);

/// The longest pause: far shorter than an import may be silent, so that none is taken for lost when the store is back.
const LONGEST: Duration = Duration::from_secs(5);

/// How long what others hold is waited for: longer than a table is locked to be repaired or given an index. Not for ever, for
/// a statement that takes too long each time fails in the same way.
const HELD: Duration = Duration::from_secs(10 * 60);

/// Asks the store until it can be used, for as long as this process runs; while others hold what it needs, for [`HELD`]. What
/// is asked may have been done before, and only the answer was lost: it must be such that twice is as good as once.
///
/// # Errors
/// Others held what it needs for too long; any other failure.
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
                waiting.get_or_insert_with(|| outage::waiting(app));
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
        outage::failed(app, "go on with an import", cause);
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

    /// Asks a store that fails so often; gives how often that was, or the last failure.
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
    async fn what_passes_is_waited_for() {
        let away = || StoreError::Unavailable("connection refused".into());
        assert_eq!(asked(20, away).await.unwrap(), 20);
        assert_eq!(asked(20, || WriteError::Store(away())).await.unwrap(), 20);
        // An import once ended with it.
        assert_eq!(asked(20, busy).await.unwrap(), 20);
        assert_eq!(asked(20, || WriteError::Store(busy())).await.unwrap(), 20);
        assert!(asked(1, || StoreError::Failed("no such table".into())).await.is_err());
    }

    #[tokio::test(start_paused = true)]
    async fn an_outage_that_an_import_waits_for_lasts_until_the_import_goes_on() {
        let written = Written::default();
        let _logging = written.logging();
        // Between its tries the store took what the watch wrote, and the outage was told to be over time after time.
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
    async fn what_others_hold_is_not_waited_for_for_ever() {
        let begun = Instant::now();
        let error = asked(usize::MAX, busy).await.unwrap_err();
        assert!(matches!(error, ServiceError::Store(StoreError::Busy(_))), "{error:?}");
        let waited = begun.elapsed();
        assert!((HELD..HELD + 2 * LONGEST).contains(&waited), "{waited:?}");
    }
}
