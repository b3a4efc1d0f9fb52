//! Columns of the campaign leads of one campaign. A lead is in a campaign at most once, so its slot identifies its campaign lead.

use std::sync::Arc;

use roaring::RoaringBitmap;

use crate::column::{Column, Domain};
use crate::fields::{self, CAMPAIGN_FIELDS};
use crate::posting;
use crate::row::CampaignLeadRow;

/// Columns of the campaign leads of one campaign.
#[derive(Clone, Debug)]
pub(crate) struct CampaignColumns {
    /// Slots of the leads in the campaign.
    members: RoaringBitmap,
    /// Pushed slots, ascending, until [`Self::finish`] converts them to a bitmap.
    pushed: Vec<u32>,
    columns: Vec<Arc<Column>>,
}

impl Default for CampaignColumns {
    fn default() -> Self {
        Self { members: RoaringBitmap::new(), pushed: Vec::new(), columns: fields::campaign_columns() }
    }
}

impl CampaignColumns {
    /// Leads in the campaign; every slot is below `slots`.
    pub fn domain(&self, slots: usize) -> Domain<'_> {
        Domain { all: &self.members, slots }
    }

    /// Column at this position.
    pub fn column(&self, place: usize) -> &Column {
        &self.columns[place]
    }

    /// Adds a lead with the highest slot so far to the campaign. Only while building; [`Self::finish`] completes the columns.
    pub fn push(&mut self, row: &CampaignLeadRow<'_>, slot: u32) {
        self.pushed.push(slot);
        for (column, id) in self.columns.iter_mut().zip(CAMPAIGN_FIELDS) {
            if let Some(cell) = fields::of_campaign_lead(id, row) {
                Arc::make_mut(column).push(cell, slot);
            }
        }
    }

    /// Completes the columns after all leads were pushed. Every slot is below `slots`.
    pub fn finish(&mut self, slots: usize) {
        self.members = posting::ascending(&std::mem::take(&mut self.pushed));
        self.columns.iter_mut().for_each(|column| Arc::make_mut(column).finish(slots));
    }

    /// Replaces the campaign lead of a lead. `None` stands for no campaign lead, before or after.
    pub fn change(
        &mut self,
        old: Option<&CampaignLeadRow<'_>>,
        new: Option<&CampaignLeadRow<'_>>,
        slot: u32,
        slots: usize,
    ) {
        match new {
            Some(_) => _ = self.members.insert(slot),
            None => _ = self.members.remove(slot),
        }
        for (column, id) in self.columns.iter_mut().zip(CAMPAIGN_FIELDS) {
            let [old, new] = [old, new].map(|row| row.and_then(|row| fields::of_campaign_lead(id, row)));
            if old != new {
                let column = Arc::make_mut(column);
                old.into_iter().for_each(|cell| column.remove(cell, slot));
                new.into_iter().for_each(|cell| column.insert(cell, slot, slots));
            }
        }
    }

    /// Memory use in bytes.
    pub fn bytes(&self) -> usize {
        let columns = self.columns.iter().map(|column| size_of::<Column>() + column.bytes());
        crate::memory::of_bitmap(&self.members) + columns.sum::<usize>()
    }
}
