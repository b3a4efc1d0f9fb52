//! The lead index of this process, kept in step with the database.
//!
//! Before each answer the index is brought to a state that has all that the asker's snapshot has, so that an answer has
//! every write that was committed before it was asked for. While the index isn't there, or may not be changed, the look-up
//! in SQL answers.

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
use crate::blocking_pool::BlockingPool;
use crate::low_priority::LowPriorityPool;
use crate::storage::{Found, FoundLead, LeadIndexState, StoreError};

mod read;
#[cfg(test)]
mod tests;

use read::{News, build};

/// More changed leads than this are not followed one by one: reading all anew is quicker, and SQL answers meanwhile.
const MOST_CHANGES: usize = 50_000;

/// How often the index is brought up to date while nobody asks, so that whoever asks next needn't wait for what others
/// wrote in bulk.
const EVERY: Duration = Duration::from_millis(500);

/// Threads for look-ups that go through much of the index: half as many as there are cores, so that short look-ups get the others.
static COSTLY: LazyLock<LowPriorityPool> =
    LazyLock::new(|| LowPriorityPool::new("look-up", cores() / 2).expect("the system starts threads"));

/// Threads for short look-ups that wait for a change of the index.
static BRIEF: LazyLock<BlockingPool> = LazyLock::new(|| BlockingPool::new(4 * cores()));

/// How long after a failure the index is built again.
const AFTER_FAILURE: Duration = Duration::from_secs(5);

/// The index, if there is one, and the state of the database that it has.
#[derive(Debug, Default)]
pub(super) struct KeptIndex {
    /// Where other requests wait for their turn, it is only tried: somebody may read for seconds, and whoever then wants to
    /// change it makes all others wait.
    index: RwLock<Option<LeadIndex>>,
    /// A state of which the index has everything; none when there is no index. Never held for long.
    state: Mutex<Option<LeadState>>,
    /// The turn to bring the index up to date, or to put it in order. It moves into that work. Waiting for it takes no connection.
    turn: Arc<tokio::sync::Mutex<()>>,
    /// Whether it is being put in order: that takes seconds, for which nobody should wait.
    in_repair: AtomicBool,
    /// Rung when the index was given up.
    given_up: Notify,
    /// When it was last seen to be in step with the database.
    in_step: Mutex<Option<Instant>>,
}

#[derive(Debug)]
struct Kept {
    index: LeadIndex,
    state: LeadState,
}

impl KeptIndex {
    /// Blocks while somebody changes the index, or wants to.
    fn read(&self) -> RwLockReadGuard<'_, Option<LeadIndex>> {
        self.index.read().unwrap_or_else(PoisonError::into_inner)
    }

    /// The index, unless somebody changes it, or wants to.
    fn try_read(&self) -> Option<RwLockReadGuard<'_, Option<LeadIndex>>> {
        match self.index.try_read() {
            Ok(index) => Some(index),
            Err(TryLockError::Poisoned(poisoned)) => Some(poisoned.into_inner()),
            Err(TryLockError::WouldBlock) => None,
        }
    }

    fn state(&self) -> MutexGuard<'_, Option<LeadState>> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn replace(&self, kept: Option<Kept>) {
        let (index, state) = kept.map(|Kept { index, state }| (index, state)).unzip();
        let mut kept = self.index.write().unwrap_or_else(PoisonError::into_inner);
        let old = std::mem::replace(&mut *kept, index);
        *self.state() = state;
        drop(kept);
        // Dropped without the lock: a million leads take some time.
        drop(old);
    }

    /// Whether there is an index.
    fn is_there(&self) -> bool {
        self.state().is_some()
    }

    /// Whether the index has all that the session sees; none when there is no index.
    fn is_current(&self, session: &dyn Session) -> Result<Option<bool>, StoreError> {
        // Before the session's first statement, with which its snapshot is taken: see `lead_changes::progress`.
        let Some(known) = self.state().clone() else { return Ok(None) };
        Ok(Some(lead_changes::progress(session, &known)?.1 == Progress::Unchanged))
    }

    /// Brings the index to a state that has all that the session sees. False when there is no index, or it had to be given up. The
    /// caller has the [turn](Self::turn).
    fn follow(&self, session: &dyn Session) -> Result<bool, StoreError> {
        // In this turn, and before the session's first statement, with which its snapshot is taken: so within one history the
        // snapshot has all that the turns before brought into the index.
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

    /// Brings the index to `state` by a change. False when there is no index, or the change panics: half changed, the index would
    /// answer wrongly, so it is given up.
    fn change(&self, state: LeadState, change: impl FnOnce(&mut LeadIndex)) -> bool {
        let mut kept = self.index.write().unwrap_or_else(PoisonError::into_inner);
        let Some(mut index) = kept.take() else { return false };
        // What is half changed is dropped here, and nobody sees it.
        let changed = catch_unwind(AssertUnwindSafe(move || {
            change(&mut index);
            index
        }));
        *kept = changed.ok();
        let is_changed = kept.is_some();
        *self.state() = is_changed.then_some(state);
        drop(kept);
        if !is_changed {
            tracing::error!("a change of the lead index panicked");
            self.give_up("it may be half changed");
        }
        is_changed
    }

    fn is_in_step(&self) {
        *self.in_step.lock().unwrap_or_else(PoisonError::into_inner) = Some(Instant::now());
    }

    /// How large it is, and since when it hasn't been seen to be in step; none when there is no index. Blocks.
    pub(super) fn look(&self) -> Option<LeadIndexState> {
        let in_step = *self.in_step.lock().unwrap_or_else(PoisonError::into_inner);
        let behind = in_step.map_or(Duration::ZERO, |at| at.elapsed());
        self.read().as_ref().map(|index| LeadIndexState { leads: index.len(), bytes: index.bytes(), behind })
    }

    /// Whether so many leads came late or were deleted that the index is worth putting in order. Blocks.
    fn wants_rebuild(&self) -> bool {
        self.read().as_ref().is_some_and(LeadIndex::wants_rebuild)
    }

    /// Replaces the index by a copy in order, which is made beside it. Blocks. The caller has the [turn](Self::turn): so no change is
    /// lost, and no change waits for the lock, so that all readers go on.
    fn put_in_order(&self) {
        let in_order = self.read().as_ref().map(LeadIndex::rebuilt);
        let state = self.state().clone();
        self.replace(in_order.zip(state).map(|(index, state)| Kept { index, state }));
    }

    /// Drops the index. Look-ups are answered by SQL until [`keep`] has built it again.
    fn give_up(&self, reason: &str) {
        tracing::info!(reason, "the lead index is given up and built again; SQL answers meanwhile");
        self.replace(None);
        self.given_up.notify_one();
    }
}

