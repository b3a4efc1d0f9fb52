//! Lead index of this process, kept in sync with the database.
//!
//! Before each answer, the index is updated to include everything that the caller's snapshot sees. An answer therefore includes every write
//! that was committed before the request. While the index is missing or can't be updated, queries run in SQL.

use std::collections::BTreeSet;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, LazyLock, Mutex, MutexGuard, PoisonError, RwLock, RwLockReadGuard, TryLockError};
use std::time::{Duration, Instant};

use leadscribe_engine::api::*;
use leadscribe_engine::filter::CheckedFilter;
use leadscribe_engine::filter::predicate::FieldRef;
use leadscribe_lead_index::LeadIndex;
use tokio::sync::Notify;

use super::lead_changes::{self, LeadState, Progress};
use super::{Database, Session};
use crate::blocking_pool::{BlockingPool, cores};
use crate::low_priority::LowPriorityPool;
use crate::storage::{Found, FoundLead, LeadIndexState, StoreError};

mod read;
#[cfg(test)]
mod tests;

use read::{News, build};

/// Above this many pending changes the index is rebuilt instead of updated. SQL answers queries until the rebuild is done.
const MOST_CHANGES: usize = 50_000;

/// Interval between background updates, so that queries after a bulk write don't have to catch up.
const EVERY: Duration = Duration::from_millis(500);

/// Threads for look-ups that read much of the index: half the number of cores, which leaves the other cores to short look-ups.
static COSTLY: LazyLock<LowPriorityPool> =
    LazyLock::new(|| LowPriorityPool::new("look-up", cores() / 2).expect("the system starts threads"));

/// Threads for short look-ups that wait for an update of the index.
static BRIEF: LazyLock<BlockingPool> = LazyLock::new(|| BlockingPool::new(4 * cores()));

/// Delay before the index is rebuilt after a failure.
const AFTER_FAILURE: Duration = Duration::from_secs(5);

/// The index, if it is built, and the database state that it reflects.
#[derive(Debug, Default)]
pub(super) struct KeptIndex {
    /// Async code only tries this lock: a change may hold it for some milliseconds, and a waiting writer blocks all new readers. Costly
    /// look-ups read a [snapshot](Self::snapshot) instead of holding it.
    index: RwLock<Option<Arc<LeadIndex>>>,
    /// Database state that the index fully includes; `None` if there is no index. Held only briefly.
    state: Mutex<Option<LeadState>>,
    /// Lock for updating or rebuilding the index, moved into that work. Waiting for it holds no connection.
    turn: Arc<tokio::sync::Mutex<()>>,
    /// True while the index is being compacted. That takes seconds, so requests don't wait for it.
    in_repair: AtomicBool,
    /// Notified when the index is dropped.
    given_up: Notify,
    /// Last time at which the index was known to be in sync with the database.
    in_step: Mutex<Option<Instant>>,
}

#[derive(Debug)]
struct Kept {
    index: LeadIndex,
    state: LeadState,
}

