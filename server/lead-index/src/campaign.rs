//! Columns of the campaign leads of one campaign. A lead is in a campaign at most once, so its slot identifies its campaign lead.

use std::sync::Arc;

use roaring::RoaringBitmap;

use crate::column::{Column, Domain};
use crate::fields::{self, CAMPAIGN_FIELDS};
use crate::row::CampaignLeadRow;
use crate::set;

/// Columns of the campaign leads of one campaign.
#[derive(Clone, Debug)]
pub(crate) struct CampaignColumns {
    /// Slots of the leads in the campaign.
    members: RoaringBitmap,
    /// Pushed slots, ascending, until [`Self::finish`] converts them to a bitmap.
    pushed_slots: Vec<u32>,
    columns: Vec<Arc<Column>>,
}

impl Default for CampaignColumns {
    fn default() -> Self {
        Self { members: RoaringBitmap::new(), pushed_slots: Vec::new(), columns: fields::new_campaign_columns() }
    }
}

impl CampaignColumns {
    /// Leads in the campaign; every slot is below `slot_count`.
    pub fn domain(&self, slot_count: usize) -> Domain<'_> {
        Domain { all: &self.members, candidates: None, slot_count }
    }

    /// Column at this position.
    pub fn column(&self, index: usize) -> &Column {
        &self.columns[index]
    }

    /// Adds a lead with the highest slot so far to the campaign. Only while building; [`Self::finish`] completes the columns.
    pub fn push(&mut self, row: &CampaignLeadRow<'_>, slot: u32) {
        self.pushed_slots.push(slot);
        for (column, id) in self.columns.iter_mut().zip(CAMPAIGN_FIELDS) {
            if let Some(cell) = fields::campaign_lead_cell(id, row) {
                Arc::make_mut(column).push(cell, slot);
            }
        }
    }

    /// Completes the columns after all leads were pushed. Every slot is below `slot_count`.
    pub fn finish(&mut self, slot_count: usize) {
        self.members = set::bitmap_of_ascending(&std::mem::take(&mut self.pushed_slots));
        self.columns.iter_mut().for_each(|column| Arc::make_mut(column).finish(slot_count));
    }

    /// Replaces the campaign lead of a lead. `None` stands for no campaign lead, before or after.
    pub fn replace(
        &mut self,
        old: Option<&CampaignLeadRow<'_>>,
        new: Option<&CampaignLeadRow<'_>>,
        slot: u32,
        slot_count: usize,
    ) {
        match new {
            Some(_) => _ = self.members.insert(slot),
            None => _ = self.members.remove(slot),
        }
        for (column, id) in self.columns.iter_mut().zip(CAMPAIGN_FIELDS) {
            let [old, new] = [old, new].map(|row| row.and_then(|row| fields::campaign_lead_cell(id, row)));
            if old != new {
                let column = Arc::make_mut(column);
                old.into_iter().for_each(|cell| column.remove(cell, slot));
                new.into_iter().for_each(|cell| column.insert(cell, slot, slot_count));
            }
        }
    }

    /// Memory use in bytes.
    pub fn bytes(&self) -> usize {
        let columns = self.columns.iter().map(|column| size_of::<Column>() + column.bytes());
        crate::memory::bitmap_bytes(&self.members) + columns.sum::<usize>()
    }
}
