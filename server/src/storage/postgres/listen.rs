//! Notifications of other processes' changes, by `LISTEN` and `NOTIFY`. Triggers on the queues send them, so every writer is covered. They
//! only shorten waits: a notified task still checks the database, and tasks also poll.

use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use postgres::Client;
use postgres::fallible_iterator::FallibleIterator;

use super::connection::Connection;
use super::error::OpenError;
use super::target::Target;
use crate::storage::Notice;

/// Interval for checking the stop flag, and delay before reconnecting.
const POLL_INTERVAL: Duration = Duration::from_secs(1);

/// Listens on its own connection until `stop` is set, and reconnects when the connection is lost. Blocks.
pub(super) fn listen(target: &Target, stop: &AtomicBool, on_notice: &(dyn Fn(Notice) + Send + Sync)) {
    while !stop.load(Ordering::Relaxed) {
        if let Err(error) = listen_once(target, stop, on_notice) {
            tracing::debug!(error = &error as &dyn std::error::Error, "can't listen");
            std::thread::sleep(POLL_INTERVAL);
        }
    }
}

fn listen_once(
    target: &Target,
    stop: &AtomicBool,
    on_notice: &(dyn Fn(Notice) + Send + Sync),
) -> Result<(), OpenError> {
    let mut connection = Connection::open(target)?;
    connection.client.batch_execute("LISTEN leadscribe")?;
    // Changes may have been missed before the connection listened.
    [Notice::TranscriptionQueued, Notice::DeliveryQueued, Notice::StateChanged].into_iter().for_each(on_notice);
    while !stop.load(Ordering::Relaxed) {
        handle_notifications(&mut connection.client, on_notice)?;
        if connection.client.is_closed() {
            std::thread::sleep(POLL_INTERVAL);
            return Ok(());
        }
    }
    Ok(())
}

/// Handles notifications until none arrives for a while.
fn handle_notifications(
    client: &mut Client,
    on_notice: &(dyn Fn(Notice) + Send + Sync),
) -> Result<(), postgres::Error> {
    let mut notifications = client.notifications();
    let mut incoming = notifications.timeout_iter(POLL_INTERVAL);
    while let Some(notification) = incoming.next()? {
        match notification.payload() {
            "transcriptions INSERT" => on_notice(Notice::TranscriptionQueued),
            "deliveries INSERT" => on_notice(Notice::DeliveryQueued),
            _ => {}
        }
        on_notice(Notice::StateChanged);
    }
    Ok(())
}
