//! Imports that lost the process that carried them out. Any number of processes import into one store, so that none can
//! tell by its own start that the others have stopped; what tells is that nothing was noted for long.

use std::sync::Arc;
use std::time::Duration;

use chrono::TimeDelta;
use leadscribe_engine::api::Timestamp;
use leadscribe_engine::message::work;

use crate::app::App;
use crate::outage;

/// How long a running import may be silent: a batch takes a second, or with fifty recordings on a slow way to their store
/// some minutes. One that took longer goes on all the same, and is running again with its next batch.
const SILENCE: TimeDelta = TimeDelta::minutes(5);

/// How often they are looked for.
const EVERY: Duration = Duration::from_secs(60);

/// When the store was last found away, if it was. Who waits for it is silent too, and notes something only once it is back.
#[derive(Debug, Default)]
struct Sight(Option<Timestamp>);

impl Sight {
    /// Whether whoever is silent could have noted something.
    fn is_clear(&self, now: Timestamp) -> bool {
        self.0.is_none_or(|away| now - away >= SILENCE)
    }
}

/// Marks lost imports as failed, for ever: at once, then every minute. A failure is noted; the next look makes up for
/// it, once the store has been there for as long as an import may be silent.
pub async fn watch(app: &Arc<App>) {
    let mut ticks = tokio::time::interval(EVERY);
    ticks.set_missed_tick_behavior(tokio::time::MissedTickBehavior::Delay);
    let mut sight = Sight::default();
    loop {
        ticks.tick().await;
        let now = app.now();
        let looked = if sight.is_clear(now) {
            app.store.fail_lost_imports(&work::import_lost().to_string(), now - SILENCE, now).await
        } else {
            app.store.ping().await.map(|()| 0)
        };
        match looked {
            Ok(0) => {}
            Ok(imports) => tracing::warn!(imports, "imports were running when their server stopped; run them again"),
            Err(error) => {
                sight = Sight(Some(app.now()));
                outage::failed(app, "look for lost imports", &error);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nobody_is_taken_for_lost_who_may_still_wait_for_the_store() {
        let at = |minutes| "2026-05-01T12:00:00Z".parse::<Timestamp>().unwrap() + TimeDelta::minutes(minutes);
        assert!(Sight::default().is_clear(at(0)));
        let away = Sight(Some(at(0)));
        assert_eq!([0, 1, 4, 5].map(|minutes| away.is_clear(at(minutes))), [false, false, false, true]);
    }
}
