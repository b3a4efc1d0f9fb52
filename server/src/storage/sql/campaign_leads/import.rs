//! Batch import of campaign leads.

use std::collections::{HashMap, HashSet};

use leadscribe_engine::api::{CampaignId, CampaignLead, CampaignLeadId, LeadId};
use leadscribe_engine::record::CampaignLeadRecord;

use super::{find_by_pair, pair_taken_error};
use crate::storage::sql::entity::Entity;
use crate::storage::sql::input_format::InputFormat;
use crate::storage::sql::record::{self, WriteBuffer, existing_ids, row_outcome};
use crate::storage::sql::references;
use crate::storage::sql::rows::{self, CAMPAIGN_LEAD_COLUMNS};
use crate::storage::sql::undo_journal::JournalOwner;
use crate::storage::sql::{Bind, Session, statuses};
use crate::storage::{AuditContext, BatchOutcome, Result, RowOutcome, WriteError};

/// Unique key of a campaign lead: lead and campaign.
type LeadCampaignPair = (LeadId, CampaignId);

/// Inserts or updates campaign leads by `id`, or by lead and campaign if the row has no id.
///
/// The undo journal records the changes of `owner`, if any.
pub(in crate::storage::sql) fn import(
    session: &dyn Session,
    records: &[CampaignLeadRecord],
    owner: Option<JournalOwner>,
    audit: &AuditContext,
) -> Result<BatchOutcome> {
    let mut batch = Batch::read(session, records, owner)?;
    let rows = records.iter().map(|record| row_outcome(batch.import(record, audit))).collect::<Result<_, _>>()?;
    batch.writes.flush()?;
    Ok(BatchOutcome { rows, new_statuses: batch.new_statuses, ..BatchOutcome::default() })
}

/// Rows that a batch refers to, including the changes of earlier rows.
struct Batch<'s> {
    session: &'s dyn Session,
    campaign_leads: HashMap<CampaignLeadId, CampaignLead>,
    pairs: HashMap<LeadCampaignPair, CampaignLeadId>,
    /// Pairs that rows of the batch inserted. Only the database knows their ids.
    inserted_pairs: HashSet<LeadCampaignPair>,
    leads: HashSet<i64>,
    campaigns: HashSet<i64>,
    statuses: HashSet<String>,
    new_statuses: Vec<String>,
    writes: WriteBuffer<'s, CampaignLead>,
}

impl<'s> Batch<'s> {
    /// Reads the rows that these records refer to.
    fn read(session: &'s dyn Session, records: &[CampaignLeadRecord], owner: Option<JournalOwner>) -> Result<Self> {
        let leads = || records.iter().filter_map(|record| Some(record.lead_id?.0));
        let campaigns = records.iter().filter_map(|record| Some(record.campaign_id?.0));
        let mut batch = Self {
            session,
            campaign_leads: HashMap::new(),
            pairs: HashMap::new(),
            inserted_pairs: HashSet::new(),
            leads: existing_ids(session, "leads", leads())?,
            campaigns: existing_ids(session, "campaigns", campaigns)?,
            statuses: statuses::list(session)?.into_iter().map(|status| status.name).collect(),
            new_statuses: Vec::new(),
            writes: WriteBuffer::for_owner(session, owner),
        };
        let ids = records.iter().filter_map(|record| Some(record.id?.0));
        record::find_all(session, ids)?.into_iter().for_each(|campaign_lead| batch.cache(campaign_lead));
        // All campaign leads of these leads, because a row may move its campaign lead to another campaign.
        let leads: HashSet<_> = batch.pairs.keys().map(|(lead, _)| lead.0).chain(leads()).collect();
        let has_lead = session.dialect().is_any_of("c.lead_id", "?1");
        let sql = format!("SELECT {CAMPAIGN_LEAD_COLUMNS} FROM campaign_leads c WHERE {has_lead}");
        session
            .query(&sql, &[Bind::ids(leads)], rows::read_campaign_lead)?
            .into_iter()
            .for_each(|campaign_lead| batch.cache(campaign_lead));
        Ok(batch)
    }

    fn cache(&mut self, campaign_lead: CampaignLead) {
        self.pairs.insert(pair(&campaign_lead), campaign_lead.id);
        self.campaign_leads.insert(campaign_lead.id, campaign_lead);
    }

    fn import(&mut self, record: &CampaignLeadRecord, audit: &AuditContext) -> Result<RowOutcome, WriteError> {
        let old = match (record.id, record.lead_id, record.campaign_id) {
            (Some(id), _, _) => self.find(id)?,
            (None, Some(lead), Some(campaign)) => self.find_pair((lead, campaign))?,
            _ => None,
        };
        let Some(old) = old.cloned() else {
            let new = CampaignLead::from_record(record, audit.at)
                .map_err(|diagnostic| InputFormat::Row.write_error(diagnostic))?;
            self.check(&new)?;
            self.add_status(&new.status)?;
            self.writes.insert(&new)?;
            if record.id.is_some() {
                self.cache(new);
            } else {
                self.inserted_pairs.insert(pair(&new));
            }
            return Ok(RowOutcome::Inserted);
        };
        let Some(new) = record::apply_record(&old, record, audit.at) else { return Ok(RowOutcome::Unchanged) };
        let changes_pair = pair(&old) != pair(&new);
        if changes_pair {
            self.check(&new)?;
            self.pairs.remove(&pair(&old));
        }
        self.add_status(&new.status)?;
        if changes_pair {
            // Buffered writes may run in any order, but one row may need the lead and campaign that another row's campaign lead releases.
            self.writes.flush()?;
        }
        self.writes.change(&old, &new)?;
        if changes_pair {
            self.writes.flush()?;
        }
        self.cache(new);
        Ok(RowOutcome::Updated)
    }

    fn find(&mut self, id: CampaignLeadId) -> Result<Option<&CampaignLead>> {
        if !self.campaign_leads.contains_key(&id)
            && let Some(inserted) = self.writes.find_inserted(id.0)?
        {
            self.cache(inserted);
        }
        Ok(self.campaign_leads.get(&id))
    }

    /// Checks that the lead and campaign exist and that no other campaign lead has both.
    fn check(&mut self, new: &CampaignLead) -> Result<(), WriteError> {
        // Rows that were read for the batch exist. All others are checked by the code for single writes, so the errors
        // are the same.
        if !self.leads.contains(&new.lead_id.0) {
            references::check_lead(self.session, new.lead_id, InputFormat::Row)?;
        }
        if !self.campaigns.contains(&new.campaign_id.0) {
            references::check_campaign(self.session, new.campaign_id, InputFormat::Row)?;
        }
        match self.find_pair(pair(new))? {
            Some(other) => Err(pair_taken_error(other, InputFormat::Row)),
            None => Ok(()),
        }
    }

    fn find_pair(&mut self, pair: LeadCampaignPair) -> Result<Option<&CampaignLead>> {
        if self.inserted_pairs.remove(&pair) {
            self.writes.flush()?;
            if let Some(found) = find_by_pair(self.session, pair.0, pair.1)? {
                self.cache(found);
            }
        }
        Ok(self.pairs.get(&pair).and_then(|id| self.campaign_leads.get(id)))
    }

    fn add_status(&mut self, name: &str) -> Result<()> {
        if !self.statuses.contains(name) {
            if statuses::add_imported(self.session, name)? {
                self.new_statuses.push(name.to_owned());
            }
            self.statuses.insert(name.to_owned());
        }
        Ok(())
    }
}

fn pair(campaign_lead: &CampaignLead) -> LeadCampaignPair {
    (campaign_lead.lead_id, campaign_lead.campaign_id)
}
