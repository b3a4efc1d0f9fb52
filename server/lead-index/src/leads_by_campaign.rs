//! Disjunctions of conditions "these leads, in these campaigns", such as the calling hours of many campaigns.
//!
//! Many campaigns have the same alternatives, so the set of leads is computed once per combination instead of once per campaign.

use std::cell::RefCell;
use std::rc::Rc;

use hashbrown::{HashMap, HashSet};
use leadscribe_engine::api::CampaignId;

use crate::set::{Set, SlotCollector};

/// A set of campaigns: an allow list, or a list of excluded campaigns.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct CampaignSet {
    pub ids: HashSet<i64>,
    pub is_allow_list: bool,
}

impl CampaignSet {
    /// True if the campaign is in the set.
    pub fn contains(&self, id: CampaignId) -> bool {
        self.ids.contains(&id.0) == self.is_allow_list
    }
}

/// Conditions on the campaign, all of which must hold, and the leads; `None` for all leads of the campaign.
pub(crate) type Alternative<'a> = (Vec<CampaignSet>, Option<Set<'a>>);

/// Alternatives, at least one of which must hold.
#[derive(Debug, Default)]
pub(crate) struct LeadsByCampaign<'a> {
    alternatives: Vec<Alternative<'a>>,
    /// Union of the leads of several alternatives, by the indexes of these alternatives. Campaigns in which the same
    /// alternatives hold share the union.
    unions: RefCell<HashMap<Vec<usize>, Rc<Set<'static>>>>,
}

impl<'a> LeadsByCampaign<'a> {
    /// Adds an alternative, unless no lead satisfies it.
    pub fn add(&mut self, alternative: Alternative<'a>) {
        if alternative.1.as_ref().is_none_or(|leads| !leads.is_empty()) {
            self.alternatives.push(alternative);
        }
    }

    /// True if an alternative applies to the campaign.
    pub fn has_any_for(&self, id: CampaignId) -> bool {
        self.alternatives.iter().any(|(campaigns, _)| contain_campaign(campaigns, id))
    }

    /// Narrows slots of a campaign to the leads for which an alternative holds. Every slot is below `slot_count`.
    pub fn narrow<'s>(&self, slots: Set<'s>, id: CampaignId, slot_count: usize) -> Set<'s> {
        let mut matching = Vec::new();
        for (index, (campaigns, leads)) in self.alternatives.iter().enumerate() {
            if contain_campaign(campaigns, id) {
                if leads.is_none() {
                    return slots;
                }
                matching.push(index);
            }
        }
        if let [only] = matching[..]
            && let Some(leads) = &self.alternatives[only].1
        {
            return slots.and(leads.view());
        }
        let mut unions = self.unions.borrow_mut();
        let union = unions.entry(matching).or_insert_with_key(|matching| {
            let mut collector = SlotCollector::new(slot_count);
            matching
                .iter()
                .filter_map(|index| self.alternatives[*index].1.as_ref())
                .for_each(|set| collector.add_set(set));
            Rc::new(collector.finish())
        });
        slots.and(union.view())
    }
}

/// True if all of these sets contain the campaign.
fn contain_campaign(campaigns: &[CampaignSet], id: CampaignId) -> bool {
    campaigns.iter().all(|campaigns| campaigns.contains(id))
}
