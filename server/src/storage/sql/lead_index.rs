//! The lead index of this process, kept in step with the database.
//!
//! Before each answer the index is brought to a state that has all that the asker's snapshot has, so that an answer has
//! every write that was committed before it was asked for. While the index isn't there, the look-up in SQL answers.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Arc, Mutex, PoisonError, RwLock, RwLockReadGuard};
use std::time::{Duration, Instant};

use leadscribe_engine::api::*;
use leadscribe_engine::filter::CheckedFilter;
use leadscribe_lead_index::{Builder, LeadIndex};
use tokio::sync::Notify;

use super::lead_changes::{self, LeadChanges};
use super::rows::{self, CAMPAIGN_COLUMNS, CAMPAIGN_LEAD_COLUMNS, LEAD_COLUMNS};
use super::{Bind, Database, Session, binds, statuses};
use crate::storage::{Found, FoundLead, StoreError};

/// Leads that are read at a time.
const CHUNK: usize = 4_096;

/// More changed leads than this are not followed one by one: reading all anew is quicker, and SQL answers meanwhile.
const MOST_CHANGES: usize = 50_000;

/// How often the index is brought up to date while nobody asks, so that whoever asks next needn't wait for what others
/// wrote in bulk.
const EVERY: Duration = Duration::from_millis(500);

/// How long after a failure the index is built again.
const AFTER_FAILURE: Duration = Duration::from_secs(5);

/// The index, if there is one, and the state of the database that it has.
#[derive(Debug, Default)]
pub(super) struct KeptIndex {
    kept: RwLock<Option<Kept>>,
    /// Held by the one who brings the index up to date.
    following: Mutex<()>,
    /// Rung when the index was given up.
    given_up: Notify,
}

#[derive(Debug)]
struct Kept {
    index: LeadIndex,
    state: String,
}

impl KeptIndex {
    fn read(&self) -> RwLockReadGuard<'_, Option<Kept>> {
        self.kept.read().unwrap_or_else(PoisonError::into_inner)
    }

    fn replace(&self, kept: Option<Kept>) {
        let old = std::mem::replace(&mut *self.kept.write().unwrap_or_else(PoisonError::into_inner), kept);
        // Dropped without the lock: a million leads take some time.
        drop(old);
    }

    /// Whether there is an index.
    fn is_there(&self) -> bool {
        self.read().is_some()
    }

    /// Whether the index has all that the session sees; none when there is no index.
    fn is_current(&self, session: &dyn Session) -> Result<Option<bool>, StoreError> {
        let Some(known) = self.state() else { return Ok(None) };
        Ok(Some(!lead_changes::news(session, &known)?.1))
    }

    /// Brings the index to a state that has all that the session sees. False when there is no index.
    fn follow(&self, session: &dyn Session) -> Result<bool, StoreError> {
        if let Some(true) = self.is_current(session)? {
            return Ok(true);
        }
        let _following = self.following.lock().unwrap_or_else(PoisonError::into_inner);
        // Whoever held the lock may have gone beyond what this session sees. Then it has no news for the index any more:
        // of two snapshots the later one sees all that the earlier one does.
        let Some(known) = self.state() else { return Ok(false) };
        let (state, has_news) = lead_changes::news(session, &known)?;
        if !has_news {
            return Ok(true);
        }
        let changes = lead_changes::since(session, &known)?.filter(|changes| changes.leads.len() <= MOST_CHANGES);
        let Some(changes) = changes else {
            self.give_up();
            return Ok(false);
        };
        let news = News::read(session, &changes)?;
        if let Some(kept) = &mut *self.kept.write().unwrap_or_else(PoisonError::into_inner) {
            news.apply(&mut kept.index);
            kept.state = state;
        }
        Ok(true)
    }

    fn state(&self) -> Option<String> {
        self.read().as_ref().map(|kept| kept.state.clone())
    }

    fn give_up(&self) {
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
    if !index.is_there() {
        return Ok(None);
    }
    let asked = Arc::clone(index);
    if database.ask(move |session| asked.is_current(session)).await? == Some(false) {
        let follower = Arc::clone(index);
        database.read_primary(move |session| follower.follow(session)).await?;
    }
    Ok(index.read().as_ref().map(|kept| found(&kept.index, filter, now)))
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
        tracing::info!("more leads changed than are worth following; the lead index is built again, and SQL answers");
    }
}

/// Builds the index.
pub(super) async fn rebuild<D: Database>(database: &D, index: &KeptIndex) -> Result<(), StoreError> {
    let begun = Instant::now();
    let kept = build(database).await?;
    let (leads, megabytes) = (kept.index.len(), kept.index.bytes() / 1_000_000);
    tracing::info!(leads, megabytes, seconds = begun.elapsed().as_secs_f64(), "the lead index is built");
    index.replace(Some(kept));
    Ok(())
}

/// Brings the index up to date now and then, until it is given up.
async fn keep_up<D: Database>(database: &D, index: &Arc<KeptIndex>) {
    while index.is_there() {
        let follower = Arc::clone(index);
        // A failure is nobody's yet; who looks leads up meanwhile is told.
        if let Err(error) = database.read_primary(move |session| follower.follow(session)).await {
            tracing::debug!(error = &error as &dyn std::error::Error, "the lead index can't follow");
        }
        let _ = tokio::time::timeout(EVERY, index.given_up.notified()).await;
    }
}

