//! What changes while somebody watches: one poller for all streams of events of this process.
//!
//! Work is done by any process on the same database, so the database is asked, and only while somebody listens. Nothing
//! is replayed: whoever connects loads what they show, and from then on is told what changes. A listener that can't
//! keep up is let go, connects again and loads again.

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

/// How often the store is asked: a state that is shown a second late is still live.
const EVERY: Duration = Duration::from_secs(1);

/// How long it is waited for more, after something may have changed.
const TOGETHER: Duration = Duration::from_millis(50);

/// How far back each look reaches behind the one before it. A change carries the moment at which its writer began, so
/// it can be committed later than others by as long as a writer waits for its turn; and clocks of machines differ.
const OVERLAP: TimeDelta = TimeDelta::seconds(10);

/// Most changes that a store gives at once.
const PAGE: usize = 1_000;

/// Most such pages of one look: what a listener may be behind.
const MAX_PAGES: usize = 4;

/// Most listeners at once: a few of every connection that the server takes by default.
const MAX_LISTENERS: usize = 256;

/// Most listeners of one member of staff at once: one for each open tab.
const MAX_OWN_LISTENERS: usize = 32;

/// Something that changed, and when.
pub type Told = (Timestamp, Change);

/// Tells listeners what changes.
#[derive(Debug)]
pub struct Changes {
    told: broadcast::Sender<Told>,
    /// Whether the poller runs.
    polling: Mutex<bool>,
    /// Rung when something may have changed, so that the poller needn't wait for its next look.
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
    /// Lets all listeners go, for good: the server stops.
    pub fn stop(&self) {
        self.stopped.send_replace(true);
    }

    /// Something may have changed: it is looked for soon.
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

/// Hears what changes, until the server stops.
#[derive(Debug)]
pub struct Listener {
    told: broadcast::Receiver<Told>,
    /// What had changed shortly before it began to listen. The poller tells that too: it reaches back, for what is committed
    /// late.
    known: HashSet<Told>,
    stopped: watch::Receiver<bool>,
    _place: Place,
}

impl Listener {
    /// The next change; none when the server stops, or when so much happened that some of it was missed.
    pub async fn next(&mut self) -> Option<Told> {
        loop {
            let told = tokio::select! {
                _ = self.stopped.wait_for(|stopped| *stopped) => return None,
                told = self.told.recv() => told.ok()?,
            };
            // Each is told once.
            if !self.known.remove(&told) {
                return Some(told);
            }
        }
    }
}

/// Begins to listen for this member of staff. None when they or all staff have too many listeners already.
///
/// # Errors
/// The store failed.
pub async fn listen(app: &Arc<App>, user: UserId) -> Result<Option<Listener>, ServiceError> {
    let Some(place) = app.changes.listeners.take(&user.subject()) else { return Ok(None) };
    let told = subscribe(app);
    // Afterwards, so that nothing lies between: what is committed meanwhile is loaded by whoever listens, or told. And further
    // back than the poller looks, which began its last look before now.
    let known = look(app, app.now() - OVERLAP * 2).await?.found.into_iter().collect();
    Ok(Some(Listener { told, known, stopped: app.changes.stopped.subscribe(), _place: place }))
}

/// Hears what is told from now on, by a poller that runs.
fn subscribe(app: &Arc<App>) -> broadcast::Receiver<Told> {
    // Under the lock, so that a poller that is about to end either sees this listener or lets another begin.
    let mut polling = app.changes.polling();
    let told = app.changes.told.subscribe();
    if !*polling {
        *polling = true;
        tokio::spawn(poll(app.clone()));
    }
    told
}

/// Asks the store for as long as somebody listens.
async fn poll(app: Arc<App>) {
    let mut ticks = tokio::time::interval(EVERY);
    ticks.set_missed_tick_behavior(MissedTickBehavior::Delay);
    let mut since = app.now() - OVERLAP;
    let (mut seen, mut failed) = (HashSet::new(), false);
    loop {
        tokio::select! {
            _ = ticks.tick() => {}
            // What changes at once is told at once.
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
                        // That nobody listens any more is seen above.
                        let _ = app.changes.told.send(told);
                    }
                }
                since = rest.unwrap_or(now - OVERLAP);
                heard.retain(|(at, _)| *at >= since);
                (seen, failed) = (heard, false);
            }
            // What changes meanwhile is told by the first look that succeeds.
            Err(error) => {
                if !std::mem::replace(&mut failed, true) {
                    tracing::warn!(%error, "can't look for changes");
                }
            }
        }
    }
}

/// What a look at the store gave.
struct Look {
    found: Vec<Told>,
    /// From when on there is more.
    rest: Option<Timestamp>,
}

/// What changed at `since` or later, up to [`MAX_PAGES`] pages.
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
        // Its last moment may have more; a page of one moment alone has to be left behind.
        from = if last > from { last } else { last + TimeDelta::microseconds(1) };
    }
    Ok(Look { found, rest: Some(from) })
}
