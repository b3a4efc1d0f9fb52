//! Lead index of this process, kept in sync with the database.
//!
//! Before each lookup, the index is updated to include everything that the caller's snapshot sees. A result therefore includes every write
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

use super::change_log::{self, LeadState, StateComparison};
use super::{Database, Session};
use crate::blocking_pool::{BlockingPool, core_count};
use crate::low_priority::LowPriorityPool;
use crate::storage::{LeadIndexStats, LookupLead, LookupResult, SerializedLead, StoreError};

mod loader;
#[cfg(test)]
mod tests;

use loader::{LeadUpdates, build};

/// Above this many pending changes the index is rebuilt instead of updated. Until the rebuild is done, queries use SQL.
const MAX_INCREMENTAL_CHANGES: usize = 50_000;

/// Interval between background updates, so that queries after a bulk write don't have to catch up.
const UPDATE_INTERVAL: Duration = Duration::from_millis(500);

/// Threads for lookups that read much of the index: half the number of cores, which leaves the other cores to short lookups.
static SLOW_LOOKUP_POOL: LazyLock<LowPriorityPool> =
    LazyLock::new(|| LowPriorityPool::new("lookup", core_count() / 2).expect("threads can be started"));

/// Threads for short lookups that wait for an update of the index.
static FAST_LOOKUP_POOL: LazyLock<BlockingPool> = LazyLock::new(|| BlockingPool::new(4 * core_count()));

/// Delay before the index is rebuilt after a failure.
const REBUILD_RETRY_DELAY: Duration = Duration::from_secs(5);

/// The index, if it is built, and the database state that it reflects.
#[derive(Debug, Default)]
pub(super) struct IndexCache {
    /// Async code only tries this lock: a change may hold it for some milliseconds, and a waiting writer blocks all new readers. Costly
    /// lookups read a [snapshot](Self::snapshot) instead of holding it.
    index: RwLock<Option<Arc<LeadIndex>>>,
    /// Database state that the index fully includes; `None` if there is no index. Held only briefly.
    state: Mutex<Option<LeadState>>,
    /// Lock for updating or rebuilding the index, moved into that work. Waiting for it holds no connection.
    update_lock: Arc<tokio::sync::Mutex<()>>,
    /// True while the index is being compacted. That takes seconds, so requests don't wait for it.
    is_compacting: AtomicBool,
    /// Notified when the index is dropped.
    dropped: Notify,
    /// Last time at which the index was known to be in sync with the database.
    last_synced_at: Mutex<Option<Instant>>,
}

#[derive(Debug)]
struct BuiltIndex {
    index: LeadIndex,
    state: LeadState,
}

impl IndexCache {
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

    fn replace_contents(&self, contents: Option<BuiltIndex>) {
        let (index, state) = contents.map(|BuiltIndex { index, state }| (Arc::new(index), state)).unzip();
        let mut contents = self.index.write().unwrap_or_else(PoisonError::into_inner);
        let old = std::mem::replace(&mut *contents, index);
        *self.state() = state;
        drop(contents);
        // Dropped after the lock is released, because freeing a million leads takes time.
        drop(old);
    }

    /// True if the index is built.
    fn is_built(&self) -> bool {
        self.state().is_some()
    }

    /// Returns true if the index includes everything that the session sees; `None` if there is no index.
    fn is_current(&self, session: &dyn Session) -> Result<Option<bool>, StoreError> {
        // Read before the session's first statement, which takes its snapshot; see `change_log::compare_state`.
        let Some(known_state) = self.state().clone() else { return Ok(None) };
        Ok(Some(change_log::compare_state(session, &known_state)?.1 == StateComparison::Unchanged))
    }

    /// Updates the index to include everything that the session sees. False if there is no index or it had to be dropped. The caller must
    /// hold the [`update_lock`](Self::update_lock).
    fn update(&self, session: &dyn Session) -> Result<bool, StoreError> {
        // Read while holding the update lock, and before the session's first statement, which takes its snapshot. Within one history, the
        // snapshot then includes all changes that earlier updates applied to the index.
        let Some(known_state) = self.state().clone() else { return Ok(false) };
        let (state, comparison) = change_log::compare_state(session, &known_state)?;
        match comparison {
            StateComparison::Unchanged => {
                self.mark_synced();
                return Ok(true);
            }
            StateComparison::Changed => {}
            StateComparison::Diverged => {
                self.drop_index("the database was restarted, restored or failed over");
                return Ok(false);
            }
        }
        let changes = change_log::changes_since(session, &known_state)?
            .filter(|changes| changes.leads.len() <= MAX_INCREMENTAL_CHANGES);
        let Some(changes) = changes else {
            self.drop_index("too many leads changed for an update");
            return Ok(false);
        };
        let updates = LeadUpdates::read(session, &changes)?;
        let is_applied = self.apply_change(state, |index| updates.apply(index));
        if is_applied {
            self.mark_synced();
        }
        Ok(is_applied)
    }

