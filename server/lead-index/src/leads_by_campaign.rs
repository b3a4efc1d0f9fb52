//! Disjunctions of conditions "these leads, in these campaigns", such as the calling hours of many campaigns.
//!
//! Many campaigns have the same alternatives, so the set of leads is computed once per combination instead of once per campaign.

use std::cell::RefCell;
use std::rc::Rc;

use hashbrown::{HashMap, HashSet};
use leadscribe_engine::api::CampaignId;

use crate::evaluate::{Node, Scope};
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

/// Alternatives, at least one of which must hold.
#[derive(Debug, Default)]
pub(crate) struct LeadsByCampaign<'a> {
    /// Conditions on the campaign, all of which must hold, and the leads; `None` for all leads of the campaign.
    alternatives: Vec<(Vec<CampaignSet>, Option<Set<'a>>)>,
    /// Union of the leads of the alternatives that hold in a campaign, by the indexes of these alternatives.
    unions: RefCell<HashMap<Vec<usize>, Rc<Set<'static>>>>,
}

impl<'a> LeadsByCampaign<'a> {
    /// Adds an alternative, whose nodes must all hold, if it has this form. Otherwise returns it.
    pub fn try_add<'p>(&mut self, nodes: Vec<Node<'p, 'a>>) -> Result<(), Vec<Node<'p, 'a>>> {
        if nodes.is_empty() || !nodes.iter().all(|node| matches!(node, Node::CampaignSet(_) | Node::LeadSet(_))) {
            return Err(nodes);
        }
        let (mut campaigns, mut lead_set) = (Vec::new(), None::<Set<'a>>);
        for node in nodes {
            match node {
                Node::CampaignSet(campaign_set) => campaigns.push(campaign_set),
                Node::LeadSet(set) => {
                    lead_set = Some(match lead_set {
                        None => set,
                        Some(other) => other.and(set),
                    });
                }
                _ => {}
            }
        }
        if lead_set.as_ref().is_none_or(|lead_set| !lead_set.is_empty()) {
            self.alternatives.push((campaigns, lead_set));
        }
        Ok(())
    }

    /// Narrows slots of a campaign to the leads for which an alternative holds.
    pub fn narrow<'s>(&self, slots: Set<'s>, scope: Scope<'_>) -> Set<'s> {
        let Scope::Campaign(id, _, domain) = scope else { return Set::EMPTY };
        let mut matching = Vec::new();
        for (index, (campaigns, leads)) in self.alternatives.iter().enumerate() {
            if campaigns.iter().all(|campaigns| campaigns.contains(id)) {
                if leads.is_none() {
                    return slots;
                }
                matching.push(index);
            }
        }
        if let [only] = matching[..]
            && let Some(leads) = &self.alternatives[only].1
        {
            return slots.and_ref(leads);
        }
        let mut unions = self.unions.borrow_mut();
        let union = unions.entry(matching).or_insert_with_key(|matching| {
            let mut collector = SlotCollector::new(domain.slot_count);
            matching
                .iter()
                .filter_map(|index| self.alternatives[*index].1.as_ref())
                .for_each(|set| collector.add_set(set));
            Rc::new(collector.finish())
        });
        slots.and_ref(union)
    }
}
