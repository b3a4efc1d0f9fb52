//! Change notifications: one poller feeds all event streams of this process.
//!
//! Any process on the same database can make changes, so the poller queries the database, but only while there are
//! listeners. Events aren't replayed: a client loads its data when it connects and receives the changes from then on. A
//! listener that falls behind is disconnected; its client reconnects and reloads.

use std::collections::HashSet;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use chrono::TimeDelta;
use leadscribe_engine::api::{Change, Timestamp, UserId};
use tokio::sync::{Notify, broadcast, watch};
use tokio::time::MissedTickBehavior;

use super::error::ServiceError;
use crate::app::App;
use crate::quota::{Place, Quota};
use crate::storage::StoreError;

/// Interval between polls. A delay of one second still counts as live.
const EVERY: Duration = Duration::from_secs(1);

/// Debounce delay after [`Changes::look_soon`].
const TOGETHER: Duration = Duration::from_millis(50);

/// Overlap between consecutive polls. A change carries the time at which its writer began, so it can be committed later by
/// as long as the writer waited for its turn. Clocks of machines also differ.
const OVERLAP: TimeDelta = TimeDelta::seconds(10);

/// Maximum number of changes in one page of the store.
const PAGE: usize = 1_000;

/// Maximum number of pages in one poll; also the backlog that a listener may have.
const MAX_PAGES: usize = 4;

/// Maximum number of concurrent listeners: a small part of the connections that the server accepts by default.
const MAX_LISTENERS: usize = 256;

/// Maximum number of concurrent listeners of one staff member, one for each open tab.
const MAX_OWN_LISTENERS: usize = 32;

/// A change and its time.
pub type Told = (Timestamp, Change);

/// Publishes changes to listeners.
#[derive(Debug)]
pub struct Changes {
    told: broadcast::Sender<Told>,
    /// True while the poller runs.
    polling: Mutex<bool>,
    /// Wakes the poller before its next interval, when something may have changed.
    heard: Notify,
    listeners: Quota,
    stopped: watch::Sender<bool>,
}

impl Default for Changes {
    fn default() -> Self {
        Self {
            told: broadcast::Sender::new(PAGE * MAX_PAGES),
            polling: Mutex::default(),
            heard: Notify::new(),
            listeners: Quota::new(MAX_LISTENERS, MAX_OWN_LISTENERS),
            stopped: watch::Sender::new(false),
        }
    }
}

impl Changes {
    /// Disconnects all listeners permanently. Called when the server stops.
    pub fn stop(&self) {
        self.stopped.send_replace(true);
    }

    /// Requests a poll soon, because something may have changed.
    pub fn look_soon(&self) {
        self.heard.notify_one();
    }

    fn is_wanted(&self) -> bool {
        self.told.receiver_count() > 0 && !*self.stopped.borrow()
    }

    fn polling(&self) -> std::sync::MutexGuard<'_, bool> {
        self.polling.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Receives changes until the server stops.
#[derive(Debug)]
pub struct Listener {
    told: broadcast::Receiver<Told>,
    /// Changes from shortly before the subscription. The poller publishes them as well, because it reaches back for late commits.
    known: HashSet<Told>,
    stopped: watch::Receiver<bool>,
    _place: Place,
}

impl Listener {
    /// Returns the next change. `None` when the server stops or the listener fell behind and missed changes.
    pub async fn next(&mut self) -> Option<Told> {
        loop {
            let told = tokio::select! {
                _ = self.stopped.wait_for(|stopped| *stopped) => return None,
                told = self.told.recv() => told.ok()?,
            };
            // Skips the first occurrence of a known change.
            if !self.known.remove(&told) {
                return Some(told);
            }
        }
    }
}

/// Subscribes a staff member to changes. `None` if they or all staff together have too many listeners.
pub async fn listen(app: &Arc<App>, user: UserId) -> Result<Option<Listener>, ServiceError> {
    let Some(place) = app.changes.listeners.take(&user.subject()) else { return Ok(None) };
    let told = subscribe(app);
    // Query after subscribing: a change committed in between is either loaded by the client or published to it. Reach back
    // further than the poller, whose last poll began before now.
    let known = look(app, app.now() - OVERLAP * 2).await?.found.into_iter().collect();
    Ok(Some(Listener { told, known, stopped: app.changes.stopped.subscribe(), _place: place }))
}

/// Subscribes to the poller, and starts it if necessary.
fn subscribe(app: &Arc<App>) -> broadcast::Receiver<Told> {
    // Hold the lock, so that a poller that is about to end either sees this listener or lets a new poller start.
    let mut polling = app.changes.polling();
    let told = app.changes.told.subscribe();
    if !*polling {
        *polling = true;
        tokio::spawn(poll(app.clone()));
    }
    told
}

/// Polls the store while there are listeners.
async fn poll(app: Arc<App>) {
    let mut ticks = tokio::time::interval(EVERY);
    ticks.set_missed_tick_behavior(MissedTickBehavior::Delay);
    let mut since = app.now() - OVERLAP;
    let (mut seen, mut failed) = (HashSet::new(), false);
    loop {
        tokio::select! {
            _ = ticks.tick() => {}
            // Publish changes that happen together in one poll.
            () = app.changes.heard.notified() => tokio::time::sleep(TOGETHER).await,
        }
        {
            let mut polling = app.changes.polling();
            if !app.changes.is_wanted() {
                *polling = false;
                return;
            }
        }
        let now = app.now();
        match look(&app, since).await {
            Ok(Look { found, rest }) => {
                let mut heard = HashSet::new();
                for told in found {
                    if heard.insert(told) && !seen.contains(&told) {
                        // An error means that there are no listeners left, which is handled above.
                        let _ = app.changes.told.send(told);
                    }
                }
                since = rest.unwrap_or(now - OVERLAP);
                heard.retain(|(at, _)| *at >= since);
                (seen, failed) = (heard, false);
            }
            // The first successful poll publishes the changes since then.
            Err(error) => {
                if !std::mem::replace(&mut failed, true) {
                    tracing::warn!(%error, "can't check for changes");
                }
            }
        }
    }
}

/// Result of one poll.
struct Look {
    found: Vec<Told>,
    /// Time from which there are more changes.
    rest: Option<Timestamp>,
}

/// Reads the changes at or after `since`, up to [`MAX_PAGES`] pages.
async fn look(app: &App, since: Timestamp) -> Result<Look, StoreError> {
    let (mut found, mut from) = (Vec::new(), since);
    for _ in 0..MAX_PAGES {
        let page = app.store.changes(from).await?;
        let is_last = page.len() < PAGE;
        let last = page.last().map_or(from, |(at, _)| *at);
        found.extend(page);
        if is_last {
            return Ok(Look { found, rest: None });
        }
        // The last timestamp may have more changes. A page with a single timestamp has to be skipped.
        from = if last > from { last } else { last + TimeDelta::microseconds(1) };
    }
    Ok(Look { found, rest: Some(from) })
}
