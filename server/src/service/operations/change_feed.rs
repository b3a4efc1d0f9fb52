//! Change notifications: one poller feeds all event streams of this process.
//!
//! Any process on the same database can make changes, so the poller queries the database, but only while there are
//! listeners. Events aren't replayed: a client loads its data when it connects and receives the changes from then on. A
//! listener that falls behind is disconnected; its client reconnects and reloads.

use std::collections::HashSet;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use chrono::TimeDelta;
use leadscribe_engine::api::{ChangeEvent, Timestamp, UserId};
use tokio::sync::{Notify, broadcast, watch};
use tokio::time::MissedTickBehavior;

use crate::concurrency_limit::{ConcurrencyLimit, ConcurrencyPermit};
use crate::service::app::App;
use crate::service::error::Result;
use crate::storage::StoreError;

/// Interval between polls. A delay of one second still counts as live.
const POLL_INTERVAL: Duration = Duration::from_secs(1);

/// Debounce delay after [`ChangeFeed::request_poll`].
const DEBOUNCE_DELAY: Duration = Duration::from_millis(50);

/// Overlap between consecutive polls. A change carries the time at which its writer began, but it is committed only
/// after the writer has waited for its turn. The clocks of machines also differ.
const OVERLAP: TimeDelta = TimeDelta::seconds(10);

/// Maximum number of changes in one page of the store.
const PAGE_SIZE: usize = 1_000;

/// Maximum number of pages in one poll; also the backlog that a listener may have.
const MAX_PAGES: usize = 4;

/// Maximum number of concurrent listeners: a small part of the connections that the server accepts by default.
const MAX_LISTENERS: usize = 256;

/// Maximum number of concurrent listeners of one staff member, one for each open tab, or of one API key.
const MAX_LISTENERS_PER_CALLER: usize = 32;

pub type TimedChange = (Timestamp, ChangeEvent);

/// Publishes changes to listeners.
#[derive(Debug)]
pub struct ChangeFeed {
    sender: broadcast::Sender<TimedChange>,
    /// True while the poller runs.
    is_polling: Mutex<bool>,
    /// Wakes the poller before its next interval, when something may have changed.
    poll_requested: Notify,
    listeners: ConcurrencyLimit,
    is_stopped: watch::Sender<bool>,
}

impl Default for ChangeFeed {
    fn default() -> Self {
        Self {
            sender: broadcast::Sender::new(PAGE_SIZE * MAX_PAGES),
            is_polling: Mutex::default(),
            poll_requested: Notify::new(),
            listeners: ConcurrencyLimit::new(MAX_LISTENERS, MAX_LISTENERS_PER_CALLER),
            is_stopped: watch::Sender::new(false),
        }
    }
}

impl ChangeFeed {
    /// Disconnects all listeners permanently. Called when the server stops.
    pub fn stop(&self) {
        self.is_stopped.send_replace(true);
    }

    /// Requests a poll soon, because something may have changed.
    pub fn request_poll(&self) {
        self.poll_requested.notify_one();
    }

    /// Takes a permit for a client that waits for changes. `None` if this client or all clients together have too many.
    pub fn try_acquire_listener(&self, actor: &str) -> Option<ConcurrencyPermit> {
        self.listeners.try_acquire(actor)
    }

    /// Waits until the server stops.
    pub async fn stopped(&self) {
        // The sender exists as long as the feed.
        let _ = self.is_stopped.subscribe().wait_for(|stopped| *stopped).await;
    }

    fn should_poll(&self) -> bool {
        self.sender.receiver_count() > 0 && !*self.is_stopped.borrow()
    }