impl KeptIndex {
    /// Read lock on the index. Blocks while another thread writes or waits to write.
    fn read(&self) -> RwLockReadGuard<'_, Option<Arc<LeadIndex>>> {
        self.index.read().unwrap_or_else(PoisonError::into_inner)
    }

    /// Read lock on the index; `None` while another thread writes or waits to write.
    fn try_read(&self) -> Option<RwLockReadGuard<'_, Option<Arc<LeadIndex>>>> {
        match self.index.try_read() {
            Ok(index) => Some(index),
            Err(TryLockError::Poisoned(poisoned)) => Some(poisoned.into_inner()),
            Err(TryLockError::WouldBlock) => None,
        }
    }

    /// The index as it is now, which later changes don't affect. While it exists, changes copy the columns that they touch. Blocks.
    fn snapshot(&self) -> Option<Arc<LeadIndex>> {
        self.read().clone()
    }

    fn state(&self) -> MutexGuard<'_, Option<LeadState>> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn replace(&self, kept: Option<Kept>) {
        let (index, state) = kept.map(|Kept { index, state }| (Arc::new(index), state)).unzip();
        let mut kept = self.index.write().unwrap_or_else(PoisonError::into_inner);
        let old = std::mem::replace(&mut *kept, index);
        *self.state() = state;
        drop(kept);
        // Dropped after the lock is released, because freeing a million leads takes time.
        drop(old);
    }

    /// True if the index is built.
    fn is_there(&self) -> bool {
        self.state().is_some()
    }

    /// Returns true if the index includes everything that the session sees; `None` if there is no index.
    fn is_current(&self, session: &dyn Session) -> Result<Option<bool>, StoreError> {
        // Read before the session's first statement, which takes its snapshot; see `lead_changes::progress`.
        let Some(known) = self.state().clone() else { return Ok(None) };
        Ok(Some(lead_changes::progress(session, &known)?.1 == Progress::Unchanged))
    }

    /// Updates the index to include everything that the session sees. False if there is no index or it had to be dropped. The caller must
    /// hold the [turn](Self::turn).
    fn follow(&self, session: &dyn Session) -> Result<bool, StoreError> {
        // Read while holding the turn and before the session's first statement, which takes its snapshot. Within one history, the snapshot
        // then includes all changes that earlier turns applied to the index.
        let Some(known) = self.state().clone() else { return Ok(false) };
        let (state, progress) = lead_changes::progress(session, &known)?;
        match progress {
            Progress::Unchanged => {
                self.is_in_step();
                return Ok(true);
            }
            Progress::Changed => {}
            Progress::Diverged => {
                self.give_up("the database was restarted, restored or failed over");
                return Ok(false);
            }
        }
        let changes = lead_changes::since(session, &known)?.filter(|changes| changes.leads.len() <= MOST_CHANGES);
        let Some(changes) = changes else {
            self.give_up("more leads changed than are worth following");
            return Ok(false);
        };
        let news = News::read(session, &changes)?;
        let is_changed = self.change(state, |index| news.apply(index));
        if is_changed {
            self.is_in_step();
        }
        Ok(is_changed)
    }

    /// Applies a change that brings the index to `state`. False if there is no index or the change panics. A partly changed index would
    /// give wrong answers, so it is dropped.
    fn change(&self, state: LeadState, change: impl FnOnce(&mut LeadIndex)) -> bool {
        let mut kept = self.index.write().unwrap_or_else(PoisonError::into_inner);
        let Some(mut index) = kept.take() else { return false };
        // After a panic, the partly changed index is dropped here and no reader sees it.
        let changed = catch_unwind(AssertUnwindSafe(move || {
            change(Arc::make_mut(&mut index));
            index
        }));
        *kept = changed.ok();
        let is_changed = kept.is_some();
        *self.state() = is_changed.then_some(state);
        drop(kept);
        if !is_changed {
            tracing::error!("update of the lead index panicked");
            self.give_up("an update was incomplete");
        }
        is_changed
    }

    fn is_in_step(&self) {
        *self.in_step.lock().unwrap_or_else(PoisonError::into_inner) = Some(Instant::now());
    }

    /// Size of the index, and the time since it was last known to be in sync; `None` if there is no index. Blocks.
    pub(super) fn look(&self) -> Option<LeadIndexState> {
        let in_step = *self.in_step.lock().unwrap_or_else(PoisonError::into_inner);
        let behind = in_step.map_or(Duration::ZERO, |at| at.elapsed());
        self.read().as_ref().map(|index| LeadIndexState { leads: index.len(), bytes: index.bytes(), behind })
    }

    /// True if enough leads were added late or deleted that a compaction pays off. Blocks.
    fn wants_rebuild(&self) -> bool {
        self.read().as_ref().is_some_and(|index| index.wants_rebuild())
    }

    /// Replaces the index by a compacted copy. The caller must hold the [turn](Self::turn), so no change is lost and no writer waits for
    /// the lock; readers are not blocked while the copy is made. Blocks the calling thread.
    fn put_in_order(&self) {
        let in_order = self.read().as_ref().map(|index| index.rebuilt());
        let state = self.state().clone();
        self.replace(in_order.zip(state).map(|(index, state)| Kept { index, state }));
    }

    /// Drops the index. SQL answers look-ups until [`keep`] has rebuilt it.
    fn give_up(&self, reason: &str) {
        tracing::info!(reason, "rebuilding the lead index; queries use SQL until it is ready");
        self.replace(None);
        self.given_up.notify_one();
    }
}

