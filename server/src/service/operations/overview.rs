//! Overview figures: activity by day, backlog, and how many leads can be called now and why the others can't.
//!
//! The callable figures are counted with filters, each by an ordinary lookup. They are therefore exact, equal to the
//! filtered list, and don't block other requests.

use std::sync::Arc;
use std::time::{Duration, Instant};

use leadscribe_engine::api::*;
use leadscribe_engine::day;
use leadscribe_engine::filter::predicate::Limit;
use leadscribe_engine::filter::{self, Limits};

use crate::service::app::App;
use crate::service::error::Result;
use crate::storage::{Activity, Backlog, CampaignQuery, Slice, StoreError};

mod cache;

use cache::LatestValueCache;

/// Maximum number of active campaigns that are counted, newest first.
const MAX_CAMPAIGNS: usize = 100;

/// Number of campaigns read at once.
const PAGE_SIZE: u32 = 1_000;

/// Time limit for counting; the remaining counts are left out. A count takes about a millisecond with the lead index, but
/// seconds without it on a million leads.
const COUNT_TIMEOUT: Duration = Duration::from_secs(10);

/// Matches all leads.
const ALL_LEADS: &str = r#"{"limit":"0;0"}"#;

/// Cache of the overview figures.
#[derive(Debug, Default)]
pub struct OverviewCache {
    /// Keyed by number of days and time zone.
    activity: LatestValueCache<(u32, String), ActivityOverview>,
    callable: LatestValueCache<(), CallableOverview>,
    /// The backlog and the time at which it was counted.
    pub(in crate::service) backlog: LatestValueCache<(), (Backlog, Timestamp)>,
}

/// Returns the activity of the last `days` days in an IANA time zone, and the current number of transcriptions and
/// deliveries by state.
///
/// # Errors
/// The store failed.
pub async fn activity(app: &Arc<App>, days: u32, timezone: &str) -> Result<Arc<ActivityOverview>> {
    let (app_clone, timezone) = (app.clone(), timezone.to_owned());
    let key = (days, timezone.clone());
    let count = async move {
        let at = app_clone.now();
        let range = day::last_days(&timezone, days, at).unwrap_or_default();
        let Activity { days, transcriptions, deliveries } = app_clone.store.activity(&range).await?;
        Ok(ActivityOverview { counted_at: at, timezone, days, transcriptions, deliveries })
    };
    app.overview_cache.activity.get(key, count).await
}

/// Returns how many leads can be called now, and why the others can't.
///
/// # Errors
/// The store failed.
pub async fn callable(app: &Arc<App>) -> Result<Arc<CallableOverview>> {
    let app_clone = app.clone();
    app.overview_cache.callable.get((), async move { count_callable(&app_clone).await }).await
}

async fn count_callable(app: &App) -> Result<CallableOverview> {
    let counter = LeadCounter { app, now: app.now(), deadline: Instant::now() + COUNT_TIMEOUT };
    let campaigns = campaigns(app).await?;
    let leads = counter.count(ALL_LEADS).await?;
    let active = || campaigns.iter().rev().filter(|campaign| campaign.active);
    let mut campaign_counts = Vec::new();
    for campaign in active().take(MAX_CAMPAIGNS) {
        let filter = format!(r#"{{"campaign_id":{},"callable":true}}"#, campaign.id);
        campaign_counts.push(CampaignOverview {
            campaign_id: campaign.id,
            name: campaign.name.clone(),
            leads: counter.count(&format!(r#"{{"campaign_id":{}}}"#, campaign.id)).await?,
            callable: counter.count(&filter).await?,
            filter,
        });
    }
    let mut reasons = Vec::new();
    for code in NotCallableCode::ALL.iter().copied() {
        let filter = format!(r#"{{"not_callable_reason":"{code}"}}"#);
        reasons.push(ReasonOverview { code, leads: counter.count(&filter).await?, filter });
    }
    let active_campaigns = active().count() as u64;
    Ok(CallableOverview { counted_at: counter.now, leads, active_campaigns, campaigns: campaign_counts, reasons })
}

/// Returns all campaigns, by id.
async fn campaigns(app: &App) -> Result<Vec<Campaign>, StoreError> {
    let mut all = Vec::new();
    loop {
        let page = app
            .store
            .campaigns(&CampaignQuery::default(), Slice { count: PAGE_SIZE, offset: all.len() as u64 })
            .await?;
        let is_last = page.items.len() < PAGE_SIZE as usize;
        all.extend(page.items);
        if is_last {
            return Ok(all);
        }
    }
}

/// Counts leads as of one point in time, until the time limit.
struct LeadCounter<'a> {
    app: &'a App,
    now: Timestamp,
    deadline: Instant,
}

impl LeadCounter<'_> {
    /// Returns the number of leads that match a filter; `None` if the time limit is reached.
    async fn count(&self, text: &str) -> Result<Option<u64>, StoreError> {
        let Ok(mut filter) = filter::parse_and_check(text, &Limits::default()) else { return Ok(None) };
        filter.limit = Limit { count: 0, offset: 0 };
        // After the time limit the store finishes a count that it has begun, but its result is ignored.
        let remaining = self.deadline.saturating_duration_since(Instant::now());
        match tokio::time::timeout(remaining, self.app.store.look_up(&filter, self.now)).await {
            Ok(page) => page.map(|page| Some(page.total)),
            Err(_) => Ok(None),
        }
    }
}
