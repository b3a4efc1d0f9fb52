//! Reads leads for the lead index: all of them, or those that changed.

use std::collections::BTreeMap;

use leadscribe_engine::api::*;
use leadscribe_lead_index::{Builder, LeadIndex};

use super::Kept;
use crate::storage::StoreError;
use crate::storage::sql::lead_changes::{self, LeadChanges};
use crate::storage::sql::rows::{self, CAMPAIGN_LEAD_COLUMNS, LEAD_COLUMNS};
use crate::storage::sql::{Bind, Database, Session, binds, campaigns, statuses};

/// Number of leads that are read at a time.
const CHUNK: usize = 4_096;

/// Reads all leads. Changes made during the read are newer than the state of the index and are applied later.
pub(super) async fn build<D: Database>(database: &D) -> Result<Kept, StoreError> {
    let (state, campaigns, statuses) = database
        .read_primary(|session| Ok((lead_changes::state(session)?, campaigns::all(session)?, statuses::all(session)?)))
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
        let begun_at = state.clone();
        let read = database.read_primary(move |session| {
            // An index must not mix leads of two histories.
            if !lead_changes::state(session)?.is_of_history(&begun_at) {
                return Err(StoreError::Unavailable("the database was replaced while leads were read".into()));
            }
            next_leads(session, after)
        });
        let chunk = read.await?;
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

/// Leads with ids after `after`, by id; at most a few thousand.
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

/// Joins leads with their campaign leads. Both are ordered by lead id.
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

/// Current version of changed records.
pub(super) struct News {
    leads: BTreeMap<LeadId, Option<Whole>>,
    others: Option<(Vec<Campaign>, Vec<LeadStatus>)>,
}

impl News {
    pub(super) fn read(session: &dyn Session, changes: &LeadChanges) -> Result<Self, StoreError> {
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
        let others = if changes.others { Some((campaigns::all(session)?, statuses::all(session)?)) } else { None };
        Ok(Self { leads, others })
    }

    pub(super) fn apply(self, index: &mut LeadIndex) {
        if let Some((campaigns, statuses)) = self.others {
            index.set_campaigns(campaigns);
            index.set_statuses(statuses);
        }
        for (id, whole) in &self.leads {
            index.apply(*id, whole.as_ref().map(|whole| (&whole.lead, whole.campaign_leads.as_slice())));
        }
    }
}