/// Answers a filter from the index, including everything committed before the call. `None` if there is no index.
pub(super) async fn look_up<D: Database>(
    database: &D,
    index: &Arc<KeptIndex>,
    filter: &CheckedFilter,
    now: Timestamp,
) -> Result<Option<Found>, StoreError> {
    if !bring_in_step(database, index).await? {
        return Ok(None);
    }
    // Evaluates inline when the query is about as cheap as a thread hop.
    let inline = index.try_read().map(|index| index.as_ref().map(|index| found_if_quick(index, filter, now)));
    let answer = match inline {
        Some(answer) => answer,
        None => {
            let (index, filter) = (Arc::clone(index), filter.clone());
            let answer = move || index.read().as_ref().map(|index| found_if_quick(index, &filter, now));
            BRIEF.run(answer).await.map_err(failed)?
        }
    };
    match answer {
        None => Ok(None),
        Some(Some(found)) => Ok(Some(found)),
        Some(None) => {
            let filter = filter.clone();
            look_up_behind(index, move |index| found(index, &filter, now)).await
        }
    }
}

/// Most frequent values of a field; `None` if there is no index.
pub(super) async fn field_values<D: Database>(
    database: &D,
    index: &Arc<KeptIndex>,
    field: &FieldRef,
    prefix: &str,
    count: u32,
) -> Result<Option<Vec<FieldValue>>, StoreError> {
    if !bring_in_step(database, index).await? {
        return Ok(None);
    }
    // Runs on a worker thread: a field with unique values has up to a million of them.
    let (field, prefix) = (field.clone(), prefix.to_owned());
    look_up_behind(index, move |index| index.frequent_values(&field, &prefix, count as usize)).await
}

/// Updates the index to include everything committed before the call. False if that fails or there is no index.
async fn bring_in_step<D: Database>(database: &D, index: &Arc<KeptIndex>) -> Result<bool, StoreError> {
    if !index.is_there() {
        return Ok(false);
    }
    let asked = Arc::clone(index);
    match database.ask(move |session| asked.is_current(session)).await? {
        Some(true) => Ok(true),
        Some(false) => follow(database, index).await,
        None => Ok(false),
    }
}

/// Updates the index to include everything committed before the call. False if there is no index, it is being compacted, or it had to be
/// dropped.
async fn follow<D: Database>(database: &D, index: &Arc<KeptIndex>) -> Result<bool, StoreError> {
    if index.in_repair.load(Ordering::Relaxed) {
        return Ok(false);
    }
    let turn = Arc::clone(&index.turn).lock_owned().await;
    let follower = Arc::clone(index);
    let work = move |session: &dyn Session| {
        let _turn = &turn;
        follower.follow(session)
    };
    database.read_urgent(work).await
}

/// Queries a snapshot of the index on a low-priority thread; `None` if there is no index.
async fn look_up_behind<T: Send + 'static>(
    index: &Arc<KeptIndex>,
    ask: impl FnOnce(&LeadIndex) -> T + Send + 'static,
) -> Result<Option<T>, StoreError> {
    let index = Arc::clone(index);
    // Taken on that thread, so that look-ups that wait for it don't keep old columns.
    COSTLY.run(move || index.snapshot().map(|index| ask(&index))).await.map_err(failed)
}