/// The answer to a filter, of a state that has all that was committed before; none when there is no index.
pub(super) async fn look_up<D: Database>(
    database: &D,
    index: &Arc<KeptIndex>,
    filter: &CheckedFilter,
    now: Timestamp,
) -> Result<Option<Found>, StoreError> {
    if !bring_in_step(database, index).await? {
        return Ok(None);
    }
    // Answers inline if that takes less than the change to another thread would, or little more.
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

/// The values of a field that most leads have; none when there is no index.
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
    // Of a field in which each lead has its own value, a million are looked at.
    let (field, prefix) = (field.clone(), prefix.to_owned());
    look_up_behind(index, move |index| index.frequent_values(&field, &prefix, count as usize)).await
}

/// Brings the index to a state that has all that was committed before. False when it can't be, or there is none.
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

/// Brings the index to a state that has all that was committed before. False when there is no index, it is being put in order, or
/// it had to be given up.
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

/// Asks the index on a thread that yields to other requests; none when there is no index.
async fn look_up_behind<T: Send + 'static>(
    index: &Arc<KeptIndex>,
    ask: impl FnOnce(&LeadIndex) -> T + Send + 'static,
) -> Result<Option<T>, StoreError> {
    let index = Arc::clone(index);
    COSTLY.run(move || index.read().as_ref().map(ask)).await.map_err(failed)
}

fn failed(error: impl std::error::Error + Send + Sync + 'static) -> StoreError {
    StoreError::Failed(Box::new(error))
}

fn cores() -> usize {
    std::thread::available_parallelism().map_or(2, usize::from)
}

/// Keeps the index: builds it, brings it up to date now and then, and builds it again when it was given up. Never ends.
pub(super) async fn keep<D: Database>(database: &D, index: &Arc<KeptIndex>) {
    loop {
        if let Err(error) = rebuild(database, index).await {
            tracing::warn!(error = &error as &dyn std::error::Error, "can't build the lead index; SQL answers");
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
    tracing::info!(leads, megabytes, seconds = begun.elapsed().as_secs_f64(), "the lead index is built");
    index.replace(Some(kept));
    index.is_in_step();
    Ok(())
}

/// Brings the index up to date now and then, until it is given up.
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
            Err(error) => tracing::debug!(error = &error as &dyn std::error::Error, "the lead index can't follow"),
        }
        let _ = tokio::time::timeout(EVERY, index.given_up.notified()).await;
    }
}

/// Puts the index in order; it answers meanwhile as long as nothing changes, and otherwise SQL does.
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
        Ok(()) => tracing::info!(seconds = begun.elapsed().as_secs_f64(), "the lead index is put in order"),
        Err(error) => {
            tracing::error!(%error, "can't put the lead index in order");
            index.give_up("it can't be put in order");
        }
    }
}

/// The answer of the index, if it takes a millisecond at most; none if it may take longer.
fn found_if_quick(index: &LeadIndex, filter: &CheckedFilter, now: Timestamp) -> Option<Found> {
    index.is_quick(filter).then(|| found(index, filter, now))
}

/// What the index answers, copied out of it.
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