    fn polling(&self) -> std::sync::MutexGuard<'_, bool> {
        self.is_polling.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Receives changes until the server stops.
#[derive(Debug)]
pub struct Listener {
    receiver: broadcast::Receiver<TimedChange>,
    /// Changes from shortly before the subscription. The poller publishes them as well, because it reaches back for late commits.
    already_loaded: HashSet<TimedChange>,
    is_stopped: watch::Receiver<bool>,
    _permit: ConcurrencyPermit,
}

impl Listener {
    /// Returns the next change. `None` when the server stops or the listener fell behind and missed changes.
    pub async fn next_change(&mut self) -> Option<TimedChange> {
        loop {
            let change = tokio::select! {
                _ = self.is_stopped.wait_for(|stopped| *stopped) => return None,
                change = self.receiver.recv() => change.ok()?,
            };
            // Skips the first occurrence of a known change.
            if !self.already_loaded.remove(&change) {
                return Some(change);
            }
        }
    }
}

/// Subscribes a staff member to changes. `None` if they or all staff together have too many listeners.
pub async fn listen(app: &Arc<App>, user: UserId) -> Result<Option<Listener>> {
    let Some(permit) = app.changes.try_acquire_listener(&user.subject()) else { return Ok(None) };
    let receiver = subscribe(app);
    // Query after subscribing: a change committed in between is either loaded by the client or published to it. Reach back
    // further than the poller, whose last poll began before now.
    let already_loaded = read_changes(app, app.now() - OVERLAP * 2).await?.changes.into_iter().collect();
    Ok(Some(Listener { receiver, already_loaded, is_stopped: app.changes.is_stopped.subscribe(), _permit: permit }))
}

/// Subscribes to the poller, and starts it if necessary.
fn subscribe(app: &Arc<App>) -> broadcast::Receiver<TimedChange> {
    // Hold the lock, so that a poller that is about to end either sees this listener or lets a new poller start.
    let mut is_polling = app.changes.polling();
    let receiver = app.changes.sender.subscribe();
    if !*is_polling {
        *is_polling = true;
        tokio::spawn(poll(app.clone()));
    }
    receiver
}

/// Polls the store while there are listeners.
async fn poll(app: Arc<App>) {
    let mut ticks = tokio::time::interval(POLL_INTERVAL);
    ticks.set_missed_tick_behavior(MissedTickBehavior::Delay);
    let mut since = app.now() - OVERLAP;
    let (mut published, mut is_failing) = (HashSet::new(), false);
    loop {
        tokio::select! {
            _ = ticks.tick() => {}
            // Publish changes that happen together in one poll.
            () = app.changes.poll_requested.notified() => tokio::time::sleep(DEBOUNCE_DELAY).await,
        }
        {
            let mut is_polling = app.changes.polling();
            if !app.changes.should_poll() {
                *is_polling = false;
                return;
            }
        }
        let now = app.now();
        match read_changes(&app, since).await {
            Ok(PollResult { changes, next_start }) => {
                let mut current = HashSet::new();
                for change in changes {
                    if current.insert(change) && !published.contains(&change) {
                        // An error means that there are no listeners left, which is handled above.
                        let _ = app.changes.sender.send(change);
                    }
                }
                since = next_start.unwrap_or(now - OVERLAP);
                current.retain(|(at, _)| *at >= since);
                (published, is_failing) = (current, false);
            }
            // The next successful poll publishes the changes that this one missed.
            Err(error) => {
                if !std::mem::replace(&mut is_failing, true) {
                    tracing::warn!(%error, "can't check for changes");
                }
            }
        }
    }
}

struct PollResult {
    changes: Vec<TimedChange>,
    /// Time from which there are more changes.
    next_start: Option<Timestamp>,
}

/// Reads the changes at or after `since`, up to [`MAX_PAGES`] pages.
async fn read_changes(app: &App, since: Timestamp) -> Result<PollResult, StoreError> {
    let (mut changes, mut start) = (Vec::new(), since);
    for _ in 0..MAX_PAGES {
        let page = app.store.changes_since(start).await?;
        let is_last = page.len() < PAGE_SIZE;
        let last = page.last().map_or(start, |(at, _)| *at);
        changes.extend(page);
        if is_last {
            return Ok(PollResult { changes, next_start: None });
        }
        // The last timestamp may have more changes. A page with a single timestamp has to be skipped.
        start = if last > start { last } else { last + TimeDelta::microseconds(1) };
    }
    Ok(PollResult { changes, next_start: Some(start) })
}
