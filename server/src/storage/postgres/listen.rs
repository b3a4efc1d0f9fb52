//! Hearing what other processes queue and change, by LISTEN and NOTIFY. Triggers of the queues notify, so that whoever
//! writes is heard. It saves waiting and proves nothing: who has heard looks, and looks now and then anyway.

use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use postgres::Client;
use postgres::fallible_iterator::FallibleIterator;

use super::connection::Connection;
use super::error::OpenError;
use super::target::Target;
use crate::storage::Notice;

/// How often it is looked whether listening should end, and how long until a lost connection is tried again.
const EVERY: Duration = Duration::from_secs(1);

/// Listens until `stop`, on a connection of its own, and again when that is lost. Blocks.
pub(super) fn listen(target: &Target, stop: &AtomicBool, heard: &(dyn Fn(Notice) + Send + Sync)) {
    while !stop.load(Ordering::Relaxed) {
        if let Err(error) = listen_once(target, stop, heard) {
            tracing::debug!(error = &error as &dyn std::error::Error, "can't listen");
            std::thread::sleep(EVERY);
        }
    }
}

fn listen_once(target: &Target, stop: &AtomicBool, heard: &(dyn Fn(Notice) + Send + Sync)) -> Result<(), OpenError> {
    let mut connection = Connection::open(target)?;
    connection.client.batch_execute("LISTEN leadscribe")?;
    // Before that nobody listened.
    [Notice::TranscriptionQueued, Notice::DeliveryQueued, Notice::StateChanged].into_iter().for_each(heard);
    while !stop.load(Ordering::Relaxed) {
        hear(&mut connection.client, heard)?;
        if connection.client.is_closed() {
            std::thread::sleep(EVERY);
            return Ok(());
        }
    }
    Ok(())
}

/// Hears what arrives, until nothing does for a while.
fn hear(client: &mut Client, heard: &(dyn Fn(Notice) + Send + Sync)) -> Result<(), postgres::Error> {
    let mut notifications = client.notifications();
    let mut arriving = notifications.timeout_iter(EVERY);
    while let Some(notification) = arriving.next()? {
        match notification.payload() {
            "transcriptions INSERT" => heard(Notice::TranscriptionQueued),
            "deliveries INSERT" => heard(Notice::DeliveryQueued),
            _ => {}
        }
        heard(Notice::StateChanged);
    }
    Ok(())
}
