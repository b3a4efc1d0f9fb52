//! Follows the clock when it was set, and says so.

use leadscribe_engine::api::Timestamp;

use crate::app::App;
use crate::storage::{Followed, StoreError};

/// Puts times right that were noted before the clock was set.
///
/// # Errors
/// The store failed.
pub async fn follow(app: &App, expected: Timestamp, now: Timestamp) -> Result<(), StoreError> {
    let Followed { jobs, sessions } = app.store.follow_clock(expected, now).await?;
    if expected != now || jobs + sessions > 0 {
        let seconds = (now - expected).num_seconds();
        tracing::warn!(
            seconds,
            jobs,
            sessions,
            "a clock was set, or those of two machines differ; jobs wait as long as before, and sessions don't last longer"
        );
    }
    Ok(())
}
