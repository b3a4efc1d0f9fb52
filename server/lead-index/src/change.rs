//! Updates of single leads with their campaign leads. Only columns whose value changes are touched.

use std::collections::BTreeMap;
use std::sync::Arc;

use leadscribe_engine::api::{CampaignId, CampaignLead, CustomValue, Lead, LeadId};
use leadscribe_engine::filter::fields::FIELDS;

use crate::LeadIndex;
use crate::fields::{self, LEAD_FIELDS};
use crate::row::{CampaignLeadRow, Row};

impl LeadIndex {
    /// Replaces a lead and all its campaign leads. With `None`, deletes the lead.
    ///
    /// Ids usually ascend. A lead with an id below the highest is accepted too; see [`Self::needs_rebuild`].
    pub fn apply(&mut self, id: LeadId, state: Option<(&Lead, &[CampaignLead])>) {
        let existing_slot = self.slots.find(id.0);
        let new = state.map(|(lead, campaign_leads)| {
            let names = Arc::make_mut(&mut self.names);
            (lead, Row::pack(lead, campaign_leads, names, &mut Vec::new()))
        });
        let old = existing_slot.and_then(|slot| self.rows.replace(slot, None));
        let slot = match (existing_slot, &new) {
            (Some(slot), _) => slot,
            (None, Some(_)) => Arc::make_mut(&mut self.slots).assign(id.0),
            (None, None) => return,
        };
        if old.as_ref() != new.as_ref().map(|(_, row)| row) {
            let old_lead = old.as_ref().map(|row| row.view(&self.names).to_lead());
            self.change_lead(old_lead.as_ref(), new.as_ref().map(|(lead, _)| *lead), slot);
            self.change_campaign_leads(old.as_ref(), new.as_ref().map(|(_, row)| row), slot);
        }
        if new.is_none() {
            Arc::make_mut(&mut self.slots).mark_deleted(slot);
        }
        self.rows.replace(slot, new.map(|(_, row)| row));
    }

    fn change_lead(&mut self, old: Option<&Lead>, new: Option<&Lead>, slot: u32) {
        let slot_count = self.slots.len();
        for (column, field) in self.columns.iter_mut().zip(&FIELDS[LEAD_FIELDS]) {
            let [old, new] = [old, new].map(|lead| lead.and_then(|lead| fields::lead_cell(field.id, lead)));
            if old != new {
                let column = Arc::make_mut(column);
                old.into_iter().for_each(|cell| column.remove(cell, slot));
                new.into_iter().for_each(|cell| column.insert(cell, slot, slot_count));
            }
        }
        let [old, new] = [old, new].map(|lead| lead.map(|lead| &lead.custom_fields));
        let contains_value = |other: Option<&BTreeMap<String, CustomValue>>, name: &str, value: &CustomValue| {
            other.is_some_and(|other| other.get(name) == Some(value))
        };
        for (name, value) in old.into_iter().flatten().filter(|(name, value)| !contains_value(new, name, value)) {
            if let Some(column) = self.custom.get_mut(name) {
                let column = Arc::make_mut(column);
                column.remove(value, slot);
                if column.is_empty() {
                    self.custom.remove(name);
                }
            }
        }
        for (name, value) in new.into_iter().flatten().filter(|(name, value)| !contains_value(old, name, value)) {
            match self.custom.get_mut(name) {
                Some(column) => Arc::make_mut(column).insert(value, slot),
                None => Arc::make_mut(self.custom.entry(name.clone()).or_default()).insert(value, slot),
            }
        }
    }

    fn change_campaign_leads(&mut self, old: Option<&Row>, new: Option<&Row>, slot: u32) {
        let slot_count = self.slots.len();
        let names = &self.names;
        let mut pairs: BTreeMap<CampaignId, [Option<CampaignLeadRow<'_>>; 2]> = BTreeMap::new();
        for (side, row) in [old, new].into_iter().enumerate() {
            for campaign_lead in row.into_iter().flat_map(|row| row.view(names).campaign_leads()) {
                pairs.entry(campaign_lead.campaign_id).or_default()[side] = Some(campaign_lead);
            }
        }
        for (campaign, [old, new]) in pairs.into_iter().filter(|(_, [old, new])| old != new) {
            let columns = Arc::make_mut(self.by_campaign.entry(campaign).or_default());
            columns.replace(old.as_ref(), new.as_ref(), slot, slot_count);
        }
    }
}