    /// Applies a change that brings the index to `state`. False if there is no index or the change panics. A partly changed index would
    /// give wrong results, so it is dropped.
    fn apply_change(&self, state: LeadState, change: impl FnOnce(&mut LeadIndex)) -> bool {
        let mut guard = self.index.write().unwrap_or_else(PoisonError::into_inner);
        let Some(mut index) = guard.take() else { return false };
        // After a panic, the partly changed index is dropped here and no reader sees it.
        let result = catch_unwind(AssertUnwindSafe(move || {
            change(Arc::make_mut(&mut index));
            index
        }));
        *guard = result.ok();
        let succeeded = guard.is_some();
        *self.state() = succeeded.then_some(state);
        drop(guard);
        if !succeeded {
            tracing::error!("update of the lead index panicked");
            self.drop_index("an update was incomplete");
        }
        succeeded
    }

    fn mark_synced(&self) {
        *self.last_synced_at.lock().unwrap_or_else(PoisonError::into_inner) = Some(Instant::now());
    }

    /// Size of the index, and the time since it was last known to be in sync; `None` if there is no index. Blocks.
    pub(super) fn stats(&self) -> Option<LeadIndexStats> {
        let last_synced_at = *self.last_synced_at.lock().unwrap_or_else(PoisonError::into_inner);
        let lag = last_synced_at.map_or(Duration::ZERO, |time| time.elapsed());
        self.read().as_ref().map(|index| LeadIndexStats { leads: index.len(), bytes: index.bytes(), lag })
    }

    /// True if enough leads were added out of order or deleted that a compaction pays off. Blocks.
    fn needs_compaction(&self) -> bool {
        self.read().as_ref().is_some_and(|index| index.needs_rebuild())
    }

    /// Replaces the index with a compacted copy. The caller must hold the [`update_lock`](Self::update_lock), so no
    /// change is lost and no writer waits for the index lock; readers are not blocked while the copy is made. Blocks
    /// the calling thread.
    fn compact(&self) {
        let compacted = self.read().as_ref().map(|index| index.rebuild());
        let state = self.state().clone();
        self.replace_contents(compacted.zip(state).map(|(index, state)| BuiltIndex { index, state }));
    }

    /// Drops the index. Lookups use SQL until [`maintain`] has rebuilt it.
    fn drop_index(&self, reason: &str) {
        tracing::info!(reason, "rebuilding the lead index; queries use SQL until it is ready");
        self.replace_contents(None);
        self.dropped.notify_one();
    }
}

/// Looks up a filter in the index, including everything committed before the call. `None` if there is no index.
pub(super) async fn look_up<D: Database>(
    database: &D,
    index: &Arc<IndexCache>,
    filter: &CheckedFilter,
    now: Timestamp,
) -> Result<Option<LookupResult>, StoreError> {
    if !sync_index(database, index).await? {
        return Ok(None);
    }
    // Evaluates inline when the query is about as cheap as a thread hop.
    let inline_result =
        index.try_read().map(|index| index.as_ref().map(|index| query_index_if_quick(index, filter, now)));
    let result = match inline_result {
        Some(result) => result,
        None => {
            let (index, filter) = (Arc::clone(index), filter.clone());
            let result = move || index.read().as_ref().map(|index| query_index_if_quick(index, &filter, now));
            FAST_LOOKUP_POOL.run(result).await?
        }
    };
    match result {
        None => Ok(None),
        Some(Some(found)) => Ok(Some(found)),
        Some(None) => {
            let filter = filter.clone();
            query_on_slow_pool(index, move |index| query_index(index, &filter, now)).await
        }
    }
}

/// Most frequent values of a field; `None` if there is no index.
pub(super) async fn field_values<D: Database>(
    database: &D,
    index: &Arc<IndexCache>,
    field: &FieldRef,
    prefix: &str,
    count: u32,
) -> Result<Option<Vec<FieldValue>>, StoreError> {
    if !sync_index(database, index).await? {
        return Ok(None);
    }
    // Runs on a worker thread: a field with unique values has up to a million of them.
    let (field, prefix) = (field.clone(), prefix.to_owned());
    query_on_slow_pool(index, move |index| index.frequent_values(&field, &prefix, count as usize)).await
}

/// Updates the index to include everything committed before the call. False if that fails or there is no index.
async fn sync_index<D: Database>(database: &D, index: &Arc<IndexCache>) -> Result<bool, StoreError> {
    if !index.is_built() {
        return Ok(false);
    }
    let cache = Arc::clone(index);
    match database.read_point(move |session| cache.is_current(session)).await? {
        Some(true) => Ok(true),
        Some(false) => update_index(database, index).await,
        None => Ok(false),
    }
}