fn failed(error: impl std::error::Error + Send + Sync + 'static) -> StoreError {
    StoreError::Failed(Box::new(error))
}

/// Maintains the index: builds it, updates it at intervals, and rebuilds it after it was dropped. Never returns.
pub(super) async fn keep<D: Database>(database: &D, index: &Arc<KeptIndex>) {
    loop {
        if let Err(error) = rebuild(database, index).await {
            tracing::warn!(error = &error as &dyn std::error::Error, "can't build the lead index; queries use SQL");
            tokio::time::sleep(AFTER_FAILURE).await;
            continue;
        }
        keep_up(database, index).await;
    }
}

/// Builds the index.
pub(super) async fn rebuild<D: Database>(database: &D, index: &KeptIndex) -> Result<(), StoreError> {
    let begun = Instant::now();
    let kept = build(database).await?;
    let (leads, megabytes) = (kept.index.len(), kept.index.bytes() / 1_000_000);
    tracing::info!(leads, megabytes, seconds = begun.elapsed().as_secs_f64(), "lead index built");
    index.replace(Some(kept));
    index.is_in_step();
    Ok(())
}

/// Updates the index at intervals until it is dropped.
async fn keep_up<D: Database>(database: &D, index: &Arc<KeptIndex>) {
    while index.is_there() {
        match follow(database, index).await {
            Ok(_) => {
                let kept = Arc::clone(index);
                if BRIEF.run(move || kept.wants_rebuild()).await.unwrap_or_default() {
                    put_in_order(index).await;
                }
            }
            // The next look-up reports the failure.
            Err(error) => tracing::debug!(error = &error as &dyn std::error::Error, "can't update the lead index"),
        }
        let _ = tokio::time::timeout(EVERY, index.given_up.notified()).await;
    }
}

/// Compacts the index. Until that is done, the index answers while no lead changes; otherwise SQL does.
async fn put_in_order(index: &Arc<KeptIndex>) {
    let begun = Instant::now();
    index.in_repair.store(true, Ordering::Relaxed);
    let turn = Arc::clone(&index.turn).lock_owned().await;
    let repaired = Arc::clone(index);
    let work = move || {
        let _turn = turn;
        repaired.put_in_order();
    };
    let done = tokio::task::spawn_blocking(work).await;
    index.in_repair.store(false, Ordering::Relaxed);
    match done {
        Ok(()) => tracing::info!(seconds = begun.elapsed().as_secs_f64(), "lead index compacted"),
        Err(error) => {
            tracing::error!(%error, "can't compact the lead index");
            index.give_up("compaction failed");
        }
    }
}

/// Answer of the index if it takes at most about a millisecond; `None` if it may take longer.
fn found_if_quick(index: &LeadIndex, filter: &CheckedFilter, now: Timestamp) -> Option<Found> {
    index.is_quick(filter).then(|| found(index, filter, now))
}

/// Answer of the index, copied out of it.
fn found(index: &LeadIndex, filter: &CheckedFilter, now: Timestamp) -> Found {
    let page = index.look_up(filter, now);
    let leads = page.leads.iter().map(|lead| FoundLead {
        lead: lead.row.to_packed(),
        campaign_leads: page.campaign_leads(lead).iter().map(|one| one.to_campaign_lead(now)).collect(),
        in_campaign: lead.in_campaign,
    });
    let shown: BTreeSet<CampaignId> = page.all_campaign_leads().iter().map(|one| one.campaign_id).collect();
    let campaigns = shown.into_iter().filter_map(|id| index.campaign(id)).cloned();
    Found {
        leads: leads.collect(),
        total: page.total,
        more: page.more,
        campaigns: campaigns.collect(),
        statuses: Arc::clone(index.statuses()),
    }
}
