//! The leads of one campaign, as columns of their campaign leads. A lead is in a campaign at most once, so that its slot
//! stands for its campaign lead.

use roaring::RoaringBitmap;

use crate::column::{Column, Domain};
use crate::fields::{self, CAMPAIGN_FIELDS};
use crate::posting;
use crate::row::CampaignLeadRow;

/// The campaign leads of one campaign.
#[derive(Clone, Debug)]
pub(crate) struct CampaignColumns {
    /// The slots of the leads in the campaign.
    members: RoaringBitmap,
    /// The slots that were pushed, ascending, until [`Self::finish`] makes a bitmap of them.
    pushed: Vec<u32>,
    columns: Vec<Column>,
}

impl Default for CampaignColumns {
    fn default() -> Self {
        Self { members: RoaringBitmap::new(), pushed: Vec::new(), columns: fields::campaign_columns() }
    }
}

impl CampaignColumns {
    /// The leads in the campaign; every slot is below `slots`.
    pub fn domain(&self, slots: usize) -> Domain<'_> {
        Domain { all: &self.members, slots }
    }

    /// The column of a field.
    pub fn column(&self, place: usize) -> &Column {
        &self.columns[place]
    }

    /// A lead, above all others, is in the campaign; for columns in the making, which [`Self::finish`] completes.
    pub fn push(&mut self, row: &CampaignLeadRow<'_>, slot: u32) {
        self.pushed.push(slot);
        for (column, id) in self.columns.iter_mut().zip(CAMPAIGN_FIELDS) {
            if let Some(cell) = fields::of_campaign_lead(id, row) {
                column.push(cell, slot);
            }
        }
    }

    /// Completes the columns after all was pushed. Every slot is below `slots`.
    pub fn finish(&mut self, slots: usize) {
        self.members = posting::ascending(&std::mem::take(&mut self.pushed));
        self.columns.iter_mut().for_each(|column| column.finish(slots));
    }

    /// Changes the campaign lead of a lead from one to another, either of which may be none.
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
                old.into_iter().for_each(|cell| column.remove(cell, slot));
                new.into_iter().for_each(|cell| column.insert(cell, slot, slots));
            }
        }
    }

    /// Bytes held.
    pub fn bytes(&self) -> usize {
        let columns = self.columns.iter().map(|column| size_of::<Column>() + column.bytes());
        crate::memory::of_bitmap(&self.members) + columns.sum::<usize>()
    }
}
