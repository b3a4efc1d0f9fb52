//! Waiting for a store that can't be used for a while, so that an import goes on where it was.

use std::sync::Arc;
use std::time::Duration;

use crate::app::App;
use crate::outage;
use crate::service::error::ServiceError;
use crate::storage::{StoreError, WriteError};

/// The pause before the second try; each further one is twice as long, up to [`LONGEST`].
const FIRST: Duration = Duration::from_millis(100);

/// The longest pause: far shorter than an import may be silent, so that none is taken for lost when the store is back.
const LONGEST: Duration = Duration::from_secs(5);

/// Asks the store until it can be used, for as long as this process runs. What is asked may have been done before, and only
/// the answer was lost: it must be such that twice is as good as once.
///
/// # Errors
/// Any other failure.
pub async fn patiently<T, E, F>(app: &Arc<App>, ask: impl Fn() -> F) -> Result<T, ServiceError>
where
    E: Into<ServiceError>,
    F: Future<Output = Result<T, E>>,
{
    let mut pause = FIRST;
    loop {
        let error = match ask().await {
            Ok(answer) => return Ok(answer),
            Err(error) => error.into(),
        };
        match &error {
            ServiceError::Store(away @ StoreError::Unavailable(_))
            | ServiceError::Write(WriteError::Store(away @ StoreError::Unavailable(_))) => {
                outage::failed(app, "go on with an import", away);
            }
            _ => return Err(error),
        }
        tokio::time::sleep(pause).await;
        pause = (pause * 2).min(LONGEST);
    }
}