/// Updates the index to include everything committed before the call. False if there is no index, it is being compacted, or it had to be
/// dropped.
async fn update_index<D: Database>(database: &D, index: &Arc<IndexCache>) -> Result<bool, StoreError> {
    if index.is_compacting.load(Ordering::Relaxed) {
        return Ok(false);
    }
    let guard = Arc::clone(&index.update_lock).lock_owned().await;
    let cache = Arc::clone(index);
    let work = move |session: &dyn Session| {
        let _guard = &guard;
        cache.update(session)
    };
    database.read_urgent(work).await
}

/// Queries a snapshot of the index on a low-priority thread; `None` if there is no index.
async fn query_on_slow_pool<T: Send + 'static>(
    index: &Arc<IndexCache>,
    query: impl FnOnce(&LeadIndex) -> T + Send + 'static,
) -> Result<Option<T>, StoreError> {
    let index = Arc::clone(index);
    // The snapshot is taken on that thread, so that waiting lookups don't keep old columns in memory.
    let result = SLOW_LOOKUP_POOL.run(move || index.snapshot().map(|index| query(&index))).await;
    result.map_err(|error| StoreError::Failed(Box::new(error)))
}

/// Maintains the index: builds it, updates it at intervals, and rebuilds it after it was dropped. Never returns.
pub(super) async fn maintain<D: Database>(database: &D, index: &Arc<IndexCache>) {
    loop {
        if let Err(error) = rebuild(database, index).await {
            tracing::warn!(error = &error as &dyn std::error::Error, "can't build the lead index; queries use SQL");
            tokio::time::sleep(REBUILD_RETRY_DELAY).await;
            continue;
        }
        update_periodically(database, index).await;
    }
}

/// Builds the index.
pub(super) async fn rebuild<D: Database>(database: &D, index: &IndexCache) -> Result<(), StoreError> {
    let started = Instant::now();
    let built = build(database).await?;
    let (leads, megabytes) = (built.index.len(), built.index.bytes() / 1_000_000);
    tracing::info!(leads, megabytes, seconds = started.elapsed().as_secs_f64(), "lead index built");
    index.replace_contents(Some(built));
    index.mark_synced();
    Ok(())
}

/// Updates the index at intervals until it is dropped.
async fn update_periodically<D: Database>(database: &D, index: &Arc<IndexCache>) {
    while index.is_built() {
        match update_index(database, index).await {
            Ok(_) => {
                let cache = Arc::clone(index);
                if FAST_LOOKUP_POOL.run(move || cache.needs_compaction()).await.unwrap_or_default() {
                    compact_index(index).await;
                }
            }
            // The next lookup reports the failure.
            Err(error) => tracing::debug!(error = &error as &dyn std::error::Error, "can't update the lead index"),
        }
        let _ = tokio::time::timeout(UPDATE_INTERVAL, index.dropped.notified()).await;
    }
}

/// Compacts the index. Until that is done, lookups use the index while no lead changes, and SQL otherwise.
async fn compact_index(index: &Arc<IndexCache>) {
    let started = Instant::now();
    index.is_compacting.store(true, Ordering::Relaxed);
    let guard = Arc::clone(&index.update_lock).lock_owned().await;
    let cache = Arc::clone(index);
    let work = move || {
        let _guard = guard;
        cache.compact();
    };
    let result = tokio::task::spawn_blocking(work).await;
    index.is_compacting.store(false, Ordering::Relaxed);
    match result {
        Ok(()) => tracing::info!(seconds = started.elapsed().as_secs_f64(), "lead index compacted"),
        Err(error) => {
            tracing::error!(%error, "can't compact the lead index");
            index.drop_index("compaction failed");
        }
    }
}

/// Result of the index if it takes at most about a millisecond; `None` if it may take longer.
fn query_index_if_quick(index: &LeadIndex, filter: &CheckedFilter, now: Timestamp) -> Option<LookupResult> {
    index.is_quick(filter).then(|| query_index(index, filter, now))
}

/// Result of the index, copied out of it.
fn query_index(index: &LeadIndex, filter: &CheckedFilter, now: Timestamp) -> LookupResult {
    let page = index.look_up(filter, now);
    let leads = page.leads.iter().map(|lead| LookupLead {
        lead: SerializedLead::new(lead.row.to_packed()),
        campaign_leads: page
            .campaign_leads(lead)
            .iter()
            .map(|campaign_lead| campaign_lead.to_campaign_lead(now))
            .collect(),
        is_in_campaign: lead.is_in_campaign,
    });
    let campaign_ids: BTreeSet<CampaignId> =
        page.all_campaign_leads().iter().map(|campaign_lead| campaign_lead.campaign_id).collect();
    let campaigns = campaign_ids.into_iter().filter_map(|id| index.campaign(id)).cloned();
    LookupResult {
        leads: leads.collect(),
        total: page.total,
        has_more: page.has_more,
        campaigns: campaigns.collect(),
        statuses: Arc::clone(index.statuses()),
    }
}
