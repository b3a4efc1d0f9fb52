//! In-memory column index of leads and their campaign leads. Evaluates any checked filter, with an exact total and the
//! rows of the page.
//!
//! [`leadscribe_engine::filter::matches`] defines the meaning of a filter; the tests compare every result with it. This crate does no I/O
//! and reads no clock. Except for [`Builder::finish`], it starts no threads and takes no locks: the caller provides the leads, their
//! changes and `now`, and ensures that no index is changed during a lookup.
//!
//! # How it works
//!
//! Each lead has a *slot*, a small number. Slots are ordered by id (`slots`), so a set of slots (`set`) is a page ordered by id. A *column*
//! (`column`) maps each value of a field to the set of slots that have it. A predicate is a formula over a lead and one of its campaign
//! leads, and a lead is in a campaign at most once. Within one campaign, a slot therefore represents a lead with its campaign lead, every
//! test is a set of slots, and the formula is evaluated with set operations (`evaluate`). The union over all campaigns is the set of leads
//! for which some campaign lead satisfies the formula.
//!
//! Distinct texts are stored once, in one memory area that substring searches scan (`column::dictionary`). In large columns, only blocks
//! with the needle's trigrams are read (`column::dictionary::trigrams`). Times and numbers are in sorted blocks (`blocks`). At regular
//! intervals, the set of all slots with lower values is stored (`ranges`). The data of results is in a packed row per lead (`row`). A
//! filter that is only one range needs no set (`single_range`). The cost of a filter is estimated in advance (`cost`).
//!
//! Start with [`Builder`] for building an index, [`LeadIndex::apply`] for updates, and [`LeadIndex::look_up`] for queries.

mod blocks;
mod build;
mod campaign;
mod change;
mod column;
mod cost;
mod evaluate;
mod fields;
mod key;
mod leads_by_campaign;
mod memory;
mod order;
mod page;
mod pairs;
mod posting;
mod ranges;
mod row;
mod rows;
mod set;
mod single_range;
mod slots;
#[cfg(test)]
mod tests;
mod values;

use std::collections::BTreeMap;
use std::sync::Arc;

use hashbrown::HashMap;
use leadscribe_engine::api::{Campaign, CampaignId, LeadId, LeadStatus};
use leadscribe_engine::filter::fields::{FIELDS, FieldId};

pub use build::Builder;
pub use page::{FoundLead, Page};
pub use row::{CampaignLeadRow, CampaignLeads, LeadRow, Members, PackedLead};

use campaign::CampaignColumns;
use column::{Column, CustomColumn, Domain};
use fields::LEAD_FIELDS;
use key::KeyRange;
use row::{Key, StatusNames};
use rows::Rows;
use slots::Slots;

/// Index of all leads with their campaign leads, campaigns and statuses.
///
/// Clones share all columns and rows. A change copies those that it touches if a clone still has them, so a clone is a snapshot.
#[derive(Clone, Debug)]
pub struct LeadIndex {
    slots: Arc<Slots>,
    rows: Rows,
    names: Arc<StatusNames>,
    columns: Vec<Arc<Column>>,
    custom: HashMap<String, Arc<CustomColumn>>,
    by_campaign: BTreeMap<CampaignId, Arc<CampaignColumns>>,
    campaigns: BTreeMap<CampaignId, Arc<Campaign>>,
    statuses: Arc<[LeadStatus]>,
}

impl Default for LeadIndex {
    fn default() -> Self {
        Self {
            slots: Arc::default(),
            rows: Rows::default(),
            names: Arc::default(),
            columns: fields::new_lead_columns(),
            custom: HashMap::new(),
            by_campaign: BTreeMap::new(),
            campaigns: BTreeMap::new(),
            statuses: Arc::new([]),
        }
    }
}

impl LeadIndex {
    /// Number of leads.
    pub fn len(&self) -> usize {
        self.slots.alive().len() as usize
    }

    /// True if there are no leads.
    pub fn is_empty(&self) -> bool {
        self.slots.alive().is_empty()
    }

    /// A single lead.
    pub fn lead(&self, id: LeadId) -> Option<LeadRow<'_>> {
        self.slots.find(id.0).and_then(|slot| self.row(slot))
    }

    /// Campaign with this id.
    pub fn campaign(&self, id: CampaignId) -> Option<&Arc<Campaign>> {
        self.campaigns.get(&id)
    }

    /// All statuses, as they were set.
    pub fn statuses(&self) -> &Arc<[LeadStatus]> {
        &self.statuses
    }

    /// Replaces all campaigns. Before a lookup, they must include the campaign of every campaign lead.
    pub fn set_campaigns(&mut self, campaigns: impl IntoIterator<Item = Campaign>) {
        self.campaigns = campaigns.into_iter().map(|campaign| (campaign.id, Arc::new(campaign))).collect();
    }

    /// Replaces all statuses.
    pub fn set_statuses(&mut self, statuses: impl IntoIterator<Item = LeadStatus>) {
        self.statuses = statuses.into_iter().collect();
    }

    /// True if so many leads were added out of id order or deleted that [`Self::rebuild`] pays off. Results are correct in any case.
    pub fn needs_rebuild(&self) -> bool {
        self.slots.needs_rebuild()
    }

    /// Total memory use in bytes.
    pub fn bytes(&self) -> usize {
        self.memory_by_part().iter().map(|(_, bytes)| bytes).sum()
    }

    /// Memory use of each part in bytes.
    pub fn memory_by_part(&self) -> Vec<(String, usize)> {
        let mut parts = vec![("rows".to_owned(), self.rows.bytes()), ("ids".to_owned(), self.slots.bytes())];
        let columns = FIELDS[LEAD_FIELDS].iter().zip(&self.columns);
        parts.extend(columns.map(|(field, column)| (field.property.to_owned(), column.bytes())));
        let custom = self.custom.iter().map(|(name, column)| name.len() + column.bytes());
        parts.push(("custom fields".to_owned(), custom.sum()));
        parts.push(("campaign leads".to_owned(), self.by_campaign.values().map(|columns| columns.bytes()).sum()));
        parts
    }

    fn row(&self, slot: u32) -> Option<LeadRow<'_>> {
        self.rows.get(slot).map(|row| row.view(&self.names))
    }

    /// True if a lead's value of an ordered field is in this range.
    fn is_in_range(&self, slot: u32, field: FieldId, range: KeyRange) -> bool {
        match self.row(slot).and_then(|row| row.key(field)) {
            Some(Key::Number(key)) => (range.min..=range.max).contains(&key),
            _ => false,
        }
    }

    fn lead_domain(&self) -> Domain<'_> {
        Domain { all: self.slots.alive(), candidates: None, slot_count: self.slots.len() }
    }
}
