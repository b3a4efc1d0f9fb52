//! Batch import of campaign leads.

use std::collections::{HashMap, HashSet};

use leadscribe_engine::api::{CampaignId, CampaignLead, CampaignLeadId, LeadId};
use leadscribe_engine::record::CampaignLeadRecord;

use super::{find_pair, taken};
use crate::storage::sql::record::{self, Kept, Writes, existing, row_outcome};
use crate::storage::sql::references::{self, Source};
use crate::storage::sql::rows::{self, CAMPAIGN_LEAD_COLUMNS};
use crate::storage::sql::undo_journal::Owner;
use crate::storage::sql::{Bind, Session, statuses};
use crate::storage::{BatchOutcome, Origin, RowOutcome, StoreError, WriteError};

/// Unique key of a campaign lead: lead and campaign.
type Pair = (LeadId, CampaignId);

/// Inserts or updates campaign leads by `id`, or by lead and campaign if the row has no id.
///
/// The undo journal records the changes of `owner`, if any.
pub(in crate::storage::sql) fn import(
    session: &dyn Session,
    records: &[CampaignLeadRecord],
    owner: Option<Owner>,
    by: &Origin,
) -> Result<BatchOutcome, StoreError> {
    let mut batch = Batch::read(session, records, owner)?;
    let rows = records.iter().map(|record| row_outcome(batch.import(record, by))).collect::<Result<_, _>>()?;
    batch.writes.flush()?;
    Ok(BatchOutcome { rows, new_statuses: batch.new_statuses, ..BatchOutcome::default() })
}

/// Rows that a batch refers to, including the changes of earlier rows.
struct Batch<'s> {
    session: &'s dyn Session,
    campaign_leads: HashMap<CampaignLeadId, CampaignLead>,
    pairs: HashMap<Pair, CampaignLeadId>,
    /// Pairs that rows of the batch inserted. Only the database knows their ids.
    inserted: HashSet<Pair>,
    leads: HashSet<i64>,
    campaigns: HashSet<i64>,
    statuses: HashSet<String>,
    new_statuses: Vec<String>,
    writes: Writes<'s, CampaignLead>,
}

impl<'s> Batch<'s> {
    /// Reads the rows that these records refer to.
    fn read(
        session: &'s dyn Session,
        records: &[CampaignLeadRecord],
        owner: Option<Owner>,
    ) -> Result<Self, StoreError> {
        let leads = || records.iter().filter_map(|record| Some(record.lead_id?.0));
        let campaigns = records.iter().filter_map(|record| Some(record.campaign_id?.0));
        let mut batch = Self {
            session,
            campaign_leads: HashMap::new(),
            pairs: HashMap::new(),
            inserted: HashSet::new(),
            leads: existing(session, "leads", leads())?,
            campaigns: existing(session, "campaigns", campaigns)?,
            statuses: statuses::all(session)?.into_iter().map(|status| status.name).collect(),
            new_statuses: Vec::new(),
            writes: Writes::of(session, owner),
        };
        let ids = records.iter().filter_map(|record| Some(record.id?.0));
        record::find_all(session, ids)?.into_iter().for_each(|found| batch.keep(found));
        // All campaign leads of these leads, because a row may move its campaign lead to another campaign.
        let leads: HashSet<_> = batch.pairs.keys().map(|(lead, _)| lead.0).chain(leads()).collect();
        let of_leads = session.dialect().is_any_of("c.lead_id", "?1");
        let sql = format!("SELECT {CAMPAIGN_LEAD_COLUMNS} FROM campaign_leads c WHERE {of_leads}");
        session.query(&sql, &[Bind::ids(leads)], rows::campaign_lead)?.into_iter().for_each(|found| batch.keep(found));
        Ok(batch)
    }

    fn keep(&mut self, campaign_lead: CampaignLead) {
        self.pairs.insert(pair(&campaign_lead), campaign_lead.id);
        self.campaign_leads.insert(campaign_lead.id, campaign_lead);
    }

    fn import(&mut self, record: &CampaignLeadRecord, by: &Origin) -> Result<RowOutcome, WriteError> {
        let old = match (record.id, record.lead_id, record.campaign_id) {
            (Some(id), _, _) => self.find(id)?,
            (None, Some(lead), Some(campaign)) => self.find_pair((lead, campaign))?,
            _ => None,
        };
        let Some(old) = old.cloned() else {
            let new = CampaignLead::made(record, by.at).map_err(|fault| Source::Row.fault(fault))?;
            self.check(&new)?;
            self.add_status(&new.status)?;
            self.writes.insert(&new)?;
            if record.id.is_some() {
                self.keep(new);
            } else {
                self.inserted.insert(pair(&new));
            }
            return Ok(RowOutcome::Inserted);
        };
        let Some(new) = record::changed(&old, record, by.at) else { return Ok(RowOutcome::Unchanged) };
        let moved = pair(&old) != pair(&new);
        if moved {
            self.check(&new)?;
            self.pairs.remove(&pair(&old));
        }
        self.add_status(&new.status)?;
        if moved {
            // Buffered writes may run in any order, but one row may need the pair that another releases.
            self.writes.flush()?;
        }
        self.writes.change(&old, &new)?;
        if moved {
            self.writes.flush()?;
        }
        self.keep(new);
        Ok(RowOutcome::Updated)
    }

    fn find(&mut self, id: CampaignLeadId) -> Result<Option<&CampaignLead>, StoreError> {
        if !self.campaign_leads.contains_key(&id)
            && let Some(given) = self.writes.find_given(id.0)?
        {
            self.keep(given);
        }
        Ok(self.campaign_leads.get(&id))
    }

    /// Checks that the lead and campaign exist and that no other campaign lead has the same pair.
    fn check(&mut self, new: &CampaignLead) -> Result<(), WriteError> {
        // Rows read for the batch exist. The others are checked by the same code as single writes, so the refusals are the same.
        if !self.leads.contains(&new.lead_id.0) {
            references::lead(self.session, new.lead_id, Source::Row)?;
        }
        if !self.campaigns.contains(&new.campaign_id.0) {
            references::campaign(self.session, new.campaign_id, Source::Row)?;
        }
        match self.find_pair(pair(new))? {
            Some(other) => Err(taken(other, Source::Row)),
            None => Ok(()),
        }
    }

    fn find_pair(&mut self, pair: Pair) -> Result<Option<&CampaignLead>, StoreError> {
        if self.inserted.remove(&pair) {
            self.writes.flush()?;
            if let Some(found) = find_pair(self.session, pair.0, pair.1)? {
                self.keep(found);
            }
        }
        Ok(self.pairs.get(&pair).and_then(|id| self.campaign_leads.get(id)))
    }

    fn add_status(&mut self, name: &str) -> Result<(), StoreError> {
        if !self.statuses.contains(name) {
            if statuses::add_imported(self.session, name)? {
                self.new_statuses.push(name.to_owned());
            }
            self.statuses.insert(name.to_owned());
        }
        Ok(())
    }
}

fn pair(campaign_lead: &CampaignLead) -> Pair {
    (campaign_lead.lead_id, campaign_lead.campaign_id)
}
