//! Leads and their campaign leads in memory, as columns: any checked filter in microseconds, with an exact total, and the
//! rows of the page.
//!
//! The meaning of a filter is [`leadscribe_engine::filter::matches`]; the tests compare every answer with it. Nothing here
//! does I/O or reads a clock, and but for [`Builder::finish`] nothing starts a thread or takes a lock: the caller brings
//! the leads and their changes, passes `now`, and sees to it that nobody changes an index while it answers.
//!
//! # How it works
//!
//! A lead has a *slot*, a small number; slots are in the order of ids (`slots`), so that a set of slots (`set`) is a page
//! in the order of ids. A *column* (`column`) leads from each value of a field to the set of slots that have it. A
//! predicate is a formula over a lead and one of its campaign leads, and a lead is in a campaign once: so within one
//! campaign a slot stands for a lead with its one campaign lead, every test is a set of slots, and the formula is
//! evaluated campaign by campaign with the algebra of sets (`evaluate`). The union over the campaigns are the leads for
//! which some campaign lead satisfies it.
//!
//! Texts are held once each, in one piece of memory that is searched for parts (`column::dictionary`); of a large one
//! only those blocks are read that have what a part is made of (`column::grams`). Times and numbers are in sorted blocks
//! (`blocks`), with the set of all slots below at every so many entries (`ranges`). What is answered stands in a packed row
//! per lead (`row`). A filter that is one range and nothing else needs no set (`lone_range`). How long one may take is told
//! before (`effort`).
//!
//! Start with [`Builder`] for how an index is made, [`LeadIndex::apply`] for how it follows changes, and
//! [`LeadIndex::look_up`] for how it answers.

mod blocks;
mod build;
mod campaign;
mod change;
mod column;
mod effort;
mod evaluate;
mod fields;
mod key;
mod leads_by_campaign;
mod lone_range;
mod memory;
mod order;
mod page;
mod pairs;
mod posting;
mod ranges;
mod row;
mod set;
mod slots;
#[cfg(test)]
mod tests;
mod values;

use std::collections::BTreeMap;
use std::sync::Arc;

use hashbrown::HashMap;
use leadscribe_engine::api::{Campaign, CampaignId, LeadId, LeadStatus};
use leadscribe_engine::filter::fields::FieldId;

pub use build::Builder;
pub use page::{FoundLead, Page};
pub use row::{CampaignLeadRow, CampaignLeads, LeadRow, Members, PackedLead};

use campaign::CampaignColumns;
use column::{Column, CustomColumn, Domain};
use key::Span;
use row::{Key, Names, Row};
use slots::Slots;

/// All leads with their campaign leads, campaigns and statuses.
#[derive(Clone, Debug)]
pub struct LeadIndex {
    slots: Slots,
    /// By slot; none for a deleted lead.
    rows: Vec<Option<Row>>,
    names: Names,
    columns: Vec<Column>,
    custom: HashMap<String, CustomColumn>,
    by_campaign: BTreeMap<CampaignId, CampaignColumns>,
    campaigns: BTreeMap<CampaignId, Arc<Campaign>>,
    statuses: Arc<[LeadStatus]>,
}

impl Default for LeadIndex {
    fn default() -> Self {
        Self {
            slots: Slots::default(),
            rows: Vec::new(),
            names: Names::default(),
            columns: fields::lead_columns(),
            custom: HashMap::new(),
            by_campaign: BTreeMap::new(),
            campaigns: BTreeMap::new(),
            statuses: Arc::new([]),
        }
    }
}

impl LeadIndex {
    /// How many leads.
    pub fn len(&self) -> usize {
        self.slots.alive().len() as usize
    }

    /// Whether there is no lead.
    pub fn is_empty(&self) -> bool {
        self.slots.alive().is_empty()
    }

    /// One lead.
    pub fn lead(&self, id: LeadId) -> Option<LeadRow<'_>> {
        self.slots.find(id.0).and_then(|slot| self.row(slot))
    }

    /// The campaign of this id.
    pub fn campaign(&self, id: CampaignId) -> Option<&Arc<Campaign>> {
        self.campaigns.get(&id)
    }

    /// All statuses, as they were set.
    pub fn statuses(&self) -> &Arc<[LeadStatus]> {
        &self.statuses
    }

    /// Replaces all campaigns. Every campaign lead's campaign must be among them before a filter is answered.
    pub fn set_campaigns(&mut self, campaigns: impl IntoIterator<Item = Campaign>) {
        self.campaigns = campaigns.into_iter().map(|campaign| (campaign.id, Arc::new(campaign))).collect();
    }

    /// Replaces all statuses.
    pub fn set_statuses(&mut self, statuses: impl IntoIterator<Item = LeadStatus>) {
        self.statuses = statuses.into_iter().collect();
    }

    /// Whether so many leads came out of the order of ids, or were deleted, that [`Self::rebuilt`] would be worth its
    /// time. Answers are right all the same.
    pub fn wants_rebuild(&self) -> bool {
        self.slots.want_order()
    }

    fn row(&self, slot: u32) -> Option<LeadRow<'_>> {
        self.rows.get(slot as usize)?.as_ref().map(|row| row.view(&self.names))
    }

    /// Whether a lead's value of a field, which is kept in order, is in this range.
    fn is_within(&self, slot: u32, field: FieldId, span: Span) -> bool {
        match self.row(slot).and_then(|row| row.key(field)) {
            Some(Key::Number(key)) => (span.min..=span.max).contains(&key),
            _ => false,
        }
    }

    fn leads(&self) -> Domain<'_> {
        Domain { all: self.slots.alive(), slots: self.slots.len() }
    }
}
