//! Alternatives of the form "leads with these values, in these campaigns", such as the calling hours of many campaigns.
//!
//! Many campaigns have the same alternatives, so the set of leads is computed once per combination instead of once per campaign.

use std::cell::RefCell;
use std::rc::Rc;

use hashbrown::{HashMap, HashSet};
use leadscribe_engine::api::CampaignId;

use crate::evaluate::{Node, Scope};
use crate::set::{Gather, Set};

/// A set of campaigns: those listed, or all others.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Campaigns {
    pub ids: HashSet<i64>,
    pub are_listed: bool,
}

impl Campaigns {
    /// True if the campaign is in the set.
    pub fn contain(&self, id: CampaignId) -> bool {
        self.ids.contains(&id.0) == self.are_listed
    }
}

/// Alternatives, at least one of which must hold.
#[derive(Debug, Default)]
pub(crate) struct LeadsByCampaign<'a> {
    /// Conditions on the campaign, all of which must hold, and the leads; `None` for all leads of the campaign.
    alternatives: Vec<(Vec<Campaigns>, Option<Set<'a>>)>,
    /// Union of the leads of the alternatives that hold in a campaign, by the indexes of these alternatives.
    unions: RefCell<HashMap<Vec<usize>, Rc<Set<'static>>>>,
}

impl<'a> LeadsByCampaign<'a> {
    /// Adds an alternative, whose nodes must all hold, if it has this form. Otherwise returns it.
    pub fn take<'p>(&mut self, nodes: Vec<Node<'p, 'a>>) -> Result<(), Vec<Node<'p, 'a>>> {
        if nodes.is_empty() || !nodes.iter().all(|node| matches!(node, Node::Campaigns(_) | Node::Leads(_))) {
            return Err(nodes);
        }
        let (mut campaigns, mut leads) = (Vec::new(), None::<Set<'a>>);
        for node in nodes {
            match node {
                Node::Campaigns(one) => campaigns.push(one),
                Node::Leads(set) => {
                    leads = Some(match leads {
                        None => set,
                        Some(known) => known.and(set),
                    });
                }
                _ => {}
            }
        }
        if leads.as_ref().is_none_or(|leads| !leads.is_empty()) {
            self.alternatives.push((campaigns, leads));
        }
        Ok(())
    }

    /// Narrows slots of a campaign to the leads for which an alternative holds.
    pub fn narrow<'s>(&self, found: Set<'s>, scope: Scope<'_>) -> Set<'s> {
        let Scope::Campaign(id, _, domain) = scope else { return Set::EMPTY };
        let mut holding = Vec::new();
        for (place, (campaigns, leads)) in self.alternatives.iter().enumerate() {
            if campaigns.iter().all(|campaigns| campaigns.contain(id)) {
                if leads.is_none() {
                    return found;
                }
                holding.push(place);
            }
        }
        if let [only] = holding[..]
            && let Some(leads) = &self.alternatives[only].1
        {
            return found.and_view(leads);
        }
        let mut unions = self.unions.borrow_mut();
        let union = unions.entry(holding).or_insert_with_key(|holding| {
            let mut gather = Gather::new(domain.slots);
            holding.iter().filter_map(|place| self.alternatives[*place].1.as_ref()).for_each(|set| gather.add_set(set));
            Rc::new(gather.finish())
        });
        found.and_view(union)
    }
}
