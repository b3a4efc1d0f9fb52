//! Making an index of many leads at once.

use leadscribe_engine::api::{Campaign, CampaignLead, Lead, LeadStatus};
use leadscribe_engine::filter::fields::FIELDS;

use crate::LeadIndex;
use crate::fields::{self, LEAD_FIELDS};
use crate::row::Row;

/// Takes leads in the order of their ids, and puts all their values in order at the end.
#[derive(Debug, Default)]
pub struct Builder {
    index: LeadIndex,
}

impl Builder {
    /// Nothing yet; with the campaigns and statuses.
    pub fn new(campaigns: impl IntoIterator<Item = Campaign>, statuses: impl IntoIterator<Item = LeadStatus>) -> Self {
        let mut index = LeadIndex::default();
        index.set_campaigns(campaigns);
        index.set_statuses(statuses);
        Self { index }
    }

    /// Adds a lead, whose id wasn't added before, with its campaign leads, at most one of each campaign. Ids should
    /// ascend; see [`LeadIndex::wants_rebuild`].
    pub fn push(&mut self, lead: &Lead, campaign_leads: &[CampaignLead]) {
        let index = &mut self.index;
        let slot = index.slots.take(lead.id.0);
        debug_assert_eq!(slot as usize, index.rows.len(), "a lead is added once");
        let row = Row::pack(lead, campaign_leads, &mut index.names);
        for (column, field) in index.columns.iter_mut().zip(&FIELDS[LEAD_FIELDS]) {
            if let Some(cell) = fields::of_lead(field.id, lead) {
                column.push(cell, slot);
            }
        }
        for (name, value) in &lead.custom_fields {
            match index.custom.get_mut(name) {
                Some(column) => column.push(value, slot),
                None => index.custom.entry(name.clone()).or_default().push(value, slot),
            }
        }
        for campaign_lead in row.view(&index.names).campaign_leads() {
            index.by_campaign.entry(campaign_lead.campaign_id).or_default().push(&campaign_lead, slot);
        }
        index.rows.push(Some(row));
    }

    /// The index of all that was added.
    pub fn finish(self) -> LeadIndex {
        let mut index = self.index;
        let slots = index.slots.len();
        index.slots.shrink();
        index.rows.shrink_to_fit();
        index.columns.iter_mut().for_each(|column| column.finish(slots));
        index.custom.values_mut().for_each(|column| column.finish());
        index.by_campaign.values_mut().for_each(|columns| columns.finish(slots));
        index
    }
}

impl LeadIndex {
    /// An index of the same leads, with all slots in order and none for deleted leads. Takes as long as building it, and
    /// as much memory again.
    pub fn rebuilt(&self) -> LeadIndex {
        let mut slots: Vec<u32> = self.slots.alive().iter().collect();
        slots.sort_by_key(|slot| self.slots.id(*slot));
        let campaigns = self.campaigns.values().map(|campaign| (**campaign).clone());
        let mut builder = Builder::new(campaigns, self.statuses.iter().cloned());
        for row in slots.into_iter().filter_map(|slot| self.row(slot)) {
            let campaign_leads: Vec<_> = row.campaign_leads().map(|one| one.as_stored()).collect();
            builder.push(&row.to_lead(), &campaign_leads);
        }
        builder.finish()
    }
}
