//! Reads leads for the lead index: all of them, or those that changed.

use std::collections::BTreeMap;

use leadscribe_engine::api::*;
use leadscribe_lead_index::{Builder, LeadIndex};

use super::BuiltIndex;
use crate::storage::StoreError;
use crate::storage::sql::change_log::{self, LeadChanges};
use crate::storage::sql::rows::{self, CAMPAIGN_LEAD_COLUMNS, LEAD_COLUMNS};
use crate::storage::sql::{Bind, Database, Session, binds, campaigns, statuses};

/// Number of leads that are read at a time.
const CHUNK_SIZE: usize = 4_096;

/// Reads all leads. Changes made during the read are newer than the state of the index and are applied later.
pub(super) async fn build<D: Database>(database: &D) -> Result<BuiltIndex, StoreError> {
    let (state, campaigns, statuses) = database
        .read_primary(|session| {
            Ok((change_log::current_state(session)?, campaigns::all(session)?, statuses::list(session)?))
        })
        .await?;
    let (sender, mut receiver) = tokio::sync::mpsc::channel::<Vec<LeadWithCampaignLeads>>(2);
    let builder_task = tokio::task::spawn_blocking(move || {
        let mut builder = Builder::new(campaigns, statuses);
        while let Some(chunk) = receiver.blocking_recv() {
            builder.extend(chunk.iter().map(|entry| (&entry.lead, entry.campaign_leads.as_slice())));
        }
        builder.finish()
    });
    let mut after = LeadId(0);
    loop {
        let start_state = state.clone();
        let next_chunk = database.read_primary(move |session| {
            // An index must not mix leads of two histories.
            if !change_log::current_state(session)?.has_same_history(&start_state) {
                return Err(StoreError::Unavailable("the database was replaced while leads were read".into()));
            }
            next_leads(session, after)
        });
        let chunk = next_chunk.await?;
        let Some(last) = chunk.last() else { break };
        after = last.lead.id;
        if sender.send(chunk).await.is_err() {
            break;
        }
    }
    drop(sender);
    let index = builder_task.await?;
    Ok(BuiltIndex { index, state })
}

struct LeadWithCampaignLeads {
    lead: Lead,
    campaign_leads: Vec<CampaignLead>,
}

/// Leads with ids after `after`, by id; at most a few thousand.
fn next_leads(session: &dyn Session, after: LeadId) -> Result<Vec<LeadWithCampaignLeads>, StoreError> {
    let sql = format!("SELECT {LEAD_COLUMNS} FROM leads WHERE id > ?1 ORDER BY id LIMIT {CHUNK_SIZE}");
    let leads = session.query(&sql, &binds![after.0], rows::read_lead)?;
    let Some(last) = leads.last() else { return Ok(Vec::new()) };
    let sql = format!(
        "SELECT {CAMPAIGN_LEAD_COLUMNS} FROM campaign_leads c WHERE c.lead_id > ?1 AND c.lead_id <= ?2 ORDER BY c.lead_id"
    );
    let campaign_leads = session.query(&sql, &binds![after.0, last.id.0], rows::read_campaign_lead)?;
    Ok(join_campaign_leads(leads, campaign_leads))
}

/// Joins leads with their campaign leads. Both are ordered by lead id.
fn join_campaign_leads(leads: Vec<Lead>, campaign_leads: Vec<CampaignLead>) -> Vec<LeadWithCampaignLeads> {
    let mut remaining = campaign_leads.into_iter().peekable();
    let join = |lead: Lead| {
        let mut campaign_leads = Vec::new();
        while let Some(next) = remaining.next_if(|next| next.lead_id == lead.id) {
            campaign_leads.push(next);
        }
        LeadWithCampaignLeads { lead, campaign_leads }
    };
    leads.into_iter().map(join).collect()
}

/// Current version of changed records.
pub(super) struct LeadUpdates {
    leads: BTreeMap<LeadId, Option<LeadWithCampaignLeads>>,
    campaigns_and_statuses: Option<(Vec<Campaign>, Vec<LeadStatus>)>,
}

impl LeadUpdates {
    pub(super) fn read(session: &dyn Session, changes: &LeadChanges) -> Result<Self, StoreError> {
        let mut leads: BTreeMap<LeadId, Option<LeadWithCampaignLeads>> =
            changes.leads.iter().map(|id| (*id, None)).collect();
        let ids: Vec<i64> = changes.leads.iter().map(|id| id.0).collect();
        let dialect = session.dialect();
        for chunk in ids.chunks(CHUNK_SIZE) {
            let id_binds = [Bind::ids(chunk.iter().copied())];
            let has_id = dialect.is_any_of("id", "?1");
            let sql = format!("SELECT {LEAD_COLUMNS} FROM leads WHERE {has_id} ORDER BY id");
            let stored_leads = session.query(&sql, &id_binds, rows::read_lead)?;
            let has_lead = dialect.is_any_of("c.lead_id", "?1");
            let sql =
                format!("SELECT {CAMPAIGN_LEAD_COLUMNS} FROM campaign_leads c WHERE {has_lead} ORDER BY c.lead_id");
            let campaign_leads = session.query(&sql, &id_binds, rows::read_campaign_lead)?;
            for entry in join_campaign_leads(stored_leads, campaign_leads) {
                leads.insert(entry.lead.id, Some(entry));
            }
        }
        let campaigns_and_statuses =
            if changes.has_other_changes { Some((campaigns::all(session)?, statuses::list(session)?)) } else { None };
        Ok(Self { leads, campaigns_and_statuses })
    }

    pub(super) fn apply(self, index: &mut LeadIndex) {
        if let Some((campaigns, statuses)) = self.campaigns_and_statuses {
            index.set_campaigns(campaigns);
            index.set_statuses(statuses);
        }
        for (id, entry) in &self.leads {
            index.apply(*id, entry.as_ref().map(|entry| (&entry.lead, entry.campaign_leads.as_slice())));
        }
    }
}