/// Reads all leads. What changes meanwhile has a later state than the index, and is followed.
async fn build<D: Database>(database: &D) -> Result<Kept, StoreError> {
    let (state, campaigns, statuses) = database
        .read_primary(|session| Ok((lead_changes::state(session)?, all_campaigns(session)?, statuses::all(session)?)))
        .await?;
    let (send, mut receive) = tokio::sync::mpsc::channel::<Vec<Whole>>(2);
    let building = tokio::task::spawn_blocking(move || {
        let mut builder = Builder::new(campaigns, statuses);
        while let Some(chunk) = receive.blocking_recv() {
            builder.extend(chunk.iter().map(|whole| (&whole.lead, whole.campaign_leads.as_slice())));
        }
        builder.finish()
    });
    let mut after = LeadId(0);
    loop {
        let chunk = database.read_primary(move |session| next_leads(session, after)).await?;
        let Some(last) = chunk.last() else { break };
        after = last.lead.id;
        if send.send(chunk).await.is_err() {
            break;
        }
    }
    drop(send);
    let index = building.await.map_err(|error| StoreError::Failed(Box::new(error)))?;
    Ok(Kept { index, state })
}

/// A lead with all its campaign leads.
struct Whole {
    lead: Lead,
    campaign_leads: Vec<CampaignLead>,
}

/// The leads that follow `after` in the order of ids, a few thousand at most.
fn next_leads(session: &dyn Session, after: LeadId) -> Result<Vec<Whole>, StoreError> {
    let sql = format!("SELECT {LEAD_COLUMNS} FROM leads WHERE id > ?1 ORDER BY id LIMIT {CHUNK}");
    let leads = session.query(&sql, &binds![after.0], rows::lead)?;
    let Some(last) = leads.last() else { return Ok(Vec::new()) };
    let sql = format!(
        "SELECT {CAMPAIGN_LEAD_COLUMNS} FROM campaign_leads c WHERE c.lead_id > ?1 AND c.lead_id <= ?2 ORDER BY c.lead_id"
    );
    let campaign_leads = session.query(&sql, &binds![after.0, last.id.0], rows::campaign_lead)?;
    Ok(with_campaign_leads(leads, campaign_leads))
}

/// Brings leads and campaign leads together; both are in the order of the leads' ids.
fn with_campaign_leads(leads: Vec<Lead>, campaign_leads: Vec<CampaignLead>) -> Vec<Whole> {
    let mut left = campaign_leads.into_iter().peekable();
    let whole = |lead: Lead| {
        let mut campaign_leads = Vec::new();
        while let Some(next) = left.next_if(|next| next.lead_id == lead.id) {
            campaign_leads.push(next);
        }
        Whole { lead, campaign_leads }
    };
    leads.into_iter().map(whole).collect()
}

fn all_campaigns(session: &dyn Session) -> Result<Vec<Campaign>, StoreError> {
    session.query(&format!("SELECT {CAMPAIGN_COLUMNS} FROM campaigns ORDER BY id"), &[], rows::campaign)
}

/// What changed, as it is now.
struct News {
    leads: BTreeMap<LeadId, Option<Whole>>,
    others: Option<(Vec<Campaign>, Vec<LeadStatus>)>,
}

impl News {
    fn read(session: &dyn Session, changes: &LeadChanges) -> Result<Self, StoreError> {
        let mut leads: BTreeMap<LeadId, Option<Whole>> = changes.leads.iter().map(|id| (*id, None)).collect();
        let ids: Vec<i64> = changes.leads.iter().map(|id| id.0).collect();
        let dialect = session.dialect();
        for chunk in ids.chunks(CHUNK) {
            let chosen = [Bind::ids(chunk.iter().copied())];
            let of_ids = dialect.is_any_of("id", "?1");
            let sql = format!("SELECT {LEAD_COLUMNS} FROM leads WHERE {of_ids} ORDER BY id");
            let found = session.query(&sql, &chosen, rows::lead)?;
            let of_leads = dialect.is_any_of("c.lead_id", "?1");
            let sql =
                format!("SELECT {CAMPAIGN_LEAD_COLUMNS} FROM campaign_leads c WHERE {of_leads} ORDER BY c.lead_id");
            let campaign_leads = session.query(&sql, &chosen, rows::campaign_lead)?;
            for whole in with_campaign_leads(found, campaign_leads) {
                leads.insert(whole.lead.id, Some(whole));
            }
        }
        let others = if changes.others { Some((all_campaigns(session)?, statuses::all(session)?)) } else { None };
        Ok(Self { leads, others })
    }

    fn apply(self, index: &mut LeadIndex) {
        if let Some((campaigns, statuses)) = self.others {
            index.set_campaigns(campaigns);
            index.set_statuses(statuses);
        }
        for (id, whole) in &self.leads {
            index.apply(*id, whole.as_ref().map(|whole| (&whole.lead, whole.campaign_leads.as_slice())));
        }
    }
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
    let campaigns = shown.into_iter().filter_map(|id| index.campaign(id)).map(|campaign| (**campaign).clone());
    Found {
        leads: leads.collect(),
        total: page.total,
        more: page.more,
        campaigns: campaigns.collect(),
        statuses: index.statuses().to_vec(),
    }
}
