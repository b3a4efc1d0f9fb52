//! Building an index of many leads.

use std::num::NonZero;
use std::sync::{Arc, Mutex, PoisonError};

use leadscribe_engine::api::{Campaign, CampaignLead, Lead, LeadStatus};
use leadscribe_engine::filter::fields::FIELDS;

use crate::LeadIndex;
use crate::campaign::CampaignColumns;
use crate::column::{Column, CustomColumn};
use crate::fields::{self, LEAD_FIELDS};
use crate::row::Row;

/// Number of leads that are added column by column. They fit into the L2 cache and outnumber the columns.
const BATCH_LEADS: usize = 256;

/// Collects leads in the order of their ids, and sorts all their values at the end.
#[derive(Debug, Default)]
pub struct Builder {
    index: LeadIndex,
    scratch: Vec<u8>,
}

impl Builder {
    /// Creates an empty builder with the campaigns and statuses.
    pub fn new(campaigns: impl IntoIterator<Item = Campaign>, statuses: impl IntoIterator<Item = LeadStatus>) -> Self {
        let mut index = LeadIndex::default();
        index.set_campaigns(campaigns);
        index.set_statuses(statuses);
        Self { index, scratch: Vec::new() }
    }

    /// Adds a new lead with its campaign leads, at most one per campaign. Ids should ascend; see [`LeadIndex::needs_rebuild`]. For many
    /// leads, [`Self::extend`] is faster.
    pub fn push(&mut self, lead: &Lead, campaign_leads: &[CampaignLead]) {
        self.add_batch(&[(lead, campaign_leads)]);
    }

    /// Adds leads like [`Self::push`], but in batches column by column, so that a column's data stays in the CPU cache.
    pub fn extend<'l>(&mut self, leads: impl IntoIterator<Item = (&'l Lead, &'l [CampaignLead])>) {
        let mut leads = leads.into_iter();
        let mut batch = Vec::with_capacity(BATCH_LEADS);
        loop {
            batch.clear();
            batch.extend(leads.by_ref().take(BATCH_LEADS));
            if batch.is_empty() {
                break;
            }
            self.add_batch(&batch);
        }
    }

    fn add_batch(&mut self, batch: &[(&Lead, &[CampaignLead])]) {
        let index = &mut self.index;
        let (slots, names) = (Arc::make_mut(&mut index.slots), Arc::make_mut(&mut index.names));
        let first_slot = slots.len() as u32;
        for ((lead, campaign_leads), slot) in batch.iter().zip(first_slot..) {
            let assigned_slot = slots.assign(lead.id.0);
            debug_assert_eq!(assigned_slot, slot, "a lead is added once");
            index.rows.replace(slot, Some(Row::pack(lead, campaign_leads, names, &mut self.scratch)));
        }
        let leads_with_slots = || batch.iter().map(|(lead, _)| *lead).zip(first_slot..);
        for (column, field) in index.columns.iter_mut().zip(&FIELDS[LEAD_FIELDS]) {
            let column = Arc::make_mut(column);
            for (lead, slot) in leads_with_slots() {
                if let Some(cell) = fields::lead_cell(field.id, lead) {
                    column.push(cell, slot);
                }
            }
        }
        for (lead, slot) in leads_with_slots() {
            for (name, value) in &lead.custom_fields {
                match index.custom.get_mut(name) {
                    Some(column) => Arc::make_mut(column).push(value, slot),
                    None => Arc::make_mut(index.custom.entry(name.clone()).or_default()).push(value, slot),
                }
            }
        }
        for slot in (first_slot..).take(batch.len()) {
            for campaign_lead in index.rows.get(slot).into_iter().flat_map(|row| row.view(names).campaign_leads()) {
                let columns = index.by_campaign.entry(campaign_lead.campaign_id).or_default();
                Arc::make_mut(columns).push(&campaign_lead, slot);
            }
        }
    }

    /// Builds the index. Columns are completed in parallel, on as many threads as there are CPUs.
    pub fn finish(self) -> LeadIndex {
        let mut index = self.index;
        let slot_count = index.slots.len();
        Arc::make_mut(&mut index.slots).shrink();
        index.rows.shrink();
        let mut parts: Vec<Part<'_>> = Vec::new();
        parts.extend(index.columns.iter_mut().map(|column| Part::Column(Arc::make_mut(column))));
        parts.extend(index.custom.values_mut().map(|column| Part::Custom(Arc::make_mut(column))));
        parts.extend(index.by_campaign.values_mut().map(|columns| Part::Campaign(Arc::make_mut(columns))));
        // The columns of leads are the largest and come first, so that all threads finish at about the same time.
        let parts = Mutex::new(parts.into_iter());
        let finish_parts = || {
            let next_part = || parts.lock().unwrap_or_else(PoisonError::into_inner).next();
            while let Some(part) = next_part() {
                part.finish(slot_count);
            }
        };
        let thread_count = std::thread::available_parallelism().map_or(1, NonZero::get);
        std::thread::scope(|scope| (0..thread_count).for_each(|_| _ = scope.spawn(finish_parts)));
        index
    }
}

/// Part of the index that is completed independently.
enum Part<'a> {
    Column(&'a mut Column),
    Custom(&'a mut CustomColumn),
    Campaign(&'a mut CampaignColumns),
}

impl Part<'_> {
    fn finish(self, slot_count: usize) {
        match self {
            Self::Column(column) => column.finish(slot_count),
            Self::Custom(column) => column.finish(),
            Self::Campaign(columns) => columns.finish(slot_count),
        }
    }
}

impl LeadIndex {
    /// Builds an index of the same leads with all slots in order and without deleted leads. Takes as long as the first build, and as much
    /// additional memory.
    pub fn rebuild(&self) -> LeadIndex {
        let mut slots: Vec<u32> = self.slots.alive().iter().collect();
        slots.sort_by_key(|slot| self.slots.id(*slot));
        let campaigns = self.campaigns.values().map(|campaign| (**campaign).clone());
        let mut builder = Builder::new(campaigns, self.statuses.iter().cloned());
        for row in slots.into_iter().filter_map(|slot| self.row(slot)) {
            let campaign_leads: Vec<_> = row.campaign_leads().map(|campaign_lead| campaign_lead.to_stored()).collect();
            builder.push(&row.to_lead(), &campaign_leads);
        }
        builder.finish()
    }
}
