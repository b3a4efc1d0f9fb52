//! Background work: one job per file.
//!
//! [`runner`] takes entries of two queues (transcriptions and deliveries) and runs the [`jobs`] on them. A job uses services
//! and the store like a request handler. It has no state that a crash could lose, and any number of processes may work on
//! one store.

use std::sync::Arc;
use std::time::Duration;

use chrono::TimeDelta;
use futures::FutureExt;

use crate::config::Config;
use crate::service::app::App;

mod backoff;
pub mod jobs;
pub(crate) mod runner;
#[cfg(test)]
pub(crate) mod testing;

use jobs::deliver_callback::DeliverCallback;
use jobs::purge_expired;
use jobs::queue_events;
use jobs::transcribe::Transcribe;
use runner::{Runner, StopSignal};

/// Time reserved at shutdown for releasing unfinished entries: one or two writes.
const RELEASE_TIMEOUT: Duration = Duration::from_secs(1);

/// Transcribes, delivers and purges until `stop`. Then waits for running work to end, up to the configured time.
pub async fn run(app: Arc<App>, stop: StopSignal) {
    let lease = TimeDelta::seconds(app.config.worker.lease_seconds.into());
    let clock = &app.clock_watch;
    let slots = app.config.concurrent_recognitions();
    let transcription_runner = Runner { queue: Transcribe(app.clone()), slots, lease, clock: clock.clone() };
    let slots = app.config.callbacks.max_concurrent_deliveries;
    let delivery_runner = Runner { queue: DeliverCallback(app.clone()), slots, lease, clock: clock.clone() };
    let jobs = futures::future::join(transcription_runner.run(stop.clone()), delivery_runner.run(stop.clone()));
    let stop_deadline = stop.then(|()| tokio::time::sleep(stop_timeout(&app.config).max(RELEASE_TIMEOUT)));
    tokio::select! {
        ((), ()) = jobs => {}
        () = purge_expired::run(app.clone()) => {}
        () = queue_events::run(app.clone()) => {}
        () = stop_deadline => tracing::warn!("some jobs did not finish before the shutdown deadline; other workers will take \
             them"),
    }
}

fn stop_timeout(config: &Config) -> Duration {
    Duration::from_secs(config.http.shutdown_timeout_seconds)
}
